"""Reports say which functions with warp-level code are fully converted, right, or left for manual review."""

from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import Outcome, SourceFile
from cudamigrate.model.lane_facts import LaneFunction
from cudamigrate.pipeline.function_status import after_withheld, annotate
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.warp.cross_file_facts import summary

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


def test_steps_through_shared_memory_are_warp_level_code_under_any_names(tmp_path: Path) -> None:
    steps = "".join(f"  s[t] += s[t + {n}];\n" for n in (16, 8, 4, 2, 1))
    found = functions(tmp_path, "__device__ void sum(volatile int *s, int t) {\n" + steps + "}\n")
    assert {name: one.state for name, one in found.items()} == {"sum": "converted"}


def test_a_fix_that_is_not_applied_leaves_its_function(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WHOLE)
    report = pipeline.scan(tmp_path, Config(jobs=1))
    refused = [finding for finding in report.findings if finding.rule == "warp/sync-shuffle"]
    assert [one.state for file in annotate(report.files, refused) for one in file.lane_functions] == ["left"]


def test_a_macro_with_warp_level_code_is_reported_by_its_name(tmp_path: Path) -> None:
    found = functions(tmp_path, "#define FIRST(v) __shfl_sync(0xffffffffu, v, 0)\n")
    assert set(found) <= {"FIRST"}


def test_what_a_port_answers_is_open_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WHOLE + RIGHT)
    report = pipeline.scan(tmp_path, Config(jobs=1))
    (file,) = [one for one in report.files if one.lane_functions]
    (shuffle,) = [one for one in file.findings if one.rule == "warp/sync-shuffle"]
    fine = [one for one in file.findings if one.outcome == "fine"]
    kept = replace(file, findings=())
    port = {file.path: [(shuffle, "with a mask of its own"), *((one, "right as it is") for one in fine)]}
    (found,) = annotate([kept], answered=port)
    states = {one.name: (one.wave, one.why) for one in found.lane_functions}
    assert states["first"] == ("open", "the HIP port answers for it, and is not checked: with a mask of its own")
    assert states["k"][0] == "narrowed"


def test_what_a_port_answers_is_not_right_after_fixes_are_withheld(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WHOLE + RIGHT + WHOLE.replace("first", "last"))
    report = pipeline.scan(tmp_path, Config(jobs=1))
    (file,) = [one for one in report.files if one.lane_functions]
    one, two = [found for found in file.findings if found.rule == "warp/sync-shuffle"]
    kept = replace(file, findings=tuple(found for found in file.findings if found is not one))
    (ported,) = annotate([kept], answered={file.path: [(one, "with a mask of its own")]})
    for rejected, last in (([], "converted"), ([two], "left")):
        (found,) = after_withheld([ported], rejected)
        assert {one.name: one.state for one in found.lane_functions} == {
            "first": "unchecked",
            "k": "right",
            "last": last,
        }


def test_what_a_withheld_fix_was_for_is_manual_work_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WHOLE)
    made = pipeline.apply(tmp_path, Config(jobs=1))
    assert made.with_function_status() == made.report
    (shuffle,) = [one for one in made.report.findings if one.rule == "warp/sync-shuffle"]
    told = replace(made, rejected=((shuffle, "it was a test"),)).with_function_status()
    changed = [one for one, old in zip(told.findings, made.report.findings, strict=True) if one != old]
    assert [(one.rule, one.resolution, one.support) for one in changed] == [(shuffle.rule, "manual", "manual")]
    assert shuffle.effort == "none" and changed[0].effort == "trivial"


@pytest.mark.parametrize(("row", "waves"), [("kRowWarp", ["open"]), ("kOther", [])])
def test_a_function_that_leaves_lanes_to_helpers_follows_the_constant_it_counts_with(
    row: str, waves: list[str]
) -> None:
    """Its helper may reduce 32 lanes of a row of 64: it is open, though no lane function is called in it."""
    code = f"__global__ void k(float *a) {{ for (int i = threadIdx.x; i < 256; i += {row}) a[i] = total(a[i]); }}\n"
    found = summary(cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), frozenset(), ("^kRowWarp",)))
    assert [unit.wave for unit in (found.units if found is not None else ())] == waves


def test_a_constant_with_another_value_for_hip_is_not_taken_for_32(tmp_path: Path) -> None:
    port = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    (tmp_path / "warp.cuh").write_text(port)
    found = functions(tmp_path, '#include "warp.cuh"\n' + RIGHT.replace("32", "WARP_SIZE"))
    assert found["k"].wave == "open"
    assert "another number for HIP" in found["k"].why
    (tmp_path / "warp.cuh").write_text("#define WARP_SIZE 32\n")
    found = functions(tmp_path, '#include "warp.cuh"\n' + RIGHT.replace("32", "WARP_SIZE"))
    assert (found["k"].wave, found["k"].why) == ("narrowed", "groups of 32 lanes")


def test_a_function_that_calls_a_macro_which_is_left_is_left(tmp_path: Path) -> None:
    text = (
        "#include <cuda_runtime.h>\n#define exchange __shfl\n"
        "__device__ int f(int v) { return exchange(v, 3) + __shfl_sync(0xffffffff, v, 0); }\n"
        "__device__ int g(int v) { return __shfl_sync(0xffffffff, v, 0); }\n"
    )
    found = functions(tmp_path, text)
    assert {name: (one.state, one.rules) for name, one in found.items()} == {
        "f": ("left", ("warp/pasted-call",)),
        "g": ("converted", ()),
    }


@pytest.mark.parametrize(("outcome", "resolution"), [("fine", "fine"), ("wrong-result", "manual")])
def test_what_works_as_it_is_is_no_manual_work_without_its_fix(outcome: Outcome, resolution: str) -> None:
    text = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int *a) {{ {} }}\n"
    body = "auto t = cg::tiled_partition<32>(cg::this_thread_block()); a[0] = t.shfl(a[1], 0);"
    found = find_in_text(text.format(body), "a.cu", None).findings
    one = replace(next(one for one in found if one.fix is not None), outcome=outcome, effort="none")
    assert one.resolution == "automatic" and one.without_fix().resolution == resolution
