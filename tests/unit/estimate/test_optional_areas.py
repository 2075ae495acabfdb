"""A component whose manual work is not in the total says so: 0 days beside 150 manual findings need a reason."""

from __future__ import annotations

from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.first_screen import area_days, areas
from tests.unit.estimate.trees import KERNEL, write

CUDNN = """#include <cuda_runtime.h>
#ifdef CUDNN
#include <cudnn.h>
void make(cudnnHandle_t *h, cudnnTensorDescriptor_t d) {
  cudnnCreate(h);
  cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1);
}
#endif
"""


def days_of_libraries(root: Path, text: str) -> str:
    report = pipeline.scan(write(root, {"a.cu": KERNEL, "b.cu": text}), Config(jobs=1))
    (found,) = [one for one in areas(report) if one.key == "libraries"]
    return area_days(found)


def test_work_behind_a_switch_is_told_apart(tmp_path: Path) -> None:
    assert days_of_libraries(tmp_path / "one", CUDNN) == "0 + optional"
    always = CUDNN.replace("#ifdef CUDNN\n", "").replace("#endif\n", "")
    assert "optional" not in days_of_libraries(tmp_path / "two", always)
