"""What CUDA compiles is compared token by token, with CUDA's own headers where they are installed."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate import parallel
from cudamigrate.compilation import build_flags, include_closure, skipped_ranges, toolchain
from cudamigrate.compilation.engines import clang
from cudamigrate.model.verification import CudaPath, Flags, Unit
from cudamigrate.verification import cuda_path, preambles, text

HEADER = "#pragma once\n__device__ inline int lane() { return threadIdx.x % 32; }\n"
SOURCE = """\
#include <cuda_runtime.h>
#include "lane.h"
#if CUDART_VERSION >= 9000
__global__ void k(int *a) { a[lane()] = __shfl_down_sync(0xffffffffu, a[0], 1); }
#endif
"""
FOR_HIP = """\
#ifdef __HIP_PLATFORM_AMD__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif
#include "lane.h"
#if CUDART_VERSION >= 9000 || defined(__HIPCC__)
#ifdef __HIP_PLATFORM_AMD__
__global__ void k(int *a) { a[lane()] = __shfl_down(a[0], 1, 32); }
#else
__global__ void k(int *a) { a[lane()] = __shfl_down_sync(0xffffffffu, a[0], 1); }
#endif
#endif
"""


@pytest.fixture(autouse=True)
def _needs_headers() -> None:
    found = clang.find_original()
    if isinstance(found, str):
        pytest.skip(found)


def compared(folder: Path, after: str, header: str = HEADER) -> CudaPath:
    (folder / "a.cu").write_text(SOURCE)
    (folder / "lane.h").write_text(HEADER)
    changed = {"a.cu": after} | ({"lane.h": header} if header != HEADER else {})
    change = cuda_path.Change(
        root=str(folder),
        before={name: (folder / name).read_bytes() for name in changed},
        after={name: changed[name].encode() for name in changed},
        units=["a.cu"],
        marks=("__HIP_PLATFORM_AMD__", "__HIPCC__"),
    )
    return cuda_path.compare(change, jobs=1)


def test_code_for_hip_beside_it_leaves_it_unchanged(tmp_path):
    found = compared(tmp_path, FOR_HIP)
    assert found.unchanged
    assert (found.files, found.units, found.passes, found.left) == (1, 1, 2, ())
    assert text.render_cuda_path(found).startswith(
        "CUDA path unchanged (1 changed file of code compared token by token,"
    )


def test_an_edit_of_shared_code_is_named(tmp_path):
    broken = FOR_HIP.replace("a[0], 1); }\n#endif", "a[0], 1, 32); }\n#endif")
    found = compared(tmp_path, broken)
    assert not found.unchanged
    (one,) = found.differences
    assert (one.after.path, one.before.line, one.after.line) == ("a.cu", 4, 11)
    assert one.now.startswith(", 32);")
    assert "CUDA path changed: a.cu:11:" in text.render_cuda_path(found)


@pytest.mark.parametrize(
    ("after", "header"),
    [
        (FOR_HIP.replace("a[0], 1); }\n#endif", "a[0], 1, 32); }\n#endif"), HEADER),
        (FOR_HIP.replace(">= 9000 ||", ">= 99000 ||"), HEADER),
        (FOR_HIP, HEADER.replace("% 32", "% 64")),
        (FOR_HIP.replace('#include "lane.h"\n', '#include "lane.h"\n#define a b\n'), HEADER),
        (FOR_HIP.replace('#include "lane.h"\n', ""), HEADER),
    ],
    ids=["argument", "condition", "header", "macro", "include"],
)
def test_the_preprocessor_alone_finds_it_too(tmp_path, monkeypatch, after, header):
    monkeypatch.setattr(cuda_path, "_by_text", lambda change: ())
    found = compared(tmp_path, after, header)
    assert not found.unchanged
    assert found.differences[0].side == "device"


def test_a_branch_that_no_pass_takes_is_compared_by_its_text(tmp_path):
    far = "#if __CUDA_ARCH__ >= 900\nint far = %d;\n#endif\n"
    (tmp_path / "a.cu").write_text(far % 1)
    change = cuda_path.Change(
        str(tmp_path), {"a.cu": (far % 1).encode()}, {"a.cu": (far % 2).encode()}, ["a.cu"], ("__HIPCC__",)
    )
    found = cuda_path.compare(change, jobs=1)
    assert [one.side for one in found.differences] == [""]


def test_without_headers_the_text_is_compared_and_the_verdict_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(clang, "find_original", lambda: "no CUDA headers are installed: do this")
    found = compared(tmp_path, FOR_HIP)
    assert found.unchanged
    assert (found.units, found.absent) == (0, "no CUDA headers are installed: do this")
    assert "not preprocessed: no CUDA headers are installed: do this" in text.render_cuda_path(found)


def test_what_a_build_defines_for_hip_is_not_cudas(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "project(p CXX CUDA)\nif(USE_HIP)\n  add_compile_definitions(__HIP_PLATFORM_AMD__)\nendif()\n"
    )
    assert compared(tmp_path, FOR_HIP).unchanged


def test_a_unit_that_ends_its_process_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(parallel, "_always", True)
    monkeypatch.setattr(cuda_path.skipped_ranges, "of", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    assert compared(tmp_path, FOR_HIP).left == ("a.cu",)


def test_ranges_are_the_same_with_what_comes_first_made_before(tmp_path):
    chosen = clang.find_original()
    begun = "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include <map>\n"
    asked = (
        f"#if{word}\nint a{n};\n#endif\n"
        for n, word in enumerate(
            (
                "def __CUDA_FP16_H__",
                "def CUDART_VERSION",
                " __CUDA_ARCH__ >= 800",
                "def _GLIBCXX_DEQUE",
                "def NEVER",
            )
        )
    )
    code = "".join(asked)
    texts = {"a.cu": begun + code, "b.cu": f"{begun}#include <deque>\n{code}"}
    for name, whole in texts.items():
        (tmp_path / name).write_text(whole)
    tree = include_closure.IncludeResolver(
        root=str(tmp_path),
        project=build_flags.read(tmp_path),
        system=(*chosen.headers, *toolchain.SYSTEM, *toolchain.standard_library()),
        read=lambda path: (tmp_path / path).read_bytes(),
        language="cuda",
        paths=frozenset(texts),
    )
    units = [Unit(name, str(tmp_path), tree.flags(name), chosen.arch, language="cuda") for name in texts]
    (tmp_path / "made").mkdir()
    ready = preambles.prepared(
        units, chosen, lambda _: tree, preambles.Kept(str(tmp_path / "made")), 1, skipped_ranges.precompile
    )
    assert all(unit.preamble for unit in ready)
    for plain, fast in zip(units, ready, strict=True):
        for number, (_, _, options) in enumerate(clang.passes(plain)):
            found = skipped_ranges.of(fast, chosen, options, number)
            assert found[plain.path] and found == skipped_ranges.of(plain, chosen, options)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('#define A 1\nextern "C" {\nint a();\n}\n', True),
        ("#define A 1\nint a() { return 'c' + unknown; }\n", True),  # only macros count
        ("#define A 1\nnamespace a {\n", True),
        ("#define A 1\n}\nunknown a;\n", False),
        ("#define A 1\n#error of a header\n", False),
    ],
)
def test_a_preamble_of_macros_holds_no_code(tmp_path: Path, text: str, kept: bool) -> None:
    chosen = clang.find_original()
    assert not isinstance(chosen, str)
    chosen = replace(chosen, headers=(*chosen.headers, str(tmp_path)))
    (tmp_path / "first.h").write_text(text)
    (tmp_path / "second.h").write_text("#if A == 1\n#define B 1\n#endif\n")
    (tmp_path / "tree").mkdir()
    code = "#include <first.h>\n#include <second.h>\n#if B\nint a;\n#else\nx\n#endif\n"
    (tmp_path / "tree" / "a.cu").write_text(code)
    unit = Unit("a.cu", str(tmp_path / "tree"), Flags("c++17"), chosen.arch, language="cuda")
    below, place = str(tmp_path / "one"), str(tmp_path / "two")
    assert bool(skipped_ranges.precompile(unit, ["first.h"], chosen, below, 0)) is kept
    assert Path(f"{below}.0.pch").exists() is kept
    if kept:
        assert skipped_ranges.precompile(replace(unit, preamble=below), ["second.h"], chosen, place, 0)
        (_, _, options), *_ = clang.passes(unit)
        found = skipped_ranges.of(replace(unit, preamble=place), chosen, options)
        assert found == skipped_ranges.of(unit, chosen, options) and found["a.cu"]
