"""Files of CUDA's side that a HIP port has nothing of: each is one gap of the port, and priced as native code.

No build for HIP compiles them, so that none of their places is an error of the build that is there. What is missing is
what the file does.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Report
from cudamigrate.model.absent_files import together
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/left-to-cuda"
FUNCTION = "build/port-missing-function"
"""The rule on a function of a file that has an equivalent, which lacks that alone."""
_CODE = ("cuda", "cxx")
_SEVERAL = 3
"""So many gaps of a file are named by the one that they have in common."""
_HEADER = re.compile(
    r"\s*#\s*include\s*[<\"]((?:cuda|cuda_runtime|cuda_runtime_api|cublas_v2|cufft|cusolverDn|cusparse)\.h)[>\"]"
)
"""Headers of CUDA's whose names HIP has under its own: who includes them is compiled with CUDA."""
_ASIDE = re.compile(
    r"(?i)(?:^|[/_-])(?:unit_?)?(?:tests?|bench(?:s|marks?|marking)?|experiments?|examples?|samples?|demos?|perf)/"
)
"""A folder of programs beside what a project is for: they are counted and named together."""


def why(path: str, port: PortFacts) -> str:
    """Why no build for HIP has anything of a file, empty where one may have."""
    folder, place = port.lacking.get(path, ""), port.cuda_only.get(path, "")
    if folder:
        return f"`{folder}` has no equivalent of this file"
    return f"this file is built for CUDA alone ({place})" if place else ""


def reason(result: FileResult, port: PortFacts, left: Sequence[Finding] = ()) -> str:
    """The same for a file of code in a repository with a port, empty for all others; `left` are its gaps."""
    if not port.is_port or result.language not in _CODE or (left and all(one.rule == FUNCTION for one in left)):
        return ""
    return why(result.path, port) or _by_header(result.path, port, left)


def _by_header(path: str, port: PortFacts, left: Sequence[Finding]) -> str:
    """Whether a file includes a header that CUDA alone has wherever it has a gap: no compiler for HIP takes it.

    So it is where nothing renames CUDA's names, and all gaps are under the macros that the include is under.
    """
    if port.renames or port.shims or path in port.through_shim or len(left) < _SEVERAL:
        return ""
    for one in left:
        match = _HEADER.match(one.excerpt)
        if match is not None and all(set(one.switches) <= set(other.switches) for other in left):
            under = f"under `{one.switches[0]}` " if one.switches else ""
            return f"this file includes `<{match[1]}>` {under}({path}:{one.position.line}), which HIP has not"
    return ""


def is_aside(path: str) -> bool:
    """Whether a file is in a folder of tests, benchmarks or examples."""
    return _ASIDE.search(f"{path.rpartition('/')[0]}/") is not None


def place(result: FileResult, port: PortFacts) -> str:
    """What files that are missing together have in common: where a build names them.

    Tests and examples of what AMD lacks tell no more than that it is lacking: those of a folder are one.
    """
    if is_aside(result.path):
        return f"{result.path.rpartition('/')[0]}/"
    if result.path in port.lacking:
        return port.parts.get(result.path, result.path)
    return port.cuda_only.get(result.path, "")


def folded(report: Report, book: Rulebook) -> Report:
    """The report with one gap in place of all findings in files that are missing together."""
    groups = together(report.files)
    rule = book.rules.get(RULE)
    if not groups or rule is None:
        return report
    made: dict[str, tuple[Finding, ...]] = {}
    for files in groups:
        made |= dict.fromkeys((one.path for one in files), ())
        text = rule.message.format(reason=files[0].absent, count=_count(files))
        first = files[0].findings[0]
        made[first.path] = (
            replace(
                first,
                rule=RULE,
                message=text,
                support=rule.support,
                outcome=rule.outcome,
                effort=rule.effort,
                fix=None,
                after="",
                trace=(),
                ordinal=0,
            ),
        )
    kept = tuple(replace(one, findings=made[one.path]) if one.path in made else one for one in report.files)
    found = tuple(finding for one in kept for finding in one.findings)
    return replace(report, files=kept, findings=found, rules=dict(sorted({**report.rules, RULE: rule}.items())))


def _count(files: Sequence[FileResult]) -> str:
    """What the files hold, in words: `14 places of CUDA's in 2 files, 1 kernel`."""
    places = sum(len(one.findings) for one in files)
    kernels = sum(one.kernels for one in files)
    where = f" in {len(files)} files" if len(files) > 1 else ""
    text = f"{places:,} place{'s' if places > 1 else ''} of CUDA's{where}"
    return f"{text}, {kernels:,} kernel{'s' if kernels > 1 else ''}" if kernels else text
