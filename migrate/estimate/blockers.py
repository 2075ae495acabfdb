"""Findings and clues without an equivalent -> blockers, each with its ways out and what they cost.

Result: `Blocker`s, and the findings that are none. A blocker's days are never part of the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial

from cudamigrate.estimate.effort import Law, rounded
from cudamigrate.estimate.survey import Survey, first, is_aside
from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Finding, Rule
from cudamigrate.model.estimate import Alternative, Blocker, Days, Evidence
from cudamigrate.syntax.python_requirements import BUILD_REQUIRES

REQUIRED, _PACKAGES = "packages-required", "packages"
"""The family of packages that the build requires, which cannot be left out, and that of the others."""
_MUCH = 5
"""So many files of core code that import a package are no part that can be left out."""
SHOWN = 20
"""Places kept of a blocker."""


@dataclass(slots=True)
class Blocked:
    """What one family holds: places and counts by file, and the names that findings say it of.

    `shown` are the words of the survey, of those that a way around asks for, which code or packages show. `importing`
    is how many files of core code import it.
    """

    rules: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    places: list[Evidence] = field(default_factory=list)
    files: dict[str, int] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    importing: int = 0

    def take(self, other: Blocked) -> None:
        """The places of another one, which goes with this."""
        self.rules |= other.rules
        self.names |= other.names
        self.places += other.places
        for path, count in other.files.items():
            self.files[path] = self.files.get(path, 0) + count

    def add(self, rule: str, place: Evidence, name: str = "") -> None:
        """One more place, and the name that is used there."""
        self.rules.add(rule)
        self.names.add(name)
        self.places.append(place)
        self.files[place.path] = self.files.get(place.path, 0) + 1


def split(
    findings: Sequence[Finding],
    seen: Survey,
    table: Table,
    ported: frozenset[str] = frozenset(),
    optional: frozenset[str] = frozenset(),
) -> tuple[list[Finding], dict[str, Blocked]]:
    """The findings that are work, and by family those that block.

    In components that are `ported`, what would block is neither: the port that is there has gone around it. A file that
    uses a library whose ways around concern whole files goes with it: its other findings are no work of their own.
    Where a library is `optional`, by the rules about it, that a build looks for it blocks nothing. Nor does what is in
    tests and examples alone, of a project which is more than these.
    """
    families = table.all("blocker")
    blocked: dict[str, Blocked] = {}
    left = []
    names = list(map(partial(_family, families=families, known={}), findings))  # no pairs: a large tree has many
    names = _without(names, _only_installed(findings, names, families, seen))
    beside = _only_beside(findings, names)
    whole = {str(family["name"]) for family in families if family.get("whole-files")}
    taken = {finding.path for name, finding in zip(names, findings, strict=True) if name in whole}
    names = _without(names, beside)
    for name, finding in zip(names, findings, strict=True):
        if name and seen.home(finding.path) not in ported:
            place = Evidence(finding.path, finding.position.line, finding.excerpt)
            blocked.setdefault(name, Blocked()).add(finding.rule, place, _said_of(finding))
        elif not name and (finding.path not in taken or seen.home(finding.path) in ported):
            left.append(finding)
    _join_required(blocked)
    for family in families:
        switched = any(fnmatchcase(rule, pattern) for rule in optional for pattern in family["rules"])
        for place in (place for word in family.get("clues", ()) for place in clue_places(seen, word, not switched)):
            if not is_aside(place.path):  # an example of another use blocks nothing
                blocked.setdefault(family["name"], Blocked()).add("", place)
    by_name = {str(family["name"]): family for family in families}
    for name, stop in blocked.items():
        _imported(stop, seen, ported)
        stop.shown = _shown(by_name[name.partition(":")[0]], seen)
    return left, blocked


def _without(names: list[str], left_out: set[str]) -> list[str]:
    """The families of findings, none for those that are left out."""
    return ["" if name in left_out else name for name in names] if left_out else names


def _only_installed(
    findings: Sequence[Finding], names: Sequence[str], families: Sequence[Entry], seen: Survey
) -> set[str]:
    """The families that images and scripts install, where no code, package or build file shows a use of them."""
    installing = {str(family["name"]): family for family in families if family.get("installing")}
    rules: dict[str, set[str]] = {}
    for name, finding in zip(names, findings, strict=True):
        if name in installing:
            rules.setdefault(name, set()).add(finding.rule)
    found = {name for name, known in rules.items() if known <= set(installing[name]["installing"])}
    return {name for name in found if not _has_clue(installing[name], seen)}


def _only_beside(findings: Sequence[Finding], names: Sequence[str]) -> set[str]:
    """The families that are only in tests and examples, where other findings are in none."""
    core = {name for name, finding in zip(names, findings, strict=True) if not is_aside(finding.path)}
    return set(names) - core if core else set()


def _has_clue(family: Entry, seen: Survey) -> bool:
    """Whether something else than a test or an example shows a use of a family."""
    places = (place for word in family.get("clues", ()) for place in clue_places(seen, word))
    return any(not is_aside(place.path) for place in places)


def _join_required(blocked: dict[str, Blocked]) -> None:
    """Packages that the build requires and that other files name as well are one blocker, not two of one name."""
    required, others = blocked.get(REQUIRED), blocked.get(_PACKAGES)
    if required is not None and others is not None and others.names <= required.names:
        required.take(blocked.pop(_PACKAGES))


def _shown(family: Entry, seen: Survey) -> frozenset[str]:
    """The words that the ways around a family ask for, where something else than a test or an example shows them."""
    words = (word for way in family["alternative"] for word in way.get("shown-by", ()))
    return frozenset(word for word in words if any(not is_aside(place.path) for place in seen.places(word)))


def _imported(stop: Blocked, seen: Survey, ported: frozenset[str]) -> None:
    """Add where code imports a package that blocks: an image that installs it is not all that needs it."""
    known = {(place.path, place.line) for place in stop.places}
    packages = [rule.partition("/")[2] for rule in sorted(stop.rules) if rule.startswith("packages/")]
    words = [f"import {name.replace('-', '_')}" for name in packages]
    stop.importing = max(
        (seen.of(root, word).files for word in words for root in seen.clues if root not in ported), default=0
    )
    for place in (place for word in words for place in seen.places(word)):
        apart = is_aside(place.path) or seen.home(place.path) in ported
        if not apart and (place.path, place.line) not in known:
            stop.add("", place)


def clue_places(seen: Survey, word: str, builds: bool = True) -> list[Evidence]:
    """Where the survey saw a word, in whatever form; in build files only where those count."""
    forms = (
        *((word,) if builds else ()),
        f"import {word}",
        f"package {word}",
        f"import {word}_llm",
        f"package {word}-llm",
    )
    return [place for form in forms for place in seen.places(form)]


def _family(finding: Finding, families: Sequence[Entry], known: dict[str, str]) -> str:
    """The family that a finding belongs to, empty where it is work; what `apply` fixes never blocks.

    Where there is none, the rule is a family of its own, by the word of its effort. `known` are those of rules that
    were asked for: there are far more findings than rules.
    """
    if finding.automatic or finding.effort == "none":
        return ""
    if finding.rule not in known:
        mine = (one for one in families if any(fnmatchcase(finding.rule, pattern) for pattern in one["rules"]))
        known[finding.rule] = str(next((one["name"] for one in mine), ""))
    if known[finding.rule] == "packages" and finding.enclosing == BUILD_REQUIRES:
        return REQUIRED
    alone = finding.effort in ("large", "redesign") and finding.support == "none"
    return known[finding.rule] or (f"other-{finding.effort}:{finding.rule}" if alone else "")


def _said_of(finding: Finding) -> str:
    """The name that the message of a finding says first, such as that of a package; empty where it says none."""
    return finding.message.partition("`")[2].partition("`")[0]


def _listed(names: Iterable[str]) -> str:
    """Names in one phrase: two of them, the others counted."""
    found = sorted(filter(None, names))
    return f"{', '.join(found[:2])} and {len(found) - 2} more" if len(found) > 2 else " and ".join(found)


def blockers(blocked: Mapping[str, Blocked], rules: Mapping[str, Rule], table: Table) -> list[Blocker]:
    """The blockers: those first whose usual way around takes longest, then those with most places."""
    titles = {str(family["name"]): str(family["title"]) for family in table.all("blocker")}
    mixed = {str(family["name"]): family.get("by-name", ()) for family in table.all("blocker") if family.get("by-rule")}
    found = []
    for name, found_in in blocked.items():
        family, _, rule = name.partition(":")
        title = rules[rule].title if rule in rules else titles[family]
        by = tuple(sorted(found_in.rules - {""}))
        if family in mixed and by and set(by) <= set(mixed[family]):
            title = _listed(found_in.names) or title
        elif family in mixed and len(by) == 1 and (only := by[0]) in rules:
            title = rules[only].title
        places = tuple(sorted(set(found_in.places), key=first)[:SHOWN])
        needed = family == REQUIRED or (family == _PACKAGES and found_in.importing >= _MUCH)
        ways = tuple(priced(REQUIRED if needed else family, found_in.files, table, found_in.shown))
        found.append(Blocker(title, by, places, ways, sum(found_in.files.values()), needed))
    return sorted(found, key=lambda blocker: (-blocker.alternatives[0].days.p50, -blocker.count, blocker.title))


def named(blocker: Blocker) -> str:
    """What blocks, without the words that say that it has no equivalent."""
    return blocker.title.split(" without ")[0]


def priced(name: str, files: Mapping[str, int], table: Table, shown: frozenset[str] = frozenset()) -> list[Alternative]:
    """The ways around a family, with their days for so many places in these files; the usual one first.

    A way for one use only, such as text generation, is one where that use is `shown`.
    """
    (family,) = (entry for entry in table.all("blocker") if entry["name"] == name)
    law = Law.of(table)
    weight = sum(law.over_files({path: count**law.repeats for path, count in files.items()}).values()) / law.day
    found = []
    ways = family["alternative"]
    for entry in (way for way in ways if "shown-by" not in way or not shown.isdisjoint(way["shown-by"])):
        once, each = table.points(entry, "days"), table.points(entry, "hours").times(weight)
        days = Days(once.low + each.p10, once.likely + each.p50, once.high + each.p90)
        found.append(Alternative(str(entry["title"]), rounded(days), str(entry["loses"]), once.source))
    return found
