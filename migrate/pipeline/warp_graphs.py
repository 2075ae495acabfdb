"""What only the files of a repository together show of its device code: findings through calls from file to file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Hit, SourceFile
from cudamigrate.pipeline import deep_calls
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.warp.obligations import failures, hit
from cudamigrate.warp.transfer import Evaluator

Read = Callable[[str], "SourceFile | None"]


def with_cross_file_findings(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with findings that need other files, and without graphs; `read` gives the source of a path."""
    graphs = [result.graph for result in results if result.graph is not None and result.graph.routines]
    more: dict[str, list[Finding]] = {}
    if len(graphs) > 1:
        known = {(f.path, f.rule, f.span.start) for result in results for f in result.findings}
        for failure in deep_calls.run(lambda: list(failures(Evaluator(graphs)))):
            if (failure.place.path, _rule(failure.kind), failure.site.start) not in known:
                source = read(failure.place.path)
                if source is not None:
                    text = source.data[failure.site.start : failure.site.end]
                    more.setdefault(failure.place.path, []).extend(_made(source, hit(failure, text), book))
    return [
        replace(result, graph=None, findings=_with(result, more.get(result.path, ())))
        if result.graph is not None
        else result
        for result in results
    ]


def _rule(kind: str) -> str:
    return "warp/waits-for-own-wave" if kind == "spin" else "launch/barrier-in-branch"


def _made(source: SourceFile, found: Hit, book: Rulebook) -> list[Finding]:
    rule = book.rules.get(found.rule)
    return [] if rule is None or rule.silent else [engine.finding(source, found, rule)]


def _with(result: FileResult, more: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(engine.in_order([*result.findings, *more])) if more else result.findings
