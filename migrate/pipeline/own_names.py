"""What a repository defines itself under a name of CUDA's: findings on such names are not CUDA's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.own_names import PASTED
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Definition, FileResult, Finding, SourceFile
from cudamigrate.pipeline.read_again import asked, spelled_includes

UNKNOWN = "library/unknown-name"
"""The rule for a name that no release of CUDA has: whatever declares it is all there is."""
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu")
"""Files that others do not read, so that they see none of their definitions."""
Definitions = Mapping[str, set[Definition]]
Read = Callable[[str], "SourceFile | None"]


def defined(results: Iterable[FileResult]) -> dict[str, set[Definition]]:
    """The names that files define, each with its definitions."""
    found: dict[str, set[Definition]] = {}
    for result in results:
        for definition in result.definitions:
            found.setdefault(definition.name, set()).add(definition)
    return found


def is_own(finding: Finding, own: Definitions) -> bool:
    """Whether the repository itself defines what a finding names, `own` being what it defines.

    A fall-back stands in for CUDA's own name; where no CUDA release has the name, whatever declares it is all there is.
    """
    if finding.rule == UNKNOWN and any(finding.name[:end] + PASTED in own for end in range(len(finding.name))):
        return True
    for definition in own.get(finding.name, ()):
        if finding.rule == UNKNOWN:
            return True
        if definition.fallback:
            continue
        around = definition.enclosing
        if not around or finding.enclosing == around or finding.enclosing.startswith(f"{around}::"):
            return True
    return False


@dataclass
class OwnNames:
    """Which findings are on names of the repository's own: a name means what is read together with the file.

    A header that no file includes may be given to the compiler by the build, and is seen everywhere. A source file that
    no other includes, as a table of pointers to CUDA's functions, is seen by itself alone.
    """

    results: Sequence[FileResult]
    read: Read

    @cached_property
    def _own(self) -> Definitions:
        return defined(self.results)

    @cached_property
    def _places(self) -> Mapping[str, Mapping[Definition, frozenset[str]]]:
        """For each name its definitions, each with the files that have it."""
        found: dict[str, dict[Definition, set[str]]] = {}
        for result in self.results:
            for one in result.definitions:
                found.setdefault(one.name, {}).setdefault(one, set()).add(result.path)
        return {name: {one: frozenset(paths) for one, paths in by.items()} for name, by in found.items()}

    @cached_property
    def _graph(self) -> IncludeGraph:
        code = (one.path for one in self.results if one.language in ("cuda", "cxx"))
        named = ((path, asked(self.read, path, spelled_includes)) for path in code)
        return IncludeGraph({path: names for path, names in named if names is not None}, every=True)

    @cached_property
    def _reach(self) -> dict[str, frozenset[str]]:
        return {}

    def has(self, finding: Finding) -> bool:
        """Whether the repository itself defines what a finding names, where the file of the finding sees it."""
        if not is_own(finding, self._own):
            return False
        if finding.rule == UNKNOWN:
            return True
        return any(
            self.sees(finding.path, path)
            for one, paths in self._places[finding.name].items()
            if is_own(finding, {finding.name: {one}})
            for path in paths
        )

    def sees(self, by: str, path: str) -> bool:
        """Whether a file is read together with `path`, so that it sees what that defines."""
        if by == path:
            return True
        if not self._graph.users.get(path):
            return not path.lower().endswith(SOURCES)
        if by not in self._reach:
            self._reach[by] = self._graph.below(self._graph.above((by,)))
        return path in self._reach[by]
