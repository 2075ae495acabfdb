"""Convert an argument to the type that the other one has, or that the rule names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A cast around the only argument that the use names: to its type without a sign, or to one of `words`.

    `words` are names of functions and what each takes: `__ffs=int`.
    """
    start, end = use.args[0].start, use.args[0].end
    named = dict(word.split("=") for word in words)
    if named:
        cast = f"static_cast<{named[use.name]}>("
        return [Edit(Span(start, start), cast.encode()), Edit(Span(end, end), b")")]
    kind = integer_types.of(Values.of(parsed), node_at(parsed, start, end))
    if kind is None:
        return []
    cast = f"static_cast<{kind._replace(unsigned=True).spelled}>("
    return [Edit(Span(start, start), cast.encode()), Edit(Span(end, end), b")")]
