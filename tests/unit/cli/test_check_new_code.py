"""`check` reports new code alone: in what is staged, since a commit, and by a patch."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import Checker
from gitrepo import Repo

OLD = "#include <cuda_runtime.h>\nvoid f(void **p) {\n  cudaMalloc(p, 4);\n}\n"


@pytest.fixture
def repo(tmp_path):
    made = Repo(tmp_path)
    made.commit({"a.cu": OLD, "README.md": "text\n"}, "first")
    return made


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    return Checker(tmp_path, monkeypatch, capsys)


def stage(repo, files):
    repo.write(files)
    repo.git("add", "-A")


def test_a_remark_in_an_old_file_is_no_problem(repo, check):
    stage(repo, {"a.cu": OLD.replace("void f", "// says what f does\nvoid f")})
    assert check().code == 0
    stage(repo, {"a.cu": OLD.replace("p, 4);", "p, 4);  // four bytes")})
    assert (check().code, check().lines) == (0, [])


def test_an_added_line_is_reported_and_old_ones_are_not(repo, check):
    stage(repo, {"a.cu": OLD.replace("}\n", "  cudaFree(*p);\n}\n")})
    done = check()
    assert done.code == 1
    assert done.places == ["a.cu:4 api/cudaFree"]
    assert done.lines[-1] == "1 problem in 1 file."
    assert check("-q").lines == done.lines[:-1]


def test_a_changed_line_is_new(repo, check):
    stage(repo, {"a.cu": OLD.replace("p, 4", "p, 8")})
    assert check().places == ["a.cu:3 api/cudaMalloc"]


def test_a_moved_line_is_not_new(repo, check):
    moved = "#include <cuda_runtime.h>\nint n;\nvoid g(void **p) {\n    cudaMalloc(p, 4);\n}\n"
    stage(repo, {"a.cu": moved})
    assert check().places == []


def test_a_line_moved_to_another_file_is_not_new(repo, check):
    (repo.root / "a.cu").unlink()
    stage(repo, {"b.cu": OLD + "void g() { cudaDeviceReset(); }\n"})
    assert check().places == ["b.cu:5 api/cudaDeviceReset"]


def test_a_copied_line_is_new(repo, check):
    stage(repo, {"a.cu": OLD + "void g(void **p) {\n  cudaMalloc(p, 4);\n}\n"})
    assert check().places == ["a.cu:6 api/cudaMalloc"]


def test_a_renamed_file_has_only_its_changes(repo, check):
    body = OLD + "".join(f"int n{number};\n" for number in range(20))
    repo.commit({"a.cu": body}, "longer")
    (repo.root / "a.cu").rename(repo.root / "c.cu")
    stage(repo, {"c.cu": body + "void g(void *p) { cudaFree(p); }\n"})
    assert check().places == ["c.cu:25 api/cudaFree"]


def test_the_first_commit_is_new_as_a_whole(tmp_path, monkeypatch, capsys):
    repo = Repo(tmp_path)
    stage(repo, {"a.cu": OLD})
    assert Checker(tmp_path, monkeypatch, capsys)().places == ["a.cu:1 api/cuda_runtime.h", "a.cu:3 api/cudaMalloc"]


def test_partial_staging_counts_what_is_staged(repo, check):
    stage(repo, {"a.cu": OLD.replace("}\n", "  cudaFree(*p);\n}\n")})
    repo.write({"a.cu": OLD.replace("}\n", "  cudaFree(*p);\n  cudaDeviceReset();\n}\n")})
    assert check().places == ["a.cu:4 api/cudaFree"]
    assert check("a.cu").places == ["a.cu:4 api/cudaFree"]


def test_of_a_merge_only_what_no_parent_has_is_new(repo, check):
    base = OLD + "int n;\n" * 5
    repo.commit({"a.cu": base}, "base")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.cu": base.replace("p, 4);", "p, 4);\n  cudaFree(*p);"), "s.cu": OLD}, "side")
    repo.git("checkout", "-q", "main")
    repo.commit({"a.cu": base + "void g() { cudaDeviceReset(); }\n"}, "main")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")
    assert check().code == 0
    merged = (repo.root / "a.cu").read_text()
    stage(repo, {"a.cu": merged + "void h() { cudaProfilerStop(); cudaDeviceSynchronize(); }\n"})
    assert [place.split()[0] for place in check().places] == ["a.cu:12"] * len(check().places) != []


SUM = """#include <cuda_runtime.h>
constexpr int LANES = 32;
__device__ float total(float v) {
  for (int o = LANES / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o, LANES);
  return v;
}
"""
SHARED = """#include <cuda_runtime.h>
#define SIZE 1024
__global__ void k(float *x) {
  __shared__ float kept[SIZE];
  kept[threadIdx.x] = x[threadIdx.x];
  x[0] = kept[0];
}
"""


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        (SUM, SUM.replace("= 32", "= 64"), "a.cu:4 warp/sync-shuffle"),
        (SHARED, SHARED.replace("1024", "30000"), "a.cu:4 memory/static-shared-memory"),
    ],
)
def test_a_constant_changed_elsewhere_brings_findings_on_old_lines(repo, check, before, after, place):
    repo.commit({"a.cu": before}, "old")
    stage(repo, {"a.cu": after})
    assert check().places == [place]
    stage(repo, {"a.cu": before.replace("__", "int unused;\n__", 1)})
    assert check().places == []


def test_since_a_commit(repo, check):
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.cu": OLD.replace("}\n", "  cudaFree(*p);\n}\n")}, "topic")
    repo.git("checkout", "-q", "main")
    repo.commit({"m.cu": OLD}, "goes on")
    repo.git("checkout", "-q", "topic")
    assert check("--since", "main").places == ["a.cu:4 api/cudaFree"]
    assert check("--since=main", "m.cu").places == []
    repo.write({"a.cu": (repo.root / "a.cu").read_text() + "void g() { cudaDeviceReset(); }\n"})
    assert check("--since", "main").places == ["a.cu:4 api/cudaFree", "a.cu:6 api/cudaDeviceReset"]


def test_two_commits_that_pre_commit_compares(repo, check, monkeypatch):
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.cu": OLD.replace("}\n", "  cudaFree(*p);\n}\n")}, "topic")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "main")
    assert check("a.cu").places == ["a.cu:4 api/cudaFree"]


def test_by_a_patch(repo, check):
    repo.write({"a.cu": OLD.replace("}\n", "  cudaFree(*p);\n}\n"), "odd näme.cu": OLD})
    repo.git("add", "-N", "odd näme.cu")
    (repo.root / "my.patch").write_text(repo.git("diff") + "\n")
    found = check("--diff", "my.patch").places
    assert found == ["a.cu:4 api/cudaFree", "odd näme.cu:1 api/cuda_runtime.h", "odd näme.cu:3 api/cudaMalloc"]


def test_whole_files_folders_and_globs(repo, check):
    repo.commit({"src/b.cu": OLD, "src/deep/c.cuh": OLD, "lib/d.cu": OLD}, "more")
    assert check().places == check("src").places == []
    assert {place.partition(":")[0] for place in check("--all", "src").places} == {"src/b.cu", "src/deep/c.cuh"}
    assert {place.partition(":")[0] for place in check("--all", "**/*.cuh").places} == {"src/deep/c.cuh"}
    stage(
        repo, {"src/b.cu": OLD + "void g() { cudaDeviceReset(); }\n", "lib/d.cu": OLD + "void g() { cudaFree(0); }\n"}
    )
    assert check("src").places == check("src/*.cu").places == ["src/b.cu:5 api/cudaDeviceReset"]


def test_files_of_a_folder_outside_are_named_each(repo, check, tmp_path):
    outside = tmp_path / "outside" / "deep"
    outside.mkdir(parents=True)
    for name in ("a.cu", "b.cu"):
        (outside / name).write_text(OLD)
    whole = [place.partition(":")[0] for place in check("--all", str(outside.parent)).places]
    assert [Path(path).parts[-3:] for path in sorted(set(whole))] == [
        ("outside", "deep", "a.cu"),
        ("outside", "deep", "b.cu"),
    ]


def test_a_file_that_git_does_not_track_is_new_as_a_whole(repo, check):
    repo.write({"new.cu": OLD})
    assert check().places == []
    assert check("new.cu").places == ["new.cu:1 api/cuda_runtime.h", "new.cu:3 api/cudaMalloc"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--since", "no-such"], "`no-such` is not a commit"),
        (["--all", "*.nothing"], "matches no file"),
        (["no-such.cu"], "is not a file; name files"),
    ],
)
def test_what_is_not_there_is_said(repo, check, words, said):
    from cudamigrate.errors import InputError

    with pytest.raises(InputError, match=said):
        check(*words)


def test_options_that_the_quick_reader_leaves_to_the_parser():
    from cudamigrate.cli import hook

    assert hook.read(["--rocm", "7.0"]) is None
    assert hook.read(["--since"]) is None
    assert hook.read(["-h"]) is None
    given = hook.read(["--select", "warp,api/cudaFree", "--select=build", "--", "-odd.cu"])
    assert given is not None and (given.select, given.files) == (("warp", "api/cudaFree", "build"), ("-odd.cu",))
