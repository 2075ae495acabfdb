"""The Python interface: the examples of its page run, its types hold, and importing the package costs nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cudamigrate

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## (.+?)\n.*?^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("api")
    shutil.copytree(ROOT / "fixtures" / "projects" / "reduction" / "before", root / "project")
    return root


def test_the_page_has_an_example_for_each_use_of_at_most_ten_lines() -> None:
    assert len(EXAMPLES) == PAGE.count("\n## ") == 5
    assert [title for title, code in EXAMPLES if len(code.splitlines()) > 10] == []
    imported = {line.split()[1] for _, code in EXAMPLES for line in code.splitlines() if line.startswith("from ")}
    assert imported == {"cudamigrate"}, "the name that a wheel installs, not that of the folder here"


def test_the_examples_run_in_order_and_say_something(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in (folder / "project").rglob("*") if path.is_file()}
    said = {}
    for title, code in EXAMPLES:
        exec(compile(code, f"docs/api.md: {title}", "exec"), {})
        said[title] = capsys.readouterr().out
    assert "findings" in said["What would the move cost?"] and "days" in said["What would the move cost?"]
    assert "Copy of the tree" in said["Convert, and look before anything is written"]
    assert "warp/" in said["Refuse new CUDA-only code"]
    assert said["Prove the result"].startswith(("not judged", "include/", "src/"))
    assert "hipMemcpyToSymbol" in said["Ask, and report"] and "expected: no/such/folder" in said["Ask, and report"]
    assert "hip" in (folder / "project-hip" / "include" / "check.h").read_text()
    assert {path: path.read_bytes() for path in (folder / "project").rglob("*") if path.is_file()} == before


def test_every_name_is_documented_exported_and_typed() -> None:
    from cudamigrate import api

    assert cudamigrate.__all__ == api.__all__
    for name in cudamigrate.__all__:
        assert getattr(cudamigrate, name) is getattr(api, name)
        assert f"`{name}" in PAGE, name
    with pytest.raises(AttributeError):
        cudamigrate.nothing_of_that_name  # noqa: B018


def test_one_staged_file_is_checked(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\n")
    checked = cudamigrate.check(tmp_path / "a.cu")
    assert [problem.rule for problem in checked.problems] == ["api/cuda_runtime.h"]
    with pytest.raises(cudamigrate.MigrateError, match="does not exist"):
        cudamigrate.check(tmp_path / "none.cu")


def test_importing_the_package_imports_nothing_behind_it() -> None:
    code = "import sys, cudamigrate; print([name for name in sys.modules if name.startswith('cudamigrate.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_type_checker_knows_the_types(tmp_path: Path) -> None:
    file = tmp_path / "use.py"
    file.write_text("from cudamigrate import scan\nn: int = len(scan('.').findings)\nwrong: str = scan('.').findings\n")
    words = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--follow-imports=silent", str(file)]
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.count("error:") == 1 and "use.py:3: error: Incompatible types" in done.stdout, done.stdout
