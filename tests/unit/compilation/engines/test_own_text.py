"""Stand-in headers are our own text: what they have in common with the originals is what the interface dictates."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.symbols import declare, declare_torch, overlap

FOLDER = declare.FOLDER.parent
BODY = """
template <typename T, typename Index>
struct View {
  T* data_;
  Index strides_[4];
  T& at(Index row, Index column) {
    const Index offset = row * this->strides_[0] + column * this->strides_[1];
    return this->data_[offset];
  }
};
cudaError_t copyRowsOfMatrix(float* to, const float* from, size_t rows, size_t columns, cudaStream_t stream = 0);
"""
MACRO = """
#define ORIGINAL_CHECK(call)                                        \\
  do {                                                              \\
    const cudaError_t status = call;                                \\
    if (status != cudaSuccess) report(status, __FILE__, __LINE__);  \\
  } while (0)
"""


def common(tmp_path: Path, ours: str, original: str) -> list[overlap.Run]:
    header, other = tmp_path / "ours.h", tmp_path / "original.h"
    header.write_text(ours)
    other.write_text(original)
    return overlap.runs(header, overlap.Originals([other], [header]))


def copied(headers: list[Path], originals: list[Path]) -> list[str]:
    known = overlap.Originals(originals, headers)
    return [
        f"{path.relative_to(FOLDER)}:{run.line}: {run.counted} tokens as in {run.original}"
        for path in headers
        for run in overlap.runs(path, known)
    ]


def test_headers_for_pytorch_are_our_own_text() -> None:
    named = os.environ.get("TORCH")
    include = Path(named) if named else declare_torch.installed()
    originals = overlap.torch(include) if include else []
    if not originals:
        pytest.skip("no torch is installed, and TORCH names no include folder of one")
    assert copied(overlap.written_here(declare_torch.FOLDER), originals) == []


def test_headers_for_libraries_of_cuda_and_rocm_are_our_own_text() -> None:
    originals = overlap.libraries()
    if not originals:
        pytest.skip("no headers of CUDA or ROCm are installed: pip install 'cudamigrate[verify,cuda-headers]'")
    torch = set(overlap.written_here(declare_torch.FOLDER))
    assert copied([path for path in overlap.written_here(FOLDER) if path not in torch], originals) == []


def test_every_stand_in_is_compared_or_made_by_a_generator() -> None:
    made = [sheet.path for sheet in declare.declare_extra.SHEETS]
    made += [f"torch-headers/{name}" for name in (declare_torch.METHODS, declare_torch.FUNCTIONS, declare_torch.STABLE)]
    compared = {path.relative_to(declare.FOLDER).as_posix() for path in overlap.written_here(declare.FOLDER)}
    shipped = {path.relative_to(declare.FOLDER).as_posix() for path in declare.FOLDER.rglob("*") if path.is_file()}
    assert compared | set(made) == shipped
    assert not compared & set(made)


@pytest.mark.parametrize("original", [BODY, MACRO])
def test_copied_text_is_found_whatever_its_spacing(tmp_path: Path, original: str) -> None:
    copied = " ".join(original.split()) if "#" not in original else "\n" + original.replace("  ", "")
    assert common(tmp_path, copied, original)


@pytest.mark.parametrize("original", [BODY, MACRO])
def test_copied_text_is_found_when_cuda_became_hip(tmp_path: Path, original: str) -> None:
    assert common(tmp_path, original.replace("cuda", "hip"), original)


def test_one_declaration_is_what_the_interface_dictates(tmp_path: Path) -> None:
    one = next(line for line in BODY.splitlines() if line.startswith("cudaError_t"))
    before = "int before(int);\n"
    assert common(tmp_path, before + one, BODY) == []
    assert overlap.counted(overlap.tokens(one)) == 0 < len(overlap.tokens(one)) - overlap.LIMIT


def test_declarations_in_the_order_of_the_original_count(tmp_path: Path) -> None:
    names = ["first", "second", "third", "fourth", "fifth"]
    lines = [f"void {name}(int rows, int columns, float *to);\n" for name in names]
    assert common(tmp_path, "".join(lines), "".join(lines))
    assert common(tmp_path, "".join(lines[::-1]), "".join(lines)) == []
