"""Small reports, built manually."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from cudamigrate.model import (
    Change,
    Edit,
    FileResult,
    Finding,
    Fix,
    Match,
    Position,
    Report,
    Repository,
    Rule,
    Safety,
    Skip,
    Span,
    Target,
)

MakeFinding = Callable[..., Finding]
MakeReport = Callable[..., Report]


@pytest.fixture
def finding() -> MakeFinding:
    """A finding on a line of its own; `safety` None makes it one without a fix."""

    def make(line: int = 1, safety: Safety | None = "safe", new: bytes = b"hipMalloc", **given: Any) -> Finding:
        start = (line - 1) * 40
        fix = Fix((Edit(Span(start, start + 10), new),), safety) if safety else None
        facts: dict[str, Any] = {
            "rule": "api/cudaMalloc",
            "path": "src/a.cu",
            "span": Span(start, start + 10),
            "position": Position(line, 1),
            "end": Position(line, 11),
            "excerpt": "cudaMalloc(&p, n);",
            "message": "`cudaMalloc` is `hipMalloc` in HIP.",
            "support": "full" if safety else "manual",
            "outcome": "compile-error",
            "certainty": "syntax",
            "effort": "none",
            "fix": fix,
        }
        return Finding(**(facts | given))

    return make


@pytest.fixture
def report() -> MakeReport:
    """A report of the files that the findings are in."""

    def make(
        findings: Iterable[Finding] = (),
        skipped: Iterable[Skip] = (),
        vendored: Mapping[str, int] | None = None,
        submodules: Iterable[str] = (),
        repository: Repository | None = None,
        seconds: float = 0.0,
    ) -> Report:
        found = tuple(findings)
        by_path: dict[str, list[Finding]] = {}
        for item in found:
            by_path.setdefault(item.path, []).append(item)
        return Report(
            version="0.1.0",
            repository=repository or Repository("/tmp/solver", "solver", "0123456789" * 4, "main"),
            target=Target("10.1", "13.0", ("gfx90a", "gfx942")),
            files=tuple(FileResult(path, "cuda", 10, 400, True, tuple(items)) for path, items in by_path.items()),
            findings=found,
            skipped=tuple(skipped),
            vendored=vendored or {},
            submodules=tuple(submodules),
            rules={rule: _rule(rule) for rule in sorted({item.rule for item in found})},
            seconds=seconds,
        )

    return make


def _rule(name: str) -> Rule:
    return Rule(
        id=name,
        title="CUDA Runtime function",
        match=Match("name", (name.partition("/")[2],)),
        support="full",
        outcome="compile-error",
        change=Change("rename", ("hipMalloc",)),
        safety="safe",
        effort="none",
        message="`{name}` is `hipMalloc` in HIP.",
        library="CUDA Runtime",
    )
