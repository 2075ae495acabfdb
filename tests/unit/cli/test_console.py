from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
import reportsamples

from cudamigrate.cli import console


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_html_is_not_printed_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", Terminal())
    with pytest.raises(SystemExit):
        console.renderer("html", None)
    assert "add --output report.html" in capsys.readouterr().err
    assert callable(console.renderer("html", Path("report.html")))


def test_text_is_colored_on_a_terminal_only(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())
    made = reportsamples.full()
    assert "\x1b" in "".join(console.renderer("text", None)(made))
    assert "\x1b" not in "".join(console.renderer("text", Path("report.txt"))(made))
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in "".join(console.renderer("text", None)(made))


def test_a_dash_is_standard_output_and_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    console.emit(("one ", "two\n"), Path("-"))
    assert capsys.readouterr() == ("one two\n", "")
    console.emit("three\n", Path("./-x"))
    assert [file.name for file in tmp_path.iterdir()] == ["-x"]


def test_only_the_format_asked_for_is_imported():
    script = (
        "import sys; from cudamigrate.cli import console; console.renderer('csv', None)\n"
        "print(sorted(name for name in sys.modules if name.startswith('cudamigrate.reporting.formats.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['cudamigrate.reporting.formats.csv']"


def test_check_without_options_starts_no_option_parser_and_says_the_same(tmp_path):
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }\n")
    script = (
        "import sys; from cudamigrate.__main__ import main; sys.argv[1:] = {words}\n"
        "try: main()\n"
        "finally: print(*(name in sys.modules for name in ('typer', 'cudamigrate.model.estimate', 'cudamigrate.ptx')))"
    )
    said = {}
    for words in (["check", "a.cu"], ["check", "--debug", "a.cu"], ["check", "b.cu"], ["check", "--debug", "b.cu"]):
        done = subprocess.run(
            [sys.executable, "-c", script.format(words=words)], cwd=tmp_path, capture_output=True, text=True
        )
        said[tuple(words)] = (done.returncode, done.stderr, *done.stdout.splitlines())
    assert said["check", "a.cu"][:2] == (1, "")
    assert said["check", "a.cu"][2].startswith("a.cu:1:10: api/cuda_runtime.h ")
    assert said["check", "b.cu"][:2] == (
        2,
        "cudamigrate: b.cu is not a file; name files, or none to check what is staged\n",
    )
    for name in ("a.cu", "b.cu"):
        plain, parsed = said["check", name], said["check", "--debug", name]
        assert plain[:-1] == parsed[:-1]
        assert plain[-1] == "False False False"
        assert parsed[-1] == "True False False"


def test_the_command_of_a_report_names_what_changes_it() -> None:
    words = ("scan", "../lib", "-j4", "-f", "json", "-oout.json", "--report=a.md", "--arch", "gfx942", "--no-verify")
    assert console._command(words) == "cudamigrate scan lib --arch gfx942 --no-verify"


def test_a_fault_of_ours_is_one_line_with_its_place_and_a_code_of_its_own(monkeypatch, capsys):
    def command():
        return [][1]

    monkeypatch.setattr(sys, "argv", ["cudamigrate", "scan", "x"])
    with pytest.raises(SystemExit) as ended:
        console.end(command)
    assert ended.value.code == 70
    said = capsys.readouterr().err
    assert said.startswith(
        "cudamigrate: failed, please report it: IndexError: list index out of range (test_console.py"
    )
    assert said.count("\n") == 1
    monkeypatch.setattr(sys, "argv", ["cudamigrate", "scan", "x", "--debug"])
    with pytest.raises(IndexError):
        console.end(command)
