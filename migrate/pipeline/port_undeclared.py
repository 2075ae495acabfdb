"""CUDA's names in files of HIP's side that see no declaration of them: the build for HIP stops there.

A port compiles, as a rule, and a name of CUDA's may be a macro of a shim. It is none where all that a file includes is
known: files of the tree, none of which gives HIP a name of CUDA's, and headers of HIP's and of the languages, which
have none. Where an option includes a header before all files, nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.gap_evidence import UNDECLARED
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_paths, included

_OF_CUDA = re.compile(r"cuda[A-Z]\w*|cu[A-Z]\w*|CU[A-Z_]\w*|CUDA_\w+|cu(?:blas|fft|rand|sparse|solver)\w+")
_GIVES = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(?:cu(?:da)?[A-Z]|CU[A-Z_])\w*"
    rb"|\b(?:using|typedef|enum|struct|class|namespace|extern)\b[^;{}]*?\b(?:cu(?:da)?[A-Z])\w*[ \t\n]*[=;{(]"
    rb"|##",
    re.MULTILINE,
)
"""What gives a name of CUDA's to whoever includes a file: a macro, a type, a declaration, or one put together."""
_NEUTRAL = re.compile(
    r"(?:hip|roc|rccl|miopen|amd_|rocm)[\w-]*(?:/.*|\.h(?:pp)?)|sys/\w+\.h|mpi\.h|omp\.h|pthread\.h|unistd\.h|strings\.h"
    r"|(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|malloc|math|memory|setjmp|signal|stdarg"
    r"|stdbool|stddef|stdint|stdio|stdlib|string|time|wchar)\.h|(?!cu|nv|thrust)[a-z_]+"
)
"""Headers that have no name of CUDA's: HIP's and its libraries', of C, C++, POSIX, MPI and OpenMP."""
_FORCED = re.compile(rb"(?:[\"' \t;]|SHELL:)--?include[ \t;\"',]+[^\s;\"',]+\.(?:h|hh|hpp|hxx|cuh)\b")
_BUILDS = ("cmake", "make", "python", "shell", "autotools")


def with_undeclared(results: Sequence[FileResult], port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with the findings on such names marked; the same ones where there is no port."""
    wanted = {
        one.path for one in results if one.path in port.hip_files & port.compiled and any(map(_may, one.findings))
    }
    wanted -= port.through_shim | port.aliased.keys() | port.unbuilt | port.probes | port.unread.keys()
    if not (port.is_port and wanted) or any(forces(one, read) for one in results):
        return list(results)
    paths = include_paths(read, (one.path for one in results if one.language in ("cuda", "cxx")))
    alone = {path for path in wanted if _sees_none(path, paths, read)}
    return [_marked(one) if one.path in alone else one for one in results]


def _may(finding: Finding) -> bool:
    """Whether a finding is on a name of CUDA's that a build for HIP reads whatever its macros are."""
    stops = finding.group == "api" and finding.outcome == "compile-error" and finding.unconditional
    return stops and _OF_CUDA.fullmatch(finding.name) is not None


def _marked(result: FileResult) -> FileResult:
    marked = (replace(one, facts=(*one.facts, (UNDECLARED, ""))) if _may(one) else one for one in result.findings)
    return replace(result, findings=tuple(marked))


def forces(result: FileResult, read: Read) -> bool:
    """Whether a build file has an option that includes a header before a file."""
    source = read(result.path) if result.language in _BUILDS else None
    return source is not None and b"-include" in source.data and _FORCED.search(source.data) is not None


def _sees_none(path: str, paths: IncludePaths, read: Read) -> bool:
    """Whether a file and all that it includes are known, and none of them gives it a name of CUDA's."""
    together = read_together(path, paths, read, _NEUTRAL)
    return all(source is not None and _GIVES.search(source.data) is None for source in together)


def read_together(path: str, paths: IncludePaths, read: Read, neutral: re.Pattern[str]) -> Iterator[SourceFile | None]:
    """A file and all that it includes of the tree, through others too; None, at last, for what is not known.

    `neutral` are the names of headers from elsewhere that give nothing. Whether a conditional leaves an include out is
    not asked.
    """
    seen, left = {path}, [path]
    while left:
        source = read(left.pop())
        yield source
        if source is None:
            return
        for found in _included(source.path, [name for name, *_ in included(source)], paths, neutral):
            if found is None:
                yield None
                return
            if found and found not in seen:
                seen.add(found)
                left.append(found)


def _included(path: str, names: Sequence[str], paths: IncludePaths, neutral: re.Pattern[str]) -> Iterator[str | None]:
    """The files of the tree that a file includes, empty for a header that gives nothing; None for an unknown one."""
    for name in names:
        inside = paths.nearest(path, name)
        if len(inside) == 1:
            yield inside[0]
        else:
            yield "" if not inside and neutral.fullmatch(name) else None
