"""Requests for dynamic shared memory whose amount headers and instantiations show to be no more than a block has.

A file by itself does not know macros of its headers, nor what a parameter of a template stands for. Where a source
instantiates the template itself, for types of a known size alone, the largest of them counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.analysis.type_sizes import Amounts, type_size
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Target
from cudamigrate.pipeline.enclosed_macros import Headers
from cudamigrate.pipeline.member_amounts import REQUEST
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph
from cudamigrate.rulebase.architectures import shared_limit

_WORD = re.compile(rb"[A-Za-z_]\w*")
_PARAMETER = re.compile(rb"\btemplate\s*<\s*(?:typename|class)\s+([A-Za-z_]\w*)\s*>\s*[\w\s:*&]*\Z")
"""The one parameter of a template before the name of a function: `template <typename T> void `."""
_GIVEN = re.compile(rb"\s*<([^<>;{}()]*)>\s*\(")
_SOURCES = (".cu", ".cpp", ".cc")
_ROUNDS = 4
"""Macros of macros whose numbers are worked out."""


def without_small_requests(results: Sequence[FileResult], goal: Target, read: Read) -> list[FileResult]:
    """The results, without findings on requests that are seen to be small enough."""
    if not any(one.rule == REQUEST for result in results for one in result.findings):
        return list(results)
    paths = [one.path for one in results]
    return [_judged(one, paths, goal, read) for one in results]


def _judged(result: FileResult, paths: Sequence[str], goal: Target, read: Read) -> FileResult:
    asked = [one for one in result.findings if one.rule == REQUEST]
    source = read(result.path) if asked else None
    parsed = cuda.parse(replace(source, language="cuda"), frozenset()) if source is not None else None
    if parsed is None or parsed.problems:
        return result
    graph = include_graph(read, paths)
    headers = Headers(graph.below([result.path]) - {result.path}, read)
    is_whole = result.path.endswith(_SOURCES) and result.path not in graph.users
    small = {one.span for one in asked if _is_small(parsed, one, headers, shared_limit(goal.arch), is_whole)}
    kept = tuple(one for one in result.findings if one.rule != REQUEST or one.span not in small)
    return replace(result, findings=kept) if small else result


def _is_small(parsed: ParsedFile, finding: Finding, headers: Headers, limit: int, is_whole: bool) -> bool:
    """Whether the largest amount that a request may be for is known, and within the limit.

    `is_whole` says that no other file has the templates of this one.
    """
    function, start = parsed.function(finding.span.start), finding.span.start
    if function is None:
        return False
    types = _types(parsed, function) if is_whole else {}
    macros = headers.of(_WORD.findall(parsed.data, function.body.start, function.body.end))
    given = dict[bytes, int]()
    for _ in range(_ROUNDS):
        amounts = Amounts(parsed, given, types)
        found = {name: amounts.of(macro.body, start) for name, macro in macros.items() if name not in given}
        given |= {name: number for name, number in found.items() if number is not None}
    amount = Amounts(parsed, given, types).of(parsed.data[start : finding.span.end], start)
    return amount is not None and 0 <= amount <= limit


def _types(parsed: ParsedFile, function: Function) -> dict[bytes, int]:
    """The one type that a template of a source takes, with the most bytes that it has there; none where it is open."""
    name = function.name.encode()
    at = parsed.data.find(name, function.span.start, function.body.start)
    before = max((one.span.end for one in parsed.functions if one.span.end <= function.span.start), default=0)
    head = _PARAMETER.search(parsed.data, before, at) if at >= 0 else None
    if head is None:
        return {}
    own = {parsed.data.find(name, one.span.start) for one in parsed.functions if one.name == function.name}
    sizes = list(_sizes(parsed, set(parsed.lexed.words(frozenset((name,)))) - own, name))
    known = [one for one in sizes if one is not None]
    return {head[1]: max(known)} if known and len(known) == len(sizes) else {}


def _sizes(parsed: ParsedFile, places: Iterable[int], name: bytes) -> Iterator[int | None]:
    """The bytes of what a template is given wherever the file names it; None where that is not seen."""
    for start in places:
        match = _GIVEN.match(parsed.data, start + len(name))
        yield type_size(match[1]) if match is not None else None
