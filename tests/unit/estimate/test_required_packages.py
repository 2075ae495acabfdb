"""Packages without an equivalent that the build requires: no port without something in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.headline import sentence
from tests.unit.estimate.trees import CUTLASS, KERNEL, estimate

BUILD = '[build-system]\nrequires = ["setuptools", "cumm>=0.7"]\n'


def test_what_the_build_requires_is_not_left_out(tmp_path: Path) -> None:
    (stop,) = estimate(tmp_path, {"a.cu": KERNEL, "pyproject.toml": BUILD}).blockers
    assert (stop.title, stop.required) == ("cumm", True)
    assert not any("Leave" in way.title for way in stop.alternatives)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", '[project]\nname = "a"\ndependencies = ["cumm"]\n'),
        ("pyproject.toml", '[project]\nname = "a"\n[project.optional-dependencies]\nfast = ["cumm"]\n'),
        ("requirements.txt", "cumm\n"),
    ],
)
def test_what_it_runs_with_may_be(tmp_path: Path, path: str, text: str) -> None:
    (stop,) = estimate(tmp_path, {"a.cu": KERNEL, path: text}).blockers
    assert not stop.required and "Leave" in stop.alternatives[0].title


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "First replace cumm, which cannot be left out, then port the rest. "),
        (CUTLASS, "First replace cumm, which cannot be left out, then port the rest, except CUTLASS. "),
    ],
)
def test_the_first_sentence_says_so(tmp_path: Path, more: str, said: str) -> None:
    (tmp_path / "a.cu").write_text(KERNEL + more)
    (tmp_path / "pyproject.toml").write_text(BUILD)
    assert sentence(pipeline.scan(tmp_path, Config(jobs=1))).startswith(said)


def test_what_much_of_the_code_imports_is_not_left_out(tmp_path: Path) -> None:
    own = {f"net/{name}/use.py": "from ..own import spconv\n" for name in ("back", "dense", "head", "neck")}
    files = {"a.cu": KERNEL, "requirements.txt": "spconv\n", "net/own.py": "import spconv.pytorch as spconv\n", **own}
    (stop,) = estimate(tmp_path / "a", files).blockers
    assert stop.required and not any("Leave" in way.title for way in stop.alternatives)
    assert "net/back/use.py" in [place.path for place in stop.places]
    fewer = {path: text for path, text in files.items() if "neck" not in path}
    assert not estimate(tmp_path / "b", fewer).blockers[0].required
    aside = {path.replace("net/", "examples/"): text for path, text in files.items()}
    assert not estimate(tmp_path / "c", aside).blockers[0].required


@pytest.mark.parametrize(
    ("other", "titles"),
    [("cumm\n", ["cumm"]), ("cumm\nspconv\n", ["cumm", "cumm and spconv"]), ("numpy\n", ["cumm"])],
)
def test_what_other_files_name_as_well_is_one_blocker(tmp_path: Path, other: str, titles: list[str]) -> None:
    files = {"a.cu": KERNEL, "pyproject.toml": BUILD, "requirements.txt": other}
    assert sorted(one.title for one in estimate(tmp_path, files).blockers) == titles
