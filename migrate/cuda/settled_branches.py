"""Branches of the preprocessor that a file settles by its own definitions: `#define FAST` before `#ifdef FAST`.

Result: the ranges that nothing compiles. A macro counts that the file defines under no condition before the branch, and
nowhere takes back; numbers by themselves do too.
"""

from __future__ import annotations

from itertools import pairwise

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import OPENING, conditionals, include_guard
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_ASKED = re.compile(rb"(?P<not>!?)\s*defined\s*\(?\s*(?P<name>[A-Za-z_]\w*)\s*\)?")
"""A condition that asks for one macro: `defined(FAST)`, `!defined FAST`."""


def is_left_out(parsed: ParsedFile, offset: int) -> bool:
    """Whether an offset is in a branch that the file's own definitions keep from every compiler."""
    return any(one.start <= offset < one.end for one in parsed.once(_left_out))


def _left_out(parsed: ParsedFile) -> list[Span]:
    """The branches that nothing compiles."""
    if b"#" not in parsed.data:
        return []
    defined, found = _defined(parsed), list[Span]()
    for chain in conditionals(parsed.lexed.directives):
        is_over = False
        for line, following in pairwise(chain):
            holds = line.name == "else" or _holds(parsed, line, defined)
            if is_over or holds is False:
                found.append(Span(line.end, following.start))
            is_over = is_over or holds is True
    return found


def _defined(parsed: ParsedFile) -> dict[bytes, int]:
    """The macros that a file defines under no condition, with where; an include guard is none."""
    lines, guard = parsed.lexed.directives, include_guard(parsed.lexed)
    undone = {parsed.lexed.text(parsed.lexed.token(one.rest)) for one in lines if one.name == "undef"}
    depth, found = 0, dict[bytes, int]()
    least = 0 if guard is None else 1
    for line in lines:
        if line.name in OPENING:
            depth += 1
        elif line.name == "endif":
            depth -= 1
        elif line.name == "define" and depth <= least:
            name = parsed.lexed.text(parsed.lexed.token(line.rest))
            if name not in undone:
                found.setdefault(name, line.start)
    return found


def _holds(parsed: ParsedFile, line: Directive, defined: dict[bytes, int]) -> bool | None:
    """Whether the condition of a directive holds; None where the file does not say so."""
    asked = line.argument(parsed.data)
    if line.name in ("if", "elif"):
        if asked in (b"0", b"1"):
            return asked == b"1"
        match = _ASKED.fullmatch(asked)
        name, wanted = (b"", True) if match is None else (match["name"], not match["not"])
    else:
        name, wanted = asked, line.name in ("ifdef", "elifdef")
    at = defined.get(name)
    return wanted if at is not None and at < line.start else None
