"""Tests for the device pass around tests for GPUs that AMD has an answer to: opened for AMD with them.

A test for the pass stays where one for a GPU's number is behind it, which is undefined for AMD. Where each of these
was opened, or the older way in its place works too, the outer one has to let AMD's device pass in: otherwise that takes
what is for the host, and nothing of the answer counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.cuda.preprocessor import condition_of
from cudamigrate.cuda.version_branches import Branches, branches_of
from cudamigrate.cuda.version_conditions import behind
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Span
from cudamigrate.pipeline.agreeing_gates import OPENING_RULES
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

OUTER = "build/cuda-compiler-macro"
_OLDER_WAY = "build/older-path"
_ARCH = b"__CUDA_ARCH__"
_NAME = re.compile(rb"(?<!\w)__CUDA_ARCH__(?!\w)")
_PRESENT = re.compile(rb"defined\s*(?:\(\s*__CUDA_ARCH__\s*\)|__CUDA_ARCH__)\Z")
_TWIN = b" || defined(__HIP_DEVICE_COMPILE__)"
_CONDITIONS = ("if", "elif")


def with_outer_gates(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, with a fix for each such test that had none."""
    return [_opened(one, read) if any(map(_is_left, one.findings)) else one for one in results]


def _is_left(finding: Finding) -> bool:
    return finding.rule == OUTER and finding.fix is None


def _opened(result: FileResult, read: Read) -> FileResult:
    """A result whose tests for the pass are opened where all tests behind them have an answer."""
    source = read(result.path)
    if source is None:
        return result
    tokens = lexed(source)
    branches, answers = branches_of(tokens), _answers(tokens, result.findings)
    found = list[Finding]()
    for one in result.findings:
        asked = tokens.directive_at(one.span.start) if _is_left(one) else None
        gate = branches.get(asked.start) if asked is not None else None
        edits = _edits(tokens, gate) if gate is not None and _is_answered(tokens, gate, answers) else []
        found.append(replace(one, fix=Fix(tuple(edits), "safe"), effort="none") if edits else one)
    return replace(result, findings=tuple(found))


def _answers(tokens: Lexed, findings: Sequence[Finding]) -> frozenset[int]:
    """The tests that AMD has an answer to, by their place: those opened for it, and those whose older way works."""
    about = (one for one in findings if one.rule == _OLDER_WAY or (one.rule in OPENING_RULES and one.fix is not None))
    asked = (tokens.directive_at(one.span.start) for one in about)
    return frozenset(one.start for one in asked if one is not None)


def _is_answered(tokens: Lexed, gate: Branches, answers: frozenset[int]) -> bool:
    """Whether tests for a GPU's number are behind a test for the pass, all answered, and no code takes the number."""
    inside = _directives(tokens, Span(gate.asked.end, gate.end))
    asking = [one for one in inside if one.name in _CONDITIONS and _asks(tokens, one)]
    if not asking or not all(one.start in answers for one in asking):
        return False
    known = {one.start for one in asking}
    for match in _NAME.finditer(tokens.data, gate.asked.end, gate.end):
        directive = tokens.directive_at(match.start())
        if tokens.is_code(match.start()) and (directive is None or directive.start not in known):
            return False
    return True


def _asks(tokens: Lexed, directive: Directive) -> bool:
    text = directive.argument(tokens.data)
    return _NAME.search(text) is not None and not names_hip(text)


def _directives(tokens: Lexed, body: Span) -> Sequence[Directive]:
    first, last = (bisect_left(tokens.directives, at, key=lambda one: one.start) for at in (body.start, body.end))
    return tokens.directives[first:last]


def _edits(tokens: Lexed, gate: Branches) -> Sequence[Edit]:
    """The edits that let AMD's device pass in; none where a condition asks for more than that pass."""
    place = condition_of(tokens.data, gate.asked)
    asks = tokens.data[place.start : place.end]
    if gate.asked.name == "ifdef" and asks == _ARCH:
        keyword = tokens.data.index(b"ifdef", gate.asked.start)
        return [Edit(Span(keyword, place.end), b"if defined(" + asks + b")" + _TWIN)]
    if gate.asked.name == "if" and _PRESENT.match(asks) is not None:
        return behind(place, _TWIN, bracketed=False)
    return []
