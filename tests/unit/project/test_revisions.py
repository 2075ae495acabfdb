"""What git knows, asked without starting a program of the repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from gitrepo import Repo, write

from cudamigrate.errors import InputError
from cudamigrate.project import changes, git, revisions
from cudamigrate.project.file_listing import listing
from cudamigrate.project.revisions import repository, staged


def test_staged_files_come_from_the_index(repo: Repo) -> None:
    repo.commit({"same.cu": "1", "changed.cu": "1", "gone.cu": "1", "moved.cu": "a long line\n" * 9})
    repo.write({"changed.cu": "2\n", "sub/new file.cu": b"\0\xff\r\n", "empty.cu": ""})
    repo.git("mv", "moved.cu", "sub/moved.cu")
    repo.git("rm", "-q", "gone.cu")
    repo.git("add", "-A")
    repo.write({"changed.cu": "3", "same.cu": "3"})
    (repo.root / "link.cu").symlink_to("same.cu")
    repo.git("add", "link.cu")
    new = [("sub/moved.cu", b"a long line\n" * 9), ("sub/new file.cu", b"\0\xff\r\n")]
    assert staged(repo.root) == [("changed.cu", b"2\n"), ("empty.cu", b""), *new]
    assert staged(repo.root / "sub") == [(name[4:], data) for name, data in new]


def test_staged_files_of_the_first_commit_are_found(repo: Repo) -> None:
    repo.write({"a.cu": "1"})
    assert staged(repo.root) == []
    repo.git("add", "-A")
    assert staged(repo.root) == [("a.cu", b"1")]


def test_staged_follows_the_index_of_the_commit_in_progress(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.cu": "1"})
    repo.write({"a.cu": "2"})
    index = repo.root / ".git/next-index.lock"
    index.write_bytes((repo.root / ".git/index").read_bytes())
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    repo.git("add", "a.cu")
    assert staged(repo.root) == [("a.cu", b"2")]
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert staged(repo.root) == []


def test_staged_outside_git_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not in a git repository"):
        staged(tmp_path)


def test_repository_names_commit_and_branch(repo: Repo) -> None:
    commit = repo.commit({"src/a.cu": "1"})
    found = repository(repo.root / "src")
    assert (found.name, found.commit, found.branch, found.dirty) == ("repo/src", commit, "main", False)
    assert repository(repo.root).name == "repo"
    assert repository(repo.root / "src" / "a.cu").name == "repo/src"
    repo.write({"src/a.cu": "2"})
    assert repository(repo.root).dirty
    repo.git("checkout", "-q", "-f", "--detach")
    assert (repository(repo.root).branch, repository(repo.root).dirty) == ("", False)


def test_repository_is_empty_outside_git_and_before_the_first_commit(tmp_path: Path, repo: Repo) -> None:
    assert (repository(repo.root).commit, repository(repo.root).branch) == ("", "main")
    write(tmp_path, {"plain/a.cu": ""})
    found = repository(tmp_path / "plain")
    assert (found.name, found.commit, found.branch, found.dirty) == ("plain", "", "", False)


@pytest.fixture
def witness(tmp_path: Path) -> tuple[Path, str]:
    """A file that appears when a program of a repository runs, and the command that makes it."""
    made = tmp_path / "ran"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {made}\nexit 1\n")
    script.chmod(0o755)
    return made, str(script)


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("included", [False, True])
def test_filters_of_the_repository_are_not_run(repo: Repo, witness: tuple[Path, str], key: str, included: bool) -> None:
    made, command = witness
    repo.write({"a.cu": b"1\n", ".gitattributes": b"*.cu filter=evil\n"})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "one")
    config = repo.root / ".git" / "config"
    text = f'[filter "evil"]\n\t{key} = {command}\n\trequired = true\n'
    if included:
        (repo.root / ".git" / "more").write_text(text)
        text = "[include]\n\tpath = more\n"
    config.write_text(config.read_text() + text)
    os.utime(repo.root / "a.cu", (1, 1))
    subprocess.run(["git", "status"], cwd=repo.root, capture_output=True, check=False, timeout=60)
    assert made.exists(), "plain `git status` runs the filter, or this test shows nothing"
    made.unlink()
    os.utime(repo.root / "a.cu", (2, 2))
    git._settings.cache_clear()
    assert not repository(repo.root).dirty
    assert "a.cu" in listing(repo.root).files
    assert changes.since(repo.root, "HEAD") == {}
    assert not made.exists()


def test_filters_are_not_run_for_staged_lines(repo: Repo, witness: tuple[Path, str]) -> None:
    made, command = witness
    repo.write({".gitattributes": b"*.cu filter=evil diff=evil\n", "a.cu": b"1\n"})
    repo.git("add", "-A")
    config = repo.root / ".git" / "config"
    drivers = "".join(f"\t{key} = {command}\n" for key in ("clean", "smudge", "process"))
    config.write_text(
        f'{config.read_text()}[filter "evil"]\n{drivers}\trequired = true\n[diff "evil"]\n\ttextconv = {command}\n'
        f"\tcommand = {command}\n"
    )
    subprocess.run(["git", "diff", "--cached"], cwd=repo.root, capture_output=True, check=False)
    assert made.exists(), "plain `git diff` runs what the repository names, or this test shows nothing"
    made.unlink()
    change = changes.staged(repo.root)["a.cu"]
    assert change.added == {1} and git.blobs(repo.root, [change.blob]) == {change.blob: b"1\n"}
    assert staged(repo.root)[-1] == ("a.cu", b"1\n")
    assert not made.exists()


def test_blobs_are_read_some_at_a_time_and_large_ones_are_left_out(repo: Repo) -> None:
    files = {f"{number}.cu": f"{number}" * (1 if number else 3_000_000) + "\n" for number in range(520)}
    repo.write(files)
    repo.git("add", "-A")
    names = [change.blob for change in changes.staged(repo.root).values()]
    found = git.blobs(repo.root, names, limit=1000)
    assert len(found) == 520 and sum(data is None for data in found.values()) == 1
    assert {data for data in found.values() if data} == {text.encode() for text in files.values() if len(text) < 9}
    with pytest.raises(git.GitError, match="lacks the object"):
        git.blobs(repo.root, [names[0], "0" * 40])


def partial_clone(repo: Repo, witness: tuple[Path, str]) -> tuple[Path, str]:
    """A file that appears where git fetches, and the name of a staged blob that is not there."""
    made, command = witness
    repo.write({"a.cu": b"1\n"})
    repo.git("add", "-A")
    blob = subprocess.run(
        ["git", "rev-parse", ":a.cu"], cwd=repo.root, capture_output=True, check=True, text=True
    ).stdout.strip()
    (repo.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in (
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.url", f"ext::{command}"),
        ("remote.evil.promisor", "true"),
        ("protocol.ext.allow", "always"),
    ):
        repo.git("config", key, value)
    subprocess.run(["git", "cat-file", "-p", blob], cwd=repo.root, capture_output=True, check=False)
    assert made.exists(), "plain git fetches what it lacks, or this test shows nothing"
    made.unlink()
    return made, blob


def test_missing_objects_are_not_fetched(repo: Repo, witness: tuple[Path, str]) -> None:
    made, _ = partial_clone(repo, witness)
    with pytest.raises(InputError, match="Staged files cannot be read"):
        staged(repo.root)
    assert not made.exists()


@pytest.mark.parametrize("left_out", ["GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"])
def test_either_variable_alone_keeps_git_from_fetching(
    repo: Repo, witness: tuple[Path, str], left_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either would do, and older releases of git do not know the first: what is left out is done by the other."""
    made, blob = partial_clone(repo, witness)
    whole = git.environment()
    environment = {name: value for name, value in whole.items() if name != left_out}
    if left_out == "GIT_ALLOW_PROTOCOL":
        known = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
        subprocess.run(["git", "cat-file", "-p", blob], cwd=repo.root, env=known, capture_output=True, check=False)
        if made.exists():
            pytest.skip("this git does not know GIT_NO_LAZY_FETCH")
    monkeypatch.setattr(git, "environment", lambda *_, **__: environment)
    with pytest.raises(git.GitError):
        git.blobs(repo.root, [blob])
    assert not made.exists()


def test_a_folder_in_a_repository_that_looks_like_a_bare_one_is_none(repo: Repo) -> None:
    """Git takes the folder that it is asked in for a repository of its own, with a configuration of its own."""
    outer = repo.commit({"b.cu": "1\n"})
    trap = Repo(repo.root / "trap", "--bare")
    tree = trap.git("hash-object", "-w", "-t", "tree", "--stdin", given=b"")
    trap.git("update-ref", "HEAD", trap.git("commit-tree", "-m", "trap", tree))
    (trap.root / "a.cu").write_bytes(b"1\n")
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=trap.root, capture_output=True, check=True, text=True)
    assert asked.stdout.strip() != outer, "plain git takes it for one, or this test shows nothing"
    assert repository(trap.root).commit == ""
    assert "bare repository" in listing(trap.root).skipped[0].reason
    assert "trap/a.cu" in listing(repo.root).files


def test_folder_that_looks_like_a_bare_repository_is_none(tmp_path: Path, witness: tuple[Path, str]) -> None:
    made, command = witness
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "trap")], check=True)
    config = tmp_path / "trap" / "config"
    config.write_text(config.read_text() + f"[core]\n\tfsmonitor = {command}\n\tworktree = .\n\tbare = false\n")
    (tmp_path / "trap" / "a.cu").write_bytes(b"1\n")
    assert "a.cu" in listing(tmp_path / "trap").files
    assert repository(tmp_path / "trap").commit == ""
    assert not made.exists()


def test_large_staged_file_has_no_content(repo: Repo) -> None:
    repo.write({"a.cu": b"x" * 100, "b.cu": b"y"})
    repo.git("add", "-A")
    assert staged(repo.root, limit=50) == [("a.cu", None), ("b.cu", b"y")]


def test_changed_and_untracked_files_make_a_tree_dirty(repo: Repo) -> None:
    repo.write({"a.cu": b"1\n", "b.cu": b"1\r\n"})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "one")
    for name in ("a.cu", "b.cu"):
        os.utime(repo.root / name, (1, 1))
    assert not repository(repo.root).dirty
    repo.write({"a.cu": b"2\n"})
    assert repository(repo.root).dirty
    repo.write({"a.cu": b"1\n"})
    assert not repository(repo.root).dirty
    repo.write({"new.txt": b""})
    assert repository(repo.root).dirty


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("https://ada:secret@example.org/a/b.git", "https://example.org/a/b.git"),
        ("git@example.org:a/b.git", "ssh://example.org/a/b.git"),
        ("ssh://git@example.org:2222/a/b.git", "ssh://example.org:2222/a/b.git"),
        ("../elsewhere", ""),
        ("/srv/git/b.git", ""),
        ("file:///srv/git/b.git", ""),
    ],
)
def test_the_url_of_the_remote_holds_no_password(tmp_path, address, url):
    repo = Repo(tmp_path)
    repo.commit({"a.cu": ""})
    assert revisions.repository(tmp_path).url == ""
    repo.git("remote", "add", "origin", address)
    assert revisions.repository(tmp_path).url == url
