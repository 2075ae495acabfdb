"""A converted copy is whole, or not there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from gitrepo import Repo, write
from typer.testing import CliRunner

from cudamigrate.cli.app import app
from cudamigrate.config import Config
from cudamigrate.errors import TargetError
from cudamigrate.frontends import known_files
from cudamigrate.model import Conversion, Fix
from cudamigrate.output import folder
from cudamigrate.project.discovery import discover
from cudamigrate.project.file_listing import OUTPUT_MARK

CHANGE = Conversion("src/a.cu", b"old", b"new", (Fix((), "safe"),))


def held(root: Path) -> dict[str, bytes]:
    """The files of a folder, less the mark."""
    paths = (path for path in sorted(root.rglob("*")) if path.is_file() and ".git" not in path.parts)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    return {name: data for name, data in files.items() if name != OUTPUT_MARK}


def test_a_git_tree_is_copied_without_ignored_files(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"src/a.cu": "old", "README": "r", "gone.txt": "", ".gitignore": "build/\n"})
    repo.write({"build/a.o": "", "untracked.py": "u"})
    (repo.root / "gone.txt").unlink()
    out = tmp_path / "deep/out"
    said = folder.write(repo.root, [CHANGE], {"new.h": b"n"}, str(out), False)
    assert said == f"Copy of the tree with 1 converted file in {out}"
    assert held(out) == {
        ".gitignore": b"build/\n",
        "README": b"r",
        "new.h": b"n",
        "src/a.cu": b"new",
        "untracked.py": b"u",
    }
    assert (out / OUTPUT_MARK).is_file()
    assert not (out / ".git").exists()
    assert held(repo.root)["src/a.cu"] == b"old"


def test_a_plain_tree_is_copied_whole(tmp_path: Path) -> None:
    tree = {"src/a.cu": "old", ".gitignore": "*.bin", "x.bin": "x", "node_modules/m.js": "m"}
    write(tmp_path / "tree", {**tree, ".hg/store": "", "src/.svn/entries": ""})
    folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "out"), False)
    assert held(tmp_path / "out") == {name: data.encode() for name, data in tree.items()} | {"src/a.cu": b"new"}


def test_files_in_very_many_folders_are_named(tmp_path: Path) -> None:
    """What makes and removes folders recurses: no path that is copied is too deep for it."""
    root = tmp_path / "tree"
    write(root, {"a.cu": "1", "d/" * 201 + "deep.cu": "1"})
    found = discover(root, Config(), known_files())
    assert [entry.path for entry in found.entries] == ["a.cu"]
    assert "is in more than 200 folders" in found.skipped[0].reason
    with pytest.raises(TargetError, match="is in more than 200 folders"):
        folder.write(root, [], {}, str(tmp_path / "out"))
    assert [one.name for one in tmp_path.iterdir()] == ["tree"]


def test_submodules_are_copied(repo: Repo, tmp_path: Path) -> None:
    Repo(tmp_path / "inner").commit({"i.cu": "i"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "inner"), "lib/inner")
    repo.commit({"src/a.cu": "old"})
    folder.write(repo.root, [CHANGE], {}, str(tmp_path / "out"), False)
    assert sorted(held(tmp_path / "out")) == [".gitmodules", "lib/inner/i.cu", "src/a.cu"]


def test_permissions_and_links_are_kept(repo: Repo, tmp_path: Path) -> None:
    repo.write({"src/a.cu": "old", "run.sh": ""})
    (repo.root / "src/a.cu").chmod(0o750)
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "link.cu").symlink_to("src/a.cu")
    (repo.root / "dir").symlink_to("src")
    (repo.root / "broken").symlink_to("nowhere")
    out = tmp_path / "out"
    folder.write(repo.root, [CHANGE], {}, str(out), False)
    assert (out / "src/a.cu").stat().st_mode & 0o777 == 0o750
    assert (out / "run.sh").stat().st_mode & 0o777 == 0o755
    assert [os.readlink(out / name) for name in ("link.cu", "dir", "broken")] == ["src/a.cu", "src", "nowhere"]
    shutil.rmtree(repo.root / ".git")
    folder.write(repo.root, [CHANGE], {}, str(out), True)
    assert [os.readlink(out / name) for name in ("link.cu", "dir", "broken")] == ["src/a.cu", "src", "nowhere"]


@pytest.mark.parametrize("git", [True, False])
def test_a_copy_inside_the_tree_does_not_hold_itself(tmp_path: Path, git: bool) -> None:
    if git:
        Repo(tmp_path / "tree")
    root = tmp_path / "tree"
    write(root, {"src/a.cu": "old"})
    for force in (False, True):
        folder.write(root, [CHANGE], {}, str(root / "out"), force)
        assert held(root / "out") == {"src/a.cu": b"new"}
    assert sorted(path.name for path in root.iterdir() if path.name != ".git") == ["out", "src"]
    assert [entry.path for entry in discover(root, Config(), {".cu": "cuda"}).entries] == ["src/a.cu"]
    assert [entry.path for entry in discover(root / "out", Config(), {".cu": "cuda"}).entries] == ["src/a.cu"]


def test_a_file_that_git_ignores_is_written_when_it_was_converted(repo: Repo, tmp_path: Path) -> None:
    repo.write({".gitignore": "src/\n", "src/a.cu": "old", "src/b.cu": ""})
    folder.write(repo.root, [CHANGE], {}, str(tmp_path / "out"), False)
    assert sorted(held(tmp_path / "out")) == [".gitignore", "src/a.cu"]


def test_the_sources_are_never_the_place(tmp_path: Path) -> None:
    write(tmp_path, {"tree/src/a.cu": "old"})
    (tmp_path / "link").symlink_to("tree")
    for place in ("tree", "link", ".", "tree/../tree"):
        with pytest.raises(TargetError, match="holds the sources"):
            folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / place), True)
    assert held(tmp_path / "tree") == {"src/a.cu": b"old"}


def test_a_folder_of_someone_else_is_never_replaced(tmp_path: Path) -> None:
    write(tmp_path, {"tree/src/a.cu": "old", "out/thesis.tex": "t"})
    for force in (False, True):
        with pytest.raises(TargetError, match="was not made by cudamigrate"):
            folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "out"), force)
    assert held(tmp_path / "out") == {"thesis.tex": b"t"}


def test_an_earlier_copy_is_replaced_only_when_forced(tmp_path: Path) -> None:
    write(tmp_path, {"tree/src/a.cu": "old"})
    folder.write(tmp_path / "tree", [CHANGE], {"first.h": b""}, str(tmp_path / "out"), False)
    with pytest.raises(TargetError, match="exists; --force replaces it"):
        folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "out"), False)
    folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "out"), True)
    assert held(tmp_path / "out") == {"src/a.cu": b"new"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tree"]


def test_an_empty_folder_is_filled_and_a_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"tree/src/a.cu": "old", "file": ""})
    (tmp_path / "out").mkdir()
    folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "out"), False)
    assert held(tmp_path / "out") == {"src/a.cu": b"new"}
    with pytest.raises(TargetError, match="is a file"):
        folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "file"), True)
    with pytest.raises(TargetError, match="cannot be written"):
        folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / "file/below"), True)


def test_an_interrupted_copy_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    write(tmp_path, {"tree/src/a.cu": "old", "tree/b.txt": ""})
    folder.write(tmp_path / "tree", [], {"first.h": b""}, str(tmp_path / "out"), False)
    earlier = held(tmp_path / "out")
    monkeypatch.setattr("shutil.copy2", interrupted)
    for place in ("out", "fresh"):
        with pytest.raises(KeyboardInterrupt):
            folder.write(tmp_path / "tree", [CHANGE], {}, str(tmp_path / place), True)
    assert held(tmp_path / "out") == earlier
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tree"]


def test_what_a_killed_run_left_is_put_back_or_removed(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="open folders cannot be locked here")
    root = tmp_path / "tree"
    write(root, {"a.cu": "1\n"})
    folder.write(root, [], {}, str(tmp_path / "copy"))
    (tmp_path / "copy").rename(tmp_path / ".copy.12345678.old")  # killed while it was replaced
    shutil.copytree(tmp_path / ".copy.12345678.old", tmp_path / ".copy.12345678")
    (tmp_path / ".copy.notes").mkdir()  # somebody else's
    with pytest.raises(TargetError, match="--force replaces it"):
        folder.write(root, [], {}, str(tmp_path / "copy"))
    assert sorted(one.name for one in tmp_path.iterdir()) == [".copy.notes", "copy", "tree"]


def test_a_place_where_nothing_can_be_made_is_refused_before_anything_is_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cu").write_text("void f(void **p) { cudaMalloc(p, 4); }\n")

    def no_file(dir: Path) -> None:  # noqa: A002 - the name is tempfile's
        assert dir == tmp_path
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", no_file)
    monkeypatch.setattr("cudamigrate.pipeline.apply", lambda *_, **__: pytest.fail("it converts first"))
    for place in ("--output", "--patch"):
        name = str(tmp_path / ("new" if place == "--output" else "new.patch"))
        result = CliRunner().invoke(app, ["apply", str(tmp_path), place, name])
        assert "Read-only file system" in str(result.exception)


def test_a_place_below_folders_that_are_not_there_yet_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    folder.refuse(tmp_path / "src", str(tmp_path / "a" / "b" / "c"), False)
    assert [path.name for path in tmp_path.iterdir()] == ["src"]
