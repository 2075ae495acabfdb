"""Macros of a port whose body only CUDA compiles: where a macro is used says for whom it is, not where it is written.

`#define LIB_CHECK(call) { cublasStatus_t s = call; ... }` often stands outside of every conditional, and all its uses
in branches for CUDA. A macro that nothing uses is not among them: what includes the header may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from cudamigrate.cuda.lexer import Directive, Lexed, lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.port_macros import MacroBody, MacroUse

_OF_CUDA = re.compile(rb"\b(?:(?:cu|nv|nccl)\w*[A-Z_]\w*|(?:CU|NV)\w+|__\w+_sync|thrust|cub)\b")
"""What CUDA and its libraries may have named: a body without any of it holds nothing that a port lacks."""
_HEAD = re.compile(rb"\s*(\w+)(?:\([^)]*\))?(.*)", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")


def bodies(source: SourceFile) -> list[MacroBody]:
    """The macros of a file whose body has words of its own."""
    if b"define" not in source.data:
        return []
    found = []
    for one in lex(source.data).directives:
        name, body = _defined(source.data, one)
        words = frozenset(word.decode("latin-1") for word in _WORD.findall(body))
        if words:
            lines = source.position(one.start).line, source.position(one.end).line
            found.append(MacroBody(name, *lines, _OF_CUDA.search(body) is not None, words))
    return found


def wanted(defined: Iterable[MacroBody]) -> frozenset[str]:
    """The macros whose body may name CUDA, by itself or through others of them."""
    bodies_of = list(defined)
    found = {one.name for one in bodies_of if one.for_cuda}
    while more := {one.name for one in bodies_of if one.name not in found and not found.isdisjoint(one.words)}:
        found |= more
    return frozenset(found)


def uses(source: SourceFile, names: Collection[str], marks: Sequence[str]) -> list[MacroUse]:
    """Where a file uses the macros; `marks` are the guards of the port, as conditions are evaluated with them."""
    asked = frozenset(name.encode() for name in names)
    if not any(name in source.data for name in asked):
        return []
    lexed = lex(source.data)
    places = [start for start in lexed.words(asked) if not _asked(lexed, start)]
    return list(dict.fromkeys(_used(lexed, places, marks))) if places else []


def _asked(lexed: Lexed, start: int) -> bool:
    """Whether a name is only asked for, defined or forgotten there: `#ifdef X`, `#define X`, `#undef X`."""
    directive = lexed.directive_at(start)
    if directive is None:
        return False
    if directive.name != "define":
        return True
    return not lexed.data[directive.rest : start].strip()


def _used(lexed: Lexed, places: Iterable[int], marks: Sequence[str]) -> Iterator[MacroUse]:
    sides = branches(lexed, [mark.encode() for mark in marks])
    for start in places:
        directive, token = lexed.directive_at(start), lexed.token(start)
        name = lexed.text(token).decode("latin-1")
        inside = _defined(lexed.data, directive)[0] if directive is not None else ""
        for_cuda = any(one.start <= start < one.end and one.hip is False for one in sides)
        yield MacroUse(name, for_cuda, "" if for_cuda else inside)


def of_cuda(used: Iterable[MacroUse], known: Set[str]) -> frozenset[str]:
    """Those of the `known` macros that are used, and by CUDA's side alone, maybe through others of them."""
    found: dict[str, set[tuple[bool, str]]] = {}
    for one in used:
        found.setdefault(one.name, set()).add((one.for_cuda, one.inside))
    left = {name for name in known if name in found}
    while True:
        shared = {
            name
            for name in left
            if any(not cuda and (not inside or inside not in left) for cuda, inside in found[name])
        }
        if not shared:
            return frozenset(left)
        left -= shared


def lines(defined: Mapping[str, Sequence[MacroBody]], names: Set[str]) -> dict[str, tuple[tuple[int, int], ...]]:
    """For each file the lines of the macros of that name, as pairs of first and last."""
    found = {path: tuple((one.first, one.last) for one in own if one.name in names) for path, own in defined.items()}
    return {path: ranges for path, ranges in found.items() if ranges}


def _defined(data: bytes, directive: Directive) -> tuple[str, bytes]:
    """The name and the body of the macro that a directive defines, empty for another directive."""
    match = _HEAD.match(directive.argument(data)) if directive.name == "define" else None
    return (match[1].decode("latin-1"), match[2]) if match is not None else ("", b"")
