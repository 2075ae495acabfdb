"""Names of CUB in files that read no header of hipCUB's which declares them: for CUDA another header brought it.

CUDA's Thrust includes much of CUB, and CUB's headers include each other; rocThrust includes nothing of hipCUB's, whose
headers include less. A file that lacks one gets the header with all of the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_insertion import beside
from cudamigrate.cuda.include_paths import closure
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Fix, Hit, SourceFile, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/library-include"
_NAMESPACES = frozenset(("api/cub", "api/thrust-cub"))
_LANGUAGES = ("cuda", "cxx")
_UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c")
_ALL = "hipcub/hipcub.hpp"
_HEADER = re.compile(r"(?:.*/)?(?:hip)?cub/(?:\w+/)?(\w+)\.(?:cuh|hpp)")
_FOLDERS = ("block", "device", "warp", "thread", "grid", "iterator")
_NAME = re.compile(
    rb"(?<![\w:])(?:::\s*)?(?:(?:hip)?cub"
    rb"|thrust\s*::\s*(?:cuda_cub\s*::\s*cub|system\s*::\s*cuda\s*::\s*detail\s*::\s*cub_))\s*::\s*([A-Z]\w*)"
)
"""A name of CUB's, or of the copies that Thrust had: `thrust::cuda_cub::cub`, and before CUDA 9 `...::detail::cub_`."""
_OWN = re.compile(rb"\bnamespace\s+(?:\w+\s*::\s*)*cub\s*\{")
"""The project has a namespace of that name itself, so that not all in it is CUB's."""
_PART = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def with_cub_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each file that needs the header of hipCUB."""
    rule = book.rules.get(RULE)
    named = {one.path: found for one in results if (found := _first(one)) is not None}
    code = [one.path for one in results if one.language in _LANGUAGES]
    if rule is None or rule.silent or not named or any(asked(read, path, _opens) for path in code):
        return list(results)
    tree = _Tree(code, book, read)
    needing = {path: name for path in named if (name := tree.lacking(path, (path,)))}
    given = {path for path in needing if not path.endswith(_UNITS) and tree.is_needed(path)}
    given |= {path for path in needing if path.endswith(_UNITS) and given.isdisjoint(tree.reached(path))}
    given = {path for path in given if given.isdisjoint(tree.reached(path) - {path})}
    more = {path: list(_findings(path, named[path].span, needing[path], book, read)) for path in given}
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _first(result: FileResult) -> Finding | None:
    """The first finding of a file of code on CUB's namespace, or that of Thrust's copy."""
    if result.language not in _LANGUAGES or result.skip is not None:
        return None
    return next((one for one in result.findings if one.rule in _NAMESPACES and one.fix is not None), None)


def _opens(source: SourceFile) -> bool:
    """Whether a file has a namespace by CUB's name."""
    return b"cub" in source.data and _OWN.search(source.data) is not None


def _names(source: SourceFile) -> tuple[str, ...]:
    """What a file names of CUB, in order."""
    if b"cub" not in source.data:
        return ()
    return tuple(dict.fromkeys(match[1].decode() for match in lexed(source).matches(_NAME, b"cub")))


class _Tree:
    """What the files of a tree read of CUB's headers."""

    def __init__(self, code: Sequence[str], book: Rulebook, read: Read) -> None:
        self._code, self._book, self._read = code, book, read
        self._graph = include_graph(read, code)
        self._below: dict[str, frozenset[str]] = {}

    def reached(self, path: str) -> frozenset[str]:
        """A file, and the files of the tree that it includes."""
        if path not in self._below:
            self._below[path] = closure((path,), self._graph.of)
        return self._below[path]

    def lacking(self, path: str, readers: Sequence[str]) -> str:
        """The first name of CUB's in a file that no header declares which its readers include; empty for none."""
        spelled = {name for one in readers for at in self.reached(one) for name in self._graph.spelled.get(at, ())}
        if any(self._brings_all(name) for name in spelled):
            return ""
        headers = {match[1] for name in spelled if (match := _HEADER.fullmatch(name)) is not None}
        names = asked(self._read, path, _names) or ()
        return next((f"cub::{name}" for name in names if not headers or self._is_of_another(name, headers)), "")

    def is_needed(self, path: str) -> bool:
        """Whether a header is read by nobody, or by a source that has not included what it lacks."""
        units = [one for one in self._graph.above((path,)) if one.endswith(_UNITS)]
        return not units or any(self.lacking(path, (one,)) for one in units)

    def _brings_all(self, name: str) -> bool:
        """Whether an include becomes, or is, that of the whole library."""
        if name.endswith((_ALL, "cub/cub.cuh")):
            return True
        at = name.find("cub/")
        rule = self._book.include(name[at:]) if at >= 0 else None
        return rule is not None and _ALL in rule.change.text

    def _is_of_another(self, name: str, headers: set[str]) -> bool:
        """Whether a name has a header of its own, which is not among some."""
        own = _PART.sub("_", name).lower()
        return own not in headers and any(self._book.include(f"cub/{folder}/{own}.cuh") for folder in _FOLDERS)


def _findings(path: str, span: Span, name: str, book: Rulebook, read: Read) -> Iterator[Finding]:
    """The finding at the first name of CUB's; none where the file cannot be read again."""
    source = read(path)
    parsed = None if source is None else cuda.parse(source, frozenset())
    if parsed is None or parsed.problems:
        return
    hit = Hit(RULE, parsed.named_use(_ALL, span, "token"), {"name": name, "header": _ALL})
    yield replace(engine.finding_in(parsed, hit, book.rules[RULE]), fix=Fix((beside(parsed, _ALL),), "safe"))
