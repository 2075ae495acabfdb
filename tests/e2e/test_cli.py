"""The command line as a user meets it: output, files, exit codes, one clear line for each mistake."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run

FIXTURES = Path(__file__).parents[2] / "fixtures" / "projects"
SOURCE = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); }\n"


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    return subprocess.run(
        ["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(FIXTURES / "reduction" / "before", root)
    return root


@pytest.fixture
def repository(project: Path) -> Path:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    return project


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (p for p in folder.rglob("*") if p.is_file() and ".git" not in p.parts)
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    (line,) = done.stderr.strip().splitlines()
    assert "Traceback" not in done.stderr
    return line


def test_scan_prints_a_report_and_the_next_command(project: Path) -> None:
    done = run("scan", project)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith("Port it. ")
    assert f"cudamigrate apply {project} --output" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_scan_writes_json(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    assert run("scan", project, "--format", "json", "-o", out).returncode == 0
    report = json.loads(out.read_text())
    assert report["schema"] == "cudamigrate-report/1"
    assert {finding["path"] for finding in report["findings"]} >= {"src/main.cu", "include/check.h"}


def test_scan_of_one_file(project: Path) -> None:
    done = run("scan", project / "src" / "main.cu", "--format", "json")
    assert [file["path"] for file in json.loads(done.stdout)["files"]] == ["main.cu"]


def test_include_and_exclude(project: Path) -> None:
    done = run("scan", project, "--exclude", "src/main.cu", "--format", "json")
    assert "src/main.cu" not in {file["path"] for file in json.loads(done.stdout)["files"]}


def test_scan_leaves_the_repository_alone(repository: Path) -> None:
    before = snapshot(repository)
    run("scan", repository)
    assert snapshot(repository) == before
    assert git(repository, "status", "--porcelain") == ""


def test_apply_makes_a_branch_and_leaves_the_checkout_alone(repository: Path) -> None:
    (repository / "notes.txt").write_text("not committed\n")
    git(repository, "add", "notes.txt")
    before, status = snapshot(repository), git(repository, "status", "--porcelain")
    done = run("apply", repository)
    assert done.returncode == 0, done.stderr
    assert "hip/main" in done.stdout
    assert snapshot(repository) == before
    assert git(repository, "status", "--porcelain") == status
    assert git(repository, "branch", "--show-current") == "main"
    assert "hipMalloc" in git(repository, "show", "hip/main:src/main.cu")
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_existing_branch_needs_force(repository: Path) -> None:
    assert run("apply", "--no-verify", repository, "--branch", "port").returncode == 0
    tip = git(repository, "rev-parse", "port")
    done = run("apply", "--no-verify", repository, "--branch", "port")
    assert done.returncode == 2
    assert "port" in one_line(done)
    assert git(repository, "rev-parse", "port") == tip
    assert run("apply", "--no-verify", repository, "--branch", "port", "--force").returncode == 0


def test_apply_writes_a_folder_that_needs_nothing_more(project: Path, tmp_path: Path) -> None:
    before = snapshot(project)
    out = tmp_path / "out"
    assert run("apply", project, "--output", out).returncode == 0
    assert snapshot(project) == before
    assert (out / "README.md").read_bytes() == (project / "README.md").read_bytes()
    assert "hipMalloc" in (out / "src" / "main.cu").read_text()
    again = run("apply", out, "--diff")
    assert again.stdout == ""


def test_patch_is_what_diff_prints_and_git_applies_it(repository: Path, tmp_path: Path) -> None:
    patch = tmp_path / "move.patch"
    assert run("apply", "--no-verify", repository, "--patch", patch).returncode == 0
    assert run("apply", "--no-verify", repository, "--diff").stdout == patch.read_text()
    out = tmp_path / "out"
    run("apply", "--no-verify", repository, "--output", out)
    git(repository, "apply", str(patch))
    assert {k: v for k, v in snapshot(out).items() if k.startswith("src")} == {
        k: v for k, v in snapshot(repository).items() if k.startswith("src")
    }


def test_nothing_to_change(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <hip/hip_runtime.h>\n__global__ void k() {}\n")
    done = run("apply", "--no-verify", tmp_path, "--output", tmp_path / "out")
    assert done.returncode == 0
    assert "Nothing to change" in done.stdout
    assert (tmp_path / "out" / "a.cu").read_bytes() == (tmp_path / "a.cu").read_bytes()


def test_check_prints_a_line_for_each_finding(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    done = run("check", "a.cu", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("a.cu:1:10: api/cuda_runtime.h ")
    assert done.stdout.splitlines()[1].startswith("a.cu:2:20: api/cudaMalloc ")


def test_check_of_clean_files_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.hip.h").write_text("#include <hip/hip_runtime.h>\n__global__ void k();\n")
    (tmp_path / "b.txt").write_text("cudaMalloc")
    done = run("check", "a.hip.h", "b.txt", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_check_reads_what_is_staged_not_what_lies_in_the_folder(repository: Path) -> None:
    assert run("check", cwd=repository).returncode == 0
    (repository / "new.cu").write_text(SOURCE)
    assert run("check", cwd=repository).returncode == 0
    git(repository, "add", "new.cu")
    (repository / "new.cu").write_text("")
    done = run("check", cwd=repository)
    assert done.returncode == 1
    assert "new.cu:2:20: api/cudaMalloc" in done.stdout


def test_check_follows_the_configured_outcomes(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / ".cudamigrate.toml").write_text('outcomes = ["wrong-result"]\n')
    assert run("check", "a.cu", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "name", ["cudaMalloc", "api/cudaMalloc", "warp/hardcoded-size", "cublas_v2.h", "<cuda_fp16.h>"]
)
def test_explain(name: str) -> None:
    done = run("explain", name)
    assert done.returncode == 0
    assert name.strip("<>").partition("/")[2] in done.stdout


def test_explain_for_tools() -> None:
    answer = json.loads(run("explain", "cudaMalloc", "--format", "json").stdout)
    assert answer["name"] == "cudaMalloc"
    assert [(a["rule"], a["to"]) for a in answer["answers"]] == [("api/cudaMalloc", ["hipMalloc"])]


def test_what_is_newer_than_the_target_is_reported_and_not_written(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("void f() { cudaLaunchKernelExC(&config, kernel, args); }\n")
    old, new = (json.loads(run("scan", tmp_path, "--rocm", v, "--format", "json").stdout) for v in ("6.2", "10.1"))
    assert [finding["fix"] for finding in old["findings"]] == [None]
    assert old["summary"]["newer_rocm"] == {"7.0": 1}
    assert [finding["fix"] is None for finding in new["findings"]] == [False]
    assert new["summary"]["newer_rocm"] == {}
    assert "7.0 fixes 1 finding" in run("scan", tmp_path, "--rocm", "6.2").stdout


def test_rules_are_bound_to_cuda_releases(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        '[[rule]]\nname = "myThing"\ncuda = "<13.0"\nrename = "hipOld"\nmessage = "old"\n'
        '[[rule]]\nname = "myThing"\ncuda = ">=13.0"\nrename = "hipNew"\nmessage = "new"\n'
    )
    (tmp_path / ".cudamigrate.toml").write_text('rules = ["mine.toml"]\n')
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f() { myThing(1); }\n")
    assert "hipOld(1)" in run("apply", "--no-verify", tmp_path, "--diff", "--cuda", "12.9").stdout
    assert "hipNew(1)" in run("apply", "--no-verify", tmp_path, "--diff").stdout


RULE = """[[rule]]
name = "myCudaThing"
rename = "myHipThing"
message = "renamed"
[[rule.example]]
before = "void f() { myCudaThing(1); }"
finds = ["myCudaThing(1)"]
after = "void f() { AFTER(1); }"
"""


def test_rules_test_proves_own_examples(tmp_path: Path) -> None:
    head = "#include <hip/hip_runtime.h>\n"
    rule = RULE.replace('"void f', f'"{head.strip()}\\nvoid f')
    (tmp_path / "mine.toml").write_text(rule.replace("AFTER", "myHipThing"))
    good = run("rules", "test", tmp_path / "mine.toml")
    assert (good.returncode, good.stdout) == (0, "")
    (tmp_path / "mine.toml").write_text(rule.replace("AFTER", "myOtherThing"))
    bad = run("rules", "test", tmp_path / "mine.toml")
    assert bad.returncode == 1
    assert "api/myCudaThing example 1: becomes" in bad.stdout


def test_rules_lists_a_group() -> None:
    done = run("rules", "--group", "warp")
    assert done.returncode == 0
    assert "warp/hardcoded-size" in done.stdout
    assert "api/cudaMalloc" not in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["scan", "no/such/folder"], "no/such/folder"),
        (["scan", ".", "--format", "xml"], "xml"),
        (["scan", ".", "--rocm", "11.9"], "11.9"),
        (["scan", ".", "-j", "abc"], "'abc' is not a whole number"),
        (["scan", ".", "--arch", "sm_80"], "sm_80"),
        (["apply", ".", "--diff", "--patch", "x"], "choose one"),
        (["apply", ".", "--branch", "port"], "not a git repository"),
        (["check", "no-such-file.cu"], "no-such-file.cu"),
        (["check"], "git"),
        (["explain", "cudaMaloc"], "cudaMalloc"),
        (["rules", "--group", "wrap"], "warp"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in one_line(done)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["scan", "--nonsense"], "--nonsense"),
        (["frobnicate"], "frobnicate"),
        (["scan", "a", "b"], "b"),
        (["scan", "--jobs", "many"], "--jobs"),
        (["explain"], "NAME"),
    ],
)
def test_what_the_parser_refuses_is_one_line_too(words: list[str], said: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert said in one_line(done)


def test_no_command_prints_the_help() -> None:
    done = run()
    assert done.returncode == 2
    assert "Plan and move" in done.stdout + done.stderr


def test_file_of_no_known_language_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("cudaMalloc\n")
    assert "notes.txt" in one_line(run("scan", tmp_path / "notes.txt"))


def test_check_of_a_file_outside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "a.cu").write_text(SOURCE)
    done = run("check", tmp_path / "a.cu", cwd=tmp_path / "here")
    assert done.returncode == 1
    assert done.stdout.startswith(f"{tmp_path / 'a.cu'}:1:10: api/cuda_runtime.h ")


def test_unknown_configuration_key_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / ".cudamigrate.toml").write_text("exclud = []\n")
    done = run("scan", tmp_path)
    assert done.returncode == 2
    assert "exclude" in one_line(done)


def test_bad_rule_file_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[[rule]]\nname = "x"\nmesage = "y"\n')
    (tmp_path / ".cudamigrate.toml").write_text('rules = ["mine.toml"]\n')
    done = run("scan", tmp_path)
    assert done.returncode == 2
    assert "mesage" in one_line(done)


def test_own_rules_are_used(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[calls]\nmyCudaThing = "myHipThing"\n')
    (tmp_path / ".cudamigrate.toml").write_text('rules = ["mine.toml"]\n')
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f() { myCudaThing(1); }\n")
    assert "+void f() { myHipThing(1); }" in run("apply", "--no-verify", tmp_path, "--diff").stdout


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\0\1\2" * 100, "binary"),
        ("cudaMalloc".encode("utf-16"), "encoding"),
        (b"// x\n" * 500_000, "too-large"),
        (b"This is prose, not code. It has sentences; and more!\n" * 20, "unparsable"),
    ],
    ids=["binary", "utf-16", "too-large", "prose"],
)
def test_file_that_cannot_be_processed_is_skipped_with_why(data: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "bad.cu").write_bytes(data)
    (tmp_path / "good.cu").write_text(SOURCE)
    done = run("scan", tmp_path, "--format", "json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert [(skip["path"], skip["kind"]) for skip in report["skipped"]] == [("bad.cu", kind)]
    assert {finding["path"] for finding in report["findings"]} == {"good.cu"}
    assert "bad.cu" in done.stderr


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads every file")
def test_unreadable_file_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "a.cu").chmod(0)
    assert run("scan", tmp_path).returncode == 3


def test_bytes_outside_edits_are_kept(tmp_path: Path) -> None:
    before = b"\xef\xbb\xbf// caf\xe9\r\n#include <cuda_runtime.h>\r\n\tvoid f(void **p) { cudaMalloc(p, 4); }"
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").write_bytes(before)
    assert run("apply", "--no-verify", tmp_path / "src", "--output", tmp_path / "out").returncode == 0
    after = before.replace(b"cudaMalloc", b"hipMalloc").replace(b"cuda_runtime.h", b"hip/hip_runtime.h")
    assert (tmp_path / "out" / "a.cpp").read_bytes() == after


def test_name_that_another_file_defines_is_not_cudas(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("void cudaFree(int own);\n#define cudaMalloc(p, n) my_malloc(p, n)\n")
    (tmp_path / "b.cu").write_text("void f(void *p) { cudaMalloc(&p, 4); cudaFree(p); }\n")
    names = {f["rule"] for f in json.loads(run("scan", tmp_path, "--format", "json").stdout)["findings"]}
    assert "api/cudaMalloc" not in names
    assert "api/cudaFree" in names


def test_own_header_named_like_cudas_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mma.h").write_text("int own;\n")
    (tmp_path / "a.cu").write_text('#include "mma.h"\n#include <cuda_runtime.h>\n')
    rules = {f["rule"] for f in json.loads(run("scan", tmp_path, "--format", "json").stdout)["findings"]}
    assert rules == {"api/cuda_runtime.h"}


def test_vendored_folder_is_counted_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "third_party").mkdir()
    (tmp_path / "third_party" / "a.cu").write_text(SOURCE)
    (tmp_path / "b.cu").write_text(SOURCE)
    report = json.loads(run("scan", tmp_path, "--format", "json").stdout)
    assert report["summary"]["vendored"] == {"third_party": 1}
    assert {finding["path"] for finding in report["findings"]} == {"b.cu"}


def test_interrupted_report_leaves_no_half_file(tmp_path: Path) -> None:
    done = run("scan", FIXTURES / "traps" / "before", "-o", tmp_path / "no" / "such" / "report.txt")
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["--help"], ["scan", "--help"], ["apply", "--help"], ["--version"]])
def test_help_and_version_do_not_load_rules(words: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "cudamigrate", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert "cudamigrate.rulebase.code_rules" not in done.stderr
    assert "tree_sitter" not in done.stderr
