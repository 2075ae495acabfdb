"""Every target has the names that the Protocol states."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from cudamigrate import plugins
from cudamigrate.output import TargetModule

NAMES = plugins.names("cudamigrate.output")


def test_the_targets_are_known() -> None:
    assert NAMES == ["branch", "folder", "patch"]


@pytest.mark.parametrize("name", NAMES)
def test_a_target_has_the_names_of_the_protocol(name: str) -> None:
    write = plugins.load("cudamigrate.output")[name].write
    stated = list(inspect.signature(TargetModule.write).parameters)[1:]
    assert list(inspect.signature(write).parameters) == stated


def test_targets_do_not_import_gitpython_at_start() -> None:
    code = "import sys\nfrom migrate import plugins\nplugins.load('cudamigrate.output')\nprint('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
