"""The conditionals of a Makefile: which branches a plain `make` takes, and what would let another be taken.

Source: GNU make's manual, "Conditional Syntax".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudamigrate.compilation import make_functions
from cudamigrate.compilation.make_functions import UNKNOWN

if TYPE_CHECKING:
    from cudamigrate.compilation.makefile_flags import Reading


class Branches:
    """The conditionals around a line; a test with an unknown part takes neither branch."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.open: list[tuple[bool, bool]] = []
        self.tests: list[tuple[str, str]] = []

    def taken(self) -> bool:
        """Whether lines here are read."""
        return all(active for active, _ in self.open)

    def enter(self, word: str, text: str, otherwise: bool) -> None:
        """Read a line of a conditional."""
        if word == "endif":
            self.open, self.tests = self.open[:-1], self.tests[:-1]
            return
        decided = False
        if word == "else" or otherwise:
            decided = self.open.pop()[1] if self.open else True
            self.tests = self.tests[:-1]
        self.tests.append((word, text))
        holds = True if word == "else" else self._holds(word, text)
        self.open.append((holds is True and not decided, decided or holds is not False))

    def _holds(self, word: str, text: str) -> bool | None:
        if word in ("ifdef", "ifndef"):
            return bool(self.reading.values.get(text.strip())) == (word == "ifdef")
        sides = make_functions.sides(text)
        if sides is None:
            return None
        if not all(side.strip() for side in sides):
            self.reading.asked.update(name for name in map(make_functions.variable, sides) if name)
        left, right = (self.reading.expanded(side).strip() for side in sides)
        if UNKNOWN in left + right:
            return None
        return (left == right) == (word == "ifeq")

    def switch(self) -> dict[str, str]:
        """The variable that would let the outermost branch be taken that is not, with its value; none if unclear."""
        at = next((at for at, (active, _) in enumerate(self.open) if not active), None)
        if at is None:
            return {}
        word, text = self.tests[at]
        if word == "ifdef":
            return {text.strip(): "1"}
        sides = make_functions.sides(text) if word in ("ifeq", "ifneq") else None
        names = [make_functions.variable(side) for side in sides or ()]
        if sides is None or sum(map(bool, names)) != 1:
            return {}
        value = sides[0 if names[1] else 1].strip()
        if word == "ifeq":
            return {names[0] or names[1]: value}
        return {names[0] or names[1]: "1"} if value in ("", "0") else {}
