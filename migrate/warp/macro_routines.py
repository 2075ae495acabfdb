"""Macros as routines of the graph: what they declare, ask, call and wait for is that of the code that uses them.

A macro's parameters are the expressions that it is given; every other name in it means what it means where the macro is
used, and what it declares is declared there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda import branch_macros
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Expression
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import sources
from cudamigrate.warp.expressions import expression
from cudamigrate.warp.tree_queries import span

if TYPE_CHECKING:
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_MACROS = tree_sitter_nodes.Kinds("cuda", "preproc_function_def", "preproc_def")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_HEAD, _END = b"int f(){", b";}"
"""What is put before a body and behind it, so that it is read as code: a `#define` of any macro has the room."""
WAITS = re.compile(rb"\bwhile\s*\((?!\s*(?:0|false)\s*\))")
"""A loop that is none to make a statement of several: `while (*flag)`, not `while (0)`."""
_CROSSES = re.compile(rb"\b__(?:syncwarp|(?:shfl\w*|ballot|any|all|match_\w+|reduce_\w+)_sync)\b")
"""A function at which the lanes of a warp meet: `__syncwarp`, `__shfl_down_sync`."""
_SHIFTS = re.compile(rb"(?:<<|>>)\s*\(*\s*(?:32|[A-Za-z_])")
"""A shift by what a macro may be given, or by what that leaves of 32."""
_MEMORY = (b"volatile", b"atomic", b"__ld", b"load")
_BRACKETS = (b"()", b"{}", b"[]")


class Macro(NamedTuple):
    """The body of a macro as a function, its name and parameters, and the bytes of its definition."""

    body: Node
    name: str
    parameters: tuple[str, ...]
    is_variadic: bool
    start: int
    end: int

    @property
    def value(self) -> Expression | None:
        """What a macro that is one expression stands for, or the head of a branch asks."""
        held = self.body.child_by_field_name("body")
        inside = [one for one in (held.named_children if held is not None else ()) if one.type != "comment"]
        if len(inside) == 1 and inside[0].type == "if_statement":
            return expression(inside[0].child_by_field_name("condition"))
        if len(inside) != 1 or inside[0].type != "expression_statement" or not inside[0].named_child_count:
            return None
        return expression(inside[0].named_children[0])


def read(parsed: ParsedFile) -> tuple[ParsedFile, list[Macro]]:
    """The file with the bodies of its macros as code at their places, and those that say anything of threads."""
    return _as_code(parsed, _chosen(parsed))


def shifting(parsed: ParsedFile) -> list[Macro]:
    """The macros of a file that have parameters and shift by one."""
    nodes = _MACROS.below(parsed.tree.root_node) if b"<<" in parsed.data or b">>" in parsed.data else ()
    found = [node for node in nodes if _SHIFTS.search(text(node.child_by_field_name("value"))) is not None]
    return _as_code(parsed, [node for node in found if node.child_by_field_name("parameters") is not None])[1]


def _as_code(parsed: ParsedFile, nodes: Sequence[Node]) -> tuple[ParsedFile, list[Macro]]:
    """The file with the bodies of some macros as code at their places, and these macros."""
    kept = [(node, value) for node in nodes if (value := _value(parsed, node)) is not None]
    if not kept:
        return parsed, []
    data = bytearray(10 if one == 10 else 32 for one in parsed.data) + b"\n" + b" " * len(_END)
    for _, value in kept:
        body = parsed.data[value.start_byte : value.end_byte].replace(b"\\", b" ")
        data[value.start_byte - len(_HEAD) : value.end_byte] = _HEAD + body
        data[value.end_byte + 1 : value.end_byte + 1 + len(_END)] = _END
    made = replace(parsed, tree=tree_sitter_nodes.parse("cuda", bytes(data)), _results={})
    functions = {one.start_byte: one for one in _FUNCTIONS.below(made.tree.root_node)}
    found, asking = [], branch_macros.conditions(parsed.lexed)
    for node, value in kept:
        body_node = functions.get(value.start_byte - len(_HEAD))
        if body_node is not None:
            given = [text(one) for one in tree_sitter_nodes.elements(node.child_by_field_name("parameters"))]
            names = tuple(one.decode("latin-1") for one in given if one != b"...")
            spelled = text(node.child_by_field_name("name"))
            name = asking.get(spelled, spelled).decode("latin-1")
            found.append(Macro(body_node, name, names, b"..." in given, node.start_byte, value.end_byte))
    return made, found


def may_wait(parsed: ParsedFile) -> bool:
    """Whether a macro of a file may be a loop that waits for memory to change."""
    found = (one.argument(parsed.data) for one in parsed.lexed.directives if one.name == "define")
    return any(WAITS.search(one) is not None and any(word in one for word in _MEMORY) for one in found)


def _value(parsed: ParsedFile, node: Node) -> Node | None:
    """The body of a macro that can be read as code by itself."""
    value = node.child_by_field_name("value")
    if value is None or value.start_byte < node.start_byte + len(_HEAD):
        return None
    body = parsed.data[value.start_byte : value.end_byte]
    balanced = all(body.count(pair[:1]) == body.count(pair[1:]) for pair in _BRACKETS)
    return value if balanced and b"#" not in body and b"//" not in body else None


def _chosen(parsed: ParsedFile) -> list[Node]:
    """The macros that speak of threads or of waiting, or use one that does."""
    said = {name.encode() for name in (*sources.kinds(), *sources.barriers(), *sources.results(), "__shared__")}
    plain = {name.partition(b".")[0] for name in said}
    words = CallGraph.of(parsed).words
    every = [
        (node, value) for node in _MACROS.below(parsed.tree.root_node) if (value := node.child_by_field_name("value"))
    ]
    found: list[Node] = [
        node
        for node, value in every
        if WAITS.search(text(value)) is not None or _CROSSES.search(text(value)) is not None
    ]
    if not found and not any(name in parsed.data for name in plain):
        return []
    plain |= {text(one.child_by_field_name("name")) for one in found}
    waiting = [(node, words(span(value))) for node, value in every if node not in found]
    while True:
        more = [node for node, used in waiting if not plain.isdisjoint(used)]
        if not more:
            return sorted(found, key=lambda one: one.start_byte)
        found += more
        plain = {text(one.child_by_field_name("name")) for one in more}
        waiting = [one for one in waiting if one[0] not in more]


class MacroValues:
    """What macros give to the names of a routine, for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._names = frozenset(one.routine.name for one in evaluator.places if one.routine.is_macro)
        self._used: dict[int, list[Place]] = {}

    def of(self, place: Place, name: str, depth: int) -> list[Fact]:
        """What a name is by the macros that a routine uses; that of a macro, by the routines that use it."""
        if not self._names or depth <= 0:
            return []
        evaluator = self.evaluator
        if place.routine.is_macro and name not in place.routine.types:
            calls = evaluator.calls_of(place) or ()
            return [
                evaluator.value(one, ("v", name), None, depth - 1) for one in dict.fromkeys(one for one, _ in calls)
            ]
        if name in self._names and name not in place.routine.types:
            made = ("c", name, (), None)
            return [evaluator.value(place, made, None, depth - 1)]
        return [
            evaluator.value(one, ("v", name), None, depth - 1)
            for one in self._macros(place)
            if name in one.routine.types and name not in one.routine.parameters
        ]

    def is_seen(self, place: Place, target: Place) -> bool:
        """Whether a routine may name another: a macro only if it is of its own file, or of one compiled with it."""
        if not target.routine.is_macro or target.path == place.path or self.evaluator.together is None:
            return True
        return target.path in self.evaluator.together(place.path)

    def is_shared(self, place: Place, name: str) -> bool:
        """Whether a macro that a routine uses declares a name in shared memory."""
        return bool(self._names) and any(name in one.routine.shared for one in self._macros(place))

    def _macros(self, place: Place) -> list[Place]:
        """The macros that a routine uses as statements."""
        if id(place) not in self._used:
            sites = [one for one in place.routine.sites if one.callee in self._names and one.receiver is None]
            found = (target for site in sites for target in self.evaluator.targets(place, site))
            self._used[id(place)] = [one for one in found if one.routine.is_macro and one is not place]
        return self._used[id(place)]


_DRAWS = re.compile(rb"[ \t]*(?P<name>\w+)[^\n]*\b(?:curand|hiprand)\w*\s*\(")
"""A macro that calls a function of cuRAND for kernels, each call of which gives another number."""


def drawing(parsed: ParsedFile) -> frozenset[bytes]:
    """The macros of a file that draw random numbers."""
    lines = (one for one in parsed.lexed.directives if one.name == "define")
    found = (_DRAWS.match(parsed.data, one.rest, one.end) for one in lines)
    return frozenset(match["name"] for match in found if match is not None)
