"""CUDA's libraries that a project declares and loads itself: one finding for what declares them, in place of all uses.

Such a project includes no header of CUDA's. It has types, values and functions of its own under CUDA's names, and opens
the library when it runs. The names compile for AMD as they are. HIP's names in their place contradict HIP's headers as
soon as one is read, and values that are declared with CUDA's numbers mean something else to HIP's functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

from cudamigrate.cuda.code_files import CUDA_INCLUDE
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_loaders import counted, declared, declaring
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, include_paths, lexed, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/own-cuda-loader"
_KEPT = ("library/driver-loader", "library/toolkit-loader")
"""Rules that say which library is opened: true whatever declares its functions."""
_CODE = ("cuda", "cxx")
_LIBRARIES = "cuda|cudart|cublas(?:Lt)?|cudnn|cufft|curand|cusolver|cusparse|nvrtc|nccl"
_LOADS = re.compile(
    rb'"(?:[^"\n]*[/\\])?(?:lib(?:%s)\.(?:so[.\d]*|dylib)|nvcuda\.dll)"' % _LIBRARIES.encode(), re.IGNORECASE
)
"""The file of a library of CUDA's, as a program has it that opens it: `"libcublas.so"`."""
_LOADED = (b"lib", b"nvcuda", b"NVCUDA")
_PREFIX = re.compile(rf"(?:{_LIBRARIES}|cu)(?=[_A-Z])|(?:CU|NCCL|NVRTC)(?=[a-zA-Z_])", re.IGNORECASE)
_DECLARED = declaring(rb"((?:cu|nvrtc|nccl)[A-Z]\w*|CU[a-z]\w*|(?:%s)[A-Z]\w*|CU[A-Z]*_\w+)" % _LIBRARIES.encode())
_FUNCTION = re.compile(
    rb"\b(?:CUresult|cudaError_t|nvrtcResult|ncclResult_t|cu[a-z]+Status_t)[ \t]+(?:\w+[ \t]+){0,3}"
    rb"(?:cu|nvrtc|nccl)[a-zA-Z]\w*\s*\([^();]*\)\s*;"
)
"""A function of CUDA's that is declared: `CUresult CUDAAPI cuInit(unsigned int flags);`."""
_OF_CUDA = re.compile(r"(?:cu|CU|nv|nccl)\w*")


def with_own_cuda_loaders(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with one finding where a file declares CUDA's names and what it is read with opens the library."""
    rule = book.rules.get(RULE)
    hosts = [one for one in results if one.language == "cxx" and one.skip is None and one.findings]
    known = {one.path: names for one in hosts if (names := _declared(one, read))} if rule is not None else {}
    if rule is None or not known:
        return list(results)
    tree = _Tree(results, read)
    known = {path: names for path, names in known.items() if tree.is_loaded(path)}
    return counted(results, {one.path: own for one in hosts if (own := _own(one, known, tree, read))}, rule)


@dataclass
class _Tree:
    """What the files of a repository are read with."""

    results: Sequence[FileResult]
    read: Read
    _together: dict[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def _code(self) -> frozenset[str]:
        return frozenset(one.path for one in self.results if one.language in _CODE)

    @cached_property
    def _graph(self) -> IncludeGraph:
        return include_graph(self.read, self._code, spelled_includes, every=True)

    def together(self, path: str) -> frozenset[str]:
        """The files that are read together with one."""
        if path not in self._together:
            self._together[path] = self._graph.together((path,))
        return self._together[path]

    @cached_property
    def _cudas(self) -> frozenset[str]:
        """The files that CUDA's own headers are read with: nvcc reads some before each of its sources.

        A header of the repository that is called like one of them is none.
        """
        paths = include_paths(self.read, self._code)
        return frozenset(
            one
            for one in self._code
            if one.endswith((".cu", ".cuh")) or any(not paths.possible(one, name) for name in _cudas(self.read, one))
        )

    def is_loaded(self, path: str) -> bool:
        """Whether a file is read with one that opens a library of CUDA's, and with none of CUDA's headers."""
        return not self.reads_cudas(path) and any(asked(self.read, one, _loads) for one in sorted(self.together(path)))

    def reads_cudas(self, path: str) -> bool:
        """Whether CUDA's own headers are read with a file."""
        return not self._cudas.isdisjoint(self.together(path))


def _loads(source: SourceFile) -> bool:
    """Whether a file has the name of a library of CUDA's as a text."""
    if not any(word in source.data for word in _LOADED):
        return False
    found = [match.start() for match in _LOADS.finditer(source.data)]
    return bool(found) and not set(lexed(source).starts).isdisjoint(found)


def _cudas(read: Read, path: str) -> Iterator[str]:
    """The headers that a file includes by a name that one of CUDA's may have."""
    for name in asked(read, path, spelled_includes) or ():
        if CUDA_INCLUDE.match(b"#include <" + name.encode("utf-8", "replace")):
            yield name


def _declared(result: FileResult, read: Read) -> frozenset[str]:
    """The names of CUDA's that findings are on and that their file declares."""
    named = {one.name for one in result.findings if one.rule.startswith("api/") and _OF_CUDA.match(one.name)}
    found = asked(read, result.path, _declares) if named else None
    return found.intersection(named) if found is not None else frozenset()


def _declares(source: SourceFile) -> frozenset[str]:
    """The names of CUDA's that a file declares; none where it declares functions, which have to be linked."""
    return frozenset() if _FUNCTION.search(source.data) else declared(source, _DECLARED)


def _own(result: FileResult, declared: Mapping[str, Set[str]], tree: _Tree, read: Read) -> dict[Finding, str]:
    """The findings of a file on what is declared in files that it is read with, each with one of these files."""
    seen = [path for path in declared if path in tree.together(result.path)]
    source = read(result.path) if seen and not tree.reads_cudas(result.path) else None
    if source is None:
        return {}
    tokens = lexed(source)
    return {
        one: _of(one, seen, declared)
        for one in result.findings
        if one.rule not in _KEPT and not one.name.startswith("__") and tokens.is_code(one.span.start)
    }


def _of(finding: Finding, seen: Sequence[str], declared: Mapping[str, Set[str]]) -> str:
    """The file of some that declares what a finding names, else one that declares names with its beginning."""
    prefix = _prefix(finding.name)
    named = (path for path in seen if finding.name in declared[path])
    alike = (path for path in seen if prefix and any(_prefix(name) == prefix for name in declared[path]))
    return next(named, next(alike, finding.path if finding.path in declared else seen[0]))


def _prefix(name: str) -> str:
    found = _PREFIX.match(name)
    return found[0].lower() if found is not None else ""
