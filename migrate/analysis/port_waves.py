"""Constants of a port that are 64 where HIP compiles and 32 for CUDA, and which files they have a meaning in.

A name is no evidence of what it names: `kWarp` of a file is the constant of another where an include leads there, and
where nothing else that it includes defines the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.analysis.port_evidence import WIDE
from cudamigrate.analysis.port_values import side
from cudamigrate.cuda.amd_code import OF_WAVES
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import FileEvidence, MacroDefinition

MARK = "^"
"""How the mark of such a constant begins: `^lib::kWarp`, or `^kWarp` where the name needs no scope."""
OF_LANES = re.compile(r"(?i)warp|wave|lane")
"""The name of a constant that counts lanes. Another one that is 64 for HIP and 32 for CUDA may be a tile's width."""


def is_wide(one: MacroDefinition) -> bool:
    """Whether a definition gives a constant for lanes the size of AMD's wave."""
    return one.value in WIDE and (OF_LANES.search(one.name) is not None or _is_by_wave(one))


def _is_by_wave(one: MacroDefinition) -> bool:
    """Whether a condition around a definition asks for the wave of the GPU."""
    return any(OF_WAVES.search(part) is not None for chain in one.conditions for part in chain)


@dataclass(frozen=True, slots=True)
class _Key:
    """A constant: its scope and its name; a `member` is one of a class, a `call` a function that returns it."""

    scope: str
    name: str
    member: bool
    call: bool

    def marks(self, alone: bool) -> Iterator[str]:
        """The spellings that mean it; `alone` tells that nothing else of this name is to be seen."""
        if self.scope:
            yield f"{MARK}{self.scope}::{self.name}"
        if alone and not self.member:
            yield f"{MARK}{self.name}"


class Waves:
    """The constants of a repository: `native` are the files that are HIP's as a whole, `marks` the guards."""

    def __init__(self, evidence: Sequence[FileEvidence], native: frozenset[str], marks: frozenset[bytes]) -> None:
        self.evidence, self.native, self.marks = evidence, native, marks
        self._wide: dict[_Key, dict[str, int]] = {}
        self._narrow: dict[_Key, set[str]] = {}
        self._by_wave: set[_Key] = set()
        for file in evidence:
            for one in file.definitions:
                self._take(file.path, one)

    def _take(self, path: str, one: MacroDefinition) -> None:
        hip = side(one.conditions, self.marks)
        hip = True if hip is None and path in self.native else hip  # a shim may say what CUDA has, too
        key = _Key(one.scope, one.name, one.member, one.call)
        if one.value in WIDE and _is_by_wave(one):
            self._by_wave.add(key)
        if one.value in WIDE and (hip is True or key in self._by_wave):
            self._wide.setdefault(key, {}).setdefault(path, one.line)
        elif one.value == b"32" and hip is not True:
            self._narrow.setdefault(key, set()).add(path)

    def found(self) -> dict[str, str]:
        """The names of all, each with the first place where it is 64."""
        wide: dict[str, str] = {}
        narrow = {key.name for key in self._narrow}
        for file in self.evidence:  # a header that is configured may pass a variable of the build on
            for key, places in self._wide.items():
                if file.path in places:
                    wide.setdefault(key.name, f"{file.path}:{places[file.path]}")
            for macro in file.macros:
                if macro.hip and macro.value == "64":
                    wide.setdefault(macro.name, f"{file.path}:{macro.line}")
                elif macro.value == "32" and not macro.hip:
                    narrow.add(macro.name)
        return {name: place for name, place in sorted(wide.items()) if name in narrow}

    def seen(self, spelled: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
        """For each file the marks of those that other files define; `spelled` has the includes of all, by path."""
        constants = (key for key in self._wide if key in self._narrow and not key.call)
        sized = {key for key in constants if OF_LANES.search(key.name) or key in self._by_wave}
        names = {key.name for key in sized}
        if not sized:
            return {}
        at: dict[str, dict[_Key, bool]] = {}
        for key in {*self._wide, *self._narrow}:
            for path in {*self._wide.get(key, ()), *self._narrow.get(key, ())} if key.name in names else ():
                both = key in sized and path in self._wide.get(key, ())
                at.setdefault(path, {})[key] = both
        graph = IncludeGraph(_for_hip(spelled, self.evidence, self.marks))
        return self._reached(at, graph)

    def _reached(self, at: Mapping[str, Mapping[_Key, bool]], graph: IncludeGraph) -> dict[str, tuple[str, ...]]:
        """What each file sees of `at`: what it includes decides, and for other names what its users include."""
        own: dict[str, dict[_Key, bool]] = {}
        for path, defined in at.items():
            for user in graph.above((path,)):
                for key, both in defined.items():
                    own.setdefault(user, {})[key] = own.get(user, {}).get(key, True) and both
        lent: dict[str, dict[_Key, bool]] = {}
        for user, visible in own.items():
            for path in graph.below((user,)):
                known = {key.name for key in own.get(path, ())}
                for key, both in visible.items():
                    if key.name not in known:
                        lent.setdefault(path, {})[key] = lent.get(path, {}).get(key, False) or both
        found = {}
        for path in {*own, *lent}:
            marks = sorted(set(_marks({**lent.get(path, {}), **own.get(path, {})}, at.get(path, {}))))
            if marks:
                found[path] = tuple(marks)
        return found


def _marks(visible: Mapping[_Key, bool], own: Iterable[_Key]) -> Iterator[str]:
    """The marks of what a file sees and does not define itself."""
    here = {key.name for key in own}
    for key, both in visible.items():
        same = [other for other in visible if other.name == key.name]
        if both and key.name not in here:
            yield from key.marks(alone=all(visible[other] for other in same))


def _for_hip(
    spelled: Mapping[str, Iterable[str]], evidence: Sequence[FileEvidence], marks: frozenset[bytes]
) -> dict[str, list[str]]:
    """The includes that HIP's compiler may follow."""
    cudas: dict[str, set[str]] = {}
    for one in evidence:
        places: dict[str, list[bool]] = {}
        for name, conditions in one.guarded:
            places.setdefault(name, []).append(side(conditions, marks) is False)
        cudas[one.path] = {name for name, refused in places.items() if all(refused)}
    return {path: [name for name in names if name not in cudas.get(path, ())] for path, names in spelled.items()}
