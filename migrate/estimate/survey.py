"""FileClues -> Survey: what build files, package lists and Python of a repository say together.

Result: a `Survey` of places, counted by component: a folder with a build of its own. It asks what a repository is, not
what is to change in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import FileResult
from cudamigrate.model.estimate import Evidence

SHOWN = 5
"""Places kept of each clue in each component."""
_BUILDS = ("torch-extension", "cuda-build")
ASIDE: Mapping[str, str] = {
    **dict.fromkeys(("test", "tests", "testing", "unittest", "unittests", "unit_tests"), "tests"),
    **dict.fromkeys(("doc", "docs", "example", "examples", "demo", "demos"), "examples"),
    **dict.fromkeys(("sandbox", "tutorial", "tutorials"), "examples"),
    **dict.fromkeys(("benchmark", "benchmarks", "benchmarking", "bench", "benchs"), "benchmarks"),
}
"""Folders that do not say what a repository is, and what they hold."""


@dataclass(slots=True)
class Clue:
    """How many files show a clue, and the first places; `aside` counts those in tests, documents and examples."""

    files: int = 0
    aside: int = 0
    places: list[Evidence] = field(default_factory=list)


@dataclass(slots=True)
class Survey:
    """Clues by component and word. `roots` are the folders that have a build of their own, `.` among them.

    `builds` are the build files by component: what kind, and where. `triton` counts the Triton kernels of files,
    `strings` the CUDA kernels that Python files hold as text, those in tests and examples apart.
    `guarded` are Python files that have branches for HIP, `own` the Python packages that the repository itself is.
    `defined` are the functions with names of CUDA's libraries that native code defines outside of namespaces, with the
    paths, those in tests and examples apart.
    """

    roots: tuple[str, ...] = (".",)
    clues: dict[str, dict[str, Clue]] = field(default_factory=dict)
    builds: dict[str, dict[str, Evidence]] = field(default_factory=dict)
    triton: dict[str, int] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    own: frozenset[str] = frozenset()
    defined: dict[str, list[str]] = field(default_factory=dict)

    _homes: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._homes.update({root: root for root in self.roots}, **{"": "."})

    def home(self, path: str) -> str:
        """The component that a file belongs to: the innermost folder with a build."""
        folder = path.rpartition("/")[0]
        new = []
        while folder not in self._homes:
            new.append(folder)
            folder = folder.rpartition("/")[0]
        self._homes.update(dict.fromkeys(new, self._homes[folder]))
        return self._homes[folder]

    def of(self, root: str, word: str) -> Clue:
        """A clue of one component."""
        return self.clues.get(root, {}).get(word) or Clue()

    def places(self, word: str) -> list[Evidence]:
        """The places of a clue in all components, tests and examples last."""
        found = [place for clues in self.clues.values() for place in clues.get(word, Clue()).places]
        return sorted(found, key=first)

    def add(self, path: str, found: Iterable[tuple[str, int, str]]) -> None:
        """Count the words of a file, each with the line and text of its first place; the first places are kept."""
        clues, aside = self.clues.setdefault(self.home(path), {}), is_aside(path)
        found = list(found)
        trains = any(word == "training" for word, _, _ in found)
        for word, line, text in found:
            if trains and word == "generation":
                continue  # a look at what was learned so far
            clue = clues.setdefault(word, Clue())
            if aside:
                clue.aside += 1
            else:
                clue.files += 1
            if len(clue.places) < SHOWN:
                clue.places.append(Evidence(path, line, text))


def first(place: Evidence) -> tuple[bool, str, int, str]:
    """The order in which places are shown: tests, documents and examples last."""
    return is_aside(place.path), place.path, place.line, place.text


def is_aside(path: str) -> bool:
    """True in folders of tests, documents and examples, which do not say what a repository is."""
    return _is_aside(path.rpartition("/")[0])


@lru_cache(maxsize=1024)  # most files share their folder with others
def _is_aside(folder: str) -> bool:
    return any(part.lower() in ASIDE for part in folder.split("/"))


def join(results: Iterable[FileResult]) -> Survey:
    """What the files of a repository say together."""
    results = list(results)
    said = sorted(((result.path, result.clues) for result in results if result.clues), key=lambda pair: pair[0])
    roots = {path.rpartition("/")[0] or "." for path, clues in said if clues.root}
    seen = Survey(roots=tuple(sorted(roots | {"."})), own=_own(result.path for result in results))
    for result in results:
        for one in () if is_aside(result.path) else result.definitions:
            if not one.enclosing and not one.fallback:
                seen.defined.setdefault(one.name, []).append(result.path)
    for path, clues in said:
        seen.add(path, clues.found)
        if clues.triton:
            seen.triton[path] = clues.triton
        if clues.strings and not is_aside(path):
            seen.strings[path] = clues.strings
        for word, line, text in clues.found:
            if word == "hip-code":
                seen.guarded.add(path)
            if word in _BUILDS:
                kind = word if (word, clues.kind) == ("torch-extension", "setup") else clues.kind
                seen.builds.setdefault(seen.home(path), {}).setdefault(kind, Evidence(path, line, text))
    return seen


def _own(paths: Iterable[str]) -> frozenset[str]:
    """Python packages that the repository itself is: folders near its root that are packages, and not inside one."""
    folders = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
    outer = (folder for folder in folders if folder.rpartition("/")[0] not in folders and folder.count("/") <= 1)
    return frozenset(folder.rpartition("/")[2] for folder in outer)
