"""What `check` leaves out, what makes it fail, what it fixes, and how it says so."""

from __future__ import annotations

import json

import pytest
from checking import Checker
from gitrepo import Repo, write

SOURCE = "#include <cuda_runtime.h>\nvoid f(void **p) {\n  cudaMalloc(p, 4);\n}\n"
SHUFFLE = (
    "#include <hip/hip_runtime.h>\n__global__ void k(float *x) {\n  x[0] += __shfl_down_sync(0xffffffff, x[0], 1);\n}\n"
)


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    return Checker(tmp_path, monkeypatch, capsys)


def rules_of(done):
    return {place.partition(" ")[2] for place in done.places}


def test_select_and_ignore(check, tmp_path):
    write(tmp_path, {"a.cu": SOURCE, "b.cu": SHUFFLE})
    assert rules_of(check("a.cu", "b.cu")) == {"api/cuda_runtime.h", "api/cudaMalloc", "warp/sync-shuffle"}
    assert rules_of(check("--select", "warp", "a.cu", "b.cu")) == {"warp/sync-shuffle"}
    assert rules_of(check("--ignore", "api/cuda_*,warp", "a.cu", "b.cu")) == {"api/cudaMalloc"}


def test_the_configuration_chooses_as_the_options_do(check, tmp_path):
    write(
        tmp_path,
        {
            "pyproject.toml": '[tool.cudamigrate]\nignore = ["api/cudaMalloc"]\n'
            '[tool.cudamigrate.per-file-ignores]\n"tests/**" = ["warp"]\n',
            "a.cu": SOURCE,
            "b.cu": SHUFFLE,
            "tests/b.cu": SHUFFLE,
        },
    )
    done = check("a.cu", "b.cu", "tests/b.cu")
    assert done.places == ["a.cu:1 api/cuda_runtime.h", "b.cu:3 warp/sync-shuffle"]


def test_the_outcomes_that_fail(check, tmp_path):
    write(tmp_path, {"a.cu": SOURCE})
    assert check("a.cu").code == 1
    done = check("--fail-on", "wrong-result", "a.cu")
    assert (done.code, len(done.places)) == (0, 2)
    write(tmp_path, {".cudamigrate.toml": 'fail-on = ["wrong-result"]\n'})
    assert check("a.cu").code == 0


def test_a_wrong_selector_is_said(check, tmp_path):
    from cudamigrate.errors import ConfigError

    write(tmp_path, {"a.cu": SOURCE})
    with pytest.raises(ConfigError, match=r"--ignore must hold rules .* not `wrap/x`"):
        check("--ignore", "wrap/x", "a.cu")


def test_quiet_and_verbose(check, tmp_path):
    write(tmp_path, {"a.cu": SOURCE, "clean.cu": "int n;\n"})
    assert check("a.cu").lines[-1] == "2 problems in 1 file, 2 fixable with --fix."
    assert len(check("-q", "a.cu").lines) == 2
    printed = check("-v", "a.cu").lines
    assert "  - cudaMalloc(p, 4);" in [line.replace("-   ", "- ") for line in printed]
    assert "  + hipMalloc(p, 4);" in [line.replace("+   ", "+ ") for line in printed]
    assert check("-v", "clean.cu").lines == ["No problems in the new lines of 1 file."]


def test_fixes_of_whole_new_files(check, tmp_path):
    write(tmp_path, {"a.cu": SOURCE})
    done = check("--fix", "a.cu")
    assert done.code == 1
    assert done.lines == ["2 problems fixed in 1 file. Stage the files again."]
    assert "hipMalloc" in (tmp_path / "a.cu").read_text()
    assert check("a.cu").code == 0


def test_fixes_do_not_mix_names_of_both_into_an_old_file(check, tmp_path):
    repo = Repo(tmp_path)
    repo.commit({"a.cu": SOURCE})
    repo.write({"a.cu": SOURCE.replace("}\n", "  cudaFree(*p);\n}\n")})
    repo.git("add", "-A")
    done = check("--fix")
    assert done.places == ["a.cu:4 api/cudaFree"]
    assert done.lines[-1] == "1 problem in 1 file."
    assert "hip" not in (tmp_path / "a.cu").read_text()


def test_fixes_of_staged_lines_in_a_converted_file(check, tmp_path):
    repo = Repo(tmp_path)
    old = SOURCE.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cudaMalloc", "hipMalloc")
    repo.commit({"a.hip": old})
    repo.write({"a.hip": old.replace("}\n", "  cudaFree(*p);\n}\n")})
    repo.git("add", "-A")
    assert check().lines[-1] == "1 problem in 1 file, 1 fixable with --fix."
    repo.write({"a.hip": old.replace("}\n", "  cudaFree(*p);\n  // more to come\n}\n")})
    done = check("--fix")
    assert "a.hip: not fixed" in done.said
    repo.git("add", "-A")
    assert check("--fix").code == 1
    repo.git("add", "-A")
    assert check().code == 0
    assert "hipFree(*p);" in (tmp_path / "a.hip").read_text()


@pytest.mark.parametrize("name", ["json", "sarif", "github", "gitlab"])
def test_formats_hold_the_problems(check, tmp_path, name):
    write(tmp_path, {"a.cu": SOURCE})
    done = check("--format", name, "a.cu")
    text = "\n".join(done.lines)
    assert done.code == 1
    assert "api/cudaMalloc" in text and "a.cu" in text
    if name != "github":
        json.loads(text)
    else:
        assert text.startswith("::error file=a.cu,line=1,")
    assert check(f"--format={name}", "--output", "out.txt", "a.cu").lines == []
    assert (tmp_path / "out.txt").read_text().rstrip("\n").splitlines() == done.lines
    assert check(f"--format={name}", "--output", "-", "a.cu").lines == done.lines


def test_code_quality_of_gitlab(check, tmp_path):
    write(tmp_path, {"a.cu": SOURCE})
    issues = json.loads("\n".join(check("--format", "gitlab", "a.cu").lines))
    assert [(one["check_name"], one["location"]["lines"]["begin"]) for one in issues] == [
        ("api/cuda_runtime.h", 1),
        ("api/cudaMalloc", 3),
    ]
    assert {one["severity"] for one in issues} == {"major"}
    assert len({one["fingerprint"] for one in issues}) == 2
    assert all(set(one) >= {"description", "check_name", "fingerprint", "severity", "location"} for one in issues)


def test_colour_on_a_terminal_alone(check, tmp_path, monkeypatch):
    import sys

    write(tmp_path, {"a.cu": SOURCE})
    assert not any("\x1b" in line for line in check("a.cu").lines)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda self: True, raising=False)
    assert any("\x1b[31mapi/cudaMalloc" in line for line in check("a.cu").lines)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not any("\x1b" in line for line in check("a.cu").lines)


def test_many_files_say_what_each_says_alone(check, tmp_path, monkeypatch):
    from cudamigrate.pipeline import check as checking

    names = [f"f{number}.cu" for number in range(12)]
    write(tmp_path, {name: SOURCE if number % 2 else SHUFFLE for number, name in enumerate(names)})
    alone = [line for name in names for line in check("-q", name).lines]
    assert check("-q", *names).lines == alone
    monkeypatch.setattr(checking, "_MUCH", 0)
    write(tmp_path, {".cudamigrate.toml": "jobs = 2\n"})
    assert check("-q", *names).lines == alone
