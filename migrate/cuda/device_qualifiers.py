"""Macros of other files at the heads of functions that stand for `__device__`, as what the functions do shows.

Result: their names. A function without CUDA's own qualifiers that calls what only device code can has them from a macro
at its head; who has the same macro there is device code too, also where it only calls others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function
from cudamigrate.lazy_re import re

_WORD = re.compile(rb"\b([A-Z][A-Z0-9_]{3,})(?=\s+[A-Za-z_][\w:]*(?:<[^<>;{}()]*>)?\s*[\s&*][\s&*]*[A-Za-z_~])")
"""What may be a macro before a function's type: a word in capitals, before a type and a name."""
_DEFINED = re.compile(rb"([A-Za-z_]\w*)")
_PART = re.compile(rb"\w")
_FENCES = (b"__threadfence", b"__threadfence_block", b"__threadfence_system", b"__nanosleep", b"__activemask")
_LANES = (b"__syncwarp", b"__ballot_sync", b"__any_sync", b"__all_sync", b"__match_any_sync", b"__match_all_sync")
_SHUFFLES = (b"__shfl_sync", b"__shfl_up_sync", b"__shfl_down_sync", b"__shfl_xor_sync")
ONLY_DEVICE = (*_FENCES, *_LANES, *_SHUFFLES)
"""Functions that host code cannot call, besides the barrier."""


def of_other_files(
    lexed: Lexed, functions: Sequence[Function], explicit: re.Pattern[bytes], places: Sequence[int]
) -> frozenset[bytes]:
    """The macros at heads of functions that reach one of `places`, which only device code can.

    `explicit` finds qualifiers that are known. Nothing is said where a head has several such words, as any of them may
    be it, nor of a macro that the file itself defines.
    """
    found: set[bytes] = set()
    own = {match[1] for line in lexed.directives if line.name == "define"
           if (match := _DEFINED.match(line.argument(lexed.data))) is not None}  # fmt: skip
    for function in functions if places else ():
        if not function.name or bisect_left(places, function.body.start) == bisect_left(places, function.body.end):
            continue
        head = head_to_name(lexed.data, function)
        whole = function.span.start, function.body.start
        if explicit.search(lexed.data, *whole) is not None or _is_within_lambda(function, functions, places):
            continue
        words = {match[1] for match in _WORD.finditer(lexed.data, *head) if lexed.is_code(match.start())}
        found |= words - own if len(words) == 1 else set()
    return frozenset(found)


def head_to_name(data: bytes, function: Function) -> tuple[int, int]:
    """A function's head up to its name, where its qualifiers are: a macro among its parameters may be a type."""
    start, end = function.span.start, function.body.start
    name = function.name.encode("latin-1")
    at = data.find(name, start, end) if name else -1
    while at >= 0 and _PART.match(data, at + len(name)) is not None:
        at = data.find(name, at + 1, end)
    return start, at + len(name) if at >= 0 else end


def _is_within_lambda(function: Function, functions: Sequence[Function], places: Sequence[int]) -> bool:
    """Whether all that only device code can do is done by lambdas in a function."""
    body = function.body
    inside = places[bisect_left(places, body.start) : bisect_left(places, body.end)]
    inner = [one.span for one in functions if one is not function and one.scope == "device"]
    inner = [one for one in inner if body.start <= one.start and one.end <= body.end]
    return bool(inner) and all(any(one.start <= at < one.end for one in inner) for at in inside)
