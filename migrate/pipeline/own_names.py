"""What a repository defines itself under a name of CUDA's: findings on such names are not CUDA's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cudamigrate.cuda.own_names import PASTED
from cudamigrate.model import Definition, FileResult, Finding

UNKNOWN = "library/unknown-name"
"""The rule for a name that no release of CUDA has: whatever declares it is all there is."""
Definitions = Mapping[str, set[Definition]]


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
