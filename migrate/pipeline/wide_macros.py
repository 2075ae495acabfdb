"""Macros that HIP alone has for a shuffle, across the full wavefront, where kernels count 32 lanes with them.

`#define SHFL_SYNC(mask, value, lane) __shfl(value, lane)` reads a lane of 64. A kernel that takes 32 threads for a warp
gives a lane of its own warp, so that the second warp of a wave reads the first one's values. Shuffles by a distance
stay within 32 lanes where they end at a lane's own warp, and are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Step, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _COUNTS = "warp/wide-macro", "warp/hardcoded-size"
_NAME = re.compile(rb"\s*(\w+)\(")
"""The name of a macro with parameters, behind `#define`."""
_MASK = re.compile(rb"\b0[xX][fF]{8}")
"""A mask of all lanes, which says nothing of the width that the code counts with."""
_SHUFFLE = re.compile(rb"__shfl(?<!\w__shfl)\s*(?=\()")
"""HIP's shuffle. The lookbehind is after its name, so that the search begins with fixed bytes."""


@dataclass(frozen=True, slots=True)
class _Macro:
    """A macro by its name, with the shuffle in its body."""

    source: SourceFile
    name: bytes
    shuffle: Span


def may_define(data: bytes) -> bool:
    """Whether macros in a file may call HIP's shuffle without a mask: what each file is asked when it is read."""
    return b"__shfl" in data and b"define" in data and _SHUFFLE.search(data) is not None


def with_wide_macros(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each such shuffle that a function which counts 32 lanes comes to."""
    rule = book.rules.get(RULE)
    users = [one for one in results if any(finding.rule == _COUNTS for finding in one.findings)]
    if rule is None or rule.silent or not users:
        return list(results)
    found: dict[str, list[Finding]] = {}
    for macro in _macros(results, port.marks, read):
        step = next((step for user in users if (step := _use(user, macro.name, read)) is not None), None)
        if step is None:
            continue
        name = macro.name.decode("latin-1")
        use = Use("name", name, macro.shuffle, macro.shuffle, (), "device", "syntax")
        hit = Hit(
            RULE, use, {"name": name, "function": step.text}, (_defined(macro), step._replace(text=_counted(step)))
        )
        found.setdefault(macro.source.path, []).append(engine.finding(macro.source, hit, rule))
    return [engine.with_more(one, found.get(one.path, ())) for one in results]


def _defined(macro: _Macro) -> Step:
    line = macro.source.position(macro.shuffle.start).line
    return Step(macro.source.path, line, f"`{macro.name.decode('latin-1')}` has no width for HIP")


def _counted(step: Step) -> str:
    return f"`{step.text}` uses it and counts 32 lanes"


def _macros(results: Sequence[FileResult], marks: Sequence[str], read: Read) -> Iterator[_Macro]:
    """The macros that HIP alone has and whose body reads a lane by its number, without a width."""
    for result in results:
        source = read(result.path) if result.shuffles and result.skip is None else None
        if source is None:
            continue
        parsed = cuda.parse(source, frozenset(), marks)
        for directive in parsed.lexed.directives if not parsed.problems else ():
            name = _NAME.match(source.data, directive.rest) if directive.name == "define" else None
            if name is not None and parsed.hip(directive.start) is True:
                yield from (_Macro(source, name[1], span) for span in _shuffles(parsed, directive))


def _shuffles(parsed: ParsedFile, directive: Directive) -> Iterator[Span]:
    """The shuffles of a macro's body that are given a value and a lane alone."""
    for match in _SHUFFLE.finditer(parsed.data, directive.rest, directive.end):
        closing = parsed.lexed.closing(match.end())
        if 0 < closing < directive.end and len(parsed.lexed.arguments(match.end(), closing)) == 2:
            yield Span(match.start(), closing + 1)


def _use(result: FileResult, name: bytes, read: Read) -> Step | None:
    """The first function of a file that says the name and counts 32 lanes: its path, line and name."""
    source = read(result.path)
    if source is None or name not in source.data or result.lanes is None:
        return None
    at = [start for start in lexed(source).words(frozenset((name,))) if lexed(source).directive_at(start) is None]
    spans = (finding.span for finding in result.findings if finding.rule == _COUNTS)
    counted = [span.start for span in spans if _MASK.search(source.data, span.start, span.end) is None]
    for unit in result.lanes.units:
        if all(any(unit.start <= one < unit.end for one in places) for places in (at, counted)):
            return Step(result.path, unit.line, unit.name)
    return None
