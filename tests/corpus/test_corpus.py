"""Real projects come through scan and apply whole, twice, and their `.cu` files are type-checked for AMD."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from migrate import pipeline
from migrate.config import Config
from migrate.model import Conversion, Edit, Finding
from migrate.targets import folder
from tests.corpus import harness

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize("project", harness.projects(), ids=lambda project: project.name)
def test_project_comes_through(
    project: harness.Project, tmp_path: Path, table: list[tuple[str, ...]], notes: list[str]
) -> None:
    if project.large and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{project.name} is large; set CUDAMIGRATE_CORPUS_ALL=1 to read it")
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    config = Config(enter_vendored=project.vendored, submodules=project.vendored)
    applied = pipeline.apply(root, config)
    report = applied.report
    assert not [skip for skip in report.skipped if skip.kind in ("internal", "worse")]
    for conversion in applied.conversions:
        assert_only_edits_differ(conversion, report.findings)

    result = tmp_path / "result"
    folder.write(root, applied.conversions, applied.added, str(result), False)
    again = pipeline.apply(result, config)
    assert [conversion.path for conversion in again.conversions] == []

    counts, details = check(result, project)
    automatic = sum(finding.automatic for finding in report.findings)
    numbers = (
        len(report.files),
        sum(f.cuda for f in report.files),
        sum(f.lines for f in report.files),
        len(report.findings),
        automatic,
        len(applied.conversions),
        sum(finding.rule == "library/unknown-name" for finding in report.findings),
    )
    cells = tuple(str(number) for number in numbers)
    table.append((f"{project.name} {project.version}", *cells, *counts))
    notes.extend(f"{project.name}: {detail}" for detail in details)


def check(result: Path, project: harness.Project) -> tuple[tuple[str, str, str, str], list[str]]:
    """Cells for the table and what stands behind them; dashes where hipcc is not installed."""
    if harness.hipcc() is None:
        return (str(len(list(result.rglob("*.cu")))), "-", "-", "-"), ["type check skipped: hipcc is not installed"]
    verdicts = harness.type_check(result, project)
    kinds = Counter(verdict.kind for verdict in verdicts)
    details = Counter((verdict.kind, verdict.detail) for verdict in verdicts if verdict.kind != "checks")
    lines = [f"{count} {kind}: {detail}" for (kind, detail), count in details.most_common()]
    return (str(len(verdicts)), *(str(kinds[kind]) for kind in ("checks", "missing", "fails"))), lines


def assert_only_edits_differ(conversion: Conversion, findings: tuple[Finding, ...]) -> None:
    """Bytes between the edited ranges of the original follow each other unchanged in the result."""
    edits: set[Edit] = set()
    for finding in findings:
        if finding.path == conversion.path and finding.automatic and finding.fix is not None:
            edits.update(finding.fix.edits)
    at, position = 0, 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        kept = conversion.before[at : edit.span.start]
        found = conversion.after.find(kept, position)
        assert found >= 0, f"{conversion.path}: bytes {at} to {edit.span.start} are not in the result"
        assert found - position <= sum(len(e.replacement) for e in edits if e.span.start <= at <= e.span.end)
        position, at = found + len(kept), edit.span.end
    assert conversion.after.endswith(conversion.before[at:])
