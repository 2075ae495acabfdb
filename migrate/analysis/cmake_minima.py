"""CMake files whose minimum holds for those that they enter, which enable a language and state none themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from cudamigrate.syntax.cmake import Command

_MINIMUM = "cmake_minimum_required"


def holding(
    read: Mapping[str, Sequence[Command]], enters: Mapping[str, Set[str]], languages: Iterable[str]
) -> frozenset[str]:
    """The files with a minimum by which CMake reads one of some others, that are `languages`, and states none itself.

    `enters` are the files that each file enters. A minimum on the way is the one that counts: CMake stops there.
    """
    above = defaultdict[str, list[str]](list)
    for path, inner in enters.items():
        for one in inner:
            above[one].append(path)
    left = [path for path in languages if not _states(read[path])]
    seen, found = set(left), set[str]()
    for path in left:
        for outer in above[path]:
            if _states(read[outer]):
                found.add(outer)
            elif outer not in seen:
                seen.add(outer)
                left.append(outer)
    return frozenset(found)


def _states(found: Sequence[Command]) -> bool:
    return any(command.name == _MINIMUM for command in found)
