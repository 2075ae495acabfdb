"""What is to be done is named by its cause: textures, launches, or the library whose calls are left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Proof
from cudamigrate.model.estimate import Verdict
from cudamigrate.reporting.first_screen import actions, chosen
from cudamigrate.reporting.formats import text
from cudamigrate.reporting.headline import sentence
from tests.unit.estimate.trees import KERNEL, write

TEXTURES = """#include <cuda_runtime.h>
__global__ void blur(cudaTextureObject_t image, float *out) {
  out[threadIdx.x] = tex2D<float>(image, threadIdx.x, 0) + tex2D<float>(image, threadIdx.x, 1);
}
"""
CUDNN = """#include <cudnn.h>
void make(cudnnTensorDescriptor_t d) {
  cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1);
}
"""
WMMA = """#include <mma.h>
__global__ void product(half *a, float *c) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> x;
  nvcuda::wmma::load_matrix_sync(x, a, 16);
}
"""


@pytest.mark.parametrize(
    ("source", "title", "query"),
    [
        (WMMA, "Tune matrix fragments with rocWMMA", "group=library&settled=left"),
        (TEXTURES, "Replace textures and surfaces", "group=texture&settled=left"),
        (CUDNN, "Replace cuDNN calls", "area=libraries&q=cuDNN&settled=left"),
    ],
)
def test_largest_cause_is_an_action_of_its_own(source: str, title: str, query: str, tmp_path: Path) -> None:
    report = pipeline.scan(write(tmp_path, {"a.cu": KERNEL, "b.cu": source}), Config(jobs=1))
    (found,) = [one for one in actions(report) if one.title == title]
    assert found.query == query
    assert found in chosen(report)[0]
    assert max((one for one in actions(report) if one.query), key=lambda one: one.days.p50) == found


PLACES = WMMA.replace("load_matrix_sync(x, a, 16)", "load_matrix_sync(x, a, 16); c[threadIdx.x] = x.x[1]")


@pytest.mark.parametrize(
    ("source", "title"),
    [
        (PLACES, "Change uses of libraries manually"),  # which nothing lacks an equivalent of
        ("#include <nvbench/nvbench.cuh>\n" + KERNEL, "Replace library calls without a HIP equivalent"),
    ],
)
def test_libraries_lack_an_equivalent_where_their_rules_say_so(source: str, title: str, tmp_path: Path) -> None:
    report = pipeline.scan(write(tmp_path, {"a.cu": KERNEL, "b.cu": source}), Config(jobs=1))
    said = {one.title for one in actions(report) if "librar" in one.title}
    assert said == {title}


def test_a_line_drops_what_it_counts_before_it_is_cut(tmp_path: Path) -> None:
    report = pipeline.scan(write(tmp_path, {"a.cu": KERNEL, "b.cu": TEXTURES}), Config(jobs=1))
    wide, narrow = text.render(report, width=120), text.render(report, width=80)
    assert "Replace textures and surfaces (2 places in 1 file) " in wide
    assert "Replace textures and surfaces (2 places) " in narrow


def test_fixes_of_files_that_a_port_lacks_are_no_automatic_changes(tmp_path: Path) -> None:
    report = pipeline.scan(write(tmp_path, {"a.cu": KERNEL}), Config(jobs=1))
    gap = replace(report, findings=tuple(one for one in report.findings if not one.automatic))
    automatic, lacking = (
        "Apply the automatic changes and read them",
        "Convert the files that the port lacks and read them",
    )
    assert {one.title for one in actions(report)} & {automatic, lacking} == {automatic}
    (found,) = [one for one in actions(gap) if one.title in (automatic, lacking)]
    assert (found.title, found.query) == (lacking, "")


def test_a_part_is_ported_where_one_stays_and_not_where_one_is_to_be_measured(tmp_path: Path) -> None:
    report = pipeline.scan(write(tmp_path, {"a.cu": KERNEL}), Config(jobs=1))
    assert report.estimate is not None
    part, stays = Verdict("all", "move-part", "Why."), Verdict("training", "stay", "It costs more.")
    unsure, mixed = (
        replace(report, estimate=replace(report.estimate, verdicts=found)) for found in ((part,), (stays, part))
    )
    assert sentence(unsure).startswith("Port it, and measure it before all machines move. ")
    assert sentence(mixed).startswith("Port a part of it. ")


def test_fixes_of_optional_parts_are_counted_beside_the_others(tmp_path: Path) -> None:
    """The number of automatic findings and that of the fixes in the days are both on the first screen."""
    code = "#include <cuda_runtime.h>\nvoid f(float *p) { cudaFree(p); }\n"
    write(tmp_path, {"src/a.cu": KERNEL + code, "src/b.cu": code, "tests/c.cu": code})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    every = sum(one.automatic for one in report.findings)
    (review,) = (one for one in actions(report) if "automatic changes" in one.title)
    assert review.detail == f"{every - 2} of {every} fixes"


def test_what_takes_longest_to_go_around_is_named_first(tmp_path: Path) -> None:
    """More places are not more work: the sentence, the reason and the actions begin with the same blocker."""
    rapids = "#include <cuml/cluster/dbscan.hpp>\n"
    files = {f"src/{name}.cu": rapids + KERNEL for name in "bcdefgh"}
    cutlass = "#include <cutlass/gemm/device/gemm.h>\ncutlass::gemm::device::Gemm<float> g;\n"
    report = pipeline.scan(write(tmp_path, files | {"src/a.cu": cutlass}), Config(jobs=1))
    assert report.estimate is not None
    first, second = report.estimate.blockers
    assert first.title == "CUTLASS" and first.count < second.count
    assert sentence(report).startswith("Port it, except CUTLASS and RAPIDS libraries.")
    assert [one.title.partition(":")[0] for one in actions(report)[:2]] == [
        "Replace CUTLASS", "Replace RAPIDS libraries",
    ]  # fmt: skip


def test_a_folder_and_one_inside_it_are_named_once(tmp_path: Path) -> None:
    cutlass = "#include <cutlass/gemm/device/gemm.h>\ncutlass::gemm::device::Gemm<float> g;\n"
    files = {"src/gemm/inner/a.cu": cutlass, "src/b.cu": "#include <cuml/cluster/dbscan.hpp>\n" + KERNEL}
    report = pipeline.scan(write(tmp_path, files), Config(jobs=1))
    assert report.estimate is not None
    assert ", in src. Choose" in report.estimate.verdicts[-1].because


def test_the_head_of_a_report_on_converted_code_is_what_was_shown_of_it(tmp_path: Path) -> None:
    """Without an estimate there is no decision; the three numbers are below it anyway."""
    report = pipeline.scan(write(tmp_path, {"a.cu": KERNEL + CUDNN}), Config(jobs=1))
    left = sum(one.resolution in ("review", "manual") for one in report.findings)
    proof = Proof(types={"checked": 3, "failed": 1})
    said = sentence(replace(report, estimate=None, proof=proof))
    assert said == f"3 of 4 judged files type-check for AMD. {left} findings are left for review or manual work."
    alone = sentence(replace(report, estimate=None, proof=Proof(types={"checked": 1})))
    assert alone.startswith("1 of 1 judged file type-checks for AMD. ")  # which may be one that needs no change
    half = sentence(replace(report, estimate=None, proof=Proof(types={"checked": 2, "unresolved": 1})))
    assert half.startswith("2 of 2 judged files type-check for AMD. 1 more file could not be judged. ")
    none = sentence(replace(report, estimate=None, proof=Proof(types={"checked": 0, "unresolved": 8})))
    assert none.startswith("None of 8 files could be judged. ")
    assert sentence(replace(report, estimate=None)).startswith(f"{len(report.findings)} findings: ")
