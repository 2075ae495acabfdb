"""Kernels in files that a program hands to NVRTC: what includes HIP's runtime header there leaves it out for hipRTC.

hipRTC has the header built in and finds none on the machine unless it is given a folder. That a file is compiled at run
time shows in a tree that uses NVRTC where a text in code names it, or where no build does and nothing includes it. With
the condition a file can be compiled by hipcc, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_insertion import for_hipcc_alone
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import BUILDS, Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed
from cudamigrate.pipeline.run_time_headers import with_run_time_headers
from cudamigrate.rulebase.code_rules import Rulebook

_CODE = ("cuda", "cxx")
_COMPILES = re.compile(rb"\b(?:nvrtcCreateProgram|nvrtcCompileProgram|hiprtcCreateProgram)\b")
"""A call by which a program compiles text; a library that wraps it, as Jitify, has it in a header of its own."""
_NAMED = re.compile(rb"([\w.+-]+\.cuh?)(?![\w.])")
_ANY = re.compile(
    rb"[*%]\.(?:cu\b|c?\*)|(?<=[/\"'])\*(?=[\s\"')])|\.cu\b[^\n]*(?:walk|glob|find|wildcard)|aux_source_directory"
)
"""What may collect all sources of a folder: `*.cu`, `src/*`."""


def with_run_time_sources(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, where such files, and what they include, get the runtime's header for hipcc alone.

    That the program has to give hipRTC the other headers they get is reported.
    """
    reached = _reached(results, read)
    made = [_guarded(one) if one.path in reached else one for one in results]
    return with_run_time_headers(made, reached, book, read)


def _reached(results: Sequence[FileResult], read: Read) -> frozenset[str]:
    """The files that are compiled at run time, and what they include."""
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    if not any(asked(read, path, _compiles) for path in code):
        return frozenset()
    names = {name for path in code for name in asked(read, path, _texts) or ()}
    graph = include_graph(read, code)
    builds = [one.path for one in results if one.language in BUILDS and one.skip is None]
    sources = [path for path in code if path.endswith(".cu")]
    alone = [path for path in sources if not graph.users.get(path)] if not _collect(builds, read) else []
    loose = {path for path in alone if not _is_named(path, builds, read)}
    chosen = {path for path in code if path.rpartition("/")[2].encode() in names} | loose
    return graph.below(chosen)


def _compiles(source: SourceFile) -> bool:
    """Whether a file compiles text at run time."""
    return b"rtc" in source.data and _COMPILES.search(source.data) is not None


def _texts(source: SourceFile) -> tuple[bytes, ...]:
    """The names of files with kernels that texts in a file's code hold, without their folders."""
    return tuple(sorted(set(_in_literals(source)))) if b".cu" in source.data else ()


def _in_literals(source: SourceFile) -> Iterator[bytes]:
    """The same in literals, without those of includes: `"kernel.cu"`, `dir + "/kernel.cu"`."""
    tokens = lexed(source)
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        if source.data[start : start + 1] == b"/" or b".cu" not in source.data[start:end]:
            continue  # a comment
        directive = tokens.directive_at(start)
        if directive is None or directive.name == "define":
            yield from _NAMED.findall(source.data, start, end)


def _collect(builds: Sequence[str], read: Read) -> bool:
    """Whether a build file may collect sources that it does not name."""
    return any((source := read(path)) is not None and _ANY.search(source.data) is not None for path in builds)


def _is_named(path: str, builds: Sequence[str], read: Read) -> bool:
    """Whether a build file names a source, with or without its ending."""
    name = path.rpartition("/")[2].rpartition(".")[0].encode()
    return any((source := read(one)) is not None and name in source.data for one in builds)


def _guarded(result: FileResult) -> FileResult:
    """The result of such a file."""
    return replace(result, findings=tuple(map(_without_header, result.findings)))


def _without_header(finding: Finding) -> Finding:
    if finding.fix is None or not finding.adds_include:
        return finding
    edits = tuple(map(for_hipcc_alone, finding.fix.edits))
    return replace(finding, fix=replace(finding.fix, edits=edits))
