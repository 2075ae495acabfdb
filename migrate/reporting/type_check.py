"""The verdict of the type check in words that every format uses."""

from __future__ import annotations

from cudamigrate.model import Report
from cudamigrate.model.verification import meaning
from cudamigrate.wording import count_of


def verdict(report: Report) -> str:
    """How many files there are of each verdict, for which GPUs and by what; empty where none was judged."""
    proof = report.proof
    total = sum(proof.types.values()) if proof is not None else 0
    if proof is None or not total:
        return ""
    aimed = f" for {', '.join(proof.arch)}" if proof.arch else ""
    engine = f" by {proof.engine}" if proof.engine else ""
    found = "; ".join(f"{count:,} {meaning(word, count)}" for word, count in proof.types.items() if count)
    some = f"{total - left:,} of " if (left := proof.types.get("unresolved", 0)) else ""
    many = f"{some}{count_of(total, 'file')} judged{aimed}{engine}: {found}"
    return f"{many}. It shows whether code compiles, not that it computes the same."


def remarks(report: Report) -> tuple[str, ...]:
    """The lines beside it: what does not compile and why, what was not judged and why, or why nothing was."""
    return () if report.proof is None else report.proof.said
