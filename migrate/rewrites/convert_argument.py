"""Convert arguments to the type that arithmetic makes of them, or to the one that the rule names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import integer_types
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A cast around each argument that the use names: to the type that all of the call have, or to one of `words`.

    `words` are names of functions and what each takes: `__ffs=int`.
    """
    named = dict(word.split("=") for word in words)
    spelled = named[use.name] if named else integer_types.joined(parsed, use.extent)
    cast = f"static_cast<{spelled}>(".encode()
    places = use.args if spelled else ()
    return [
        edit
        for place in places
        for edit in (Edit(Span(place.start, place.start), cast), Edit(Span(place.end, place.end), b")"))
    ]
