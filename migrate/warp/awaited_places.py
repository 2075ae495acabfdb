"""Where in memory a waiting loop looks: in shared memory or elsewhere, and by which number."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import evaluator_of, place_around
from cudamigrate.warp.waiting_turns import WaitingTurns

_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_ELEMENTS = tree_sitter_nodes.Kinds("cuda", "subscript_expression")
_POINTED = tree_sitter_nodes.Kinds("cuda", "pointer_expression")
_SUMS = tree_sitter_nodes.Kinds("cuda", "binary_expression")
_DRAWS = 4
"""Functions and variables that a number is followed through to where it was drawn."""


def looks_elsewhere(parsed: ParsedFile, place: Place, loop: Node) -> bool:
    """Whether a loop that looks at shared memory also looks at what a parameter points to, which is none."""
    inside = [range(one.start_byte, one.end_byte) for one in indices(loop)]
    looked = (one for one in _ELEMENTS.below(loop) if not any(one.start_byte in part for part in inside))
    bases = {text(one.child_by_field_name("argument")).decode("latin-1") for one in looked}
    return any(not is_given_shared(parsed, place, name) for name in bases & set(place.routine.parameters))


def indices(loop: Node) -> Iterator[Node]:
    """What is an index of the places that a loop looks at, and no place itself: of `a[i]`, and of `*(a + i)`."""
    for one in _ELEMENTS.below(loop):
        index = one.child_by_field_name("indices")
        yield from () if index is None else (index,)
    for one in _POINTED.below(loop):
        sums = _SUMS.below(one) if text(one.child_by_field_name("operator")) == b"*" else ()
        yield from (right for each in sums if (right := each.child_by_field_name("right")) is not None)


def is_given_shared(parsed: ParsedFile, place: Place, name: str) -> bool:
    """Whether every call hands a parameter an object in shared memory."""
    at = place.routine.parameters.index(name)
    calls = evaluator_of(parsed).calls_of(place) or ()
    given = [(one.routine, site.arguments[at]) for one, site in calls if at < len(site.arguments)]
    return bool(given) and all(one[0] == "v" and one[1] in routine.shared for routine, one in given)


def is_by_ticket(parsed: ParsedFile, turns: WaitingTurns, loop: Node) -> bool:
    """Whether what a loop looks at is at a place that a number from an atomic counter tells."""
    place = place_around(parsed, loop.start_byte)
    if place is None:
        return False
    names = {text(one).decode("latin-1") for at in indices(loop) for one in _names_of(at)}
    known = {one.name for one in place.routine.definitions if one.name.partition("#")[0] in names}
    return any(turns.is_drawn(place, ("v", name), _DRAWS, {}) for name in sorted(known))


def _names_of(code: Node) -> list[Node]:
    return [code] if code.type == "identifier" else _NAMES.below(code)
