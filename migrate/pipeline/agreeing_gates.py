"""Tests for a GPU's or a release's number that must agree: what one switches on calls what another still leaves out.

Tests are true together or false together for each number, and so is what they declare for each other. Where one was
opened for AMD, or its condition converted, those that declare what it needs then follow, if all behind them is
converted. If not, the first stays as it was: the older code on both sides agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.branch_names import NOTHING, Declared, calls, declared
from cudamigrate.cuda.conditions import VERSIONS, question
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import condition_of
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline import joined_files, opened_gates
from cudamigrate.pipeline.opened_gates import Branches, branches_of, is_converted, is_nothing, widened
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/agreeing-gate"
_SWITCHING = frozenset((opened_gates.RULE, "warp/version-branch", "warp/arch-branch", "build/old-version"))
"""Rules whose fix lets AMD take what the newest GPUs or releases do."""
_LEFT = frozenset((*opened_gates.GATES, "build/oldest-branch"))
"""Rules on tests that stay, in whose place the new finding is."""
_BLANK = re.compile(rb"\s+")
_ROUNDS = 20
"""Rounds in which tests follow each other; deeper chains stay as they are."""


class _Test:
    """A conditional that asks for a number of CUDA's alone, and what is compiled for the newest and for none."""

    def __init__(self, result: FileResult, source: SourceFile, tokens: Lexed, inside: Branches, holds: bool) -> None:
        self.result, self.source, self._tokens, self.asked, self.holds = result, source, tokens, inside.asked, holds
        self._new: Span | None = inside.body if holds else inside.other
        self._old: Span | None = inside.other if holds else inside.body
        self.switched = any(
            one.rule in _SWITCHING and one.fix is not None and tokens.directive_at(one.span.start) == inside.asked
            for one in result.findings
        )

    @property
    def path(self) -> str:
        """The path of its file."""
        return self.result.path

    @property
    def whole(self) -> Span:
        """Its branches."""
        ends = [one.end for one in (self._new, self._old) if one is not None]
        return Span(self.asked.start, max(ends, default=self.asked.end))

    @cached_property
    def condition(self) -> bytes:
        """Its condition without blanks."""
        place = condition_of(self.source.data, self.asked)
        return _BLANK.sub(b"", self.source.data[place.start : place.end])

    @cached_property
    def new(self) -> Declared:
        """What is declared for the newest."""
        return declared(self._text(self._new)) if self._new is not None else NOTHING

    @cached_property
    def old(self) -> Declared:
        """What is declared where there is no number."""
        return declared(self._text(self._old)) if self._old is not None else NOTHING

    @cached_property
    def words(self) -> frozenset[bytes]:
        """The words of what is compiled for the newest."""
        return self._words(self._new)

    @cached_property
    def old_words(self) -> frozenset[bytes]:
        """The words of what is compiled where there is no number."""
        return self._words(self._old)

    @cached_property
    def calls(self) -> frozenset[tuple[bytes, int]]:
        """The calls in what is compiled for the newest."""
        return frozenset(calls(self._text(self._new))) if self._new is not None else frozenset()

    @cached_property
    def can_follow(self) -> bool:
        """Whether all that is found in its newer branch is right on AMD or has a fix."""
        return self._new is None or is_converted(self.result, self._new, False)

    @cached_property
    def leaves_nothing(self) -> bool:
        """Whether nothing works in the place of its newer branch."""
        return is_nothing(self._tokens, self._old)

    def _text(self, branch: Span) -> bytes:
        return self.source.data[branch.start : branch.end]

    def _words(self, branch: Span | None) -> frozenset[bytes]:
        if branch is None:
            return frozenset()
        return frozenset(self._tokens.text(one) for one in self._tokens.tokens(branch.start, branch.end))


def with_gates(closed: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with tests opened for AMD, and with those that follow them or other conversions of conditions.

    One that nothing can follow stays closed, with the finding that it had.
    """
    rule, results = book.rules.get(RULE), opened_gates.with_opened_gates(closed, book, read)
    started = [one.path for one in results if any(one.rule in _SWITCHING and one.fix for one in one.findings)]
    if rule is None or rule.silent or not started:
        return list(results)
    groups = joined_files.groups(results, read)
    wanted = {groups[path] for path in started if path in groups}
    families = dict[str, list[_Test]]()
    for result in results:
        if groups.get(result.path) in wanted and (source := read(result.path)) is not None:
            families.setdefault(groups[result.path], []).extend(_tests(result, source))
    following, staying = dict[str, list[tuple[_Test, _Test]]](), dict[str, list[_Test]]()
    for family in families.values():
        for test, other in _settled(family):
            if other is None:
                staying.setdefault(test.path, []).append(test)
            else:
                following.setdefault(test.path, []).append((test, other))
    earlier = {one.path: one for one in closed if one.path in staying}
    return [
        _changed(one, following.get(one.path, ()), staying.get(one.path, ()), earlier.get(one.path, one), rule)
        for one in results
    ]


def _tests(result: FileResult, source: SourceFile) -> Iterator[_Test]:
    """The tests of a file for nothing but a number, with one branch or two, that no macro of HIP's is in."""
    if not any(name in source.data for name in VERSIONS):
        return
    tokens = lexed(source)
    for inside in branches_of(tokens).values():
        text = inside.asked.argument(source.data)
        asked = question(text) if inside.asked.name == "if" and not names_hip(text) else None
        if asked is not None and asked.undefined is not None and asked.newest is (not asked.undefined):
            yield _Test(result, source, tokens, inside, asked.newest)


def _settled(tests: Sequence[_Test]) -> Iterator[tuple[_Test, _Test | None]]:
    """The tests that follow another, with that one, and those that stay closed, without."""
    family, reasons = _Family(tests), dict[int, _Test]()
    switched, closed = {number for number, one in enumerate(tests) if one.switched}, set[int]()
    for _ in range(_ROUNDS):
        pairs = [(one, other) for one in sorted(switched) for other in family.needed(one) if other not in switched]
        if not pairs:
            break
        stuck = {one for one, other in pairs if other in closed or not tests[other].can_follow}
        closed |= stuck
        switched -= stuck
        for one, other in pairs:
            if one in switched and other not in closed:
                reasons.setdefault(other, tests[one])
                switched.add(other)
    yield from ((tests[number], None) for number in sorted(closed) if tests[number].switched)
    yield from ((tests[number], reason) for number, reason in reasons.items() if number in switched)


class _Family:
    """The tests of files that includes join, by what each declares and names."""

    def __init__(self, tests: Sequence[_Test]) -> None:
        self._tests = tests
        self._declaring = dict[bytes, list[int]]()
        for number, one in enumerate(tests):
            for name in one.new.names:
                self._declaring.setdefault(name, []).append(number)

    def needed(self, number: int) -> Iterator[int]:
        """The tests which must be switched where one is."""
        one = self._tests[number]
        near = {other for name in one.words & self._declaring.keys() for other in self._declaring[name]}
        gone = one.old.names - one.new.names
        for other, test in enumerate(self._tests):
            if other == number or _is_in(one, test) or _is_in(test, one):
                continue
            alike = one.path == test.path and one.condition == test.condition
            if (
                (alike and test.leaves_nothing and test.can_follow)
                or (other in near and _declares_for(test, one))
                or (gone and gone & test.old_words)
            ):
                yield other


def _is_in(inner: _Test, outer: _Test) -> bool:
    """Whether a test is in a branch of another."""
    return inner.path == outer.path and outer.whole.start <= inner.asked.start < outer.whole.end


def _declares_for(left: _Test, switched: _Test) -> bool:
    """Whether only the newer branch of a test declares what that of another names, or functions as it calls them."""
    missing = left.new.names & switched.words
    called = ((name, count) for name, count in switched.calls if name in missing)
    return not missing <= left.old.names or any(
        left.new.takes(name, count) and not left.old.takes(name, count) for name, count in called
    )


def _changed(
    result: FileResult,
    following: Iterable[tuple[_Test, _Test]],
    closed: Iterable[_Test],
    earlier: FileResult,
    rule: Rule,
) -> FileResult:
    """A result with the findings of tests that follow, and without the fixes of those that stay closed."""
    found = list(result.findings)
    for test in closed:
        kept = [one for one in earlier.findings if one.rule not in _SWITCHING and _is_of(one, test)]
        again = [replace(one, fix=None) for one in found if _is_of(one, test) and one.rule != opened_gates.RULE]
        found = [one for one in found if not _is_of(one, test)] + (kept or again)
    for test, other in following:
        found = [one for one in found if not (_is_of(one, test) and one.rule in _LEFT)]
        found.append(_followed(test, other, rule))
    return result if found == list(result.findings) else replace(result, findings=tuple(engine.in_order(found)))


def _is_of(finding: Finding, test: _Test) -> bool:
    """Whether a finding is about the condition of a test."""
    return finding.rule in (*_SWITCHING, *_LEFT) and test.asked.start <= finding.span.start < test.asked.end


def _followed(test: _Test, other: _Test, rule: Rule) -> Finding:
    """The finding with the fix for a test that follows another."""
    data, place = test.source.data, condition_of(test.source.data, test.asked)
    macro = "__HIP_DEVICE_COMPILE__" if b"__CUDA_ARCH__" in test.condition else "__HIPCC__"
    if test.holds:
        edits = widened(data, place, f"defined({macro})")
    else:
        edits = (
            Edit(Span(place.start, place.start), b"("),
            Edit(Span(place.end, place.end), f") && !defined({macro})".encode()),
        )
    name = data[place.start : place.end].decode("utf-8", "replace")
    line = other.source.position(other.asked.start).line
    where = f"line {line}" if other.path == test.path else f"{other.path}:{line}"
    use = Use("name", name, place, place, (), "macro", "token")
    made = engine.finding(test.source, Hit(RULE, use, {"name": name, "where": where}), rule)
    return replace(made, fix=Fix(tuple(edits), "safe"))
