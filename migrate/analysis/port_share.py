"""How much of a repository's kernels a HIP port answers for, and which code was left to CUDA by choice.

What a build leaves to CUDA by an option of its own, and projects of a suite that are skipped without CUDA, say nothing
of whether there is a port: a build for HIP is whole without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import PurePosixPath

from cudamigrate.analysis.port_missing import has_sibling, words_of
from cudamigrate.model.port_facts import FileEvidence

_SOURCE = ".cu"
"""A source that no build compiles for HIP by its ending alone."""
_PROJECTS = 3
"""So many projects for HIP beside others are no accident."""


def handled(by_path: Mapping[str, FileEvidence], answered: Set[str], aside: Set[str]) -> float:
    """The part of the kernels in files that the port answers for; 1 without kernels.

    Those are files that know HIP, include what does, are included by it, or have an equivalent. Files `aside` do not
    count.
    """
    kernels = {path: len(one.kernels) for path, one in by_path.items() if one.kernels and path not in aside}
    done = sum(count for path, count in kernels.items() if path in answered)
    return done / sum(kernels.values()) if kernels else 1.0


def compiled_elsewhere(by_path: Mapping[str, FileEvidence], native: Set[str], shown: Set[str]) -> frozenset[str]:
    """The sources with kernels of which nothing shows that HIP compiles them, where there are kernels for HIP.

    `native` are the files for HIP, `shown` those that something shows to be compiled for HIP, or that have others for
    it. A source that only includes what knows HIP may be one of a program that was not ported.
    """
    if not any(by_path[path].kernels for path in native & shown & by_path.keys()):
        return frozenset()
    return frozenset(
        path for path, one in by_path.items() if one.kernels and path.endswith(_SOURCE) and path not in shown
    )


def left_by_choice(
    evidence: Sequence[FileEvidence], paths: Sequence[str], for_cuda: Mapping[str, str], answered: Set[str]
) -> frozenset[str]:
    """The files that were left to CUDA by choice, of those that the port does not answer for.

    `for_cuda` gives for a file that no build for HIP compiles the place that says so.
    """
    places = set(_by_option(evidence))
    found = {path for path, place in for_cuda.items() if place in places}
    return frozenset(found.union(_skipped(evidence, paths)) - answered)


def _by_option(evidence: Sequence[FileEvidence]) -> Iterator[str]:
    """The places of builds, `path:line`, that an option leaves to CUDA, one that is off unless somebody chooses it.

    The option turns CUDA on by itself and has no sibling for HIP, beside another that turns CUDA on and has one: all
    that the other compiles is what a port is for.
    """
    switches = {name for one in evidence for name in one.cuda_switches}
    words = words_of(evidence)
    paired = {name for name in switches if has_sibling(name, words)}
    off = {name for one in evidence if one.choices is not None for name in one.choices.off}
    alone = (switches & off) - paired if paired else set[str]()
    for one in evidence:
        for part in (*one.sources, *one.folders):
            if part.needs[:1] and part.needs[0] in alone:
                yield f"{one.path}:{part.line}"


def _skipped(evidence: Sequence[FileEvidence], paths: Sequence[str]) -> Iterator[str]:
    """The files of projects that are left out where CUDA is not found, beside half as many that build for HIP."""
    homes = {str(PurePosixPath(one.path).parent): one.project for one in evidence if one.project}
    kinds = list(homes.values())
    if kinds.count("hip") < _PROJECTS or 2 * kinds.count("hip") < kinds.count("skips"):
        return
    for path in paths:
        around = (str(one) for one in PurePosixPath(path).parents)
        if next((homes[one] for one in around if one in homes), "") == "skips":
            yield path
