"""What a repository defines itself under a name of CUDA's: findings on such names are not CUDA's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.include_paths import IncludeGraph, spelled
from cudamigrate.cuda.own_names import PASTED
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Definition, FileResult, Finding, SourceFile

UNKNOWN = "library/unknown-name"
"""The rule for a name that no release of CUDA has: whatever declares it is all there is."""
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
class HipNames:
    """Which files see what a header defines for HIP under CUDA's names: those that are read together with it.

    A header that no file includes may be given to the compiler by the build, and is seen everywhere.
    """

    results: Sequence[FileResult]
    read: Read

    @cached_property
    def _headers(self) -> Mapping[str, frozenset[str]]:
        """The names that are defined for HIP alone, each with the files that do."""
        found: dict[str, set[str]] = {}
        for result in self.results:
            for definition in result.definitions:
                if not definition.fallback:
                    found.setdefault(definition.name, set()).add(result.path if definition.for_hip else "")
        return {name: frozenset(paths) for name, paths in found.items() if "" not in paths}

    @cached_property
    def _graph(self) -> IncludeGraph:
        sources = ((one.path, self.read(one.path)) for one in self.results if one.language in ("cuda", "cxx"))
        includes = {path: [name for name, *_ in spelled(one.data)] for path, one in sources if one is not None}
        return IncludeGraph(includes, every=True)

    def hidden(self, finding: Finding) -> bool:
        """Whether the file of a finding is never read together with a file that defines its name for HIP."""
        headers = self._headers.get(finding.name)
        if not headers or finding.path in headers:
            return False
        if not all(self._graph.users.get(header) for header in headers):
            return False
        return headers.isdisjoint(self._graph.below(self._graph.above((finding.path,))))
