"""What belongs to the project, with and without git."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from gitrepo import Repo, write
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from cudamigrate.project.file_listing import OUTPUT_MARK, globs, listing


@pytest.fixture(params=["git", "plain"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder, once as a git work tree and once outside git."""
    root = tmp_path / "tree"
    root.mkdir()
    if request.param == "git":
        Repo(root)
    return root


def test_every_kind_of_file_is_listed(tree: Path) -> None:
    write(tree, {"a.cu": "", "b/c.txt": "", ".hidden": ""})
    (tree / "link").symlink_to("b")
    found = listing(tree)
    assert sorted(found.files) == [".hidden", "a.cu", "b/c.txt", "link"]
    assert found.links == ["link"]
    assert found.git == (tree / ".git").exists()


def test_converted_copies_are_passed_over_but_not_when_listed_themselves(tree: Path) -> None:
    write(tree, {"a.cu": "", f"out/{OUTPUT_MARK}": "", "out/a.cu": "", "out/b/c.cu": "", "outer/d.cu": ""})
    assert sorted(listing(tree).files) == ["a.cu", "outer/d.cu"]
    assert sorted(listing(tree / "out").files) == [OUTPUT_MARK, "a.cu", "b/c.cu"]


def test_a_repository_whose_files_are_all_ignored_is_empty(repo: Repo) -> None:
    repo.write({".git/info/exclude": "*\n", "a.cu": ""})
    assert listing(repo.root).files == []


def test_an_ignored_folder_is_not_entered_although_a_file_in_it_is_named(tree: Path) -> None:
    write(tree, {".gitignore": "build/\n!build/keep.cu\n", "build/keep.cu": "", "a.cu": ""})
    assert sorted(listing(tree).files) == [".gitignore", "a.cu"]


def test_code_in_an_ignored_folder_is_named_where_no_git_says_whose_it_is(tmp_path: Path) -> None:
    headers = {f"include/thesis/{name}": "" for name in ("a.h", "b.cuh")}
    made = {"build/CMakeCache.txt": "", "build/a.h": "", "data/a.txt": ""}
    write(tmp_path, {".gitignore": "thesis/\nbuild/\ndata/\n", "a.cu": "", **headers, **made})
    found = listing(tmp_path)
    assert sorted(found.files) == [".gitignore", "a.cu"]
    assert [(one.path, one.kind, "2 files of code" in one.reason) for one in found.skipped] == [
        ("include/thesis", "ignored", True)
    ]


def test_patterns_follow_gitignore() -> None:
    spec = globs(["*.o", "!keep.o", "/top.cu", "dir/", "# note", "a/**/z.cu"])
    hits = ["x/a.o", "top.cu", "x/dir/f.cu", "a/z.cu", "a/b/c/z.cu"]
    misses = ["keep.o", "x/top.cu", "dir", "# note", "b/z.cu"]
    assert [path for path in hits + misses if spec.match_file(path)] == hits


_PART = st.sampled_from(["*", "a", "b*", "**", "?x", "[ab]", "c.o", ".d"])
_LINE = st.builds(
    lambda free, start, parts, end: free + start + "/".join(parts) + end,
    st.sampled_from(["", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(_PART, min_size=1, max_size=3),
    st.sampled_from(["", "/"]),
)
_PATH = st.lists(st.sampled_from(["a", "ab", "b", "bx", "ax", "c.o", ".d"]), min_size=1, max_size=4).map("/".join)


@given(st.lists(_LINE, max_size=5), _PATH)
def test_the_short_cut_over_all_patterns_changes_no_answer(lines: list[str], path: str) -> None:
    assert globs(lines).match_file(path) == GitIgnoreSpec.from_lines(lines).match_file(path)


@pytest.mark.parametrize(
    "lines",
    [
        ["*", "!*.*", "!*/", "*.o"],  # all but what has a suffix, in all folders
        ["/*", "!/a", "/a/*", "!/a/b"],
        ["a/**", "!a/", "!a/b/", "!a/b/k.cu"],
        ["b/", "!b"],
        ["**/b/*.cu", "!k.cu"],
    ],
)
def test_a_folder_that_is_walked_gives_what_git_lists(lines: list[str], repo: Repo) -> None:
    paths = ["README", "k.cu", "x.o", "a/README", "a/k.cu", "a/b/k.cu", "a/b/x.o", "a/b/c/m.cu", "b/k.cu"]
    repo.write({".gitignore": "\n".join(lines) + "\n", **dict.fromkeys(paths, "")})
    asked = sorted(listing(repo.root).files)
    shutil.rmtree(repo.root / ".git")
    assert sorted(listing(repo.root).files) == asked


def test_a_pattern_that_is_not_valid_matches_nothing() -> None:
    spec = globs(["!", "*.o", "///"])
    assert spec.match_file("a.o")
    assert not spec.match_file("a.cu")


@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize("folder", ["build/", ""])
def test_what_cmake_wrote_for_a_build_is_no_code_of_the_project(tracked: bool, folder: str, repo: Repo) -> None:
    """A folder of that name without a build around it is the project's."""
    kept = ["CMakeLists.txt", "a.cu", "cmake/CMakeFiles/own.cmake", "lib/Makefile", f"{folder}kept.cu"]
    tried = [f"{folder}CMakeFiles/3.23.0/CompilerIdCUDA/tmp/id.cudafe1.cpp", f"{folder}CMakeFiles/app.dir/build.make"]
    tried += [f"{folder}{name}" for name in ("CMakeCache.txt", "Makefile", "cmake_install.cmake")]
    repo.write(dict.fromkeys([*kept, *tried], ""))
    if not tracked:
        shutil.rmtree(repo.root / ".git")
    found = listing(repo.root)
    assert sorted(found.files) == sorted(kept)
    assert [(skip.path, skip.kind) for skip in found.skipped] == [(f"{folder}CMakeFiles", "generated")]


@pytest.mark.parametrize("tracked", [True, False])
def test_copies_that_jupyter_keeps_are_no_files_of_the_project(tracked: bool, repo: Repo) -> None:
    kept = ["a.cu", "checkpoints/b.cu", "my.ipynb_checkpoints/c.cu", "src/ipynb_checkpoints/d.cu"]
    copies = [".ipynb_checkpoints/a-checkpoint.cu", "src/.ipynb_checkpoints/x/e.h", "nb/.ipynb_checkpoints/f.ipynb"]
    repo.write(dict.fromkeys([*kept, *copies], ""))
    if not tracked:
        shutil.rmtree(repo.root / ".git")
    found = listing(repo.root)
    assert sorted(found.files) == kept
    assert [(skip.path, skip.kind) for skip in found.skipped] == [
        (".ipynb_checkpoints", "copy"),
        ("src/.ipynb_checkpoints", "copy"),
    ]
