"""Scans with and without results of earlier runs give the same bytes, whatever has changed between them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import command_line
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudamigrate import parallel, pipeline
from cudamigrate.config import Config, load
from cudamigrate.pipeline import cached_work, inspect_tree
from cudamigrate.pipeline.result_store import Store
from cudamigrate.reporting.formats import json
from tests.draws import examples

KEPT = Config(jobs=1)
NEW = replace(KEPT, cache=False)

TEXTS = {
    "a.cu": (
        b'#include "w.h"\n__global__ void a(float *x) { x[0] += __shfl_down_sync(~0u, x[0], WIDTH / 2); }\n',
        b'#include "w.h"\n__global__ void a(float *x) { x[threadIdx.x % 32] = 0; }\nvoid f() { cudaFree(0); }\n',
        b"void f() { cudaDeviceSynchronize(); } // cudamigrate: ignore[api] known\n",
    ),
    "w.h": (
        b"#define WIDTH 32\n",
        b"#ifdef __HIP_PLATFORM_AMD__\n#define WIDTH 64\n#else\n#define WIDTH 32\n#endif\n",
        b"inline int cudaFree(int) { return 0; }\n",
    ),
    "Makefile": (b"include r.mk\nall:\n\t$(CC) a.cu\n", b"all:\n\tnvcc -arch=sm_80 a.cu\n"),
    "r.mk": (b"CC = nvcc -O3\n", b"CC = g++\n"),
    "CMakeLists.txt": (b"project(p LANGUAGES CUDA)\nadd_library(a a.cu)\n", b"project(p)\nenable_language(HIP)\n"),
    "s.py": (b"import torch\ntorch.cuda.is_available()\n", b"x = 1\n"),
}
"""Files whose contents count for each other: a header's for sources, a part's for its Makefile, a build's for all."""


@pytest.fixture(params=["rows of their own", "rows of several"])
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A cache of its own, used for trees of any size; results of a few files are in one row, too, or are not."""
    monkeypatch.setattr(cached_work, "_LEAST", 0)
    if request.param == "rows of several":
        monkeypatch.setattr(cached_work, "_FEW", 1)
        monkeypatch.setattr(cached_work, "_ENDS", 2**31)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def scanned(tree: Path, config: Config) -> str:
    """The report as JSON, which is what is made of it where nothing was kept of the text."""
    found = pipeline.scanned(tree, config, text=True)
    made = "".join(found.json(lambda report: report))
    assert made == json.render(found.report) and found.skipped == found.report.skipped
    return made


def write(tree: Path, choice: dict[str, int]) -> None:
    for name, number in choice.items():
        if number < len(TEXTS[name]):
            (tree / name).write_bytes(TEXTS[name][number])
        else:
            (tree / name).unlink(missing_ok=True)


CHOICES = st.fixed_dictionaries({name: st.integers(0, len(texts)) for name, texts in TEXTS.items()})


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(CHOICES, min_size=2, max_size=3), target=st.sampled_from(["logical32", "native"]))
def test_scans_are_the_same_with_and_without_it(kept: Path, steps: list[dict[str, int]], target: str) -> None:
    for choice in steps:
        write(kept, choice)
        expected = scanned(kept, replace(NEW, wave=target))
        assert scanned(kept, replace(KEPT, wave=target)) == expected
        assert scanned(kept, replace(KEPT, wave=target)) == expected


def _rows(report: str) -> str:
    """The rows of the files, which differ wherever the size of a file does."""
    return report[report.index('"files": [') : report.index('"findings": [')]


CHANGES: dict[str, dict[str, bytes | None]] = {
    "changed": {"src/b.cu": b"void f() { cudaDeviceSynchronize(); }\n"},
    "a comment": {"src/a.cu": TEXTS["a.cu"][0] + b"// said\n"},
    "added": {"src/c.cu": TEXTS["a.cu"][1]},
    "removed": {"src/b.cu": None},
    "renamed": {"src/b.cu": None, "src/d.cu": TEXTS["a.cu"][1]},
    "a build file": {"CMakeLists.txt": b"project(p LANGUAGES CXX)\nenable_language(HIP)\n"},
    "a header that others include": {"src/w.h": TEXTS["w.h"][1]},
    "a name of CUDA's is the project's": {"src/w.h": TEXTS["w.h"][2]},
    "settings": {".cudamigrate.toml": b'exclude = ["src/b.cu"]\n'},
    "a header that was passed over": {"third_party/v/v.h": b"inline void f() { hipFree(0); cudaFree(0); }\n"},
    "a module's name": {"one.cubin": None, "two.cubin": b"\x7fELF"},
    "a language without a reader": {"x.jl": None, "x.rs": b"fn main() {}\n"},
    "a text that may name macros": {"README.md": b"Give -DWITH_MORE.\n"},
    "a constant that others shift by": {"src/n.h": b"#define N_LANES 16\n"},
    "a macro that others ask for": {"src/n.h": b"#define N_LANES 32\n#define __shfl_xor_sync(m, x, o) (x)\n"},
    "a header that is included no more": {"src/s.cu": b"__device__ int s(unsigned v) { return v << (N_LANES - 1); }\n"},
    "a header that is included now": {"src/b.cu": b'#include "w.h"\n' + TEXTS["a.cu"][1]},
    "what git leaves out": {".gitignore": b"src/b.cu\n"},
    "sources of an extension": {
        "setup.py": b"from torch.utils.cpp_extension import CppExtension\nCppExtension('e', ['src/e.cpp'])\n"
    },
    "a script that is no extension": {"setup.py": b"import os\n"},
}
TREE: dict[str, bytes] = {
    "src/a.cu": TEXTS["a.cu"][0] + b'#include "v/v.h"\nvoid l() { cuModuleLoad(&m, "one.cubin"); }\n',
    "src/b.cu": TEXTS["a.cu"][1],
    "src/w.h": TEXTS["w.h"][0],
    "CMakeLists.txt": TEXTS["CMakeLists.txt"][0],
    "third_party/v/v.h": b"inline void f() { cudaFree(0); }\n",
    "one.cubin": b"\x7fELF",
    "x.jl": b"x = 1\n",
    "README.md": b"Read me.\n",
    "src/n.h": b"#define N_LANES 32\n",
    "src/s.cu": b'#include "n.h"\n__device__ int s(unsigned v, unsigned i) { return v << (N_LANES - i % N_LANES); }\n',
    "src/e.cpp": b"#include <ATen/cuda/CUDAContext.h>\nvoid e() { at::cuda::getCurrentCUDAStream(); }\n",
    "setup.py": b"print('no extension of ours')\n",
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_kind_of_change_gives_what_a_first_scan_gives(kept: Path, change: str) -> None:
    def put(files: Mapping[str, bytes | None]) -> None:
        for name, data in files.items():
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                (kept / name).unlink()
            else:
                (kept / name).write_bytes(data)

    def settings_of(**known: bool) -> Config:
        return replace(load(kept), jobs=1, **known)

    put(TREE)
    first = scanned(kept, settings_of())
    assert first == scanned(kept, settings_of()) == scanned(kept, settings_of(cache=False))
    put(CHANGES[change])
    expected = scanned(kept, settings_of(cache=False))
    assert scanned(kept, settings_of()) == expected == scanned(kept, settings_of())
    same = ("a text that may name macros", "a module's name", "a script that is no extension")
    assert expected.replace(_rows(expected), "") != first.replace(_rows(first), "") or change in same
    put({name: None for name in CHANGES[change] if (kept / name).exists()})
    put(TREE)
    assert scanned(kept, settings_of()) == first


def test_only_changed_files_are_read_again(kept: Path) -> None:
    write(kept, dict.fromkeys(TEXTS, 0))
    scanned(kept, KEPT)
    read: list[str] = []
    real = inspect_tree.inspect

    def noted(source, *rest):  # type: ignore[no-untyped-def]
        read.append(source.path)
        return real(source, *rest)

    with patch.object(inspect_tree, "inspect", noted):
        scanned(kept, KEPT)
        assert read == []
        (kept / "s.py").write_bytes(TEXTS["s.py"][1])
        scanned(kept, KEPT)
        assert read == ["s.py"]
        (kept / "r.mk").write_bytes(TEXTS["r.mk"][1])
        read.clear()
        scanned(kept, KEPT)
        assert sorted(read) == ["Makefile", "r.mk"]
        read.clear()
        scanned(kept, replace(KEPT, rocm="6.2"))
        assert len(read) == len(TEXTS)
        read.clear()
        scanned(kept, NEW)
        assert len(read) == len(TEXTS)


def test_what_is_kept_of_a_port_is_understood(kept: Path) -> None:
    (kept / "CMakeLists.txt").write_text("enable_language(HIP)\nadd_definitions(-DUSE_HIP)\nadd_library(a a.cu)\n")
    text = (
        "#define CHECK(x) cudaGetLastError()\n#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n"
        "int f() { return hipInit(0); }\n#else\n#include <cuda_runtime.h>\nvoid g() { CHECK(cudaFree(0)); }\n#endif\n"
        "#ifdef WITH_MORE\nint h;\n#endif\n"
    )
    (kept / "a.cu").write_text(text)
    first = scanned(kept, KEPT)
    real, lost = cached_work.loaded, []

    def loaded(value: bytes) -> tuple[object] | None:
        found = real(value)
        lost.extend([value] if found is None else [])
        return found

    (kept / "b.cu").write_text("void b();\n")
    with patch.object(cached_work, "loaded", loaded):
        assert scanned(kept, KEPT) != first
    assert pipeline.scan(kept, KEPT).port is not None
    assert not lost


def test_a_changed_header_changes_what_is_said_of_other_files(kept: Path) -> None:
    write(kept, dict.fromkeys(TEXTS, 0))
    first = scanned(kept, KEPT)
    (kept / "w.h").write_bytes(TEXTS["w.h"][1])
    second = scanned(kept, KEPT)
    assert second == scanned(kept, NEW)
    about = [text.replace("w.h", "") for text in (first, second)]
    assert about[0] != about[1]


def test_a_folder_that_another_cmake_file_holds_changes_what_is_kept_of_one(kept: Path) -> None:
    top = "project(a LANGUAGES CXX CUDA)\ninclude(here.cmake)\nlink_directories(${HOME}/lib64)\nadd_library(a a.cu)\n"
    (kept / "CMakeLists.txt").write_text(top)
    (kept / "a.cu").write_text("__global__ void k() {}\n")
    (kept / "here.cmake").write_text("set(HOME /usr)\n")
    first = scanned(kept, KEPT)
    (kept / "here.cmake").write_text("set(HOME /usr/local/cuda)\n")
    second = scanned(kept, KEPT)
    assert second == scanned(kept, NEW)
    assert ("build/cmake-library-folder" in first, "build/cmake-library-folder" in second) == (False, True)


def test_apply_uses_what_scan_kept(kept: Path) -> None:
    write(kept, dict.fromkeys(TEXTS, 0))
    expected = pipeline.apply(kept, NEW)
    scanned(kept, KEPT)
    applied = pipeline.apply(kept, KEPT)
    assert [one.after for one in applied.conversions] == [one.after for one in expected.conversions]
    assert applied.conversions


def test_faults_and_limits_are_not_kept(kept: Path) -> None:
    write(kept, {"a.cu": 0})

    def fails(*_: object) -> None:
        raise RecursionError

    with patch.object(inspect_tree, "inspect", fails):
        assert [skip.kind for skip in pipeline.scan(kept, KEPT).skipped if not skip.notice] == ["limit"]
    assert [skip for skip in pipeline.scan(kept, KEPT).skipped if not skip.notice] == []


def test_what_cannot_be_read_is_not_kept(kept: Path) -> None:
    write(kept, {"a.cu": 0})
    (kept / "b.cu").write_bytes(b"\0")
    for _ in range(2):
        assert [skip.kind for skip in pipeline.scan(kept, KEPT).skipped if not skip.notice] == ["binary"]


class Harmful:
    """What a row must never be made into."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch harm",)


def test_a_row_can_run_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kept)
    write(kept, {"a.cu": 0})
    expected = scanned(kept, KEPT)
    with patch.object(Store, "get", lambda self, keys: dict.fromkeys(keys, pickle.dumps(Harmful()))):
        assert scanned(kept, KEPT) == expected
    assert not (kept / "harm").exists()


def test_small_trees_do_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cached_work, "_LEAST", 1 << 20)
    (tmp_path / "tree").mkdir()
    write(tmp_path / "tree", dict.fromkeys(TEXTS, 0))
    pipeline.scan(tmp_path / "tree", KEPT)
    assert not (tmp_path / "cache" / "cudamigrate" / "results").exists()


def test_the_command_says_what_is_kept_and_removes_it(tmp_path: Path) -> None:
    Store(tmp_path / "cudamigrate" / "results").put({b"key": b"value"})

    def run(word: str) -> str:
        done = command_line.run("cache", word, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "1 result," in run("info") and "536.9 MB" in run("info")
    assert run("clear").startswith("Removed ")
    assert "0 results" in run("info")


def test_the_command_line_turns_it_off(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(TEXTS["a.cu"][1] + b"//" + b"x" * 150_000)
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for words, there in (["--no-cache"], False), ([], True):
        assert command_line.run("scan", tmp_path, *words, env=env).returncode == 0
        assert (tmp_path / "cache" / "cudamigrate" / "results").exists() == there


def test_results_of_files_that_follow_each_other_are_kept_in_one_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_work, "_LEAST", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tree = tmp_path / "tree"
    tree.mkdir()
    for number in range(600):
        (tree / f"f{number}.h").write_bytes(b"int f%d;\n" % number)
    (tree / "a.cu").write_bytes(TEXTS["a.cu"][1])
    expected, asked = scanned(tree, NEW), []
    real = Store.get
    monkeypatch.setattr(Store, "get", lambda self, keys: asked.extend(keys) or real(self, keys))
    assert scanned(tree, KEPT) == expected
    (tree / "f7.h").write_bytes(b"int other;\n")
    asked.clear()
    assert scanned(tree, KEPT) == scanned(tree, NEW)
    assert 0 < len(asked) < 800  # of two surveys of 601 files each
    (tree / "f7.h").unlink()
    (tree / "f8.h").write_bytes(b"int longer_than_before = 8;\n")
    asked.clear()
    assert scanned(tree, KEPT) == scanned(tree, NEW)
    assert 0 < len(asked) < 800


def test_a_row_of_several_that_is_gone_meanwhile_is_worked_out_again(kept: Path) -> None:
    write(kept, dict.fromkeys(TEXTS, 0))
    expected = scanned(kept, KEPT)
    with patch.object(Store, "get", lambda self, keys: {}):
        assert scanned(kept, KEPT) == expected


def test_few_changed_files_are_left_to_one_child(kept: Path) -> None:
    write(kept, dict.fromkeys(TEXTS, 0))
    scanned(kept, KEPT)
    few, run = parallel.few, parallel.run
    with patch.object(parallel, "few", wraps=few) as child, patch.object(parallel, "run", wraps=run) as workers:
        (kept / "s.py").write_bytes(TEXTS["s.py"][1])
        assert scanned(kept, KEPT) == scanned(kept, NEW)
        assert [[entry.path for entry in call.args[1]] for call in child.call_args_list][-1] == ["s.py"]
        before = child.call_count
        for number in range(cached_work._LITTLE + 1):
            (kept / f"n{number}.py").write_bytes(b"import torch\n")
        scanned(kept, KEPT)
        assert child.call_count == before and workers.called
