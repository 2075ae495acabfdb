"""`init`: files that work, in repositories that have none or their own; nothing written unasked."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import command_line
import pytest
from gitrepo import Repo

OTHERS = """# our hooks
default_stages: [pre-commit]
repos:
    - repo: local
      hooks:
          - id: own  # keep
            name: own
            entry: "true"
            language: system
fail_fast: true
"""


def run(*words: str | Path, cwd: Path, given: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    if given == subprocess.DEVNULL:
        return command_line.run(*words, cwd=cwd)
    command = [sys.executable, "-m", "cudamigrate", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=given)


@pytest.fixture
def repository(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "project")


def test_without_a_terminal_the_diff_is_shown_and_nothing_written(repository: Repo) -> None:
    done = run("init", cwd=repository.root)
    assert done.returncode == 1 and "+++ b/.cudamigrate.toml" in done.stdout
    assert "--yes" in done.stderr and repository.git("status", "--porcelain") == ""


def test_the_person_at_the_terminal_decides(repository: Repo) -> None:
    for answer, files in (("n\n", 0), ("y\n", 3)):
        ours, theirs = pty.openpty()
        os.write(ours, answer.encode())
        done = run("init", cwd=repository.root, given=theirs)
        assert len(repository.git("ls-files", "-o").splitlines()) == files, done.stderr


def test_what_is_written_works_and_is_written_once(repository: Repo) -> None:
    assert run("init", "--yes", cwd=repository.root).returncode == 0
    again = run("init", cwd=repository.root)
    assert (again.returncode, again.stdout) == (0, "Nothing to write: the repository is set up.\n")
    assert run("explain", "cudaMalloc", cwd=repository.root).returncode == 0  # the configuration is read
    repository.commit({}, "set up")
    repository.write({"a.cu": "#include <cuda_runtime.h>\n"})
    repository.git("add", "-A")
    folder = str(Path(sys.executable).parent)
    command = folder + os.sep + "cudamigrate"
    pre_commit = [sys.executable, "-m", "pre_commit", "run", "cudamigrate-check"]
    if not Path(command).exists():
        pytest.skip("the command cudamigrate is not installed")
    path = os.pathsep.join([folder, os.environ["PATH"]])
    done = subprocess.run(
        pre_commit, cwd=repository.root, capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 1 and "a.cu:1:" in done.stdout, done.stdout + done.stderr


def test_hooks_of_others_keep_every_byte(repository: Repo) -> None:
    path = repository.root / ".pre-commit-config.yaml"
    repository.write({path.name: OTHERS})
    assert run("init", "--yes", "--no-config", "--no-workflow", cwd=repository.root).returncode == 0
    text = path.read_text()
    head, tail = OTHERS.split("fail_fast")
    assert text.startswith(head) and text.endswith(f"fail_fast{tail}")
    assert "\n    - repo: local\n      hooks:\n        - id: cudamigrate-check\n" in text
    check = [sys.executable, "-m", "pre_commit", "validate-config", str(path)]
    assert subprocess.run(check, capture_output=True).returncode == 0


def test_a_list_that_cannot_be_added_to_is_left_alone(repository: Repo) -> None:
    for text in ("repos: []\n", "repos: [\n", "other: 1\n"):
        repository.write({".pre-commit-config.yaml": text})
        done = run("init", "--yes", cwd=repository.root)
        assert done.returncode == 2 and "add the hook manually" in done.stderr
        assert repository.git("ls-files", "-o") == ".pre-commit-config.yaml"


def test_settings_in_pyproject_are_enough(repository: Repo) -> None:
    repository.write({"pyproject.toml": "[tool.cudamigrate]\nrocm = '7.2'\n"})
    assert run("init", "--yes", "--no-hook", "--no-workflow", cwd=repository.root).stdout.startswith("Nothing to write")


def test_a_link_is_not_written_through(repository: Repo, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yaml").write_text(OTHERS)
    (repository.root / ".pre-commit-config.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert run("init", "--yes", cwd=repository.root).returncode == 2
    assert (tmp_path / "elsewhere.yaml").read_text() == OTHERS


def test_the_workflow_installs_what_is_named(repository: Repo) -> None:
    from cudamigrate.syntax import yaml_scalars

    spec = "cudamigrate @ git+https://example.org/x.git # it's"
    assert run("init", "--yes", "--package", spec, cwd=repository.root).returncode == 0
    data = (repository.root / ".github/workflows/cudamigrate.yml").read_bytes()
    every = [one for one in yaml_scalars.scalars(data, yaml_scalars.parse(data).root_node) if not one.key]
    command = next(json.loads(f'"{one.text}"') for one in every if one.text.startswith("pip install"))
    assert shlex.split(command) == ["pip", "install", spec]
