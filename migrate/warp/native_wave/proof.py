"""Kernels for warps of 32 lanes that may be written for the whole wave, whatever its size: the proof, and the changes.

Comes in: a parsed file and the functions with lane code that belong together. Goes out: what to write in place of each
32, or why it may not be done. Proved are reductions: every warp brings its lanes to one value, and what the warps bring
is brought together in the block or by an atomic operation of the same kind, so that nobody sees how many warps there
were. Whatever is not understood is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.kernel_launches import Launches, launches
from cudamigrate.analysis.launch_geometry import given_widths, launched
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.native_wave.abstract_interpreter import Walk
from cudamigrate.warp.native_wave.lane_idioms import Shapes
from cudamigrate.warp.native_wave.lattice import Refused, Result

_WORD = re.compile(rb"[A-Za-z_]\w*")
_KERNEL = re.compile(rb"\b__global__\b")
_BLOCKS = "launch it here, each time in blocks of a constant number of threads that 64 divides"
_BARRIER = b"__syncthreads()"
_TYPES = re.compile(rb"\btemplate\s*<[^;{}]*\b(?:typename|class)\b[^;{}]*\Z")
"""A template with open types right before a function: `template <typename T>`; no `;` or brace comes between."""
_NEAR = 300
_ALIGNED = re.compile(rb"\b__align__\s*\([^()]*\)|\balignas\s*\([^()]*\)")
"""An alignment, which the grammar cannot read in shared memory's declarations: `__align__(16)`, `alignas(16)`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes some functions follow the wave: edits of single places by where they start, or why there are none.

    `votes` are those that belong to calls which vote. `helpers` reduce a whole block, whoever calls them, where its
    width is a number of whole waves. `cure` is what would have to change where it is refused, `pays` what is saved.
    """

    functions: frozenset[str] = frozenset()
    edits: tuple[Edit, ...] = ()
    refused: str = ""
    votes: tuple[Edit, ...] = ()
    helpers: frozenset[str] = frozenset()
    cure: str = ""
    pays: str = ""

    def within(self, span: Span) -> list[Edit]:
        """The edits in a range."""
        return [edit for edit in self.edits if span.start <= edit.span.start < span.end]


def plan(
    parsed: ParsedFile, values: Values, names: Sequence[str], counts: Sequence[Span], calls: Sequence[int]
) -> Plan:
    """The plan for functions with lane code, all those that call them included.

    `counts` are the places that count 32 lanes in them, `calls` where lane functions are called: all must be known.
    """
    try:
        if parsed.contradicted:
            reason = "other files use what would change with it, or launch it in blocks that are not seen there"
            raise Refused(reason, _BLOCKS)
        macros = [at for at in calls if parsed.hip(at) is True and parsed.lexed.directive_at(at) is not None]
        calls = [at for at in calls if at not in macros]
        names = [name for name in names if name] + [""] * (names.count("") - len(macros))
        if not names or not all(names):
            raise Refused("lane code outside of functions is not followed", "write the macro as a function")
        made, known, parsed = _proved(parsed, values, names)
        for at in calls:
            if at not in known:
                raise Refused(f"{_quoted(parsed, at)} is no step of a reduction over a whole warp")
        for span in counts:
            if not made.within(span) and not _is_size(parsed, span):
                raise Refused(f"{_quoted(parsed, span.start, span.end)} is not followed")
        return made
    except Refused as refusal:
        return Plan(frozenset(names), (), str(refusal), cure=refusal.cure)


def _quoted(parsed: ParsedFile, start: int, end: int = 0) -> str:
    line = parsed.data[start : end or parsed.data.find(b"\n", start)].decode("utf-8", "replace")
    return f"`{' '.join(line.split())[:60]}`"


def _readable(parsed: ParsedFile, values: Values, names: Sequence[str]) -> tuple[ParsedFile, Values]:
    """The file with a tree that has no errors where an alignment of shared memory made them.

    It is read again with those blanked, at the same places.
    """
    nodes = (node_at(parsed, one.span.start, one.span.end) for one in parsed.functions if one.name in names)
    if all(node is not None for node in nodes) or _ALIGNED.search(parsed.data) is None:
        return parsed, values
    blanked = _ALIGNED.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), parsed.data)
    again = replace(parsed, tree=tree_sitter_nodes.parse("cuda", blanked), _results={})
    return again, Values(again)


def _is_size(parsed: ParsedFile, span: Span) -> bool:
    """Whether a place gives an array its size, as one for as many warps of 32 holds fewer waves too; or asserts."""
    node = parsed.tree.root_node.descendant_for_byte_range(span.start, span.start + 1)
    around = tree_sitter_nodes.ancestors(node) if node is not None else ()
    return any(
        one.type == "static_assert_declaration" or (one.type == "array_declarator" and one.start_byte < span.start)
        for one in around
    )


def _proved(parsed: ParsedFile, values: Values, names: Sequence[str]) -> tuple[Plan, set[int], ParsedFile]:
    """The plan, the lane calls that it takes in, and the file as it was read for that."""
    functions = _callers(parsed, names)
    blocks: dict[str, tuple[set[int], Launches]] = {}
    for function in functions:
        if _KERNEL.search(parsed.data[function.span.start : function.body.start]) is not None:
            blocks[function.name] = _launched(parsed, values, function.name)
    parsed, values = _readable(parsed, values, names)
    nodes: dict[bytes, Node] = {}
    for function in functions:
        node = node_at(parsed, function.span.start, function.span.end)
        if node is None or node.type != "function_definition":
            cure = "keep preprocessor branches and macros out of its statements"
            raise Refused(f"`{function.name}` is not understood by the parser", cure)
        nodes[function.name.encode()] = node
    made: dict[bytes, Result] = {}
    shapes: list[Shapes] = []
    helpers: set[str] = set()
    walks: dict[str, Walk] = {}
    for function in _inner_first(parsed, functions):
        shapes.append(Shapes(values, *_width(parsed, function, blocks)))
        walk = walks[function.name] = Walk(shapes[-1], nodes, made)
        made[function.name.encode()] = walk.function(nodes[function.name.encode()])
        shared = not parsed.source.path.endswith(".cu") and function.name not in blocks
        if walk.gathered and shared and _is_helper(parsed, function, functions):
            helpers.add(function.name)
        elif function.name not in blocks and not _is_called(parsed, function, functions):
            cure = "keep it beside the kernels that call it, or let it bring the whole block together and wait for it"
            raise Refused(f"the callers of `{function.name}` are not all seen", cure)
    known = set[int]().union(*(one.calls for one in shapes))
    edits = _ordered(edit for one in shapes for edit in one.edits)
    votes = _ordered(edit for one in shapes for edit in one.votes)
    pays = saved(
        parsed, walks, {kernel: _width(parsed, one, blocks)[0] for one in functions if (kernel := one.name) in blocks}
    )
    handed = set[str]().union(*(made.functions for _, made in blocks.values()))
    return Plan(frozenset(walks) | handed, edits, "", votes, frozenset(helpers), pays=pays), known, parsed


def saved(parsed: ParsedFile, walks: Mapping[str, Walk], widths: Mapping[str, int]) -> str:
    """What a kernel saves on a wave of 64, counted in its source; the one that shuffles most, of several."""
    counts = {kernel: _shuffled(parsed, walks, kernel) for kernel in widths}
    if not counts or not max(counts.values()):
        return ""
    kernel = max(counts, key=lambda name: (counts[name], name))
    width, steps = widths[kernel], counts[kernel]
    warps = f"{width // 64} results of a block, not {width // 32}" if width else "half as many results of each block"
    return f"{warps}, for {steps // 5 * 6} shuffles of a thread, not {steps}"


def _shuffled(parsed: ParsedFile, walks: Mapping[str, Walk], name: str) -> int:
    """How often a thread shuffles in one call of a function, loops around counted once."""
    function = next(one for one in parsed.functions if one.name == name)
    words = _WORD.findall(parsed.data, function.body.start, function.body.end)
    inner = [word.decode() for word in words if word.decode() in walks and word != name.encode()]
    return 5 * len(walks[name].reduced) + sum(_shuffled(parsed, walks, one) for one in inner)


def _is_helper(parsed: ParsedFile, function: Function, functions: Sequence[Function]) -> bool:
    """Whether all threads of a block come to a function that gathers what the warps bring, or CUDA has no meaning.

    It waits for the block and names all lanes of each warp. Its types are spelled: other files bring no others.
    """
    said = CallGraph.of(parsed).words(function.body)
    used = [one for one in functions if one is function or one.name.encode() in said]
    texts = [parsed.data[one.span.start : one.span.end] for one in used]
    heads = [parsed.data[max(0, one.span.start - _NEAR) : one.span.start] for one in used]
    waits = any(line.startswith(_BARRIER) for line in _statements(parsed, function))
    partly = any(b"__activemask" in one for one in texts) or any(_TYPES.search(head) for head in heads)
    return waits and not partly


def _statements(parsed: ParsedFile, function: Function) -> Iterable[bytes]:
    node = parsed.tree.root_node.descendant_for_byte_range(function.body.start, function.body.end - 1)
    return [text(one) for one in node.named_children] if node is not None else []


def _ordered(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    unique = {edit.span: edit for edit in edits}
    return tuple(sorted(unique.values(), key=lambda edit: edit.span.start))


def _width(
    parsed: ParsedFile, function: Function, blocks: Mapping[str, tuple[set[int], Launches]]
) -> tuple[int, frozenset[bytes]]:
    """The width of all blocks that run a function, 0 where there are several; and constants that stand for it."""
    if not parsed.source.path.endswith(".cu") and function.name not in blocks:
        return 0, frozenset()
    kernels = [kernel for kernel in blocks if function.name in CallGraph.of(parsed).reached((kernel,))]
    found = set[int]().union(*(blocks[kernel][0] for kernel in kernels))
    named = frozenset[bytes]()
    if kernels == [function.name]:
        named = given_widths(parsed, function.name, blocks[function.name][1].uses)
    return (found.pop() if len(found) == 1 else 0), named


def _callers(parsed: ParsedFile, names: Sequence[str]) -> list[Function]:
    """The named functions of a file, and all that mention them, directly or not, in the order of the file."""
    graph = CallGraph.of(parsed)
    device = {one.name for one in parsed.functions if one.scope == "device"}
    wanted = {name for name in graph.reaching(names) if name in device or name in names}
    listed = [one for name in wanted for one in graph.named.get(name, ()) if one.scope == "device"]
    found = sorted(listed, key=lambda one: one.span.start)
    if len({function.name for function in found}) != len(found):
        raise Refused("functions of one name are not told apart", "give each a name of its own")
    if {function.name for function in found} != wanted:
        raise Refused("a function with lane code is not found")
    return found


def _inner_first(parsed: ParsedFile, functions: Sequence[Function]) -> list[Function]:
    """Functions after those that they call."""
    waiting = {
        function: {
            other.name
            for other in functions
            if other is not function and other.name in CallGraph.of(parsed).callees[function.name]
        }
        for function in functions
    }
    ordered: list[Function] = []
    while waiting:
        done = {function.name for function in ordered}
        ready = [function for function, needs in waiting.items() if needs <= done]
        if not ready:
            raise Refused("the functions call each other in a circle")
        ordered += ready
        waiting = {function: needs for function, needs in waiting.items() if function not in ready}
    return ordered


def _is_called(parsed: ParsedFile, function: Function, functions: Sequence[Function]) -> bool:
    callers = CallGraph.of(parsed).callers[function.name]
    return any(other.name in callers for other in functions if other is not function)


def _launched(parsed: ParsedFile, values: Values, kernel: str) -> tuple[set[int], Launches]:
    """The widths of the blocks of a kernel; refused where they are not seen, all of them, to be whole waves of 64."""
    made = launches(parsed, kernel)
    found = launched(parsed, values, made.uses) if made is not None else []
    if made is None or not found:
        raise Refused(f"the size of the blocks of `{kernel}` is not seen wherever it is launched", _BLOCKS)
    widths = set[int]().union(*found)
    narrow = [width for width in widths if width % 64 or width < 0]
    if narrow:
        raise Refused(f"blocks of {narrow[0]} threads are not made of whole waves of 64", _BLOCKS)
    return widths, made
