"""Which files a build for HIP is seen to compile: sources that it names for HIP, and files that have a branch for HIP.

A later pass over all files adds the headers that these include wherever HIP compiles them. What is not found may be
compiled all the same. Nothing shows it, so that nothing in it can be shown to fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from pathlib import PurePosixPath

from cudamigrate.analysis import port_builders
from cudamigrate.analysis.port_reach import named_in
from cudamigrate.analysis.port_values import side
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import BuildSource, FileEvidence

_HOST = re.compile(r"\.(?:c|cc|cpp|cxx)$")
"""A source for the compiler of the host, which a build for HIP has too: `.cu` needs a language that somebody gives."""


def found(
    by_path: Mapping[str, FileEvidence], known: Set[str], shims: Set[str], marks: frozenset[bytes]
) -> frozenset[str]:
    """The files, of all, each with its evidence; `known` are those for HIP or with a branch that speaks HIP.

    A file that includes one of the `shims` itself does so to be compiled for HIP. `marks` are the guards.
    """
    evidence = by_path.values()
    hip = {name for one in evidence for name in one.switches}
    entered, chosen = _entered(evidence, hip), _entered(evidence, hip | _on(evidence))
    start = set(known) | port_builders.compiled(list(evidence), by_path.keys())
    for one in evidence:
        if (one.for_hip or one.sources) and _always(one.path, entered):  # few files name any
            start |= set(_named(one, hip))
        elif one.for_hip and _always(one.path, chosen):  # it is one of HIP's unless somebody turns it off
            start |= set(_for_hip(one, hip))
    if not shims:
        return frozenset(start)
    graph = IncludeGraph({path: tuple(_included(one, marks)) for path, one in by_path.items()})
    return frozenset(start.union(*(graph.users.get(path, frozenset()) for path in shims)))


def _named(one: FileEvidence, hip: Set[str]) -> Iterator[str]:
    """The sources that a build file names for HIP, and those for the host that it names on no condition."""
    yield from _for_hip(one, hip)
    for source in one.sources:
        also = not hip.isdisjoint(source.either)
        if not source.cuda and (_is_for_hip(source, hip) or _is_for_both(source, also)):
            yield named_in(one.path, source.name)


def _for_hip(one: FileEvidence, hip: Set[str]) -> Iterator[str]:
    """The sources that a build file gives the language HIP."""
    yield from (named_in(one.path, name) for name in one.for_hip if name != "*")
    for source in one.sources if "*" in one.for_hip else ():
        also = not hip.isdisjoint(source.either)
        if not source.cuda and (also or not source.needs or _is_for_hip(source, hip)):
            yield named_in(one.path, source.name)


def _is_for_hip(source: BuildSource, hip: Set[str]) -> bool:
    return bool(source.hip or (source.needs and set(source.needs) <= hip))


def _is_for_both(source: BuildSource, also: bool) -> bool:
    return (also or not source.needs) and _HOST.search(source.name) is not None


def _entered(evidence: Collection[FileEvidence], hip: Set[str]) -> Mapping[str, bool]:
    """The folders that builds enter, and whether one of them does so for HIP or on no condition."""
    folders: dict[str, bool] = {}
    for one in evidence:
        for folder in one.folders:
            path = named_in(one.path, folder.name)
            sure = not folder.cuda and (not folder.needs or _is_for_hip(folder, hip))
            folders[path] = folders.get(path, False) or sure
    return folders


def _on(evidence: Collection[FileEvidence]) -> frozenset[str]:
    """The options that are on unless somebody turns them off: none of which a branch has it off from the start.

    Whether a package was found is no option. What a build for HIP leaves out by itself is off in a branch for it.
    """
    choices = [one.choices for one in evidence if one.choices is not None]
    declared = {name for one in choices for name in one.declared if not name.endswith("_FOUND")}
    cuda = {name for one in evidence for name in one.cuda_switches}
    return frozenset(declared.difference(cuda, *(one.off for one in choices)))


def _always(build: str, entered: Mapping[str, bool]) -> bool:
    """Whether a build file is in no folder that is entered on a condition."""
    return all(entered.get(str(path), True) for path in PurePosixPath(build).parents)


def _included(one: FileEvidence, marks: frozenset[bytes]) -> Iterator[str]:
    """What a file includes where HIP compiles it: on no condition, or on one that HIP meets."""
    guarded: dict[str, bool] = {}
    for name, conditions in one.guarded:
        guarded[name] = guarded.get(name, False) or side(conditions, marks) is True
    yield from (name for name in (*one.includes, *one.unknown) if guarded.get(name, True))
