"""Components -> what their core needs, and what a port can do without at first.

Optional are folders of tests, examples and benchmarks where there is other code, and a library each of whose places
needs a macro, or an option of the build, that other CUDA code does not need: the program builds and runs without it. A
name is no evidence of that; the conditionals around the places, and around their files in the build, are. So is a
library that only headers name which no source includes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial

from cudamigrate.estimate.category import Part
from cudamigrate.estimate.survey import ASIDE, is_aside
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Rule
from cudamigrate.rulebase.predefined_macros import is_predefined

_SERVICES = "continuous integration"
FOLDERS = {**ASIDE, **dict.fromkeys((".github", ".circleci", ".gitlab", ".buildkite"), _SERVICES)}
"""Folders that a port can begin without, and what they hold; services of continuous integration fix the last names."""
_OTHERS = 0.2
"""A macro that this part of the other findings needs too is one of the whole CUDA code, not the switch of a library."""
_CORE = ("CUDA", "Python", "PyTorch", "Triton")
"""Libraries that begin so are no parts that can be left out."""
_GUARD = re.compile(r"_H(?:PP|XX)?_*$")
"""A header's own guard: it is defined where the header was included, and is no switch of a build."""
_NONE = frozenset[str]()
_Needed = tuple[Finding, frozenset[str]]
"""A finding, with the macros and options that its place needs."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something optional of one component: its name, why it is optional, its findings, and the paths of whole files.

    `rules` are those of a library that the code is built without, empty for folders.
    """

    component: str
    name: str
    reason: str
    findings: tuple[Finding, ...]
    files: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Split:
    """A component without what is optional: the findings and CUDA files of its core, and the optional pieces."""

    component: str
    findings: tuple[Finding, ...]
    files: tuple[FileResult, ...]
    pieces: tuple[Piece, ...] = ()

    @property
    def lines(self) -> int:
        """Lines of the CUDA files of the core."""
        return sum(file.lines for file in self.files)


def cores(parts: Sequence[Part], rules: Mapping[str, Rule]) -> dict[str, Split]:
    """What of each component is core, and what is optional; where all CUDA code is in tests and examples, that is core.

    Tests and examples with a build of their own are components that have no core.
    """
    beside = any(not is_aside(file.path) for part in parts for file in part.cuda)
    return {part.path: _split(part, rules, beside) for part in parts}


def rules_of(split: Iterable[Split]) -> frozenset[str]:
    """The rules about libraries that the code is built without."""
    return frozenset(rule for core in split for piece in core.pieces for rule in piece.rules)


def _split(part: Part, rules: Mapping[str, Rule], beside: bool) -> Split:
    """One component, `beside` telling whether there is other CUDA code than tests and examples.

    Of the gaps of a port, those in its libraries are core.
    """
    findings, files = tuple(part.findings), tuple(part.cuda)
    pieces = _folders(part, findings, files) if beside or not files else []
    taken = {path for piece in pieces for path in piece.files}
    if taken:  # where nothing is left out, the same tuple does: a large tree has very many findings
        findings = tuple(finding for finding in findings if finding.path not in taken)
    alone = [] if part.respected else _unincluded(part, findings, rules)
    gone = {id(finding) for piece in alone for finding in piece.findings}
    findings = tuple(finding for finding in findings if id(finding) not in gone) if gone else findings
    switched = [] if part.respected else _libraries(part, findings, rules)
    gone = {id(finding) for piece in switched for finding in piece.findings}
    if gone:
        findings = tuple(finding for finding in findings if id(finding) not in gone)
        taken.update(path for piece in switched for path in piece.files)
    return Split(
        part.path,
        findings,
        tuple(file for file in files if file.path not in taken),
        (*pieces, *alone, *switched),
    )


def _folders(part: Part, findings: Sequence[Finding], files: Sequence[FileResult]) -> list[Piece]:
    """Tests, examples and benchmarks beside other code."""
    paths: dict[str, set[str]] = {}
    for path in {*(finding.path for finding in findings), *(file.path for file in files)}:
        kind = next((FOLDERS[word] for word in path.lower().split("/")[:-1] if word in FOLDERS), "")
        if kind:
            paths.setdefault(kind, set()).add(path)
    return [
        Piece(
            part.path,
            kind,
            "in files of a service, not of the build" if kind == _SERVICES else f"in folders of {kind}",
            tuple(finding for finding in findings if finding.path in mine),
            frozenset(mine),
        )
        for kind, mine in sorted(paths.items())
    ]


def _unincluded(part: Part, findings: Sequence[Finding], rules: Mapping[str, Rule]) -> list[Piece]:
    """Libraries whose places are all in headers that no source includes, where there are other findings."""
    alone = {file.path for file in part.files if file.unincluded}
    by_library: dict[str, list[Finding]] = {}
    for finding in findings if alone else ():
        by_library.setdefault(_library(rules, finding.rule), []).append(finding)
    found = ((name, mine) for name, mine in sorted(by_library.items()) if name and len(mine) < len(findings))
    return [
        Piece(
            part.path,
            name,
            f"all {len(mine):,} places are in headers that no source includes",
            tuple(mine),
            rules=frozenset(finding.rule for finding in mine),
        )
        for name, mine in found
        if all(finding.path in alone for finding in mine)
    ]


def _libraries(part: Part, findings: Sequence[Finding], rules: Mapping[str, Rule]) -> list[Piece]:
    """Libraries that the code is built without unless a macro or an option of the build is set.

    The files that only such an option has compiled go with them.
    """
    chosen = {file.path: file.chosen for file in part.files if file.chosen}
    together = cache(lambda options, macros: options.union(macros) if macros else options)
    needs = [(finding, together(chosen.get(finding.path, _NONE), finding.switches)) for finding in findings]
    by_library: dict[str, list[_Needed]] = {}
    library_of = cache(partial(_library, rules))  # of a rule: there are few
    for pair in needs:
        by_library.setdefault(library_of(pair[0].rule), []).append(pair)
    code = [pair for pair in needs if pair[0].name or pair[1]]
    defined = {finding.name for finding in findings}  # CUDA's headers define these: no switch of a build
    made: list[Piece] = []
    for library, mine in sorted(by_library.items()):
        others = [names for finding, names in code if library_of(finding.rule) != library]
        if not library or not others:
            continue
        named = _NONE.union(*(names for _, names in mine)) - defined
        switches = {name for name in named if not is_predefined(name) and not _GUARD.search(name)}
        own = _covering([names for _, names in mine], {name for name in switches if _share(others, name) < _OTHERS})
        if own:
            made.append(_piece(part, library, mine, own, chosen, findings))
    return made


def _piece(
    part: Part,
    library: str,
    mine: Sequence[_Needed],
    own: Sequence[str],
    chosen: Mapping[str, frozenset[str]],
    findings: Sequence[Finding],
) -> Piece:
    """A library that needs one of its `own` macros or options, with all files that only these options compile."""
    macros = {name for finding, _ in mine for name in finding.switches}
    kinds = (("macro", [name for name in own if name in macros]), ("build option", [n for n in own if n not in macros]))
    said = " or ".join(f"the {kind} {' or '.join(names)}" for kind, names in kinds if names)
    files = frozenset(path for path, names in chosen.items() if not names.isdisjoint(own))
    held = {id(finding) for finding, _ in mine}
    return Piece(
        part.path,
        library,
        f"all {len(mine):,} places need {said}",
        tuple(finding for finding in findings if id(finding) in held or finding.path in files),
        files,
        frozenset(finding.rule for finding, _ in mine),
    )


def _covering(places: Sequence[AbstractSet[str]], names: AbstractSet[str]) -> list[str]:
    """The fewest macros such that each place needs one of them, the most frequent first; empty where a place has none.

    A part that is switched off for good has a macro of its own, which nobody sets, beside that of the library.
    """
    chosen: list[str] = []
    left = list(places)
    while left:
        counts = Counter(name for place in left for name in place & names)
        if not counts:
            return []
        best = min(counts, key=lambda name: (-counts[name], name))
        chosen.append(best)
        left = [place for place in left if best not in place]
    return chosen


def _library(rules: Mapping[str, Rule], name: str) -> str:
    """The library that findings of a rule are of; empty for CUDA itself and where none is known."""
    rule = rules.get(name)
    if rule is None:
        return ""
    if rule.id.startswith("library/") and rule.support == "none":
        return rule.title  # such a rule is about one library
    return "" if rule.library.startswith(_CORE) else rule.library


def _share(places: Sequence[AbstractSet[str]], name: str) -> float:
    return sum(name in place for place in places) / len(places)
