"""Macros of a file put in place in a condition, as the preprocessor does before it evaluates one.

A macro that the file defines more than once, or only where nobody else did, may have another body and stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

_DEFINITION = re.compile(rb"([A-Za-z_]\w*)(?:\(([\w\s,]*)\))?(?![\w(])[ \t]*(.*)", re.DOTALL)
"""The name, the parameters and the body of a definition. One with `...` is not read."""
_PART = re.compile(rb"[A-Za-z_]\w*|\d[\w.']*|\s+|&&|\|\||\S")
_ASKED = re.compile(rb"(?P<no>!\s*)?(?:defined\s*\(?\s*)?(?P<name>[A-Za-z_]\w*)\s*\)?")
"""A question for one macro: `NAME`, `defined(NAME)`, `!defined NAME`."""
_ROUNDS = 8
"""Macros within macros that are followed."""
_BODY = 400
"""Bytes of a macro's body; one that is longer is no part of a condition."""
_LONGEST = 4000
"""Bytes of a condition with macros in place; a longer one stays as it is."""


@dataclass(frozen=True, slots=True)
class Macro:
    """The body of a macro, and its parameters: None for one that takes none."""

    parameters: tuple[bytes, ...] | None
    body: bytes


def macros(parsed: ParsedFile) -> Mapping[bytes, Macro]:
    """The macros that a file defines once and for all, by name; worked out once."""
    return parsed.once(_macros)


def _macros(parsed: ParsedFile) -> Mapping[bytes, Macro]:
    found, changed = dict[bytes, Macro](), set[bytes]()
    for directive in parsed.lexed.directives:
        if directive.name in ("ifndef", "undef"):
            changed.update(directive.argument(parsed.data).split()[:1])
        made = definition(directive, parsed.data)
        if made is not None:
            changed.update([made[0]] if made[0] in found else [])
            found[made[0]] = made[1]
    aliases = {alias: Macro(None, number) for alias, number in number_aliases(parsed).items()}
    return {name: macro for name, macro in found.items() if name not in changed} | aliases


def definition(directive: Directive, data: bytes) -> tuple[bytes, Macro] | None:
    """The macro that a directive defines, and its name; None for one that is not read, or another directive."""
    match = _DEFINITION.fullmatch(directive.argument(data)) if directive.name == "define" else None
    if match is None or b"#" in match[3] or len(match[3]) > _BODY:
        return None
    names = None if match[2] is None else tuple(one.strip() for one in match[2].split(b",") if one.strip())
    return match[1], Macro(names, match[3].strip())


def number_aliases(parsed: ParsedFile) -> Mapping[bytes, bytes]:
    """The macros that are another macro where that is defined and 0 where it is not, with that one.

    `#ifndef M`, `#define ALIAS 0`, `#else`, `#define ALIAS M`, `#endif`, or the other way round: in conditions the same
    as `#define ALIAS M`.
    """
    found, directives = dict[bytes, bytes](), parsed.lexed.directives
    for number, one in enumerate(directives[:-4]):
        names = [each.name for each in directives[number : number + 5]]
        asked = _ASKED.fullmatch(one.argument(parsed.data)) if names[0] in ("if", "ifdef", "ifndef") else None
        if asked is None or names[1:] != ["define", "else", "define", "endif"]:
            continue
        first, last = (directives[number + at].argument(parsed.data).split() for at in (1, 3))
        without, given = (first, last) if (names[0] == "ifndef") != bool(asked["no"]) else (last, first)
        if len(without) == len(given) == 2 and without == [given[0], b"0"] and given[1] == asked["name"]:
            found[given[0]] = given[1]
    defined = [one.argument(parsed.data).split()[:1] for one in directives if one.name == "define"] if found else []
    return {alias: number for alias, number in found.items() if defined.count([alias]) == 2}


def expanded(text: bytes, known: Mapping[bytes, Macro]) -> bytes:
    """A condition with the macros in place; as it is where there are none, or it would grow without end."""
    before, now = b"", text
    for _ in range(_ROUNDS if known else 0):
        if now == before:
            return now
        before, now = now, b"".join(_once(_PART.findall(now), known))
        if len(now) > _LONGEST:
            return text
    return now if now == before else text


def _once(parts: Sequence[bytes], known: Mapping[bytes, Macro]) -> Iterator[bytes]:
    """The parts of a condition with each macro in it put in place, but none of what that brings."""
    at = 0
    while at < len(parts):
        part, after = parts[at], at + 1
        macro = None if _is_asked_for(parts, at) else known.get(part)
        if macro is not None and macro.parameters is None:
            part = macro.body
        elif macro is not None and macro.parameters is not None:
            arguments, after = _arguments(parts, after)
            if arguments is None or len(arguments) != len(macro.parameters):
                after = at + 1
            else:
                given = dict(zip(macro.parameters, arguments, strict=True))
                part = b"".join(given.get(one, one) for one in _PART.findall(macro.body))
        yield part
        at = after


def _is_asked_for(parts: Sequence[bytes], at: int) -> bool:
    """Whether a part is the name in `defined(NAME)`."""
    before = [one for one in parts[max(0, at - 4) : at] if not one.isspace() and one != b"("]
    return before[-1:] == [b"defined"]


def _arguments(parts: Sequence[bytes], at: int) -> tuple[list[bytes] | None, int]:
    """The arguments in the brackets that begin at a part or behind blanks, and the part after them; None without."""
    while parts[at : at + 1] and parts[at].isspace():
        at += 1
    found, depth = [b""], 0
    for number in range(at, len(parts)):
        part = parts[number]
        depth += (part == b"(") - (part == b")")
        if depth == 0:
            given = [one.strip() for one in found] if found != [b""] else []
            return (given if part == b")" else None), number + 1
        if part == b"," and depth == 1:
            found.append(b"")
        elif number > at:
            found[-1] += part
    return None, at
