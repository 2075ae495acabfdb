"""Steps of lanes through a pointer to the lane's own place: `mine = &s[t]`, then `mine[0] += mine[16]` and its kin.

What such a step reads, another lane wrote in the one before; no barrier is between them. The pointer is `volatile`, or
it is seen to lead into shared memory at a place that counts threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.tree_queries import bare
from cudamigrate.warp.vocabulary import Quantity
from cudamigrate.warp.warp_synchronous import barrier_between, is_of_shared, is_taken_by_halves
from cudamigrate.warp.warp_synchronous_steps import DISTANCES, squeezed

_STEP = re.compile(
    rb"(?<![\w.>\])])(?:\*\s*(?P<plain>[A-Za-z_]\w*)|(?P<first>[A-Za-z_]\w*)\s*\[\s*0\s*\])\s*(?:[-+*|&^]|<<|>>)?=(?!=)"
    rb"(?P<value>[^;{}]*);"
)
"""A write of the own place: `mine[0] = ...;`, `*mine += ...;`."""
_OTHER = re.compile(
    rb"(?<![\w.>])(?P<name>[A-Za-z_]\w*)\s*\[\s*(?P<by>\w+)\s*\]|\*\s*\(\s*(?P<sum>\w+)\s*\+\s*(?P<more>\w+)\s*\)"
)
"""What it reads of another lane: `mine[16]`, `*(mine + 16)`."""
_FEWEST = 3
"""Steps by halves through a pointer of which less is known than that it is `volatile` and the lane's own place."""
Step = tuple[Span, bytes]
"""A statement, and the distance of the place that it reads."""


def placed_steps(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The first step of each run that no barrier parts, and the pointer."""
    for (function, name), steps in _runs(parsed).items():
        fewest = _fewest(parsed, function, name) if parsed.hip(function.body.start) is None else 0
        found = _unheld(parsed, steps, fewest) if fewest else None
        if found is not None:
            yield found, name.decode("utf-8", "replace")


def _runs(parsed: ParsedFile) -> Mapping[tuple[Function, bytes], list[Step]]:
    """The steps through each pointer, by the device function that takes them."""
    runs: dict[tuple[Function, bytes], list[Step]] = {}
    for match in parsed.lexed.matches(_STEP, b"="):
        name, function = match["plain"] or match["first"], parsed.function(match.start())
        if (
            function is None
            or function.scope != "device"
            or not function.body.start <= match.start() < function.body.end
        ):
            continue
        by = _distance(match["value"], name)
        if by:
            runs.setdefault((function, name), []).append((Span(*match.span()), by))
    return runs


def _distance(value: bytes, name: bytes) -> bytes:
    """The distance of the one other place of a pointer that a value reads; empty where it reads none or several."""
    every = ((one["name"] or one["sum"], one["by"] or one["more"]) for one in _OTHER.finditer(value))
    found = {by for pointer, by in every if pointer == name and by != b"0"}
    return found.pop() if len(found) == 1 else b""


def _fewest(parsed: ParsedFile, function: Function, name: bytes) -> int:
    """So many steps through a pointer must be seen, 0 where no lanes take any.

    A parameter is taken for the lane's own place by more steps, and where it is `volatile`.
    """
    quantities = Quantities.of_file(parsed)
    for local in quantities.values.locals(function.body.start).get(name, ()):
        volatile = b"volatile" in local.qualifiers
        if local.value is None and volatile:
            return _FEWEST
        if _is_own_place(parsed, function, quantities, local.value):
            return 2 if volatile else _FEWEST
    return 0


def _is_own_place(parsed: ParsedFile, function: Function, quantities: Quantities, value: Node | None) -> bool:
    """Whether a pointer is set to a place of shared memory that counts threads: `&s[t]`, `s + t`."""
    value = bare(value)
    inner = (
        bare(value.child_by_field_name("argument"))
        if value is not None and value.type == "pointer_expression"
        else None
    )
    if inner is not None and inner.type == "subscript_expression":
        indices = inner.child_by_field_name("indices")
        array, index = inner.child_by_field_name("argument"), None if indices is None else indices.named_child(0)
    elif (
        value is not None and value.type == "binary_expression" and text(value.child_by_field_name("operator")) == b"+"
    ):
        array, index = value.child_by_field_name("left"), value.child_by_field_name("right")
    else:
        return False
    counts = index is not None and quantities.of(index) & (Quantity.THREAD | Quantity.LANE | Quantity.PLACE)
    return bool(counts) and is_of_shared(parsed, function, squeezed(array))


def _unheld(parsed: ParsedFile, steps: list[Step], fewest: int) -> Span | None:
    """The first step of a row by halves that no barrier parts, or of one that a loop takes."""
    row: list[Step] = []
    for step in steps:
        span, by = step
        if by not in DISTANCES:
            node = parsed.tree.root_node.descendant_for_byte_range(span.start, span.end - 1)
            if node is not None and not by.isdigit() and is_taken_by_halves(parsed, node, by):
                return span
            continue
        if row and (barrier_between(parsed, row[-1][0].end, span.start) or int(row[-1][1]) != 2 * int(by)):
            row = []
        row.append(step)
        if len(row) >= fewest:
            return row[0][0]
    return None
