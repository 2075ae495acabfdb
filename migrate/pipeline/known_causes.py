"""Errors about what HIP lacks -> the rule that says what to do, where no finding of a scan does.

`verify` judges a tree as it is, and looks for nothing. That a header of CUDA's is still included, or a name of CUDA's
not declared, is what a rule knows all the same.
"""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Rule
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Verdict
from cudamigrate.rulebase.code_rules import Rulebook

_WORDS = re.compile(r"\{\w+\}")


def told(verdict: Verdict, book: Rulebook) -> Verdict:
    """The verdict, its errors about headers and names of CUDA's as foreseen by their rules."""
    return replace(verdict, diagnostics=tuple(_told(entry, book) for entry in verdict.diagnostics))


def _told(entry: Diagnostic, book: Rulebook) -> Diagnostic:
    name, rule = _rule(entry, book) if entry.kind == "error" and not entry.foreseen else ("", None)
    if rule is None or rule.outcome != "compile-error":
        return entry
    advice = rule.message.replace("{name}", name)
    return entry if _WORDS.search(advice) else replace(entry, rule=rule.id, foreseen=True, advice=advice)


def _rule(entry: Diagnostic, book: Rulebook) -> tuple[str, Rule | None]:
    """What an error is about, a header or a name, and the rule for it."""
    if entry.header:
        return entry.header, book.include(entry.header)
    match = UNDECLARED.match(entry.message)
    return (match[1], book.names.get(match[1]) or book.family(match[1])) if match is not None else ("", None)
