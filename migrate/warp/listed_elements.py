"""The elements of an array that a list in braces fills, as far as an index is shown to come to them.

`int by[] = {16, 8, 4}; for (int i = 0; i < 3; ++i) x += y << by[i];`
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.places import Place

_ZERO, _ANY = ("n", 0), ("o", "?")


def elements(place: Place, what: Expression) -> Sequence[Expression]:
    """What an element of a routine's own array may be; nothing where that is not seen, or the array is written."""
    routine, (_, array, index) = place.routine, what
    name = array[1] if array[0] == "v" else ""
    if name not in routine.types or name in routine.parameters or name in routine.taken | routine.handed:
        return ()
    lists = [one.value for one in routine.definitions if one.name == name]
    if len(lists) != 1 or lists[0][0] != "a" or any(one.name == f"*{name}" for one in routine.definitions):
        return ()
    items: Sequence[Expression] = lists[0][1:]
    if index[0] == "n":
        return items[index[1] : index[1] + 1]
    return items if index == _ANY or _comes_to_all(place, index, len(items)) else ()


def _comes_to_all(place: Place, index: Expression, size: int) -> bool:
    """Whether an index counts from 0 up to the size of an array."""
    routine = place.routine
    if index[0] != "v" or index[1] in routine.parameters:
        return False
    given = [one.value for one in routine.definitions if one.name == index[1]]
    last = (("o", "<", index, ("n", size)), ("o", "<=", index, ("n", size - 1)))
    steps = [one for one in given if one != _ZERO]
    return (
        _ZERO in given
        and steps == [("o", "+", index, ("n", 1))]
        and any(one.test in last for one in routine.conditions)
    )
