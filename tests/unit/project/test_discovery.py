"""Which files are read, and what is said of the others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo, write

from cudamigrate.config import Config
from cudamigrate.errors import InputError
from cudamigrate.model import FileEntry, Inventory, Skip, SourceFile
from cudamigrate.project.discovery import discover, discover_files, languages, read, select, source
from cudamigrate.project.file_listing import listing

SUFFIXES = {".cu": "cuda", ".cuh": "cuda", ".h": "cxx", ".hpp": "cxx", ".cpp": "cxx"}


def paths(inventory: Inventory) -> list[str]:
    return [entry.path for entry in inventory.entries]


def reasons(inventory: Inventory) -> dict[str, tuple[str, str]]:
    return {skip.path: (skip.kind, skip.reason) for skip in inventory.skipped}


def look(root: Path, config: Config | None = None) -> Inventory:
    return discover(root, config or Config(), SUFFIXES)


@pytest.fixture(params=["git", "plain"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder, once as a git work tree and once outside git."""
    root = tmp_path / "tree"
    root.mkdir()
    if request.param == "git":
        Repo(root)
    return root


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a/b.cu", "cuda"),
        ("B.CU", "cuda"),
        ("x.cu.in", "template"),
        ("a.b.h", "cxx"),
        ("Makefile", "make"),
        ("x/dev-requirements.txt", "requirements"),
        ("notes.txt", ""),
        ("cu", ""),
        (".cu", ""),
        ("Makefile.bak", ""),
    ],
)
def test_language_follows_the_name(name: str, language: str) -> None:
    known = {**SUFFIXES, ".cu.in": "template", "Makefile": "make", "*requirements*.txt": "requirements"}
    assert languages(known)(name) == language


def test_the_names_of_files_are_compiled_once_and_others_apart() -> None:
    assert languages({".cu": "cuda", "*.mk": "make"}) is languages({".cu": "cuda", "*.mk": "make"})
    assert languages({".cu": "cuda"})("a.mk") == "" and languages({".cu": "hip"})("a.cu") == "hip"


def test_files_come_sorted_with_size_and_language(tree: Path) -> None:
    write(tree, {"z.cu": "12345", "a/x.h": "1", "a.cpp": "", "notes.md": "", "a/b/c.cuh": ""})
    found = look(tree)
    assert found.entries == (
        FileEntry("a.cpp", "cxx", 0),
        FileEntry("a/b/c.cuh", "cuda", 0),
        FileEntry("a/x.h", "cxx", 1),
        FileEntry("z.cu", "cuda", 5),
    )
    assert found.other == 1
    assert found.skipped == ()


def test_ignored_files_are_left_out(tree: Path) -> None:
    write(tree, {".gitignore": "build/\n*.gen.cu\n!keep.gen.cu\n", "sub/.gitignore": "/only_here.cu\n!b.gen.cu\n"})
    write(tree, {"build/a.cu": "", "a.gen.cu": "", "keep.gen.cu": "", "sub/only_here.cu": "", "sub/b.gen.cu": ""})
    write(tree, {"sub/x/only_here.cu": "", "main.cu": ""})
    assert paths(look(tree)) == ["keep.gen.cu", "main.cu", "sub/b.gen.cu", "sub/x/only_here.cu"]


def test_build_files_that_patterns_take_are_read_where_no_index_can_be_asked(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "Makefile\n*.txt\nbuild/\n", "sub/Makefile": "", "sub/notes.txt": "", "a.cu": ""})
    write(tmp_path, {"Makefile": "", "CMakeLists.txt": "", "build/Makefile": "", "build/CMakeLists.txt": ""})
    found = listing(tmp_path)
    assert sorted(found.files) == [".gitignore", "CMakeLists.txt", "Makefile", "a.cu", "sub/Makefile"]
    assert found.skipped == []


@pytest.mark.parametrize("mark", ["CMakeCache.txt", "config.status", "Makefile.in", "cmake_install.cmake"])
def test_a_makefile_that_a_build_may_have_generated_is_said_to_be_passed_over(tmp_path: Path, mark: str) -> None:
    write(tmp_path, {".gitignore": "Makefile\n*.txt\n", "Makefile": "", "CMakeLists.txt": "", mark: "", "a.cu": ""})
    found = listing(tmp_path)
    assert "Makefile" not in found.files and "CMakeLists.txt" in found.files
    assert [(skip.path, skip.kind, skip.notice) for skip in found.skipped] == [("Makefile", "ignored", True)]


def test_parts_of_makefiles_that_patterns_take_are_read_where_no_index_can_be_asked(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "config.mk\n*.d\n*.m4\n", "make/config.mk": "", "make/a.d": "", "Makefile": ""})
    write(tmp_path, {"m4/gpu.m4": "", "m4/aclocal.m4": ""})
    write(tmp_path, {"built/config.mk": "", "built/config.status": ""})
    found = listing(tmp_path)
    assert sorted(found.files) == [".gitignore", "Makefile", "built/config.status", "m4/gpu.m4", "make/config.mk"]
    assert [skip.path for skip in found.skipped] == ["built/config.mk"]


def test_a_build_file_that_git_ignores_stays_out(repo: Repo) -> None:
    repo.commit({".gitignore": "Makefile\n", "a.cu": ""})
    repo.write({"Makefile": ""})
    assert sorted(listing(repo.root).files) == [".gitignore", "a.cu"]


def test_tracked_and_untracked_files_are_read_but_not_deleted_ones(repo: Repo) -> None:
    repo.commit({"tracked.cu": "", "deleted.cu": "", "forced.log.cu": "", ".gitignore": ""})
    repo.write({"untracked.cu": "", ".gitignore": "*.log.cu\n", "other.log.cu": ""})
    (repo.root / "deleted.cu").unlink()
    assert paths(look(repo.root)) == ["forced.log.cu", "tracked.cu", "untracked.cu"]


def test_a_file_in_conflict_is_read_once(repo: Repo) -> None:
    repo.commit({"a.cu": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.cu": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.cu": "3\n"})
    with pytest.raises(AssertionError):
        repo.git("merge", "side")
    assert paths(look(repo.root)) == ["a.cu"]


def test_a_sub_folder_of_a_work_tree_has_its_own_paths(repo: Repo) -> None:
    repo.commit({"a.cu": "", "src/b.cu": "", "src/.gitignore": "", ".gitignore": "no.cu"})
    repo.write({"src/no.cu": "", "src/new.cu": ""})
    assert paths(look(repo.root / "src")) == ["b.cu", "new.cu"]


def test_a_folder_that_the_repository_around_it_ignores_is_read(repo: Repo) -> None:
    repo.commit({".gitignore": "downloads/\n"})
    repo.write({"downloads/x/a.cu": ""})
    assert paths(look(repo.root / "downloads/x")) == ["a.cu"]
    assert paths(look(repo.root)) == []


def test_a_repository_without_commits_is_read(repo: Repo) -> None:
    repo.write({"a.cu": ""})
    assert paths(look(repo.root)) == ["a.cu"]
    assert look(repo.root).skipped == ()


def test_without_git_the_folder_is_walked_with_a_notice(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write({".gitignore": "no.cu", "a.cu": "", "no.cu": "", "src/no.cu": "", "src/b.cu": ""})
    monkeypatch.setenv("PATH", "")
    found = look(repo.root)
    assert paths(found) == ["a.cu", "src/b.cu"]
    assert reasons(found) == {".": ("git", "git is not installed; the folder was read without git")}
    assert paths(look(repo.root / "src")) == ["b.cu"]


def test_a_damaged_repository_is_walked_with_a_notice(repo: Repo) -> None:
    repo.commit({"a.cu": ""})
    (repo.root / ".git/HEAD").write_bytes(b"garbage")
    found = look(repo.root)
    assert paths(found) == ["a.cu"]
    assert reasons(found)["."][0] == "git"


def test_a_repository_of_another_owner_is_walked_with_a_notice(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.cu": ""})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    found = look(repo.root)
    assert paths(found) == ["a.cu"]
    assert "safe.directory" in reasons(found)["."][1]


def test_the_repository_of_a_hook_does_not_mislead(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit({"wrong.cu": ""})
    repo.commit({"right.cu": ""})
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git/index"))
    assert paths(look(repo.root)) == ["right.cu"]


def test_vendored_folders_are_counted_not_read(tree: Path) -> None:
    write(tree, {"third_party/a/x.cu": "", "third_party/b/y.h": "", "third_party/readme": "", "src/Vendor/z.cu": ""})
    write(tree, {"vendor.cu": "", "external": "", "src/vendor_a/a.cu": ""})
    found = look(tree)
    assert paths(found) == ["src/vendor_a/a.cu", "vendor.cu"]
    assert found.vendored == {"src/Vendor": 1, "third_party": 2}
    assert (found.other, found.skipped) == (2, ())


def test_vendored_folders_can_be_entered(tree: Path) -> None:
    write(tree, {"third_party/a.cu": "", "deps/b.cu": ""})
    found = look(tree, Config(enter_vendored=True))
    assert paths(found) == ["deps/b.cu", "third_party/a.cu"]
    assert found.vendored == {}
    assert paths(look(tree, Config(vendored=("deps/",)))) == ["third_party/a.cu"]


def test_include_reads_only_what_matches_also_in_vendored_folders(tree: Path) -> None:
    write(tree, {"third_party/mine/a.cu": "", "third_party/theirs/b.cu": "", "c.cu": ""})
    found = look(tree, Config(include=("third_party/mine/",)))
    assert paths(found) == ["third_party/mine/a.cu"]
    assert (found.ignored, found.vendored) == (2, {})


def test_exclude_is_stronger_than_include(tree: Path) -> None:
    write(tree, {"a.cu": "", "old/b.cu": "", "x/old/c.cu": "", "old.md": ""})
    found = look(tree, Config(exclude=("/old/",), include=("old/",)))
    assert paths(found) == ["x/old/c.cu"]
    assert found.ignored == 2


def test_a_scanned_folder_inside_a_vendored_one_is_read(tree: Path) -> None:
    write(
        tree,
        {
            "third_party/lib/a.cu": "",
            "third_party/lib/external/b.cu": "",
            "third_party/lib/src/c.h": "",
            ".cudamigrate.toml": "",
        },
    )
    found = look(tree / "third_party/lib", Config(folder=str(tree)))
    assert paths(found) == ["a.cu", "src/c.h"]
    assert found.vendored == {"external": 1}


def test_globs_are_relative_to_the_configuration_file(tree: Path) -> None:
    write(tree, {"src/old/a.cu": "", "src/b.cu": ""})
    assert paths(look(tree / "src", Config(exclude=("src/old/",), folder=str(tree)))) == ["b.cu"]
    assert paths(look(tree / "src", Config(exclude=("src/old/",)))) == ["b.cu", "old/a.cu"]


@pytest.mark.parametrize(
    ("marker", "home"),
    [
        ("csrc/cutlass/include/cutlass/cutlass.h", "csrc/cutlass"),
        ("tools/cub-1.8.0/cub/cub.h", ""),
        ("contrib/libs/nvidia/cccl/cub/cub/cub.cuh", "contrib/libs/nvidia/cccl/cub"),
        ("contrib/libs/nvidia/cccl/thrust/thrust/version.h", "contrib/libs/nvidia/cccl/thrust"),
        ("contrib/libs/nvidia/cub-1.8.0/cub/cub.cuh", "contrib/libs/nvidia/cub-1.8.0"),
        ("contrib/libs/nvidia/kernels/a.cuh", ""),
        ("src/cccl/cub/kernels.cuh", ""),
        ("include/cutlass/cutlass.h", ""),
        ("src/cutlass/gemm.h", ""),
        ("src/include/nvtx3/nvToolsExt.h", "src/include/nvtx3"),
        ("lib/glm-0.9/glm/glm.hpp", "lib/glm-0.9"),
        ("glm/glm.hpp", ""),
        ("my_pybind11/include/pybind11/pybind11.h", ""),
    ],
)
def test_whole_copies_of_known_libraries_are_vendored(tree: Path, marker: str, home: str) -> None:
    write(tree, {marker: ""})
    found = look(tree)
    assert found.vendored == ({home: 1} if home else {})
    assert paths(found) == ([] if home else [marker])


CUB = {"inc/cub/cub.cuh": "", "inc/cub/util_type.cuh": "", "inc/cub/warp/warp_scan.cuh": ""}


@pytest.mark.parametrize(
    ("files", "copies"),
    [
        ({**CUB, "src/a.cu": ""}, {"inc/cub": 3}),
        (
            {**CUB, "inc/thrust/version.h": "", "inc/thrust/device_vector.h": "", "a.cu": ""},
            {"inc/cub": 3, "inc/thrust": 2},
        ),
        ({**CUB, "test/a.cu": "", "examples/device/b.cu": "", "CMakeLists.txt": ""}, {}),
        ({"inc/cub/cub.cuh": "", "src/a.cu": ""}, {}),
        ({"cub.cuh": "", "util_type.cuh": "", "src/a.cu": ""}, {}),
    ],
)
def test_copied_headers_of_a_library_that_converted_code_replaces_are_vendored(
    tree: Path, files: dict[str, str], copies: dict[str, int]
) -> None:
    write(tree, files)
    assert look(tree).vendored == copies


def test_a_copy_is_known_by_a_file_that_is_not_read_itself(tree: Path) -> None:
    write(tree, {"lib/libcudacxx/include/cuda/std/version": "", "lib/libcudacxx/include/a.cuh": "", "Eigen/a.cuh": ""})
    write(tree, {"lib/eigen3/Eigen/Core": "", "lib/eigen3/Eigen/b.cuh": ""})
    found = look(tree)
    assert found.vendored == {"lib/eigen3": 1, "lib/libcudacxx": 1} and paths(found) == ["Eigen/a.cuh"]


def test_an_archive_of_a_branch_is_a_copy(tree: Path) -> None:
    write(tree, {"a.cu": "", "glm-master/glm/glm.hpp": "", "glm-master/k.cuh": "", "glm-own/glm/glm.hpp": ""})
    write(tree, {"moderngpu-main/include/moderngpu.cuh": "", "glm-own/k.cuh": "", "moderngpu-master/k.cuh": ""})
    found = look(tree)
    assert found.vendored == {"glm-master": 2, "moderngpu-main": 1}
    assert paths(found) == ["a.cu", "glm-own/glm/glm.hpp", "glm-own/k.cuh", "moderngpu-master/k.cuh"]


def test_links_are_named_and_their_targets_read_once(tree: Path, tmp_path: Path) -> None:
    write(tree, {"real.cu": "", "third_party/v.cu": ""})
    write(tmp_path, {"outside/o.cu": ""})
    (tree / "inside.cu").symlink_to("real.cu")
    (tree / "vendored.cu").symlink_to("third_party/v.cu")
    (tree / "outside.cu").symlink_to(tmp_path / "outside/o.cu")
    (tree / "nowhere.cu").symlink_to("missing.cu")
    (tree / "loop.cu").symlink_to("loop.cu")
    (tree / "up").symlink_to("..")
    (tree / "here").symlink_to(".")
    (tree / "folder.cu").symlink_to(".")
    found = look(tree)
    assert paths(found) == ["real.cu"]
    assert reasons(found) == {
        "inside.cu": ("link", "link to `real.cu`, which is read under that name"),
        "vendored.cu": ("link", "link to `third_party/v.cu`, which is not read"),
        "outside.cu": ("link", "link leaves the scanned folder"),
        "nowhere.cu": ("link", "link leads nowhere"),
        "loop.cu": ("link", "link leads back to itself"),
        "folder.cu": ("link", "link to `.`, which is not read"),
        "up": ("link", "link to a folder outside the scanned one"),
    }


@pytest.mark.parametrize(("link", "language"), [("b.cu", "cuda"), ("b.cc", "cxx"), ("b.txt", "cxx")])
def test_a_source_that_a_link_names_as_cuda_is_read_as_cuda(tree: Path, link: str, language: str) -> None:
    write(tree, {"a.cpp": ""})
    (tree / link).symlink_to("a.cpp")
    assert [(entry.path, entry.language) for entry in look(tree).entries] == [("a.cpp", language)]


def test_tracked_links_are_seen_as_links(repo: Repo, tmp_path: Path) -> None:
    write(tmp_path, {"outside/o.cu": ""})
    (repo.root / "away").symlink_to(tmp_path / "outside")
    repo.commit({"a.cu": ""})
    assert reasons(look(repo.root)) == {"away": ("link", "link to a folder outside the scanned one")}


def test_large_files_are_skipped(tree: Path) -> None:
    write(tree, {"big.cu": "x" * 11, "fits.cu": "x" * 10})
    found = look(tree, Config(max_file_size=10))
    assert paths(found) == ["fits.cu"]
    assert reasons(found)["big.cu"] == ("too-large", "11 bytes, more than the 10 of `max-file-size`")


def test_special_files_are_skipped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    assert reasons(look(tmp_path)) == {"pipe.cu": ("unreadable", "not a regular file")}


def test_what_became_a_link_after_the_listing_is_not_read(tree: Path, tmp_path: Path) -> None:
    write(tree, {"a.cu": "1", "sub/b.cu": "1", "grown.cu": "1"})
    write(tmp_path / "elsewhere", {"a.cu": "secret", "b.cu": "secret"})
    found = look(tree)
    assert paths(found) == ["a.cu", "grown.cu", "sub/b.cu"]
    (tree / "a.cu").unlink()
    (tree / "a.cu").symlink_to(tmp_path / "elsewhere" / "a.cu")
    (tree / "sub").rename(tree / "was")
    (tree / "sub").symlink_to(tmp_path / "elsewhere")
    (tree / "grown.cu").write_bytes(b"x" * 20_000_000)
    for entry in found.entries:
        assert isinstance(read(tree, entry), Skip)


@pytest.mark.parametrize("name", [".gitignore", ".gitmodules"])
def test_lists_that_are_pipes_or_devices_are_passed_over(tmp_path: Path, name: str) -> None:
    tree = tmp_path / "plain"
    write(tree, {"a.cu": "1"})
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        make(tree / name)
        assert paths(look(tree)) == ["a.cu"]
        (tree / name).unlink()


def test_names_that_are_not_utf8_are_skipped(tree: Path) -> None:
    (tree / os.fsdecode(b"caf\xe9.cu")).write_bytes(b"")
    write(tree, {"café.cu": ""})
    found = look(tree)
    assert paths(found) == ["café.cu"]
    assert reasons(found) == {"caf\\xe9.cu": ("unreadable", "unreadable name: not UTF-8")}


def test_odd_names_are_read(tree: Path) -> None:
    names = ['a "quoted".cu', "new\nline.cu", "tab\t.cu", " space .cu"]
    write(tree, dict.fromkeys(names, ""))
    assert paths(look(tree)) == sorted(names)


def test_submodules_are_named_and_entered_when_asked(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit({"i.cu": ""})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "lib/inner")
    repo.commit({"a.cu": ""})
    Repo(repo.root / "nested").commit({"n.cu": ""})
    found = look(repo.root)
    assert (paths(found), found.submodules) == (["a.cu"], ("lib/inner", "nested"))
    assert paths(look(repo.root, Config(submodules=True))) == ["a.cu", "lib/inner/i.cu", "nested/n.cu"]


def test_a_submodule_that_is_not_checked_out_is_said(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit({"i.cu": ""})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "inner")
    repo.commit({"a.cu": ""})
    repo.git("submodule", "deinit", "-q", "-f", "inner")
    assert reasons(look(repo.root, Config(submodules=True))) == {"inner": ("submodule", "submodule is not checked out")}


def test_outside_git_declared_submodules_are_named(tmp_path: Path) -> None:
    write(
        tmp_path, {".gitmodules": '[submodule "x"]\n\tpath = libs/x\n\turl = y\n', "libs/x/a.cu": "", "libs/b.cu": ""}
    )
    found = look(tmp_path)
    assert (paths(found), found.submodules) == (["libs/b.cu"], ("libs/x",))
    assert paths(look(tmp_path, Config(submodules=True))) == ["libs/b.cu", "libs/x/a.cu"]


def test_machine_folders_are_not_walked(tmp_path: Path) -> None:
    write(tmp_path, {"node_modules/a.cu": "", "x/.venv/b.cu": "", ".hg/c.cu": "", "venv.cu": "", "build/d.cu": ""})
    assert paths(look(tmp_path)) == ["build/d.cu", "venv.cu"]


def test_a_single_file_may_be_scanned(tree: Path) -> None:
    write(tree, {"third_party/a.cu": "abc", "third_party/b.cu": "", "notes.md": ""})
    found = look(tree / "third_party/a.cu")
    assert (found.root, found.entries) == (str(tree / "third_party"), (FileEntry("a.cu", "cuda", 3),))
    assert look(tree / "notes.md").entries == ()


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere does not exist\."):
        look(tmp_path / "nowhere")


def test_named_files_are_taken_wherever_they_stand(tree: Path) -> None:
    write(
        tree, {".gitignore": "gen.cu", "gen.cu": "", "third_party/a.cu": "", "old.cu": "", "x.md": "", "src/b.cu": ""}
    )
    names = [tree / name for name in ("gen.cu", "third_party/a.cu", "old.cu", "x.md", "gen.cu", "src")]
    found = discover_files(tree, names, Config(exclude=("old.cu",)), SUFFIXES)
    assert paths(found) == ["gen.cu", "src/b.cu", "third_party/a.cu"]
    assert found.ignored == 1


def test_a_named_vendored_folder_is_entered(tree: Path) -> None:
    write(tree, {"third_party/lib/a.cu": "", "third_party/lib/deps/b.cu": ""})
    found = discover_files(tree, [tree / "third_party"], Config(), SUFFIXES)
    assert (paths(found), found.vendored) == (["third_party/lib/a.cu"], {"third_party/lib/deps": 1})


def test_named_files_may_be_relative_to_the_current_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree, {"src/a.cu": ""})
    monkeypatch.chdir(tree / "src")
    assert paths(discover_files(Path(".."), [Path("a.cu")], Config(), SUFFIXES)) == ["src/a.cu"]


def test_named_files_must_exist_inside_the_root(tree: Path, tmp_path: Path) -> None:
    write(tmp_path, {"out.cu": ""})
    with pytest.raises(InputError, match="is outside"):
        discover_files(tree, [tmp_path / "out.cu"], Config(), SUFFIXES)
    with pytest.raises(InputError, match="does not exist"):
        discover_files(tree, [tree / "no.cu"], Config(), SUFFIXES)


def test_what_macos_keeps_beside_a_file_is_no_source(tmp_path: Path) -> None:
    write(tmp_path, {"a.cu": "int a;", "._a.cu": b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X", "._b.cu": b"int b;"})
    found = discover(tmp_path, Config(), SUFFIXES)
    assert [one.path for one in found.entries] == ["._b.cu", "a.cu"] and found.skipped == ()
    write(tmp_path, {"b.cu": b"\x00\x05\x16\x07"})
    assert "b.cu" in [one.path for one in discover(tmp_path, Config(), SUFFIXES).entries]


def test_names_alone_can_be_judged(tmp_path: Path) -> None:
    names = ["b.cu", "a.h", "third_party/c.cu", "x.md", "old/d.cu"]
    assert select(tmp_path, names, Config(exclude=("old/",)), SUFFIXES) == [("a.h", "cxx"), ("b.cu", "cuda")]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"a\0b", "binary"),
        (b"\xff\xfea\0", "encoding"),
        (b"\xfe\xff\0a", "encoding"),
        (b"\xff\xfe\0\0a\0\0\0", "encoding"),
    ],
)
def test_content_that_is_not_text_is_skipped(data: bytes, kind: str) -> None:
    skip = source("a.cu", data, "cuda")
    assert isinstance(skip, Skip)
    assert (skip.path, skip.kind) == ("a.cu", kind)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbfint a;", b"// caf\xe9\r\n", b"\x0c\x7f"])
def test_text_in_any_byte_encoding_is_read_as_it_is(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, {"a.cu": data})
    assert read(tmp_path, FileEntry("a.cu", "cuda", 0)) == SourceFile("a.cu", data, "cuda")


def test_a_file_that_went_away_is_unreadable(tmp_path: Path) -> None:
    skip = read(tmp_path, FileEntry("gone.cu", "cuda", 0))
    assert skip == Skip("gone.cu", "unreadable", "cannot be read: No such file or directory")
