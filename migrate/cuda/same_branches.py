"""Whether two branches of a conditional say the same to AMD's compiler, though they are spelled in two ways."""

from __future__ import annotations

from itertools import pairwise

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import CONDITIONS, conditionals
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_READS = re.compile(rb"return|[^\w\s)\]]+")
"""What is before the `*` that reads what a pointer points to: `= *p`; behind a name or a bracket it multiplies."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_KNOWN = frozenset((*CONDITIONS, "else", "endif", "error"))
"""Directives that write nothing."""
_LONGEST = 4000
"""Bytes of branches that are compared with each other."""


def is_same(lexed: Lexed, body: Span, other: Span) -> bool:
    """Whether two branches say the same: on AMD GPUs a load by `__ldg` is the load of what it points to."""
    if max(body.end - body.start, other.end - other.start) > _LONGEST:
        return False
    return _said(lexed, body) == _said(lexed, other)


def comes_to_the_same(lexed: Lexed, body: Span, other: Span) -> bool:
    """Whether two branches have the same code, where those in them that only stop by `#error` are left out."""
    if max(body.end - body.start, other.end - other.start) > _LONGEST:
        return False
    said = _without_errors(lexed, body)
    return bool(said) and said == _without_errors(lexed, other)


def _without_errors(lexed: Lexed, branch: Span) -> list[bytes]:
    """The tokens of the code that a branch compiles if it does not stop; none where that depends on a condition."""
    inside = [one for one in lexed.directives if branch.start <= one.start < branch.end]
    if any(one.name not in _KNOWN for one in inside):
        return []
    left = [branch]
    for chain in conditionals(inside):
        bodies = [Span(one.end, after.start) for one, after in pairwise(chain)]
        going = [
            one for one in bodies if not any(one.start <= at.start < one.end for at in inside if at.name == "error")
        ]
        if len(going) != 1 or chain[-2].name != "else":
            return []
        whole = Span(chain[0].start, chain[-1].end)
        left = [part for one in left for part in _cut(one, whole, going[0])]
    tokens = (token for part in left for token in lexed.tokens(part.start, part.end))
    return [lexed.text(token) for token in tokens]


def _cut(part: Span, whole: Span, kept: Span) -> list[Span]:
    """A part with no more of a range in it than what is kept of that."""
    if not part.start <= whole.start < part.end:
        return [part]
    return [Span(part.start, whole.start), kept, Span(whole.end, part.end)]


def _said(lexed: Lexed, branch: Span) -> list[bytes]:
    """The tokens of a branch, with `x` for `__ldg(&x)`, `*p` for `__ldg(p)` and `*(p)`, `p[i]` for `*(p + i)`."""
    tokens = [lexed.text(token) for token in lexed.tokens(branch.start, branch.end)]
    left, depth, closing = list[bytes](), 0, list[int]()
    for at, word in enumerate(tokens):
        depth += word == b"("
        loads = tokens[max(at - 2, 0) : at + 1]
        if word == b")" and closing and closing[-1] == depth:
            closing.pop()
        elif loads == [b"__ldg", b"(", b"&"]:
            del left[-2:]
            closing.append(depth)
        else:
            left.append(b"*" if word == b"__ldg" else word)
            if left[-4:-2] == [b"*", b"("] and word == b")":
                left[-3:] = left[-2:-1]
        depth -= word == b")"
    return _indexed(left)


def _indexed(tokens: list[bytes]) -> list[bytes]:
    """Tokens with `p[i]` in the place of `*(p + i)`, and `(p)[i]` in that of `*((p) + i)`."""
    words, opened, reads, sums = list[bytes](), list[bool](), set[int](), set[int]()
    for at, word in enumerate(tokens):
        if word == b"*" and (plus := _sum(tokens, at)):
            reads.add(at)
            sums.add(plus)
        elif at - 1 in reads:
            opened.append(True)
        elif at in sums:
            words.append(b"[")
        else:
            if word == b"(":
                opened.append(False)
            elif word == b")" and opened and opened.pop():
                word = b"]"
            words.append(word)
    return words


def _sum(tokens: list[bytes], at: int) -> int:
    """Where the `+` is in what a `*` reads, `*(p + i)` or `*((p) + i)`; 0 where it reads no sum, or multiplies."""
    if at == 0 or _READS.fullmatch(tokens[at - 1]) is None or tokens[at + 1 : at + 2] != [b"("]:
        return 0
    bracketed = tokens[at + 2 : at + 3] == [b"("]  # as macros write their parameters
    end = at + 4 if bracketed else at + 2
    name = b"".join(tokens[at + 2 : end + 1])
    is_name = _NAME.fullmatch(name[1:-1] if bracketed and name.endswith(b")") else name) is not None
    return end + 1 if is_name and tokens[end + 1 : end + 2] == [b"+"] else 0
