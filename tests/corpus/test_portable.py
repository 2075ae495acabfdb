"""Real projects in portable style: what CUDA compiles is unchanged, and a second run changes nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.output import folder
from cudamigrate.pipeline import prove
from tests.corpus import harness

pytestmark = pytest.mark.corpus
SMALL = ("torch-scatter", "exllamav2")
LARGE = ("causal-conv1d", "gsplat", "xgboost")


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_cuda_is_unchanged_and_a_second_run_changes_nothing(name: str, tmp_path: Path, notes: list[str]) -> None:
    if name in LARGE and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{name} is preprocessed for minutes; set CUDAMIGRATE_CORPUS_ALL=1 to do it")
    project = next(one for one in harness.projects() if one.name == name)
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    config = replace(harness.settings(project), style="portable")
    applied = pipeline.apply(root, config)
    if applied.report.port is not None:
        assert applied.conversions == ()  # it builds for AMD already
        notes.append(f"{name}: has a HIP port with {applied.report.port.gaps} gaps; nothing is changed")
        return
    assert applied.conversions
    compared = prove.compare_applied(applied, config)
    assert compared is not None
    assert compared.differences == ()
    if compared.absent:
        notes.append(f"{name}: CUDA's path was compared by its text alone: {compared.absent}")
    else:
        assert compared.units and not compared.left
        notes.append(f"{name}: {compared.files} files, {compared.units} units, {compared.passes} passes: unchanged")
    folder.write(root, applied.conversions, applied.added, str(tmp_path / "result"), False)
    assert [one.path for one in pipeline.apply(tmp_path / "result", config).conversions] == []
