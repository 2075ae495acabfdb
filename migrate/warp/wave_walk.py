"""One function with warp-level code, read statement by statement: does it only reduce, and what would follow the wave?

Only what is on the list may be done with a value, by how far it has come; anything else is refused in words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import called
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.warp.tree_queries import below, template_parameters
from cudamigrate.warp.wave_reductions import (
    BRANCHES,
    Reduction,
    assignments,
    branches,
    part_of,
    reduction,
    row,
    run_through,
    waits,
)
from cudamigrate.warp.wave_values import (
    BLOCK_FIRST,
    UNIFORM,
    LaneValues,
    Refused,
    Result,
    State,
    among_conditions,
    more,
    what,
)

_ATOMICS = {
    b"atomicAdd": "+",
    b"atomicMax": "max",
    b"atomicMin": "min",
    b"atomicOr": "|",
    b"atomicAnd": "&",
    b"atomicXor": "^",
}
"""Atomic operations that give one result in any order."""
_CHOSEN = frozenset(("lane0", "wave0", "thread0", "within"))
_FIRST = ({"thread0"}, {"lane0", "wave0"})
_OPAQUE = ("switch_statement", "try_statement", "labeled_statement")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_LEAVES = ("continue_statement", "break_statement", "goto_statement")
_PURE = frozenset(
    b"min max abs sqrt exp log minf maxf absf sqrtf expf logf fmin fmax fabs fminf fmaxf fabsf rsqrtf __expf __ldg"
    b" static_cast bool char short int long unsigned float double".split()
)
"""Functions of CUDA's that have no effect but their result."""
_VECTOR = re.compile(rb"make_(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]")
"""CUDA's functions that make a vector: `make_float2`."""


class Walk(LaneValues):
    """One walk through one function."""

    def function(self, node: Node) -> Result:
        """What a function comes to."""
        body = node.child_by_field_name("body")
        if body is None or any(inner.type in ("lambda_expression", "goto_statement") for inner in below(node)):
            raise Refused("a function in a function is not followed", "make it a function of the file")
        self._block(body, UNIFORM)
        for one in self.code.threads:
            self.code.write(one)
        return self.result

    def _block(self, node: Node, guards: frozenset[str]) -> None:
        self._all([one for one in node.named_children if one.type != "comment"], guards)

    def _all(self, listed: Sequence[Node], guards: frozenset[str]) -> None:
        """Statements one after another."""
        at = 0
        while at < len(listed):
            at += self._row(listed[at:], guards)

    def _row(self, listed: Sequence[Node], guards: frozenset[str]) -> int:
        """One statement, or a row of shuffles that belong together; how many there were."""
        found = row(self.code, listed) if listed[0].type == "expression_statement" else None
        if found is None:
            self._statement(listed[0], guards)
            return 1
        self._reduce(found, guards, listed[0])
        return 5

    def _statement(self, node: Node, guards: frozenset[str]) -> None:
        kind = node.type
        if kind in ("comment", "preproc_call", "static_assert_declaration"):
            return
        if (kind in _OPAQUE or kind.startswith("preproc_")) and b"return" in text(node):
            self.state.left = True
        if (read := _READ.get(kind)) is not None:
            read(self, node, guards)
        elif not self.concerns(node):
            self._plain(node, guards)
        elif kind in BRANCHES:
            self._preprocessed(node, guards)
        elif kind == "declaration":
            self._declaration(node, guards)
        elif kind == "expression_statement":
            self._expression(node.named_children[0] if node.named_child_count else node, guards)
        else:
            raise more(node)

    def _preprocessed(self, node: Node, guards: frozenset[str]) -> None:
        """Branches of the preprocessor: any one of them is compiled, or none, and each must hold by itself."""
        first, other = branches(node)
        before = self.state.copy()
        self._all(first, guards)
        after, self.state = self.state, before
        self._all(other, guards)
        self.state = after.met(self.state)

    def _plain(self, node: Node, guards: frozenset[str]) -> None:
        """Code without lanes: all threads may run it, or one of the block; others only set variables of theirs."""
        if not _is_chosen(guards):
            return
        listed = list(assignments(node))
        pure = all(self._is_pure(inner) for inner in below(node) if inner.type == "call_expression")
        if node.type == "declaration" and b"__shared__" not in text(node) and pure and not listed:
            return
        if node.type != "expression_statement" or len(listed) != 1 or listed[0][0].type != "identifier" or not pure:
            raise Refused(f"as many threads as there are warps run {what(node)}", "let one thread of the block run it")
        self.state.stages[text(listed[0][0])] = Result("odd")

    def _is_pure(self, call: Node) -> bool:
        """Whether a call only gives a value: one of a function of CUDA's that the file does not define, or a type's."""
        name = called(call).removeprefix(b"std::")
        if any(function.name.encode() == name for function in self.code.values.parsed.functions):
            return False
        return name in _PURE or _VECTOR.fullmatch(name) is not None or name in template_parameters(call)

    def _if(self, node: Node, guards: frozenset[str]) -> None:
        condition = node.child_by_field_name("condition")
        then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if condition is None or then is None:
            raise more(node)
        if not self.concerns(node) and b"return" not in text(node):
            return self._plain(node, guards)
        added = frozenset(self.term(term) for term in among_conditions(condition))
        before = self.state.copy()
        self._statement(then, guards | added)
        inner = other.named_children[-1] if other is not None and other.type == "else_clause" else other
        if added <= _CHOSEN:
            if inner is not None and added == {"within"}:
                self._rest(inner, before)
            elif inner is not None:
                self._statement(inner, guards | {"other" if added == {"thread0"} else "rest"})
            return None
        after, self.state = self.state, before
        if inner is not None:
            self._statement(inner, guards | (UNIFORM if added <= UNIFORM else {"other"}))
        self.state = after.met(self.state)
        return None

    def _rest(self, node: Node, before: State) -> None:
        """What lanes without a part are given: `else value = 0;`"""
        listed = list(assignments(node))
        value = self.state.stages.get(text(listed[0][0]), Result()) if len(listed) == 1 else Result()
        if node.type != "expression_statement" or value.stage != "parts":
            raise more(node)
        after, self.state = self.state, before
        if self.concerns(listed[0][2]) or not self.is_neutral(value.by, listed[0][2]):
            raise more(node)
        self.state = after

    def _loop(self, node: Node, guards: frozenset[str]) -> None:
        found = reduction(self.code, node)
        if found is not None:
            return self._reduce(found, guards, node)
        if self._sums_up(node):
            return None
        body = node.child_by_field_name("body")
        if body is None or (not self.concerns(node) and b"return" not in text(node)):
            return self._plain(node, guards)
        heads = [part for name in ("initializer", "condition", "update") if (part := node.child_by_field_name(name))]
        if any(self.concerns(head) for head in heads):
            raise more(node)
        test = node.child_by_field_name("condition")
        in_step = node.type == "for_statement" and (test is None or self.code.is_uniform(test))
        in_step = in_step and not any(inner.type in _LEAVES for inner in below(node))
        inner = guards | frozenset(("uniform" if in_step else "other",))
        before = self.state.copy()
        for _ in range(2):
            self._statement(body, inner)
        self.state = self.state.met(before)
        return None

    def _reduce(self, found: Reduction, guards: frozenset[str], node: Node) -> None:
        """A loop of shuffles that brings the lanes of a warp to one value."""
        for name, by in found.values:
            self.reduced.add((node.start_byte, name))
            result = Result("warp", by, found.spread)
            self.stage(name, self.brought(self.state.stages.get(name), result, guards, node))
        self.code.edits.extend(found.edits)

    def _sums_up(self, node: Node) -> bool:
        """`for (i = 0; i < warps; ++i) sum += parts[i];`"""
        found = run_through(self.code, node)
        if found is None:
            return False
        target, by, array = found
        if self.state.filled.get(array) != by or target in self.state.stages:
            raise more(node)
        self.stage(target, Result("block", by))
        self.gathered = True
        return True

    def _return(self, node: Node, guards: frozenset[str]) -> None:
        value = node.named_children[0] if node.named_child_count else None
        if not guards <= UNIFORM:
            if (value is not None and self.concerns(value)) or _is_chosen(guards):
                raise more(node)
            self.state.left = True
            return
        if value is None:
            return
        result = self.of_call(value, guards)
        if result is None:
            result = self.state.stages.get(text(value), Result())
            if not result.stage and self.concerns(value):
                raise more(node)
        if result.stage in ("parts", "mixed") or (self.returned and result != self.result):
            raise more(node)
        self.result, self.returned = result, True

    def _declaration(self, node: Node, guards: frozenset[str]) -> None:
        constant = any(text(one) in (b"const", b"constexpr") for one in node.named_children)
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
            name = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
            if name is None or value is None:
                if b"__shared__" in text(node) or not self.concerns(node):
                    continue
                raise more(node)
            if text(name) in self.code.names and not (constant and self.code.values.constant(value) is not None):
                self.code.write(value)
                continue
            self._assign(name, b"=", value, guards)

    def _expression(self, node: Node, guards: frozenset[str]) -> None:
        if node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                return self._assign(left, text(node.child_by_field_name("operator")), right, guards)
        if node.type == "call_expression":
            name = called(node)
            if name in self.functions and self.of_call(node, guards) is not None:
                return None
            if waits(self.code, node):
                return None
            if name in _ATOMICS and {"lane0"} <= guards <= {"lane0", "uniform"}:
                return self._atomic(node, _ATOMICS[name])
        return self._free(node, guards)

    def _free(self, node: Node, guards: frozenset[str]) -> None:
        """What one thread of the block does with values of the block."""
        words = self.code.words(node)
        stages = [self.state.stages[word].stage for word in words if word in self.state.stages]
        single = any(first <= guards for first in _FIRST)
        known = single and all(stage == "block" for stage in stages) and words.isdisjoint(self.watched())
        if known and not self.says_lanes(words):
            return
        if "warp" in stages and "lane0" in guards:
            raise Refused(f"one result of each warp is visible outside: {what(node)}", BLOCK_FIRST)
        raise more(node)

    def _atomic(self, node: Node, by: str) -> None:
        arguments = node.child_by_field_name("arguments")
        listed = arguments.named_children if arguments is not None else []
        if len(listed) != 2 or self.concerns(listed[0]) or not self.code.is_one_place(listed[0]):
            raise more(node)
        value = self.state.stages.get(text(listed[1]), Result())
        if value.stage != "warp" or value.by != by:
            raise more(node)

    def _assign(self, left: Node, operator: bytes, right: Node, guards: frozenset[str]) -> None:
        name = text(left)
        if left.type == "subscript_expression" and self._stores(left, operator, right, guards):
            return
        if left.type == "identifier" and operator == b"=":
            made = self.of_value(right, guards, name)
            if made is not None:
                self.stage(name, made)
                return
            if not self.concerns(right) and name not in self.code.names:
                self._set(name, guards)
                return
        self._free(left.parent or right, guards)
        if left.type == "subscript_expression" and text(left.child_by_field_name("argument")) in self.state.filled:
            self.state.totals.add(text(left.child_by_field_name("argument")))

    def _set(self, name: bytes, guards: frozenset[str]) -> None:
        """A variable is given something else."""
        self.state.stages.pop(name, None)
        if not guards <= UNIFORM:
            self.state.stages[name] = Result("odd")

    def _stores(self, left: Node, operator: bytes, right: Node, guards: frozenset[str]) -> bool:
        """`parts[warp] = value;` by the first lane of each warp, or `parts[0] = total;` by one thread."""
        found = part_of(self.code, left)
        value = self.state.stages.get(text(right), Result())
        if found is None or operator != b"=" or not self.code.is_shared_array(found[0]):
            return False
        array, index = found
        if self.code.exact(index) == "warp" and value.stage == "warp" and {"lane0"} <= guards <= {"lane0", "uniform"}:
            self.code.write(index)
            self.state.filled[array] = value.by
            self.state.totals.discard(array)
            return True
        single = any(first <= guards for first in _FIRST)
        if single and value.stage == "block" and text(index) == b"0":
            self.state.totals.add(array)
            return True
        return False


def _is_chosen(guards: frozenset[str]) -> bool:
    """Whether conditions choose other threads where a warp has more lanes."""
    chosen = guards & {"lane0", "wave0", "within", "rest"}
    return bool(chosen) and ("rest" in chosen or not any(first <= guards for first in _FIRST))


_READ: dict[str, Callable[[Walk, Node, frozenset[str]], None]] = {
    "compound_statement": Walk._block,
    "if_statement": Walk._if,
    "return_statement": Walk._return,
    **dict.fromkeys(_LOOPS, Walk._loop),
}
