"""A library's namespace that the repository itself opens and fills: what it takes from there is its own.

A repository that is the library, or has its code beside its own, needs it from nowhere. It may open the namespace by a
macro (`#define BEGIN_MGPU_NAMESPACE namespace mgpu {`). Who opens a namespace to name a type of it ahead declares none
of what is used, and one who includes a header of the library that is not there uses the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.include_paths import IncludeGraph, IncludePaths
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, include_paths, lexed

_CODE = ("cuda", "cxx")
_QUALIFIED = re.compile(rb"(?<![\w:])(?:::\s*)?((?:[A-Za-z_]\w*\s*::\s*)+)")
"""The namespaces before a name: `mgpu::`, `cv::cuda::`."""
_OPENED = re.compile(rb"\bnamespace\s+(\w+(?:\s*::\s*\w+)*)\s*(?=\{)")
_DECLARED = re.compile(
    rb"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)(?!\s*[;\w])|\busing\s+(\w+)\s*=|\btypedef\b[^;{}]*\b(\w+)\s*;"
    rb"|\b(\w+)\s*\((?:[^(){};]|\([^(){};]*\))*\)[^;{}()]*\{"
)
"""A type with its body, or a function with its own."""
_WORD = re.compile(rb"\w+")


@dataclass(frozen=True, slots=True)
class _File:
    """The namespaces that a file opens, the macros that open some, its words in capitals, and what it declares."""

    opens: frozenset[bytes]
    macros: Mapping[bytes, frozenset[bytes]]
    called: frozenset[bytes]
    declares: frozenset[bytes]


def without_own_library_namespaces(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on names in a library's namespace all of which the repository declares."""
    holders = [one for one in results if any(_is_of_library(finding) for finding in one.findings)]
    if not holders:
        return list(results)
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    spaces = {space for one in holders for space in _spaces(one, read)}
    if not any(not spaces.isdisjoint(asked(read, path, _named) or ()) for path in code if spaces):
        return list(results)
    files = {path: facts for path in code if (facts := asked(read, path, _facts)) is not None}
    graph = include_graph(read, code)
    own, paths = _Own(files, graph), include_paths(read, code)
    changed = dict[str, FileResult]()
    for one in holders:
        source = read(one.path)
        if source is not None and not _misses_header(one, source, paths):
            left = tuple(each for each in one.findings if not own.has(each, source))
            changed[one.path] = replace(one, findings=left)
    return [changed.get(one.path, one) for one in results]


def _is_of_library(finding: Finding) -> bool:
    return finding.group == "library" and finding.fix is None


def _spaces(result: FileResult, read: Read) -> Iterator[bytes]:
    """The namespaces that findings on libraries are on."""
    source = read(result.path)
    for one in result.findings if source is not None else ():
        match = _QUALIFIED.match(source.data, one.span.start) if source is not None and _is_of_library(one) else None
        yield from _WORD.findall(match[1]) if match is not None else ()


def _named(source: SourceFile) -> frozenset[bytes]:
    """The namespaces that a file may open, by macros too."""
    return frozenset(_opened(source.data)) if b"namespace" in source.data else frozenset()


def _misses_header(result: FileResult, source: SourceFile, paths: IncludePaths) -> bool:
    """Whether a file includes a header that a finding on a library names, and that is none of the repository's."""
    return any(
        source.data[one.span.start : one.span.end].startswith((b"<", b'"'))
        and not paths.nearest(result.path, source.data[one.span.start + 1 : one.span.end - 1].decode("latin-1"))
        for one in result.findings
        if _is_of_library(one)
    )


def _facts(source: SourceFile) -> _File | None:
    """What a file says of namespaces, where it opens one or may do so by a macro."""
    tokens = lexed(source)
    macros = dict[bytes, frozenset[bytes]]()
    for line in tokens.directives:
        text = line.argument(source.data) if line.name == "define" else b""
        if found := frozenset(_opened(text)):
            macros[_WORD.findall(text)[0]] = found
    plain = (match for match in tokens.matches(_OPENED, b"namespace") if tokens.directive_at(match.start()) is None)
    opens = frozenset(name for match in plain for name in _opened(match[0] + b"{"))
    capitals = frozenset(word for word in tokens.spellings if word.isupper())
    places = (at for at in tokens.words(capitals) if tokens.directive_at(at) is None)
    called = frozenset(tokens.text(tokens.token(at)) for at in places)
    names = frozenset(name for found in _DECLARED.findall(source.data) for name in found if name)
    return _File(opens, macros, called, names)


def _opened(text: bytes) -> Iterator[bytes]:
    for match in _OPENED.finditer(text):
        yield from _WORD.findall(match[1])


class _Own:
    """What files declare in the namespaces that they open, for files that are compiled together with them."""

    def __init__(self, files: Mapping[str, _File], graph: IncludeGraph) -> None:
        self._files, self._graph = files, graph

    def has(self, finding: Finding, source: SourceFile) -> bool:
        """Whether a finding is on a namespace from which a file takes nothing but the repository's own."""
        match = _QUALIFIED.match(source.data, finding.span.start) if _is_of_library(finding) else None
        if match is None:
            return False
        spaces = _WORD.findall(match[1])
        pattern = re.compile(rb"(?<![\w:])(?:::\s*)?" + rb"\s*::\s*".join(map(re.escape, spaces)) + rb"\s*::\s*(\w+)")
        used = {one[1] for one in lexed(source).matches(pattern)}
        declared = self._declared(source.path)
        own = set[bytes].intersection(*(declared.get(space, set()) for space in spaces))
        return bool(used) and used <= own

    def _declared(self, path: str) -> dict[bytes, set[bytes]]:
        """What the files declare that are read together with one, by the namespace."""
        near = [self._files[one] for one in self._graph.together((path,)) if one in self._files]
        macros, found = dict[bytes, set[bytes]](), dict[bytes, set[bytes]]()
        for one in near:
            for name, spaces in one.macros.items():
                macros.setdefault(name, set()).update(spaces)
        for one in near:
            opened = set(one.opens).union(*(macros[name] for name in macros.keys() & one.called))
            for space in opened:
                found.setdefault(space, set()).update(one.declares)
        return found
