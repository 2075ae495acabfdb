"""Wave constants of a port that another file defines: which files they have a meaning in, and what is judged there."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, facts, scanned

WAVE = "#ifdef LIB_AMD\nconstexpr int kWarpSize = 64;\n#else\nconstexpr int kWarpSize = 32;\n#endif\n"
TREE = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "k.h": BRANCHES % "LIB_AMD" + WAVE}
SUM = (
    "{include}\n__global__ void sum(float *a) {{\n  float v = a[threadIdx.x];\n"
    "  for (int o = {start}; o > 0; o >>= 1) v += __shfl_xor(v, o);\n"
    "  if (threadIdx.x % {name} == 0) a[threadIdx.x / {name}] = v;\n}}\n"
)


def kernel(include: str = '#include "k.h"', start: str = "16", name: str = "kWarpSize") -> str:
    return SUM.format(include=include, start=start, name=name)


def mixed(folder: Path, files: dict[str, str]) -> bool:
    """Whether a kernel that counts 32 lanes is found to mix them with the port's wave."""
    messages = [one.message for one in scanned(folder, files).findings if one.group == "warp"]
    return any("it mixes `" in message for message in messages)


def inside(space: str, text: str) -> str:
    return f"{space} {{\n{text}}};\n"


@pytest.mark.parametrize(("start", "gap"), [("16", True), ("kWarpSize / 2", False)])
def test_code_is_judged_for_both_sides_of_a_constant_that_it_includes(tmp_path: Path, start: str, gap: bool) -> None:
    files = {**TREE, "a.cu": kernel(start=start)}
    assert mixed(tmp_path, files) is gap
    assert bool([one for one in scanned(tmp_path, files).findings if one.group == "warp"]) is gap


@pytest.mark.parametrize(
    ("files", "seen"),
    [
        ({"a.cu": kernel()}, True),
        ({"a.cu": kernel('#include "b.h"'), "b.h": '#include "k.h"\n'}, True),  # through another
        ({"a.cu": kernel("")}, False),  # a name alone is no evidence
        ({"a.cu": kernel("constexpr int kWarpSize = 32;")}, False),
        ({"a.cu": kernel('#ifndef LIB_AMD\n#include "k.h"\n#endif')}, False),  # HIP does not get it from there
        ({"a.cu": '#include "k.h"\n#include "a.cuh"\n', "a.cuh": kernel("")}, True),  # its user includes both
        (  # what the header includes itself comes first
            {
                "a.cu": '#include "k.h"\n#include "a.cuh"\n',
                "a.cuh": kernel('#include "n.h"'),
                "n.h": "constexpr int kWarpSize = 32;\n",
            },
            False,
        ),
    ],
)
def test_includes_say_which_constant_a_name_is(tmp_path: Path, files: dict[str, str], seen: bool) -> None:
    assert mixed(tmp_path, {**TREE, **files}) is seen


@pytest.mark.parametrize(
    ("space", "name", "seen"),
    [
        ("namespace lib", "lib::kWarpSize", True),
        ("namespace lib", "kWarpSize", True),  # by `using`, or in a namespace of the same name
        ("namespace lib", "other::kWarpSize", False),
        ("struct Traits", "Traits::kWarpSize", True),
        ("struct Traits", "kWarpSize", False),  # a member has no meaning alone
    ],
)
def test_what_qualifies_a_name_says_which_constant_it_is(tmp_path: Path, space: str, name: str, seen: bool) -> None:
    wave = WAVE.replace("constexpr", "static constexpr")
    files = {**TREE, "k.h": BRANCHES % "LIB_AMD" + inside(space, wave), "a.cu": kernel(name=name)}
    assert mixed(tmp_path, files) is seen


@pytest.mark.parametrize(("name", "seen"), [("lib::kWarpSize", True), ("old::kWarpSize", False), ("kWarpSize", False)])
def test_two_constants_of_one_name_are_told_apart(tmp_path: Path, name: str, seen: bool) -> None:
    both = {
        "k.h": BRANCHES % "LIB_AMD" + inside("namespace lib", WAVE),
        "n.h": inside("namespace old", "constexpr int kWarpSize = 32;\n"),
        "a.cu": kernel('#include "k.h"\n#include "n.h"', name=name),
    }
    assert mixed(tmp_path, {**TREE, **both}) is seen


def test_a_function_that_returns_the_wave_is_one_of_its_constants(tmp_path: Path) -> None:
    body = "#ifdef LIB_AMD\n  return 64;\n#else\n  return 32;\n#endif\n"
    files = {**TREE, "k.h": BRANCHES % "LIB_AMD" + f"inline constexpr int lanes() {{\n{body}}}\n"}
    assert facts(tmp_path, files).waves == {"lanes": "k.h:7"} or "lanes" in facts(tmp_path, files).waves


@pytest.mark.parametrize(("lanes", "found"), [("32 == 31", 1), ("64 == 63", 0)])
def test_a_port_s_own_branch_is_judged_with_what_takes_its_results(tmp_path: Path, lanes: str, found: int) -> None:
    scan = (
        "{guard}\n  for (int d = 1; d < {wave}; d *= 2) {{ int n = {call}; if (threadIdx.x % {wave} >= d) v += n; }}\n"
    )
    ours = scan.format(guard="#ifdef LIB_AMD", wave=64, call="__shfl_up(v, d, 64)")
    theirs = scan.format(guard="#else", wave=32, call="__shfl_up_sync(0xffffffff, v, d)")
    body = f"__global__ void k(int *a) {{\n  int v = a[threadIdx.x];\n{ours}{theirs}#endif\n"
    files = {**TREE, "a.cu": f'#include "k.h"\n{body}  if (threadIdx.x % {lanes}) atomicAdd(a, v);\n}}\n'}
    assert [one.rule for one in scanned(tmp_path, files).findings].count("warp/half-wave-leader") == found


@pytest.mark.parametrize(("lane", "found"), [("threadIdx.x % warpSize", 1), ("threadIdx.x", 0)])
def test_a_port_s_own_kernel_is_judged_by_the_wave_that_it_has(tmp_path: Path, lane: str, found: int) -> None:
    shared = f"  __shared__ int s[256];\n  int lane = {lane};\n  s[lane] = a[threadIdx.x];\n  __syncthreads();\n"
    body = f"__global__ void k(int *a) {{\n{shared}  a[threadIdx.x] = s[255 - lane];\n}}\n"
    launch = "void run(int *a) { k<<<1, 256>>>(a); }\n"
    files = {
        **TREE,
        "cuda/k.cu": "#include <cuda_runtime.h>\n" + body + "void run(int *a) { k<<<1, 256>>>(a); cudaFree(a); }\n",
        "hip/k.hip": "#include <hip/hip_runtime.h>\n" + body + launch,
    }
    of_port = [one.rule for one in scanned(tmp_path, files).findings if one.path == "hip/k.hip"]
    assert of_port.count("warp/lane-element") == found
