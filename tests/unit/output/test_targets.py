"""Every target has the names that the Protocol states."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from cudamigrate import plugins
from cudamigrate.errors import TargetError
from cudamigrate.output import TargetModule

NAMES = plugins.names("cudamigrate.output")


def test_the_targets_are_known() -> None:
    assert NAMES == ["branch", "folder", "patch"]


@pytest.mark.parametrize("name", NAMES)
def test_a_target_has_the_names_of_the_protocol(name: str) -> None:
    write = plugins.load("cudamigrate.output")[name].write
    stated = list(inspect.signature(TargetModule.write).parameters)[1:]
    assert list(inspect.signature(write).parameters) == stated


@pytest.mark.parametrize("name", ["folder", "patch"])
def test_a_dash_is_no_place_of_a_result(name: str, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="--diff prints"):
        plugins.load("cudamigrate.output")[name].refuse(tmp_path, "-", True)


def test_targets_do_not_import_gitpython_at_start() -> None:
    code = "import sys\nfrom migrate import plugins\nplugins.load('cudamigrate.output')\nprint('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
