"""The facts of one function, worked out once: what its expressions measure, and in which threads they are alike.

Every answer comes from `transfer`, after all that the function depends on is settled. What is not seen proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model.warp_graph import AGAIN, Expression
from cudamigrate.warp.expressions import expression
from cudamigrate.warp.facts import UNIFORM, Fact
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator, evaluator_of
from cudamigrate.warp.tree_queries import bare

COUNTS_LANES = b"%"
"""Stands among the words of code that numbers lanes or warps."""
_OF_LANES = ("lane", "warp", "warps")
_DEPTH = 6


class FunctionFacts:
    """Facts of a function in a file. `widths` are template parameters that every launch gives its block's width."""

    def __init__(self, parsed: ParsedFile, function: Node, name: str, widths: frozenset[bytes] = frozenset()) -> None:
        self.values, self.start = Values.of(parsed), function.start_byte
        self.widths = frozenset(one.decode("latin-1") for one in widths)
        self._evaluator: Evaluator = evaluator_of(parsed)
        line = parsed.line(function)
        found = [one for one in self._evaluator.by_name.get(name, ()) if one.routine.line == line]
        self.place: Place | None = found[0] if len(found) == 1 else None
        self._words: dict[int, frozenset[bytes]] = {}
        self.threads: list[Node] = []
        self._variants: dict[str, list[str]] = {}
        self.names: frozenset[bytes] = frozenset()
        if self.place is not None:
            self._settle(self.place)

    def _settle(self, place: Place) -> None:
        routine = place.routine
        variables = dict.fromkeys([*routine.parameters, *(one.name for one in routine.definitions)])
        for name in dict.fromkeys([*variables, *routine.types]):
            self._variants.setdefault(name.partition("#")[0], []).append(name)
        conditions = [(place, at) for at in range(len(routine.conditions))]
        self._evaluator.solve(conditions, [(place, ("v", name)) for name in variables])
        named = (name for name in self._variants if self._exact(("v", name)) in _OF_LANES)
        self.names = frozenset(name.encode("latin-1") for name in named)

    def of(self, node: Node | None) -> Fact:
        """The fact of an expression."""
        assert self.place is not None
        return self._evaluator.value(self.place, self._meant(expression(node), _DEPTH))

    def exact(self, node: Node | None) -> str:
        """Which number of the launch an expression is: `thread`, `lane`, `warp`, `warps`...; empty for others."""
        fact = self.of(node)
        return fact.exact if fact.sure else ""

    def _exact(self, what: Expression) -> str:
        assert self.place is not None
        fact = self._evaluator.value(self.place, self._meant(what, _DEPTH))
        return fact.exact if fact.sure else ""

    def _meant(self, what: Expression, depth: int) -> Expression:
        """An expression in which a name that is declared several times is any of them, and a block's width is that."""
        if what[0] != "v":
            return tuple(
                self._meant(part, depth)
                if isinstance(part, tuple) and part and isinstance(part[0], str)
                else tuple(self._meant(one, depth) for one in part)
                if isinstance(part, tuple)
                else part
                for part in what
            )
        if what[1] in self.widths:
            return ("k", "threads")
        names = self._variants.get(what[1], [what[1]])
        if len(names) > 1:
            return ("a", *(("v", name) for name in names))
        value = self._only_value(what[1]) if self.widths and depth else None
        return what if value is None else self._meant(value, depth - 1)

    def _only_value(self, name: str) -> Expression | None:
        """The one value of a variable, where nothing else gives it one."""
        assert self.place is not None
        routine = self.place.routine
        found = [one for one in routine.definitions if one.name == name]
        lone = len(found) == 1 and not found[0].guards and name not in routine.parameters
        return found[0].value if lone and name not in routine.taken | routine.handed else None

    def words(self, node: Node) -> frozenset[bytes]:
        """The names in a piece of code, and `COUNTS_LANES` where a lane or warp is numbered.

        What numbers the thread by its warp and lane is left out: it is the same on any wave.
        """
        if node.id not in self._words:
            self._words[node.id] = self._read(node)
        return self._words[node.id]

    def _read(self, node: Node) -> frozenset[bytes]:
        exact = self.exact(node) if node.type == "binary_expression" else ""
        if exact == "thread":
            self.threads.append(node)
            return frozenset()
        if not node.named_child_count:
            return frozenset((text(node),)) if node.type.endswith("identifier") else frozenset()
        own = [COUNTS_LANES] if exact in _OF_LANES else [b"asm"] if node.type == "gnu_asm_expression" else []
        return frozenset(own).union(*(self.words(one) for one in node.named_children))

    def is_uniform(self, node: Node | None) -> bool:
        """Whether all threads of a block are seen to find the same value."""
        fact = self.of(node)
        return fact.level == UNIFORM and fact.sure

    def is_one_place(self, node: Node | None) -> bool:
        """Whether all threads of a block name the same place in memory: `out`, `out + row`, `&out[row]`, `&shared`."""
        assert self.place is not None
        node = bare(node)
        if node is None:
            return False
        part, shared = node.child_by_field_name, self.place.routine.shared
        if node.type == "identifier" and text(node).decode("latin-1") in shared:
            return True
        if node.type == "pointer_expression" and text(part("operator")) == b"&":
            inner = bare(part("argument"))
            if inner is not None and inner.type == "subscript_expression":
                index = inner.named_children[-1]
                return self.is_one_place(inner.child_by_field_name("argument")) and self.is_uniform(index)
            return inner is not None and inner.type == "identifier" and self.is_one_place(inner)
        if node.type == "binary_expression" and text(part("operator")) == b"+":
            return self.is_one_place(part("left")) and self.is_uniform(part("right"))
        return node.type not in ("update_expression", "assignment_expression") and self.is_uniform(node)

    @property
    def types(self) -> Collection[str]:
        """The types of the variables and parameters."""
        return self.place.routine.types.values() if self.place is not None else ()

    def is_one_variable(self, name: bytes) -> bool:
        """Whether a name stands for one variable, which is reached by that name alone."""
        assert self.place is not None
        spelled = name.decode("latin-1")
        variants = [one for one in self._variants.get(spelled, ()) if not one.endswith(AGAIN)]
        declared = spelled in self.place.routine.types and len(variants) == 1
        return declared and spelled not in self.place.routine.taken

    def is_shared_array(self, name: bytes) -> bool:
        """Whether a name is an array in shared memory."""
        assert self.place is not None
        found = self.values.locals(self.start).get(name, ())
        return name.decode("latin-1") in self.place.routine.shared and any(local.rank for local in found)
