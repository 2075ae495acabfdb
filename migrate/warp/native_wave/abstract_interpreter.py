"""One function with lane code, read statement by statement: does it only reduce, and what would follow the wave?

Comes in: the tree of a function, what its names mean, and what the functions it calls come to. Goes out: whether it
returns a value of each warp or of the block, and edits that put the size of the wave where 32 stands. Only what is on
the list may be done with a value, by how far it has come; anything else is refused in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import called
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.warp.native_wave import shuffle_reductions
from cudamigrate.warp.native_wave.abstract_values import LANE_CALL, UNIFORM, WORD, LaneValues
from cudamigrate.warp.native_wave.identity_elements import is_neutral
from cudamigrate.warp.native_wave.lane_idioms import assignments, below, flattened
from cudamigrate.warp.native_wave.lattice import BLOCK_FIRST, Refused, Result, State, more, what
from cudamigrate.warp.native_wave.shuffle_reductions import Reduction, reduction, row
from cudamigrate.warp.native_wave.uniformity import go_in_step, is_one_place

_ATOMICS = {b"Add": "+", b"Max": "max", b"Min": "min", b"Or": "|", b"And": "&", b"Xor": "^"}
_ATOMIC = re.compile(rb"atomic(" + b"|".join(_ATOMICS) + rb")")
"""An atomic operation that gives one result in any order: `atomicAdd`, `atomicMax`; not `atomicExch`."""
_CHOSEN = frozenset(("lane0", "wave0", "thread0", "within"))
_FIRST = ({"thread0"}, {"lane0", "wave0"})
_OPAQUE = ("switch_statement", "try_statement", "labeled_statement")
_PURE = re.compile(
    rb"(?:(?:(?:std::)?(?:min|max|abs|sqrt|exp|log)f?|f(?:min|max|abs)f?|r?sqrtf|__expf|__ldg|static_cast|bool|char|short|int|long"
    rb"|unsigned|float|double|T|make_\w+)(?: |$))*"
)
"""Names of calls, joined by blanks, that all have no effect but their result: `fmaxf static_cast make_float2`."""


class Walk(LaneValues):
    """One walk through one function."""

    def function(self, node: Node) -> Result:
        """What a function comes to."""
        self.shapes.learn(node)
        go_in_step(self.shapes, node)
        body = node.child_by_field_name("body")
        if body is None or any(inner.type == "lambda_expression" for inner in below(node)):
            raise Refused("a function in a function is not followed", "make it a function of the file")
        self._block(body, UNIFORM)
        return self.result

    def _block(self, node: Node, guards: frozenset[str]) -> None:
        listed = [one for one in node.named_children if one.type != "comment"]
        at = 0
        while at < len(listed):
            at += self._row(listed[at:], guards)

    def _row(self, listed: Sequence[Node], guards: frozenset[str]) -> int:
        """One statement, or a row of shuffles that belong together; how many there were."""
        found = row(self.shapes, listed) if listed[0].type == "expression_statement" else None
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
        if kind == "compound_statement":
            self._block(node, guards)
        elif kind == "if_statement":
            self._if(node, guards)
        elif kind in ("for_statement", "while_statement", "do_statement", "for_range_loop"):
            self._loop(node, guards)
        elif kind == "return_statement":
            self._return(node, guards)
        elif not self._concerns(node):
            self._plain(node, guards)
        elif kind == "declaration":
            self._declaration(node, guards)
        elif kind == "expression_statement":
            self._expression(node.named_children[0] if node.named_child_count else node, guards)
        else:
            raise more(node)

    def _plain(self, node: Node, guards: frozenset[str]) -> None:
        """Code without lanes: all threads may run it, or one of the block; others only set variables of theirs."""
        if not self._is_chosen(guards):
            return
        listed, pure = list(assignments(node)), _PURE.fullmatch(b" ".join(_called_in(node))) is not None
        if node.type == "declaration" and b"__shared__" not in text(node) and pure and not listed:
            return
        if node.type != "expression_statement" or len(listed) != 1 or listed[0][0].type != "identifier" or not pure:
            raise Refused(f"as many threads as there are warps run {what(node)}", "let one thread of the block run it")
        self.state.stages[text(listed[0][0])] = Result("odd")

    def _is_chosen(self, guards: frozenset[str]) -> bool:
        """Whether conditions choose other threads where a warp has more lanes."""
        chosen = guards & {"lane0", "wave0", "within", "rest"}
        return bool(chosen) and ("rest" in chosen or not any(first <= guards for first in _FIRST))

    def _if(self, node: Node, guards: frozenset[str]) -> None:
        condition = node.child_by_field_name("condition")
        then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if condition is None or then is None:
            raise more(node)
        if not self._concerns(node) and b"return" not in text(node):
            return self._plain(node, guards)
        added = frozenset(self._term(term) for term in flattened(condition))
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
        if self._concerns(listed[0][2]) or not is_neutral(self.shapes, value.by, listed[0][2]):
            raise more(node)
        self.state = after

    def _loop(self, node: Node, guards: frozenset[str]) -> None:
        found = reduction(self.shapes, node)
        if found is not None:
            return self._reduce(found, guards, node)
        if self._sums_up(node, guards):
            return None
        body = node.child_by_field_name("body")
        if body is None or (not self._concerns(node) and b"return" not in text(node)):
            return self._plain(node, guards)
        heads = [part for name in ("initializer", "condition", "update") if (part := node.child_by_field_name(name))]
        if any(self._concerns(head) for head in heads):
            raise more(node)
        uniform = node.type == "for_statement" and all(self.shapes.is_uniform_in(head, node) for head in heads)
        inner = guards | frozenset(("uniform" if uniform else "other",))
        if re.search(rb"\b(?:continue|break|goto)\b", text(node)):
            inner |= {"other"}
        in_step = uniform and inner <= UNIFORM | guards
        own = set(shuffle_reductions.own_variables(node)) - self.state.steps if in_step else set[bytes]()
        before = self.state.copy()
        self.state.steps |= own
        for _ in range(2):
            self._statement(body, inner)
        self.state = self.state.met(before)
        return None

    def _reduce(self, found: Reduction, guards: frozenset[str], node: Node) -> None:
        """A loop of shuffles that brings the lanes of a warp to one value."""
        for name, by in found.values:
            self.reduced.add((node.start_byte, name))
            result = Result("warp", by, found.spread)
            self._stage(name, self._brought(self.state.stages.get(name), result, guards, node))
        self.shapes.edits.extend(found.edits)

    def _sums_up(self, node: Node, guards: frozenset[str]) -> bool:
        """`for (i = 0; i < warps; ++i) sum += parts[i];`"""
        found = shuffle_reductions.run_through(self.shapes, node)
        if found is None:
            return False
        target, by, array = found
        if self.state.filled.get(array) != by or target in self.state.stages:
            raise more(node)
        self._stage(target, Result("block", by))
        self.gathered = True
        return True

    def _return(self, node: Node, guards: frozenset[str]) -> None:
        value = node.named_children[0] if node.named_child_count else None
        if not guards <= UNIFORM:
            if (value is not None and self._concerns(value)) or self._is_chosen(guards):
                raise more(node)
            self.state.left = True
            return
        if value is None:
            return
        result = self._called(value, guards)
        if result is None:
            result = self.state.stages.get(text(value), Result())
            if not result.stage and self._concerns(value):
                raise more(node)
        if result.stage in ("parts", "mixed") or (self.returned and result != self.result):
            raise more(node)
        self.result, self.returned = result, True

    def _declaration(self, node: Node, guards: frozenset[str]) -> None:
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
            name = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
            if name is None or value is None:
                if b"__shared__" in text(node) or not self._concerns(node):
                    continue
                raise more(node)
            if self.shapes.names_lanes(text(name)):
                self.shapes.write(value)
                continue
            self._assign(name, b"=", value, guards)

    def _expression(self, node: Node, guards: frozenset[str]) -> None:
        if node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = text(node.child_by_field_name("operator"))
            if left is not None and right is not None:
                return self._assign(left, operator, right, guards)
        if node.type == "call_expression":
            name = called(node)
            if name in self.functions and self._called(node, guards) is not None:
                return None
            if shuffle_reductions.waits(self.shapes, node):
                return None
            match = _ATOMIC.fullmatch(name)
            if match is not None and guards >= {"lane0"} and guards <= {"lane0", "uniform"}:
                return self._atomic(node, _ATOMICS[match[1]])
        return self._free(node, guards)

    def _free(self, node: Node, guards: frozenset[str]) -> None:
        """What one thread of the block does with values of the block."""
        words = set(WORD.findall(text(node)))
        stages = [self.state.stages[word] for word in words if word in self.state.stages]
        single = any(first <= guards for first in _FIRST)
        seen = self.shapes.names | self.functions.keys() | (self.state.filled.keys() - self.state.totals)
        known = single and all(result.stage == "block" for result in stages) and words.isdisjoint(seen)
        if known and LANE_CALL.search(text(node)) is None and not self.shapes.counts_lanes(node):
            return
        if any(result.stage == "warp" for result in stages) and "lane0" in guards:
            raise Refused(f"one result of each warp is visible outside: {what(node)}", BLOCK_FIRST)
        raise more(node)

    def _atomic(self, node: Node, by: str) -> None:
        arguments = node.child_by_field_name("arguments")
        listed = arguments.named_children if arguments is not None else []
        if len(listed) != 2 or self._concerns(listed[0]) or not is_one_place(self.shapes, listed[0]):
            raise more(node)
        value = self.state.stages.get(text(listed[1]), Result())
        if value.stage != "warp" or value.by != by:
            raise more(node)

    def _assign(self, left: Node, operator: bytes, right: Node, guards: frozenset[str]) -> None:
        name = text(left)
        if left.type == "subscript_expression" and self._stores(left, operator, right, guards):
            return
        if left.type == "identifier" and operator == b"=":
            made = self._called(right, guards) or self._fetched(right, guards, name) or self._broadcast(right, guards)
            made = made or self._counted(right, guards)
            if made is not None:
                self._stage(name, made)
                return
            if not self._concerns(right) and not self.shapes.names_lanes(name):
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
        found = shuffle_reductions.part_of(self.shapes, left, self.state.steps)
        value = self.state.stages.get(text(right), Result())
        if found is None or operator != b"=" or found[0] not in self.shapes.shared:
            return False
        array, index = found
        if (
            self.shapes.is_warp(index)
            and value.stage == "warp"
            and "lane0" in guards
            and guards <= {"lane0", "uniform"}
        ):
            self.shapes.write(index)
            self.state.filled[array] = value.by
            self.state.totals.discard(array)
            return True
        single = any(first <= guards for first in _FIRST)
        if single and value.stage == "block" and text(index) == b"0":
            self.state.totals.add(array)
            return True
        return False


def _called_in(node: Node) -> list[bytes]:
    """The functions that a piece of code calls."""
    return [called(inner) for inner in below(node) if inner.type == "call_expression"]
