"""Constants that templates are given in calls, and the conditions that they decide: code behind those is never run.

A function is a template once for each list of arguments. What all calls that are seen give it is followed from caller
to caller; a template with a call that is not understood may be given anything. Functions' own parameters that a call
gives `false` count as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Condition, Expression, Site
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from cudamigrate.warp.function_pointers import FunctionPointers
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

Constants = frozenset[tuple[str, int]]
"""What parameters of a template are, by name."""
NOTHING: Constants = frozenset()
_FALSE = (("r", "false"), ("n", 0))
_LITERALS = {"true": 1, "false": 0}
_NAME = re.compile(r"(?:\w+\s*::\s*)*([A-Za-z_]\w*)")
_NUMBER = re.compile(r"-?\d+")
_MOST = 16
"""So many lists of arguments are followed for one template."""


class TemplateConstants:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, pointers: FunctionPointers) -> None:
        """`pointers` knows the functions whose address something has: not all their calls are seen."""
        self.evaluator, self._pointers = evaluator, pointers
        self._questions = Questions()

    def every(self, place: Place) -> frozenset[Constants]:
        """The constants of each list of arguments that calls give a routine; nothing known where one is not seen."""
        if place.routine.kernel or not place.routine.kinds:
            return frozenset((NOTHING,))
        return self._questions.ask((id(place), "every"), frozenset((NOTHING,)), lambda: self._of_calls(place))

    def _of_calls(self, place: Place) -> frozenset[Constants]:
        calls = [] if place.routine.name in self._pointers.taken else self.evaluator.calls_of(place) or []
        found = {
            self.given(caller, site, place, constants)
            for caller, site in calls
            for constants in self.every(caller)
            if not self.is_dead(caller, site, constants)
        }
        return frozenset(found) if 0 < len(found) <= _MOST else frozenset((NOTHING,))

    def given(self, place: Place, site: Site, target: Place, constants: Constants) -> Constants:
        """What a call gives the template that it reaches, where its own function is one with some constants."""
        known = dict(constants)
        listed = zip(target.routine.kinds, site.constants, strict=False)  # the others have defaults, or are deduced
        values = ((name, self._value(place, one, known)) for name, one in listed)
        return frozenset((name, value) for name, value in values if value is not None)

    def _value(self, place: Place, spelled: str, known: dict[str, int]) -> int | None:
        """What an argument is, as it is written; None where that is no constant."""
        if spelled in _LITERALS or _NUMBER.fullmatch(spelled):
            return _LITERALS[spelled] if spelled in _LITERALS else int(spelled)
        name = _NAME.fullmatch(spelled)
        return self._named(place, name[1], known) if name is not None else None

    def _named(self, place: Place, name: str, known: dict[str, int]) -> int | None:
        if name in known:
            return known[name]
        if name in place.routine.kinds or name in place.routine.parameters:
            return None
        made = [place.routine.definitions[at].value for at in self.evaluator.definitions(place).get(name, ())]
        if made:
            return _constant(made[0]) if len(made) == 1 and name not in place.routine.taken else None
        return self.evaluator.constant(name)

    def is_dead(self, place: Place, site: Site, constants: Constants) -> bool:
        """Whether a condition around a site is never as the site needs it, with such constants."""
        known = dict(constants)
        guards = (place.routine.conditions[at] for at in site.guards) if known else ()
        return any(self._leaves_out(place, one, site, known) for one in guards)

    def _leaves_out(self, place: Place, condition: Condition, site: Site, known: dict[str, int]) -> bool:
        truth = self._truth(place, condition.test, known)
        if truth is None or not (condition.is_lone or condition.other):
            return False  # not known, or a loop's
        return truth == (site.start >= condition.other > 0)

    def _truth(self, place: Place, test: Expression, known: dict[str, int]) -> bool | None:
        """Whether a condition holds that rests on constants alone, of which one is the template's; else None."""
        number = self._number(place, test, known)
        if number is not None:
            return number != 0
        if test[0] != "o" or len(test) not in (3, 4):
            return None
        if len(test) == 3:
            inner = self._truth(place, test[2], known) if test[1] == "!" else None
            return None if inner is None else not inner
        if test[1] in ("&&", "||"):
            sides = {self._truth(place, one, known) for one in test[2:]}
            decides: bool = test[1] == "||"
            return decides if decides in sides else None if None in sides else not decides
        left, right = (self._number(place, one, known) for one in test[2:])
        if left is None or right is None or test[1] not in ("==", "!="):
            return None
        return (left == right) is (test[1] == "==")

    def _number(self, place: Place, what: Expression, known: dict[str, int]) -> int | None:
        if what[0] == "v":
            return self._named(place, what[1], known)
        return _constant(what)


def off(target: Place, site: Site) -> frozenset[Expression]:
    """The parameters of a routine that a call gives `false` and nothing changes."""
    named = zip(target.routine.parameters, site.arguments, strict=False)
    found = [name for name, one in named if one in _FALSE]
    routine = target.routine
    changed = {one.name for one in routine.definitions} | routine.taken | routine.handed if found else set[str]()
    return frozenset(("v", name) for name in found if name not in changed)


def _constant(what: Expression) -> int | None:
    if what[0] == "n":
        return int(what[1])
    return _LITERALS.get(what[1]) if what[0] == "r" else None
