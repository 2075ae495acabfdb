"""What is slower on AMD, in branches that AMD does not compile: the finding on the condition says what it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.conditions import at_version
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SourceFile, Span
from cudamigrate.pipeline.opened_gates import GATES, branches_of
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed


def without_unread(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on speed behind tests of a GPU's number that no fix opens for AMD."""
    made = list(results)
    for at, result in enumerate(results):
        if any(map(_is_of_speed, result.findings)) and any(map(_is_closed, result.findings)):
            source = read(result.path)
            unread = list(_unread(result, source)) if source is not None else []
            kept = tuple(one for one in result.findings if not (_is_of_speed(one) and _is_in(one, unread)))
            if len(kept) < len(result.findings):
                made[at] = replace(result, findings=kept)
    return made


def _is_of_speed(finding: Finding) -> bool:
    return finding.outcome == "slower" and finding.group not in ("build", "library") and finding.fix is None


def _is_closed(finding: Finding) -> bool:
    return finding.rule in GATES and finding.fix is None


def _is_in(finding: Finding, places: Sequence[Span]) -> bool:
    return any(one.start <= finding.span.start < one.end for one in places)


def _unread(result: FileResult, source: SourceFile) -> Iterator[Span]:
    """The branches of a file that AMD does not compile, of conditionals with one question that is reported."""
    tokens = lexed(source)
    branches = branches_of(tokens)
    for finding in filter(_is_closed, result.findings):
        asked = tokens.directive_at(finding.span.start)
        inside = branches.get(asked.start) if asked is not None and asked.name == "if" else None
        if asked is None or inside is None:
            continue
        holds = at_version(asked.argument(source.data), 0)
        if holds is False:
            yield inside.body
        elif holds and inside.other is not None:
            yield inside.other
