"""Calls whose change is right where one argument is a null pointer: HIP's function does not have it."""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Fix, Rule, Use
from cudamigrate.syntax.project_file import ProjectFile

_NULL = re.compile(rb"nullptr|NULL|0|\(\s*[\w:]+(?:\s*\*)*\s*\)\s*(?:nullptr|NULL|0)")
"""A null pointer as it is spelled, with a cast or without."""
_ONLY = re.compile(r"\s*(?:[^.]*: right|Right) only where that argument is null\.")


def is_given(parsed: ParsedFile | ProjectFile, use: Use, rule: Rule) -> bool:
    """Whether a call gives a null pointer for the argument that its rule names."""
    if not rule.null or len(use.args) < rule.null:
        return False
    argument = use.args[rule.null - 1]
    return _NULL.fullmatch(parsed.source.data[argument.start : argument.end].strip()) is not None


def message(rule: Rule, fix: Fix | None) -> str:
    """What a rule says: where the argument is shown to be null, not that it has to be."""
    if rule.null and fix is not None and fix.safety == "safe":
        return _ONLY.sub(" The argument that HIP does not take is null here.", rule.message)
    return rule.message
