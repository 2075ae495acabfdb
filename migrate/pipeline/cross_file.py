"""What all files together show: passes over the results, after which no fix takes for granted what another file denies.

Warp-level code is converted file by file. Two things are known only when all are read: that a constant named after the
warp has another value for HIP, and that a function which works on the full wavefront is called by code that counts 32
lanes, or the other way round. Fixes that such facts make doubtful are withdrawn; their findings say why and stay. CMake
files of a project which has a build for HIP beside that for CUDA have no findings but the one that says so. What the
repository itself defines is not CUDA's, and is not reported.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial

from cudamigrate.analysis.symbol_references import names, number
from cudamigrate.cuda.include_paths import is_below
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.lane_facts import LaneFacts, Mention
from cudamigrate.pipeline import own_definitions
from cudamigrate.pipeline.described_waves import without_described_waves
from cudamigrate.pipeline.function_status import annotate
from cudamigrate.pipeline.host_minima import without_other_minima
from cudamigrate.pipeline.lane_includes import LaneIncludes
from cudamigrate.pipeline.one_dimensional_blocks import without_lines
from cudamigrate.pipeline.own_names import OwnNames, Read
from cudamigrate.pipeline.python_texts import without_headers_in_texts, without_read_sources
from cudamigrate.pipeline.read_kernels import without_read_kernels
from cudamigrate.pipeline.run_time_text import doubt_text
from cudamigrate.pipeline.sizes_alike import with_sizes_alike
from cudamigrate.pipeline.waits_once import without_repeated_waits

_COUNT = "warp/hardcoded-size"
_QUERIED = "warp/queried-size"
_LIBRARY_SIZE = "warp/pytorch-size"
_WAVE = "warpSize"
_SIZES = frozenset(
    ("warp/mixed-size", "warp/unproved-size", "warp/group-size", "warp/constant-size", "warp/wave-constant")
)
_OF_BOTH = ("build/cmake-has-hip", "build/cmake-port-language", "build/cmake-port-library")
_PLATFORM = "build/old-platform-macro"
_PLATFORMS = (_PLATFORM, "build/old-platform-refusal")
_ROCM_5 = ("build/cmake-rocm-folder", "build/cmake-rocm-modules", "build/cmake-package-release")
OLD_HIP = frozenset(("build/flag-amdgpu-target", "build/flag-platform-hcc", *_ROCM_5, _PLATFORM))
"""Rules on what a HIP of years ago knew: it is wrong in a build for HIP too."""
_OWN_PLATFORM = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+__HIP_PLATFORM_HCC__\b", re.MULTILINE)
_SET_PLATFORM = re.compile(rb"^[^#\n]*(?:\b|-D)__HIP_PLATFORM_HCC__\b", re.MULTILINE)
"""The macro in a file that builds, as an option or by name, and not behind the `#` of a comment or a condition."""
_BUILDS = ("cmake", "make", "python", "shell", "bazel", "autotools")
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r'\s*#\s*include\s*"([^"]+)"')
_INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)')
OF_PROGRAMS = frozenset(("library/cuda-samples", "library/samples-helper", "library/cuda-sdk", "library/pycuda-header"))
"""The rules for headers that programs copy: one of that name anywhere in the repository is meant."""


Pass = Callable[[Sequence[FileResult]], list[FileResult]]
"""Results in, the same results with what one fact of the whole tree changes in them out."""


def passes(paths: frozenset[str], read: Read) -> tuple[Pass, ...]:
    """The passes in the order in which they run; `paths` are those of all files that were found, which `read` reads.

    Files are put back to what they are without native waves first, as that gives them other findings. Findings that go
    take fixes with them, so contradictions are looked for in what is left, and functions are reported last.
    """
    return (
        revert_unproved_native,
        partial(drop_project_definitions, paths=paths, read=read),
        *(partial(each, read=read) for each in own_definitions.PASSES),
        partial(without_other_minima, read=read),
        keep_hip_builds,
        partial(without_own_platform, read=read),
        partial(doubt_text, paths=paths, read=read),
        partial(without_headers_in_texts, paths=paths, read=read),
        partial(without_read_sources, read=read),
        partial(without_read_kernels, paths=paths, read=read),
        without_library_waves,
        partial(without_described_waves, read=read),
        partial(without_lines, read=read),
        withdraw_contradicted_fixes,
        partial(with_sizes_alike, read=read),
        without_repeated_waits,
        annotate,
    )


def reconcile(results: Sequence[FileResult], paths: frozenset[str], read: Read) -> list[FileResult]:
    """The results of the files that were read, by path, after every pass."""
    for each in passes(paths, read):
        results = each(results)
    return list(results)


def withdraw_contradicted_fixes(results: Sequence[FileResult]) -> list[FileResult]:
    """The same results, without fixes that another file makes doubtful."""
    facts = [result.lanes for result in results if result.lanes is not None]
    if not facts:
        return list(results)
    results = _beside_ports(results, facts)
    known = LaneIncludes.of(results)
    disputed = _disputed(facts)
    ported = frozenset[str]().union(*(one.ported for one in facts))
    return [_reconciled(result, ported, disputed, known) if result.lanes is not None else result for result in results]


def without_library_waves(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, without findings on sizes of the wave for what another file does with a library's own functions.

    Blocks for kernels that reduce with PyTorch's functions are of full wavefronts, as the code sizes them.
    """
    facts = [result.lanes for result in results if result.lanes is not None]
    names = frozenset[str]().union(*(one.on_library_waves for one in facts))
    if not names:
        return list(results)
    return [_without_sizes_for(result, names) for result in results]


def _without_sizes_for(result: FileResult, names: frozenset[str]) -> FileResult:
    ranges = result.lanes.sized if result.lanes is not None else ()
    kept = [(start, end) for start, end, mentioned in ranges if not names.isdisjoint(mentioned)]
    findings = tuple(
        one
        for one in result.findings
        if one.rule not in (_QUERIED, _LIBRARY_SIZE) or not any(start <= one.span.start < end for start, end in kept)
    )
    return result if len(findings) == len(result.findings) else replace(result, findings=findings)


def _beside_ports(results: Sequence[FileResult], facts: Sequence[LaneFacts]) -> list[FileResult]:
    """The results, with no 32 written for the wave where another file says that the code is written for AMD too."""
    ported = frozenset[str]().union(*(one.for_amd for one in facts))
    queried = any(one.on_waves for one in facts)
    kept = []
    for result in results:
        narrowed = result.lanes.narrowed if result.lanes is not None else ()
        own = result.lanes.for_amd if result.lanes is not None else frozenset[str]()
        why = {group: min(names & (ported - own)) for group, names in narrowed if not names.isdisjoint(ported - own)}
        if not (why or queried) or not result.findings:
            kept.append(result)
            continue
        findings = tuple(_beside_port(finding, why, queried) for finding in result.findings)
        kept.append(result if findings == result.findings else replace(result, findings=findings))
    return kept


def _beside_port(finding: Finding, why: Mapping[str, str], queried: bool) -> Finding:
    if finding.fix is None:
        return finding
    if finding.fix.group in why:
        name = why[finding.fix.group]
        return _withdrawn(finding, f" Not converted: `{name}` has a meaning of its own for HIP in another file.")
    if queried and finding.rule == _QUERIED:
        return _withdrawn(finding, " Not changed: other code of this repository is written for AMD's wave.")
    return finding


def drop_project_definitions(results: Sequence[FileResult], paths: frozenset[str], read: Read) -> list[FileResult]:
    """Results, by path, without findings on names that the repository defines and headers among its `paths`.

    A `.cu` file sees CUDA's own declarations, so what another source defines under such a name, as a table of pointers
    to CUDA's functions does, is not what it calls; and what a header declares is known to those who read it.
    """
    kept, own, ends = [], OwnNames(results, read), {path.rpartition("/")[2] for path in paths} | {".", ".."}
    for result in sorted(results, key=lambda result: result.path):
        if result.skip is not None:
            continue
        if not result.findings:
            kept.append(result)
            continue
        findings = tuple(
            one
            for one in result.findings
            if not own.has(one) and not (_may_be_local(one, ends) and is_local(one, paths))
        )
        if len(findings) == len(result.findings):
            kept.append(result)
            continue
        dropped = set(result.findings).difference(findings)
        findings = without_groups(findings, {f.fix.group for f in dropped if f.fix is not None})
        kept.append(replace(result, findings=findings))
    return kept


def _may_be_local(finding: Finding, ends: Set[str]) -> bool:
    """Whether `is_local` is to be asked, which reads the line; `ends` are what the paths of the repository end with."""
    if finding.name and finding.rule not in OF_PROGRAMS:
        return finding.name.rpartition("/")[2] in ends
    return finding.rule in OF_PROGRAMS or finding.group == "library"


def is_local(finding: Finding, paths: frozenset[str]) -> bool:
    """An include in quotes that names a file of the repository is not CUDA's header of that name."""
    if finding.rule in OF_PROGRAMS and (named := _INCLUDE.match(finding.excerpt)) is not None:
        return any(posixpath.basename(path) == posixpath.basename(named[1]) for path in paths)
    match = _QUOTED.match(finding.excerpt)
    if match is None or (finding.name != match[1] and (finding.name or finding.group != "library")):
        return False
    sibling = posixpath.normpath(posixpath.join(posixpath.dirname(finding.path), match[1]))
    return sibling in paths or match[1] in paths


def revert_unproved_native(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, with those for logical warps where uses in other files contradict the proof for the full wavefront.

    Only its own file may use a function whose width follows the wavefront. Helpers that reduce a whole block are an
    exception: their callers, followed through the call graph, must be kernels launched only in blocks of full
    wavefronts. All threads of a block reach such a helper, because it contains a barrier.
    """
    if not any(result.logical_result is not None for result in results):
        return list(results)
    files = {result.path: result.lanes for result in results if result.lanes is not None and result.lanes.mentions}
    mentioned = _Mentioned(files)
    return [
        replace(result.logical_result, clues=result.clues)
        if result.logical_result is not None and not _is_consistent(result.path, files[result.path], mentioned)
        else result
        for result in results
    ]


class _Mentioned:
    """Which functions mention a name, in which files: asked by name, so that each file is read once."""

    def __init__(self, files: Mapping[str, LaneFacts]) -> None:
        self._defined = {path: frozenset(one.function for one in lanes.mentions) for path, lanes in files.items()}
        self._by_number: dict[int, list[tuple[str, Mention]]] = {}
        for path, lanes in files.items():
            for one in lanes.mentions:
                for each in names(one):
                    self._by_number.setdefault(each, []).append((path, one))

    def by(self, name: str) -> Sequence[tuple[str, Mention]]:
        """The functions that mention a name, each with its file."""
        return self._by_number.get(number(name), ())

    def defines(self, path: str, name: str) -> bool:
        """Whether a file has a device function of that name."""
        return name in self._defined[path]


def _is_consistent(path: str, lanes: LaneFacts, mentioned: _Mentioned) -> bool:
    for name in lanes.native - lanes.helpers:
        for other, _ in mentioned.by(name):
            if other != path and not (path.endswith(".cu") and mentioned.defines(other, name)):
                return False
    return all(_reaches_wide_kernels(helper, path, mentioned) for helper in lanes.helpers)


def _reaches_wide_kernels(helper: str, path: str, mentioned: _Mentioned) -> bool:
    """Whether all that leads to a helper are kernels in blocks of full wavefronts, one at least."""
    waiting, seen, kernels = [(helper, path, "device")], {helper}, 0
    while waiting:
        name, home, kind = waiting.pop()
        for other, one in mentioned.by(name):
            if other != home and home.endswith(".cu") and mentioned.defines(other, name):
                continue  # a function of its own; what a header defines, it may see beside that
            launched = kind == "wide" and other == home and not one.function
            if one.function == name or launched:
                continue
            if kind == "wide" or one.kind not in ("device", "wide") or not one.function:
                return False
            kernels += one.kind == "wide"
            if one.function not in seen:
                seen.add(one.function)
                waiting.append((one.function, other, one.kind))
    return kernels > 0


def without_own_platform(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results; where code or a build sets the old macro of AMD's platform, no condition asks for it in vain."""
    if not any(finding.rule in _PLATFORMS for result in results for finding in result.findings):
        return list(results)
    patterns = dict.fromkeys(("cuda", "cxx"), _OWN_PLATFORM) | dict.fromkeys(_BUILDS, _SET_PLATFORM)
    asked = ((read(result.path), patterns[result.language]) for result in results if result.language in patterns)
    if not any(pattern.search(source.data) for source, pattern in asked if source is not None):
        return list(results)
    return [
        replace(result, findings=tuple(one for one in result.findings if one.rule not in _PLATFORMS))
        for result in results
    ]


def keep_hip_builds(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, without findings in CMake files for CUDA where the same project builds for HIP in others."""
    roots = {result.path.rpartition("/")[0] for result in results if "project" in result.builds}
    kinds: dict[str, set[str]] = {}
    for result in results:
        kinds.setdefault(_root(result.path, roots), set()).update(result.builds)
    inner = {root for root, found in kinds.items() if {"cuda", "hip"} <= found}
    outer = {root for root, found in kinds.items() if "cuda" not in found and any(is_below(one, root) for one in inner)}
    both = inner | outer
    return [
        replace(
            result,
            findings=tuple(finding for finding in result.findings if finding.rule in (*_OF_BOTH, *OLD_HIP)),
        )
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


def without_groups(findings: Sequence[Finding], groups: Set[str]) -> tuple[Finding, ...]:
    """The findings, the fixes of some groups withdrawn: what changes together cannot change in part."""
    why = " Not converted: the repository itself defines other lane functions that are called beside it."
    return tuple(
        _withdrawn(finding, why) if finding.fix is not None and finding.fix.group in groups - {""} else finding
        for finding in findings
    )


def _withdrawn(finding: Finding, why: str) -> Finding:
    return replace(finding.without_fix("small"), message=finding.message + why)


def _disputed(facts: Sequence[LaneFacts]) -> frozenset[str]:
    """Functions of one kind that code of the other kind calls from another file, or launches in blocks not seen."""
    whole = frozenset[str]().union(*(known.whole for known in facts))
    narrow = frozenset[str]().union(*(known.narrow for known in facts))
    by_whole = frozenset[str]().union(*(known.whole_calls for known in facts))
    by_narrow = frozenset[str]().union(*(known.narrow_calls for known in facts))
    native = frozenset[str]().union(*(known.native for known in facts))
    launched = frozenset[str]().union(*(known.launches for known in facts))
    return (whole & by_narrow) - narrow | (narrow & by_whole) - whole | (native & launched)


def _reconciled(
    result: FileResult, ported: frozenset[str], disputed: frozenset[str], known: LaneIncludes
) -> FileResult:
    lanes = result.lanes
    assert lanes is not None
    own = frozenset[str]()
    leans = bool(lanes.aliases) or (bool(ported) and any(_leans(finding, ported) for finding in result.findings))
    asks = bool(lanes.whole) or any(map(_says_wave, result.findings))
    reached = known.reached(result.path) if leans or asks else []
    if leans:
        here = frozenset[str]().union(*(one.ported for one in reached))
        ported = ported - (frozenset[str]().union(*(one.fixed for one in reached)) - here)
        own = here - lanes.fixed
    own |= {name for name, constant in lanes.aliases if constant in own}
    if asks and any(_WAVE in one.fixed for one in reached):
        return replace(result, findings=_with_own_wave(result))
    about = lanes.whole | lanes.narrow | lanes.whole_calls | lanes.narrow_calls | lanes.native
    mixed = min(disputed & about, default="")
    if not (ported or own or mixed):
        return result
    findings = tuple(
        _judged(finding, ported, mixed) for finding in result.findings if not _follows_the_wave(finding, own)
    )
    return replace(result, findings=findings)


def _says_wave(finding: Finding) -> bool:
    return finding.rule in _SIZES and _WAVE in finding.message


def _with_own_wave(result: FileResult) -> tuple[Finding, ...]:
    """Findings of a file where `warpSize` is a constant of 32 that a header of the repository defines.

    Code that was taken to ask for the wave counts 32 lanes there.
    """
    assert result.lanes is not None
    why = " Not converted: `warpSize` is a constant of 32 in this repository."
    kept = (finding for finding in result.findings if not _says_wave(finding))
    if not result.lanes.whole:
        return tuple(kept)
    return tuple(_withdrawn(f, why) if f.fix is not None and f.fix.group else f for f in kept)


def _leans(finding: Finding, ported: frozenset[str]) -> bool:
    """Whether a finding has to do with a constant that some file gives another value for HIP."""
    return not ported.isdisjoint(finding.relies) or _follows_the_wave(finding, ported)


def _follows_the_wave(finding: Finding, ported: frozenset[str]) -> bool:
    """Whether a place counts lanes with a constant that has a value of its own for HIP: there it is none of ours."""
    return finding.rule == _COUNT and not ported.isdisjoint(_WORD.findall(finding.message))


def _judged(finding: Finding, ported: frozenset[str], mixed: str) -> Finding:
    name = min(ported.intersection(finding.relies), default="")
    if not (name or mixed) or finding.fix is None or not finding.fix.group:
        return finding
    if name:
        why = f" Not converted: `{name}` is not 32 for HIP in this repository."
    else:
        why = f" Not converted: `{mixed}` works on the full wavefront in one file, and another counts on 32 lanes."
    return _withdrawn(finding, why)
