"""Verdicts of runs -> words for a reader, and members of the JSON report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from cudamigrate.model.execution import RUN_WORDS, Execution, Fault, RunVerdict

_MOST = 5
_NONE = {"program": "no file has a main function", "kernel": "none is called so"}
_MEANING = {"same": "the same as {reference}", "differs": "differ", "not-run": "not run"}


def exit_code(ran: Execution, failed: int, partial: int) -> int:
    """`failed` where a program differs, `partial` where none could be run, else 0."""
    words = {verdict.word for verdict in ran.verdicts}
    return failed if "differs" in words else partial if words and words <= {"not-run"} else 0


def members(ran: Execution) -> dict[str, object]:
    """The runs as members of a JSON object."""
    return {
        "compiler": ran.compiler,
        "reference": ran.reference,
        "sandbox": ran.sandbox,
        "absent": ran.absent,
        "counts": {word: sum(verdict.word == word for verdict in ran.verdicts) for word in RUN_WORDS},
        "programs": [_program(verdict) for verdict in ran.verdicts],
    }


def _program(verdict: RunVerdict) -> dict[str, object]:
    fields = asdict(verdict)
    fields["run"] = fields.pop("word")
    fields.pop("seconds")
    return fields


def render_text(ran: Execution) -> str:
    """One screen for a reader: what differs first, then what was not run, then the counts."""
    if ran.absent:
        return f"Not run: {ran.absent}\n"
    reported = [verdict for verdict in ran.verdicts if verdict.word != "same" or _reported(verdict) or verdict.notes]
    reported.sort(key=lambda verdict: ("differs", "not-run", "same").index(verdict.word))
    lines = [line for verdict in reported for line in _verdict(verdict)]
    return "\n".join([*lines, *([""] if lines else []), *_totals(ran)]) + "\n"


def _reported(verdict: RunVerdict) -> list[Fault]:
    """The faults worth a line: a value that nobody used is none where the results are the same."""
    return [fault for fault in verdict.faults if verdict.word != "same" or fault.kind != "read-of-absent-lane"]


def _verdict(verdict: RunVerdict) -> Iterator[str]:
    said = {"same": "the same", "differs": "differs", "not-run": "not run"}[verdict.word]
    yield f"{verdict.name}: {said}{': ' if verdict.reason else ''}{verdict.reason}"
    reported = _reported(verdict)
    for fault in reported[:_MOST]:
        also = "; so does the original" if fault.original_too else ""
        yield f"  {fault.kind}: {_where(fault)}{fault.detail}{_thread(fault)}{also}"
    if len(reported) > _MOST:
        yield f"  ... and {len(reported) - _MOST} more"
    yield from (f"  {note}" for note in verdict.notes[:_MOST])


def _where(fault: Fault) -> str:
    if not fault.path:
        return ""
    origin = f" (original {fault.origin})" if fault.origin and fault.origin != f"{fault.path}:{fault.line}" else ""
    return f"{fault.path}:{fault.line}{origin}: "


def _thread(fault: Fault) -> str:
    kernel = f" in {fault.kernel}" if fault.kernel else ""
    return f" [{fault.where}{kernel}]" if fault.where else ""


def _totals(ran: Execution) -> Iterator[str]:
    total = len(ran.verdicts)
    if total == 0:
        yield f"No {ran.what} to run: {_NONE[ran.what]}."
        return
    parts = []
    for word in RUN_WORDS:
        number = sum(verdict.word == word for verdict in ran.verdicts)
        if number:
            meaning = _MEANING[word].format(reference=ran.reference)
            parts.append(f"{number} {meaning if number > 1 or word != 'differs' else 'differs'}")
    yield f"{total} {ran.what}{'' if total == 1 else 's'} on an emulated GPU ({ran.compiler}): {', '.join(parts)}."
    yield f"Programs ran {ran.sandbox}. The emulation shows what code computes, not how fast it is."
