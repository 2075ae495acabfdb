"""CMake: which conditions hold where a command is carried out, and which commands are never carried out in one build.

Conditions are compared by their words alone. Two of the same words decide alike unless a command of the file changes a
variable in them from the first to the second. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

_CHANGES = ("set", "unset", "option", "list", "string", "foreach", "math", "file", "cmake_dependent_option")
_BRACKETS = frozenset("()")
_Asked = dict[tuple[str, ...], tuple[bool, int]]
"""Conditions by their words: whether they hold, and where they are asked."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The commands of a file, and what each branch of it asks."""

    found: Sequence[Command]
    around: dict[Span, tuple[Span, ...]]
    asked: dict[Span, _Asked]

    def of(self, command: Command) -> _Asked:
        """The conditions that hold, or do not, where a command is carried out, as far as they are known."""
        held: _Asked = {}
        for one in self.around[command.span]:
            held.update(self.asked.get(one, {}))
        return held

    def exclude(self, one: Command, other: Command) -> bool:
        """Whether one condition holds where the first command is carried out, and does not where the second is."""
        first, second = self.of(one), self.of(other)
        return any(
            holds != second[words][0] and self.is_same(words, at, second[words][1])
            for words, (holds, at) in first.items()
            if words in second
        )

    def implies(self, command: Command, wanted: _Asked) -> bool:
        """Whether all of some conditions hold as they should where a command is carried out."""
        held = self.of(command)
        return all(
            words in held and held[words][0] == holds and self.is_same(words, at, held[words][1])
            for words, (holds, at) in wanted.items()
        )

    def is_same(self, words: Sequence[str], one: int, other: int) -> bool:
        """Whether a condition says the same at two places: no command between them changes a variable in it."""
        start, end = sorted((one, other))
        names = {word.removeprefix("${").removesuffix("}") for word in words}
        return not any(
            one.span.start > start and one.span.start < end and one.name in _CHANGES and names & set(one.words()[:2])
            for one in self.found
        )


def conditions(found: Sequence[Command]) -> Conditions:
    """What the branches of a file ask."""
    made: dict[Span, _Asked] = {}
    before: list[list[Command]] = []
    for command in found:
        if command.name == "if":
            before.append([])
        elif command.name == "endif":
            del before[-1:]
        if command.name in ("if", "elseif", "else") and before:
            here = [] if command.name == "else" else [(command, True)]
            pairs = [*((one, False) for one in before[-1]), *here]
            made[command.span] = dict(each for one, holds in pairs for each in _parts(one, holds))
            before[-1].append(command)
    return Conditions(found, cmake.branches(found), made)


def _parts(condition: Command, holds: bool) -> Iterator[tuple[tuple[str, ...], tuple[bool, int]]]:
    """Parts of a condition that hold all, or all do not: those of `AND` where it holds, and of `OR` where not."""
    words = condition.words()
    joins, other = ("AND", "OR") if holds else ("OR", "AND")
    if other in words or not _BRACKETS.isdisjoint("".join(words)):
        return
    part = list[str]()
    for word in [*words, joins]:
        if word != joins:
            part.append(word)
            continue
        denied = part[:1] == ["NOT"]
        yield tuple(part[1:] if denied else part), (holds != denied, condition.span.start)
        part = []
