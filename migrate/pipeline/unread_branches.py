"""What is found in branches that AMD does not compile: the finding on the condition says what AMD takes.

What is slower there is slower nowhere. What would not compile, or compute something else, is none where AMD has another
branch; where it has none, it is in the way of whoever opens the test, and stays. Of a test, of a release too, that a
fix turns round for AMD, what was compiled before is not any more. Nor is there anything to say of a branch for old GPUs
all of whose code a fix leaves out for AMD, or of a test for these to which AMD does not come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from cudamigrate.cuda.branch_effects import does_nothing
from cudamigrate.cuda.conditions import at_version, question
from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.cuda.preprocessor import conditionals
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SourceFile, Span
from cudamigrate.pipeline.opened_gates import GATES, RULE
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

_OLDEST = "build/oldest-branch"
_CLOSED = GATES | {_OLDEST}
_LEFT_OUT = b"#ifndef __HIP_PLATFORM_AMD__"
"""How a fix begins that leaves code out for AMD, up to its last edit."""
_TURNED = frozenset((RULE, "build/agreeing-gate", "build/old-version"))
"""Rules whose fix gives AMD what the test had not given it."""
_ARCH = b"__CUDA_ARCH__"
_HARMFUL = ("compile-error", "wrong-result", "missing")


class _Unread(NamedTuple):
    """A branch that AMD does not compile, and whether it compiles another one of the conditional."""

    body: Span
    has_other: bool


def without_unread(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without what is left to do where AMD compiles another branch of a test of a GPU's number."""
    made = list(results)
    for at, result in enumerate(results):
        if any(one.rule == _OLDEST or _is_left(one) for one in result.findings) and any(
            map(_is_closed, result.findings)
        ):
            source = read(result.path)
            unread = list(_unread(result, source)) if source is not None else []
            empty = [*_left_out(result, source), *_unasked(result, source)] if source is not None else []
            kept = tuple(one for one in result.findings if not _is_in_one(one, unread) and one not in empty)
            if len(kept) < len(result.findings):
                made[at] = replace(result, findings=kept)
    return made


def _left_out(result: FileResult, source: SourceFile) -> list[Finding]:
    """The findings on branches for old GPUs of which fixes that are made leave AMD no code."""
    tokens, fixes = lexed(source), (one.fix for one in result.findings if one.fix is not None and one.automatic)
    gone = [
        Span(edits[0].span.start, edits[-1].span.end)
        for fix in fixes
        if len(edits := sorted(fix.edits, key=lambda edit: edit.span.start)) > 1
        and edits[0].replacement.startswith(_LEFT_OUT)
    ]
    return [one for one in result.findings if one.rule == _OLDEST and gone and _is_gone(one, tokens, gone)]


def _unasked(result: FileResult, source: SourceFile) -> list[Finding]:
    """The findings on tests for old GPUs that AMD does not come to: below a test for the macro that stays as it is."""
    tokens = lexed(source)
    changed = [edit.span.start for one in result.findings if one.fix is not None for edit in one.fix.edits]
    unread = list[Span]()
    for first, *rest in conditionals(tokens.directives):
        if _ARCH in first.argument(tokens.data) and not any(first.start <= at < first.end for at in changed):
            unread += _not_read(tokens, first, rest)
    return [
        one
        for one in result.findings
        if one.rule == _OLDEST and any(body.start <= one.span.start < body.end for body in unread)
    ]


def _not_read(tokens: Lexed, first: Directive, rest: Sequence[Directive]) -> list[Span]:
    """The branch of a conditional with one or two that its test leaves out where no number of a GPU is defined."""
    asked = first.argument(tokens.data)
    holds = question(asked).undefined if first.name == "if" else first.name == "ifndef"
    if holds is None or len(rest) > 2 or (len(rest) == 2 and rest[0].name != "else"):
        return []
    if not holds:
        return [Span(first.end, rest[0].start)]
    return [Span(rest[0].end, rest[1].start)] if len(rest) == 2 else []


def _is_gone(finding: Finding, tokens: Lexed, gone: Sequence[Span]) -> bool:
    """Whether all code of the branch that a finding on its test begins is left out."""
    test = tokens.directive_at(finding.span.start)
    chains = (chain for chain in conditionals(tokens.directives) if test in chain[:-1]) if test is not None else ()
    bodies = [Span(one.end, after.start) for chain in chains for one, after in pairwise(chain) if one == test]
    code = [token for body in bodies for token in tokens.tokens(body.start, body.end)]
    return bool(code) and all(any(one.start <= token.start < one.end for one in gone) for token in code)


def _is_left(finding: Finding) -> bool:
    return _is_of_speed(finding) or _is_of_code(finding)


def _is_of_speed(finding: Finding) -> bool:
    return finding.outcome == "slower" and finding.group not in ("build", "library") and finding.fix is None


def _is_of_code(finding: Finding) -> bool:
    return finding.outcome in _HARMFUL and finding.group != "build" and finding.fix is None


def _is_closed(finding: Finding) -> bool:
    return finding.rule in _TURNED if finding.fix is not None else finding.rule in _CLOSED


def _is_in_one(finding: Finding, unread: Sequence[_Unread]) -> bool:
    around = [one for one in unread if one.body.start <= finding.span.start < one.body.end]
    return bool(around) and (_is_of_speed(finding) or (_is_of_code(finding) and any(one.has_other for one in around)))


def _unread(result: FileResult, source: SourceFile) -> Iterator[_Unread]:
    """The branches of a file that AMD does not compile, of conditionals whose test is reported or turned round."""
    tokens = lexed(source)
    known = [
        (at.start, one.fix)
        for one in filter(_is_closed, result.findings)
        if (at := tokens.directive_at(one.span.start))
    ]
    reported, turned = {at for at, _ in known}, {at for at, fix in known if fix is not None}
    for chain in conditionals(tokens.directives):
        if not reported.isdisjoint(one.start for one in chain):
            yield from _of_chain(tokens, chain, turned)


def _of_chain(tokens: Lexed, chain: Sequence[Directive], turned: Set[int]) -> Iterator[_Unread]:
    """Those of one conditional, as far as the numbers of GPUs alone decide; tests in `turned` come out otherwise."""
    bodies = [Span(one.end, after.start) for one, after in pairwise(chain)]
    values = [_value(tokens, one) for one in chain[:-1]]
    values = [not value if one.start in turned else value for value, one in zip(values, chain, strict=False)]
    taken = next((at for at, value in enumerate(values) if value), len(values))
    has_other = any(
        value is not False and not does_nothing(tokens, body)
        for value, body in zip(values[: taken + 1], bodies, strict=False)
    )
    for at, (value, body) in enumerate(zip(values, bodies, strict=True)):
        if value is False or at > taken:
            yield _Unread(body, has_other)


def _value(tokens: Lexed, directive: Directive) -> bool | None:
    """Whether a branch is compiled where no number of a GPU is defined; None where something else decides."""
    if directive.name == "else":
        return True
    return at_version(directive.argument(tokens.data), 0) if directive.name in ("if", "elif") else None
