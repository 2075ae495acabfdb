"""What was found in a line of code -> text: what it means there, what becomes of it, and the facts behind it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from cudamigrate.errors import printable
from cudamigrate.model import Finding, Step
from cudamigrate.model.lane_facts import LaneFunction, WaveState
from cudamigrate.rulebase.explain import OUTCOMES, WIDTH, wrapped

_SETTLED = {
    "automatic": "`cudamigrate apply` changes it:",
    "review": "`cudamigrate apply --unsafe` changes it; read what it made:",
    "manual": "It is to be changed manually.",
    "fine": "There is nothing to do.",
}
_WAVE: dict[WaveState, str] = {
    "narrowed": "works on groups of 32 lanes, which is CUDA's meaning on any GPU",
    "proved": "computes the same on 32 and on 64 lanes, and follows the GPU",
    "open": "is not known to be right on 64 lanes",
}

Lines = Callable[[str, int], str]
"""The source line of a path, counted from 1; empty where it is not read."""


def render_findings(place: str, findings: Sequence[Finding], lines: Lines, function: LaneFunction | None = None) -> str:
    """What was found in a line; `function` is the one around it, where it has a state."""
    place = printable(place)
    if not findings and function is None:
        return f"Nothing was found in {place}.\n"
    parts = ["\n".join(_finding(finding, lines)) for finding in findings]
    if function is not None:
        parts.append("\n".join(_function(function, lines)))
    text = f"{place}\n\n" + "\n\n".join(parts) + "\n"
    return printable(text, "\n\t")


def _function(function: LaneFunction, lines: Lines) -> Iterator[str]:
    yield wrapped(f"Function `{function.name}` {_WAVE[function.wave]}: {function.why}.")
    if function.trace:
        yield "  Facts, from the first cause to the warp-level code:"
        yield from (line for step in function.trace for line in _step(step, lines))


def _finding(finding: Finding, lines: Lines) -> Iterator[str]:
    yield finding.rule
    yield wrapped(finding.message)
    yield f"  Without a change it {OUTCOMES[finding.outcome]}. {_SETTLED[finding.resolution]}"
    if finding.fix is not None and finding.after != finding.before:
        yield from _changed("-", finding.before)
        yield from _changed("+", finding.after or "(nothing)")
    if finding.trace:
        yield "  Facts, from the first cause to the place:"
        yield from (line for step in finding.trace for line in _step(step, lines))
    yield f"  More: cudamigrate explain {finding.rule}"


def _changed(sign: str, code: str) -> Iterator[str]:
    for line in textwrap.dedent(code).strip("\n").split("\n"):
        yield f"    {sign} {line.rstrip()}"


def _step(step: Step, lines: Lines) -> Iterator[str]:
    yield f"    {printable(step.path)}:{step.line}  {step.text}"
    code = lines(step.path, step.line).strip()
    if code:
        yield (
            textwrap.shorten(f"      | {code}", WIDTH, placeholder=" ...")
            if len(code) > WIDTH - 8
            else f"      | {code}"
        )
