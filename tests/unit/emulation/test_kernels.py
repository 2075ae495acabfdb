"""Kernels cut out of their files and driven by themselves: what is found, what is left out, and verdicts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cudamigrate.emulation import build, kernels, programs, run
from cudamigrate.model.verification import Flags

EXTENSION = """\
#include <torch/extension.h>
#include <cuda_runtime.h>
#include "warp.cuh"
constexpr int kThreads = 128;
namespace rows {
template <typename T, int kUnused = 4>
__global__ void __launch_bounds__(128) sums(const T *in, T *out, int columns) {
    T sum = 0;
    for (int at = threadIdx.x; at < columns; at += blockDim.x) sum += in[blockIdx.x * columns + at];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) out[blockIdx.x * (kThreads / 32) + threadIdx.x / 32] = sum;
}
__global__ void strange(struct Shape shape, float *out) { out[0] = 1; }
}  // namespace rows
template <int kSize> __global__ void unknown(float *out) { out[threadIdx.x % kSize] = 1; }
__global__ void beyond(float *out, int n) { out[n * 2000 * 1000 + threadIdx.x] = 1; }
torch::Tensor forward(torch::Tensor in) {
    auto out = torch::empty({in.size(0), 4});
    rows::sums<float><<<in.size(0), kThreads>>>(in.data_ptr<float>(), out.data_ptr<float>(), in.size(1));
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
"""
WARP = """\
#pragma once
#include <ATen/ATen.h>
at::Tensor forward(at::Tensor in);
struct Shape { int rows; };
template <typename T> __device__ T warp_sum(T value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffff, value, apart);
    return __shfl_sync(0xffffffff, value, 0);
}
"""


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """The original, and it converted with one mistake: shuffles of the full wavefront."""
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        (folder / "rows.cu").write_text(EXTENSION.replace("cuda_runtime.h", "hip/hip_runtime.h"))
        (folder / "warp.cuh").write_text(WARP.replace("_sync(0xffffffff, ", "("))
    (before / "rows.cu").write_text(EXTENSION)
    (before / "warp.cuh").write_text(WARP)
    return before, after


def test_kernels_are_found_with_what_is_known_of_their_calls(trees: tuple[Path, Path], tmp_path: Path) -> None:
    tree = programs.copied(trees[0], tmp_path / "copy", "cuda", Flags(""))
    found = {one.name: one for one in kernels.kernels(tree, ("all",))}
    assert list(found) == ["rows::sums", "rows::strange", "unknown", "beyond"]
    assert found["rows::sums"].template == "<float>" and found["rows::sums"].block == "kThreads"
    assert found["rows::sums"].arrays == ("in", "out")
    assert found["unknown"].template is None and found["beyond"].block == "256"
    assert [one.name for one in kernels.kernels(tree, ("sums",))] == ["rows::sums"]
    assert not kernels.kernels(tree, ("none",))


def test_a_kernel_of_one_name_in_two_files_is_that_of_the_file_asked_for(tmp_path: Path) -> None:
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text("__global__ void k(float *x) { *x = 1; }\n")
    os.mkfifo(tmp_path / "c.cu")  # nobody writes to it: whoever reads it waits
    tree = programs.copied(tmp_path, tmp_path.parent / "copy", "cuda", Flags(""))
    assert sorted(tree.sources) == ["a.cu", "b.cu"]
    found = [kernels.named(tree, "k", near) for near in ("b.cu", "a.cu", "z.cu")]
    assert [one.path for one in found if one is not None] == ["b.cu", "a.cu", "a.cu"]
    assert kernels.named(tree, "sums", "a.cu") is None


def test_device_code_alone_keeps_its_lines() -> None:
    made = kernels.device_code(EXTENSION.encode()).decode()
    assert made.count("\n") == EXTENSION.count("\n")
    assert "torch" not in made and "PYBIND11" not in made and '#include "warp.cuh"' in made
    assert "constexpr int kThreads = 128;" in made and "__global__ void beyond" in made
    header = kernels.device_code(WARP.encode()).decode()
    assert "at::Tensor" not in header and "struct Shape { int rows; };" in header and "T warp_sum(T value)" in header


@pytest.mark.exhaustive
def test_kernels_of_an_extension_run_by_themselves(trees: tuple[Path, Path]) -> None:
    if build.compiler() is None:
        pytest.skip(build.INSTALL)
    done = run.run(trees[1], trees[0], run.Options(kernels=("all",)))
    said = {verdict.name: (verdict.word, verdict.reason) for verdict in done.verdicts}
    assert said["rows.cu: rows::sums"][0] == "differs"
    assert "on 64 lanes it computes another result: out[" in said["rows.cu: rows::sums"][1]
    assert said["rows.cu: rows::strange"] == (
        "not-run",
        "the original needs what is not emulated: an argument that is no number and no array",
    )
    assert "instantiated with is not known" in said["rows.cu: unknown"][1]
    assert said["rows.cu: beyond"][0] == "not-run" and "guessed" in said["rows.cu: beyond"][1]
