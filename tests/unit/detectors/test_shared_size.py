"""Shared memory against what the target's GPUs have."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

REQUEST = """
#include <cuda_runtime.h>
void run(float *p) {{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {value});
    kernel<<<1, 32, {value}>>>(p);
}}
"""
ARRAY = "#include <hip/hip_runtime.h>\n__global__ void k() {{ {array} }}\n"


def found(source: str, *arch: str) -> list[tuple[str, str]]:
    config = Config(arch=arch or ("gfx90a", "gfx942"))
    findings = find_in_text(source, config=config).findings
    others = ("memory/sized-shared-array", "memory/whole-shared-memory")  # how one is declared, and what is not a size
    sizes = [f for f in findings if f.rule not in others]
    mine = [f for f in sizes if f.rule.startswith("memory/") and "shared" in f.rule]
    return [(f.rule.partition("/")[2], source[f.span.start : f.span.end]) for f in mine]


@pytest.mark.parametrize(
    ("value", "arch", "rules"),
    [
        ("65536", "gfx942", []),
        ("65537", "gfx942", ["dynamic-shared-memory"] * 2),
        ("100 * 1024", "gfx950", []),
        ("100 * 1024", "gfx1100", ["dynamic-shared-memory"] * 2),
        ("160 * 1024 + 1", "gfx950", ["dynamic-shared-memory"] * 2),
        ("size", "gfx942", ["shared-memory-request"]),
        ("max_shared_mem", "gfx942", ["shared-memory-request"]),  # a name proves nothing
        ("prop.sharedMemPerBlock", "gfx942", []),
    ],
)
def test_request_is_held_against_the_architecture(value: str, arch: str, rules: list[str]) -> None:
    assert [rule for rule, _ in found(REQUEST.format(value=value), arch)] == rules


ASKED = [
    "int q; cudaDeviceGetAttribute(&q, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);",
    "const size_t got = prop.sharedMemPerBlockOptin; size_t q = got;",
    "size_t q = most(0);",
    "size_t q{}; cudaDeviceGetAttribute((int *)&q, cudaDevAttrMaxSharedMemoryPerBlock, 0);",
]


@pytest.mark.parametrize("got", ASKED)
def test_what_the_device_says_that_it_has_is_followed_through_names(got: str) -> None:
    asked = "size_t all; cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerBlock, d);"
    source = f"size_t most(int d) {{ {asked} return all; }}\n" + REQUEST.format(value="q").replace(
        "cudaFuncSet", got + " cudaFuncSet", 1
    )
    assert found(source) == []
    assert [rule for rule, _ in found(source.replace("MaxSharedMemory", "Clock").replace("sharedMem", "regs"))] == [
        "shared-memory-request"
    ]


def test_message_names_the_amount_and_the_gpu_that_lacks_it() -> None:
    source = REQUEST.format(value="70000")
    config = Config(arch=("gfx942", "gfx950"))
    reported = [f.message for f in find_in_text(source, config=config).findings if "dynamic" in f.rule]
    assert reported[0].startswith("70000 bytes of dynamic shared memory: a block has 64 KiB on gfx942,")


@pytest.mark.parametrize(
    ("array", "spans"),
    [
        ("__shared__ float a[128][128];", []),
        ("__shared__ float a[128][129];", ["a[128][129]"]),
        ("__shared__ __align__(16) unsigned char a[65540];", ["a[65540]"]),
        ("__shared__ alignas(16) double a[8193];", ["a[8193]"]),
        ("__shared__ float a[128][128]; __shared__ int b; __shared__ char c[4];", ["c[4]"]),
        ("__shared__ Tile a[70000];", []),
        ("extern __shared__ float a[70000];", []),
        ("static float a[70000];", []),
    ],
)
def test_arrays_of_one_kernel_are_added_up(array: str, spans: list[str]) -> None:
    assert [text for _, text in found(ARRAY.format(array=array))] == spans


def test_arrays_of_two_kernels_are_not() -> None:
    one = ARRAY.format(array="__shared__ float a[10000];")
    assert found(one + one.replace("void k", "void l").replace("#include <hip/hip_runtime.h>", "")) == []


def test_function_that_someone_looked_at_is_left_alone() -> None:
    source = REQUEST.format(value="size").replace("cudaFunc", "// for CUDA\n    ROCM_ONLY(1); cudaFunc", 1)
    assert found(source) == []


TWO_BLOCKS = """
#include <cuda_runtime.h>
void run(float *p, bool wide) {{
    if (wide) {{
        {first}
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        kernel<<<1, 32, bytes>>>(p);
    }} else {{
        {second}
        cudaFuncSetAttribute(other, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        other<<<1, 32, bytes>>>(p);
    }}
}}
"""


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("int bytes = 16 * 4384;", "int bytes = 16 * 2336;", ["dynamic-shared-memory"] * 2),
        ("int bytes = 65536;", "int bytes = 65536;", []),
        ("int bytes = 65536;", "int bytes = 65537;", ["dynamic-shared-memory"] * 2),
        ("int bytes = 65536; bytes += p[0];", "int bytes = 100;", ["shared-memory-request"]),
        ("int bytes; bytes = 70000;", "int bytes = 100;", ["shared-memory-request"] * 2),
    ],
)
def test_a_size_is_that_of_the_block_around(first: str, second: str, told: list[str]) -> None:
    assert [rule for rule, _ in found(TWO_BLOCKS.format(first=first, second=second))] == told


@pytest.mark.parametrize(
    ("prepare", "passed", "found"),
    [
        ("void prepare(Box &box, int n) { box.bytes = n; box.bytes += 4; box.bytes = 80 * 1024; }", "box.bytes", 1),
        ("void prepare(Box *box, int n) { box->bytes = 80 * 1024; box->bytes += n; }", "box.bytes", 1),
        ("", "size_t bytes = n; bytes = 80 * 1024; ", 1),
        ("void prepare(Box &box, int n) { box.bytes = 64 * 1024; }", "box.bytes", 0),
        ("void prepare(Box &box, int n) { if (n > 80) box.bytes = 80 * 1024; }", "box.bytes", 0),
        ("void prepare(Box &box, int n) { box.bytes = 80 * 1024; box.bytes = n; }", "box.bytes", 0),
        ("void prepare(Box &box, int n) { box.others = 80 * 1024; }", "box.bytes", 0),
        ("void other(int n) { size_t bytes; bytes = 80 * 1024; use(bytes); }", "size_t bytes = n; ", 0),
    ],
)
def test_an_amount_that_a_launch_takes_from_what_is_set_before_it(prepare: str, passed: str, found: int) -> None:
    """A condition may be true on large GPUs only; a member is set where its struct is prepared, in any function."""
    before, amount = ("", passed) if passed.startswith("box") else (passed, "bytes")
    struct = "struct Box { size_t bytes, others; };"
    code = f"{struct}\n{prepare}\nvoid run(Box box, int n) {{ {before}k<<<1, 64, {amount}>>>(n); }}\n"
    rules = [one.rule for one in find_in_text(code, "a.cu", None).findings]
    assert rules.count("memory/dynamic-shared-memory") == found


@pytest.mark.parametrize(
    ("types", "rules"),
    [
        ("using real = half;", []),
        ("typedef __half real;", []),
        ("using two = half; using real = two;", []),
        ("using real = float4;", ["dynamic-shared-memory"] * 2),
        ("#if FAST\nusing real = half;\n#else\nusing real = double;\n#endif", ["shared-memory-request"]),
        ("// using real = half;", ["shared-memory-request"]),
    ],
)
def test_a_size_by_a_name_that_the_file_gives_a_type_is_known(types: str, rules: list[str]) -> None:
    source = f"{types}\n{REQUEST.format(value='8192 * sizeof(real)')}"
    assert [rule for rule, _ in found(source, "gfx942")] == rules
