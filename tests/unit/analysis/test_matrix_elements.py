"""Elements of warp matrix functions that no header for AMD has, by whatever part of their names."""

import pytest

from cudamigrate.analysis.matrix_elements import uses
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text


@pytest.mark.parametrize(
    ("directives", "used", "found"),
    [
        ("using namespace nvcuda;", "wmma::experimental::precision::u4", True),
        ("using namespace nvcuda::wmma;", "experimental::precision::s4", True),
        ("using namespace nvcuda; using namespace wmma::experimental;", "precision::b1", True),
        ("using namespace nvcuda::wmma::experimental::precision;", "b1", True),
        ("namespace ex = nvcuda::wmma::experimental;", "ex::precision::b1", True),
        ("using nvcuda::wmma::bmma_sync;", "bmma_sync", True),
        ("using namespace nvcuda::wmma;", "bmma_sync", True),
        ("using namespace nvcuda;", "precision::b1", False),
        ("using namespace nvcuda;", "own::bmma_sync", False),
        ("using namespace nvcuda::wmma;", "object.bmma_sync", False),
        ("", "bmma_sync", False),
        ("using namespace nvcuda;", "nvcuda::wmma::bmma_sync", False),  # which the rule finds by its name
    ],
)
def test_a_name_is_looked_up_where_directives_open_namespaces(directives: str, used: str, found: bool) -> None:
    code = f"{directives}\n__device__ void f() {{ {used}(1); }}\n"
    parsed = cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), frozenset())
    assert [one.name for one in uses(parsed)] == [used] * found


@pytest.mark.parametrize(
    ("spaces", "used", "found"),
    [
        (("nvcuda", "wmma"), "__get_storage_value<int, int>", True),
        (("nvcuda::wmma",), "experimental::precision::s4", True),
        (("nvcuda", "wmma", "mine"), "helper_traits<int>", True),
        (("nvcuda",), "helper_traits<int>", False),
        (("nvcuda", "wmma"), "__float_to_tf32", False),
        (("mine", "nvcuda", "wmma"), "helper_traits<int>", False),  # another namespace of that name
    ],
)
def test_a_name_is_bare_where_code_adds_to_the_namespace(spaces: tuple[str, ...], used: str, found: bool) -> None:
    opening = " ".join(f"namespace {one} {{" for one in spaces)
    code = f"{opening}\n__device__ void f() {{ {used}(1); }}\n{'}' * len(spaces)}\n"
    parsed = cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), frozenset())
    assert [one.name for one in uses(parsed)] == [used.partition("<")[0]] * found


def test_fragments_that_no_header_has_are_not_said_to_run() -> None:
    code = """using namespace nvcuda;
__global__ void few() { wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4> own; }
__global__ void half() { wmma::fragment<wmma::accumulator, 16, 16, 16, float> own; }
"""
    found = find_in_text(code, "k.cu", None).findings
    said = {
        one.rule: code[: one.span.start].count("\n") + 1
        for one in found
        if one.rule.endswith(("-fragments", "-counterpart"))
    }
    assert said == {"api/wmma-without-counterpart": 2, "library/matrix-fragments": 3}
