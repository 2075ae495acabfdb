"""Tests for a GPU's or a release's number that must agree: what one switches on calls what another still leaves out.

Tests are true together or false together for each number, and so is what they declare for each other. Where one was
opened for AMD, or its condition converted, those that declare what it needs then follow, if all behind them is
converted. If not, the first stays as it was: the older code on both sides agrees.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import TypeVar

from cudamigrate.cuda import version_branches
from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.branch_effects import does_nothing
from cudamigrate.cuda.branch_names import NOTHING, Declared, calls, declared
from cudamigrate.cuda.conditions import VERSIONS, question
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import condition_of
from cudamigrate.cuda.version_branches import Branches, branches_of
from cudamigrate.cuda.version_conditions import behind
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline import joined_files, opened_gates
from cudamigrate.pipeline.opened_gates import Places
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/agreeing-gate"
_SWITCHING = frozenset((opened_gates.RULE, "warp/version-branch", "warp/arch-branch", "build/old-version"))
"""Rules whose fix lets AMD take what the newest GPUs or releases do."""
OPENING_RULES = _SWITCHING | {RULE}
"""Those, and the rule on the tests that follow them."""
_LEFT = frozenset((*opened_gates.GATES, "build/oldest-branch"))
"""Rules on tests that stay, in whose place the new finding is."""
_ABOUT = _SWITCHING | _LEFT
_BLANK = re.compile(rb"\s+")
_Key = TypeVar("_Key", bound=Hashable)
_ROUNDS = 20
"""Rounds in which tests follow each other; deeper chains stay as they are."""


class _Test:
    """A conditional that asks for a number of CUDA's alone, and what is compiled for the newest and for none."""

    def __init__(self, source: SourceFile, places: Places, inside: Branches, holds: bool, switched: bool) -> None:
        self.source, self._places, self.asked, self.holds, self.switched = source, places, inside.asked, holds, switched
        self._new: Span | None = inside.body if holds else inside.other
        self._old: Span | None = inside.other if holds else inside.body
        self.end = inside.end

    @property
    def path(self) -> str:
        """The path of its file."""
        return self.source.path

    @property
    def _tokens(self) -> Lexed:
        return lexed(self.source)

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
    def old_calls(self) -> frozenset[tuple[bytes, int]]:
        """The calls in what is compiled where there is no number."""
        return frozenset(calls(self._text(self._old))) if self._old is not None else frozenset()

    @cached_property
    def body(self) -> Span | None:
        """The body of the function whose heads its two branches are, which is behind them; None where they are not."""
        last = self._tokens.directive_at(self.end) if self._new is not None and self._old is not None else None
        opening = self._tokens.token(last.end) if last is not None else None
        if opening is None or self._tokens.text(opening) != b"{":
            return None
        return Span(opening.start, self._tokens.closing(opening.start))

    @cached_property
    def objects(self) -> frozenset[bytes]:
        """The variables and members that only its newer branch declares, or as another type."""
        return version_branches.of_other_types(self.new, self.old)

    @cached_property
    def block(self) -> Span | None:
        """The block of a function that it is in; None where it is in none."""
        return version_branches.block_around(self._tokens, self.asked.start)

    @cached_property
    def can_follow(self) -> bool:
        """Whether all that is found in its newer branch is right on AMD or has a fix."""
        return self._new is None or self._places.is_converted(self._new, False)

    @cached_property
    def leaves_nothing(self) -> bool:
        """Whether nothing works in the place of its newer branch."""
        return does_nothing(self._tokens, self._old)

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
    tokens, places = lexed(source), Places(result.findings)
    fixed = (one for one in result.findings if one.rule in _SWITCHING and one.fix is not None)
    switched = {at.start for one in fixed if (at := tokens.directive_at(one.span.start)) is not None}
    for inside in branches_of(tokens).values():
        text = inside.asked.argument(source.data)
        asked = question(text) if inside.asked.name == "if" and not names_hip(text) else None
        if asked is not None and asked.undefined is not None and asked.newest is (not asked.undefined):
            yield _Test(source, places, inside, asked.newest, inside.asked.start in switched)


def _settled(tests: Sequence[_Test]) -> Iterator[tuple[_Test, _Test | None]]:
    """The tests that follow another, with that one, and those that stay closed, without."""
    family, reasons = _Family(tests), dict[int, _Test]()
    switched, closed = {number for number, one in enumerate(tests) if one.switched}, set[int]()
    for _ in range(_ROUNDS):
        pairs = [(one, other) for one in sorted(switched) for other in family.needed(one, switched)]
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
        self._declaring = _by_key(
            (name, number) for number, one in enumerate(tests) for name in one.new.names | one.objects
        )
        self._in_files = _by_key((one.path, number) for number, one in enumerate(tests))
        self._alike = _by_key(((one.path, one.condition), number) for number, one in enumerate(tests))

    @cached_property
    def _older(self) -> dict[bytes, set[int]]:
        """The tests that name something where there is no number."""
        return _by_key((name, number) for number, one in enumerate(self._tests) for name in one.old_words)

    def needed(self, number: int, switched: Set[int]) -> list[int]:
        """The tests, of those that are not `switched`, which must be where one is."""
        one = self._tests[number]
        alike = self._alike[one.path, one.condition] - switched
        able = (other for other in alike if self._tests[other].can_follow)
        found = {other for other in able if self._tests[other].leaves_nothing or _uses_object(self._tests[other], one)}
        near = set[int]().union(*(self._declaring[name] for name in one.words & self._declaring.keys()))
        found |= {other for other in near - switched if _declares_for(self._tests[other], one)}
        found |= {other for other in near - switched if _are_of_one_function(self._tests[other], one)}
        found |= {other for other in near - switched if _gives_type(self._tests[other], one)}
        retyped = set[int]().union(
            *(self._older[name] for name in one.objects & one.old.objects.keys() & self._older.keys())
        )
        found |= {other for other in retyped if _takes_old_type(self._tests[other], one)}
        found |= {other for other in self._partners(number) if _share_parameters(one, self._tests[other])}
        gone = one.old.names - one.new.names
        found = found.union(*(self._older[name] for name in gone & self._older.keys())) if gone else found
        fewer = one.old.signatures - one.new.signatures
        found |= {other for other in self._calling(fewer) if _calls_what_goes(self._tests[other], one)}
        apart = (other for other in found - switched if not _are_nested(one, self._tests[other]))
        return sorted(apart)

    def _partners(self, number: int) -> Iterator[int]:
        """The tests in the body of the function whose heads a test selects, or those that select heads around it."""
        one = self._tests[number]
        for at in self._in_files[one.path]:
            other = self._tests[at]
            if (one.body is not None and one.body.start <= other.asked.start < one.body.end) or (
                other.body is not None and other.body.start <= one.asked.start < other.body.end
            ):
                yield at

    def _calling(self, signatures: Iterable[tuple[bytes, int]]) -> set[int]:
        """The tests that name one of some functions where there is no number."""
        return set[int]().union(*(self._older.get(name, ()) for name, _ in signatures))


def _by_key(pairs: Iterable[tuple[_Key, int]]) -> dict[_Key, set[int]]:
    found: dict[_Key, set[int]] = {}
    for key, number in pairs:
        found.setdefault(key, set()).add(number)
    return found


def _are_nested(one: _Test, other: _Test) -> bool:
    """Whether one of two tests is in a branch of the other."""
    first, last = sorted((one, other), key=lambda test: test.asked.start)
    return one.path == other.path and last.asked.start < first.end


def _declares_for(left: _Test, switched: _Test) -> bool:
    """Whether only the newer branch of a test declares what that of another names, or functions as it calls them."""
    missing = left.new.names & switched.words
    called = ((name, count) for name, count in switched.calls if name in missing)
    return not missing <= left.old.names or any(
        left.new.takes(name, count) and not left.old.takes(name, count) for name, count in called
    )


def _are_of_one_function(left: _Test, switched: _Test) -> bool:
    """Whether the newer branches of two tests have a declaration or the definition of one function, which the older
    one of `left` has for another number of parameters.
    """
    both = left.new.signatures & switched.new.signatures
    return any(name in left.old.functions for name, _ in both - left.old.signatures)


def _gives_type(left: _Test, switched: _Test) -> bool:
    """Whether what a test switches on means a variable or member that another declares, or whose type it chooses."""
    names = left.objects & switched.words
    return not names <= switched.new.objects.keys() and _is_seen(left, switched)


def _uses_object(left: _Test, switched: _Test) -> bool:
    """Whether the newer branch of a test means a variable of the same block that another one alone declares."""
    return switched.block is not None and not switched.objects.isdisjoint(left.words) and _is_seen(switched, left)


def _takes_old_type(left: _Test, switched: _Test) -> bool:
    """Whether the older branch of a test means a variable or member whose type another one changes."""
    names = switched.objects & left.old_words
    return not names <= left.old.objects.keys() and _is_seen(switched, left)


def _is_seen(declaring: _Test, other: _Test) -> bool:
    """Whether code in a test can mean what another declares: that of a block ends with it."""
    block = declaring.block
    return block is None or (declaring.path == other.path and declaring.end < other.asked.start < block.end)


def _share_parameters(one: _Test, other: _Test) -> bool:
    """Whether what one of two tests takes names a parameter that only one head of the other has, which is around it."""
    head, inside = (one, other) if one.body is not None else (other, one)
    added, gone = head.new.parameters - head.old.parameters, head.old.parameters - head.new.parameters
    return not (added.isdisjoint(inside.words) and gone.isdisjoint(inside.old_words))


def _calls_what_goes(left: _Test, switched: _Test) -> bool:
    """Whether the older branch of a test calls a function as only the older branch of another declares it."""
    return any(
        switched.old.takes(name, count) and not switched.new.takes(name, count)
        for name, count in left.old_calls
        if name in switched.new.functions and name in switched.old.functions
    )


def _changed(
    result: FileResult,
    following: Sequence[tuple[_Test, _Test]],
    closed: Sequence[_Test],
    earlier: FileResult,
    rule: Rule,
) -> FileResult:
    """A result with the findings of tests that follow, and without the fixes of those that stay closed."""
    if not following and not closed:
        return result
    stay, follow = _Conditions(closed), _Conditions([test for test, _ in following])
    kept = list[Finding]()
    again: dict[int, list[Finding]] = {}
    before: dict[int, list[Finding]] = {}
    for one in result.findings:
        if (at := stay.of(one)) is not None:
            again.setdefault(at, []).extend([] if one.rule == opened_gates.RULE else [replace(one, fix=None)])
        elif one.rule not in _LEFT or follow.of(one) is None:
            kept.append(one)
    for one in earlier.findings:
        if one.rule not in _SWITCHING and (at := stay.of(one)) is not None:
            before.setdefault(at, []).append(one)
    for at in stay.ends:
        kept += before.get(at) or again.get(at, [])
    kept += [_followed(test, other, rule) for test, other in following]
    return replace(result, findings=tuple(engine.in_order(kept)))


class _Conditions:
    """The conditions of some tests of a file, by where their directives begin."""

    def __init__(self, tests: Iterable[_Test]) -> None:
        self.ends = {one.asked.start: one.asked.end for one in sorted(tests, key=lambda one: one.asked.start)}
        self._starts = list(self.ends)

    def of(self, finding: Finding) -> int | None:
        """The condition that a finding is about."""
        number = bisect_right(self._starts, finding.span.start) - 1
        if number < 0 or finding.rule not in _ABOUT or finding.span.start >= self.ends[self._starts[number]]:
            return None
        return self._starts[number]


def _followed(test: _Test, other: _Test, rule: Rule) -> Finding:
    """The finding with the fix for a test that follows another."""
    data, place = test.source.data, condition_of(test.source.data, test.asked)
    macro = opened_gates.amd_macro(test.condition)
    words = f" || defined({macro})" if test.holds else f" && !defined({macro})"
    edits = behind(place, words.encode(), bracketed=not test.holds or b"?" in data[place.start : place.end])
    name = data[place.start : place.end].decode("utf-8", "replace")
    line = other.source.position(other.asked.start).line
    where = f"line {line}" if other.path == test.path else f"{other.path}:{line}"
    use = Use("name", name, place, place, (), "macro", "token")
    made = engine.finding(test.source, Hit(RULE, use, {"name": name, "where": where}), rule)
    return replace(made, fix=Fix(tuple(edits), "safe"))
