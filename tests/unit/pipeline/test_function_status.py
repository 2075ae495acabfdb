"""Reports say which functions with warp-level code are fully converted, right, or left for manual review."""

from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model.lane_facts import LaneFunction
from cudamigrate.pipeline.function_status import annotate

WHOLE = "__device__ int first(int v) {\n  return __shfl_sync(0xffffffffu, v, 0);\n}\n"
LEFT = (
    "__device__ int all(int v) {\n  auto g = cooperative_groups::coalesced_threads();\n"
    "  return __shfl_sync(g.ballot(1), v, 0);\n}\n"
)
RIGHT = "__global__ void k(int *a) {\n  int lane = threadIdx.x % 32;\n  a[lane] = first(a[lane]);\n}\n"


def functions(folder: Path, text: str) -> dict[str, LaneFunction]:
    (folder / "k.cu").write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    return {one.name: one for file in report.files for one in file.lane_functions}


def test_each_function_with_warp_level_code_is_reported_with_what_becomes_of_it(tmp_path: Path) -> None:
    found = functions(tmp_path, WHOLE + LEFT + RIGHT + "int host(int v) { return v % 32; }\n")
    assert {name: one.state for name, one in found.items()} == {"first": "converted", "all": "left", "k": "right"}
    assert found["k"].line == 8
    assert "warp/unconverted-lanes" in found["all"].rules
    assert found["first"].rules == ()


def test_a_fix_that_is_not_applied_leaves_its_function(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WHOLE)
    report = pipeline.scan(tmp_path, Config(jobs=1))
    refused = [finding for finding in report.findings if finding.rule == "warp/sync-shuffle"]
    assert [one.state for file in annotate(report.files, refused) for one in file.lane_functions] == ["left"]


def test_a_macro_with_warp_level_code_is_reported_by_its_name(tmp_path: Path) -> None:
    found = functions(tmp_path, "#define FIRST(v) __shfl_sync(0xffffffffu, v, 0)\n")
    assert set(found) <= {"FIRST"}
