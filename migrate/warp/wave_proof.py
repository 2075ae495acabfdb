"""Functions for warps of 32 lanes that may be written for the full wavefront: the proof, and the changes.

Proved are reductions: every warp brings its lanes to one value, and what the warps bring is brought together in the
block or by an atomic operation of the same kind, so that nobody sees how many warps there were. Obligations are held
against the facts of each function; whatever is not seen is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import called
from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.kernel_launches import Launches, launches
from cudamigrate.analysis.launch_geometry import given_widths, launched
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import below
from cudamigrate.warp.wave_edits import WaveEdits
from cudamigrate.warp.wave_values import Refused, Result
from cudamigrate.warp.wave_walk import Walk
from cudamigrate.wording import count_of

_BLOCKS = "launch it here, each time in blocks of a constant number of threads that 64 divides"
_OWN_NAME = "give each a name of its own"
_ALIGNED = re.compile(rb"\b__align__\s*\([^()]*\)|\balignas\s*\([^()]*\)")
"""An alignment, which the grammar cannot read in shared memory's declarations: `__align__(16)`, `alignas(16)`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes some functions follow the wave: edits of single places by where they start, or why there are none.

    `votes` are those that belong to calls which vote. `helpers` reduce a whole block, whoever calls them, where its
    width is a number of full wavefronts. `cure` is what would have to change where it is refused, `pays` what is saved.
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


def plan(parsed: ParsedFile, names: Sequence[str], counts: Sequence[Span], calls: Sequence[int]) -> Plan:
    """The plan for functions with warp-level code, all those that call them included.

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
            raise Refused("warp-level code outside of functions is not followed", "write the macro as a function")
        made, known, parsed = _proved(parsed, names)
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


def _readable(parsed: ParsedFile, functions: Sequence[Function]) -> ParsedFile:
    """The file with a tree that has no errors where an alignment of shared memory made them, at the same places."""
    nodes = (node_at(parsed, one.span.start, one.span.end) for one in functions)
    return parsed if all(node is not None for node in nodes) else parsed.once(_without_alignments)


def _without_alignments(parsed: ParsedFile) -> ParsedFile:
    data = bytearray(parsed.data)
    for match in _ALIGNED.finditer(parsed.data):
        data[match.start() : match.end()] = bytes(one if one == 10 else 32 for one in match[0])
    return replace(parsed, tree=tree_sitter_nodes.parse("cuda", bytes(data)), _results={})


def _is_size(parsed: ParsedFile, span: Span) -> bool:
    """Whether a place gives an array its size, as one for as many warps of 32 holds fewer waves too; or asserts."""
    node = parsed.tree.root_node.descendant_for_byte_range(span.start, span.start + 1)
    around = tree_sitter_nodes.ancestors(node) if node is not None else ()
    return any(
        one.type == "static_assert_declaration" or (one.type == "array_declarator" and one.start_byte < span.start)
        for one in around
    )


def _proved(parsed: ParsedFile, names: Sequence[str]) -> tuple[Plan, set[int], ParsedFile]:
    """The plan, the lane calls that it takes in, and the file as it was read for that."""
    functions = _callers(parsed, names)
    kernels = {one.name: _launched(parsed, one.name) for one in functions if _is_kernel(parsed, one)}
    parsed = _readable(parsed, functions)
    nodes = {function: _node(parsed, function) for function in functions}
    made: dict[bytes, Result] = {}
    walks: dict[Function, Walk] = {}
    helpers: set[str] = set()
    for function in _inner_first(parsed, functions):
        width, widths = _width(parsed, function, kernels)
        code = WaveEdits(parsed, nodes[function], function.name, widths)
        if code.place is None:
            raise Refused(f"`{function.name}` is not understood by the parser")
        code.begin(width)
        walk = walks[function] = Walk(code, [one.name.encode() for one in functions], made)
        result = walk.function(nodes[function])
        if made.setdefault(function.name.encode(), result) != result:
            raise Refused(f"functions of the name `{function.name}` give different things", _OWN_NAME)
        shared = not parsed.source.path.endswith(".cu") and function.name not in kernels
        if walk.gathered and shared and _is_helper(parsed, function, nodes):
            helpers.add(function.name)
        elif function.name not in kernels and not _is_called(parsed, function, functions):
            cure = "keep it beside the kernels that call it, or let it bring the whole block together and wait for it"
            raise Refused(f"the callers of `{function.name}` are not all seen", cure)
    known = set[int]().union(*(one.code.calls for one in walks.values()))
    edits = _ordered(edit for one in walks.values() for edit in one.code.edits)
    votes = _ordered(edit for one in walks.values() for edit in one.code.votes)
    pays = _saved(walks, nodes, [one for one in functions if one.name in kernels])
    handed = set[str]().union(*(launches_.functions for _, launches_ in kernels.values()))
    return (
        Plan(frozenset(one.name for one in walks) | handed, edits, "", votes, frozenset(helpers), pays=pays),
        known,
        parsed,
    )


def _node(parsed: ParsedFile, function: Function) -> Node:
    node = node_at(parsed, function.span.start, function.span.end)
    if node is None or node.type != "function_definition":
        cure = "keep preprocessor branches and macros out of its statements"
        raise Refused(f"`{function.name}` is not understood by the parser", cure)
    return node


def _is_kernel(parsed: ParsedFile, function: Function) -> bool:
    return b"__global__" in parsed.data[function.span.start : function.body.start]


def _saved(walks: Mapping[Function, Walk], nodes: Mapping[Function, Node], kernels: Sequence[Function]) -> str:
    """What a kernel saves on a wave of 64, counted in its source; the one that shuffles most, of several."""
    counts = {kernel: _shuffled(walks, nodes, kernel) for kernel in kernels}
    if not counts or not max(counts.values()):
        return ""
    kernel = max(counts, key=lambda one: (counts[one], one.name))
    width, steps = walks[kernel].code.width, counts[kernel]
    warps = (
        f"{count_of(width // 64, 'result')} of a block, not {width // 32}"
        if width
        else "half as many results of each block"
    )
    return f"{warps}, for {steps // 5 * 6} shuffles of a thread, not {steps}"


def _shuffled(walks: Mapping[Function, Walk], nodes: Mapping[Function, Node], function: Function) -> int:
    """How often a thread shuffles in one call of a function, loops around counted once."""
    calls = [called(one).decode("latin-1") for one in below(nodes[function]) if one.type == "call_expression"]
    inner = 0
    for name in calls:
        found = [one for one in walks if one.name == name != function.name]
        inner += max((_shuffled(walks, nodes, one) for one in found), default=0)
    return 5 * len(walks[function].reduced) + inner


def _is_helper(parsed: ParsedFile, function: Function, nodes: Mapping[Function, Node]) -> bool:
    """Whether all threads of a block come to a function that gathers what the warps bring, or CUDA has no meaning.

    It waits for the block and names all lanes of each warp. Its types are spelled: other files bring no others.
    """
    body = nodes[function].child_by_field_name("body")
    waits = body is not None and any(text(one).startswith(b"__syncthreads()") for one in body.named_children)
    said = CallGraph.of(parsed).words(function.body)
    used = [node for one, node in nodes.items() if one.name == function.name or one.name.encode() in said]
    return waits and not any(b"__activemask" in text(node) or _has_open_types(node) for node in used)


def _has_open_types(function: Node) -> bool:
    around = function.parent
    listed = around.child_by_field_name("parameters") if around is not None else None
    if around is None or listed is None or around.type != "template_declaration":
        return False
    return any("type_parameter_declaration" in one.type for one in listed.named_children)


def _ordered(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    unique = {edit.span: edit for edit in edits}
    return tuple(sorted(unique.values(), key=lambda edit: edit.span.start))


def _width(
    parsed: ParsedFile, function: Function, kernels: Mapping[str, tuple[set[int], Launches]]
) -> tuple[int, frozenset[bytes]]:
    """The width of all blocks that run a function, 0 where there are several; and parameters that stand for it."""
    if not parsed.source.path.endswith(".cu") and function.name not in kernels:
        return 0, frozenset()
    running = [kernel for kernel in kernels if function.name in CallGraph.of(parsed).reached((kernel,))]
    found = set[int]().union(*(kernels[kernel][0] for kernel in running))
    named = frozenset[bytes]()
    if running == [function.name]:
        named = given_widths(parsed, function.name, kernels[function.name][1].uses)
    return (found.pop() if len(found) == 1 else 0), named


def _callers(parsed: ParsedFile, names: Sequence[str]) -> list[Function]:
    """The named functions of a file, and all that mention them, directly or not, in the order of the file."""
    graph = CallGraph.of(parsed)
    reaching = graph.reaching(names)
    found = [one for name in reaching for one in graph.named.get(name, ()) if one.scope == "device"]
    kernels = [one.name for one in found if _is_kernel(parsed, one)]
    if len(set(kernels)) != len(kernels):
        raise Refused("several kernels have one name", _OWN_NAME)
    if not {one.name for one in found}.issuperset(names):
        raise Refused("a function with warp-level code is not found")
    return sorted(found, key=lambda one: one.span.start)


def _inner_first(parsed: ParsedFile, functions: Sequence[Function]) -> list[Function]:
    """Functions after those that they call."""
    callees, named = CallGraph.of(parsed).callees, {one.name for one in functions}
    waiting = {one: (callees[one.name] & named) - {one.name} for one in functions}
    ordered: list[Function] = []
    while waiting:
        done = {one.name for one in ordered} - {one.name for one in waiting}
        ready = [function for function, needs in waiting.items() if needs <= done]
        if not ready:
            raise Refused("the functions call each other in a circle")
        ordered += ready
        waiting = {function: needs for function, needs in waiting.items() if function not in ready}
    return ordered


def _is_called(parsed: ParsedFile, function: Function, functions: Sequence[Function]) -> bool:
    callers = CallGraph.of(parsed).callers[function.name]
    return any(other.name in callers for other in functions if other is not function)


def _launched(parsed: ParsedFile, kernel: str) -> tuple[set[int], Launches]:
    """The widths of the blocks of a kernel; refused where one is not seen to be full wavefronts."""
    made = launches(parsed, kernel)
    found = launched(parsed, Values.of(parsed), made.uses) if made is not None else []
    if made is None or not found:
        raise Refused(f"the size of the blocks of `{kernel}` is not seen wherever it is launched", _BLOCKS)
    widths = set[int]().union(*found)
    narrow = [width for width in widths if width % 64 or width < 0]
    if narrow:
        raise Refused(f"blocks of {narrow[0]} threads are not made of full wavefronts of 64", _BLOCKS)
    return widths, made
