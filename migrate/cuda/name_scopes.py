"""Where C++ looks a name up beside the blocks around it: what `using` brings, and the bases of classes.

Result: places and names of a file, as they are spelled; whose they are is for those who read all files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.lexer import WORD, Lexed, Token
from cudamigrate.cuda.namespaces import namespaces_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_USING = re.compile(rb"\busing\s+(?P<opens>namespace\s)?(?P<target>[^;={}()]*);")
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*((?:::\s*)?\w+(?:\s*::\s*\w+)*)\s*;|\busing\s+(\w+)\s*=([^;{}()]*);")
_ARGUMENTS = re.compile(r"<[^<>]*>")
_SCOPES = ("compound_statement", "declaration_list", "field_declaration_list", "translation_unit")
_CLASSES = (b"class", b"struct")
_PARAMETER = re.compile(rb"\b(?:class|typename|auto|[\w:]+)\b[\s.]+(\w+)\s*(?=[,>=])")
_ACCESS = re.compile(r"\b(?:public|protected|private|virtual|typename)\b")
_WORDS = re.compile(r"\w+")
_MACROS = 4
"""How many words may be between `class` and the name: macros for export and alignment."""
_HEAD = 2000
"""How many bytes the list of a template's parameters, or of a class's bases, has at most."""


class Using(NamedTuple):
    """A name that `using` brings: `a::b` and `c` of `using a::b::c;`, no name where a whole namespace is opened.

    It counts in `scope`, from `start` on; `around` are the namespaces that it is written in. In a class, whose
    `is_class` tells, it counts everywhere.
    """

    target: str
    name: str
    start: int
    scope: Span
    around: str
    is_class: bool


class Base(NamedTuple):
    """A base of a class without its template arguments; `depends` where these, or it, are the class's parameters."""

    name: str
    depends: bool


def _plain(target: bytes) -> str:
    """A name without blanks and without the arguments of templates."""
    text = "".join(target.decode("latin-1").replace("typename ", "").split())
    while (shorter := _ARGUMENTS.sub("", text)) != text:
        text = shorter
    return text


def _found(lexed: Lexed) -> Iterator[tuple[str, str, int]]:
    """What each `using` of a file brings: a scope, a name or none, and where it is written."""
    for match in lexed.matches(_USING, b"using"):
        if lexed.directive_at(match.start()) is not None:
            continue
        target = _plain(match["target"])
        if match["opens"] is not None:
            yield target.removeprefix("::"), "", match.start()
        elif "::" in target:
            scope, _, name = target.rpartition("::")
            yield scope.removeprefix("::"), name, match.start()


def usings(parsed: ParsedFile) -> tuple[Using, ...]:
    """What `using` brings in a file, in blocks too."""
    found = []
    for target, name, start in _found(parsed.lexed):
        around = parsed.nodes_around(start, start + 1)
        scope = next(node for node in reversed(around) if node.type in _SCOPES or node.parent is None)
        spaces = [_name(node) for node in around if node.type == "namespace_definition"]
        is_class = scope.type == "field_declaration_list"
        span = Span(scope.start_byte, scope.end_byte)
        found.append(Using(target, name, start, span, "::".join(filter(None, spaces)), is_class))
    return tuple(found)


def brought(lexed: Lexed) -> tuple[tuple[str, str, str], ...]:
    """What `using` brings outside of functions and classes: the namespaces around, the scope, and the name or none."""
    found = list(_found(lexed))
    around = namespaces_at(lexed, [start for *_, start in found])
    pairs = zip(found, around, strict=True)
    return tuple((space.decode("latin-1"), target, name) for (target, name, _), space in pairs if space is not None)


def named(lexed: Lexed) -> frozenset[str]:
    """The names that `using` brings from a scope, in blocks too."""
    return frozenset(name for target, name, _ in _found(lexed) if target and name)


def aliases(lexed: Lexed) -> dict[str, str]:
    """Other names of scopes: `namespace m = mine;`, `using Base = Store<int>;`."""
    found = lexed.matches(_ALIAS, b"namespace", b"using")
    return {(one[1] or one[3]).decode("latin-1"): _plain(one[2] or one[4]).removeprefix("::") for one in found}


def classes(lexed: Lexed, name: str) -> Iterator[tuple[Base, ...]]:
    """The bases of each class that a file defines under a name, whichever scope it is in."""
    for start in lexed.words(frozenset((name.encode("latin-1"),))):
        token = lexed.token(start)
        keyword = _keyword(lexed, start)
        if token is None or keyword is None or lexed.directive_at(start) is not None:
            continue
        following = _behind(lexed, token)
        if lexed.text(following) == b"{":
            yield ()
        elif following is not None and lexed.text(following) == b":":
            opening = lexed.data.find(b"{", following.end, following.end + _HEAD)
            if opening >= 0:
                parameters = _parameters(lexed, keyword)
                listed = _divided(lexed.data[following.end : opening].decode("latin-1"))
                yield tuple(_base(one, parameters) for one in listed)


def _keyword(lexed: Lexed, start: int) -> Token | None:
    """The `class` or `struct` before a name that is declared; None where there is none, or it is an enumeration's."""
    before = lexed.before(start)
    for _ in range(_MACROS):
        if before is None or lexed.text(before) in _CLASSES:
            break
        opening = lexed.opening(before.start) if lexed.text(before) == b")" else -1
        is_word = before.kind == WORD
        before = lexed.before(opening if opening >= 0 else before.start) if is_word or opening >= 0 else None
    if before is None or lexed.text(before) not in _CLASSES:
        return None
    return before if lexed.text(lexed.before(before.start)) != b"enum" else None


def _behind(lexed: Lexed, name: Token) -> Token | None:
    """What follows a class's name, the arguments of a specialisation and `final` left out."""
    following = lexed.after(name)
    if following is not None and lexed.text(following) == b"<":
        closed = lexed.angle_closing(following.start, following.start + _HEAD)
        following = lexed.token(closed + 1) if closed > 0 else None
    return lexed.after(following) if following is not None and lexed.text(following) == b"final" else following


def _parameters(lexed: Lexed, keyword: Token) -> frozenset[str]:
    """The parameters of the template that a class is."""
    if lexed.text(lexed.before(keyword.start)) != b">":
        return frozenset()
    start = lexed.data.rfind(b"template", max(0, keyword.start - _HEAD), keyword.start)
    listed = lexed.data[start : keyword.start] if start >= 0 else b""
    return frozenset(one.decode("latin-1") for one in _PARAMETER.findall(listed))


def _divided(text: str) -> Iterator[str]:
    """The parts of a list between its commas, those within angles left alone."""
    depth, begin = 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "<(") - (sign in ">)")
        if sign == "," and depth == 0:
            yield text[begin:at]
            begin = at + 1
    yield text[begin:]


def _base(text: str, parameters: frozenset[str]) -> Base:
    written = _ACCESS.sub(" ", text)
    depends = not parameters.isdisjoint(_WORDS.findall(written))
    return Base(_plain(written.encode("latin-1")).removeprefix("::"), depends)


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None or name.text is None else name.text.decode("latin-1")
