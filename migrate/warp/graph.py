"""A parsed file -> its part of the graph of the repository: routines, definitions, calls, conditions around them.

The syntax tree gives all of it; nothing is judged here.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.launched_blocks import makers
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.settled_branches import is_left_out
from cudamigrate.model.warp_graph import FileGraph
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import class_members, first_members, macro_routines, template_instances
from cudamigrate.warp.declarators import (
    constants,
    enumerations,
    is_constexpr,
    launched_blocks,
    memory_macros,
    tables,
)
from cudamigrate.warp.routine_drafts import Draft
from cudamigrate.warp.routine_walk import RoutineWalk
from cudamigrate.warp.tree_queries import OBJECTS

_ROUTINES = tree_sitter_nodes.Kinds("cuda", "function_definition", *OBJECTS)
_LAMBDAS = tree_sitter_nodes.Kinds("cuda", "lambda_expression")


def may_have_any(parsed: ParsedFile) -> bool:
    """Whether a file has device code, in functions or in macros that others use, declares kernels or launches some."""
    said = b"threadIdx" in parsed.data or b"__syncthreads" in parsed.data or macro_routines.may_wait(parsed)
    launches = any(one.kind == "launch" for one in parsed.uses) or b"cudaLaunch" in parsed.data
    return said or launches or b"__global__" in parsed.data or any(one.scope == "device" for one in parsed.functions)


def of(parsed: ParsedFile) -> FileGraph:
    """The graph of one file; empty where it has no device code."""
    if not may_have_any(parsed):
        return FileGraph(parsed.source.path)
    reader = Reader(parsed)
    found = _ROUTINES.below(parsed.tree.root_node)
    reader.drafts += [made for one in found if one.type in OBJECTS and (made := class_members.read(parsed, one))]
    for node in found:
        is_read = node.type == "function_definition" and not reader.holds(node)
        if is_read and (is_constexpr(node) or parsed.scope(node.start_byte) != "host"):
            reader.function(node, -1)
    for node in _LAMBDAS.below(parsed.tree.root_node):
        if not reader.holds(node) and parsed.scope(node.end_byte - 1) != "host":
            reader.function(node, -1)  # of a function of the host
    bodies, macros = parsed.once(macro_routines.read)
    inner = Reader(bodies, reader.drafts)
    for macro in macros:
        number = len(reader.drafts)
        inner.function(macro.body, -1, macro.name)
        reader.drafts[number].becomes(macro)
    routines, instances = tuple(one.made() for one in reader.drafts), dict.fromkeys(template_instances.read(parsed))
    return FileGraph(
        parsed.source.path,
        routines,
        constants(parsed),
        tuple(instances),
        launched_blocks(parsed),
        makers(parsed),
        tables=tuple(tables(parsed)),
        enumerations=frozenset(enumerations(parsed)),
    )


class Reader:
    """Reads routines one after another; `drafts` holds them by number."""

    def __init__(self, parsed: ParsedFile, drafts: list[Draft] | None = None) -> None:
        self.parsed = parsed
        self.drafts: list[Draft] = [] if drafts is None else drafts
        self.places = frozenset(memory_macros(parsed))
        self._seen: set[int] = set()

    def holds(self, node: Node) -> bool:
        """Whether a function was read already."""
        return node.start_byte in self._seen

    def function(self, node: Node, parent: int, name: str = "") -> None:
        """One function or lambda, and the lambdas in it."""
        self._seen.add(node.start_byte)
        root, number = self.parsed.tree.root_node, len(self.drafts)
        draft = Draft.of(root, node, parent, name, self.parsed.line(node))
        self.drafts.append(draft)
        walk = RoutineWalk(self, draft, number, node)
        first_members.read(walk, node)
        body = node.child_by_field_name("body")
        if body is not None:
            walk.statement(body, (), ())
        draft.sites = [one for one in draft.sites if not is_left_out(self.parsed, one[0].start)]
