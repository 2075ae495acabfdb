"""One file and the findings to fix in it -> the file as converted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudamigrate import edits
from cudamigrate.frontends import parses_worse, part_of, project_front_end
from cudamigrate.model import PARTS, Conversion, Finding, Fix, SourceFile, Span


def convert(source: SourceFile, findings: Iterable[Finding]) -> Conversion:
    """Apply the fixes of `findings` to their file; the bytes it had when scanned are the bytes expected here."""
    owners = {finding.fix: finding for finding in findings if finding.fix is not None}
    edited = edits.apply(source.data, owners)
    rejected = [(owners[fix], "overlaps a fix applied before it") for fix in _with_text(edited)]
    if parses_worse(source.language, source.data, edited.data):
        kept = _sound(source, edited.applied)
        left = set(edited.applied).difference(kept)
        worse = [fix for fix in edited.applied if fix in left]
        rejected += [(owners[fix], "the file would parse worse than before with it") for fix in worse]
        edited = edits.apply(source.data, kept)
        rejected += [(owners[fix], "overlaps a fix applied before it") for fix in _with_text(edited)]
    front = project_front_end(source.language)
    part = PARTS[0] if front is None else part_of(front, source.path)
    return Conversion(source.path, source.data, edited.data, edited.applied, tuple(rejected), part=part)


def _with_text(edited: edits.Edited) -> list[Fix]:
    """The fixes that were left out, but those whose text another one took away: nothing of it is left to change."""
    gone = [edit.span for fix in edited.applied for edit in fix.edits if not edit.replacement]
    return [fix for fix in edited.rejected if not all(_is_within(edit.span, gone) for edit in fix.edits)]


def _is_within(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start <= span.start and span.end <= other.end for other in others)


def _sound(source: SourceFile, fixes: Sequence[Fix]) -> list[Fix]:
    """The fixes without those that make the file parse worse, alone or with the ones before them.

    Those of a group go together. Halves are tried before single ones: a file is parsed a few times, not once a fix.
    """
    groups: dict[object, list[Fix]] = {}
    for fix in fixes:
        groups.setdefault(fix.group or id(fix), []).append(fix)
    kept: list[Fix] = []
    waiting = [list(groups.values())]
    while waiting:
        tried = waiting.pop()
        more = [fix for group in tried for fix in group]
        if not parses_worse(source.language, source.data, edits.apply(source.data, [*kept, *more]).data):
            kept += more
        elif len(tried) > 1:
            middle = len(tried) // 2
            waiting += [tried[middle:], tried[:middle]]
    return kept
