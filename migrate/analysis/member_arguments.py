"""Which arguments of macros are the names of members, and no values: `#define FIELD(f) (props().f)`, `FIELD(warpSize)`.

Result: yes or no for an argument at an offset, by the macros of its file. An argument that a macro hands to one of its
own parameters, `#define EACH(X) X(warpSize)`, is whatever those make of it who use the macro: a member, as a rule.
"""

from __future__ import annotations

from collections.abc import Collection

from cudamigrate.cuda.lexer import WORD, Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

FUNCTION_MACRO = re.compile(rb"(?P<name>\w+)\((?P<parameters>[^()]*)\)(?P<body>.*)", re.DOTALL)
"""A macro with parameters: no blank is before its bracket."""
_SEPARATES = (b"(", b",")
_ENDS = (b")", b",")


def names_member(parsed: ParsedFile, offset: int) -> bool:
    """Whether the name at `offset` is an argument that stands for a member, or may do so."""
    found = called(parsed, offset)
    if found is None:
        return False
    macro, number = found
    directive = parsed.lexed.directive_at(offset)
    if directive is not None and directive.name == "define" and macro in _parameters(parsed, directive):
        return True
    return any(number in used for used in parsed.once(_members).get(macro, ()))


def defined(parsed: ParsedFile) -> Collection[bytes]:
    """The macros with parameters that a file defines."""
    return parsed.once(_members).keys()


def called(parsed: ParsedFile, offset: int) -> tuple[bytes, int] | None:
    """What is called with the single name at `offset`, and the number of that argument; None where none is."""
    lexed, at, number = parsed.lexed, offset, 0
    name = lexed.token(offset)
    if lexed.text(lexed.before(offset)) not in _SEPARATES or lexed.text(lexed.after(name)) not in _ENDS:
        return None
    while (token := lexed.before(at)) is not None:
        text = lexed.text(token)
        if text == b"(":
            owner = lexed.before(token.start)
            return (lexed.text(owner), number) if owner is not None and owner.kind == WORD else None
        if text in (b";", b"{", b"}"):
            return None
        if text in (b")", b"]"):
            opening = lexed.opening(token.start)
            if opening < 0:
                return None
            at = opening
            continue
        number += text == b","
        at = token.start
    return None


def _parameters(parsed: ParsedFile, directive: Directive) -> list[bytes]:
    match = FUNCTION_MACRO.match(directive.argument(parsed.data))
    return [] if match is None else [one.strip() for one in match["parameters"].split(b",")]


def _members(parsed: ParsedFile) -> dict[bytes, list[frozenset[int]]]:
    """By macro of the file, for each of its definitions, the numbers of the parameters that it takes for members."""
    found: dict[bytes, list[frozenset[int]]] = {}
    for directive in parsed.lexed.directives:
        match = FUNCTION_MACRO.match(directive.argument(parsed.data)) if directive.name == "define" else None
        if match is not None:
            names = [one.strip() for one in match["parameters"].split(b",")]
            used = (number for number, name in enumerate(names) if name and _is_member(name, match["body"]))
            found.setdefault(match["name"], []).append(frozenset(used))
    return found


def _is_member(name: bytes, body: bytes) -> bool:
    """Whether a parameter is behind a dot, an arrow or `::` in a macro's body, or becomes a part of another name."""
    return re.search(rb"(?:\.|->|::|##|(?<!#)#)\s*%s\b|\b%s\s*##" % (name, name), body) is not None
