"""What macros and constants are worth on each side of a HIP port, once its guards are known."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence, Set

from cudamigrate.analysis.port_configure import configures
from cudamigrate.analysis.port_evidence import OF_CUDA
from cudamigrate.cuda.argument_branches import MARK
from cudamigrate.cuda.preprocessor import compiled_for_hip
from cudamigrate.model.port_facts import Conditions, FileEvidence


class Values:
    """The values in a repository: `native` are the files that are HIP's as a whole, `marks` the guards."""

    def __init__(self, evidence: Sequence[FileEvidence], native: frozenset[str], marks: frozenset[bytes]) -> None:
        self.evidence, self.native, self.marks = evidence, native, marks

    def _side(self, file: FileEvidence, conditions: Conditions) -> bool | None:
        return True if file.path in self.native else side(conditions, self.marks)

    def selecting(self, undefined: Sequence[str] = ()) -> tuple[str, ...]:
        """Macros that are one argument where HIP compiles and another one, or none, for CUDA, as `@NAME:0`.

        `undefined` are macros that only CUDA defines.
        """
        values = Values(self.evidence, self.native, self.marks | {f"-{name}".encode() for name in undefined})
        found: dict[str, dict[bool, set[int]]] = {}
        for file in self.evidence:
            for one in file.selects:
                hip = values._side(file, one.conditions) is not False
                found.setdefault(one.name, {}).setdefault(hip, set()).add(one.chosen)
        return tuple(
            f"{MARK}{name}:{min(sides[True])}"
            for name, sides in sorted(found.items())
            if len(sides) == 2 and len(sides[True]) == 1 and sides[True].isdisjoint(sides[False])
        )

    def undefined(self) -> tuple[str, ...]:
        """Macros of CUDA's own that no build and no code outside of CUDA's side defines."""
        files = [one for one in self.evidence if one.path not in self.native]
        built = {macro.name for one in files for macro in one.macros if not macro.cuda}
        given = {
            one.name
            for file in self.evidence
            for one in file.definitions
            if one.macro and self._side(file, one.conditions) is not False
        }
        names = tuple(name for name in OF_CUDA if name not in built | given)
        return (*names, *sorted(self._for_want_of(names, built)))

    def _for_want_of(self, names: Sequence[str], built: Set[str]) -> Set[str]:
        """Macros that conditions ask for and that nothing defines where `names` are not defined: theirs, too."""
        asked = frozenset[str]().union(*(one.asked for one in self.evidence)) - built
        found = set[str]()
        for _ in range(4):  # one may follow from another
            marks = self.marks | {f"-{name}".encode() for name in (*names, *found)}
            places: dict[str, set[bool]] = {}
            for file in self.evidence:
                for one in file.definitions:
                    if one.macro and one.name in asked and not self._is_known(one.name):
                        gone = file.path not in self.native and side(one.conditions, marks) is False
                        places.setdefault(one.name, set()).add(gone)
            more = {name for name, gone in places.items() if gone == {True}} - found - set(names)
            if not more:
                break
            found |= more
        return found

    def _is_known(self, name: str) -> bool:
        return not self.marks.isdisjoint(f"{sign}{name}".encode() for sign in ("", "?", "!", "-"))

    def valued(self) -> tuple[str, ...]:
        """Macros of CUDA's own that builds for HIP, and code on its side, give one number: `CUDA_VERSION=11000`."""
        found: dict[str, set[str]] = {}
        for file in self.evidence:
            for macro in file.macros:
                if macro.hip:
                    found.setdefault(macro.name, set()).add(macro.value)
            for one in file.definitions:
                if one.macro and self._side(file, one.conditions) is True:
                    found.setdefault(one.name, set()).add(one.value.decode("latin-1"))
        numbers = {name: "".join(values) for name, values in found.items() if len(values) == 1}
        own = tuple(f"{name}={numbers[name]}" for name in OF_CUDA if numbers.get(name, "").isdigit())
        return (*own, *(f"{name}=1" for name in sorted(_set_by_builds(self.evidence)) if not self._is_known(name)))


def _set_by_builds(evidence: Sequence[FileEvidence]) -> Set[str]:
    """The macros that every build for HIP gives to all sources, by a file around all that set up HIP.

    They are set on no condition, or under each variable that turns HIP on: `if(USE_HIP) add_definitions(-DUSE_GPU)`.
    """
    builds = [one for one in evidence if one.build]
    found = set[str]()
    for one in builds:
        folder = posixpath.dirname(one.path)
        if not all(other.path.startswith(f"{folder}/" if folder else "") for other in builds):
            continue
        turning = set(one.switches) - set(one.options)
        under: dict[str, set[str]] = {}
        for macro in one.macros:
            if macro.everywhere and not macro.cuda and len(macro.needs) == 1:
                under.setdefault(macro.name, set()).update(macro.needs)
            elif macro.everywhere and not macro.needs:
                found.add(macro.name)
        found |= {name for name, needs in under.items() if turning and turning <= needs}
    return found - set(OF_CUDA)


def side(conditions: Conditions, marks: frozenset[bytes]) -> bool | None:
    """Whether guards put a place on HIP's side, on CUDA's, or on none."""
    kinds = [compiled_for_hip(chain, marks) for chain in conditions]
    return False if False in kinds else True if True in kinds else None


def passed_on(evidence: Sequence[FileEvidence]) -> set[str]:
    """Macros that a header has from variables of CMake, but for those that CMake sets on CUDA's side.

    Where the variables are set, a script of Autoconf does not show.
    """
    places = (place for one in evidence for place in one.configured)
    builds = (one for one in evidence if not configures(one.path))
    cuda = {macro.name for one in builds for macro in one.macros if macro.cuda}
    return {name for name, _, text in places if "cmakedefine" in text} - cuda
