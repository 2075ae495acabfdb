"""What is known of a value on its way through the lanes and warps of a block, and why a proof ends.

Comes in: nothing. Goes out: the words in which the walk through a function keeps what it has seen. A value is known by
how far it has come: `warp` is one of each warp, `parts` are such values as lanes have fetched them, `block` is one of
the block in its first lanes, `odd` was set by some lanes of each warp, `mixed` is one thing or another.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from cudamigrate.cuda.declarations import text

STAY = "let threads without work bring a value that changes nothing, and stay"
ALIKE = "bring warps together by the operation of the lanes"
ALL_COME = "let all threads of the block come to it"
BLOCK_FIRST = "bring the results of the warps together in the block, and go on with that"


class Refused(Exception):  # noqa: N818  an answer, not an error
    """Why a function cannot be shown to work on any wave, and what would have to change."""

    def __init__(self, reason: str, cure: str = "write its lane code for `warpSize` lanes by hand") -> None:
        super().__init__(reason)
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Result:
    """What a function returns: `warp`, `block`, or nothing of either, and how values were brought together.

    `spread` says that every lane of the warp has it; of `parts`, that every warp has fetched them.
    """

    stage: str = ""
    by: str = ""
    spread: bool = False


@dataclass(slots=True)
class State:
    """What is known of names at one point."""

    stages: dict[bytes, Result] = field(default_factory=dict)
    filled: dict[bytes, str] = field(default_factory=dict)
    totals: set[bytes] = field(default_factory=set)
    steps: set[bytes] = field(default_factory=set)
    left: bool = False

    def copy(self) -> State:
        """What is known now, to go on from later."""
        return State(dict(self.stages), dict(self.filled), set(self.totals), set(self.steps), self.left)

    def met(self, other: State) -> State:
        """What is known where one of two ways was taken, and it is not known which."""
        names = self.stages.keys() | other.stages.keys()
        mixed = Result("mixed")
        stages = {name: self.stages.get(name, mixed) for name in names}
        stages = {name: stage if other.stages.get(name) == stage else mixed for name, stage in stages.items()}
        both = self.filled.keys() & other.filled.keys()
        filled = {name: by if name not in both or other.filled[name] == by else "" for name, by in self.filled.items()}
        left = self.left or other.left
        return State(stages, {**other.filled, **filled}, self.totals & other.totals, self.steps & other.steps, left)


def more(node: Node) -> Refused:
    """The refusal of a piece of code that is on no list."""
    cure = "do that by threads of the block, or after the results of all warps are one"
    return Refused(f"{what(node)} does more with lanes than a reduction", cure)


def what(node: Node) -> str:
    """A piece of code as words show it."""
    said = " ".join(text(node).decode("utf-8", "replace").split())
    return f"`{said if len(said) <= 60 else said[:57] + '...'}`"
