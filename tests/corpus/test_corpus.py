"""Real projects come through scan and apply whole, twice, and what becomes of them is judged for AMD."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.model import Conversion, Edit, Finding
from cudamigrate.output import folder
from cudamigrate.pipeline import Applied
from tests.corpus import harness

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize("project", harness.projects(), ids=lambda project: project.name)
def test_project_comes_through(
    project: harness.Project, tmp_path: Path, row: Callable[[str, Iterable[str]], None], notes: list[str]
) -> None:
    if project.large and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{project.name} is large; set CUDAMIGRATE_CORPUS_ALL=1 to read it")
    if not project.judged:
        pytest.skip(f"{project.name} is read for its asm statements only")
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    config = harness.settings(project)
    applied = pipeline.apply(root, config)
    report = applied.report
    assert not [skip for skip in report.skipped if skip.kind in ("internal", "worse")]
    for conversion in applied.conversions:
        assert_only_edits_differ(conversion, report.findings)

    result = tmp_path / "result"
    folder.write(root, applied.conversions, applied.added, str(result), False)
    again = pipeline.apply(result, config)
    assert [conversion.path for conversion in again.conversions] == []

    verdicts, details = check(applied, project)
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
    row("corpus", (f"{project.name} {project.version}", *cells, *verdicts))
    row("parts", (project.name, *harness.parts(report)))
    notes.extend(f"{project.name}: {detail}" for detail in details)


def check(applied: Applied, project: harness.Project) -> tuple[tuple[str, ...], list[str]]:
    """Cells for the table and what is behind them; dashes where there is no engine."""
    ours = harness.judged(applied, project)
    if ours.absent:
        return ("-",) * 5, [f"not judged: {ours.absent}"]
    assert harness.sound(ours) >= project.sound, "fewer files check than before"
    words = Counter(verdict.word for verdict in ours.verdicts)
    lines = [f"{count} {message}" for message, count in harness.complaints(ours).most_common(10)]
    counts = (harness.sound(ours), words["unresolved"], words["failed"])
    return (str(len(ours.verdicts)), plain_sound(applied, project), *(str(count) for count in counts)), lines


def plain_sound(applied: Applied, project: harness.Project) -> str:
    """How many files check where names alone are changed: a figure that nothing is held to, and half of the work."""
    if os.environ.get("CUDAMIGRATE_CORPUS_GATES"):
        return "-"
    return str(harness.sound(harness.judged(harness.plain(applied), project)))


AGREE: dict[str, tuple[str, ...]] = {"torch-cluster": (), "causal-conv1d": ("*_bwd.cu",)}
"""Small projects that both engines can judge, each with the files whose code takes minutes to generate."""


@pytest.mark.parametrize("name", AGREE)
def test_engines_agree(name: str, notes: list[str]) -> None:
    """Where both engines come to a verdict it is the same one; what one cannot judge is listed."""
    (project,) = (project for project in harness.projects() if project.name == name)
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{name} cannot be fetched: {root}")
    config = harness.settings(project)
    applied = pipeline.apply(root, replace(config, exclude=(*config.exclude, *AGREE[name])))
    words: dict[str, dict[str, str]] = {}
    for engine in ("clang", "hipcc"):
        verification = harness.judged(applied, project, engine)
        if verification.absent:
            pytest.skip(verification.absent)
        for verdict in verification.verdicts:
            words.setdefault(verdict.path, {})[engine] = verdict.word
    both = {path: said for path, said in words.items() if len(said) == 2 and "unresolved" not in said.values()}
    apart = [path for path, said in both.items() if len({word == "failed" for word in said.values()}) == 2]
    notes.append(f"{name}: both engines judge {len(both)} of {len(words)} files, and differ on {len(apart)}")
    notes.extend(f"{name}: {path}: {words[path]}" for path in apart)
    assert apart == []


SHORT = 16
"""What is between two edits in so few bytes may also be in what they insert."""


def assert_only_edits_differ(conversion: Conversion, findings: tuple[Finding, ...]) -> None:
    """Bytes between the edited ranges of the original follow each other unchanged in the result."""
    edits: set[Edit] = set()
    for finding in findings:
        if finding.path == conversion.path and finding.automatic and finding.fix is not None:
            edits.update(finding.fix.edits)
    if conversion.path.endswith("MANIFEST.in"):
        edits.update(edit for fix in conversion.written for edit in fix.edits)  # no finding asks for a line of a list
    at, position, room = 0, 0, 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        kept = conversion.before[at : edit.span.start]
        if len(kept) > SHORT:
            found = conversion.after.find(kept, position)
            assert found >= 0, f"{conversion.path}: bytes {at} to {edit.span.start} are not in the result"
            assert found - position <= room
            position, room = found + len(kept), 0
        else:
            room += len(kept)
        room += len(edit.replacement)
        at = edit.span.end
    assert conversion.after.endswith(conversion.before[at:])
