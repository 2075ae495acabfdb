"""A script that clones the repository itself is told that this is what it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

IMAGE = "FROM nvidia/cuda:12.6.0-devel-ubuntu22.04\n"
IMAGE += "RUN git clone https://github.com/who/Waves.git && cd Waves && ./build.sh\n"


@pytest.mark.parametrize(
    ("beside", "own"),
    [
        ({"python/waves/__init__.py": ""}, True),
        ({"pyproject.toml": '[project]\nname = "waves"\n'}, True),
        ({"deep/in/waves/__init__.py": ""}, False),
        ({"python/other/__init__.py": ""}, False),
    ],
)
def test_a_clone_of_the_repository_itself_is_called_so(tmp_path: Path, beside: dict[str, str], own: bool) -> None:
    written(tmp_path, {"Dockerfile": IMAGE, **beside})
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    (found,) = [one for one in report.findings if one.rule == "environment/built-clone"]
    assert ("the repository itself" in found.message) is own
