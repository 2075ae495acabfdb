"""A branch holds the conversion of HEAD, and nothing else of the repository moves."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from gitrepo import Repo, write

from cudamigrate.errors import TargetError
from cudamigrate.model import Conversion, Fix
from cudamigrate.output import branch
from cudamigrate.project.branch_writer import BranchWriter


def conversion(path: str, before: bytes = b"old\n", after: bytes = b"new\n") -> Conversion:
    return Conversion(path, before, after, (Fix((), "safe"),) * 2)


CHANGE = conversion("a.cu")


def shown(repo: Repo, name: str) -> bytes:
    """A blob, as git stores it."""
    return subprocess.run(["git", "cat-file", "blob", name], cwd=repo.root, capture_output=True, check=True).stdout


def state(repo: Repo) -> tuple[str, ...]:
    """All that must not change."""
    questions = ("status --porcelain -uall", "stash list", "symbolic-ref -q HEAD", "worktree list", "ls-files -s")
    refs = [line for line in repo.git("for-each-ref").splitlines() if "refs/heads/hip/" not in line]
    return (*(repo.git(*question.split()) for question in questions), *refs)


@pytest.fixture
def start(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with one commit; temporary folders are made where they can be counted."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    repo.commit({"a.cu": "old\n", "b.txt": "b\n"})
    return repo


def test_the_branch_is_one_commit_on_head(start: Repo, tmp_path: Path) -> None:
    head = start.git("rev-parse", "HEAD")
    before = state(start)
    said = branch.write(start.root, [CHANGE], {"inc/new.h": b"n\n"}, "", False)
    assert said == f"Branch hip/main: 1 commit on {head[:7]}, 1 file; see it with: git diff {head[:7]} hip/main"
    assert start.git("log", "--format=%s", "hip/main").splitlines() == ["Move to HIP: 1 file", "change"]
    assert start.git("diff", "--name-status", "HEAD", "hip/main").splitlines() == ["M\ta.cu", "A\tinc/new.h"]
    assert shown(start, "hip/main:a.cu") == b"new\n"
    assert shown(start, "hip/main:inc/new.h") == b"n\n"
    body = start.git("log", "-1", "--format=%b", "hip/main")
    tree = start.git("rev-parse", "hip/main^{tree}")
    assert body.splitlines() == [f"Cudamigrate-Base: {head}", f"Cudamigrate-Tree: {tree}"]
    assert state(start) == before
    assert (start.root / "a.cu").read_bytes() == b"old\n"
    assert list((tmp_path / "tmp").iterdir()) == []
    start.git("fsck", "--strict")


def test_the_branch_may_be_named(start: Repo) -> None:
    branch.write(start.root, [CHANGE], {}, "port/rocm", False)
    assert shown(start, "port/rocm:a.cu") == b"new\n"


def test_a_detached_head_gives_its_commit_as_name(start: Repo) -> None:
    start.git("checkout", "-q", "--detach")
    branch.write(start.root, [CHANGE], {}, "", False)
    assert start.git("branch", "--list", "hip/*").strip() == "hip/" + start.git("rev-parse", "HEAD")[:7]


def test_a_sub_folder_is_converted_in_place(start: Repo) -> None:
    start.commit({"src/a.cu": "old\n"})
    branch.write(start.root / "src", [CHANGE], {"new.h": b""}, "", False)
    assert start.git("diff", "--name-status", "HEAD", "hip/main").splitlines() == ["M\tsrc/a.cu", "A\tsrc/new.h"]


def test_a_linked_work_tree_converts_its_own_head(start: Repo, tmp_path: Path) -> None:
    start.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    write(tmp_path / "side", {"a.cu": "side\n"})
    start.git("-C", str(tmp_path / "side"), "commit", "-qam", "side")
    before = state(start)
    branch.write(tmp_path / "side", [conversion("a.cu", b"side\n")], {}, "", False)
    assert start.git("log", "--format=%s", "hip/side").splitlines() == ["Move to HIP: 1 file", "side", "change"]
    assert state(start) == before


def test_changes_elsewhere_and_the_stash_stay(start: Repo) -> None:
    start.write({"b.txt": "stashed\n"})
    start.git("stash")
    start.write({"b.txt": "changed\n", "new.txt": "", "staged.txt": ""})
    start.git("add", "staged.txt")
    before = state(start)
    branch.write(start.root, [CHANGE], {}, "", False)
    assert start.git("diff", "--name-only", "HEAD", "hip/main") == "a.cu"
    assert state(start) == before


@pytest.mark.parametrize("how", ["changed", "staged", "untracked", "ignored", "assumed", "deleted in HEAD"])
def test_files_that_are_not_as_committed_are_refused(start: Repo, how: str) -> None:
    if how == "assumed":
        start.git("update-index", "--assume-unchanged", "a.cu")
    start.write({"a.cu": "mine\n", "x.cu": "mine\n"})
    if how == "ignored":
        start.write({".git/info/exclude": "x.cu\n"})
    if how == "staged":
        start.git("add", "a.cu")
    if how == "deleted in HEAD":
        start.git("rm", "-q", "--cached", "a.cu")
        start.git("commit", "-qm", "gone")
    path = "x.cu" if how in ("untracked", "ignored") else "a.cu"
    before = state(start)
    with pytest.raises(TargetError, match=f"^{path} differs from the last commit; commit or stash, or use --output"):
        branch.write(start.root, [conversion(path, b"mine\n")], {}, "", False)
    assert start.git("branch", "--list", "hip/*") == ""
    assert state(start) == before


def test_three_of_the_changed_files_are_named(start: Repo) -> None:
    start.write({f"{name}.cu": "x\n" for name in "vwxyz"})
    with pytest.raises(TargetError, match=r"^v\.cu, w\.cu, x\.cu and 2 more differ from"):
        branch.write(start.root, [conversion(f"{name}.cu", b"x\n") for name in "zvxwy"], {}, "", False)


def test_files_of_a_submodule_are_refused(start: Repo, tmp_path: Path) -> None:
    Repo(tmp_path / "inner").commit({"i.cu": "old\n"})
    start.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "inner"), "lib")
    start.commit({})
    with pytest.raises(TargetError, match=r"lib/i\.cu is in the submodule lib"):
        branch.write(start.root, [conversion("lib/i.cu")], {}, "", False)
    branch.write(start.root, [CHANGE], {}, "", False)
    assert start.git("diff", "--name-only", "HEAD", "hip/main") == "a.cu"


@pytest.mark.parametrize("setting", ["autocrlf", "attributes", "info"])
def test_line_ends_are_stored_as_git_would(start: Repo, setting: str) -> None:
    start.commit({"a.cu": b"one\ntwo\n"})
    if setting == "autocrlf":
        start.git("config", "core.autocrlf", "true")
    elif setting == "attributes":
        start.commit({".gitattributes": "*.cu text eol=crlf\n"})
    else:
        start.write({".git/info/attributes": "*.cu text eol=crlf\n"})
    (start.root / "a.cu").unlink()
    start.git("checkout", "a.cu")
    before = (start.root / "a.cu").read_bytes()
    assert before == b"one\r\ntwo\r\n"
    branch.write(start.root, [conversion("a.cu", before, b"one\r\nTWO\r\n")], {"n.h": b"n\n"}, "", False)
    assert shown(start, "hip/main:a.cu") == b"one\nTWO\n"
    start.git("checkout", "-q", "hip/main")
    assert (start.root / "a.cu").read_bytes() == b"one\r\nTWO\r\n"
    assert start.git("status", "--porcelain") == ""


def test_lf_files_are_taken_where_git_would_check_out_crlf(start: Repo) -> None:
    start.git("config", "core.autocrlf", "true")
    start.git("config", "core.safecrlf", "true")
    branch.write(start.root, [CHANGE], {}, "", False)
    assert shown(start, "hip/main:a.cu") == b"new\n"


def test_crlf_that_was_committed_is_kept(start: Repo) -> None:
    start.commit({"a.cu": b"one\r\ntwo\r\n"})
    start.git("config", "core.autocrlf", "true")
    branch.write(start.root, [conversion("a.cu", b"one\r\ntwo\r\n", b"one\r\nTWO\r\n")], {}, "", False)
    assert shown(start, "hip/main:a.cu") == b"one\r\nTWO\r\n"


def test_modes_odd_names_and_bytes_are_kept(start: Repo) -> None:
    names = ["run.cu", "a b.cu", 'q"\t.cu', "é/ü.cu", "-x.cu", ":(glob).cu"]
    start.write(dict.fromkeys(names, b"\xe9 old"))
    (start.root / "run.cu").chmod(0o755)
    start.commit({})
    branch.write(start.root, [conversion(name, b"\xe9 old", b"\xe9 new") for name in names], {}, "", False)
    for name in names:
        assert shown(start, f"hip/main:{name}") == b"\xe9 new"
    changes = start.git("diff", "--raw", "HEAD", "hip/main").splitlines()
    assert [line.split()[0].strip(":") == line.split()[1] for line in changes] == [True] * len(names)
    assert start.git("ls-tree", "hip/main", "run.cu").startswith("100755")


def test_an_ignored_new_file_is_committed(start: Repo) -> None:
    start.commit({".gitignore": "*.h\n"})
    branch.write(start.root, [CHANGE], {"new.h": b"n\n"}, "", False)
    assert shown(start, "hip/main:new.h") == b"n\n"


def test_a_sparse_checkout_loses_nothing(start: Repo) -> None:
    start.commit({"in/a.cu": "old\n", "out/b.cu": "b\n"})
    start.git("sparse-checkout", "set", "in")
    branch.write(start.root, [conversion("in/a.cu")], {"inc/new.h": b"n\n"}, "", False)
    assert start.git("diff", "--name-status", "HEAD", "hip/main").splitlines() == ["M\tin/a.cu", "A\tinc/new.h"]


def test_an_existing_branch_is_moved_only_when_forced(start: Repo) -> None:
    branch.write(start.root, [CHANGE], {}, "", False)
    first = start.git("rev-parse", "hip/main")
    with pytest.raises(TargetError, match="Branch hip/main exists; --force moves it"):
        branch.write(start.root, [CHANGE], {"n.h": b""}, "", False)
    assert start.git("rev-parse", "hip/main") == first
    branch.write(start.root, [CHANGE], {"n.h": b""}, "", True)
    assert start.git("log", "--format=%s", "hip/main").splitlines() == ["Move to HIP: 1 file", "change"]
    assert shown(start, "hip/main:n.h") == b""


def test_a_checked_out_branch_is_never_moved(start: Repo, tmp_path: Path) -> None:
    start.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    for name in ("main", "side"):
        with pytest.raises(TargetError, match=f"Branch {name} is checked out"):
            branch.write(start.root, [CHANGE], {}, name, True)


@pytest.mark.parametrize("name", ["-x", "a..b", "HEAD", "@{-1}", "a b", "x.lock"])
def test_names_that_git_refuses_are_refused(start: Repo, name: str) -> None:
    with pytest.raises(TargetError, match="is not a name that git takes"):
        branch.write(start.root, [CHANGE], {}, name, False)


def test_a_branch_in_the_way_of_the_name_is_said(start: Repo) -> None:
    start.git("branch", "hip")
    with pytest.raises(TargetError, match="'refs/heads/hip' exists") as caught:
        branch.write(start.root, [CHANGE], {}, "", False)
    assert "\n" not in str(caught.value)


def test_hooks_and_signing_do_not_run(start: Repo, tmp_path: Path) -> None:
    for hook in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ):
        path = start.root / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran-{hook}'\nexit 1\n")
        path.chmod(0o755)
    start.git("config", "commit.gpgsign", "true")
    branch.write(start.root, [CHANGE], {}, "", False)
    assert list(tmp_path.glob("ran-*")) == []


def test_the_author_is_the_user_or_else_the_tool(start: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def author() -> str:
        branch.write(start.root, [CHANGE], {}, "", True)
        return start.git("log", "-1", "--format=%an <%ae> %cn <%ce>", "hip/main")

    assert author() == "Ada <ada@example.org> Ada <ada@example.org>"
    start.git("config", "--unset", "user.name")
    start.git("config", "--unset", "user.email")
    start.git("config", "user.useConfigOnly", "true")
    assert author() == "cudamigrate <cudamigrate@localhost> cudamigrate <cudamigrate@localhost>"
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Grace")
    assert author() == "Grace <cudamigrate@localhost> cudamigrate <cudamigrate@localhost>"


def test_the_variables_of_a_hook_do_not_mislead(start: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit({"z": ""})
    for name, value in (("GIT_DIR", ".git"), ("GIT_WORK_TREE", "."), ("GIT_INDEX_FILE", ".git/index")):
        monkeypatch.setenv(name, str(other.root / value))
    branch.write(start.root, [CHANGE], {}, "", False)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name)
    assert shown(start, "hip/main:a.cu") == b"new\n"
    assert other.git("branch", "--list", "hip/*") == ""


def test_where_no_branch_can_be_made_the_reason_is_said(
    tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"plain/a.cu": "old\n"})
    with pytest.raises(TargetError, match=r"not a git repository.*; use --output or --patch"):
        branch.write(tmp_path / "plain", [CHANGE], {}, "", False)
    with pytest.raises(TargetError, match="has no commit yet"):
        branch.write(repo.root, [CHANGE], {}, "", False)
    bare = Repo(tmp_path / "bare.git", "--bare")
    with pytest.raises(TargetError, match="is a bare repository"):
        branch.write(bare.root, [CHANGE], {}, "", False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(TargetError, match="git is not installed; use --output or --patch"):
        branch.write(repo.root, [CHANGE], {}, "", False)


def test_a_conversion_that_git_stores_alike_is_refused(start: Repo) -> None:
    with pytest.raises(TargetError, match="nothing to commit"):
        branch.write(start.root, [conversion("a.cu", b"old\n", b"old\n")], {}, "", False)


@pytest.mark.parametrize("step", ["_unchanged", "_add", "commit", "set_branches"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_interrupted_run_leaves_nothing(
    start: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: type[BaseException]
) -> None:
    def interrupted(*_: object) -> None:
        raise error

    before = state(start)
    monkeypatch.setattr(BranchWriter, step, interrupted)
    with pytest.raises(TargetError if error is OSError else error):
        branch.write(start.root, [CHANGE], {}, "", False)
    assert start.git("branch", "--list", "hip/*") == ""
    assert state(start) == before
    assert list((tmp_path / "tmp").iterdir()) == []
