"""Functions of the device whose head says so by a macro of another file."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.code_files import is_cuda
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

FENCE = "LIB_FN void f() { __threadfence(); }\n"


def scopes(text: str) -> dict[str, str]:
    parsed = cuda.parse(SourceFile("a.hpp", text.encode(), "cxx"), frozenset())
    return {one.name: one.scope for one in parsed.functions}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{FENCE}LIB_FN int g() {{ return 1; }}", {"f": "device", "g": "device"}),
        (f"{FENCE}template <class T> LIB_FN T g() {{ return 1; }}", {"f": "device", "g": "device"}),
        (f"struct S {{\n {FENCE} LIB_FN bool g() {{ return h(); }} }};", {"f": "device", "g": "device"}),
        ("LIB_FN int f() { return threadIdx.x; }\nLIB_FN int g() { return 1; }", {"f": "device", "g": "device"}),
        (
            f"{FENCE}LIB_OTHER int g() {{ return 1; }}\nint h() {{ return 2; }}",
            {"f": "device", "g": "host", "h": "host"},
        ),
        ("LIB_FN __device__ void f() { __threadfence(); }\nLIB_FN int g() { return 1; }", {"f": "device", "g": "host"}),
        (f"#define LIB_FN inline\n{FENCE}LIB_FN int g() {{ return 1; }}", {"f": "host", "g": "host"}),
        ("LIB_A LIB_B void f() { __threadfence(); }\nLIB_A int g() { return 1; }", {"f": "host", "g": "host"}),
        ("LIB_INT f() { __threadfence(); return 1; }\nLIB_INT g() { return 1; }", {"f": "host", "g": "host"}),
        (
            "void f(LIB_T const *a) { __threadfence(); }\nint g(LIB_T const *a) { return 1; }",
            {"f": "host", "g": "host"},
        ),
        ("LIB_FN int f(LIB_T *a) { __threadfence(); }\nLIB_FN int g() { return 1; }", {"f": "device", "g": "device"}),
        ("void __threadfence(int);\nLIB_FN int g() { return 1; }", {"g": "host"}),
    ],
)
def test_a_macro_that_is_before_what_only_device_code_can_do_is_for_the_device(
    text: str, found: dict[str, str]
) -> None:
    assert scopes(text) == found


def test_what_a_lambda_does_says_nothing_of_the_function_around_it() -> None:
    text = "LIB_FN void f() { each([=] __device__(int i) { __threadfence(); }); }\nLIB_FN int g() { return 1; }"
    assert scopes(text)["g"] == "host"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("void f() { __threadfence(); }", True),
        ("int f() { return threadIdx.x + 1; }", True),
        ("int f() { return p->threadIdx.x + my_threadIdx.x; }", False),
        ("void f() { my__threadfence(); }", False),
    ],
)
def test_a_file_with_what_only_device_code_has_is_read(text: str, found: bool) -> None:
    assert is_cuda(SourceFile("a.hpp", text.encode(), "cxx"), frozenset()) is found


CASE = """#include <cases.h>

TEST_CASE("store", "[tag]", (int, float))
{
    LIB_CHECK
    run<<<1, 32>>>%s
    cudaFree(data);
}
"""


@pytest.mark.parametrize(
    ("launched", "host"),
    [
        ("([=] LIB_DEVFN () mutable { data[threadIdx.x] = 1; });", True),
        ("([=] LIB_DEVFN (int i) { data[i + blockIdx.x] = 1; }, 3);\n  g([=] LIB_DEVFN () { f(threadIdx.x); });", True),
        ("(data); data[threadIdx.x] = 1;", False),
        ("([=] () { data[threadIdx.x] = 1; });", False),
    ],
)  # fmt: skip
def test_a_test_case_runs_on_the_device_where_its_lambdas_for_the_device_are(launched: str, host: bool) -> None:
    text = CASE % launched
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert (parsed.scope(text.index("cudaFree")) == "device") is not host
    assert all(parsed.scope(at) == "device" for at in range(len(text)) if text.startswith("threadIdx", at))
