"""The commands on the page of a worked migration, typed in a clone of the project that it is about."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import written_steps

pytestmark = pytest.mark.corpus
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "worked-migration.md").read_text(encoding="utf-8")
WHERE = "CUDAMIGRATE_DARKNET"
"""A variable that names a clone to take, where there is no network."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project at the commit that the page names, on the branch `master`."""
    (address,) = set(re.findall(r"git clone (\S+)", PAGE))
    (commit,) = set(re.findall(r"`([0-9a-f]{40})`", PAGE))
    place = tmp_path / "darknet"
    clone = ["git", "clone", "--quiet", os.environ.get(WHERE, address), str(place)]
    done = subprocess.run(clone, env={**os.environ, "GIT_TERMINAL_PROMPT": "0"}, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{address} cannot be had: {done.stderr.strip().splitlines()[-1]}")
    subprocess.run(["git", "-C", str(place), "checkout", "--quiet", "-B", "master", commit], check=True)
    return place


def test_the_page_prints_what_it_shows(project: Path, tmp_path: Path) -> None:
    environment = written_steps.environment(tmp_path / "home")
    environment["DECLARATIONS"] = str(ROOT / "rules" / "stand-ins" / "declarations")
    found = list(written_steps.steps(PAGE))
    assert len(found) >= 6
    for step in found:
        if step.needs and shutil.which(step.needs) is None:
            pytest.skip(f"the rest was run; not without {step.needs}")
        done, project = written_steps.typed(step.command, project, environment)
        printed = done.stdout + done.stderr
        assert done.returncode in (0, 1) and "Traceback" not in printed, (step.command, printed)
        assert written_steps.missing(step, printed) == [], (step.command, printed)
