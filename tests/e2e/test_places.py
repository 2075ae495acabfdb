"""Where people work: the hooks through real pre-commit, and the steps of the GitHub action and the GitLab job.

The steps run as the services run them, with a shell and their environment; what needs the service is not run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = "#include <cuda_runtime.h>\nvoid f(void **p) {\n  cudaMalloc(p, 4);\n}\n"
ADDED = SOURCE.replace("}\n", "  cudaFree(*p);\n}\n")


def yaml(text: str) -> Any:
    loader = pytest.importorskip("yaml", reason="pre-commit brings the reader of YAML")
    return loader.safe_load(text)


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, str], message: str) -> str:
    for name, text in files.items():
        (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qnm", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, str]:
    """An environment in which `cudamigrate` is the one of this checkout."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "cudamigrate"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m migrate "$@"\n')
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path)}


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """A repository whose checked-out branch adds a line of CUDA to `main`."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, {"a.cu": SOURCE}, "first")
    git(folder, "checkout", "-q", "-b", "topic")
    commit(folder, {"a.cu": ADDED}, "topic")
    return folder


def hooks(kind: str) -> dict[str, Any]:
    (found,) = [hook for hook in yaml((ROOT / ".pre-commit-hooks.yaml").read_text()) if hook["id"] == kind]
    return found


def pre_commit(folder: Path, tools: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the hooks as they are offered, from this checkout and not from an installation."""
    local = [{**hooks(kind), "language": "system"} for kind in ("cudamigrate-fix", "cudamigrate-check")]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (folder / ".pre-commit-config.yaml").write_text(json.dumps(config))
    git(folder, "add", ".pre-commit-config.yaml")
    command = [sys.executable, "-m", "pre_commit", "run", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=tools)


def test_hooks_check_the_staged_lines_and_fix_what_is_safe(branch: Path, tools: dict[str, str]) -> None:
    assert pre_commit(branch, tools).returncode == 0
    (branch / "a.cu").write_text(ADDED + "void g() { cudaDeviceReset(); }\n")
    (branch / "new.cu").write_text(SOURCE)
    git(branch, "add", "-A")
    done = pre_commit(branch, tools)
    assert done.returncode == 1
    assert "a.cu:6:12: api/cudaDeviceReset" in done.stdout and "a.cu:3" not in done.stdout
    assert "2 problems fixed in 2 files, 1 problem left" in done.stdout
    assert "hipMalloc" in (branch / "new.cu").read_text()
    git(branch, "add", "-A")
    again = pre_commit(branch, tools, "cudamigrate-check")
    assert "new.cu" not in again.stdout and "1 problem in 1 file." in again.stdout


def test_hooks_between_two_commits(branch: Path, tools: dict[str, str]) -> None:
    done = pre_commit(branch, tools, "cudamigrate-check", "--from-ref", "main", "--to-ref", "topic")
    assert done.returncode == 1
    assert "a.cu:4:3: api/cudaFree" in done.stdout and "cudaMalloc" not in done.stdout


def test_the_two_hooks_read_the_same_files() -> None:
    check, fix = hooks("cudamigrate-check"), hooks("cudamigrate-fix")
    assert check["files"] == fix["files"]
    assert fix["entry"] == f"{check['entry']} --fix"


def recommended() -> list[str]:
    """The revisions that README and the page on checking tell people to use."""
    pages = ((ROOT / name).read_text() for name in ("README.md", "docs/checking.md"))
    return [revision for page in pages for revision in re.findall(r"^    rev: ([0-9a-f]+)\b", page, re.MULTILINE)]


@pytest.fixture
def history() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this tree has no history: it is no clone")
    if git(ROOT, "rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("this is a shallow clone: older commits are not in it")


@pytest.mark.usefixtures("history")
def test_the_revision_that_is_recommended_exists_and_offers_the_hooks() -> None:
    assert len(recommended()) == 2
    for revision in recommended():
        assert len(revision) == 40 and git(ROOT, "cat-file", "-t", revision) == "commit"
        offered = yaml(git(ROOT, "show", f"{revision}:.pre-commit-hooks.yaml"))
        assert {hook["id"] for hook in offered} == {"cudamigrate-check", "cudamigrate-fix"}


@pytest.mark.corpus  # builds a wheel and fetches what it depends on
@pytest.mark.usefixtures("history")
def test_the_hook_works_from_the_revision_that_is_recommended(branch: Path, tmp_path: Path) -> None:
    hook = {"repo": ROOT.as_uri(), "rev": recommended()[0], "hooks": [{"id": "cudamigrate-check"}]}
    (branch / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [hook]}))
    (branch / "a.cu").write_text(ADDED + "void g() { cudaDeviceReset(); }\n")
    git(branch, "add", "-A")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env["PRE_COMMIT_HOME"] = str(tmp_path / "pre-commit")
    command = [sys.executable, "-m", "pre_commit", "run"]
    done = subprocess.run(command, cwd=branch, capture_output=True, text=True, env=env)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a.cu:6:12: api/cudaDeviceReset" in done.stdout and "1 problem in 1 file" in done.stdout


def steps() -> dict[str, dict[str, Any]]:
    return {step["id"]: step for step in yaml((ROOT / "action.yml").read_text())["runs"]["steps"]}


def run_step(name: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", steps()[name]["run"]],
        cwd=folder,
        capture_output=True,
        text=True,
        env=env,
    )


def test_the_action_checks_annotates_and_writes_sarif(branch: Path, tools: dict[str, str], tmp_path: Path) -> None:
    output = tmp_path / "output"
    env = {**tools, "BASE": "main", "ARGUMENTS": "--ignore build", "SARIF": "out.sarif", "GITHUB_OUTPUT": str(output)}
    done = run_step("check", branch, env)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=a.cu,line=4,")
    assert output.read_text() == "problems=true\n"
    (run,) = json.loads((branch / "out.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["api/cudaFree"]
    git(branch, "checkout", "-q", "main")
    assert run_step("check", branch, env).returncode == 0
    assert output.read_text() == "problems=true\nproblems=false\n"
    assert run_step("check", branch, {**env, "BASE": "no-such"}).returncode != 0


def test_the_action_says_what_the_change_costs(branch: Path, tools: dict[str, str], tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    done = run_step("compare", branch, {**tools, "BASE": "main", "GITHUB_STEP_SUMMARY": str(summary)})
    assert done.returncode == 0, done.stderr
    assert "### New findings" in summary.read_text()
    assert "api/cudaFree" in summary.read_text()
    assert git(branch, "worktree", "list").count("\n") == 0


def test_every_input_of_the_action_is_used_and_every_step_has_a_shell() -> None:
    text = (ROOT / "action.yml").read_text()
    action = yaml(text)
    used = set(re.findall(r"inputs\.(\w+)", text))
    assert used == set(action["inputs"])
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)


def test_the_gitlab_job_writes_a_code_quality_report(branch: Path, tools: dict[str, str]) -> None:
    page = (ROOT / "docs" / "checking.md").read_text()
    (block,) = re.findall(r"```yaml\n# \.gitlab-ci\.yml\n(.*?)```", page, re.DOTALL)
    job = yaml(block)["cudamigrate"]
    script = "\n".join(line for line in job["script"] if not line.startswith("pip "))
    env = {**tools, "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(branch, "rev-parse", "main")}
    done = subprocess.run(["bash", "-e", "-c", script], cwd=branch, capture_output=True, text=True, env=env)
    assert done.returncode == 1, done.stderr
    issues = json.loads((branch / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [(one["check_name"], one["location"]["lines"]["begin"]) for one in issues] == [("api/cudaFree", 4)]
