"""Calls that switch the profiler on or off: those whose result nobody reads, and those whose result is a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use

WORDS = (b"ProfilerSt",)
INSTEAD = True  # HIP's call does nothing, and says so by an error

_CALL = re.compile(r"cu(?:da)?ProfilerSt(art|op)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls that are a statement of their own, as the syntax tree says, behind `(void)` too; all others are values.

    A call in a macro may be either, and what is written for a value is a statement too. Where the tree is broken, as
    behind a macro that it cannot read, the tokens around a call say whether it is a statement.
    """
    for use in parsed.uses:
        match = _CALL.fullmatch(use.name)
        if match is None or use.kind != "call":
            continue
        around = [one for one in parsed.nodes_around(use.extent.start, use.extent.end) if one.type != "cast_expression"]
        kinds = [one.type for one in around[-2:]]
        directive = parsed.lexed.directive_at(use.span.start)
        if kinds == ["expression_statement", "call_expression"] or _is_between_statements(parsed, around, use):
            yield Hit(f"library/profiler-st{match[1]}-statement", use)
        elif kinds[-1:] == ["call_expression"] or (directive is not None and directive.name == "define"):
            yield Hit(f"library/profiler-st{match[1]}-value", use)


def _is_between_statements(parsed: ParsedFile, around: Sequence[Node], use: Use) -> bool:
    """Whether a call in code that the tree did not read is behind the end of a statement or the begin of a block.

    It ends with a semicolon, and the bracket around it is no round one, as that of `for (;` is.
    """
    if not any(one.type == "ERROR" for one in around):
        return False
    lexed = parsed.lexed
    if lexed.text(lexed.token(use.extent.end)) != b";" or lexed.directive_at(use.span.start) is not None:
        return False
    before = lexed.before(use.extent.start)
    while before is not None and (directive := lexed.directive_at(before.start)) is not None:
        before = lexed.before(directive.start)
    return lexed.text(before) in (b";", b"{", b"}") and not _is_in_brackets(parsed, use.extent.start)


def _is_in_brackets(parsed: ParsedFile, offset: int) -> bool:
    """Whether the innermost bracket that is open at a place is a round or a square one."""
    lexed = parsed.lexed
    before = lexed.before(offset)
    while before is not None:
        text = lexed.text(before)
        if text in (b"(", b"[", b"{"):
            return text != b"{"
        opening = lexed.opening(before.start) if text in (b")", b"]", b"}") else before.start
        before = lexed.before(opening) if opening >= 0 else None
    return False
