"""Tests of a release of CUDA where the branch for older releases is right for HIP: what it names is converted.

CCCL 3 has no `cub::Sum` any more. hipCUB has it before ROCm 10.0, from then on a rule writes what libhipcxx has.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.conditions import question
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import condition_of, conditionals
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = ((b"CUDART_VERSION", b"cub::"), (b"CUDA_VERSION", b"cub::"))
INSTEAD = True  # the rule for the name says that the number is wrong

_MACRO = re.compile(rb"(?<!\w)(?:CUDA_VERSION|CUDART_VERSION)(?!\w)")
_KEPT = re.compile(rb"(?<![\w:])cub::(?:Sum|Max|Min|Equality|Inequality)(?!\w)")
"""Operators that CUB had up to CUDA 12, each with a rule."""
_NEWER = re.compile(rb"(?<![\w:])(?:::)?cuda::(?:std::)?(?:plus|maximum|minimum|equal_to|not_equal_to)(?!\w)")
"""The operators of libcu++ that took their place."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such `#if` with two branches, where one has an operator of CUB's and the other that of libcu++ for it."""
    for chain in conditionals(parsed.lexed.directives):
        if [one.name for one in chain] == ["if", "else", "endif"] and parsed.hip(chain[0].start) is None:
            yield from _judged(parsed, *chain)


def _judged(parsed: ParsedFile, test: Directive, other: Directive, end: Directive) -> Iterator[Hit]:
    asked = question(expanded(test.argument(parsed.data), macros(parsed)))
    first, second = Span(test.end, other.start), Span(other.end, end.start)
    if asked.undefined is None or asked.newest is not (not asked.undefined):
        return
    taken, left = (first, second) if asked.undefined else (second, first)
    kept = _KEPT.search(parsed.data, taken.start, taken.end)
    whole = condition_of(parsed.data, test)
    macro = _MACRO.search(parsed.data, whole.start, whole.end)
    if kept is None or macro is None or _NEWER.search(parsed.data, left.start, left.end) is None:
        return
    if _NEWER.search(parsed.data, taken.start, taken.end) is not None:
        return
    text = parsed.data[whole.start : whole.end].decode("utf-8", "replace")
    use = Use("name", text, Span(*macro.span()), whole, (), "macro", "token")
    words = {"condition": text, "name": macro[0].decode(), "kept": kept[0].decode()}
    yield Hit("build/older-branch", use, words)
