"""Conditionals that ask for one number of CUDA's: their branches, and the variables and members that these declare.

What is declared in a block is meant from there to the end of that block; a member or a variable of the file, in any
code behind it. Source: ISO C++, [basic.scope].
"""

from __future__ import annotations

from functools import partial

from cudamigrate.cuda.branch_names import Declared
from cudamigrate.cuda.conditions import at_version
from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.cuda.preprocessor import conditionals
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_BRACE = re.compile(rb"\{")
_SCOPES = frozenset((b"struct", b"class", b"union", b"namespace", b"extern"))
_ENDS = frozenset((b";", b"{", b"}"))


@dataclass(frozen=True, slots=True)
class Branches:
    """A conditional with one question: where it is asked, what is compiled where it holds, and what otherwise.

    `end` is where its `#endif` begins.
    """

    asked: Directive
    body: Span
    other: Span | None
    end: int


def branches_of(tokens: Lexed) -> dict[int, Branches]:
    """The conditionals that ask one question, by the place of the question.

    One that goes on with tests for numbers of other GPUs or releases, none of which holds on AMD, is one too.
    """
    found = dict[int, Branches]()
    for first, *rest in conditionals(tokens.directives):
        *others, last = rest
        ends = [one.end for one in others if one.name == "else"]
        tests = [one for one in others if one.name != "else"]
        if len(ends) < 2 and all(map(partial(_fails, tokens), tests)):
            other = Span(ends[0], last.start) if ends else None
            found[first.start] = Branches(first, Span(first.end, rest[0].start), other, last.start)
    return found


def _fails(tokens: Lexed, test: Directive) -> bool:
    """Whether a test of a later branch fails where no number of CUDA's is defined."""
    return test.name == "elif" and at_version(test.argument(tokens.data), 0) is False


def block_around(tokens: Lexed, at: int) -> Span | None:
    """The innermost block of a function around a place; None where a class, a namespace or nothing is around it."""
    found = None
    for brace in tokens.matches(_BRACE, b"{"):
        if brace.start() > at:
            break
        if tokens.closing(brace.start()) > at:
            found = brace.start()
    return None if found is None or _is_scope(tokens, found) else Span(found, tokens.closing(found))


def _is_scope(tokens: Lexed, brace: int) -> bool:
    """Whether a brace opens a class or a namespace: its keyword is in what is written before it."""
    token = tokens.before(brace)
    while token is not None and tokens.text(token) not in _ENDS:
        if tokens.text(token) in _SCOPES:
            return True
        if tokens.text(token) == b")":
            return False
        token = tokens.before(token.start)
    return False


def of_other_types(new: Declared, old: Declared) -> frozenset[bytes]:
    """The variables and members that a test's newer branch declares and its older one does not, or as another type."""
    return frozenset(name for name, kind in new.objects.items() if old.objects.get(name) != kind)
