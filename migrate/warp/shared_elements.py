"""Elements of arrays in shared memory whose index is a lane's number: who writes them, and where the array ends.

A lane's number is the same in each warp of a block: an array that it indexes is one for all warps. Shown is what comes
out when the threads of a block are put in one by one, with the size of the wave that the code is compiled for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.block_threads import BlockThreads
from cudamigrate.warp.reaching_threads import reaching
from cudamigrate.warp.thread_sources import differs_between_warps
from cudamigrate.warp.transfer import evaluator_of, place_around
from cudamigrate.warp.tree_queries import bare
from cudamigrate.warp.warp_synchronous_steps import ELEMENTS

_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_WARP, _WAVE, _THREADS = 32, 64, 1024
_UNSEEN = 256
"""The threads of the block that is tried where neither a launch nor a bound is seen."""
_BOUND = re.compile(rb"\b__launch_bounds__\s*\(")
_BOUNDED = "a block of {threads}, the most that `__launch_bounds__` lets in"
_LARGER = "a block of more than {warp} threads (the size of its blocks is not seen)"


class Element(NamedTuple):
    """An element of an array in shared memory, in code: its indices, and how many elements each may number, 0 for an
    array whose size is not seen."""

    array: str
    node: Node
    indices: tuple[Node, ...]
    extents: tuple[int, ...]


class PastEnd(NamedTuple):
    """An index that goes past the end of its array on a wave of 64 lanes: which element, and what it is up to.

    `block` says what is not seen of the block that this is so in; empty where a launch shows it.
    """

    element: Element
    highest: int
    extent: int
    block: str = ""


class Shared(NamedTuple):
    """An element that two threads of a block write, each its own value: their numbers, and in which `block`."""

    element: Element
    first: int
    second: int
    block: str


class _Shape(NamedTuple):
    """The width and height of blocks, and how to speak of them; empty where a launch shows them."""

    width: int
    height: int
    spoken: str = ""


def past_the_end(parsed: ParsedFile) -> Iterator[PastEnd]:
    """The first access to each array of code for AMD that is right for warps of 32 alone, as 64 lanes go past the end.

    An index that goes past it for warps of 32 too, or rests on no size of the wave, is left to who wrote it.
    """
    if b"warpSize" not in parsed.data or not any_wide(parsed.target.arch):
        return
    seen = set[tuple[int, str]]()
    for element in _elements(parsed):
        key = _routine(parsed, element.node), element.array
        if key in seen or not _is_for_amd(parsed, element.node.start_byte):
            continue
        found = next((one for shape in _shapes(parsed, element) if (one := _past(parsed, element, shape))), None)
        if found is not None:
            seen.add(key)
            yield found


def written_by_several(parsed: ParsedFile) -> Iterator[Shared]:
    """The first write of each function to an array by a lane's number that several warps make, each with its value."""
    seen = set[tuple[int, str]]()
    every = list(_elements(parsed))
    read = {(one.array, one.extents) for one in every if _is_read(one)}
    for element in every:
        key = _routine(parsed, element.node), element.array
        write = _write(element.node)
        if key in seen or write is None or (element.array, element.extents) not in read:
            continue
        found = next((one for shape in _shapes(parsed, element) if (one := _several(parsed, element, shape))), None)
        if found is not None and _has_own_value(parsed, write):
            seen.add(key)
            yield found


def _elements(parsed: ParsedFile) -> Iterator[Element]:
    """The elements of the arrays of device code, in the order of the file."""
    arrays = _arrays(parsed)
    for node in ELEMENTS.below(parsed.tree.root_node) if arrays else ():
        if parsed.hip(node.start_byte) is False or parsed.is_dead(node.start_byte):
            continue
        if (
            node.parent is not None
            and node.parent.type == "subscript_expression"
            and node.parent.start_byte == node.start_byte
        ):
            continue  # `s[i]` of `s[i][j]`
        base, indices = _taken_apart(node)
        declared = arrays.get(base, ())
        function = parsed.function(node.start_byte)
        known = [one for start, one in declared if function is not None and parsed.function(start) == function]
        is_own = len(known) == 1 and len(Values.of(parsed).locals(node.start_byte).get(base, ())) == 1
        if is_own and len(known[0]) == len(indices):
            yield Element(base.decode("latin-1"), node, indices, known[0])


def _arrays(parsed: ParsedFile) -> dict[bytes, list[tuple[int, tuple[int, ...]]]]:
    """The arrays that are declared in shared memory, by name: where, and how many elements each dimension has."""
    found = dict[bytes, list[tuple[int, tuple[int, ...]]]]()
    for node in _DECLARATIONS.below(parsed.tree.root_node):
        if b"__shared__" not in text(node).partition(b"=")[0]:
            continue
        for declarator in node.children_by_field_name("declarator"):
            one: Node | None = declarator
            extents = list[int]()
            while one is not None and one.type in ("array_declarator", "init_declarator"):
                if one.type == "array_declarator":
                    extents.append(Values.of(parsed).constant(one.child_by_field_name("size")) or 0)
                one = one.child_by_field_name("declarator")
            if one is not None and extents:
                found.setdefault(text(one), []).append((node.start_byte, tuple(reversed(extents))))
    return found


def _taken_apart(node: Node) -> tuple[bytes, tuple[Node, ...]]:
    """The name of an array and the indices of an element; empty for what is not plainly one."""
    inner: Node | None = node
    indices = list[Node]()
    while inner is not None and inner.type == "subscript_expression":
        listed = inner.child_by_field_name("indices")
        if listed is None or listed.named_child_count != 1:
            return b"", ()
        indices.append(listed.named_children[0])
        inner = inner.child_by_field_name("argument")
    return text(inner), tuple(reversed(indices))


def _is_for_amd(parsed: ParsedFile, start: int) -> bool:
    """Whether code is compiled for AMD alone: its `warpSize` is AMD's."""
    return parsed.hip(start) is True or parsed.once(is_native)


def _shapes(parsed: ParsedFile, element: Element) -> list[_Shape]:
    """The blocks that come to an element: those of the launches that are seen, else the largest one, or a usual one.

    What is written for AMD alone is tried without a launch: in other code the conversion keeps warps of 32 lanes.
    """
    place = place_around(parsed, element.node.start_byte)
    shapes = evaluator_of(parsed).shapes(place) if place is not None else set()
    seen = {(width, height) for width, height, _ in shapes if 0 < width * height <= _THREADS}
    if seen or not _is_for_amd(parsed, element.node.start_byte):
        return [_Shape(*one) for one in sorted(seen)]
    bound = _bound(parsed, element.node)
    return [_Shape(bound, 1, _BOUNDED) if bound else _Shape(_UNSEEN, 1, _LARGER)]


def _bound(parsed: ParsedFile, node: Node) -> int:
    """The most threads that the kernel around lets into a block; 0 where it does not say, or by what is not seen."""
    function = parsed.function(node.start_byte)
    match = _BOUND.search(parsed.data, function.span.start, node.start_byte) if function is not None else None
    args = parsed.arguments(match.end() - 1, parsed.lexed.closing(match.end() - 1)) if match is not None else ()
    given = node_at(parsed, args[0].start, args[0].end) if args else None
    number = Values.of(parsed).constant(given) or 0
    return number if 0 < number <= _THREADS else 0


def _indices(block: BlockThreads, element: Element, thread: int) -> tuple[int, ...] | None:
    """The element's number for a thread; None where that is not seen, or is another in each block."""
    block.turn_to(thread)
    found = [block.number(one) for one in element.indices]
    numbers = tuple(one.value for one in found if one is not None and not one.of_block)
    return numbers if len(numbers) == len(found) else None


def _past(parsed: ParsedFile, element: Element, shape: _Shape) -> PastEnd | None:
    """Where 64 lanes go past the end of an array in blocks of a shape, and 32 do not."""
    if 0 in element.extents:
        return None
    most = [_highest(BlockThreads(parsed, shape[:2], warp), element) for warp in (_WARP, _WAVE)]
    narrow, wide = most
    for at, extent in enumerate(element.extents):
        if wide and wide[at] >= extent and (not narrow or narrow[at] < extent):
            return PastEnd(element, wide[at], extent, shape.spoken.format(threads=shape.width, warp=_WARP))
    return None


def _highest(block: BlockThreads, element: Element) -> tuple[int, ...]:
    """The highest index of each dimension over the threads that come to an element; empty where none is seen to."""
    size = block.shape[0] * block.shape[1]
    asked = sorted({*range(min(size, 2 * _WAVE)), *range(max(0, size - _WAVE), size)})
    if _indices(block, element, 0) is None:
        return ()
    threads = reaching(block, element.node, asked)
    found = [_indices(block, element, thread) for thread in sorted(threads or ())]
    known = [one for one in found if one is not None]
    return tuple(map(max, zip(*known, strict=True))) if known and len(known) == len(found) else ()


def _several(parsed: ParsedFile, element: Element, shape: _Shape) -> Shared | None:
    """Two threads of a block of one row that write an element which a lane's number alone chooses."""
    amd = _is_for_amd(parsed, element.node.start_byte)
    warps = (_WARP, _WAVE) if amd and any_wide(parsed.target.arch) else (_WARP,)
    size, height, spoken = shape
    block = BlockThreads(parsed, (size, height), warps[-1])
    for warp in warps if height == 1 else ():
        if size <= warp or not _is_by_lane(block, element, warp):
            continue
        threads = reaching(block, element.node, range(min(size, 2 * warp)))
        both = [one for one in sorted(threads or ()) if one < warp and threads is not None and one + warp in threads]
        if both:
            block_of = (spoken or "a block of {threads}").format(threads=size, warp=warp)
            return Shared(element, both[0], both[0] + warp, block_of)
    return None


def _is_by_lane(block: BlockThreads, element: Element, warp: int) -> bool:
    """Whether each lane of a warp has an element of its own, and the same one in the next warp."""
    first = _indices(block, element, 0)
    if first is None or first == _indices(block, element, 1) or first != _indices(block, element, warp):
        return False
    size = block.shape[0]
    lanes = [_indices(block, element, one) for one in range(warp)]
    again = [_indices(block, element, one) for one in range(warp, min(size, 2 * warp))]
    return None not in lanes and len(set(lanes)) == warp and again == lanes[: len(again)]


def _write(element: Node) -> Node | None:
    """The assignment that an element is the target of."""
    around = element.parent
    is_target = around is not None and around.type == "assignment_expression"
    return around if is_target and around is not None and bare(around.child_by_field_name("left")) == element else None


def _is_read(one: Element) -> bool:
    """Whether an element is read: what `=` writes is not."""
    write = _write(one.node)
    return write is None or text(write.child_by_field_name("operator")) != b"="


def _has_own_value(parsed: ParsedFile, write: Node) -> bool:
    """Whether what a write leaves is another value in each warp: one of its threads, or added to what is there."""
    place = place_around(parsed, write.start_byte)
    if place is None:
        return False
    if text(write.child_by_field_name("operator")) != b"=":
        return True
    stored = (one for one in place.routine.definitions if one.place and _is_at(one.start, write))
    return any(differs_between_warps(evaluator_of(parsed), place, one.value) for one in stored)


def _is_at(start: int, write: Node) -> bool:
    around = write.parent
    return start == write.start_byte or (around is not None and start == around.start_byte)


def _routine(parsed: ParsedFile, node: Node) -> int:
    function = parsed.function(node.start_byte)
    return -1 if function is None else function.span.start
