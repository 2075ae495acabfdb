"""One function with lane code, read statement by statement: does it only reduce, and what would follow the wave?

Comes in: the tree of a function, what expressions are worth, and what the functions it calls come to. Goes out: whether
it returns a value of each warp or of the block, and edits that put the size of the wave where 32 stands. A value is
known by how far it has come: `warp` is one of each warp, `parts` are such values as lanes have fetched them, `block` is
one of the block in its first lanes, `odd` was set by some lanes of each warp. Only what is on the list may be done with
each; anything else is refused in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from migrate.model import Edit
from migrate.shapes import Reduction, Shapes, assignments, below, flattened, reduction
from migrate.values import Values
from migrate.variables import text

_ATOMICS = {b"Add": "+", b"Max": "max", b"Min": "min", b"Or": "|", b"And": "&", b"Xor": "^"}
_ATOMIC = re.compile(rb"atomic(" + b"|".join(_ATOMICS) + rb")")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LANE_CALL = re.compile(
    rb"\b__(?:shfl\w*|ballot\w*|any\w*|all(?:_sync)?|activemask|syncwarp|match\w*|reduce\w*)\s*\("
    rb"|\bcoalesced_threads\b|\btiled_partition\b|\bw?mma\b|\b_*asm_*\b|\bwarpSize\b"
)
_UNIFORM = frozenset(("uniform",))
_FIRST = ({"thread0"}, {"lane0", "wave0"})


class Refused(Exception):  # noqa: N818  an answer, not an error
    """Why a function cannot be shown to work on any wave."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a function returns: `warp`, `block`, or nothing of either, and how values were brought together."""

    stage: str = ""
    by: str = ""


@dataclass(slots=True)
class State:
    """What is known of names at one point."""

    stages: dict[bytes, Result] = field(default_factory=dict)
    filled: dict[bytes, str] = field(default_factory=dict)
    totals: set[bytes] = field(default_factory=set)
    left: bool = False


class Walk:
    """One walk through one function."""

    def __init__(self, values: Values, functions: Mapping[bytes, Node], made: Mapping[bytes, Result]) -> None:
        self.shapes = Shapes(values)
        self.functions, self.made = functions, made
        self.state = State()
        self.result = Result()

    @property
    def edits(self) -> list[Edit]:
        """What puts the size of the wave where 32 stands."""
        return self.shapes.edits

    def function(self, node: Node) -> Result:
        """What a function comes to."""
        self.shapes.learn(node)
        body = node.child_by_field_name("body")
        if body is None or any(inner.type == "lambda_expression" for inner in below(node)):
            raise Refused("a function in a function is not followed")
        self._block(body, _UNIFORM)
        return self.result

    def _block(self, node: Node, guards: frozenset[str]) -> None:
        for statement in node.named_children:
            self._statement(statement, guards)

    def _statement(self, node: Node, guards: frozenset[str]) -> None:
        kind = node.type
        if kind == "comment":
            return
        if kind in ("switch_statement", "try_statement", "labeled_statement") and b"return" in text(node):
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
            raise _more(node)

    def _concerns(self, node: Node) -> bool:
        """Whether anything here has to do with lanes, or with values that came from them."""
        said = text(node)
        if _LANE_CALL.search(said) is not None:
            return True
        watched = self.shapes.names | self.functions.keys() | (self.state.filled.keys() - self.state.totals)
        watched |= self.state.stages.keys()
        for array in self.state.totals:
            if re.search(rb"\b" + re.escape(array) + rb"\b(?!\s*\[\s*0\s*\])", said):
                return True
        return not watched.isdisjoint(_WORD.findall(said)) or self.shapes.counts_lanes(node)

    def _plain(self, node: Node, guards: frozenset[str]) -> None:
        """Code without lanes: all threads may run it, or one of the block; others only set variables of theirs."""
        if guards.isdisjoint(("lane0", "wave0", "within")) or any(first <= guards for first in _FIRST):
            return
        if node.type == "declaration" and b"__shared__" not in text(node):
            return
        listed = list(assignments(node))
        if node.type != "expression_statement" or len(listed) != 1 or listed[0][0].type != "identifier":
            raise Refused(f"as many threads as there are warps run {_what(node)}")
        self.state.stages[text(listed[0][0])] = Result("odd")

    def _if(self, node: Node, guards: frozenset[str]) -> None:
        condition = node.child_by_field_name("condition")
        then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if condition is None or then is None:
            raise _more(node)
        if not self._concerns(node) and b"return" not in text(node):
            return self._plain(node, guards)
        added = frozenset(self._term(term) for term in flattened(condition))
        parts = dict(self.state.stages)
        self._statement(then, guards | added)
        if other is None:
            return None
        inner = other.named_children[-1] if other.type == "else_clause" and other.named_child_count else other
        if added == {"within"}:
            return self._rest(inner, parts)
        return self._statement(inner, guards | (_UNIFORM if added <= _UNIFORM else {"other"}))

    def _rest(self, node: Node, before: dict[bytes, Result]) -> None:
        """What lanes without a part are given: `else value = 0;`"""
        listed = list(assignments(node))
        if (
            node.type != "expression_statement"
            or len(listed) != 1
            or self.state.stages.get(text(listed[0][0]), Result()).stage != "parts"
        ):
            raise _more(node)
        after, self.state.stages = self.state.stages, before
        if self._concerns(listed[0][2]):
            raise _more(node)
        self.state.stages = after

    def _term(self, node: Node) -> str:
        """What a condition says of the threads that go on."""
        known = self.shapes.guard(node)
        if known:
            return known
        if self._concerns(node):
            raise _more(node)
        return "uniform" if self.shapes.is_uniform(node) else "other"

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
            raise _more(node)
        uniform = node.type == "for_statement" and all(self.shapes.is_uniform_in(head, node) for head in heads)
        inner = guards | frozenset(("uniform" if uniform else "other",))
        if re.search(rb"\b(?:continue|break|goto)\b", text(node)):
            inner |= {"other"}
        for _ in range(2):
            self._statement(body, inner)
        return None

    def _reduce(self, found: Reduction, guards: frozenset[str], node: Node) -> None:
        """A loop of shuffles that brings the lanes of a warp to one value."""
        for name, by in found.values:
            self._stage(name, self._brought(self.state.stages.get(name), by, guards, node))
        self.shapes.edits.extend(found.edits)

    def _stage(self, name: bytes, result: Result) -> None:
        """Remember how far a variable has come; it must be the only one of its name, and have no other."""
        if not self.shapes.is_one(name):
            raise Refused(f"`{name.decode('utf-8', 'replace')}` may be another variable too")
        self.state.stages[name] = result

    def _brought(self, before: Result | None, by: str, guards: frozenset[str], node: Node) -> Result:
        """What a value becomes when the lanes are brought together by an operation."""
        if self.state.left:
            raise Refused("some threads have left before the lanes are brought together")
        if before is not None and before.stage == "parts":
            if before.by != by:
                raise Refused("lanes and warps are brought together by different operations")
            if not guards <= {"uniform", "wave0"}:
                raise Refused(f"only some lanes come to {_what(node)}")
            return Result("block", by)
        if before is not None:
            raise Refused(f"a value of each warp goes into {_what(node)}")
        if not guards <= _UNIFORM:
            raise Refused(f"only some threads come to {_what(node)}")
        return Result("warp", by)

    def _sums_up(self, node: Node, guards: frozenset[str]) -> bool:
        """`for (i = 0; i < warps; ++i) sum += parts[i];`"""
        found = self.shapes.run_through(node)
        if found is None:
            return False
        target, by, array = found
        if self.state.filled.get(array) != by:
            raise _more(node)
        self._stage(target, Result("block", by))
        return True

    def _return(self, node: Node, guards: frozenset[str]) -> None:
        value = node.named_children[0] if node.named_child_count else None
        if not guards <= _UNIFORM:
            if value is not None and self._concerns(value):
                raise _more(node)
            self.state.left = True
            return
        if value is None:
            return
        result = self._called(value, guards)
        if result is None:
            result = self.state.stages.get(text(value), Result())
            if not result.stage and self._concerns(value):
                raise _more(node)
        if result.stage == "parts" or (self.result.stage and result != self.result):
            raise _more(node)
        self.result = result

    def _declaration(self, node: Node, guards: frozenset[str]) -> None:
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
            name = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
            if name is None or value is None:
                if b"__shared__" in text(node) or not self._concerns(node):
                    continue
                raise _more(node)
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
            name = text(node.child_by_field_name("function"))
            if name in self.functions and self._called(node, guards) is not None:
                return None
            match = _ATOMIC.fullmatch(name)
            if match is not None and guards >= {"lane0"} and guards <= {"lane0", "uniform"}:
                return self._atomic(node, _ATOMICS[match[1]])
        return self._free(node, guards)

    def _free(self, node: Node, guards: frozenset[str]) -> None:
        """What one thread of the block does with values of the block."""
        words = set(_WORD.findall(text(node)))
        stages = [self.state.stages[word] for word in words if word in self.state.stages]
        single = any(first <= guards for first in _FIRST)
        seen = self.shapes.names | self.functions.keys() | (self.state.filled.keys() - self.state.totals)
        known = single and all(result.stage == "block" for result in stages) and words.isdisjoint(seen)
        if known and _LANE_CALL.search(text(node)) is None and not self.shapes.counts_lanes(node):
            return
        if any(result.stage == "warp" for result in stages) and "lane0" in guards:
            raise Refused(f"one result of each warp is visible outside: {_what(node)}")
        raise _more(node)

    def _atomic(self, node: Node, by: str) -> None:
        arguments = node.child_by_field_name("arguments")
        listed = arguments.named_children if arguments is not None else []
        if len(listed) != 2 or self._concerns(listed[0]):
            raise _more(node)
        if self.state.stages.get(text(listed[1]), Result()) != Result("warp", by):
            raise _more(node)

    def _assign(self, left: Node, operator: bytes, right: Node, guards: frozenset[str]) -> None:
        name = text(left)
        if left.type == "subscript_expression" and self._stores(left, operator, right, guards):
            return
        if left.type == "identifier" and operator == b"=":
            made = self._called(right, guards) or self._fetched(right, guards, name) or self._broadcast(right, guards)
            if made is not None:
                self._stage(name, made)
                if made.stage == "all":
                    del self.state.stages[name]
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
        if not guards <= _UNIFORM:
            self.state.stages[name] = Result("odd")

    def _stores(self, left: Node, operator: bytes, right: Node, guards: frozenset[str]) -> bool:
        """`parts[warp] = value;` by the first lane of each warp, or `parts[0] = total;` by one thread."""
        array, index = text(left.child_by_field_name("argument")), self.shapes.index(left)
        value = self.state.stages.get(text(right), Result())
        if index is None or operator != b"=" or array not in self.shapes.shared:
            return False
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

    def _called(self, node: Node, guards: frozenset[str]) -> Result | None:
        """What a call of a function with lane code comes to; None for anything else."""
        if node.type != "call_expression" or text(node.child_by_field_name("function")) not in self.functions:
            return None
        result = self.made.get(text(node.child_by_field_name("function")))
        arguments = node.child_by_field_name("arguments")
        listed = arguments.named_children if arguments is not None else []
        if result is None or not listed:
            raise _more(node)
        for argument in listed[1:]:
            if self._concerns(argument):
                raise _more(node)
        before = self.state.stages.get(text(listed[0]))
        if before is None and self._concerns(listed[0]):
            raise _more(node)
        if result.stage == "warp":
            return self._brought(before, result.by, guards, node)
        if self.state.left or not guards <= _UNIFORM or (before is not None and before.stage != "block"):
            raise Refused(f"only some threads come to {_what(node)}")
        return result if result.stage else Result("all")

    def _fetched(self, node: Node, guards: frozenset[str], name: bytes) -> Result | None:
        """What warps have left, fetched by one lane each: `lane < warps ? parts[lane] : 0`, or under such an `if`."""
        inner = node
        if node.type == "conditional_expression":
            condition, inner_ = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
            other = node.child_by_field_name("alternative")
            if condition is None or inner_ is None or other is None or self._concerns(other):
                return None
            if [self.shapes.guard(term) for term in flattened(condition)] != ["within"]:
                return None
            inner = inner_
        elif "within" not in guards or self.state.stages.get(name, Result("odd")).stage != "odd":
            return None
        if inner.type != "subscript_expression" or not guards <= {"uniform", "within", "wave0"}:
            return None
        array, index = text(inner.child_by_field_name("argument")), self.shapes.index(inner)
        if array not in self.state.filled or index is None or not self.shapes.is_lane_or_thread(index):
            return None
        self.shapes.write(index)
        return Result("parts", self.state.filled[array])

    def _broadcast(self, node: Node, guards: frozenset[str]) -> Result | None:
        """`__shfl_sync(mask, value, 0)` on a value that its lanes were brought to."""
        found = self.shapes.broadcast(node)
        if found is None:
            return None
        result = self.state.stages.get(found, Result())
        if result.stage not in ("warp", "block") or self.state.left or not guards <= {"uniform", "wave0"}:
            return None
        return result


def _more(node: Node) -> Refused:
    return Refused(f"{_what(node)} does more with lanes than a reduction")


def _what(node: Node) -> str:
    said = " ".join(text(node).decode("utf-8", "replace").split())
    return f"`{said if len(said) <= 60 else said[:57] + '...'}`"
