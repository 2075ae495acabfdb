"""A `.git` folder that somebody made: nothing in it starts a program, is waited for, or leads elsewhere."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from gitrepo import Repo, write

from cudamigrate.config import Config
from cudamigrate.errors import TargetError
from cudamigrate.frontends import known_files
from cudamigrate.model import Commit, Conversion
from cudamigrate.output import branch, folder
from cudamigrate.project import branch_writer, changes, discovery, git, git_folder, revisions
from cudamigrate.project.discovery import discover
from cudamigrate.project.file_listing import Listing, listing

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of POSIX")


@pytest.fixture
def ran(tmp_path: Path) -> tuple[Path, str]:
    """A file that appears when a program of a repository runs, and the command that makes it."""
    made, script = tmp_path / "ran", tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch '{made}'\n")
    script.chmod(0o755)
    return made, str(script)


@pytest.mark.parametrize("word", ["--output={kept}", "--ext-diff HEAD", "--textconv HEAD"])
def test_what_a_merge_names_is_a_commit(repo: Repo, tmp_path: Path, ran: tuple[Path, str], word: str) -> None:
    """Git takes other words as options: one runs a program, one writes a file."""
    (tmp_path / "kept").write_text("kept")
    repo.commit({"a.cu": "1\n", ".gitattributes": "*.cu diff=evil\n"})
    repo.write({"a.cu": "1\n2\n"})
    repo.git("add", "-A")
    for key in ("diff.external", "diff.evil.textconv", "diff.evil.command"):
        repo.git("config", key, ran[1])
    (repo.root / ".git" / "MERGE_HEAD").write_text(word.format(kept=tmp_path / "kept") + "\n")
    assert changes.staged(repo.root)["a.cu"].added == {2}
    assert (tmp_path / "kept").read_text() == "kept" and not ran[0].exists()


_READ = ["HEAD", "MERGE_HEAD", "config", "index", "info/exclude", "logs/HEAD", "objects/info/alternates"]


@pytest.mark.parametrize("name", _READ)
def test_pipes_in_it_are_named_and_not_waited_for(repo: Repo, name: str) -> None:
    repo.commit({"a.cu": ""})
    (repo.root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(repo.root / ".git" / name)
    with pytest.raises(git.GitSilentError, match=f"{name} is a pipe or device"):
        git.git(repo.root, "rev-parse", "HEAD")
    found = listing(repo.root)
    assert found.files == ["a.cu"] and "is a pipe" in found.skipped[0].reason


def test_devices_in_it_are_named(repo: Repo) -> None:
    (repo.root / ".git" / "refs" / "x").symlink_to("/dev/zero")
    assert git_folder.awaited(repo.root).endswith("refs/x")


def test_a_pipe_where_more_objects_are_said_to_be_is_named(repo: Repo, tmp_path: Path) -> None:
    for name in ("info", "pack"):
        (tmp_path / "more" / name).mkdir(parents=True)
    (repo.root / ".git" / "objects" / "info" / "alternates").write_text("# more\n../../../more\n")
    (tmp_path / "more" / "info" / "alternates").write_text(f"{tmp_path}/more\n{tmp_path}/none\n")
    assert git_folder.awaited(repo.root) == ""
    git_folder.awaited.cache_clear()
    os.mkfifo(tmp_path / "more" / "pack" / "pack-1.idx")
    assert git_folder.awaited(repo.root).endswith("more/pack/pack-1.idx")


def test_a_pipe_in_a_repository_inside_is_named(repo: Repo) -> None:
    (repo.root / "sub" / ".git").mkdir(parents=True)
    assert git_folder.awaited_among(repo.root) == ""
    os.mkfifo(repo.root / "sub" / ".git" / "HEAD")
    assert git_folder.awaited_among(repo.root).endswith("sub/.git/HEAD")


def test_what_is_staged_is_read_and_not_what_stands_for_it(repo: Repo) -> None:
    """`git replace` shows another content to whoever asks; the commit holds the staged one."""
    repo.commit({"a.cu": "1\n"})
    repo.write({"a.cu": "1\nevil\n", "harmless": "1\nx\n"})
    repo.git("add", "a.cu")
    repo.git("replace", repo.git("rev-parse", ":a.cu"), repo.git("hash-object", "-w", "harmless"))
    assert repo.git("show", ":a.cu") == "1\nx", "git itself shows the other one, or this test shows nothing"
    assert revisions.staged(repo.root) == [("a.cu", b"1\nevil\n")]
    assert [line for _, line in changes.staged(repo.root)["a.cu"].text] == [b"evil"]


def test_a_pipe_among_the_files_that_git_reads_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"sub/a.cu": ""})
    os.mkfifo(repo.root / "sub" / ".gitignore")
    monkeypatch.setattr(git, "_PATIENCE", 0.3)
    found = listing(repo.root)
    assert "sub/.gitignore is a pipe" in found.skipped[0].reason and found.files == ["sub/a.cu", "sub/.gitignore"]


@pytest.mark.parametrize("key", ["core.excludesFile", "core.attributesFile", "diff.orderFile"])
def test_files_that_settings_name_are_regular_ones(repo: Repo, tmp_path: Path, key: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    repo.commit({"a.cu": "1\n"})
    repo.git("config", key, str(tmp_path / "pipe"))
    (repo.root / "b.cu").write_text("1\n")
    (repo.root / "a.cu").write_text("1\n2\n")
    assert sorted(listing(repo.root).files) == ["a.cu", "b.cu"]
    assert changes.since(repo.root, "HEAD")["a.cu"].added == {2}
    repo.git("-c", f"{key}=/dev/null", "add", "a.cu")
    assert changes.staged(repo.root)["a.cu"].added == {2}


def test_a_signature_is_not_checked_by_the_repositorys_program(repo: Repo, ran: tuple[Path, str]) -> None:
    repo.commit({"a.cu": "1\n"})
    base, tree = repo.git("rev-parse", "HEAD", "HEAD^{tree}").splitlines()
    repo.git("commit", "-q", "--amend", "-m", branch_writer.closing("x", base, tree))
    head, _, body = repo.git("cat-file", "commit", "HEAD").partition("\n\n")
    text = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\n{body}\n"
    signed = repo.git("hash-object", "-t", "commit", "-w", "--stdin", given=text.encode())
    repo.git("config", "log.showSignature", "true")
    repo.git("config", "gpg.program", ran[1])
    subprocess.run(["git", "log", "-n1", signed], cwd=repo.root, capture_output=True, check=False)
    assert ran[0].exists(), "plain `git log` runs it, or this test shows nothing"
    ran[0].unlink()
    with branch_writer.opened(repo.root) as writer:
        assert writer.conversion(signed) is not None
    assert not ran[0].exists()


def _gitfile(repo: Repo, other: Repo) -> None:
    (repo.root / ".git").rename(repo.root / "old")
    (repo.root / ".git").write_text("gitdir: ../other/.git\n")


def _git_link(repo: Repo, other: Repo) -> None:
    (repo.root / ".git").rename(repo.root / "old")
    (repo.root / ".git").symlink_to(other.root / ".git")


def _commondir(repo: Repo, other: Repo) -> None:
    (repo.root / ".git" / "commondir").write_text(f"{other.root}/.git\n")


def _made_up_worktree(repo: Repo, other: Repo) -> None:
    _gitfile(repo, other)
    write(repo.root / "own", {"HEAD": "ref: refs/heads/main\n", "commondir": f"{other.root}/.git\n"})
    (repo.root / "own" / "gitdir").write_text(f"{repo.root}/.git\n")
    (repo.root / ".git").write_text("gitdir: own\n")


def _refs(repo: Repo, other: Repo) -> None:
    (repo.root / ".git" / "refs" / "heads" / "hip").symlink_to(other.root)


def _log(repo: Repo, other: Repo) -> None:
    logs = repo.root / ".git" / "logs" / "refs" / "heads" / "hip"
    logs.mkdir(parents=True)
    (logs / "main").symlink_to(other.root / "a.cu")


def _objects(repo: Repo, other: Repo) -> None:
    for number in range(256):
        place = repo.root / ".git" / "objects" / f"{number:02x}"
        if not place.exists():
            place.symlink_to(other.root)


@pytest.mark.parametrize("trap", [_gitfile, _git_link, _commondir, _made_up_worktree, _refs, _log, _objects])
def test_no_branch_is_written_elsewhere(repo: Repo, tmp_path: Path, trap: Callable[[Repo, Repo], None]) -> None:
    other = Repo(tmp_path / "other")
    for one in (repo, other):
        one.commit({"a.cu": "old\n"})
    trap(repo, other)
    before = sorted((path, path.stat().st_size) for path in other.root.rglob("*") if path.is_file())
    with pytest.raises(TargetError, match="No branch can be made"):
        branch.write(repo.root, [Conversion("a.cu", b"old\n", b"new\n", ())], {}, "")
    assert sorted((path, path.stat().st_size) for path in other.root.rglob("*") if path.is_file()) == before


def test_a_submodule_and_a_folder_of_its_own_are_no_trap(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit({"a.cu": "old\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    assert git_folder.elsewhere(repo.root / "sub") == ""
    repo.commit({"b.cu": ""})
    repo.git("worktree", "add", "-q", "../linked")
    assert git_folder.elsewhere(tmp_path / "linked") == ""


def test_a_branch_that_stands_for_another_is_replaced_and_the_other_stays(repo: Repo) -> None:
    head = repo.commit({"a.cu": "old\n"})
    repo.git("symbolic-ref", "refs/heads/hip/main", "refs/heads/main")
    branch.write(repo.root, [Conversion("a.cu", b"old\n", b"new\n", ())], {}, "", force=True)
    assert repo.git("rev-parse", "main") == head and repo.git("show", "hip/main:a.cu") == "new"


def test_the_index_of_a_run_is_not_kept_in_parts_in_the_repository(repo: Repo) -> None:
    repo.commit({"a.cu": "old\n"})
    repo.git("config", "core.splitIndex", "true")
    branch.write(
        repo.root, [Conversion("a.cu", b"old\n", b"new\n", ())], {}, "", commits=(Commit("x", {"a.cu": b"n"}),)
    )
    assert list((repo.root / ".git").glob("sharedindex.*")) == []


@pytest.mark.parametrize("named", ["../other", "{other}", "link"])
def test_no_folder_elsewhere_is_a_submodule(tmp_path: Path, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list holds none; and where one came into it, as git's own list could have it, it would not be entered."""
    root, other = tmp_path / "root", tmp_path / "other"
    named = named.format(other=other)
    write(root, {"a.cu": "1", ".gitmodules": f"[submodule]\n\tpath = {named}\n"})
    write(other, {"secret.cu": "secret"})
    (root / "link").symlink_to(other)
    assert listing(root).submodules == [] and "a.cu" in listing(root).files
    monkeypatch.setattr(discovery, "listing", lambda _: Listing(submodules=[named]))
    found = discover(root, Config(submodules=True), known_files())
    assert found.entries == () and "lies elsewhere" in found.skipped[0].reason


@pytest.mark.parametrize("named", ["../other", "{other}", "link"])
def test_submodules_lie_in_the_tree(tmp_path: Path, named: str) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    text = f"[submodule]\n\tpath = {named.format(other=other)}\n"
    write(root, {"a.cu": "1", ".gitmodules": text})
    write(other, {"secret.cu": "secret"})
    (root / "link").symlink_to(other)
    found = discover(root, Config(submodules=True), known_files())
    assert [entry.path for entry in found.entries] == ["a.cu"]
    with pytest.raises(TargetError, match="leads out of the folder"):
        folder.write(root, [Conversion("../other/secret.cu", b"", b"x", ())], {}, str(tmp_path / "out"))
    assert (other / "secret.cu").read_text() == "secret" and not (tmp_path / "out").exists()


def test_a_tracked_folder_that_became_a_link_is_not_copied_through(repo: Repo, tmp_path: Path) -> None:
    write(tmp_path / "other", {"secret.txt": "secret", ".git/HEAD": "x"})
    repo.commit({"a.cu": "1", "sub/secret.txt": "mine"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},module")
    (repo.root / "sub" / "secret.txt").unlink()
    (repo.root / "sub").rmdir()
    for name in ("sub", "module"):
        (repo.root / name).symlink_to(tmp_path / "other")
    folder.write(repo.root, [], {}, str(tmp_path / "out"))
    assert (tmp_path / "out" / "sub").is_symlink()
    assert [path.name for path in (tmp_path / "out").rglob("*.txt") if not path.parent.is_symlink()] == []


@pytest.mark.parametrize("attribute", ["-diff", "binary"])
def test_lines_of_what_the_repository_calls_binary_are_told(repo: Repo, attribute: str) -> None:
    repo.commit({"a.cu": "1\n2\n", ".gitattributes": f"*.cu {attribute}\n"})
    repo.write({"a.cu": "0\n1\n3\n", "b.cu": "new\n"})
    repo.git("add", "-A")
    for found in (changes.staged(repo.root), changes.since(repo.root, "HEAD")):
        assert found["a.cu"].hidden and found["b.cu"].hidden
        told = changes.shown(found["a.cu"], b"1\n2\n", b"0\n1\n3\n")
        assert told.added == {1, 3} and not told.hidden
    given = changes.patch(repo.git("diff", "--cached").encode())
    assert given["a.cu"].hidden and given["b.cu"].hidden
