"""A shift by a constant of another file is too wide where all files give that constant one number that makes it so."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.inspect_file import inspect

USE = """#include "sizes.h"
__device__ unsigned before(unsigned votes, unsigned at) {
  return __popc(votes << (LANES - (at % LANES)));
}
"""


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"sizes.h": "#define LANES 32\n"}, [("use.cu", 3)]),
        ({"sizes.h": "constexpr unsigned LANES = 32;\n"}, [("use.cu", 3)]),
        ({"sizes.h": "#define LANES 16\n"}, []),
        ({"sizes.h": "#ifdef WIDE\n#define LANES 64\n#else\n#define LANES 32\n#endif\n"}, []),
        ({"sizes.h": "#define LANES (1 << BITS)\n"}, []),
        ({"other.h": "// #define LANES 32\n"}, []),
        ({"sizes.h": "#  define /* lanes */ \\\n  LANES 32\n"}, [("use.cu", 3)]),
        ({"sizes.h": "#define LANES 32\n", "other.h": "#undef LANES\n"}, []),
        (
            {"sizes.h": "#define LANES 32\n", "other.h": "int LANES_SEEN = 64; // LANES, and define: another word\n"},
            [("use.cu", 3)],
        ),
    ],
)
def test_the_number_is_that_of_the_tree(files: dict[str, str], told: list[tuple[str, int]], tmp_path: Path) -> None:
    written(tmp_path, {"use.cu": USE, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    found = [one for one in findings if one.rule == "warp/wide-shift"]
    assert [(one.path, one.position.line) for one in found] == told
    assert all(USE[one.span.start : one.span.end].startswith("votes << (") for one in found)
    assert all([step.path for step in one.trace] == ["sizes.h"] for one in found)


SCAN = """#pragma once
class Base {
 public:
  static constexpr int LANES = 32;
};
class Scan : public Base {
 public:
  static constexpr unsigned MASK = LANES - 1;
  __device__ unsigned above(unsigned votes);
};
"""
METHOD = """#include "scan.h"
__device__ unsigned Scan::above(unsigned votes) {
  return votes >> (LANES - (threadIdx.x & MASK));
}
"""
OTHER = "class Other {\n  static constexpr int LANES = 16;\n  enum { MASK = 15 };\n};\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"scan.h": SCAN}, [("use.cu", 3)]),
        ({"scan.h": SCAN, "other.h": OTHER}, [("use.cu", 3)]),
        ({"scan.h": SCAN.replace("static constexpr int LANES = 32;", "enum { LANES = 1 << 5 };")}, [("use.cu", 3)]),
        ({"scan.h": SCAN.replace("LANES = 32", "LANES = 16"), "other.h": OTHER.replace("16", "32")}, []),
        ({"scan.h": SCAN.replace(" : public Base", ""), "other.h": OTHER}, []),
        ({"scan.h": SCAN, "again.h": SCAN.replace("LANES = 32", "LANES = 64")}, []),
    ],
)
def test_a_method_reads_the_constants_of_its_class(
    files: dict[str, str], told: list[tuple[str, int]], tmp_path: Path
) -> None:
    written(tmp_path, {"use.cu": METHOD, **files})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "warp/wide-shift"]
    assert [(one.path, one.position.line) for one in found] == told
    assert all([step.text for step in one.trace] == ["`LANES` is 32 here", "`MASK` is 31 here"] for one in found)


def test_methods_of_two_classes_in_one_file(tmp_path: Path) -> None:
    narrow = METHOD.replace("Scan::", "Narrow::").replace('#include "scan.h"\n', "")
    sizes = SCAN + SCAN.replace("Base", "Half").replace("Scan", "Narrow").replace("32", "16")
    written(tmp_path, {"use.cu": METHOD + narrow, "scan.h": sizes})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "warp/wide-shift"]
    assert [(one.path, one.position.line) for one in found] == [("use.cu", 3)]


TYPED = """#include "words.h"
__device__ u32 before(bool p, int lane, u32 at, const u32 *in) {
  const u32 votes = __ballot(p);
  return __popc(votes << (warpSize - lane)) + (in[at] >> (32 - (at & 31)));
}
"""


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"words.h": "typedef unsigned int u32;\n"}, ["votes << (warpSize - lane)", "in[at] >> (32 - (at & 31))"]),
        ({"words.h": "using u32 = uint32_t;\n"}, ["votes << (warpSize - lane)", "in[at] >> (32 - (at & 31))"]),
        ({"words.h": "typedef unsigned long long u32;\n"}, []),
        ({"words.h": "typedef unsigned u32;\n", "wide.h": "typedef unsigned long u32;\n"}, []),
        ({"words.h": "// typedef unsigned u32;\n"}, []),
        ({"words.h": "struct u32 { unsigned a; };\n"}, []),
    ],
)
def test_the_type_is_that_of_the_tree(files: dict[str, str], told: list[str], tmp_path: Path) -> None:
    written(tmp_path, {"use.cu": TYPED, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    found = [one for one in findings if one.rule == "warp/wide-shift"]
    assert [TYPED[one.span.start : one.span.end] for one in found] == told


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("__device__ int f(int v) { return v << LANES; }", {b"LANES"}),
        ("__device__ int f(int v) { v >>= (kBits + LANES); return v << 3; }", {b"LANES", b"kBits"}),
        (
            "#define PART(v) ((v) << (LANES - threadIdx.x % 32))\n__device__ int f(int v) { return PART(v); }",
            {b"LANES"},
        ),
        ("#define PART(v) ((v) << LANES)\nint f(int v) { cudaFree(0); return PART(v); }", set()),
        ("void say(std::ostream &out) { out << LANES; cudaFree(0); }", set()),
        ("__global__ void k(int *a);\nvoid f(int *a) { k<<<1, LANES>>>(a); }", set()),
        ("__device__ int f(int v) { return v << (v % 8); }", set()),
    ],
)
def test_constants_are_looked_for_where_device_code_shifts_by_them(text: str, named: set[bytes]) -> None:
    source = SourceFile("a.cu", text.encode(), "cuda")
    assert inspect(source, pipeline.rules(pipeline.target(Config()))).shifts == named
