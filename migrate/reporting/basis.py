"""Report -> what the decision rests on, as lines: what was read, what the days rest on, what was shown, and speeds.

Every format prints these lines below the decision. Nothing is estimated here.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence

from cudamigrate.model import LOOKED_AT, NO_CUDA_NAMED, Report
from cudamigrate.model.estimate import UNREAD, WORKLOADS, CostItem, Days, Estimate, OptionalPart, Source
from cudamigrate.reporting.summary import between, days
from cudamigrate.wording import count_of, series

FITTED = (900, 152_000)
"""Lines of CUDA code of the smallest and the largest port that the model is fitted on (docs/effort.md)."""
COLLECTION = 10
"""Components with CUDA code from which on a repository is a collection of programs."""
OLD = ("warp/legacy-", "texture/reference", "texture/surface-reference")
"""Rules about what newer CUDA has removed: shuffles and votes without a mask, texture references."""
AGED = 10
"""Places of such rules from which on a tree is older than the ports behind the model, which have nine at most."""
MODEL = "Days are a model, not a quote"
"""How the line begins that says what the days are; it follows what was read."""
PORTABLE = "OpenCL"
"""A language whose code AMD's GPUs run as it is."""
SHOWN = 1.03
"""What the tool saves is said where the days without it are so many times those with it."""

_OWN_KERNELS = frozenset(("native-cuda", "pytorch-cuda-extension", "python-kernels"))
"""Categories of code whose side for HIP is another text."""


def basis(report: Report) -> list[str]:
    """What the decision rests on: what was read, what the days rest on, what was shown, and what is known of speed."""
    read = sum(file.cuda for file in report.files)
    lines = sum(file.lines for file in report.files if file.cuda)
    many = count_of(sum(file.language not in LOOKED_AT.values() for file in report.files), "file")
    found = [report.trend] if report.trend else []
    found += [f"{many} read; {read:,} with CUDA, {count_of(lines, 'line')}."]
    found += [*_kept_back(report), *(_unread(report, read) if read or report.unread_languages else [])]
    estimate = report.estimate
    found += _hip(estimate) if estimate is not None and report.port is None else []
    found += _replaced(estimate) if estimate is not None else []
    if estimate is not None and estimate.items:
        share = round(100 * assumed(estimate.items))
        fitted = "; the total is calibrated on 25 known ports" if estimate.kind else ""
        found.append(f"{MODEL}: {share} % of them rest on assumed hours{fitted}.")
        texts = sum(part.strings for part in estimate.components)
        if texts:
            many = f"{texts:,} CUDA kernel{'s are' if texts > 1 else ' is'} in Python strings"
            unread = sum(one.rule in UNREAD for one in report.findings)
            found.append(f"{many}{_said_of(unread)}.")
        found += [
            *without_tool(estimate, any(one.automatic for one in report.findings)),
            *extrapolated(report),
            *optional_lines(estimate),
        ]
    if report.findings:
        found.append(proved(report))
    if estimate is not None:
        found += _speeds(estimate)
    return found


def _kept_back(report: Report) -> list[str]:
    """How many automatic fixes `apply` does not make by itself, as the sources stay for both vendors; none else."""
    style = report.style
    if style is None:
        return []
    languages = {one.path: one.language for one in report.files}
    automatic = [one for one in report.findings if one.resolution == "automatic" and one.fix is not None]
    from cudamigrate.portable import builds  # slow to import

    count = sum(not builds.is_made(style, languages.get(one.path, ""), one.fix) for one in automatic)
    if not count:
        return []
    why = f"writes for both vendors, because {style.reason}"
    return [f"`apply` {why}: {count_of(count, 'automatic fix')} of other builds need `--style hip`."]


def _said_of(unread: int) -> str:
    """What of kernels in Python was not read."""
    return f"; {count_of(unread, 'text')} with kernels {'were' if unread > 1 else 'was'} not read" if unread else ""


def languages(report: Report, silent: bool = False) -> dict[str, int]:
    """How many files there are of each language that nothing here reads; `silent` are those that do not name CUDA."""
    found = (one for one in report.skipped if one.kind == "language" and (one.reason == NO_CUDA_NAMED) == silent)
    said = [skip.path.partition(" ") for skip in found]
    return {name: int(count.replace(",", "")) for count, _, name in said if count.replace(",", "").isdigit()}


def _unread(report: Report, read: int) -> list[str]:
    """Files of languages that nothing here reads: which may call CUDA by bindings, or run on AMD's GPUs already.

    `read` are the files with CUDA that were read.
    """
    found, silent = languages(report), languages(report, silent=True)
    limits = ", but for what is for NVIDIA alone, which some of it names" if PORTABLE in found else ""
    portable = found.pop(PORTABLE, 0) + silent.pop(PORTABLE, 0)
    said = [f"{count:,} {name}" for name, count in found.items()]
    lines = [
        f"Not read: {skip.path}: {skip.reason}. Its use of CUDA is not counted."
        for skip in report.skipped
        if skip.kind in ("ending", "aside")
    ]
    lines += [f"Not read: {skip.path}: {skip.reason}." for skip in report.skipped if skip.kind == "toolkit"]
    if said:
        lines.append(
            f"Not read: files of other languages ({', '.join(said)}). Their use of CUDA is not counted"
            f"{_counted_of(report, found)}."
        )
    if others := series(f"{count:,} {name}" for name, count in silent.items()):
        lines.append(f"Not read: files of other languages that do not name CUDA ({others}).")
    if portable and report.port is None:
        lines.append(
            f"{PORTABLE} is here too ({count_of(portable, 'file')}, not read), and AMD GPUs run it{limits}."
            f"{' See what it covers before porting the CUDA code.' if read else ''}"
        )
    return lines


def _counted_of(report: Report, found: Mapping[str, int]) -> str:
    """What of other languages is counted all the same: one place in each file that has to do with CUDA."""
    files = Counter(file.language for file in report.files if file.findings)
    said = [count_of(files[LOOKED_AT[name]], f"{name} file") for name in found if files[LOOKED_AT.get(name, "")]]
    return f", but for one place a file in {' and '.join(said)}" if said else ""


def _hip(estimate: Estimate) -> list[str]:
    """What shows that a component has HIP's side already, where no port was found that answers for its places."""
    done = [place for part in estimate.components if part.category == "ported" for place in part.hip]
    said = [f"{place.path}:{place.line}" if place.line else place.path for place in done[:3]]
    if said:
        return [f"Code or a build for HIP is in {series(said)}; it was not compared with the CUDA code."]
    begun = [place.path for part in estimate.components if part.category in _OWN_KERNELS for place in part.hip]
    folder = posixpath.commonpath(begun) if begun else ""
    return [f"HIP code or a build for it is in {folder or begun[0]}; it was not compared."] if begun else []


def _replaced(estimate: Estimate) -> list[str]:
    """What shows that the repository is a library that AMD has too."""
    return [
        f"{one.name}: {series(f'`{place.text}` in {place.path}' for place in one.evidence)}. "
        f"{one.amd}: {one.source.text if one.source is not None else 'no source'}."
        for one in estimate.replaced
        if one.evidence
    ]


def proved(report: Report) -> str:
    """What was compiled and run, and how much of it is right."""
    proof = report.proof
    if proof is not None and proof.said and not proof.types:
        return f"{proof.said[0]}."
    if proof is None or not proof.types:
        return "Nothing was compiled or run: `apply` type-checks what it writes, `apply --run` compares results."
    good = proof.types.get("checked", 0) + proof.types.get("declarations", 0)
    ran = [verdict.word for verdict in proof.runs.verdicts] if proof.runs is not None else []
    run = f" {ran.count('same'):,} of {len(ran):,} programs computed the same on an emulated GPU." if ran else ""
    open_, every = proof.types.get("unresolved", 0), sum(proof.types.values())
    judged = every - open_  # files that need no change are judged too
    if not judged:
        return f"None of {count_of(every, 'file')} could be judged.{run}"
    aside = f" {count_of(open_, 'more file')} could not be judged." if open_ else ""
    said = "type-checks" if judged == 1 else "type-check"
    return f"{good:,} of {count_of(judged, 'judged file')} {said} for AMD.{aside}{run}"


def _speeds(estimate: Estimate) -> list[str]:
    known = [speed for speed in estimate.performance if speed.low is not None and speed.high is not None]
    said = [
        f"{workload(speed.workload)} {round(speed.low or 0)} to {round(speed.high or 0)} % of "
        f"{speed.peer.upper() or 'the CUDA speed'} on {speed.gpu.upper()}"
        for speed in known[:3]
    ]
    if said:
        return [f"Speed: {'; '.join(said)}."]
    pairs = dict.fromkeys(f"{one.gpu.upper()} with {one.peer.upper()}" for one in estimate.performance if one.no_data)
    return [f"Speed: no published comparison of {', '.join(pairs)} for such code. Measure first."] if pairs else []


def workload(name: str) -> str:
    """What a reader knows a workload as; the word of the whole, or of another version's report, as it is."""
    return WORKLOADS.get(name, name or "all")


def optional_lines(estimate: Estimate) -> list[str]:
    """What a port can do without at first, each with its days and why it is optional."""
    return [
        f"Optional, not in the total: {part.name}, {between(part.days)}: {_many(part)}{part.reason}."
        for part in estimate.optional
    ]


def _many(part: OptionalPart) -> str:
    """How many findings it has, where the reason does not count them."""
    return "" if not part.findings or part.reason.startswith("all ") else f"{count_of(part.findings, 'finding')} "


def without_tool(estimate: Estimate, converts: bool = True) -> list[str]:
    """What the tool itself saves beside hipify, which renames too; nothing where no port stands behind the days.

    `converts` tells that it changes something at all.
    """
    without, within = days(estimate.manual.p50), days(estimate.days.p50)
    if not estimate.kind:
        return []
    if not converts:
        return ["Without this tool it takes as long: nothing that was found is converted automatically."]
    if without == within or estimate.manual.p50 < SHOWN * estimate.days.p50:
        why = "hipify renames too, and what the tool converts beyond names is a small part of these days."
        return [f"Without this tool it takes hardly longer: {why}"]
    why = "The ports behind the model changed warp-level code and PTX manually."
    return [f"Without this tool {without} day{'' if without == '1' else 's'}, with it {within}. {why}"]


def extrapolated(report: Report) -> list[str]:
    """Why the model may not fit: a tree's kind, size or age, or that it is a collection of programs."""
    estimate = report.estimate
    if estimate is None or report.port is not None or not estimate.items:
        return []
    if not any(part.kind for part in estimate.components):
        return ["Kind: no port of code without CUDA sources is behind the model. The days are the sum of their parts."]
    lines = sum(part.cuda_lines for part in estimate.components)
    found = []
    if not FITTED[0] <= lines <= FITTED[1]:
        which = "less CUDA code" if lines < FITTED[0] else "more CUDA code"
        found.append(
            f"Size: {which} than any port behind the model, which had {FITTED[0]:,} to {FITTED[1]:,} lines. "
            "The days are extrapolated."
        )
    old = sum(finding.rule.startswith(OLD) for finding in report.findings)
    if old >= AGED:
        found.append(
            f"Age: {old:,} places are of CUDA 8 or older; the ports behind the model have nine at most. Expect more."
        )
    many = sum(part.programs or bool(part.kind) for part in estimate.components)
    if many >= COLLECTION:
        found.append(f"Collection: {many:,} programs or parts with builds of their own. The days are for all of them.")
    return found


def assumed(items: Sequence[CostItem]) -> float:
    """The part of the days, 0 to 1, whose figures are assumed rather than measured."""
    every = sum(item.days.p50 for item in items)
    weak = sum(item.days.p50 for item in items if is_assumed(item.source))
    return weak / every if every else 0.0


def of_step(items: Sequence[CostItem], estimate: Estimate) -> Days | None:
    """The days of the step of the plan that holds these items and no others; None where there is none.

    Ends of several items do not add up: all of them are rarely bad at once. The plan has the ends of the sum.
    """
    names = {item.step for item in items}
    if len(names) != 1 or sum(item.step in names for item in estimate.items) != len(items):
        return None
    return next((step.days for step in estimate.plan if step.name in names), None)


def is_assumed(source: Source | None) -> bool:
    """Whether a figure has no measurement behind it."""
    return source is not None and source.grade == "assumed"
