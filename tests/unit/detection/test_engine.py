"""Findings and their fixes: names, templates, includes, messages."""

from pathlib import Path

import pytest

from cudamigrate.cuda.include_insertion import OWN_HEADERS
from cudamigrate.detection import engine as detect
from cudamigrate.edits import apply
from cudamigrate.frontends import cuda
from cudamigrate.model import Finding, SourceFile, Target
from cudamigrate.pipeline.own_headers import runtime_header
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.rulebase import code_rules, loader

RULES = """
library = "test"
[calls]
cudaFoo = "hipFoo"
cudaFree = "hipFree"
[namespaces]
cub = "hipcub"
[headers]
"one.h" = "hip/one.h"
"two.h" = ["hip/one.h", "hip/two.h"]
"gone.h" = ""
[same]
names = ["same"]
[[rule]]
name = "wrap"
template = "hipWrap(SYM($1), $*)"
message = "wraps `{name}`"
[[rule]]
name = "dropSecond"
template = "hipDrop($1, $3)"
message = "drops"
[[rule]]
name = "byCount"
template = ["hipThree($1, $2, $3)", "hipTwo($1, $2, 0)", "hipMany($1, $2, $3, $4, $*)"]
message = "by the number of arguments"
[[rule]]
name = "header-of-names"
names = ["lib::one", "lib::two"]
includes = ["lib/names.h"]
message = "`{name}` needs a header"
[[rule]]
name = "noCall"
message = "`{text}` has no equivalent, see {unknown}"
support = "none"
[[rule]]
name = "needsHeader"
rename = "ns::needs"
includes = ["extra.h"]
message = "needs a header"
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> code_rules.Rulebook:
    path = tmp_path_factory.mktemp("rules") / "test.toml"
    path.write_text(RULES)
    book = code_rules.Rulebook()
    for rule in loader.read(Path(path), Target(), "api"):
        book.add(rule)
    return book


def findings(text: str, book: code_rules.Rulebook, path: str = "a.cu") -> list[Finding]:
    parsed = cuda.parse(SourceFile(path, text.encode(), "cuda"), book.words())
    return detect.detect(parsed, book)


def fixed(text: str, book: code_rules.Rulebook) -> str:
    fixes = [finding.fix for finding in findings(text, book) if finding.fix is not None]
    return apply(text.encode(), fixes).data.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("void f() { cudaFoo(1); }", "void f() { hipFoo(1); }"),
        ("auto g = &cudaFoo;", "auto g = &hipFoo;"),
        ("void f() { ::cudaFoo(1); }", "void f() { ::hipFoo(1); }"),
        ("void f() { x::cudaFoo(1); same(1); }", "void f() { x::cudaFoo(1); same(1); }"),
        ("cub::Sum s; using namespace cub;", "hipcub::Sum s; using namespace hipcub;"),
        ("int cub = a.cub + m::cub::x;", "int cub = a.cub + m::cub::x;"),
        ("namespace cub = hipcub; cub::Sum s;", "namespace cub = hipcub; hipcub::Sum s;"),
        ("namespace c = cub;", "namespace c = hipcub;"),
        ("void f() { wrap(a, b, c); }", "void f() { hipWrap(SYM(a), b, c); }"),
        ("void f() { wrap( a , b ); }", "void f() { hipWrap( SYM(a) , b ); }"),
        ("void f() { wrap(cudaFoo(1), wrap(x, y)); }", "void f() { hipWrap(SYM(hipFoo(1)), hipWrap(SYM(x), y)); }"),
        ("void f() { wrap(a); }", "void f() { wrap(a); }"),
        ("void f() { dropSecond(a, b, c); }", "void f() { hipDrop(a, c); }"),
        ("void f() { byCount(a, b, c); }", "void f() { hipThree(a, b, c); }"),
        ("void f() { byCount(a, b); }", "void f() { hipTwo(a, b, 0); }"),
        ("void f() { byCount(a, b, c, d, byCount(e, f)); }", "void f() { hipMany(a, b, c, d, hipTwo(e, f, 0)); }"),
        ("void f() { byCount(a); byCount(a, b, c, d); }", "void f() { byCount(a); byCount(a, b, c, d); }"),
    ],
)
def test_names_and_calls(before: str, after: str, book: code_rules.Rulebook) -> None:
    assert fixed(before, book) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#include <one.h>\n", "#include <hip/one.h>\n"),
        ('#include "one.h" // why\n', '#include "hip/one.h" // why\n'),
        ("#include <two.h>\nint x;\n", "#include <hip/one.h>\n#include <hip/two.h>\nint x;\n"),
        ("#include <two.h>\r\n", "#include <hip/one.h>\r\n#include <hip/two.h>\r\n"),
        ("#include <gone.h>\nint x;\n", "int x;\n"),
        ("#include <gone.h> // why\nint x;\n", " // why\nint x;\n"),
        ("#include <gone.h>", ""),
        ("#include <one.h>\n#include <two.h>\n", "#include <hip/one.h>\n#include <hip/two.h>\n"),
        ("#include <hip/one.h>\n#include <one.h>\n", "#include <hip/one.h>\n"),
        (
            "#ifdef X\n#include <one.h>\n#endif\n#include <one.h>\n",
            "#ifdef X\n#include <hip/one.h>\n#endif\n#include <hip/one.h>\n",
        ),
        ("#include <other/one.h>\n", "#include <other/one.h>\n"),
    ],
)
def test_includes(before: str, after: str, book: code_rules.Rulebook) -> None:
    assert fixed(before, book) == after


def test_needed_header_is_added_once(book: code_rules.Rulebook) -> None:
    before = "#include <a>\nvoid f() { needsHeader(1); needsHeader(2); }\n"
    after = "#include <a>\n#include <extra.h>\nvoid f() { ns::needs(1); ns::needs(2); }\n"
    assert fixed(before, book) == after
    assert fixed("#include <extra.h>\nvoid f() { needsHeader(1); }\n", book).count("extra.h") == 1
    beside = '#include "../cudamigrate_hip.h"\n'
    assert fixed(beside + "void f() { needsHeader(1); }\n", book).startswith(beside + "#include <extra.h>\n")


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("#include <lib/sort.h>\n", "#include <lib/sort.h>\n#include <lib/names.h>\n"),
        ("#include <lib/names.h>\n", None),
        ('#ifdef A\n#include "lib/names.h"\n#endif\n', None),
        ("#include <other/sort.h>\n", None),
        ("", None),
    ],
)
def test_header_that_names_need_is_found_once(head: str, after: str | None, book: code_rules.Rulebook) -> None:
    body = "void f() { lib::one(); lib::two(); lib::one(); }\n"
    assert [finding.name for finding in findings(head + body, book)] == (["lib::one"] if after else [])
    assert fixed(head + body, book) == (after or head) + body


def test_message_names_what_was_found_and_leaves_other_braces(book: code_rules.Rulebook) -> None:
    (finding,) = findings("void f() { noCall(a,\n  b); }", book)
    assert finding.message == "`noCall(a, b)` has no equivalent, see {unknown}"
    assert (finding.support, finding.fix) == ("none", None)


def test_call_that_no_template_fits_is_left_to_a_hand(book: code_rules.Rulebook) -> None:
    fit, left = findings("void f() { byCount(a, b); byCount(a); }", book)
    assert (fit.fix is not None, fit.effort) == (True, "none")
    assert (left.fix, left.effort) == (None, "trivial")


def test_position_and_excerpt_are_those_of_the_line(book: code_rules.Rulebook) -> None:
    (finding,) = findings("\n\tauto \xe9 = cudaFree(p);\n", book)
    assert (finding.position.line, finding.position.column) == (2, 11)
    assert finding.excerpt == "auto \xe9 = cudaFree(p);"


def test_fingerprint_survives_an_edit_above_and_tells_repeats_apart(book: code_rules.Rulebook) -> None:
    first = findings("void f() { cudaFree(p); }", book)
    moved = findings("\n\nvoid f() { cudaFree(p); }", book)
    twice = findings("void f() {\ncudaFree(p);\ncudaFree(p);\n}", book)
    assert first[0].fingerprint == moved[0].fingerprint
    assert twice[0].fingerprint != twice[1].fingerprint


def test_cuda_names_in_code_that_only_hip_compiles_are_renamed_and_nothing_else_is_found(
    book: code_rules.Rulebook,
) -> None:
    text = "#ifdef USE_ROCM\nvoid f() { cudaFoo(1); noCall(2); }\n#endif\n"
    assert fixed(text, book) == text.replace("cudaFoo", "hipFoo")
    assert [finding.rule for finding in findings(text, book)] == ["api/cudaFoo"]


def test_ported_region_has_no_findings(book: code_rules.Rulebook) -> None:
    assert findings("#ifndef USE_ROCM\n#include <one.h>\n#endif\n", book) == []


def test_a_fall_back_settles_names_that_no_cuda_release_has_and_no_others() -> None:
    text = """
#include <nccl.h>
#ifdef OLD
#define NCCL_FOO_V1 1
#define cudaFree(p) 0
#else
#define NCCL_FOO_V1 2
#endif
int a = NCCL_FOO_V1 + NCCL_BAR_V1;
int b = cudaFree(0);
"""
    found = [finding.name for finding in find_in_text(text).findings]
    assert "NCCL_FOO_V1" not in found
    assert found.count("NCCL_BAR_V1") == 1 and found.count("cudaFree") == 2


@pytest.mark.parametrize("name", OWN_HEADERS)
def test_headers_of_our_own_have_no_findings(name: str) -> None:
    text = runtime_header(name).decode() + "void f() { cudaFree(0); }\n"
    assert find_in_text(text, name).findings == ()
    assert find_in_text(text.partition("\n")[2], name).findings != ()


def test_a_definition_keeps_its_name_where_the_new_one_is_in_a_namespace() -> None:
    """An overload for older releases of CUDA: its calls change, and it is none in another namespace."""
    head = "__device__ __nv_bfloat16 __ldcs(const __nv_bfloat16 *p) {"
    calls = "__device__ int f(int *p) { return __ldcs(p); }"
    text = f"#include <cuda_bf16.h>\n#ifdef OLD\n{head} return *p; }}\n#endif\n{calls}\n"
    after = find_in_text(text).after
    assert "__hip_bfloat16 __ldcs(const __hip_bfloat16 *p) {" in after and "cudamigrate::load_cached(p)" in after


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#if THRUST_VERSION < 200600\nauto f = thrust::not1(g);\n#endif\n", []),
        ("#if defined(THRUST_VERSION) && THRUST_VERSION < LIB_NOT_FN\nauto f = thrust::not1(g);\n#endif\n", []),
        ("#if THRUST_VERSION >= 200600\nint a;\n#else\nauto f = thrust::not1(g);\n#endif\n", []),
        ("#if THRUST_VERSION < 200600\nint a;\n#endif\nauto f = thrust::not1(g);\n", ["thrust::not1"]),
        ("#if THRUST_VERSION < 400000\nauto f = thrust::not1(g);\n#endif\n", ["thrust::not1"]),
        ("#if defined(THRUST_VERSION)\nauto f = thrust::not1(g);\n#endif\n", ["thrust::not1"]),
    ],
)
def test_a_name_of_some_releases_is_right_where_the_code_asks_for_the_release(text: str, found: list[str]) -> None:
    text = "#include <thrust/functional.h>\n" + text
    assert [one.name for one in find_in_text(text).findings if one.rule == "api/thrust-removed-names"] == found


def test_a_namespace_that_goes_with_the_name_behind_it_is_not_renamed_by_itself() -> None:
    head = "#include <cub/cub.cuh>\n__global__ void k(unsigned *a) { a[0] = "
    found = find_in_text(f"{head}cub::LaneId(); }}\n")
    assert [one.rule for one in found.findings if one.rule in ("api/cub", "warp/cub-lane")] == ["warp/cub-lane"]
    assert "a[0] = cudamigrate::lane_id();" in found.after
    beside = find_in_text(f"{head}cub::LaneId() + cub::IADD3(1, 2, 3); }}\n")
    assert [one.rule for one in beside.findings if one.rule == "api/cub"] == ["api/cub"]
    assert "cudamigrate::lane_id() + hipcub::IADD3" in beside.after
