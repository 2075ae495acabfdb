"""Results of all files -> results in which no fix takes for granted what another file says otherwise.

Lane code is converted file by file. Two things are known only when all are read: that a constant named after the warp
has another value for HIP, and that a function which works on the whole wave is called by code that counts 32 lanes, or
the other way round. Fixes that such facts make doubtful are withdrawn; their findings say why and stay. CMake files
of a project which has a build for HIP beside that for CUDA have no findings but the one that says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from migrate.model import FileResult, Finding, LaneFacts

_COUNT = "warp/hardcoded-size"
_BOTH = "build/cmake-has-hip"
_WORD = re.compile(r"\w+")


def agreed(results: Sequence[FileResult]) -> list[FileResult]:
    """The same results, doubtful fixes withdrawn."""
    results = _one_build(results)
    facts = [result.lanes for result in results if result.lanes is not None]
    if not facts:
        return list(results)
    known = {result.path: result.lanes for result in results if result.lanes is not None}
    disputed = _disputed(facts)
    ported = frozenset[str]().union(*(one.ported for one in facts))
    return [_settled(result, ported, disputed, known) if result.lanes is not None else result for result in results]


def _one_build(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, without findings in CMake files for CUDA where the same project builds for HIP in others."""
    roots = {result.path.rpartition("/")[0] for result in results if "project" in result.builds}
    kinds: dict[str, set[str]] = {}
    for result in results:
        kinds.setdefault(_root(result.path, roots), set()).update(result.builds)
    inner = {root for root, found in kinds.items() if {"cuda", "hip"} <= found}
    outer = {root for root, found in kinds.items() if "cuda" not in found and any(_below(one, root) for one in inner)}
    both = inner | outer
    return [
        replace(result, findings=tuple(finding for finding in result.findings if finding.rule == _BOTH))
        if both and result.language == "cmake" and _root(result.path, roots) in both
        else result
        for result in results
    ]


def _root(path: str, roots: Set[str]) -> str:
    """The innermost folder around a file that is the root of a project, else the root of all."""
    folder = path.rpartition("/")[0]
    while folder and folder not in roots:
        folder = folder.rpartition("/")[0]
    return folder


def _below(folder: str, root: str) -> bool:
    return not root or folder.startswith(f"{root}/")


def without_groups(findings: Sequence[Finding], groups: Set[str]) -> tuple[Finding, ...]:
    """The findings, the fixes of some groups withdrawn: what changes together cannot change in part."""
    why = " Not converted: the repository itself defines other lane functions that are called beside it."
    return tuple(
        _withdrawn(finding, why) if finding.fix is not None and finding.fix.group in groups - {""} else finding
        for finding in findings
    )


def _withdrawn(finding: Finding, why: str) -> Finding:
    return replace(finding, fix=None, support="manual", effort="small", message=finding.message + why)


def _disputed(facts: Sequence[LaneFacts]) -> frozenset[str]:
    """Functions of one kind that code of the other kind calls from another file, or launches in blocks not seen."""
    whole = frozenset[str]().union(*(known.whole for known in facts))
    narrow = frozenset[str]().union(*(known.narrow for known in facts))
    by_whole = frozenset[str]().union(*(known.whole_calls for known in facts))
    by_narrow = frozenset[str]().union(*(known.narrow_calls for known in facts))
    native = frozenset[str]().union(*(known.native for known in facts))
    launched = frozenset[str]().union(*(known.launches for known in facts))
    return (whole & by_narrow) - narrow | (narrow & by_whole) - whole | (native & launched)


def _reached(path: str, known: Mapping[str, LaneFacts]) -> list[LaneFacts]:
    """The files that one includes, and those that these include, as far as base names tell."""
    by_name: dict[str, list[str]] = {}
    for other in known:
        by_name.setdefault(other.rpartition("/")[2], []).append(other)
    seen, waiting = {path}, [path]
    while waiting:
        for name in known[waiting.pop()].includes:
            new = [other for other in by_name.get(name, ()) if other not in seen]
            seen.update(new)
            waiting.extend(new)
    return [known[other] for other in seen]


def _settled(
    result: FileResult, ported: frozenset[str], disputed: frozenset[str], known: Mapping[str, LaneFacts]
) -> FileResult:
    lanes = result.lanes
    assert lanes is not None
    own = frozenset[str]()
    if lanes.aliases or any(_leans(finding, ported) for finding in result.findings):
        reached = _reached(result.path, known)
        here = frozenset[str]().union(*(one.ported for one in reached))
        ported = ported - (frozenset[str]().union(*(one.fixed for one in reached)) - here)
        own = here - lanes.fixed
    own |= {name for name, constant in lanes.aliases if constant in own}
    about = lanes.whole | lanes.narrow | lanes.whole_calls | lanes.narrow_calls | lanes.native
    mixed = min(disputed & about, default="")
    findings = tuple(
        _judged(finding, ported, mixed) for finding in result.findings if not _follows_the_wave(finding, own)
    )
    return replace(result, findings=findings)


def _leans(finding: Finding, ported: frozenset[str]) -> bool:
    """Whether a finding has to do with a constant that some file gives another value for HIP."""
    relies = finding.fix is not None and not ported.isdisjoint(finding.fix.relies)
    return relies or _follows_the_wave(finding, ported)


def _follows_the_wave(finding: Finding, ported: frozenset[str]) -> bool:
    """Whether a place counts lanes with a constant that has a value of its own for HIP: there it is none of ours."""
    return finding.rule == _COUNT and not ported.isdisjoint(_WORD.findall(finding.message))


def _judged(finding: Finding, ported: frozenset[str], mixed: str) -> Finding:
    if finding.fix is None or not finding.fix.group:
        return finding
    name = min(ported.intersection(finding.fix.relies), default="")
    if name:
        why = f" Not converted: `{name}` is not 32 for HIP in this repository."
    elif mixed:
        why = f" Not converted: `{mixed}` works on the whole wave in one file, and another counts on 32 lanes."
    else:
        return finding
    return _withdrawn(finding, why)
