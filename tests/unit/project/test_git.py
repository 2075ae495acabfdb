"""Git is asked in the right repository, and its refusals are a few words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo, write

from cudamigrate.errors import MigrateError
from cudamigrate.project import git


def test_output_comes_as_bytes(repo: Repo) -> None:
    commit = repo.commit({"a.cu": ""})
    assert git.git(repo.root, "rev-parse", "HEAD") == commit.encode() + b"\n"
    assert git.git(repo.root, "hash-object", "--stdin", given=b"") == b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n"


def test_errors_are_a_few_words(tmp_path: Path, repo: Repo) -> None:
    with pytest.raises(git.GitError, match=r"^not a git repository"):
        git.git(tmp_path, "status")
    with pytest.raises(git.GitError, match=r"is not a folder$"):
        git.git(tmp_path / "nowhere", "status")
    with pytest.raises(git.GitError, match=r"^git ended with status 1$"):
        git.git(repo.root, "config", "--get", "no.such")
    assert issubclass(git.GitError, MigrateError)


def test_the_work_tree_is_the_nearest_folder_that_holds_git(tmp_path: Path, repo: Repo) -> None:
    write(repo.root, {"a/b/c.cu": ""})
    assert git.work_tree(repo.root / "a/b") == repo.root
    assert git.work_tree(repo.root) == repo.root
    (tmp_path / "link").symlink_to(repo.root / "a")
    assert git.work_tree(tmp_path / "link") == repo.root


def test_what_a_hook_set_is_dropped_and_what_the_user_set_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere/index")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "Ada")
    env = git.environment()
    assert "GIT_DIR" not in env
    assert "GIT_INDEX_FILE" not in env
    assert (env["GIT_CONFIG_KEY_0"], env["GIT_CONFIG_VALUE_0"]) == ("user.name", "Ada")
    assert env["GIT_CONFIG_COUNT"] == str(1 + len(git.settings(Path("/"))))
    assert git.environment("/mine")["GIT_INDEX_FILE"] == "/mine"


def test_programs_of_the_repository_are_not_started(repo: Repo, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    program.chmod(0o755)
    repo.commit({"a.cu": ""})
    repo.git("config", "core.fsmonitor", str(program))
    git.git(repo.root, "ls-files", "--others", "--exclude-standard")
    git.git(repo.root, "status", "--porcelain")
    assert not (tmp_path / "ran").exists()


def test_words_keep_bytes_that_are_not_utf8() -> None:
    assert [os.fsencode(word) for word in git.words(b"a b\0caf\xe9\0\n\0")] == [b"a b", b"caf\xe9", b"\n"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
@pytest.mark.parametrize("files", [True, False])
def test_a_repository_whose_git_waits_is_named(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: bool
) -> None:
    repo.commit({"a.cu": "1\n"})
    os.mkfifo(tmp_path / "pipe")
    with (repo.root / ".git" / "config").open("a") as file:
        file.write("[include]\n\tpath = ../../pipe\n")
    monkeypatch.setattr(git, "_QUICK", 0.5)
    for _ in range(2):  # the second time it is not waited for
        with pytest.raises(git.GitError, match="does not answer"):
            git.git(repo.root, "rev-parse", "HEAD", files=files)
        monkeypatch.setattr(git, "_QUICK", 600)
