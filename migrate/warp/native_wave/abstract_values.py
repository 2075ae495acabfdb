"""Values in a function with lane code: how far each has come from its lane to the block, and what brings it there.

Comes in: expressions of one function, what its names mean, what the functions it calls come to, and which threads come
to a place. Goes out: what is known of the value, or why it may not be made so.
"""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import called
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.warp.native_wave import shuffle_reductions
from cudamigrate.warp.native_wave.identity_elements import else_value, is_neutral, set_before
from cudamigrate.warp.native_wave.lane_idioms import Shapes, flattened
from cudamigrate.warp.native_wave.lattice import ALIKE, ALL_COME, BLOCK_FIRST, STAY, Refused, Result, State, more, what

WORD = re.compile(rb"[A-Za-z_]\w*")
LANE_CALL = re.compile(
    rb"\b__(?:shfl\w*|ballot\w*|any\w*|all(?:_sync)?|activemask|syncwarp|match\w*|reduce\w*)\s*\("
    rb"|\bcoalesced_threads\b|\btiled_partition\b|\bw?mma\b|\b_*asm_*\b|\bwarpSize\b"
)
"""What exchanges values between lanes or depends on their number: `__shfl_sync(`, `tiled_partition`, `wmma`, `asm`."""
UNIFORM = frozenset(("uniform",))


class LaneValues:
    """What is known of the values of one function, as a walk through it goes on."""

    def __init__(self, shapes: Shapes, functions: Mapping[bytes, Node], made: Mapping[bytes, Result]) -> None:
        self.shapes = shapes
        self.functions, self.made = functions, made
        self.state = State()
        self.result = Result()
        self.gathered = self.returned = False
        self.reduced: set[tuple[int, bytes]] = set()

    def _concerns(self, node: Node) -> bool:
        """Whether anything here has to do with lanes, or with values that came from them."""
        said = self.shapes.cleared(node)
        if LANE_CALL.search(said) is not None:
            return True
        watched = self.shapes.names | self.functions.keys() | (self.state.filled.keys() - self.state.totals)
        watched |= self.state.stages.keys()
        for array in self.state.totals:
            if re.search(rb"\b" + re.escape(array) + rb"\b(?!\s*\[\s*0\s*\])", said):
                return True
        return not watched.isdisjoint(WORD.findall(said)) or self.shapes.counts_lanes(node)

    def _term(self, node: Node) -> str:
        """What a condition says of the threads that go on."""
        known = self.shapes.guard(node)
        if known:
            return known
        if self._concerns(node):
            raise more(node)
        return "uniform" if self.shapes.is_uniform(node) else "other"

    def _stage(self, name: bytes, result: Result) -> None:
        """Remember how far a variable has come; it must be the only one of its name, and have no other."""
        if not self.shapes.is_one(name):
            raise Refused(f"`{name.decode()}` may be another variable too", "give it a name of its own and no pointer")
        self.state.stages[name] = result
        if result.stage == "all" or (result.stage == "block" and result.spread):
            del self.state.stages[name]

    def _brought(self, before: Result | None, made: Result, guards: frozenset[str], node: Node) -> Result:
        """What a value becomes when the lanes are brought together by an operation."""
        if self.state.left:
            raise Refused("some threads have left before the lanes are brought together", STAY)
        if before is not None and before.stage == "parts":
            if before.by != made.by:
                raise Refused("lanes and warps are brought together by different operations", ALIKE)
            if not guards <= {"uniform", "wave0"}:
                raise Refused(f"only some lanes come to {what(node)}", ALL_COME)
            return Result("block", made.by, before.spread and made.spread and guards <= UNIFORM)
        if before is not None:
            raise Refused(f"a value of each warp goes into {what(node)}", BLOCK_FIRST)
        if not guards <= UNIFORM:
            raise Refused(f"only some threads come to {what(node)}", ALL_COME)
        return made

    def _called(self, node: Node, guards: frozenset[str]) -> Result | None:
        """What a call of a function with lane code comes to; None for anything else."""
        if node.type != "call_expression" or called(node) not in self.functions:
            return None
        result = self.made.get(called(node))
        arguments = node.child_by_field_name("arguments")
        listed = arguments.named_children if arguments is not None else []
        if result is None or not listed:
            raise more(node)
        for argument in listed[1:]:
            if self._concerns(argument):
                raise more(node)
        before = self.state.stages.get(text(listed[0]))
        if before is None and self._concerns(listed[0]):
            raise more(node)
        if result.stage == "warp":
            return self._brought(before, result, guards, node)
        if self.state.left or not guards <= UNIFORM or before is not None:
            raise Refused(f"only some threads come to {what(node)}", ALL_COME)
        return result if result.stage else Result("all")

    def _fetched(self, node: Node, guards: frozenset[str], name: bytes) -> Result | None:
        """What warps have left, fetched by one lane each: `lane < warps ? parts[lane] : 0`, or under such an `if`."""
        inner, everywhere = node, False
        if node.type == "conditional_expression":
            condition, inner_ = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
            other = node.child_by_field_name("alternative")
            if condition is None or inner_ is None or other is None or self._concerns(other):
                return None
            if [self.shapes.guard(term) for term in flattened(condition)] != ["within"]:
                return None
            inner = inner_
        elif "within" in guards and self.state.stages.get(name, Result("odd")).stage == "odd":
            other = set_before(node, name) or else_value(node, name)
        else:
            everywhere, other = True, None
        if inner.type != "subscript_expression" or not guards <= {"uniform", "within", "wave0"}:
            return None
        found = shuffle_reductions.part_of(self.shapes, inner, self.state.steps)
        if found is None or found[0] not in self.state.filled or not self.shapes.is_lane_or_thread(found[1]):
            return None
        by = self.state.filled[found[0]]
        if everywhere and not shuffle_reductions.bounded(self.shapes, inner, found[1], by):
            return None
        if not everywhere and not is_neutral(self.shapes, by, other, self.state.steps):
            raise Refused(f"lanes without a part bring a value of their own to {what(node)}", STAY)
        self.shapes.write(found[1])
        self.gathered = True
        spread = (
            self.shapes.kind(found[1]) == "lane"
            and guards <= UNIFORM
            and shuffle_reductions.by_lanes(self.shapes, node)
        )
        return Result("parts", by, spread)

    def _counted(self, node: Node, guards: frozenset[str]) -> Result | None:
        """`__popc(__ballot_sync(mask, condition))` is the sum of a vote over the lanes of a warp."""
        if self.state.left or not guards <= UNIFORM:
            return None
        condition = shuffle_reductions.counted(self.shapes, node)
        if condition is None:
            return None
        if self._concerns(condition):
            raise more(node)
        return Result("warp", "+")

    def _broadcast(self, node: Node, guards: frozenset[str]) -> Result | None:
        """`__shfl_sync(mask, value, 0)` on a value that its lanes were brought to."""
        found = shuffle_reductions.broadcast(self.shapes, node)
        if found is None:
            return None
        result = self.state.stages.get(found, Result())
        if result.stage not in ("warp", "block") or self.state.left or not guards <= {"uniform", "wave0"}:
            return None
        return result
