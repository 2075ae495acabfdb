"""Calls that a macro of the project makes members of: `CHECK(f, cuMemAlloc(&p, n))`, where it says `f->CALL`.

What an argument of a macro becomes is a fact of its definition. A name that comes to stand behind `->` or `.` is no
function of CUDA's: the project calls it through a table, and the spelled-out `f->cuMemAlloc(&p, n)` is left as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed

_MACRO = re.compile(rb"([A-Za-z_]\w*)\(([^()]*)\)(.*)", re.DOTALL)
"""The name, the parameters and the body of a macro that takes arguments."""
_MEMBER = re.compile(rb"(?:->|(?<![\w.])(?:[A-Za-z_]\w*|\))\s*\.)\s*([A-Za-z_]\w*)")
"""A name behind `->`, or behind the `.` of an object."""
_VARIADIC = b"__VA_ARGS__"
_LANGUAGES = ("cuda", "cxx")
_ROUNDS = 4
"""Macros within macros that are followed."""


@dataclass(frozen=True, slots=True)
class _Macro:
    """A macro that takes arguments: its parameters, the last one `__VA_ARGS__` for `...`, and its body."""

    name: bytes
    parameters: tuple[bytes, ...]
    body: bytes

    @property
    def members(self) -> frozenset[int]:
        """The numbers of the arguments that begin behind `->` or `.`, and nowhere else in the body."""
        named = set(_MEMBER.findall(self.body))
        return frozenset(at for at, one in enumerate(self.parameters) if one in named and self._is_always(one))

    def _is_always(self, parameter: bytes) -> bool:
        used = re.findall(rb"(?<![\w#])%s(?!\w)" % re.escape(parameter), self.body)
        return bool(len(used) == _MEMBER.findall(self.body).count(parameter))


_Known = Mapping[bytes, frozenset[int]]


def without_member_calls(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on names that a macro makes members."""
    code = [one for one in results if one.language in _LANGUAGES and one.skip is None]
    holders = [one.path for one in code if any(finding.group == "api" for finding in one.findings)]
    if not holders:
        return list(results)
    graph = include_graph(read, (one.path for one in code))
    near, paths = graph.below(holders), {one.path for one in code}
    found = {path: macros for path in paths & near if (macros := asked(read, path, _macros))}
    if not any(macro.members for macros in found.values() for macro in macros):
        return list(results)
    return [_kept(one, found, graph, read) if one.path in paths else one for one in results]


def _macros(source: SourceFile) -> tuple[_Macro, ...]:
    """The macros of a file that take arguments."""
    lines = (one.argument(source.data) for one in lexed(source).directives if one.name == "define")
    found = (match for line in lines if (match := _MACRO.fullmatch(line)) is not None)
    return tuple(_Macro(match[1], tuple(_parameters(match[2])), match[3]) for match in found)


def _parameters(listed: bytes) -> Iterator[bytes]:
    for one in listed.split(b","):
        yield _VARIADIC if one.strip() == b"..." else one.strip()


def _kept(result: FileResult, found: Mapping[str, Sequence[_Macro]], graph: IncludeGraph, read: Read) -> FileResult:
    if not any(one.group == "api" for one in result.findings):
        return result
    source = read(result.path)
    visible = [macro for path in graph.below((result.path,)) for macro in found.get(path, ())]
    known = _members(visible) if source is not None else {}
    if source is None or not known:
        return result
    starts = set(_starts(lexed(source), known))
    left = tuple(one for one in result.findings if one.group != "api" or one.span.start not in starts)
    return replace(result, findings=left) if len(left) < len(result.findings) else result


def _members(macros: Sequence[_Macro]) -> _Known:
    """The macros that make members of arguments in each of their definitions, or pass them on to such macros."""
    known: dict[bytes, frozenset[int]] = {}
    for _ in range(_ROUNDS):
        made: dict[bytes, frozenset[int]] = {}
        for one in macros:
            here = one.members | _passed_on(one, known)
            made[one.name] = made.get(one.name, here) & here
        made = {name: members for name, members in made.items() if members}
        if made == known:
            break
        known = made
    return known


def _passed_on(macro: _Macro, known: _Known) -> frozenset[int]:
    """The numbers of a macro's arguments that it gives as they are to one that makes members of them."""
    found = set[int]()
    for name, members in known.items():
        for match in re.finditer(rb"(?<!\w)%s\s*\(([^()]*)\)" % re.escape(name), macro.body):
            given = [one.strip() for one in match[1].split(b",")]
            passed = {given[at] for at in members if at < len(given)}
            found |= {at for at, one in enumerate(macro.parameters) if one in passed}
    return frozenset(found)


def _starts(tokens: Lexed, known: _Known) -> Iterator[int]:
    """Where the arguments begin of which such macros make members."""
    names: Set[bytes] = known.keys()
    for start in tokens.words(frozenset(names)):
        token = tokens.token(start)
        opening = tokens.after(token)
        if token is None or opening is None or tokens.text(opening) != b"(":
            continue
        directive = tokens.directive_at(start)
        if directive is not None and directive.name == "define" and directive.rest + 1 >= start:
            continue  # the definition itself
        closing = tokens.closing(opening.start)
        given = tokens.arguments(opening.start, closing) if closing > 0 else []
        yield from (given[at][0] for at in known[tokens.text(token)] if at < len(given))
