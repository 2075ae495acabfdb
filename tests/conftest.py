"""What holds for every test.

Tests that need a compiler or a GPU are skipped, and say why, where there is none. `--update-golden` rewrites the
expected files; the review is the git diff.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Generator, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from cudamigrate import parallel
from cudamigrate.pipeline import cached_work
from cudamigrate.rulebase import loader
from cudamigrate.shipped_data import rules_folder
from tests.draws import PROFILE

# One tree gives one result: every run of the suite draws the same examples. `make draws` draws others.
hypothesis.settings.register_profile("same", derandomize=True)
hypothesis.settings.register_profile("fresh", derandomize=False)
hypothesis.settings.load_profile(PROFILE)

for _name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(_name, None)  # a make that a test starts is not part of the make that may have started the suite

_PARSED: dict[tuple[Path, int, int], dict[str, Any]] = {}
_parse = loader._parsed


def _parsed_once(path: Path) -> dict[str, Any]:
    """The table of a rule file; a shipped one is parsed once, while it stays as it is: tests aim at many targets."""
    if not path.is_relative_to(rules_folder()):
        return _parse(path)
    status = path.stat()
    key = (path, status.st_mtime_ns, status.st_size)
    if key not in _PARSED:
        _PARSED[key] = _parse(path)
    return _PARSED[key]


loader._parsed = _parsed_once  # the loader changes nothing in a table: rules are made of its values


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collecting tests makes millions of objects that stay: garbage is looked for among what comes later."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 50, 50)  # looking for garbage more often took a twentieth of the time


def pytest_sessionstart(session: pytest.Session) -> None:
    """A process of `--numprocesses` tells the first one only what it has to know of each test.

    Of a setup or a teardown that passed and said nothing nobody asks but `--durations` and `--junit-xml`. Sending all
    three reports of 18,000 tests takes longer than most of these tests do.
    """
    option = session.config.option
    if option.durations is None and option.xmlpath is None:
        for plugin in session.config.pluginmanager.get_plugins():
            if type(plugin).__name__ == "WorkerInteractor":
                plugin.sendevent = partial(_told, plugin.sendevent)


def _told(send: Callable[..., None], name: str, **given: Any) -> None:
    report = given["data"] if name == "testreport" else {"when": "call"}
    if report["when"] == "call" or report["outcome"] != "passed" or report["sections"]:
        send(name, **given)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """End a child that a test forked and that comes back out of the test: it is not to go on with the others.

    It would send results beside those of its parent, which ends a run in several processes.
    """
    here = os.getpid()
    try:
        return (yield)
    finally:
        if os.getpid() != here:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(70)


pytest_runtest_setup = pytest_runtest_teardown = pytest_runtest_call


def pytest_sessionfinish() -> None:
    """What was kept aside is cleared away at the end, before extension modules count what is left."""
    gc.unfreeze()


def _gpu() -> bool:
    return Path("/dev/kfd").exists() or Path("/dev/nvidia0").exists()


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""Programs that open an HTML report in tests marked `browser`; the first that is installed."""


def _browser() -> bool:
    return find_spec("playwright") is not None and any(map(shutil.which, BROWSERS))


_NEEDS = {
    "browser": (_browser, "no Chromium is installed, or playwright is not"),
    "rocm": (lambda: shutil.which("hipcc") is not None, "hipcc is not installed"),
    "cuda": (lambda: shutil.which("nvcc") is not None, "nvcc is not installed"),
    "gpu": (_gpu, "this machine has no GPU"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests whose marker names something that this machine lacks."""
    for marker, (present, reason) in _NEEDS.items():
        marked = [item for item in items if item.get_closest_marker(marker)]
        if marked and not present():
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected files of the fixtures")


class Golden:
    """Compares bytes with a file, or rewrites the file."""

    def __init__(self, update: bool) -> None:
        self.update = update

    def check(self, path: Path, got: bytes) -> None:
        """Assert that the file holds exactly `got`."""
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(got)
            return
        assert path.is_file(), f"{path} is missing; run with --update-golden and review the result"
        assert got.decode("utf-8", "replace") == path.read_bytes().decode("utf-8", "replace")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(bool(request.config.getoption("--update-golden")))


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that one process is enough for stays in this one, also after a test that ran a command here."""
    monkeypatch.setattr(parallel, "_always", False)


@pytest.fixture(autouse=True)
def no_kept_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test puts in place of parts of the program must not be found by later runs."""
    monkeypatch.setattr(cached_work, "_LEAST", 1 << 40)
