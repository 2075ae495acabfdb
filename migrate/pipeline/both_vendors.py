"""What to write for NVIDIA and AMD alike: the second half of what `check` says of a finding.

The words are data, `rules/both-vendors.toml`; here they are chosen and filled in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Any

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, Finding, SourceFile, Span
from cudamigrate.shipped_data import table
from cudamigrate.suppression.selectors import any_matches

_LONGEST = 80
"""Characters of code that a message shows."""


def said(finding: Finding, source: SourceFile, others: Sequence[Finding] = ()) -> Finding:
    """The finding with a message that also says what both vendors take; `others` are the findings of the file by their
    start."""
    words = advice(finding, source, others)
    return replace(finding, message=f"{finding.message} {words}") if words else finding


def advice(finding: Finding, source: SourceFile, others: Sequence[Finding] = ()) -> str:
    """One sentence with the form for both vendors; empty where no entry is for the rule in this language."""
    code = source.text(finding.span)
    old, new = _shown(code), _written(finding, source, others)
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


def _written(finding: Finding, source: SourceFile, others: Sequence[Finding]) -> str:
    """What replaces the finding after its fix; empty where there is none, or it is no short text.

    A call holds names with fixes of their own, such as `cudaMemcpyHostToDevice`: without those it would not compile.
    """
    span, parts = finding.span, list[bytes]()
    own = [edit for edit in _fixed(finding) if _inside(edit.span, span)]
    if not own:
        return ""
    at = span.start
    for edit in sorted([*own, *_of_arguments(finding, own, others)], key=lambda one: one.span):
        if edit.span.start >= at:
            parts += [source.data[at : edit.span.start], edit.replacement]
            at = edit.span.end
    text = b"".join([*parts, source.data[at : span.end]]).decode("utf-8", "replace")
    return _shown(text) if "#include" not in text else ""


def _fixed(finding: Finding) -> Sequence[Edit]:
    return finding.fix.edits if finding.fix is not None else ()


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _of_arguments(finding: Finding, own: Sequence[Edit], others: Sequence[Finding]) -> Iterator[Edit]:
    """The safe edits of findings inside this one that its own edits leave room for."""
    span = finding.span
    first = bisect_left(others, span.start, key=lambda one: one.span.start)
    for one in takewhile(lambda other: other.span.start < span.end, islice(others, first, None)):
        if one is finding or one.fix is None or one.fix.safety != "safe" or not _inside(one.span, span):
            continue
        for edit in one.fix.edits:
            if not any(edit.span.start < mine.span.end and mine.span.start < edit.span.end for mine in own):
                yield edit


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
