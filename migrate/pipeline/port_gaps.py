"""What a HIP port that is there answers already, and what it lacks: the gaps are the findings that are left.

The HIP side, its matching CUDA side and shims are never edited. In a repository with a port, a fix is kept only where
it closes a gap and leaves the CUDA side as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from cudamigrate.analysis.port_evidence import OF_CUDA
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.absent_files import gaps as counted
from cudamigrate.model.port_facts import UNSEEN, PortFacts, PortSummary
from cudamigrate.pipeline import files_left_out, gap_evidence, gfx_versions
from cudamigrate.pipeline.cross_file import OLD_HIP
from cudamigrate.pipeline.function_status import annotate
from cudamigrate.pipeline.lane_includes import LaneIncludes

_CODE = ("cuda", "cxx")
_SPEAKS_HIP = re.compile(rb"\b(?:hip|HIP|roc|ROC|miopen|rccl|cudamigrate|__hip)\w*|[<\"]hip/|__builtin_amdgcn")
"""A name of HIP's or of our headers: `hipFree`, `rocblas_handle`, `cudamigrate::ballot`, `<hip/`, a builtin for AMD."""
_WORD = re.compile(r"\w+")
_ASKS = re.compile(rb"defined\s*\(?\s*\w+\s*\)?")
_SHIMMED = "in a shim that gives CUDA names to HIP"
_BUILT = "in a project that builds for HIP too"
_RENAMED = "renamed by hipify in the build"
_COMPILED = "in a file that the build for HIP compiles"
_WAVES = "that follows the wave, for which the port has a constant"
_BY_WAVE = frozenset(
    ("warp/mixed-size", "warp/unproved-size", "warp/queried-size", "warp/pytorch-size", "library/cub-warp-size")
)
"""Rules on code that takes the width of the GPU: it is right where a port is made for it."""
_WIDE = "with a mask that the project makes 64 bits wide"
_MACRO = "in a macro that only CUDA's side uses"
_SIDES = "on a side that has an equivalent"
_FINE = "right as it is on AMD"
_VERSION = "a test of the version that all of AMD's GPUs answer alike, as newer ones do"
_SLOWER = "right on AMD, where it could be faster"
_OWN_MACRO = "of a macro that the project defines itself"
_BY_RUN = "of a size that only a run tells: a launch that asks for too much fails and says so"
_REQUEST = "memory/shared-memory-request"
_PROBE = "in a probe that a build compiles only to ask something"
_UNBUILT = "in a file that no build compiles"
_UNREAD = "in a header that HIP's side never includes"
_UNSET = "under a macro that nothing sets"
_DEAD = "in a branch that definitions of its own file, or of the build for HIP, rule out"
_FOREIGN = "in a file for a library that has no equivalent, which is the gap"
_NO_EQUIVALENT = ("large", "redesign")
"""The effort of findings on libraries that AMD's GPUs have none of: names beside them are the least of it."""
_FFTW = "of FFTW itself: nothing includes cuFFT's wrapper"
_OF_FFTW = "api/fftw-without-counterpart"
_FORWARD = "of a type that the project declares itself"
_DECLARED = re.compile(r"(?:struct|class|union)\s+(\w+)\s*;")
"""A declaration without a body: `struct CUstream_st;`. Pointers to it compile for every vendor."""
_DEFINED = re.compile(r"#[ \t]*define[ \t]+\w+[ \t]*$")
"""A macro that is defined as nothing: `#define CUB_IGNORE_DEPRECATED`. Headers ask for it, and HIP's do not mind."""
_GATES = frozenset(("build/arch-gate", "build/older-path", "build/gated-include", "build/cuda-compiler-macro"))
"""Rules on what a condition asks, also where it goes on in a second line."""
_SILENT = frozenset(("build/vanished-code",))
"""Rules on conditions that are false for AMD and have no other branch: code is missing, and no compiler says so."""
_OF_HALF = frozenset(("__ldcg", "__ldcs"))
"""Loads that HIP has for `__half` and `__half2` alone: in what its build compiles they are of these types."""
_DECLARED_ELSEWHERE = frozenset(("python/cython-call",))
"""Rules on calls whose declarations say what is called: a port's declarations are for HIP, or reported themselves."""
_OWN_SPELLING = frozenset(("warp/legacy-shuffle", "warp/legacy-vote"))
"""Rules on calls without a mask, which CUDA has not had since its version 9: a port has them for HIP."""


def without_answered(results: Sequence[FileResult], port: PortFacts) -> tuple[list[FileResult], PortSummary | None]:
    """The results with the findings that are gaps of the port, and the port; all of them where there is no port."""
    covered, kept = dict[str, list[tuple[Finding, str]]](), list[FileResult]()
    includes = LaneIncludes.of(results)
    wide = any(result.lanes.masks for result in results if result.lanes is not None)
    declared = _declared(results) if port.is_port else frozenset[str]()
    wrapped = _wraps_fftw(results, port)
    for result in results:
        if not result.findings:
            kept.append(result)
            continue
        masks = frozenset[str]().union(*(one.masks for one in (includes.reached(result.path) if wide else ())))
        answers = covered.setdefault(result.path, [])
        findings = tuple(_left(result, port, answers, _Known(masks, declared, wrapped)))
        reason = files_left_out.reason(result, port, findings) if findings else ""
        findings, doubted = _shown(result, findings, port, bool(reason))
        answers += doubted
        if reason and findings:  # priced as native code, with its fixes
            left = {(one.rule, one.span) for one in findings}
            findings = tuple(one for one in result.findings if (one.rule, one.span) in left)
            result = replace(result, absent=reason, belongs=files_left_out.place(result, port))
        kept.append(replace(result, findings=findings) if findings != result.findings else result)
    if not port.is_port:
        return kept, None
    kept = annotate(kept, answered=covered)
    reasons = Counter(why for found in covered.values() for _, why in found if why not in gap_evidence.DOUBTS)
    unseen, own = _unseen(kept, covered, port), [one for one in kept if one.path not in port.hip_files]
    kernels, lacking = sum(one.kernels for one in own), sum(_open_kernels(one, port, unseen) for one in own)
    return kept, PortSummary(
        guards=port.guards,
        shims=tuple(sorted(port.shims)),
        builds=tuple(f"{path}:{line}" for path, line, _ in port.build),
        hipify=tuple(f"{path}:{line}" for path, line, _ in port.hipify),
        kernels=kernels,
        ported=kernels - lacking,
        covered=dict(sorted(reasons.items())),
        gaps=counted(kept),
        unproven=_unproven(covered),
        unseen=unseen,
    )


def _unseen(
    results: Sequence[FileResult], covered: Mapping[str, Sequence[tuple[Finding, str]]], port: PortFacts
) -> tuple[str, ...]:
    """The files with kernels and places of CUDA's that nothing shows to be compiled for HIP, or to be done elsewhere.

    A file without such places may be text that a program compiles when it runs, for either vendor.
    """
    open_ = frozenset(one.path for found in covered.values() for one, why in found if why == UNSEEN)
    kernels = (one.path for one in results if one.path in open_ and one.kernels and not one.absent)
    return tuple(sorted(path for path in kernels if not gap_evidence.is_seen(path, port)))


def _unproven(covered: Mapping[str, Sequence[tuple[Finding, str]]]) -> dict[str, tuple[str, ...]]:
    """The places that are not shown to fail with HIP, by what is not shown."""
    found: dict[str, list[str]] = {}
    for one, why in (item for items in covered.values() for item in items if item[1] in gap_evidence.DOUBTS):
        found.setdefault(why, []).append(f"{one.path}:{one.position.line} {one.rule}")
    return {why: tuple(sorted(places)) for why, places in sorted(found.items())}


def _shown(
    result: FileResult, left: tuple[Finding, ...], port: PortFacts, absent: bool
) -> tuple[tuple[Finding, ...], list[tuple[Finding, str]]]:
    """The gaps of a file that are shown to fail with HIP, and the others, each with what is not shown of it."""
    if not port.is_port or not left:
        return left, []
    if absent:
        why = gap_evidence.doubt_of_file(result, port)
        return ((), [(one, why) for one in left]) if why else (left, [])
    wave = _wave_of(result.path, port)
    doubts = [(one, gap_evidence.doubt(one, result, port, wave)) for one in left]
    return tuple(one for one, why in doubts if not why), [(one, why) for one, why in doubts if why]


def _open_kernels(result: FileResult, port: PortFacts, unseen: Sequence[str]) -> int:
    """How many kernels of a file, at most, have a gap: a place that does not compile for HIP, or computes otherwise.

    A name that is missing is one, however little work it is: with it the kernel is not built. Kernels that were left to
    CUDA by choice, or that no build for HIP has, are not ported, though nothing of the port lacks them. Of the kernels
    in `unseen` files nothing is known.
    """
    if result.path in port.aside | port.elsewhere or result.path in unseen:
        return result.kernels
    serious = {one.position.line for one in result.findings if one.outcome in ("compile-error", "wrong-result")}
    return result.lacking if result.absent else min(result.kernels, len(serious))


def answered(result: FileResult, port: PortFacts, under: str = "") -> FileResult:
    """The result of one file without what the port answers; `under` is the folder that its path is relative to."""
    placed = replace(result, path=under + result.path)
    masks = result.lanes.masks if result.lanes is not None else frozenset[str]()
    known = _Known(masks, _declared((result,)) if port.is_port else frozenset(), _wraps_fftw((result,), port))
    left = {(one.rule, one.span) for one in _left(placed, port, [], known)}
    return replace(result, findings=tuple(one for one in result.findings if (one.rule, one.span) in left))


@dataclass(frozen=True, slots=True)
class _Known:
    """What other files show: masks that are 64 bits wide, CUDA's types that the project declares without a body, and
    whether FFTW's names are those of cuFFT's wrapper."""

    masks: frozenset[str]
    declared: frozenset[str]
    wrapped: bool


def _wraps_fftw(results: Sequence[FileResult], port: PortFacts) -> bool:
    """Whether something includes cuFFT's wrapper, which has the names of FFTW; asked of a port alone."""
    if not (port.is_port and any(finding.rule == _OF_FFTW for one in results for finding in one.findings)):
        return False
    return any("cufftw" in finding.excerpt for one in results for finding in one.findings)


def _declared(results: Sequence[FileResult]) -> frozenset[str]:
    found = (match for one in results for f in one.findings for match in _DECLARED.finditer(f.excerpt))
    return frozenset(match[1] for match in found)


def _left(result: FileResult, port: PortFacts, covered: list[tuple[Finding, str]], known: _Known) -> list[Finding]:
    """The findings of one file that the port does not answer; the others go to `covered`, each with how."""
    left = []
    is_port = port.is_port
    foreign = is_port and _is_for_foreign(result, port)
    for finding in result.findings:
        reason = _answer(finding, result, port, is_port) or (_by_mask(finding, known.masks) if is_port else "")
        reason = reason or (_FOREIGN if foreign and finding.group == "api" else "")
        reason = reason or (_FORWARD if finding.name in known.declared else "")
        reason = reason or (_FFTW if finding.rule == _OF_FFTW and is_port and not known.wrapped else "")
        if reason:
            covered.append((finding, reason))
        else:
            left.append(_gap(finding, port) if is_port or result.path in port.hipified else finding)
    return left


def _is_for_foreign(result: FileResult, port: PortFacts) -> bool:
    """Whether a file uses a library that has no equivalent, and nothing makes its CUDA names HIP's: renaming them would
    close no gap, as no build for HIP can compile it."""
    if port.renames or result.path in port.hipified or result.path in port.through_shim:
        return False
    return any(one.group == "library" and one.effort in _NO_EQUIVALENT for one in result.findings)


def _answer(finding: Finding, result: FileResult, port: PortFacts, is_port: bool) -> str:
    """How the port answers a finding, empty where it does not; `is_port` is what the facts say, asked once a file."""
    path = result.path
    if finding.rule in OLD_HIP or finding.rule in gap_evidence.OF_AMD or gap_evidence.is_lacking(finding, port):
        return ""
    if gap_evidence.is_linked(finding, port):
        return ""
    if path in port.shims:
        return _SHIMMED
    if path in port.hip_files or path in port.equivalents:
        return _SIDES
    if path in port.hipified and is_rename(finding):
        return _RENAMED
    if path in port.probes or path in port.unbuilt:
        return _PROBE if path in port.probes else _UNBUILT
    return (_unreached(finding, port) or _answer_in_port(finding, result, port)) if is_port else ""


def _unreached(finding: Finding, port: PortFacts) -> str:
    """Why no build that the repository describes compiles a place."""
    if finding.path in port.unread:
        return _UNREAD
    if not port.unset.isdisjoint(finding.switches):
        return _UNSET
    lines = port.dead_lines.get(finding.path, ())
    return _DEAD if any(first <= finding.position.line <= last for first, last in lines) else ""


def _answer_in_port(finding: Finding, result: FileResult, port: PortFacts) -> str:
    """The same in code that both sides may have, of a repository with a port."""
    path, line = result.path, finding.position.line
    if any(first <= line <= last for first, last in port.cuda_lines.get(path, ())):
        return _MACRO
    if finding.outcome in ("fine", "slower") or gfx_versions.is_settled(finding):
        return {"fine": _FINE, "slower": _SLOWER}.get(finding.outcome, _VERSION)
    if result.language not in _CODE:
        told = finding.group == "python" and finding.rule not in _DECLARED_ELSEWHERE
        return _BUILT if port.build and not told else ""
    if _is_shimmed(finding, port):
        return _SHIMMED
    if port.renames and is_rename(finding) and path not in port.cuda_only:  # which a build for HIP never names
        return _RENAMED
    if port.waves and (finding.rule in _BY_WAVE or (finding.rule in _OWN_SPELLING and path in port.known)):
        return _WAVES
    if finding.name and _DEFINED.match(finding.excerpt) and finding.name in finding.excerpt.split()[1]:
        return _OWN_MACRO
    if finding.rule == _REQUEST and path in port.known:
        return _BY_RUN
    compiled = bool(port.build or port.hipify) or path in port.through_shim
    if not compiled or path in port.cuda_only:
        return ""
    refuted = _is_refuted(finding) or finding.name in _OF_HALF
    return _COMPILED if refuted or (path in port.known and _is_mask(finding)) else ""


def _is_shimmed(finding: Finding, port: PortFacts) -> bool:
    """Whether a header that the file sees gives the name to HIP."""
    if finding.name in port.aliased.get(finding.path, ()):
        return True
    given = finding.name in port.covered or _is_dropped(finding, port.dropped)
    return given and finding.path in port.through_shim


def _is_dropped(finding: Finding, dropped: Set[str]) -> bool:
    """Whether a name is in an argument that a shim leaves out of the call around it, which lines above may begin."""
    text = "\n".join((finding.above, finding.before or finding.excerpt, finding.below))
    first = len(finding.above) + 1
    for call, _, number in (mark.partition(":") for mark in dropped if finding.name):
        for match in re.finditer(rf"\b{call}\(", text):
            parts = _arguments(text, match.end() - 1)
            at = int(number.rstrip("+"))
            for start, end in parts[at:] if number.endswith("+") else parts[at : at + 1]:
                inside = any(word[0] == finding.name for word in _WORD.finditer(text[start:end]))
                if inside and end > first and start < first + len(finding.before or finding.excerpt):
                    return True
    return False


def _arguments(text: str, opening: int) -> list[tuple[int, int]]:
    """Where the arguments of a call start and end, from its bracket on."""
    depth, parts, start = 0, list[tuple[int, int]](), opening + 1
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 or (text[at] == "," and depth == 1):
            parts.append((start, at))
            start = at + 1
        if depth == 0:
            break
    return parts


def _is_mask(finding: Finding) -> bool:
    """Whether it is about a call that HIP refuses with a mask of 32 bits: what compiles in a file that knows HIP has
    another, or is a function of the port's own. How many lanes the code counts is for other rules to say."""
    return finding.group == "warp" and finding.outcome == "compile-error"


def _by_mask(finding: Finding, masks: frozenset[str]) -> str:
    """Whether a call across lanes is given a mask that HIP takes, and with it all lanes of the wave."""
    refused = finding.group == "warp" and finding.outcome == "compile-error"
    return _WIDE if refused and not masks.isdisjoint(_WORD.findall(finding.excerpt)) else ""


def _is_refuted(finding: Finding) -> bool:
    """Whether a port that compiles answers it: headers, and how compilers and releases are distinguished.

    That a condition chooses other code for AMD shows in what compiles. What it leaves out in silence does not.
    """
    if finding.excerpt.lstrip().startswith(("#if", "#elif")):
        return finding.rule not in _SILENT
    if finding.name in OF_CUDA or finding.rule in _GATES:  # a line that a condition goes on in
        return finding.rule not in _SILENT
    header = finding.group in ("build", "header") or (finding.group == "library" and finding.rule.endswith("-header"))
    return finding.outcome == "compile-error" and header


def is_rename(finding: Finding) -> bool:
    """Whether hipify does it: one name for another, or one header for another."""
    fix = finding.fix
    return finding.group in ("api", "header", "library") and fix is not None and fix.safety == "safe"


def _gap(finding: Finding, port: PortFacts) -> Finding:
    """A finding as a gap: it says what the port lacks, and keeps a fix that both sides can live with.

    In a file that knows HIP the port has chosen how many lanes go together, and a fix may choose otherwise.
    """
    message = finding.message
    given = finding.name.partition("::")[0] in port.aliased.get(finding.path, ())  # of a namespace that HIP has
    if finding.path in port.through_shim and finding.group == "api" and finding.name and not given:
        shim = min(port.shims)
        message = f"`{finding.name}` is used, and the shim `{shim}` does not give it to HIP. {message}"
    else:
        if finding.group == "warp" and port.waves:
            name = _wave_of(finding.path, port)
            message = f"`{name}` is 64 for HIP ({port.waves[name]}). {message}" if name else message
        why = files_left_out.why(finding.path, port) if finding.rule != files_left_out.FUNCTION else ""
        message = f"Gap in the HIP port: {why}{'. ' if why else ''}{message}"
    if finding.fix is None or (keeps_cuda(finding) and finding.path not in port.known):
        return replace(finding, message=message)
    effort = "trivial" if finding.effort == "none" else finding.effort
    return replace(finding, message=message, fix=None, effort=effort)


def _wave_of(path: str, port: PortFacts) -> str:
    """The constant for the wave that a file sees or defines; empty where it does neither."""
    seen = (mark.rpartition("::")[2].lstrip("^") for mark in port.seen_waves.get(path, ()))
    own = (name for name, place in port.waves.items() if place.rpartition(":")[0] == path)
    return next((name for name in (*seen, *own) if name in port.waves), "")


def keeps_cuda(finding: Finding) -> bool:
    """Whether a fix closes a gap and leaves the CUDA side as it is: it only adds, and no name of HIP's.

    What compiles for HIP is no gap, so such a fix is one of the width of warp-level code. A condition is no place for
    one: what it adds moves HIP from a branch that the port has chosen to another.
    """
    edits = finding.fix.edits if finding.fix is not None else ()
    if finding.group != "warp" or finding.excerpt.lstrip().startswith(("#if", "#elif")):
        return False
    added = all(edit.span.start == edit.span.end for edit in edits)
    return added and not any(_SPEAKS_HIP.search(_ASKS.sub(b"", edit.replacement)) for edit in edits)
