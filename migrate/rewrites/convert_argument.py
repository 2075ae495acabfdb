"""Convert arguments to the type that arithmetic makes of them, or to the one that the rule names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A cast around each argument that the use names: to the type that all of the call have, or to one of `words`.

    `words` are names of functions and what each takes: `__ffs=int`.
    """
    named = dict(word.split("=") for word in words)
    spelled = named[use.name] if named else _joined(parsed, use)
    cast = f"static_cast<{spelled}>(".encode()
    places = use.args if spelled else ()
    return [
        edit
        for place in places
        for edit in (Edit(Span(place.start, place.start), cast), Edit(Span(place.end, place.end), b")"))
    ]


def _joined(parsed: ParsedFile, use: Use) -> str:
    """The type that both arguments of a call are converted to; empty where it is not seen."""
    call = node_at(parsed, use.extent.start, use.extent.end)
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments")) if call is not None else []
    kinds = [integer_types.of(Values.of(parsed), one) for one in given]
    kind = integer_types.common(kinds[0], kinds[1]) if len(kinds) == 2 else None
    return kind.spelled if kind is not None else ""
