"""How far a value has come on its way through the lanes and warps of a block, and why a proof ends.

A value is known by its stage: `warp` is one of each warp, `parts` are such values as lanes have fetched them, `block`
is one of the block in its first lanes, `odd` was set by some lanes of each warp, `mixed` is one thing or another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import called
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.syntax.tree_sitter_nodes import ancestors
from cudamigrate.warp.function_facts import COUNTS_LANES
from cudamigrate.warp.identity_elements import is_identity
from cudamigrate.warp.tree_queries import bare, below
from cudamigrate.warp.wave_edits import WaveEdits
from cudamigrate.warp.wave_reductions import assignments, bounded, broadcast, counted, part_of

UNIFORM = frozenset(("uniform",))
_ACROSS = (b"__shfl", b"__ballot", b"__any", b"__activemask", b"__syncwarp", b"__match", b"__reduce")
_LANE_WORDS = frozenset(b"__all __all_sync coalesced_threads tiled_partition mma wmma asm warpSize".split())

STAY = "let threads without work bring a value that changes nothing, and stay"
ALIKE = "bring warps together by the operation of the lanes"
ALL_COME = "let all threads of the block come to it"
BLOCK_FIRST = "bring the results of the warps together in the block, and go on with that"


class Refused(Exception):  # noqa: N818  an answer, not an error
    """Why a function cannot be shown to work on any wave, and what would have to change."""

    def __init__(self, reason: str, cure: str = "write its warp-level code for `warpSize` lanes") -> None:
        super().__init__(reason)
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Result:
    """A stage, and by which operation values were brought together.

    `spread` says that every lane of the warp has it; of `parts`, that every warp has fetched them.
    """

    stage: str = ""
    by: str = ""
    spread: bool = False


@dataclass(slots=True)
class State:
    """What is known of names at one point: of values, of arrays that warps left results in, of arrays with a total."""

    stages: dict[bytes, Result] = field(default_factory=dict)
    filled: dict[bytes, str] = field(default_factory=dict)
    totals: set[bytes] = field(default_factory=set)
    left: bool = False

    def copy(self) -> State:
        """What is known now, to go on from later."""
        return State(dict(self.stages), dict(self.filled), set(self.totals), self.left)

    def met(self, other: State) -> State:
        """What is known where one of two ways was taken, and it is not known which."""
        names = self.stages.keys() | other.stages.keys()
        alike = {name: made for name, made in self.stages.items() if other.stages.get(name) == made}
        filled = {**self.filled, **other.filled}
        for name in self.filled.keys() & other.filled.keys():
            filled[name] = self.filled[name] if self.filled[name] == other.filled[name] else ""
        stages = {**dict.fromkeys(names, Result("mixed")), **alike}
        return State(stages, filled, self.totals & other.totals, self.left or other.left)


def more(node: Node) -> Refused:
    """The refusal of a piece of code that is on no list."""
    cure = "do that by threads of the block, or after the results of all warps are one"
    return Refused(f"{what(node)} does more with lanes than a reduction", cure)


def what(node: Node) -> str:
    """A piece of code as words show it."""
    said = " ".join(text(node).decode("utf-8", "replace").split())
    return f"`{said if len(said) <= 60 else said[:57] + '...'}`"


def among_conditions(condition: Node) -> list[Node]:
    """The terms of a condition that must all hold."""
    node = bare(condition)
    if node is None:
        return []
    if node.type == "condition_clause":
        return [term for child in node.named_children for term in among_conditions(child)]
    if node.type == "binary_expression" and text(node.child_by_field_name("operator")) == b"&&":
        sides = (node.child_by_field_name(side) for side in ("left", "right"))
        return [term for child in sides if child is not None for term in among_conditions(child)]
    return [node]


class LaneValues:
    """What is known of the values of one function, as a walk through it goes on.

    `functions` are those of the proof, `made` what those come to that were walked through.
    """

    def __init__(self, code: WaveEdits, functions: Collection[bytes], made: Mapping[bytes, Result]) -> None:
        self.code, self.functions, self.made = code, frozenset(functions), made
        self.state, self.result = State(), Result()
        self.gathered = self.returned = False
        self.reduced: set[tuple[int, bytes]] = set()

    def watched(self) -> frozenset[bytes]:
        """What depends on the wave at this point, values that came from lanes left out."""
        return self.code.names | self.functions | (self.state.filled.keys() - self.state.totals)

    def says_lanes(self, words: frozenset[bytes]) -> bool:
        """Whether code has what exchanges values between lanes, depends on their number or numbers them."""
        return COUNTS_LANES in words or any(map(is_lane_word, words))

    def concerns(self, node: Node) -> bool:
        """Whether anything here has to do with lanes, or with values that came from them."""
        words = self.code.words(node)
        if self.says_lanes(words) or not words.isdisjoint(self.watched() | self.state.stages.keys()):
            return True
        totals = words & self.state.totals
        return bool(totals) and any(
            inner.type == "identifier" and text(inner) in totals and not _is_first_element(inner)
            for inner in below(node)
        )

    def term(self, node: Node) -> str:
        """What a condition says of the threads that go on."""
        known = self.code.guard(node)
        if known:
            return known
        if self.concerns(node):
            raise more(node)
        return "uniform" if self.code.is_uniform(node) else "other"

    def stage(self, name: bytes, result: Result) -> None:
        """Remember how far a variable has come; it must be the only one of its name, and have no other."""
        if not self.code.is_one_variable(name):
            raise Refused(f"`{name.decode()}` may be another variable too", "give it a name of its own and no pointer")
        self.state.stages[name] = result
        if result.stage == "all" or (result.stage == "block" and result.spread):
            del self.state.stages[name]

    def brought(self, before: Result | None, made: Result, guards: frozenset[str], node: Node) -> Result:
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

    def of_value(self, right: Node, guards: frozenset[str], name: bytes) -> Result | None:
        """What a value is brought to by an expression; None for one that is no step of a reduction."""
        made = self.of_call(right, guards) or self._fetched(right, guards, name)
        return made or self._broadcast(right, guards) or self._counted(right, guards)

    def of_call(self, node: Node, guards: frozenset[str]) -> Result | None:
        """What a call of a function with warp-level code comes to; None for anything else."""
        if node.type != "call_expression" or called(node) not in self.functions:
            return None
        result = self.made.get(called(node))
        arguments = node.child_by_field_name("arguments")
        listed = arguments.named_children if arguments is not None else []
        if result is None or not listed or any(self.concerns(argument) for argument in listed[1:]):
            raise more(node)
        before = self.state.stages.get(text(listed[0]))
        if before is None and self.concerns(listed[0]):
            raise more(node)
        if result.stage == "warp":
            return self.brought(before, result, guards, node)
        if self.state.left or not guards <= UNIFORM or before is not None:
            raise Refused(f"only some threads come to {what(node)}", ALL_COME)
        return result if result.stage else Result("all")

    def _fetched(self, node: Node, guards: frozenset[str], name: bytes) -> Result | None:
        """What warps have left, fetched by one lane each: `lane < warps ? parts[lane] : 0`, or under such an `if`."""
        inner: Node | None = node
        other: Node | None = None
        everywhere = False
        if node.type == "conditional_expression":
            condition, other = node.child_by_field_name("condition"), node.child_by_field_name("alternative")
            inner = node.child_by_field_name("consequence")
            if condition is None or other is None or self.concerns(other):
                return None
            if [self.code.guard(term) for term in among_conditions(condition)] != ["within"]:
                return None
        elif "within" in guards and self.state.stages.get(name, Result("odd")).stage == "odd":
            other = _set_before(node, name) or _else_value(node, name)
        else:
            everywhere = True
        if inner is None or inner.type != "subscript_expression" or not guards <= {"uniform", "within", "wave0"}:
            return None
        found = part_of(self.code, inner)
        if found is None or found[0] not in self.state.filled or self.code.exact(found[1]) not in ("lane", "thread"):
            return None
        return self._parts(node, inner, found, guards, None if everywhere else (other,))

    def _parts(
        self,
        node: Node,
        inner: Node,
        found: tuple[bytes, Node],
        guards: frozenset[str],
        other: tuple[Node | None] | None,
    ) -> Result | None:
        """What is fetched of an array, where lanes without a part have `other`; None where each must have one."""
        by = self.state.filled[found[0]]
        if other is None and not bounded(self.code, inner, found[1], by):
            return None
        if other is not None and not self.is_neutral(by, other[0]):
            raise Refused(f"lanes without a part bring a value of their own to {what(node)}", STAY)
        self.code.write(found[1])
        self.gathered = True
        condition = node.child_by_field_name("condition")
        by_lane = condition is None or not any(self.code.exact(one) == "thread" for one in below(condition))
        return Result("parts", by, self.code.exact(found[1]) == "lane" and guards <= UNIFORM and by_lane)

    def is_neutral(self, by: str, node: Node | None) -> bool:
        """Whether a value may be brought together any number of times with the parts of the warps.

        Where there are fewer than 32 warps, 32 lanes bring it too: of a maximum it is then a part, if it is one value.
        """
        if node is None:
            return False
        if is_identity(by, node, self.code.types):
            return True
        return by in ("max", "min") and 0 < self.code.width < 1024 and self.code.is_uniform(node)

    def _counted(self, node: Node, guards: frozenset[str]) -> Result | None:
        """`__popc(__ballot_sync(mask, condition))` is the sum of a vote over the lanes of a warp."""
        if self.state.left or not guards <= UNIFORM:
            return None
        condition = counted(self.code, node)
        if condition is None:
            return None
        if self.concerns(condition):
            raise more(node)
        return Result("warp", "+")

    def _broadcast(self, node: Node, guards: frozenset[str]) -> Result | None:
        """`__shfl_sync(mask, value, 0)` on a value that its lanes were brought to."""
        result = self.state.stages.get(broadcast(self.code, node), Result())
        if result.stage not in ("warp", "block") or self.state.left or not guards <= {"uniform", "wave0"}:
            return None
        return result


def is_lane_word(word: bytes) -> bool:
    """Whether a name is one of CUDA's that exchange values between lanes, or depend on their number."""
    return word.startswith(_ACROSS) or word in _LANE_WORDS


def _is_first_element(array: Node) -> bool:
    element = array.parent
    listed = None if element is None else element.child_by_field_name("indices")
    return listed is not None and [text(one) for one in listed.named_children] == [b"0"]


def _else_value(node: Node, name: bytes) -> Node | None:
    """What a variable is given in the `else` of the `if` around a place."""
    around = next((one for one in ancestors(node) if one.type == "if_statement"), None)
    other = around.child_by_field_name("alternative") if around is not None else None
    found = [right for left, sign, right in assignments(other) if text(left) == name and sign == b"="] if other else []
    return found[0] if len(found) == 1 else None


def _set_before(node: Node, name: bytes) -> Node | None:
    """What a variable is given by the last statement before the `if` around a place that names it."""
    around = next((one for one in ancestors(node) if one.type == "if_statement"), None)
    before = around.prev_named_sibling if around is not None else None
    while before is not None and not any(text(one) == name for one in below(before)):
        before = before.prev_named_sibling
    if before is None:
        return None
    if before.type == "declaration":
        declared = before.children_by_field_name("declarator")
        made = [
            one.child_by_field_name("value") for one in declared if text(one.child_by_field_name("declarator")) == name
        ]
        return made[0] if made else None
    inner = before.named_children[0] if before.named_child_count == 1 else before
    plain = inner.type == "assignment_expression" and text(inner.child_by_field_name("operator")) == b"="
    return inner.child_by_field_name("right") if plain and text(inner.child_by_field_name("left")) == name else None
