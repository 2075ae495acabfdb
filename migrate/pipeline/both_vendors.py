"""What to write for NVIDIA and AMD alike: the second half of what `check` says of a finding.

The words are data, `rules/both-vendors.toml`; here they are chosen and filled in.
"""

from __future__ import annotations

from typing import Any

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Finding, SourceFile
from cudamigrate.shipped_data import table
from cudamigrate.suppression.selectors import any_matches

_LONGEST = 80
"""Characters of code that a message shows."""


def said(finding: Finding, source: SourceFile) -> Finding:
    """The finding with a message that also says what both vendors take."""
    words = advice(finding, source)
    return replace(finding, message=f"{finding.message} {words}") if words else finding


def advice(finding: Finding, source: SourceFile) -> str:
    """One sentence with the form for both vendors; empty where no entry is for the rule in this language."""
    code = source.text(finding.span)
    old, new = _shown(code), _written(finding, source)
    name = finding.name or old.partition("(")[0]
    for entry in table("both-vendors")["advice"]:
        if _fits(entry, finding.rule, source.language, bool(new)):
            plain = name.removesuffix("_sync")
            sentence = str(entry["write"]).format(old=old or name or _begun(code), new=new, name=name, plain=plain)
            return f"{sentence[:1].upper()}{sentence[1:]}."
    return ""


def _fits(entry: dict[str, Any], rule: str, language: str, fixed: bool) -> bool:
    languages = entry.get("languages")
    here = languages is None or (language or "cxx") in languages
    return here and (fixed or not entry.get("fixed")) and any_matches(entry["rules"], rule)


def _written(finding: Finding, source: SourceFile) -> str:
    """What replaces the finding after its fix; empty where there is none, or it is no short text."""
    span, parts = finding.span, list[bytes]()
    at = span.start
    edits = finding.fix.edits if finding.fix is not None else ()
    for edit in sorted(edits, key=lambda one: one.span):
        if span.start <= edit.span.start and edit.span.end <= span.end and edit.span.start >= at:
            parts += [source.data[at : edit.span.start], edit.replacement]
            at = edit.span.end
    if not parts:
        return ""
    text = b"".join([*parts, source.data[at : span.end]]).decode("utf-8", "replace")
    return _shown(text) if "#include" not in text else ""


def _shown(text: str) -> str:
    """Code on one line, empty where it is too long to be read in a message."""
    line = " ".join(text.split()).strip('<>"')
    return line if len(line) <= _LONGEST else ""


def _begun(text: str) -> str:
    """How long code begins: `asm volatile(...)`."""
    line = " ".join(text.split())
    head = line.partition("(")[0].rstrip()
    if "(" in line and len(head) <= _LONGEST:
        return f"{head}(...)"
    return f"{line[:_LONGEST].rpartition(' ')[0]} ..."
