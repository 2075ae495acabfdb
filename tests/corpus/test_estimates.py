"""Estimates of real projects in one table, each next to a person's judgement."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import tomli

from cudamigrate import pipeline
from tests.corpus import harness

pytestmark = pytest.mark.corpus


@cache
def judgements() -> Mapping[str, Mapping[str, Any]]:
    return tomli.loads((harness.HERE / "judgements.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("project", harness.projects(), ids=lambda project: project.name)
def test_estimate_is_what_it_was_judged_to_be(project: harness.Project, notes: list[str]) -> None:
    judged = judgements().get(project.name)
    if judged is None:
        pytest.skip(f"{project.name} was not judged")
    if project.large and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{project.name} is large; set CUDAMIGRATE_CORPUS_ALL=1 to read it")
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    found = pipeline.scan(root, replace(harness.settings(project), gpu=("mi300x",))).estimate
    assert found is not None
    low, middle, high = found.days.p10, found.days.p50, found.days.p90
    word = "low" if middle < judged["least"] else "high" if middle > judged["most"] else "fits"
    blocked = "" if found.resolved is None else f"{found.resolved.p50:.0f}"
    days = f"{low:.1f} / {middle:.1f} / {high:.1f}"
    band = f"{judged['least']:g} to {judged['most']:g}"
    name = f"{project.name} {project.version}"
    cells = (name, found.category, f"{found.ported:.0%}", days, blocked, band, word, str(judged["why"]))
    notes.append(f"estimate: | {' | '.join(cells)} |")
    assert found.category == judged["category"]
    assert word == judged["word"]
