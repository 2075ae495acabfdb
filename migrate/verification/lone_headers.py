"""Headers that no unit reads -> answers: a header that another one of them brought along is judged with that one.

As with units, what a file reads is judged with it. Those come first that no other one includes. A header that was read
is judged by itself all the same where something was said of the one that read it that would not be said of the header.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cudamigrate.model.verification import Checked, Unit

Check = Callable[[Sequence[Unit], int, int], Sequence[Checked]]
"""What the engine says of some units, of which so many were judged before and so many may have to be judged later."""


def judged(units: Iterable[Unit], closure: Callable[[str], frozenset[str]], check: Check) -> list[tuple[Unit, Checked]]:
    """The headers that had to be judged, each with what was said of it.

    `closure` gives a file and those of the tree that it includes, through others too.
    """
    left = {unit.path: unit for unit in units}
    brought = {path: closure(path) for path in left}
    found: list[tuple[Unit, Checked]] = []
    while left:
        inner = {path for one in left for path in brought[one] if path != one}
        turn = [unit for path, unit in left.items() if path not in inner] or list(left.values())  # a circle of includes
        answers = check(turn, len(found), len(left) - len(turn))
        found += zip(turn, answers, strict=True)
        for unit, done in zip(turn, answers, strict=True):
            left.pop(unit.path, None)
            for path in done.inside(unit.root):
                if path in left and _is_answered(done, brought[path]):
                    del left[path]
    return found


def _is_answered(done: Checked, brought: frozenset[str]) -> bool:
    """Whether all that was said is about files that a header brings itself, so that it would be said of it as well."""
    return not done.left_out and all(entry.place.path in brought for entry in done.diagnostics)
