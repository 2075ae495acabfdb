"""Kernels that a type check has nothing to check of: all they do is behind a test that is false for AMD."""

from __future__ import annotations

from collections.abc import Mapping

from cudamigrate.cuda.conditions import question
from cudamigrate.cuda.lexer import Directive, Lexed, lex
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile

_OPENING = ("if", "ifdef", "ifndef")
_ENDS = re.compile(rb"[;}]|^[ \t]*#[^\n]*$", re.MULTILINE)
"""What is before a function: the end of another declaration, or a directive."""


def of(files: Mapping[str, SourceFile]) -> dict[str, int]:
    """How many such kernels each file has, by its path; files with none are left out."""
    found = {}
    for path, source in files.items():
        if b"__CUDA_ARCH__" in source.data and b"__global__" in source.data:
            tokens = lex(source.data)
            count = sum(_is_all_of_kernel(tokens, first, last) for first, last in _left_out(tokens))
            found.update({path: count} if count else {})
    return found


def _left_out(tokens: Lexed) -> list[tuple[Directive, Directive]]:
    """The conditionals with one branch that AMD does not compile: the test, and the `#endif`."""
    found, open_ = list[tuple[Directive, Directive]](), list[list[Directive]]()
    for one in tokens.directives:
        if one.name in _OPENING:
            open_.append([one])
        elif open_ and one.name in ("elif", "else", "elifdef", "elifndef"):
            open_[-1].append(one)
        elif open_ and one.name == "endif":
            first, *others = open_.pop()
            if not others and first.name == "if" and question(first.argument(tokens.data)).undefined is False:
                found.append((first, one))
    return found


def _is_all_of_kernel(tokens: Lexed, first: Directive, last: Directive) -> bool:
    """Whether a conditional is all that the body of a kernel holds."""
    opening, closing = tokens.before(first.start), tokens.token(last.end)
    if opening is None or closing is None or tokens.text(opening) != b"{" or tokens.text(closing) != b"}":
        return False
    head = tokens.before(opening.start)
    if head is None or tokens.text(head) != b")":
        return False
    ends = [match.end() for match in _ENDS.finditer(tokens.data, max(0, head.start - 4000), head.start)]
    return b"__global__" in tokens.data[max(ends, default=0) : head.start]
