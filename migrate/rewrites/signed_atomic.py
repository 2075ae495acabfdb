"""Give an atomic on signed numbers of 64 bits the address of unsigned ones, and its result the type that it had."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use

_STATEMENT = (b";", b"{", b"}")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty. A call that begins a statement gives its result to nobody."""
    address, start, end = use.args[0], use.extent.start, use.extent.end
    cast = [Edit(Span(address.start, address.start), b"reinterpret_cast<unsigned long long *>(")]
    cast.append(Edit(Span(address.end, address.end), b")"))
    before = parsed.lexed.before(start)
    if parsed.lexed.text(before) in _STATEMENT:
        return cast
    return [Edit(Span(start, start), b"static_cast<long long>("), *cast, Edit(Span(end, end), b")")]
