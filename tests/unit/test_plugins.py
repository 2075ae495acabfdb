"""Plug-ins are found by walking the package, also inside a zip file."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest
from gitrepo import write

from cudamigrate import plugins

FILES = {"__init__.py": "", "beta.py": "WORD = 'b'", "alpha.py": "WORD = 'a'", "_shared.py": "WORD = 's'"}


def test_modules_are_loaded_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "plugpack", FILES)
    monkeypatch.syspath_prepend(str(tmp_path))
    loaded = plugins.load("plugpack")
    assert {name: module.WORD for name, module in loaded.items()} == {"alpha": "a", "beta": "b"}


def test_names_do_not_import_the_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "lazypack", {"__init__.py": "", "broken.py": "raise RuntimeError"})
    monkeypatch.syspath_prepend(str(tmp_path))
    assert plugins.names("lazypack") == ["broken"]
    assert "lazypack.broken" not in sys.modules


def test_a_broken_plugin_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "brokenpack", {"__init__.py": "", "broken.py": "import no_such_module_at_all"})
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError):
        plugins.load("brokenpack")


def test_modules_are_found_in_a_zip_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"zippack/{name}", text)
    monkeypatch.syspath_prepend(str(tmp_path / "app.zip"))
    assert sorted(plugins.load("zippack")) == ["alpha", "beta"]
