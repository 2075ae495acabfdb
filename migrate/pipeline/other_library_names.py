"""Names of CUDA's that another library declares as its own: members of its classes, and types of its namespace.

A library that loads CUDA when a program runs has pointers to CUDA's functions in a class, `api.cudaMalloc(&p, n)`, and
may declare CUDA's types itself. Such names are what its header says, and HIP's are not there. A file reads them from
that header where no header of CUDA's is among what it reads, and where it uses the library's own names of CUDA's, or
the build has no CUDA: then a header that the build fetches is all that can bring them. nvcc reads CUDA's in any case.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.include_paths import IncludeGraph, IncludePaths, is_below
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.pipeline import cuda_sources, fetched_dependencies
from cudamigrate.pipeline.absent_headers import BROUGHT
from cudamigrate.pipeline.fetched_dependencies import Dependency
from cudamigrate.pipeline.own_names import BUILDS, SOURCES, Definitions, Read, defined
from cudamigrate.pipeline.read_again import asked, include_graph, included, lexed
from cudamigrate.pipeline.runtime_headers import ADDED
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/other-cuda-names"
_CODE = ("cuda", "cxx")
_NAME = rb"(?P<name>(?:cuda|cu|nvrtc)[A-Z]\w*|CU[a-z]\w*)"
_MEMBER = re.compile(
    rb"(?<![\w:])(?P<object>(?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*)(?P<call>\s*\(\s*\))?\s*(?:->|\.)\s*"
    + _NAME
    + rb"\s*\("
)
"""A call of a member with a name of CUDA's form: `api->cuInit(0)`, `lib::Api::instance().cudaFree(p)`."""
_QUALIFIED = re.compile(rb"(?<![\w:])(?:::\s*)?(?P<space>[A-Za-z_]\w*)\s*::\s*" + _NAME + rb"\b(?!\s*::)")
"""The same in a namespace, the name alone: `lib::cudaStream_t`."""
_INSIDE = re.compile(rb"(?:->|\.|::)\s*" + _NAME)
_PARTS = re.compile(rb"\s*::\s*")
_TYPED = rb"(?<![\w.>])(?P<type>[A-Za-z_][\w:]*)(?:\s*<[^;<>]*>)?\s*(?:const\s*)?[*&\s]\s*[*&]*\s*%s\s*(?=[;=,(){\[])"
"""What declares a variable, a parameter or a function, with its type before it."""
_NO_TYPES = frozenset(
    (b"return", b"auto", b"else", b"delete", b"throw", b"new", b"case", b"const", b"goto", b"co_return")
)
_MAKES = (
    rb"\b(?:(?:class|struct|union|namespace)\b[^;{}()=]*\b%s\b(?!\s*;)|using\s+%s\s*=|typedef\b[^;]*\b%s\s*;"
    rb"|(?:class|typename)\s+%s\s*[,>=])"
)
"""What declares a class, a namespace, another name for a type or a template's parameter.

A type that is named ahead is somebody else's.
"""
_TOOLKIT = re.compile(
    rb"(?i)find_package\s*\(\s*(?:CUDA|Torch|cudnn|nccl|TensorRT)|enable_language\s*\([^)]*\bCUDA\b|\bproject\s*\([^)]*\bCUDA\b"
    rb"|\bCUDA::|\bCUDA_(?:INCLUDE|TOOLKIT|HOME|PATH|LIBRAR|ROOT|BIN)|CMAKE_CUDA_|CUDAToolkit|cudart|nvcc|cuda_runtime"
    rb"|CUDAExtension|/cuda/|/cuda\b|cuda_add_|cuda_(?:library|binary)"
)
"""What a build file holds that looks for CUDA or names a part of it."""


def with_other_library_names(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with no findings on names that another library declares, and one in each file that has some."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not any(one.language in _CODE and one.cuda for one in results):
        return list(results)
    tree = _Tree(results, book, inventory, read)
    made = {one.path: found for one in results if one.language in _CODE and (found := tree.of(one)) is not None}
    brought = {path for path, (hit, is_all) in made.items() if is_all}
    headers = tree.read_by(brought) if brought else frozenset[str]()
    kept = []
    for one in results:
        if one.path in brought | headers:
            one = replace(one, findings=tuple(f for f in one.findings if not _is_of_cuda(f)))
        source = read(one.path) if one.path in made else None
        more = [engine.finding(source, made[one.path][0], rule)] if source is not None else []
        kept.append(engine.with_more(one, more))
    return kept


def _is_of_cuda(finding: Finding) -> bool:
    return finding.group == "api" or finding.rule in ADDED


@dataclass
class _Tree:
    """The files of a tree, and what is to be asked of them together."""

    results: Sequence[FileResult]
    book: Rulebook
    inventory: Inventory
    read: Read
    _declared: dict[bytes, bool] = field(default_factory=dict)

    def of(self, result: FileResult) -> tuple[Hit, bool] | None:
        """What is to be said of a file, and whether all its names of CUDA's are another library's; None for nothing."""
        inside = result.skip is None and asked(self.read, result.path, _may_have)
        source = self.read(result.path) if result.skip is None and (result.cuda or inside) else None
        if source is None:
            return None
        named = next(self._foreign(source), None) if inside else None
        alone = any(map(_is_of_cuda, result.findings)) and self._reads_no_cuda(result.path)
        if named is not None:
            what, span = named
            told = f"`{what}` has names of CUDA's as its own, and is declared in no file here."
            return _hit(what, told, "", span), alone
        brings = self._bringing(result.path) if alone else None
        if brings is None:
            return None
        path, dependency = brings
        what = (
            f"All names of CUDA's here are from `{path}`: the file reads no header of CUDA's, and its build has none."
        )
        place = next((span for name, _, span in included(source) if name == path), Span(0, 0))
        return _hit(path, what, f" {dependency.path}:{dependency.line} fetches it.", place), True

    def read_by(self, paths: Iterable[str]) -> frozenset[str]:
        """The headers that such files alone read."""
        inside = frozenset(paths)
        below = self._graph.below(inside) - inside
        return frozenset(
            path
            for path in below
            if all(one in inside for one in self._graph.above((path,)) if one.lower().endswith(SOURCES))
        )

    @cached_property
    def _graph(self) -> IncludeGraph:
        return include_graph(self.read, (one.path for one in self.results if one.language in _CODE))

    @cached_property
    def _paths(self) -> IncludePaths:
        return IncludePaths((*(one.path for one in self.inventory.entries), *self.inventory.passed_over))

    @cached_property
    def _given(self) -> frozenset[str]:
        """The sources of C++ that are given to nvcc."""
        return cuda_sources.given(self.results, self.read)

    @cached_property
    def _own(self) -> Definitions:
        return defined(self.results)

    @cached_property
    def _fetched(self) -> dict[str, Dependency]:
        return fetched_dependencies.of_gpus(fetched_dependencies.declared(self.results, self.read))

    def _foreign(self, source: SourceFile) -> Iterator[tuple[str, Span]]:
        """The classes and namespaces of others that a file takes names of CUDA's from, each with a place."""
        tokens = lexed(source)
        for match in tokens.matches(_MEMBER):
            of_class = _class_of(match, source.data) if self._is_cudas(match["name"]) else b""
            if of_class and not self._declares(of_class):
                yield match["object"].decode("latin-1"), Span(*match.span("object"))
        for match in tokens.matches(_QUALIFIED):
            space = match["space"].decode("latin-1")
            known = space in self.book.namespaces or space in ("std", "hip")
            known = known or space in self.book.names  # an enumeration of CUDA's, before one of its values
            if self._is_cudas(match["name"]) and not known and not self._declares(match["space"]):
                yield space, Span(*match.span("space"))

    def _is_cudas(self, name: bytes) -> bool:
        """Whether a name is one of CUDA's that the tree does not declare itself."""
        spelled = name.decode("latin-1")
        rule = self.book.names.get(spelled)
        return rule is not None and rule.id.startswith("api/") and spelled not in self._own

    def _declares(self, name: bytes) -> bool:
        """Whether a file of the tree declares a class or a namespace of that name: looked for once for all calls."""
        if name not in self._declared:
            made = re.compile(_MAKES.replace(b"%s", re.escape(name)))
            sources = (self.read(one.path) for one in self.results if one.language in _CODE and one.skip is None)
            self._declared[name] = any(
                name in one.data and made.search(one.data) is not None for one in sources if one is not None
            )
        return self._declared[name]

    def _reads_no_cuda(self, path: str) -> bool:
        """Whether a file is for the host's compiler, and nothing that it reads is a header that brings CUDA's."""
        if path in self._given or path.lower().endswith((".cu", ".cuh")) or not path.lower().endswith(SOURCES):
            return False
        return not any(map(self._brings_cuda, self._outside(path)))

    def _outside(self, path: str) -> Iterator[str]:
        """The headers that a file reads and that are none of the tree's."""
        for one in sorted(self._graph.below((path,))):
            yield from (name for name in self._graph.spelled.get(one, ()) if not self._paths.nearest(one, name))

    def _brings_cuda(self, name: str) -> bool:
        return name.startswith(BROUGHT) or self.book.include(name) is not None

    def _bringing(self, path: str) -> tuple[str, Dependency] | None:
        """The header of a fetched project that is all which can bring CUDA's names to a file; None where more can."""
        made = ((name, fetched_dependencies.of_header(name, self._fetched)) for name in self._outside(path))
        found = next(((name, one) for name, one in made if one is not None), None)
        return found if found is not None and self._is_built_without_cuda(path) else None

    def _is_built_without_cuda(self, path: str) -> bool:
        """Whether CMake files are around a file, and no build file there has to do with CUDA's headers or libraries."""
        around = [one for one in self.results if one.language in BUILDS and _is_around(one.path, path)]
        if not any(one.language == "cmake" for one in around):
            return False
        return not any(asked(self.read, one.path, _has_toolkit) for one in around)


def _is_around(build: str, path: str) -> bool:
    """Whether a build file is in a folder around a file, or in the folder for modules of CMake's there."""
    folder = posixpath.dirname(build)
    return is_below(path, posixpath.dirname(folder) if posixpath.basename(folder) == "cmake" else folder)


def _has_toolkit(source: SourceFile) -> bool:
    return _TOOLKIT.search(source.data) is not None


def _may_have(source: SourceFile) -> bool:
    """Whether a file may take names of CUDA's from a class or a namespace."""
    return _INSIDE.search(source.data) is not None


def _class_of(match: re.Match[bytes], data: bytes) -> bytes:
    """The class whose member a call names, by the text before it; empty where that does not tell."""
    parts = _PARTS.split(match["object"])
    if len(parts) > 1:
        return parts[-2] if match["call"] else b""
    typed = re.compile(_TYPED.replace(b"%s", re.escape(parts[0])))
    types: Mapping[bytes, None] = dict.fromkeys(one["type"] for one in typed.finditer(data, 0, match.start()))
    found = [one for one in types if one not in _NO_TYPES]
    return found[-1].rpartition(b"::")[2] if found else b""


def _hit(name: str, what: str, source: str, span: Span) -> Hit:
    return Hit(RULE, Use("name", name, span, span, (), "unknown", "token"), {"what": what, "from": source})
