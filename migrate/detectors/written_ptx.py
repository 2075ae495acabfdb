"""Programs that write PTX themselves, an instruction a string: `"add.f32 %f1, %f2, %f3;"`, `"ld.$t1 $r1, [$r2]"`.

Whatever compiles what they write, on AMD nothing reads PTX. A few such strings may be messages or a table of names: a
program that writes kernels has instructions of several kinds, and not in `asm`, which the rules for PTX are about.
Source: PTX ISA, "Instruction Set" and "Types, Operators, and Variables".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from cudamigrate.cuda import literals
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_INSTRUCTION = re.compile(
    rb'"[ \t]*(?:@!?[%$\w{}]+[ \t]+)?(?P<name>abs|add|and|atom|bfind|brev|clz|cos|cvta?|div|ex2|fma|ld|lg2|mad'
    rb"|max|min|mov|mul|neg|not|or|popc|rcp|red|rem|rsqrt|selp|setp|shl|shr|sin|sqrt|st|sub|xor)(?:\.[a-z][a-z0-9_]*)*?"
    rb'\.(?:[sufb](?:8|16|32|64)|f16x2|bf16|pred|\$\w+|\{\w*\})(?:\.[\w${}]+)*[ \t]+[%$\[{][^"\n]*"'
)
"""A string that begins with an instruction of PTX, its type, and an operand; a type or an operand may be filled in."""
_KINDS = 4
"""As many kinds of instructions at least are in strings of a program that writes kernels."""
_ASM = re.compile(rb"\b(?:__asm__|__asm|asm)\b")
WORDS = (b'"add.', b'"mov.', b'"ld.', b'"mul.', b'"setp.', b'"cvt.', b" add.", b" mov.", b" ld.", b" mul.", b" setp.")
"""What one of such strings begins with, with or without blanks before it."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first of such strings of a file that has instructions of several kinds."""
    found = [match for match in _INSTRUCTION.finditer(parsed.data) if _is_written(parsed, match.start())]
    if len({match["name"] for match in found}) >= _KINDS:
        first = found[0]
        yield Hit("ptx/written", parsed.named_use(first[0].decode("latin-1"), Span(*first.span()), "token"))


def _is_written(parsed: ParsedFile, start: int) -> bool:
    """Whether a string is in neither a comment nor an `asm` statement."""
    if not literals.begins(parsed.lexed.starts, start):
        return False
    statements = parsed.once(_assembly)
    before = bisect_left(statements, (start, start)) - 1
    return before < 0 or statements[before][1] < start


def _assembly(parsed: ParsedFile) -> list[tuple[int, int]]:
    """Where the statements of inline assembly are, in order; one that does not end is the rest of the file."""
    found, data = list[tuple[int, int]](), parsed.data
    for match in _ASM.finditer(data):
        opening, at = data.find(b"(", match.end()), match.start()
        if opening >= 0 and (parsed.lexed.is_code(at) or parsed.lexed.directive_at(at) is not None):
            end = parsed.lexed.closing(opening)
            found.append((opening, end if end > 0 else len(data)))
    return found
