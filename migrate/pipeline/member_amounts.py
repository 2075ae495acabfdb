"""Shared memory that a member says, where the files together give the member one value: that is more, or it is not.

A request for the value of a member is all that a file with the launch shows. The assignment is often in another file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cudamigrate.analysis.type_sizes import Amounts
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Step, Use
from cudamigrate.pipeline.judged_again import judged_again
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.architectures import shared_limit
from cudamigrate.rulebase.code_rules import Rulebook

REQUEST, RULE = "memory/shared-memory-request", "memory/dynamic-shared-memory"
_MEMBER = re.compile(rb"[A-Za-z_][\w.]*(?:\.|->)\s*([A-Za-z_]\w*)")
"""A member of a variable, `params.bytes`; the group is its name."""
_VALUE = re.compile(rb"\s*=(?!=)\s*([^;{}?]+);")
_TYPED = re.compile(rb"[\w>*&]\s*\Z")
"""What is before a name that is declared: a type, or what ends one."""
_DECLARED = re.compile(rb"\s*;")


class _Assignment(NamedTuple):
    """The value that a member is given, in bytes, and where."""

    amount: int
    step: Step


def with_member_amounts(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results; a request for a member whose one value in the tree is too large is a launch that fails."""
    rule, limit = book.rules.get(RULE), shared_limit(book.goal.arch)
    if rule is None or rule.silent:
        return list(results)
    small = ", ".join(arch for arch in book.goal.arch if shared_limit([arch]) == limit)
    known: dict[bytes, _Assignment | None] = {}

    def judged(source: SourceFile, finding: Finding) -> Finding:
        span = finding.span
        match = _MEMBER.fullmatch(source.data[span.start : span.end].strip()) if finding.rule == REQUEST else None
        if match is None:
            return finding
        if match[1] not in known:
            known[match[1]] = _only(match[1], results, book, read)
        found = known[match[1]]
        if found is None or found.amount <= limit:
            return finding
        words = {"limit": f"{limit // 1024} KiB", "arch": small, "bytes": str(found.amount), "name": ""}
        use = Use("name", "", span, span, (), "host", finding.certainty)
        return engine.finding(source, Hit(RULE, use, words, (found.step,)), rule)

    return judged_again(results, REQUEST, judged, read)


def _only(name: bytes, results: Sequence[FileResult], book: Rulebook, read: Read) -> _Assignment | None:
    """The one value that the members of a name are given; None where there are more, or where one may be hidden.

    One class of the tree declares such a member, and nothing takes its address or gives it a value in another way.
    """
    values, declared = [], 0
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is None or name not in source.data:
            continue
        for start in lexed(source).words(frozenset((name,))):
            if not _is_member(source.data, start):
                declared += 1
                if declared > 1 or not _is_declared(source.data, start, start + len(name)):
                    return None
            elif not _only_read(source.data, start, start + len(name)):
                values.append((source, start))
    return _assignment(*values[0], name, book) if declared == 1 and len(values) == 1 else None


def _is_member(data: bytes, start: int) -> bool:
    return data[:start].rstrip()[-2:] == b"->" or data[:start].rstrip()[-1:] == b"."


def _is_declared(data: bytes, start: int, end: int) -> bool:
    return _TYPED.search(data, max(0, start - 80), start) is not None and _DECLARED.match(data, end) is not None


_CHANGED = re.compile(rb"\s*(?:\[|\+\+|--|\.|->|(?:[-+*/%&|^]|<<|>>)?=(?!=))")
_TAKEN = re.compile(rb"(?:[&*]|\+\+|--|>>)\s*[\w.\[\]]*(?:->[\w.\[\]]*)*\Z")
"""What is before a member that more than its value is wanted of: `&params.`, `++params.`, `file >> params.`."""


def _only_read(data: bytes, start: int, end: int) -> bool:
    return _CHANGED.match(data, end) is None and _TAKEN.search(data, max(0, start - 80), start) is None


def _assignment(source: SourceFile, start: int, name: bytes, book: Rulebook) -> _Assignment | None:
    """The value of an assignment that HIP compiles; None for anything else that changes a member."""
    match = _VALUE.match(source.data, start + len(name))
    parsed = cuda.parse(source, frozenset()) if match is not None else None
    if match is None or parsed is None or parsed.problems or parsed.hip(start) is False:
        return None
    parsed.target = book.goal
    amount = Amounts(parsed).of(match[1], start)
    line = source.position(start).line
    text = f"`{name.decode('latin-1')}` is given {amount} here, and nowhere else"
    return None if amount is None else _Assignment(amount, Step(source.path, line, text))
