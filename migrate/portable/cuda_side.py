"""The code of a file that CUDA compiles, whatever else is set: what portable edits must leave as it was.

Conditionals on macros that only HIP sets are decided; all others stay as they are, so the comparison holds for every
build. Conditions are equal where they agree for all values of the macros they ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.lexer import Directive, lex
from cudamigrate.lazy_re import re

_CONDITIONAL = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"))
_OPENING = ("if", "ifdef", "ifndef")
_ATOM = re.compile(
    rb"defined\s*\(?\s*(\w+)\s*\)?|(\w+(?:\s*[-+*/%]\s*\w+)*)\s*(>=|<=|==|!=|>|<)\s*(\w+)|([A-Za-z_]\w*)"
)
"""A part of a preprocessor's condition: `defined(X)`, a comparison as `X >= 3` or `X * 10 + Y >= 3`, a name alone."""
_MOST_ATOMS = 8
"""Macros in a condition that are tried in all values; a condition with more is compared as it is written."""
_SIGNS = {b">=": b"ge", b"<=": b"le", b"==": b"eq", b"!=": b"ne", b">": b"gt", b"<": b"lt"}


class Piece(NamedTuple):
    """A token or a condition of the CUDA side, and its place."""

    text: bytes
    start: int
    condition: bool = False


def first_difference(before: bytes, after: bytes, marks: Sequence[str]) -> tuple[int, int] | None:
    """Offsets, in the file before and after, of the first piece in which CUDA's sides differ; None where none does."""
    guards = frozenset(mark.encode() for mark in marks)
    one, other = list(pieces(before, guards)), list(pieces(after, guards))
    for here, there in zip(one, other, strict=False):
        if here.text != there.text and not (here.condition and there.condition and _same(here, there, guards)):
            return here.start, there.start
    if len(one) == len(other):
        return None
    at = min(len(one), len(other))
    return (
        one[at].start if at < len(one) else len(before),
        other[at].start if at < len(other) else len(after),
    )


def pieces(data: bytes, guards: frozenset[bytes]) -> Iterator[Piece]:
    """The tokens and conditions of a file that are not HIP's alone, in order; decided conditionals left out."""
    lexed = lex(data)
    conditionals = {one.start: one for one in lexed.directives if one.name in _CONDITIONAL}
    chains: list[_Chain] = []
    token = lexed.token(0)
    while token is not None:
        directive = conditionals.get(token.start)
        if directive is not None:
            dead = any(chain.dead for chain in chains[:-1])
            if directive.name in _OPENING:
                dead = any(chain.dead for chain in chains)
                chains.append(_Chain(guards))
            found = chains[-1].next(data, directive) if chains else None
            if directive.name == "endif" and chains:
                chains.pop()
            if found is not None and not dead:
                yield found
        elif not any(chain.dead for chain in chains):
            yield from (Piece(text, token.start) for text in parts(lexed.text(token)))
        token = lexed.token(token.end if directive is None else directive.end)


def parts(text: bytes) -> Sequence[bytes]:
    """A token as it is compared: nvcc reads the signs of a launch with blanks between them or without."""
    return [text] if text.strip(b"<") and text.strip(b">") else [text[:1]] * len(text)


class _Chain:
    """One conditional as CUDA sees it: branches that HIP's macros decide vanish, the others stay."""

    def __init__(self, guards: frozenset[bytes]) -> None:
        self.guards = guards
        self.dead = self.met = self.written = False

    def next(self, data: bytes, directive: Directive) -> Piece | None:
        """The condition that is left of a directive, None where none is; `dead` says of the branch after it."""
        if directive.name == "endif":
            return Piece(b"#endif", directive.start) if self.written else None
        if self.met:
            self.dead = True
            return None
        piece = _condition(data, directive)
        if directive.name == "else":
            self.dead = False
            return piece if self.written else None
        value = value_with(piece.text.partition(b" ")[2], self.guards, hip=False)
        self.dead, self.met = value is False, value is True
        if value is False:
            return None
        if value is True:
            return Piece(b"#else ", directive.start, condition=True) if self.written else None
        kind = b"#elif " if self.written else b"#if "
        self.written = True
        return Piece(kind + piece.text.partition(b" ")[2], directive.start, condition=True)


def _condition(data: bytes, directive: Directive) -> Piece:
    """A condition in one spelling: `#ifdef A` asks what `#if defined(A)` asks."""
    argument = b" ".join(directive.argument(data).split())
    if directive.name in ("ifdef", "elifdef"):
        argument = b"defined(%s)" % argument
    elif directive.name in ("ifndef", "elifndef"):
        argument = b"!defined(%s)" % argument
    kind = {"ifdef": "if", "ifndef": "if", "elifdef": "elif", "elifndef": "elif"}.get(directive.name, directive.name)
    return Piece(b"#%s %s" % (kind.encode(), argument), directive.start, condition=True)


def _same(here: Piece, there: Piece, guards: frozenset[bytes]) -> bool:
    """Whether two conditions agree where CUDA compiles, for all values of the macros they ask."""
    kind, _, first = here.text.partition(b" ")
    other_kind, _, second = there.text.partition(b" ")
    one, two = _named(first), _named(second)
    hip = frozenset(b"is_" + name for name in guards) | guards
    atoms = sorted((set(re.findall(rb"\b[A-Za-z_]\w*", one + b" " + two)) - hip) - {b"true", b"false"})
    if kind != other_kind or len(atoms) > _MOST_ATOMS:
        return False
    for values in product((True, False), repeat=len(atoms)):
        chosen = hip | {atom if not value else b"!" + atom for atom, value in zip(atoms, values, strict=True)}
        results = value_with(one, chosen, hip=False), value_with(two, chosen, hip=False)
        if results[0] is not results[1] or results[0] is None:
            return False
    return True


def _named(condition: bytes) -> bytes:
    """A condition with a name in place of each thing that it asks: definitions, comparisons and values apart."""

    def name(match: re.Match[bytes]) -> bytes:
        if match[1]:
            return b"is_" + match[1]
        if match[2] and not match[2].isdigit():
            value = re.sub(rb"\W", lambda sign: b"_%02x" % sign[0][0], match[2])
            return b"_".join((b"value", value, _SIGNS[match[3]], match[4]))
        return match[5] or match[0]

    return _ATOM.sub(name, condition)
