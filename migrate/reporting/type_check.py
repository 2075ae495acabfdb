"""The verdict of the type check in words that every format uses."""

from __future__ import annotations

from cudamigrate.model import Report
from cudamigrate.model.verification import MEANING


def verdict(report: Report) -> str:
    """How many files there are of each verdict, for which GPUs and by what; empty where none was judged."""
    proof = report.proof
    counts = {} if proof is None else {MEANING[word]: count for word, count in proof.types.items() if count}
    if proof is None or not counts:
        return ""
    total = sum(counts.values())
    aimed = f" for {', '.join(proof.arch)}" if proof.arch else ""
    engine = f" by {proof.engine}" if proof.engine else ""
    found = "; ".join(f"{count:,} {meaning}" for meaning, count in counts.items())
    some = f"{total - left:,} of " if (left := proof.types.get("unresolved", 0)) else ""
    many = f"{some}{total:,} file{'' if total == 1 else 's'} judged{aimed}{engine}: {found}"
    return f"{many}. It shows whether code compiles, not that it computes the same."


def remarks(report: Report) -> tuple[str, ...]:
    """The lines beside it: what does not compile and why, what was not judged and why, or why nothing was."""
    return () if report.proof is None else report.proof.said
