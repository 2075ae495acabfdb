"""Verification -> text and JSON.

Result: what a reader needs of them. The text leads with what is wrong; nothing is called right that was not checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from migrate.model.verification import WORDS, Diagnostic, Verdict, Verification

SCHEMA = "cudamigrate-verdict/1"
"""Name and version of the JSON format."""
_MEANING = {
    "checked": "type-check",
    "declarations": "type-check against declarations, not the libraries' own headers",
    "unresolved": "are not judged: a header is not at hand, or the file cannot be read",
    "failed": "do not compile",
}
_MOST = 5
"""Complaints shown for a file; JSON has them all."""


def exit_code(judged: Verification, failed: int, partial: int) -> int:
    """`failed` where a file does not compile, `partial` where one could not be judged, else 0."""
    words = {verdict.word for verdict in judged.verdicts}
    return failed if "failed" in words else partial if "unresolved" in words else 0


def render_json(judged: Verification, runs: Mapping[str, object] | None = None) -> str:
    """All verdicts and complaints; `runs` are those of programs that were run, where that was asked for."""
    chosen = judged.toolchain
    data = {
        "schema": SCHEMA,
        "engine": None if chosen is None else {"name": chosen.engine, "title": chosen.title, "hip": chosen.release},
        "arch": list(judged.arch),
        "counts": _counts(judged),
        "reverted": list(judged.reverted),
        "files": [_file(verdict) for verdict in judged.verdicts],
        **({} if runs is None else {"runs": dict(runs)}),
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _file(verdict: Verdict) -> dict[str, object]:
    fields = asdict(verdict)
    fields["verdict"] = fields.pop("word")
    for name in ("seconds", "cached"):
        fields.pop(name)
    return fields


def render_text(judged: Verification) -> str:
    """One screen for a reader: failures first, then what could not be judged, then the counts."""
    if judged.absent:
        return f"Not type-checked: {judged.absent}\n"
    lines = [*_failures(judged), *_unresolved(judged)]
    return "\n".join([*lines, *([""] if lines else []), *_totals(judged)]) + "\n"


def render_short(judged: Verification) -> str:
    """The verdict in a few lines, for the end of another command's output."""
    if judged.absent:
        return f"Not verified: {judged.absent}"
    lines = list(_totals(judged))
    lines += [f"{path}: a repair did not type-check and was taken back" for path in judged.reverted]
    first = [verdict for verdict in judged.verdicts if verdict.word == "failed"][:_MOST]
    for verdict in first:
        entry = verdict.diagnostics[0]
        lines.append(f"{_where(entry)}: {entry.message}{_cause(entry)}{_original(verdict)}")
    if first:
        lines.append("Run `cudamigrate verify` on the result to see all of it.")
    return "\n".join(lines)


def _failures(judged: Verification) -> Iterator[str]:
    for verdict in judged.verdicts:
        if verdict.word != "failed":
            continue
        yield f"{verdict.path}: does not compile ({verdict.flags or 'not compiled by itself'}){_original(verdict)}"
        for entry in verdict.diagnostics[:_MOST]:
            yield f"  {_where(entry)}: {entry.message} [{_side(entry)}]{_cause(entry)}"
        if len(verdict.diagnostics) > _MOST:
            yield f"  ... and {len(verdict.diagnostics) - _MOST} more"


def _unresolved(judged: Verification) -> Iterator[str]:
    for verdict in judged.verdicts:
        if verdict.word == "unresolved":
            yield f"{verdict.path}: not judged: {', '.join(verdict.headers)}"


def _totals(judged: Verification) -> Iterator[str]:
    title = judged.toolchain.title if judged.toolchain is not None else ""
    counts = _counts(judged)
    total = sum(counts.values())
    yield f"{total} file{'' if total == 1 else 's'} judged for {', '.join(judged.arch)} by {title}:"
    for word in WORDS:
        if counts[word]:
            yield f"  {counts[word]:5} {_MEANING[word]}"
    misses = [entry for verdict in judged.verdicts if verdict.word == "failed" for entry in verdict.diagnostics]
    unforeseen = sum(not entry.foreseen for entry in misses if entry.origin is not None)
    if unforeseen:
        yield f"  {unforeseen} of {len(misses)} complaints foreseen by no finding: misses of this tool"
    if counts["checked"] + counts["declarations"]:
        yield "A type check proves that the code compiles, not that its results are right."


def _counts(judged: Verification) -> dict[str, int]:
    return {word: sum(verdict.word == word for verdict in judged.verdicts) for word in WORDS}


def _original(verdict: Verdict) -> str:
    """A file that never compiled is not the move's fault."""
    return "; nor does the original, with CUDA's headers" if verdict.original == "failed" else ""


def _where(entry: Diagnostic) -> str:
    place = entry.origin or entry.place
    return f"{place.path}:{place.line}:{place.column}"


def _side(entry: Diagnostic) -> str:
    return f"{entry.side}, {entry.arch}" if entry.arch else entry.side


def _cause(entry: Diagnostic) -> str:
    return f" (see {entry.rule})" if entry.rule else ""
