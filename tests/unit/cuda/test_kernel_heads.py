"""Functions whose heads conditionals part from their names: they run where their qualifiers say."""

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.lane_code import facts

BODY = "{\n  const int lane = index() & (warpSize - 1);\n  scan(a, lane);\n}\n"
BOUNDED = "__global__ void\n#ifndef BY_OCCUPANCY\n__launch_bounds__(256, 2)\n#endif // bounds\nlink\n  (int *a)\n"
IN_BRANCHES = "__device__ int\n#ifdef WIDE\nWIDE_BOUNDS(4)\n#else\nNARROW_BOUNDS\n#endif\nlink(int *a)\n"
OPENED = "#if A\n#ifdef B\nvoid other() {\n#endif\n#else\n"


def functions(text: str) -> dict[str, str]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return {one.name: one.scope for one in parsed.functions}


@pytest.mark.parametrize("head", [BOUNDED, "template <typename T>\n" + BOUNDED, IN_BRANCHES])
def test_a_head_reaches_back_over_directives(head: str) -> None:
    assert functions(head + BODY) == {"link": "device"}


@pytest.mark.parametrize(
    ("head", "found"),
    [
        pytest.param("__global__ BOUNDS(128, 12)\nvoid k(int *a)", {"k": "device"}, id="two bounds"),
        pytest.param("__global__ BOUNDS(128)\nvoid k(int *a)", {"k": "device"}, id="one bound"),
        pytest.param("template <typename T>\n__global__ static BOUNDS(N, M) void k(T *a)", {"k": "device"}, id="named"),
        pytest.param("__global__ BOUNDS(1) LINKAGE(2) void k(int *a)", {"k": "device"}, id="two macros"),
        pytest.param("__global__ __launch_bounds__(128, 12) void k(int *a)", {"k": "device"}, id="CUDA's own"),
        pytest.param("BOUNDS(128)\nint k(int *a)", {"k": "host"}, id="no kernel"),
    ],
)
def test_a_macro_with_arguments_before_the_type_is_not_the_name(head: str, found: dict[str, str]) -> None:
    assert functions(f"{head}\n{{\n  start(a);\n}}\n") == found


@pytest.mark.parametrize(
    "before",
    [
        "__device__ int x;\n#ifdef A\n#define B 1\n#endif\n",
        "__global__ void k() {}\n#ifdef A\n#endif\n",
        "REGISTER(__device__)\n#ifdef A\n#endif\n",
        "int f();  // __global__\n#ifdef A\n#endif\n",
        "",
    ],
)
def test_what_is_before_a_directive_need_not_be_the_head(before: str) -> None:
    assert functions(before + "void run(int *a)\n{\n  start(a);\n}\n")["run"] == "host"


def test_a_lane_counted_in_such_a_kernel_is_of_32() -> None:
    parsed = cuda.parse(SourceFile("a.cu", (BOUNDED + BODY).encode(), "cuda"), frozenset())
    (unit,) = facts(parsed).units.values()
    assert (unit.name, [parsed.data[one.start : one.end] for one in unit.sizes]) == ("link", [b"warpSize"])


def test_a_kernel_that_the_tree_lost_is_found_by_its_text() -> None:
    text = OPENED + BOUNDED + BODY + "#endif\n"
    assert functions(text)["link"] == "device"


@pytest.mark.parametrize("declared", ["__global__ void link(int *a);\n", "#define K __global__ void link(int *a)\n"])
def test_a_kernel_without_a_body_is_no_function(declared: str) -> None:
    assert "link" not in functions(OPENED + declared + "int n;\n#endif\n")
