"""What the code around an asm statement says: whether it is a kernel's, what operands are, and what results do."""

from __future__ import annotations

from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.ptx import render
from cudamigrate.ptx.statement import Statement
from cudamigrate.ptx.values import evaluated

_NO_TYPE = frozenset((b"return", b"case", b"else", b"sizeof"))
_KERNEL = frozenset((b"__global__",))
_CONSTANT = re.compile(rb"\bconst(?:expr)?\b[\w :]*?\b(\w+)\s*=\s*([\dxXa-fA-FuU&|^~()\s]+);")
"""A constant of numbers and bit operations: `const unsigned m = 0xFFu | 1;`; lazy, so the last word is the name."""


def decides(parsed: ParsedFile, read_: Statement) -> bool:
    """Whether a function compares a result of a statement with a number, or looks up a place by it."""
    function = parsed.function(read_.use.span.start)
    body = b"" if function is None else parsed.data[read_.use.extent.end : function.body.end]
    names = (one.text.strip() for one in read_.operands if one.written)
    return any(
        re.search(rb"\b%b\s*(?:[=!<>]=|[<>](?![<>]))\s*\d|\[[^][;]*\b%b\b" % ((re.escape(name.encode()),) * 2), body)
        for name in names
    )


def is_in_kernel(parsed: ParsedFile, use: Use) -> bool:
    """Whether a statement is in the body of a kernel, not of a function that one calls."""
    function = parsed.function(use.span.start)
    if function is None or parsed.lexed.directive_at(use.span.start) is not None:
        return False
    first = max(parsed.data.rfind(mark, 0, function.span.start) for mark in (b";", b"{", b"}"))
    return any(first < at < function.body.start for at in parsed.lexed.words(_KERNEL))


def constants(parsed: ParsedFile, read_: Statement) -> dict[str, int]:
    """Values of the constants that operands name, where the file declares nothing else under their names."""
    lexed, start = parsed.lexed, read_.use.span.start
    named = {operand.text for operand in read_.operands if re.fullmatch(r"[A-Za-z_]\w*", operand.text)}
    wanted = {name.encode("latin-1") for name in named - render.parameters(parsed, start)}
    if not wanted or "lop3" not in read_.template:
        return {}
    found: dict[bytes, set[int | None]] = {}
    places = set[int]()
    for match in lexed.matches(_CONSTANT, b"const"):
        if match[1] in wanted and parsed.function(match.start()) in (None, parsed.function(start)):
            found.setdefault(match[1], set()).add(evaluated(match[2].decode("latin-1")))
            places.add(match.start(1))
    for at in lexed.words(frozenset(found)):
        before = lexed.before(at)
        if at not in places and before is not None and before.kind == WORD and lexed.text(before) not in _NO_TYPE:
            found[lexed.text(lexed.token(at))].add(None)  # a parameter, or a variable of another scope
    values = ((name.decode("latin-1"), next(iter(known))) for name, known in found.items() if len(known) == 1)
    return {name: value for name, value in values if value is not None and value >= 0}
