"""What `check` leaves out, and does not fix, where sources are for both vendors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.config import Config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline import check, check_fixes

SETUP = "from torch.utils.cpp_extension import CUDAExtension\nsetup(ext_modules=[CUDAExtension('a', ['a.cu'])])\n"
CODE = """\
#include <cuda_runtime.h>
__global__ void k(float *a) { std::printf("%f", a[0]); }
void run(float *a) {
    k<< <1, 32> >>(a);
    cudaMalloc(&a, 4);
    cudaHostRegister(a, 4, cudaHostRegisterReadOnly);
}
"""
BRANCHES = '#ifdef OWN_HIP\n#include <hip/hip_runtime.h>\n#else\n#include "a.h"\n#endif\n'


def checked(folder: Path, files: dict[str, str]) -> check.Checked:
    """What a check of `a.cu` finds in a repository of git's."""
    written(folder, {"a.cu": CODE, **files})
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return check.check([check.Item(SourceFile("a.cu", CODE.encode(), "cuda"))], Config(jobs=1), folder)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rules(found: check.Checked) -> set[str]:
    return {one.rule for one in found.problems}


def test_what_pytorchs_build_renames_is_no_problem(tmp_path: Path) -> None:
    found = checked(tmp_path / "tree", {"setup.py": SETUP})
    assert found.shared
    assert "api/cudaMalloc" not in rules(found) and "launch/std-function" in rules(found)
    assert "api/cudaMalloc" in rules(checked(tmp_path / "other", {"setup.py": "setup()\n"}))


def test_sources_for_both_vendors_get_no_fix_that_cuda_would_see(tmp_path: Path) -> None:
    def fixed(found: check.Checked) -> set[str]:
        return {one.rule for problems in check_fixes.fixable(found).values() for one in problems}

    assert fixed(checked(tmp_path / "tree", {"setup.py": SETUP})) == {"launch/spaced-chevrons"}
    alone = fixed(checked(tmp_path / "other", {}))
    assert {"launch/spaced-chevrons", "launch/std-function"} <= alone


def test_a_file_that_pytorchs_build_passes_over_keeps_its_findings(tmp_path: Path) -> None:
    part = "#include <cuda_runtime.h>\ninline void drop(float *a) { cudaFree(a); }\n"
    files = {"setup.py": SETUP, "a.cu": CODE + '#include "b.inl"\n#include "b.h"\n', "b.inl": part, "b.h": part}
    checked(tmp_path, files)
    items = [check.Item(SourceFile(path, part.encode(), "cxx")) for path in ("b.inl", "b.h")]
    found = check.check(items, Config(jobs=1), tmp_path).problems
    names = {path: [one.name for one in found if one.path == path and one.group == "api"] for path in files}
    assert names["b.inl"] == ["cuda_runtime.h", "cudaFree"]
    assert names["b.h"] == []


GROUPS = "#pragma once\n#include <cooperative_groups.h>\n"
BARE = (
    '#include "all.cuh"\n__global__ void sum(int *out, int *in) {\n  auto near = coalesced_threads();\n'
    "  int v = in[threadIdx.x];\n  for (int o = 16; o > 0; o >>= 1) v += near.shfl_down(v, o);\n"
    "  if (near.thread_rank() == 0) atomicAdd(out, v);\n}\n"
)
HELD = (
    '#include "all.cuh"\nHD inline int count(int n) {\n  std::vector<int> all(n);\n  return all.size();\n}\n'
    "__global__ void k(int *out) { *out = count(4); }\n"
)
COALESCED, LIBRARY = "cooperative-groups/coalesced-group", "launch/host-library-on-device"


def seen(folder: Path, code: str, headers: dict[str, str], path: str = "src/a.cu") -> set[str]:
    """The rules of the problems in a file that is checked beside headers which git tracks."""
    written(folder, headers)
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return rules(check.check([check.Item(SourceFile(path, code.encode(), "cuda"))], Config(jobs=1), folder))


@pytest.mark.parametrize(
    ("code", "headers", "rule", "is_seen"),
    [
        (BARE, {"src/all.cuh": f"{GROUPS}using namespace cooperative_groups;\n"}, COALESCED, True),
        (BARE, {"lib/all.cuh": '#include "one.cuh"\n', "lib/one.cuh": f"{GROUPS}using namespace cooperative_groups;\n"},
         COALESCED, True),
        (BARE, {"lib/all.cuh": GROUPS, "lib/one.cuh": f"{GROUPS}using namespace cooperative_groups;\n"},
         COALESCED, False),  # nothing leads there
        (HELD, {"lib/all.cuh": "#include <vector>\n#define HD __host__ __device__\n"}, LIBRARY, True),
        (HELD, {"lib/all.cuh": "#include <vector>\n#define HD __host__ /* no __device__ */\n"}, LIBRARY, False),
        (HELD.replace("= count(4)", "= 4"), {"lib/all.cuh": "#include <vector>\n#define HD __host__ __device__\n"},
         LIBRARY, False),  # no kernel calls it
    ],
)  # fmt: skip
def test_headers_of_the_work_tree_count(
    tmp_path: Path, code: str, headers: dict[str, str], rule: str, is_seen: bool
) -> None:
    assert (rule in seen(tmp_path, code, headers)) is is_seen


def test_headers_count_for_a_folder_inside_the_work_tree(tmp_path: Path) -> None:
    written(tmp_path, {"include/all.cuh": f"{GROUPS}using namespace cooperative_groups;\n", "part/b.txt": ""})
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    items = [check.Item(SourceFile("a.cu", BARE.encode(), "cuda"))]
    assert COALESCED in rules(check.check(items, Config(jobs=1), tmp_path / "part"))
