"""Findings that say together what one of them says: of all places in a function, or of a name and what begins it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Finding, Span, SpanIndex
from cudamigrate.rulebase.code_rules import Rulebook


def once_in_functions(parsed: ParsedFile, book: Rulebook, found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings, those of one function that a rule with `once` has, as one that says how many there are.

    Findings by names are alike whatever the name, those of a detector where they say the same. What is fixed, or stands
    in no function, stays as it is. What one branch of a conditional has, another may not be compiled with.
    """
    groups: dict[tuple[int, int, str, str], list[Finding]] = {}
    for one in found:
        rule = book.rules.get(one.rule)
        function = parsed.function(one.span.start) if rule is not None and rule.once and one.fix is None else None
        if rule is None or function is None:
            yield one
        else:
            said = "" if rule.match.kind != "detector" else one.message
            groups.setdefault((function.span.start, _branch(parsed, one), one.rule, said), []).append(one)
    for (start, *_), alike in groups.items():
        kept = min(alike, key=lambda one: one.span)
        function = parsed.function(start)
        if len(alike) > 1 and function is not None:
            where = f" of `{function.name}`" if function.name else ""
            kept = replace(kept, message=f"{kept.message} This is one of {len(alike)} places{where}.")
        yield kept


def without_parts(found: Sequence[Finding]) -> list[Finding]:
    """The findings without renames of what begins a name that another fix replaces: `cub` in `cub::LaneId`."""
    wholes: dict[int, list[Finding]] = {}
    for one in found:
        if one.fix is not None and one.fix.safety == "safe":
            wholes.setdefault(one.span.start, []).append(one)
    return [one for one in found if not any(_is_part(one, other) for other in wholes.get(one.span.start, ()))]


def _is_part(part: Finding, whole: Finding) -> bool:
    """Whether a fix writes a name alone that another fix replaces together with what is behind it."""
    alone = part.fix is not None and {edit.span for edit in part.fix.edits} == {part.span}
    ends = (edit.span.end for edit in whole.fix.edits if edit.span.start == part.span.start) if whole.fix else ()
    return alone and part.span.end < whole.span.end and any(part.span.end < end for end in ends)


def _branch(parsed: ParsedFile, finding: Finding) -> int:
    """Where the innermost branch of a conditional around a place begins; 0 outside of one."""
    at = finding.span.start
    return max(parsed.once(_branches).touching(at, at + 1), default=0)


def _branches(parsed: ParsedFile) -> SpanIndex[int]:
    """Where the branches of a file's conditionals begin, by their places."""
    return SpanIndex((Span(one.start, one.end), one.start) for one in parsed.branches)


def once_in_conditions(parsed: ParsedFile, found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings without those that say of a preprocessor's condition what one before says of it: it is one place."""
    said = set[tuple[int, str, str]]()
    for one in sorted(found, key=lambda finding: finding.span):
        directive = parsed.lexed.directive_at(one.span.start) if one.fix is None else None
        if directive is not None and directive.name in ("if", "elif"):
            key = directive.start, one.rule, one.message
            if key in said:
                continue
            said.add(key)
        yield one
