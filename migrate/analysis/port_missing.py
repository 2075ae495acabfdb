"""Which files of CUDA's side are shown to have nothing that does their work with HIP, and which are not.

That a file has no namesake shows little: HIP's side may do its work in a file of another name or together with other
work, and a part that an option of the build turns on may have been left to CUDA by choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from cudamigrate.analysis.port_reach import named_in
from cudamigrate.analysis.port_sides import bare, hip_folder
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import FileEvidence, UndecidedKind

_CUDA = re.compile(r"(?i)cuda|nvidia|nv(?=_)")
_HEADER = re.compile(r"\.(?:h|hh|hpp|hxx|cuh|inc|inl)$")
_HIPS = ("HIP", "ROCM", "AMD")
_VENDOR = re.compile(r"(?i)_?(?:cuda|hip|rocm)")
"""The vendor's word in the name of a kernel: `scan_cuda_kernel`, `hip_scan_kernel`."""


def undecided(
    by_path: Mapping[str, FileEvidence],
    native: Set[str],
    sides: tuple[Mapping[str, str], Mapping[str, str]],
    places: Set[str],
) -> dict[str, UndecidedKind]:
    """Of some places, `path:line` of a build file, and of files that a folder for HIP lacks, those of which it is not
    shown that HIP has nothing for them, and why not.

    `native` are HIP's files; `sides` are, for files of CUDA's side, those of HIP's, and the folders that lack them.
    """
    twins, lacking = sides
    evidence = tuple(by_path.values())
    found: dict[str, UndecidedKind] = dict.fromkeys(_unlike(by_path, native, twins, lacking), "unlike")
    found |= dict.fromkeys(_beside(evidence, native, twins, places), "unlike")
    return found | dict.fromkeys(_by_option(evidence, places, lacking.keys()), "option")


def inherited(
    undecided: Mapping[str, UndecidedKind], paths: Iterable[str], graph: IncludeGraph
) -> dict[str, UndecidedKind]:
    """The same of headers, of which that is not shown of any source that includes them."""
    found: dict[str, UndecidedKind] = {}
    for path in paths:
        users = sorted(one for one in graph.above((path,)) if one != path and not _HEADER.search(one))
        if path not in undecided and users and all(one in undecided for one in users):
            found[path] = undecided[users[0]]
    return found


def _by_option(evidence: Sequence[FileEvidence], places: Set[str], paths: Set[str]) -> frozenset[str]:
    """Those of some places, `path:line` of a build file, and of some sources, that need more than what turns CUDA on.

    That is a variable of the build with a sibling for HIP (`LIB_CUDA`, `LIB_HIP`). A part that another option turns on
    (`LIB_NVSHMEM`), or a condition that is not a plain variable, was left to CUDA by choice, as far as can be seen.
    """
    named = [(one, part) for one in evidence for part in (*one.sources, *one.folders)]
    words = words_of(evidence)
    needs = {f"{one.path}:{part.line}": part.needs for one, part in named}
    found = {place for place in places if not _is_plain(needs.get(place, ("",)), words)}
    sources = ((named_in(one.path, part.name), part.needs) for one, part in named)
    return frozenset(found | {path for path, own in sources if path in paths and not _is_plain(own, words)})


def words_of(evidence: Sequence[FileEvidence]) -> frozenset[str]:
    """All that builds ask for or set, in capitals: a variable's sibling for HIP is one of them."""
    asked = {name for one in evidence for name in one.switches}
    asked |= {name for one in evidence for part in (*one.sources, *one.folders) for name in part.needs}
    asked |= {name for one in evidence for macro in one.macros for name in (macro.name, *macro.needs, *macro.either)}
    return frozenset(name.upper() for name in asked)


def has_sibling(name: str, words: Set[str]) -> bool:
    """Whether a variable for CUDA has one for HIP that is called likewise: `LIB_CUDA`, `LIB_HIP`."""
    return bool(_CUDA.search(name)) and any(_CUDA.sub(hip, name).upper() in words for hip in _HIPS)


def _is_plain(needs: Sequence[str], words: Set[str]) -> bool:
    return all(has_sibling(name, words) for name in needs)


def _unlike(
    evidence: Mapping[str, FileEvidence], native: Set[str], twins: Mapping[str, str], lacking: Mapping[str, str]
) -> Iterator[str]:
    """Of the files in `lacking` those that HIP's side may do otherwise: all but those with a kernel that it has not,
    beside a folder for HIP where each file with kernels has a namesake.

    `native` are HIP's files, `twins` gives for a file of CUDA's side that of HIP's.
    """
    matched = {bare(path) for path in twins.values()}
    kernels = {path: evidence[path].kernels for path in native if path in evidence}
    own = {hip_folder(path) for path, names in kernels.items() if names and bare(path) not in matched}
    known = {_VENDOR.sub("", name) for names in kernels.values() for name in names}
    for path, folder in lacking.items():
        names = evidence[path].kernels if path in evidence else ()
        if folder in own or all(_VENDOR.sub("", name) in known for name in names):
            yield path


def _beside(
    evidence: Sequence[FileEvidence], native: Set[str], twins: Mapping[str, str], places: Set[str]
) -> Iterator[str]:
    """Those of some places, `path:line` of a build file that leaves sources to CUDA, whose build file names a source of
    HIP's that has no namesake on CUDA's side: it may do their work.
    """
    matched = {bare(path) for path in twins.values()}
    free = {path for path in native if bare(path) not in matched}
    builds = {one.path for one in evidence if any(named_in(one.path, part.name) in free for part in one.sources)}
    yield from (place for place in places if place.rpartition(":")[0] in builds)
