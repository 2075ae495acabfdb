"""Ask a tensor for its scalar type where a macro is given its type object: `x.type()` becomes `x.scalar_type()`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use

_CALL = [b"type", b"(", b")"]


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False for a call none of whose arguments ends in `.type()`."""
    return bool(edits(parsed, use, ()))


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit, of the word alone, so that the expression before it may change too.

    Only arguments before the macro's name argument, a string, are looked at: what follows is the code to run.
    """
    for argument in use.args:
        tokens = list(parsed.lexed.tokens(argument.start, argument.end))
        spelled = [parsed.lexed.text(token) for token in tokens]
        if spelled and spelled[0].startswith(b'"'):
            break
        if len(spelled) > len(_CALL) + 1 and spelled[-3:] == _CALL and spelled[-4] in (b".", b"->"):
            return [Edit(Span(tokens[-3].start, tokens[-3].end), b"scalar_type")]
    return []
