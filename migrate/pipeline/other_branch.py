"""What would be tuned in code in whose place HIP compiles another branch: there is nothing to tune.

`__CUDA_ARCH__` reads as 0 where HIP compiles. Code under `#if __CUDA_ARCH__ >= 730` with an `#else` is not compiled
until somebody widens the condition, which is a finding of its own; what the other branch does, runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.preprocessor import Branch, branches
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

RULES = frozenset(("ptx/matrix-function", "library/matrix-fragments"))
"""Rules about products of matrices that run, and are tuned for speed alone."""
_MACRO = "__CUDA_ARCH__"
_READS = frozenset((_MACRO.encode() + b"=0",))


def untuned(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, without effort for such findings; `read` gives the source of a path."""
    return [_of(one, read) if any(map(_may_be, one.findings)) else one for one in results]


def _may_be(finding: Finding) -> bool:
    return finding.rule in RULES and finding.outcome == "slower" and _MACRO in finding.switches


def _of(result: FileResult, read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    parts = branches(lexed(source), ())
    made = []
    for finding in result.findings:
        other = _instead(parts, finding.span.start, source.data) if _may_be(finding) else None
        if other is not None:
            line = source.position(other.start).line + 1
            said = f"{finding.message} HIP compiles the branch from line {line} on in its place."
            finding = replace(finding, effort="none", message=said)
        made.append(finding)
    return replace(result, findings=tuple(made))


def _instead(parts: Sequence[Branch], offset: int, data: bytes) -> Branch | None:
    """The branch that HIP compiles in the place of one around an offset; None where it compiles that, or nothing."""
    for mine in (part for part in parts if part.start <= offset < part.end and part.conditions):
        if value_with(mine.conditions[-1], _READS, hip=True) is not False:
            continue
        later = (part for part in parts if part.chain == mine.chain and part.start > mine.start)
        other = next((part for part in later if data[part.start : part.end].strip()), None)
        if other is not None:
            return other
    return None
