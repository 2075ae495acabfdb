"""CMake files that ask whether HIP was found, in a tree whose search for CUDA is left to be changed manually.

Where nothing else looks for HIP, the answer is no: what depends on it is left out, and CMake gives no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/cmake-hip-unsought"
_ASKED, _SEARCH = "build/cmake-found", "build/cmake-toolkit"
_LOOKS = re.compile(rb"\bfind_(?:package|dependency)[ \t]*\([ \t]*(?:hip|HIP)\b|\bcheck_language[ \t]*\([ \t]*HIP\b")


def with_unsought(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at the first question for HIP where no file of the tree will look for it."""
    rule = book.rules.get(RULE)
    files = [one for one in results if one.language == "cmake" and one.skip is None]
    asked = next(((one, finding) for one in files for finding in _of(one, _ASKED) if finding.fix is not None), None)
    searches = [finding for one in files for finding in _of(one, _SEARCH)]
    if rule is None or rule.silent or asked is None or not searches or any(one.fix is not None for one in searches):
        return list(results)
    if any(source is not None and _LOOKS.search(source.data) for source in (read(one.path) for one in files)):
        return list(results)
    result, finding = asked
    source = read(result.path)
    if source is None:
        return list(results)
    use = Use("name", finding.name, finding.span, finding.span, certainty="syntax")
    made = engine.finding(source, Hit(RULE, use, {"where": searches[0].path}), rule)
    return [replace(one, findings=tuple(_beside(one, made))) if one is result else one for one in results]


def _of(result: FileResult, rule: str) -> Iterator[Finding]:
    return (one for one in result.findings if one.rule == rule)


def _beside(result: FileResult, made: Finding) -> list[Finding]:
    return list(engine.in_order([*result.findings, made]))
