"""A patch gives exactly the converted bytes, with git and with patch."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from gitrepo import Repo, write
from hypothesis import given, settings
from hypothesis import strategies as st
from work import STEPS, calls

from cudamigrate.errors import TargetError
from cudamigrate.model import Conversion, Fix
from cudamigrate.output import patch
from tests.draws import examples

TOOLS = [
    pytest.param(["git", "apply", "--whitespace=nowarn"], id="git"),
    pytest.param(
        ["patch", "-s", "-p1", "-i"],
        id="patch",
        marks=pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed"),
    ),
]
LONG = b"".join(b"line %d\n" % number for number in range(40))


def conversion(path: str, before: bytes, after: bytes) -> Conversion:
    return Conversion(path, before, after, (Fix((), "safe"),))


def applied(tool: list[str], folder: Path, data: bytes) -> None:
    (folder / "x.patch").write_bytes(data)
    done = subprocess.run([*tool, "x.patch"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode() + data.decode("latin-1")
    (folder / "x.patch").unlink()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"a\nb\nc\n", b"a\nB\nc\n", id="one line"),
        pytest.param(b"a\nb", b"a\nB", id="no line end"),
        pytest.param(b"a\nb", b"a\nb\n", id="line end added"),
        pytest.param(b"a\nb\n", b"a\nb", id="line end taken away"),
        pytest.param(b"a\nb\nc\nd\ne", b"A\nb\nc\nd\ne", id="no line end in the context"),
        pytest.param(b"a\r\nb\r\n", b"a\r\nB\r\nnew\r\n", id="CRLF"),
        pytest.param(b"a\r\nb\nc\rd\n", b"a\r\nB\nc\rd\n", id="mixed line ends"),
        pytest.param(b"\xe9\n\xff\n", b"\xe9\n\xfe\n", id="Latin-1"),
        pytest.param(b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n", id="byte-order mark"),
        pytest.param(b"", b"a\n", id="empty before"),
        pytest.param(b"-- a/x\n++ b/x\n@@ -1 +1 @@\n", b"-- a/y\n++ b/x\n@@ -1 +1 @@\n", id="lines like headers"),
        pytest.param(b"\\ No newline at end of file\n a\n", b"\\ No newline at end of file\n b\n", id="like the note"),
        pytest.param(LONG, LONG.replace(b"line 3\n", b"x\n").replace(b"line 36\n", b"y\nz\n"), id="two hunks"),
        pytest.param(LONG, b"first\n" + LONG + b"last\n", id="both ends"),
        pytest.param(LONG, LONG[50:-50], id="ends taken away"),
        pytest.param(b"}\n" * 30 + b"a\n", b"}\n" * 25 + b"b\n" + b"}\n" * 7, id="equal lines"),
        pytest.param(b"a\f\nb\x1b\n", b"a\f\nc\x1b\n", id="control characters"),
    ],
)
def test_the_patch_gives_the_converted_bytes(tool: list[str], tmp_path: Path, before: bytes, after: bytes) -> None:
    write(tmp_path, {"src/a.cu": before})
    applied(tool, tmp_path, patch.unified([conversion("src/a.cu", before, after)], {}))
    assert (tmp_path / "src/a.cu").read_bytes() == after


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "name", ["a b.cu", "x/tab\t.cu", 'q"uote.cu', "back\\slash.cu", "café.cu", "line\nend.cu", " .cu"]
)
def test_odd_names_are_found(tool: list[str], tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: "a\n"})
    applied(tool, tmp_path, patch.unified([conversion(name, b"a\n", b"b\n")], {f"{name}.new": b"n\n"}))
    assert (tmp_path / name).read_bytes() == b"b\n"
    assert (tmp_path / f"{name}.new").read_bytes() == b"n\n"


@pytest.mark.parametrize("tool", TOOLS)
def test_new_files_are_created(tool: list[str], tmp_path: Path) -> None:
    applied(tool, tmp_path, patch.unified([], {"include/new.h": b"one\r\ntwo"}))
    assert (tmp_path / "include/new.h").read_bytes() == b"one\r\ntwo"


@pytest.mark.parametrize("tool", TOOLS)
def test_the_patch_works_in_a_sub_folder_of_a_repository(tool: list[str], repo: Repo) -> None:
    repo.commit({"src/lib/a.cu": "a\n", "lib/a.cu": "a\n"})
    applied(tool, repo.root / "src", patch.unified([conversion("lib/a.cu", b"a\n", b"b\n")], {"n.h": b"n\n"}))
    assert (repo.root / "src/lib/a.cu").read_bytes() == b"b\n"
    assert (repo.root / "lib/a.cu").read_bytes() == b"a\n"
    assert (repo.root / "src/n.h").read_bytes() == b"n\n"


def test_crlf_files_are_patched_where_git_converts_line_ends(repo: Repo) -> None:
    repo.commit({"a.cu": b"a\nb\n"})
    repo.git("config", "core.autocrlf", "true")
    (repo.root / "a.cu").unlink()
    repo.git("checkout", "a.cu")
    before = (repo.root / "a.cu").read_bytes()
    assert before == b"a\r\nb\r\n"
    applied(
        ["git", "apply", "--whitespace=nowarn"],
        repo.root,
        patch.unified([conversion("a.cu", before, b"A\r\nb\r\n")], {}),
    )
    assert (repo.root / "a.cu").read_bytes() == b"A\r\nb\r\n"


LINES = st.lists(
    st.sampled_from([b"}\n", b"a\n", b"b\n", b"\n", b"c\r\n", b"\xe9\n", b"long unique %d\n"]), max_size=30
)


@settings(max_examples=examples(60), deadline=None)
@given(LINES, LINES, st.booleans(), st.booleans())
def test_any_pair_of_files_is_patched(
    tmp_path_factory: pytest.TempPathFactory, old: list[bytes], new: list[bytes], cut: bool, cut_new: bool
) -> None:
    before = b"".join(line % at if b"%d" in line else line for at, line in enumerate(old))[: -1 if cut else None]
    after = b"".join(line % at if b"%d" in line else line for at, line in enumerate(new))[: -1 if cut_new else None]
    folder = tmp_path_factory.mktemp("pair")
    write(folder, {"a.cu": before})
    if before != after:
        applied(["git", "apply", "--whitespace=nowarn"], folder, patch.unified([conversion("a.cu", before, after)], {}))
    assert (folder / "a.cu").read_bytes() == after


def test_context_is_three_lines_and_near_changes_share_a_hunk() -> None:
    after = LONG.replace(b"line 10\n", b"x\n").replace(b"line 17\n", b"y\n").replace(b"line 25\n", b"z\n")
    text = patch.unified([conversion("a.cu", LONG, after)], {}).decode()
    assert text.splitlines()[:3] == ["--- a/a.cu", "+++ b/a.cu", "@@ -8,14 +8,14 @@"]
    assert text.splitlines()[3:9] == [" line 7", " line 8", " line 9", "-line 10", "+x", " line 11"]
    assert text.count("@@ -") == 2
    assert "@@ -23,7 +23,7 @@" in text


def test_files_come_sorted_and_unchanged_ones_are_left_out() -> None:
    text = patch.unified(
        [conversion("b", b"1\n", b"2\n"), conversion("a", b"1\n", b"2\n"), conversion("c", b"", b"")], {}
    )
    assert [line for line in text.splitlines() if line.startswith(b"+++")] == [b"+++ b/a", b"+++ b/b"]


@pytest.mark.parametrize("shape", ["distinct", "alike"])
def test_long_files_are_quick(shape: str) -> None:
    rng = random.Random(3)
    old = [b"x %d\n" % (number if shape == "distinct" else rng.randrange(30)) for number in range(20_000)]
    new = list(old)
    for at in range(50, 20_000, 400):
        new[at] = b"changed\n"
    new.insert(9_000, b"#include\n")
    before, after = b"".join(old), b"".join(new)
    data = patch.unified([conversion("a.cu", before, after)], {})
    assert len(data.splitlines()) < 480  # nine for each change


def test_work_grows_with_the_lines_also_where_files_have_little_in_common() -> None:
    rng = random.Random(4)
    small, large = (
        [b"".join(b"x %d\n" % rng.randrange(30) for _ in range(length)) for length in (size, size - size // 20)]
        for size in (1_500, 6_000)
    )
    work = [calls(lambda pair=pair: patch.unified([conversion("a.cu", *pair)], {})) for pair in (small, large)]
    assert work[1] < STEPS * work[0]


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n"])), st.lists(st.sampled_from([b"a\n", b"b\n", b"e\n"])))
def test_changes_turn_one_side_into_the_other(old: list[bytes], new: list[bytes]) -> None:
    result = list(old)
    for change in reversed(patch.changes(old, new)):
        result[change.start : change.end] = new[change.new_start : change.new_end]
    assert result == new


def test_the_file_is_written_once(tmp_path: Path) -> None:
    file = tmp_path / "out.patch"
    said = patch.write(tmp_path, [conversion("a.cu", b"1\n", b"2\n")], {}, str(file), False)
    assert said == f"Patch of 1 file in {file}; in {tmp_path}, run: git apply {file}"
    assert b"+2\n" in file.read_bytes()
    assert list(tmp_path.iterdir()) == [file]


def test_an_existing_file_is_replaced_only_when_forced(tmp_path: Path) -> None:
    write(tmp_path, {"out.patch": "mine"})
    with pytest.raises(TargetError, match="exists; --force replaces it"):
        patch.write(tmp_path, [], {}, str(tmp_path / "out.patch"), False)
    assert (tmp_path / "out.patch").read_bytes() == b"mine"
    patch.write(tmp_path, [], {"new.h": b"x\n"}, str(tmp_path / "out.patch"), True)
    assert b"new.h" in (tmp_path / "out.patch").read_bytes()


def test_places_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    for place, words in (("", "is a folder"), ("no/where", "is not a folder"), ("file/x", "is not a folder")):
        with pytest.raises(TargetError, match=words):
            patch.write(tmp_path, [], {}, str(tmp_path / place), True)


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    monkeypatch.setattr("os.link", interrupted)
    with pytest.raises(KeyboardInterrupt):
        patch.write(tmp_path, [conversion("a.cu", b"1\n", b"2\n")], {}, str(tmp_path / "x.patch"), False)
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_that_is_there_is_changed_or_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"same.h": "1\n", "old.h": "1\n"})
    patch.write(tmp_path, [], {"same.h": b"1\n", "old.h": b"2\n"}, str(tmp_path / "x.patch"), False)
    assert (tmp_path / "x.patch").read_bytes() == b"--- a/old.h\n+++ b/old.h\n@@ -1,1 +1,1 @@\n-1\n+2\n"
