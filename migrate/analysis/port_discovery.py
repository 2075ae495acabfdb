"""The evidence of all files -> the facts of a repository's HIP port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from cudamigrate.analysis import port_compiled, port_configure, port_hipify, port_missing, port_reach, port_share
from cudamigrate.analysis.port_guards import Guards
from cudamigrate.analysis.port_sides import Sides, hip_files, native_files
from cudamigrate.analysis.port_values import Values
from cudamigrate.analysis.port_waves import Waves
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import FileEvidence, PortFacts, PortGuard

_ALIASES = 3
"""So many CUDA names given to HIP's make a header a shim; fewer are a repair in passing."""
_SEVERAL = 2
"""So many files with code for both vendors are no accident."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_HEADER = re.compile(r"\.(?:h|hh|hpp|hxx|cuh|inc|inl)$")


def facts(evidence: Sequence[FileEvidence], known: Sequence[str], paths: Sequence[str]) -> PortFacts:
    """The port that the files show; `known` are the macros that mark HIP everywhere, `paths` those of all files."""
    native = hip_files(evidence, paths)
    search = Guards(evidence, known, native | native_files(evidence))
    guards, marks, shims = search.found(), frozenset(search.marks), _shims(evidence)
    by_path = dict.fromkeys(paths, FileEvidence("")) | {one.path: one for one in evidence}  # most show nothing
    graph = IncludeGraph({path: (*one.includes, *one.unknown) for path, one in by_path.items()})
    twins, lacking = Sides(by_path, native).both(paths, graph)
    for_cuda = port_reach.cuda_only(evidence, graph, marks, _of_cuda(guards))
    given, renaming = _compiled(evidence), _renaming(evidence, paths)
    knowing = graph.above(search.written() | frozenset(shims)) | given
    sides = _sides(native, twins, lacking) | renaming["hipified"].keys()
    answered = frozenset(graph.below(knowing & by_path.keys()) | sides)
    return PortFacts(
        guards=tuple(replace(guard, defined=_is_only_defined(guard.name, evidence)) for guard in guards),
        shims=shims,
        covered=frozenset(name for path in shims for name in (*by_path[path].aliases, *by_path[path].stand_ins)),
        dropped=frozenset(mark for path in shims for mark in by_path[path].drops),
        hip_files=native - frozenset(shims),
        equivalents=Sides(by_path, native).builds(paths)
        | port_reach.replaced(evidence, for_cuda.keys())
        | search.included_for_cuda(paths, twins, lacking)
        | twins,
        lacking=lacking,
        build=tuple(sorted((*_built(evidence), *_configured(evidence, guards), *_chosen(evidence, search)))),
        extensions=tuple(sorted((one.path, *one.extension) for one in evidence if one.extension)),
        written=bool(search.written()),
        known=graph.above(search.written() | {one.path for one in evidence if one.asks}),
        answered=answered,
        **_waves(Waves(evidence, native | frozenset(shims), marks), graph),
        through_shim=graph.together(shims) - shims.keys() if shims and (guards or known) else frozenset(),
        kernels=frozenset(name for path in native for name in (by_path[path].kernels if path in by_path else ())),
        cuda_only=for_cuda,
        undecided=port_missing.undecided(by_path, native, (twins, lacking), frozenset(for_cuda.values())),
        aliased=_aliased(evidence, shims.keys(), graph),
        **_compiling(by_path, native, search, shims.keys(), graph.above(shims) | sides | given),
        **_values(evidence, Values(evidence, native | native_files(evidence), marks)),
        **renaming,
        **_share(by_path, paths, for_cuda, answered),
    )


def _compiling(
    by_path: Mapping[str, FileEvidence],
    native: Set[str],
    search: Guards,
    shims: Set[str],
    shown: Set[str],
) -> dict[str, Any]:
    """What builds for HIP compile, and the kernels that neither they nor anything else that is shown speaks for."""
    compiled = port_compiled.found(by_path, native | search.written(), shims, frozenset(search.marks))
    return {"compiled": compiled, "elsewhere": port_share.compiled_elsewhere(by_path, native, compiled | shown)}


def _share(
    by_path: Mapping[str, FileEvidence], paths: Sequence[str], for_cuda: Mapping[str, str], answered: Set[str]
) -> dict[str, Any]:
    """What was left to CUDA by choice, and the part of the other kernels that the port answers for."""
    aside = port_share.left_by_choice(tuple(by_path.values()), paths, for_cuda, answered)
    return {"aside": aside, "handled": port_share.handled(by_path, answered, aside)}


def _renaming(evidence: Sequence[FileEvidence], paths: Sequence[str]) -> dict[str, Any]:
    """What builds run hipify on: all, some sources by name, or all sources of a folder."""
    return {
        "hipify": tuple(sorted((one.path, *one.hipifies) for one in evidence if one.hipifies)),
        "hipified": port_hipify.paths(evidence, paths),
        "hipify_folders": port_hipify.folders(evidence, paths),
    }


def _waves(waves: Waves, graph: IncludeGraph) -> dict[str, Any]:
    """The constants for the wave, and the files that see them."""
    return {"waves": waves.found(), "seen_waves": waves.seen(graph.spelled)}


def _values(evidence: Sequence[FileEvidence], values: Values) -> dict[str, Any]:
    """What builds for HIP, and code on its side, do with macros of CUDA's own, and whose options the host gets."""
    undefined = values.undefined()
    return {
        "to_host": frozenset(name for one in evidence for name in one.to_host),
        "undefined": undefined,
        "valued": values.valued(),
        "dropping": values.selecting(undefined),
        "selecting": values.selecting(),
    }


def _shims(evidence: Sequence[FileEvidence]) -> dict[str, int]:
    """The headers that give several CUDA names to HIP's, with how many."""
    several = (one for one in evidence if len(one.aliases) >= _ALIASES and not one.kernels)
    return {one.path: len(one.aliases) for one in several if _HEADER.search(one.path)}


def _aliased(evidence: Sequence[FileEvidence], shims: Set[str], graph: IncludeGraph) -> dict[str, frozenset[str]]:
    """For a file, the CUDA names that it gives to HIP's itself, or gets so from a header that is no shim."""
    found: dict[str, frozenset[str]] = {}
    for one in evidence:
        for path in graph.above((one.path,)) if one.aliases and one.path not in shims else ():
            found[path] = found.get(path, frozenset()).union(one.aliases)
    return found


def _built(evidence: Sequence[FileEvidence]) -> Iterator[tuple[str, int, str]]:
    return ((one.path, *one.build) for one in evidence if one.build)


def _chosen(evidence: Sequence[FileEvidence], search: Guards) -> Iterator[tuple[str, int, str]]:
    """Where a build asks for HIP that something else turns on: a library for both vendors, or the user.

    A name alone is no evidence: several files have code for HIP in a branch, and code for CUDA beside it.
    """
    written = search.written()
    if sum(_speaks_cuda(one) for one in evidence if one.path in written) >= _SEVERAL:
        yield from ((one.path, *one.asks_build) for one in evidence if one.asks_build and not one.build)


def _speaks_cuda(one: FileEvidence) -> bool:
    return one.cuda or any(branch.cuda or branch.mixed for branch in one.branches)


def _configured(evidence: Sequence[FileEvidence], guards: Sequence[PortGuard]) -> Iterator[tuple[str, int, str]]:
    """Where a build is configured with a guard: that it can be set so is a build for HIP."""
    names = {guard.name for guard in guards if guard.kind == "exact"}
    implying = {guard.name for guard in guards if guard.kind == "implies"}
    for one in evidence:
        yield from ((one.path, line, text) for name, line, text in one.configured if name in names)
        scripted = one.macros if port_configure.configures(one.path) else ()
        hip = (macro for macro in scripted if macro.hip and macro.name in names | implying)
        yield from ((one.path, macro.line, f"defines {macro.name}") for macro in hip)


def _is_only_defined(name: str, evidence: Sequence[FileEvidence]) -> bool:
    """Whether conditions ask of a macro only that it is defined, and none gives it the value 0."""
    word = name.encode()
    queried = re.compile(rb"\bdefined\s*\(?\s*%s\b" % re.escape(word))
    texts = {text for one in evidence for branch in one.branches for chain in branch.conditions for text in chain}
    plain = any(word in _WORD.findall(queried.sub(b"", text)) for text in texts)
    return not plain and not any(
        one.name == name and (one.value == b"0" or not one.macro) for file in evidence for one in file.definitions
    )


def _sides(native: Set[str], twins: Mapping[str, str], lacking: Mapping[str, str]) -> frozenset[str]:
    """The files of a side of its own for a vendor: HIP's, what has an equivalent there, and what lacks one.

    What lacks one counts where HIP's side is no beginning: where it has half as many files as CUDA's. Such a project
    keeps a side for each vendor: what the other one lacks is named, and not converted in place.
    """
    whole = 2 * len(native) >= len(twins) + len(lacking)
    return frozenset(native | twins.keys() | (lacking.keys() if whole else set()))


def _compiled(evidence: Sequence[FileEvidence]) -> frozenset[str]:
    """The sources that builds give the language HIP."""
    found = set[str]()
    for one in evidence:
        named = (
            {source.name for source in one.sources if not source.cuda and not source.removed}
            if "*" in one.for_hip
            else set()
        )
        found |= {port_reach.named_in(one.path, name) for name in named | (set(one.for_hip) - {"*"})}
    return frozenset(found)


def _of_cuda(guards: Sequence[PortGuard]) -> frozenset[str]:
    """The macros that only CUDA's side has."""
    return frozenset(guard.name for guard in guards if guard.kind in ("cuda", "implies-cuda"))
