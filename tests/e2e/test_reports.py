"""The commands `report` and `diff`, and `scan` in every format, as a user meets them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cudamigrate import plugins

FIXTURES = Path(__file__).parents[2] / "fixtures" / "projects"
FORMATS = sorted(plugins.names("cudamigrate.reporting.formats"))


def run(*words: str | Path, **options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cudamigrate", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)  # type: ignore[call-overload]


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    (line,) = done.stderr.strip().splitlines()
    assert "Traceback" not in done.stderr
    return str(line)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(FIXTURES / "traps" / "before", tmp_path_factory.mktemp("scanned") / "traps"))


@pytest.fixture(scope="module")
def archived(project: Path) -> Path:
    path = project.parent / "report.json"
    assert run("scan", project, "--format", "json", "-o", path).returncode == 0
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_report_is_what_scan_would_have_written(name: str, project: Path, archived: Path, tmp_path: Path) -> None:
    scanned, rendered = tmp_path / f"scanned.{name}", tmp_path / f"rendered.{name}"
    assert run("scan", project, "--format", name, "-o", scanned).returncode == 0
    shutil.move(project, project.with_name("away"))  # `report` reads no code
    try:
        done = run("report", archived, "--format", name, "-o", rendered)
    finally:
        shutil.move(project.with_name("away"), project)
    assert done.returncode == 0, done.stderr
    beside = f"../{project.name}-hip".encode()  # where a report without the code writes a copy
    wanted = scanned.read_bytes().replace(f"{project}-hip".encode(), beside).replace(str(project).encode(), b".")
    got = rendered.read_bytes()
    assert [line.split() for line in got.splitlines()] == [line.split() for line in wanted.splitlines()]


def test_report_prints_text_by_default(archived: Path) -> None:
    done = run("report", archived)
    assert done.returncode == 0
    *_, next_command, made_by = filter(str.strip, done.stdout.splitlines())
    assert next_command.strip().startswith("cudamigrate explain ")
    assert made_by.strip().startswith("Made by: cudamigrate scan ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report", "nowhere.json"), "cannot read nowhere.json"),
        (("report", __file__), "is not a cudamigrate report: line 1, column 3"),
        (
            ("report", "{json}", "--format", "pdf"),
            "no report format is called 'pdf'; formats: csv, github, gitlab, html",
        ),
        (("diff", "{json}", "nowhere.json"), "cannot read nowhere.json"),
        (("diff", "{json}", "{json}", "--format", "html"), "no format is called 'html'; formats: json, markdown, text"),
        (("report",), "Missing argument"),
    ],
)
def test_mistakes_are_reported_in_one_line(words: tuple[str, ...], said: str, archived: Path, tmp_path: Path) -> None:
    done = run(*(word.replace("{json}", str(archived)) for word in words), cwd=str(tmp_path))
    assert done.returncode == 2
    assert said in one_line(done)
    assert list(tmp_path.iterdir()) == []


def test_html_needs_no_plotting_library(archived: Path, tmp_path: Path) -> None:
    (tmp_path / "plotly").mkdir()
    (tmp_path / "plotly" / "__init__.py").write_text("raise ImportError('not here')\n")
    script = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
    script += "from cudamigrate.cli.app import main\nmain(sys.argv[1:])"
    command = [
        sys.executable,
        "-c",
        script,
        "report",
        str(archived),
        "--format",
        "html",
        "-o",
        str(tmp_path / "r.html"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_diff_tells_what_a_newer_release_settles(tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    (source / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f(void **p) {\n  cudaMalloc(p, 4);\n}\n")
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    assert run("scan", source, "--format", "json", "-o", old).returncode == 0
    (source / "a.cu").write_text("#include <cuda_runtime.h>\n\nvoid f(void **p) {\n  cudaFree(*p);\n}\n")
    assert run("scan", source, "--format", "json", "-o", new).returncode == 0
    document = json.loads(run("diff", old, new, "--format", "json").stdout)
    assert [one["rule"] for one in document["gone"]] == ["api/cudaMalloc"]
    assert [one["rule"] for one in document["added"]] == ["api/cudaFree"]
    assert document["summary"]["kept"] >= 1  # the include, in its place
    text = run("diff", old, new)
    assert text.returncode == 0
    assert "1 gone, 1 new" in text.stdout
    markdown = run("diff", old, new, "--format", "markdown", "-o", tmp_path / "diff.md")
    assert markdown.returncode == 0
    assert "### New findings" in (tmp_path / "diff.md").read_text()


def test_help_names_the_commands_and_every_format() -> None:
    shown = run("--help").stdout
    assert " report " in shown and " diff " in shown
    printed = run("scan", "--help", env={"COLUMNS": "200", "PATH": ""}).stdout
    assert [name for name in FORMATS if name not in printed] == []
