"""Headers that are compiled at run time too, and get a header of our own: the program has to give that to hipRTC.

A compiler of text finds the headers that it is given under their names, and no others. Compiled so are a file that asks
for such a compiler, `#ifndef __CUDACC_RTC__`, and those that `run_time_sources` finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.cuda.include_insertion import OWN_HEADERS, asks_for_run_time
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Hit
from cudamigrate.pipeline import own_headers
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/run-time-header"
_MARK = b"CC_RTC__"
_CODE = ("cuda", "cxx")
_ENDS = {name: (f'/{name}"'.encode(), f'"{name}"'.encode()) for name in OWN_HEADERS}
"""How an include of a header of ours ends."""
_OURS = b"cudamigrate_"


def with_run_time_headers(
    results: Sequence[FileResult], reached: Set[str], book: Rulebook, read: Read
) -> list[FileResult]:
    """The results, with a finding in each such file on the first place whose fix includes a header of ours.

    `reached` are files that are known to be compiled at run time.
    """
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    code = {one.path for one in results if one.language in _CODE and one.skip is None}
    return [
        engine.with_more(one, list(_found(one, one.path in reached, book, read))) if one.path in code else one
        for one in results
    ]


def _found(result: FileResult, reached: bool, book: Rulebook, read: Read) -> Iterator[Finding]:
    including = [one for one in result.findings if _includes(one)]
    source = read(result.path) if including else None
    if source is None or not (reached or _MARK in source.data):
        return
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    if reached or asks_for_run_time(parsed):
        first = including[0]
        use = parsed.named_use(first.name, first.span)
        named = own_headers.with_included(name for one in including for name in _includes(one))
        words = {"header": ", ".join(f"`{name}`" for name in named), "them": "it" if len(named) == 1 else "them"}
        yield engine.finding_in(parsed, Hit(RULE, use, words), book.rules[RULE])


def _includes(finding: Finding) -> tuple[str, ...]:
    """The headers of ours that the fix of a finding includes, also in place of another one."""
    if finding.fix is None or not finding.automatic:
        return ()
    added = b" ".join(edit.replacement for edit in finding.fix.edits if _OURS in edit.replacement)
    return tuple(name for name, ends in _ENDS.items() if any(one in added for one in ends)) if added else ()
