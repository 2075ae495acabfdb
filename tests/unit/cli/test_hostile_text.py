"""Names and code that would write to a terminal or begin a line of a log: no format and no command prints them raw."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from cudamigrate import plugins
from cudamigrate.cli import app
from cudamigrate.reporting.formats import html

pytestmark = pytest.mark.skipif(os.name == "nt", reason="such names are those of POSIX")

FORMATS = plugins.names("cudamigrate.reporting.formats")
NAME = "a\x1b[2J\nINJECTED::error::\r\u202ex.cu"
"""Clears the screen, begins a line that an annotation could be, and turns the text around."""
CODE = """\
#include <cuda_runtime.h>
void f(void* p) { cudaFree(p); /* \x1b]0;title\x07 \x9b31m \u202e \x0c */ }
void g(void* p) { const char* s = "\x1b[8m"; cudaFree(p); cudaGraphicsD3D9RegisterResource(0, 0, 0); }
__global__ void k(int* p) { *p = __shfl_down_sync(0xffffffff, *p, 16); /* \x1b[1A */ asm("\x1b[5m %clock;"); }
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "tree\x1b[31m"
    root.mkdir()
    (root / NAME).write_text(CODE)
    (root / "vendor\x1b[7m\nINJECTED").mkdir()
    (root / "vendor\x1b[7m\nINJECTED" / "b.cu").write_bytes(b"\0")
    (root / "CMakeLists.txt").write_text('project(p\x1b[4m CUDA)\nset(CMAKE_CUDA_FLAGS "-arch=sm_80\x1b[4m")\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return root


def said(*words: str) -> str:
    """What a command prints on both streams."""
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        for stream in ("stdout", "stderr"):
            patch.setattr(sys, stream, printed)
        with pytest.raises(SystemExit):
            app.main([*words])
    return printed.buffer.getvalue().decode()  # type: ignore[attr-defined]


def refuse_raw(text: str, *, cells: bool = False) -> None:
    """Assert that a text holds no control character but the ends of its lines, and that names begin none of these.

    `cells` end their lines as RFC 4180 says.
    """
    assert "INJECTED" in text, "the name is not printed at all, or this test shows nothing"
    raw = {mark for mark in text if not mark.isprintable()} - ({"\n", "\r", "\t"} if cells else {"\n", "\t"})
    assert raw == set()
    assert [line for line in text.splitlines() if line.lstrip("'\"").startswith("INJECTED")] == []


def test_every_format_prints_them_escaped(tree: Path) -> None:
    refuse_raw(said("scan", str(tree)))
    said("scan", str(tree), "-f", "json", "-o", "a.json")
    for name in FORMATS:
        refuse_raw(said("report", "a.json", "-f", name), cells=name == "csv")


def test_a_script_puts_none_on_the_page() -> None:
    assert "".join(html._embedded({"a": ["\u202e\x1b\n"], "b": 1})) == '{"a":["\\\\u202e\\\\x1b\\n"],"b":1}'


@pytest.mark.parametrize("name", ["text", "github", "json", "sarif", "gitlab"])
def test_a_check_prints_them_escaped(tree: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tree)
    refuse_raw(said("check", "--all", ".", "-f", name))
    if name == "text":
        refuse_raw(said("check", "--all", ".", "--verbose"))


@pytest.mark.parametrize("words", [["--diff", "--unsafe", "--style", "portable"], ["--output", "out"]])
def test_apply_prints_them_escaped(tree: Path, words: list[str]) -> None:
    refuse_raw(said("apply", str(tree), "--no-verify", *words))


def test_explain_prints_them_escaped(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    for line in (2, 3, 4, 5):
        refuse_raw(said("explain", f"{NAME}:{line}"))
    refuse_raw(said("explain", f"no{NAME}:1"))


def test_a_portfolio_prints_them_escaped(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "list\x1b[2J").write_text(f"{tree.name}\nINJECTED\x1b[1m\n", encoding="utf-8")
    refuse_raw(said("scan", "--repos", "list\x1b[2J", "--output", "out"))
    for file in (tmp_path / "out").iterdir():
        refuse_raw("a file: INJECTED\n" + file.read_text("utf-8"))


def test_tasks_differences_and_baselines_print_them_escaped(tree: Path) -> None:
    for name in ("markdown", "json"):
        refuse_raw(said("tasks", str(tree), "--no-verify", "-f", name))
    said("baseline", str(tree), "-o", "base.json")
    refuse_raw(Path("base.json").read_text("utf-8"))
    said("scan", str(tree), "-f", "json", "-o", "a.json")
    (tree / NAME).write_text("int x;\n")
    said("scan", str(tree), "-f", "json", "-o", "b.json")
    for name in ("text", "json"):
        refuse_raw(said("diff", "b.json", "a.json", "-f", name))


def test_a_patch_holds_the_bytes_and_what_is_shown_does_not(tree: Path) -> None:
    """A patch is for git, which needs the code as it is; names are quoted as git quotes them."""
    said("apply", str(tree), "--no-verify", "--patch", "p.patch")
    made = Path("p.patch").read_bytes()
    assert b"\x1b]0;title" in made and b'"a/a\\033[2J\\nINJECTED' in made
