"""Shifts by 32 bits or more whose amount is made of a constant of another file: `votes << (WARP_SIZE - lane)`.

What a file shifts by, it shows alone where the constant is its own. Here a file is read again as if it defined the
constants of the tree that it names: those of the class whose methods it has, or of its bases, and those which all files
that define them give the same number. So are the names of integer types that all files declare alike: `u32 votes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.class_constants import (
    ClassConstants,
    Classes,
    Constant,
    constants,
    may_define,
    owner_of_method,
    step,
)
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.pipeline.shifted_types import typed_shifts
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _DETECTOR = "warp/wide-shift", "wide_shift"
_SHIFT = re.compile(rb"(?:<<|>>)=?\s*([^;{}<>]{1,80})")
"""A shift, with what may be its amount."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ROUNDS = 3
"""How often the constants are looked for that others are made of."""
_GROUPS = 8
"""Sets of numbers that the classes of one file are read with."""


def with_wide_shifts(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each shift that is too wide by the value of another file's constant."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    typed = typed_shifts(results, read)
    cuda = (one for one in results if one.cuda and one.skip is None)
    amounts = {one.path: one.shifts for one in cuda if one.shifts or one.path in typed}
    given = given_by_files(results, frozenset[bytes]().union(*amounts.values()), read) if amounts else ClassConstants()
    changed, marks = [], port.marks
    for result in results:
        found = list[Finding]()
        for hit in (
            _hits(result.path, amounts[result.path], typed, given, marks, read) if result.path in amounts else ()
        ):
            source = read(result.path)
            if source is not None and not any(one.span == hit.use.span and one.rule == RULE for one in result.findings):
                found.append(engine.finding(source, hit, rule))
        changed.append(engine.with_more(result, found))
    return changed


def given_by_files(results: Sequence[FileResult], names: frozenset[bytes], read: Read) -> ClassConstants:
    """What the files of the tree define of some constants, and of those that these are made of."""
    found = ClassConstants()
    more = names
    for _ in range(_ROUNDS):
        more = found.read(_defining(results, more, read), more) - names
        names |= more
        if not more:
            break
    return found


def _defining(results: Sequence[FileResult], names: frozenset[bytes], read: Read) -> Iterator[SourceFile]:
    """The files that may define one of some constants."""
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is not None and may_define(source.data, names):
            yield source


def _hits(
    path: str,
    names: frozenset[bytes],
    typed: Mapping[str, bytes],
    given: ClassConstants,
    marks: Sequence[str],
    read: Read,
) -> Iterator[Hit]:
    """The wide shifts of a file that names constants and types of others, at their places there."""
    names, types = frozenset(filter(given.may_be_number, names)), typed.get(path, b"")
    source = read(path) if names or types else None
    if source is None:
        return
    tokens = lexed(source)
    classes = Classes(tokens)
    own = {one.name for one in constants(path, tokens, classes)}
    names = frozenset(name for name in names - own if name in given.owners)
    if not names and not types:
        return
    owners = _Owners(classes, cuda.parse(source, frozenset(), marks))
    groups: list[tuple[_Numbers, set[bytes] | None]] = [*_groups(source, owners, names, given)]
    for numbers, having in groups or [((), None)]:
        ahead = types + b"".join(b"#define %s %d\n" % (name, number) for name, (number, _) in numbers)
        for hit in behind_declarations.hits(_DETECTOR, source, ahead, marks):
            span = hit.use.span
            if hit.rule != RULE or (having is not None and owners.at(span.start) not in having):
                continue
            said = _NAME.findall(source.data[span.start : span.end])
            places = [(one, number, read(one.path)) for name, (number, one) in numbers if name in said]
            trace = tuple(step(where, one, number) for one, number, where in places if where is not None)
            yield replace(hit, use=replace(hit.use, extent=span), trace=trace)


_Numbers = tuple[tuple[bytes, tuple[int, Constant]], ...]


def _groups(
    source: SourceFile, owners: _Owners, names: frozenset[bytes], given: ClassConstants
) -> list[tuple[_Numbers, set[bytes]]]:
    """The numbers that constants have in a file, with the classes in whose methods they have them."""
    groups: dict[_Numbers, set[bytes]] = {}
    for match in _SHIFT.finditer(source.data):
        if names.isdisjoint(_NAME.findall(match[1])):
            continue
        owner = owners.at(match.start())
        found = ((name, given.number(owner, name)) for name in sorted(names))
        numbers = tuple((name, number) for name, number in found if number is not None)
        if numbers:
            groups.setdefault(numbers, set()).add(owner)
    return list(groups.items())[:_GROUPS]


class _Owners:
    """The classes of the methods of a file, whose bodies are in the class or behind the class's name."""

    def __init__(self, classes: Classes, parsed: ParsedFile) -> None:
        self._classes, self._parsed = classes, parsed

    def at(self, offset: int) -> bytes:
        """The class of the method around a place; empty for none."""
        function = self._parsed.function(offset)
        head = self._parsed.data[function.span.start : function.body.start] if function is not None else b""
        return self._classes.owner(offset) or owner_of_method(head)
