"""From a complaint about converted code back to the original and its finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Conversion, Edit, Finding, Fix, Position, SourceFile, Span
from cudamigrate.model.verification import PASSED_OVER, UNFORESEEN, Diagnostic, Place, Verdict
from cudamigrate.pipeline import convert_file, inspect_file
from cudamigrate.verification import attribution
from cudamigrate.verification.attribution import DiagnosticTracer

TEXT = """\
#include <cuda_runtime.h>
__device__ float f(float v) {
    return v;
}
void g(void **p) {
    cudaMalloc(p, 4); cudaMallocHost(p, 4);
    int a = cudaIpcFoo;
}
"""


def converted(text: str) -> tuple[tuple[Finding, ...], Conversion]:
    source = SourceFile("a.cu", text.encode(), "cuda")
    config = Config()
    findings = inspect_file.inspect(source, pipeline.rules(pipeline.target(config))).findings
    return findings, convert_file.convert(source, findings)


def finding(line: int, rule: str, group: str = "", safety: str = "safe") -> Finding:
    fix = Fix((Edit(Span(0, 0), b""),), safety, group) if group else None  # type: ignore[arg-type]
    start, end = Position(line, 3), Position(line, 9)
    return Finding(rule, "a.cu", Span(0, 1), start, end, "", "", "manual", "fine", "token", "small", fix)


def test_a_place_in_converted_code_is_reported_as_the_original_has_it() -> None:
    findings, conversion = converted(TEXT)
    after = conversion.after.decode().splitlines()
    line = next(number for number, text in enumerate(after, 1) if "int a" in text)
    column = after[line - 1].index("int") + 1
    assert DiagnosticTracer(findings, {"a.cu": conversion}).original(Place("a.cu", line, column)) == Place("a.cu", 7, 5)


def test_a_place_in_new_text_is_where_the_old_text_stood() -> None:
    findings, conversion = converted(TEXT)
    after = conversion.after.decode().splitlines()
    line = next(number for number, text in enumerate(after, 1) if "hipMalloc(" in text)
    column = after[line - 1].index("hipHostMalloc") + 6
    place = DiagnosticTracer(findings, {"a.cu": conversion}).original(Place("a.cu", line, column))
    assert place == Place("a.cu", 6, TEXT.splitlines()[5].index("cudaMallocHost") + 1)


def foreseen(told: Finding, message: str, column: int = 5, conversion: Conversion | None = None) -> bool:
    entry = Diagnostic("error", Place("a.cu", 6, column), message, "host")
    known = DiagnosticTracer([told], {} if conversion is None else {"a.cu": conversion})
    (traced,) = known.verdict(Verdict("a.cu", "failed", (entry,))).diagnostics
    assert traced.rule == (told.rule if traced.foreseen else UNFORESEEN)
    return traced.foreseen


def test_a_complaint_is_foreseen_by_a_finding_that_speaks_of_its_name() -> None:
    told = replace(finding(6, "api/x"), outcome="compile-error")
    for named in (replace(told, name="A::x"), replace(told, message="HIP has no `x`."), replace(told, excerpt="f(x)")):
        assert foreseen(named, "use of undeclared identifier 'x'")
        assert foreseen(named, "no member named 'x' in 'A'", column=30)
        assert not foreseen(replace(named, name=named.name and "A::y"), "use of undeclared identifier 'other'")
    only_near = replace(told, name="call", excerpt="call(FIXME)")
    assert not foreseen(only_near, "use of undeclared identifier 'FIXME'"), "what stands beside the name is another's"


def test_a_namespace_that_is_not_declared_is_not_foreseen_by_what_is_said_of_a_name_in_it() -> None:
    told = replace(finding(6, "api/x"), outcome="compile-error", name="cub::Old", message="hipCUB dropped `cub::Old`.")
    assert not foreseen(told, "use of undeclared identifier 'cub'")
    assert foreseen(told, "use of undeclared identifier 'Old'")
    assert foreseen(told, "no member named 'Old' in namespace 'cub'", column=30)
    assert foreseen(replace(told, name="cub"), "use of undeclared identifier 'cub'")


def test_a_name_that_a_macro_makes_is_foreseen_by_the_finding_on_what_it_is_pasted_to() -> None:
    told = replace(finding(6, "build/token-pasting"), outcome="compile-error", excerpt="#define D(n) CU_SIDE_##n")
    assert foreseen(told, "use of undeclared identifier 'CU_SIDE_LEFT'", column=30)
    assert not foreseen(told, "use of undeclared identifier 'CU_LEFT'", column=30)
    apart = replace(told, position=Position(5, 3), end=Position(5, 9))
    assert not foreseen(apart, "use of undeclared identifier 'CU_SIDE_LEFT'", column=30)


def test_what_hip_says_of_a_warp_function_is_foreseen_by_the_macro_that_makes_its_name() -> None:
    told = finding(6, "warp/pasted-call")
    mask = "static assertion failed due to requirement 'sizeof(unsigned int) == 8': The mask must be a 64-bit integer."
    assert foreseen(told, mask)
    assert foreseen(told, "use of undeclared identifier '__shfl_xor_sync'")
    assert not foreseen(told, "static assertion failed due to requirement 'sizeof(T) == 8': numbers of 64 bits")
    assert not foreseen(replace(told, position=Position(5, 3), end=Position(5, 9)), mask)
    assert not foreseen(replace(told, rule="warp/string-call"), mask)


def test_a_mask_that_is_cut_is_foreseen_by_the_finding_on_what_returns_it() -> None:
    cut = "a lane mask of 64 bits is cut to 32: the upper half of the wave is lost"
    told = finding(6, "warp/active-mask")
    assert foreseen(told, cut)
    assert not foreseen(told, cut, column=30), "another mask of the line"
    assert not foreseen(told, "implicit conversion loses integer precision")
    assert not foreseen(replace(told, rule="warp/hardcoded-size"), cut)


def test_a_complaint_is_not_foreseen_by_whatever_finding_is_in_its_line() -> None:
    slow = finding(6, "memory/managed-memory")
    assert not foreseen(slow, "reference to 'data' is ambiguous")
    assert not foreseen(slow, "expected ';' after expression"), "it says nothing of what compiles"
    assert foreseen(replace(slow, outcome="compile-error"), "invalid output constraint '=l' in asm")


def test_types_that_do_not_fit_are_foreseen_where_the_code_of_the_finding_has_them() -> None:
    told = replace(finding(6, "api/x"), outcome="compile-error", name="call")
    message = "cannot initialize a parameter of type 'int' with an lvalue of type 'A'"
    assert foreseen(told, message, column=8) and not foreseen(told, message, column=9)


def test_a_finding_speaks_of_what_the_name_of_a_complaint_was_before() -> None:
    _, conversion = converted(TEXT)
    of_old = replace(finding(6, "api/x"), name="cudaMallocHost")
    assert foreseen(of_old, "no matching function for call to 'hipHostMalloc'", conversion=conversion)
    assert not foreseen(of_old, "no matching function for call to 'hipMalloc'", conversion=conversion)


def test_a_complaint_at_an_automatic_change_is_not_foreseen() -> None:
    known = DiagnosticTracer([finding(6, "api/x", "g")], {})
    (entry,) = known.verdict(
        Verdict("a.cu", "failed", (Diagnostic("error", Place("a.cu", 6, 9), "no", "host"),))
    ).diagnostics
    assert (entry.rule, entry.foreseen) == ("api/x", False)


def test_a_fix_is_not_blamed_for_a_complaint_of_other_names() -> None:
    findings, conversion = converted(TEXT.replace("cudaIpcFoo", "1"))
    known = DiagnosticTracer(findings, {"a.cu": conversion})

    def rule(message: str) -> str:
        (entry,) = known.verdict(
            Verdict("a.cu", "failed", (Diagnostic("error", Place("a.cu", 6, 5), message, "host"),))
        ).diagnostics
        return entry.rule

    assert rule("no matching function for call to 'hipMalloc'") == "api/cudaMalloc"
    assert rule("expected ';'") == "api/cudaMalloc", "a complaint without a name may be of any change there"
    assert rule("redefinition of 'p'") == UNFORESEEN


def test_a_complaint_far_from_any_finding_is_a_finding_of_its_own() -> None:
    known = DiagnosticTracer([finding(6, "api/x")], {})
    (entry,) = known.verdict(
        Verdict("a.cu", "failed", (Diagnostic("error", Place("a.cu", 20, 9), "no", "host"),))
    ).diagnostics
    assert (entry.rule, entry.foreseen) == ("verify/unforeseen", False)


def test_groups_are_broken_by_errors_in_their_text_only() -> None:
    findings = [finding(3, "warp/a", "one"), finding(9, "warp/a", "two"), finding(3, "api/x")]
    wrong = Diagnostic("error", Place("a.cu", 4, 1), "no", "device", origin=Place("a.cu", 3, 5))
    beside = Diagnostic("error", Place("a.cu", 4, 1), "no", "device", origin=Place("a.cu", 3, 9))
    assert attribution.broken(findings, [Verdict("a.cu", "failed", (wrong,))]) == {"a.cu": frozenset({"one"})}
    assert attribution.broken(findings, [Verdict("a.cu", "unresolved", (wrong,))]) == {}
    assert attribution.broken(findings, [Verdict("a.cu", "failed", (beside,))]) == {}
    assert attribution.broken(findings, [Verdict("a.cu", "failed", (replace(wrong, before=True),))]) == {}


def test_a_complaint_in_code_that_was_passed_over_is_foreseen_by_its_include() -> None:
    include = replace(finding(1, PASSED_OVER), name="third_party/t.cuh")
    places = [Place(f"third_party/{name}.cuh", 9, 9) for name in ("t", "u")]
    verdict = Verdict("a.cu", "failed", tuple(Diagnostic("error", place, "no", "host") for place in places))
    traced = DiagnosticTracer([include], {}).verdict(verdict).diagnostics
    assert [(one.rule, one.foreseen) for one in traced] == [(PASSED_OVER, True), (UNFORESEEN, False)]


def test_what_no_conversion_changes_is_not_foreseen_by_the_include_of_passed_over_code() -> None:
    """clang asks for `template` in the converted code too; a name of CUDA's goes with the conversion."""
    include = replace(finding(1, PASSED_OVER), name="third_party/t.cuh")
    said = ("use 'template' keyword to treat 'run' as a dependent template name", "unknown type name 'cudaError_t'")
    entries = (Diagnostic("error", Place("third_party/t.cuh", 9, 9), one, "host") for one in said)
    traced = DiagnosticTracer([include], {}).verdict(Verdict("a.cu", "failed", tuple(entries))).diagnostics
    assert [(one.rule, one.foreseen) for one in traced] == [(UNFORESEEN, False), (PASSED_OVER, True)]
    assert "write `template run`" in traced[0].advice


GATED = """\
#if __CUDACC_VER_MAJOR__ >= 11
#define as_int __float_as_int
#if 1
#define inner 1
#endif
#else
#define other 1
#endif
"""


def test_a_macro_of_a_branch_with_a_finding_is_foreseen_where_it_is_missed() -> None:
    conversion = Conversion("a.cu", GATED.encode(), GATED.encode(), ())
    known = DiagnosticTracer([finding(1, "build/arch-gate")], {"a.cu": conversion})
    for name, rule in (("as_int", "build/arch-gate"), ("inner", UNFORESEEN), ("other", UNFORESEEN)):
        missed = Diagnostic("error", Place("a.cu", 99, 1), f"use of undeclared identifier '{name}'", "device")
        (entry,) = known.verdict(Verdict("a.cu", "failed", (missed,))).diagnostics
        assert (entry.rule, entry.foreseen) == (rule, rule != UNFORESEEN)


OVERLOADS = """\
#if defined(__CUDACC__)
__device__ static void add(float2 *to, float2 v)
{
    put(to, v); return add(&to->x, v.x);
}
#if OTHER
__device__ void inner(int a) {}
#endif
template <typename T> __device__ T *made(T a) {
}
#endif
void later(int a) {}
"""


@pytest.mark.parametrize(
    ("message", "is_known"),
    [
        ("no matching function for call to 'add'", True),
        ("use of undeclared identifier 'made'", True),
        ("no matching function for call to 'put'", False),  # which the branch calls
        ("no matching function for call to 'inner'", False),  # another condition decides of it
        ("no matching function for call to 'later'", False),
        ("no member named 'add' in 'A'", False),
    ],
)
def test_a_function_of_a_branch_with_a_finding_is_foreseen_where_a_call_of_it_fails(
    message: str, is_known: bool
) -> None:
    conversion = Conversion("a.cu", OVERLOADS.encode(), OVERLOADS.encode(), ())
    gate = finding(1, "build/cuda-compiler-macro")
    other = replace(finding(60, "memory/float-atomic"), name="add", fix=None)  # on a call by that name
    known = DiagnosticTracer([other, gate], {"a.cu": conversion})
    missed = Diagnostic("error", Place("a.cu", 99, 1), message, "device")
    (entry,) = known.verdict(Verdict("a.cu", "failed", (missed,))).diagnostics
    assert (entry.rule == gate.rule) == is_known


OLDER = """\
#if defined(OWN)
int own = a;
#elif __CUDA_ARCH__ >= 700
int now = b;
#else
int old = c;
#endif
int rest = d;
"""


def test_a_complaint_in_a_branch_that_only_amd_gets_is_foreseen_by_the_test_of_the_gpu() -> None:
    findings, conversion = converted(OLDER)
    assert [found.rule for found in findings] == ["build/arch-gate"]
    trace = DiagnosticTracer(findings, {"a.cu": conversion})
    failed = tuple(Diagnostic("error", Place("a.cu", line, 5), "no such type", "device") for line in (2, 6, 8))
    entries = trace.verdict(Verdict("a.cu", "failed", failed)).diagnostics
    assert [(entry.rule, entry.foreseen) for entry in entries] == [
        (UNFORESEEN, False),
        ("build/arch-gate", True),
        (UNFORESEEN, False),
    ]


def test_what_a_finding_said_of_the_place_fails_whatever_header_is_missing() -> None:
    lacks = Diagnostic("missing-header", Place("a.cu", 1, 1), "no", "host", header="boost/x.hpp")
    wrong = Diagnostic("error", Place("a.cu", 6, 3), "no asm", "device")
    unresolved = Verdict("a.cu", "unresolved", (lacks, wrong), headers=("boost/x.hpp",))
    told = replace(finding(6, "ptx/inline-asm"), outcome="compile-error")
    (judged,) = (DiagnosticTracer([told], {}).verdict(unresolved),)
    assert (judged.word, [one.message for one in judged.diagnostics]) == ("failed", ["no asm"])
    beside = replace(finding(8, "ptx/inline-asm"), outcome="compile-error")
    in_part = replace(told, support="partial")
    broken = replace(wrong, message="no member named 'ordinal' in 'context'")
    other_error = replace(unresolved, diagnostics=(lacks, broken))
    assert DiagnosticTracer([told], {}).verdict(other_error).word == "unresolved"
    named = replace(told, message="HIP has no `ordinal`.")
    assert DiagnosticTracer([named], {}).verdict(other_error).word == "failed"
    for other in (beside, in_part, finding(6, "warp/mask"), replace(told, fix=Fix((), "safe"))):
        assert DiagnosticTracer([other], {}).verdict(unresolved).word == "unresolved"


def test_a_librarys_names_say_nothing_where_its_own_header_is_missing() -> None:
    lacks = Diagnostic("missing-header", Place("a.cu", 1, 1), "no", "host", header="pics/gpu.hpp")
    follows = Diagnostic("error", Place("a.cu", 6, 3), "no member named 'gpu' in namespace 'pics'", "device")
    of_names = replace(finding(6, "library/pics"), outcome="compile-error", name="pics::gpu")
    of_header = replace(finding(1, "library/pics"), outcome="compile-error", name="pics/gpu.hpp")
    verdict = Verdict("a.cu", "unresolved", (lacks, follows), headers=("pics/gpu.hpp",))
    assert DiagnosticTracer([of_names, of_header], {}).verdict(verdict).word == "unresolved"
    other = replace(of_header, rule="library/other")
    assert DiagnosticTracer([of_names, other], {}).verdict(verdict).word == "failed"


def test_what_may_follow_from_the_missing_header_is_not_told_beside_what_a_finding_said() -> None:
    lacks = Diagnostic("missing-header", Place("a.cu", 1, 1), "no", "host", header="cuda/std/tuple")
    wrong = Diagnostic("error", Place("a.cu", 6, 3), "no asm", "device")
    follows = Diagnostic("error", Place("a.cu", 9, 3), "no template named 'tuple' in namespace 'cuda::std'", "device")
    told = replace(finding(6, "ptx/inline-asm"), outcome="compile-error")
    in_part = replace(finding(9, "library/cccl-names"), outcome="compile-error", support="partial")
    verdict = Verdict("a.cu", "unresolved", (lacks, wrong, follows), headers=("cuda/std/tuple",))
    judged = DiagnosticTracer([told, in_part], {}).verdict(verdict)
    assert (judged.word, [one.message for one in judged.diagnostics]) == ("failed", ["no asm"])


def test_a_name_that_passed_over_code_defines_is_foreseen_by_the_finding_on_that_code() -> None:
    known = replace(finding(1, PASSED_OVER), name="external/helper.h")
    text = {"external/helper.h": b"#define check(call) run((call), __FILE__)\ninline int other(int a);\n"}
    tracer = DiagnosticTracer([known], {}, lambda path: text.get(path, b""))

    def rule(message: str) -> str:
        (entry,) = tracer.verdict(
            Verdict("a.cu", "failed", (Diagnostic("error", Place("a.cu", 6, 9), message, "host"),))
        ).diagnostics
        return entry.rule

    assert rule("use of undeclared identifier 'check'") == rule("use of undeclared identifier 'other'") == PASSED_OVER
    assert rule("use of undeclared identifier 'run'") == rule("no member named 'check' in 'A'") == UNFORESEEN


BRANCHES = """\
#if defined(__CUDA_ARCH__)
#include "gpu.h"
#elif defined(USED)
#if 1
#include "inner.h"
#endif
#else
#include "../cpu.h"
#endif
#include "all.h"
"""


def test_what_is_declared_only_where_a_test_fails_is_that_test_s_doing() -> None:
    told = replace(finding(1, "build/cuda-compiler-macro"), path="k/a.cu")
    known = DiagnosticTracer([told], {}, lambda path: BRANCHES.encode() if path == "k/a.cu" else b"")
    for path, rule in (
        ("cpu.h", told.rule),
        ("k/inner.h", told.rule),
        ("k/gpu.h", UNFORESEEN),
        ("k/all.h", UNFORESEEN),
        ("k/cpu.h", UNFORESEEN),
    ):
        message = "reference to __host__ function 'load' in __global__ function"
        entry = Diagnostic("error", Place("k/b.cu", 30, 2), message, "device", notes=(Place(path, 7, 3),))
        (traced,) = known.verdict(Verdict("k/b.cu", "failed", (entry,))).diagnostics
        assert (traced.rule, traced.foreseen) == (rule, rule == told.rule), path


def test_a_name_that_a_macro_elsewhere_in_the_file_should_declare_is_foreseen_by_what_says_so() -> None:
    told = replace(
        finding(70, "api/x"), outcome="compile-error", name="CASE", message="x", facts=(("undeclared", "scalar_t"),)
    )
    assert foreseen(told, "use of undeclared identifier 'scalar_t'")
    assert not foreseen(told, "use of undeclared identifier 'other_t'")
    assert not foreseen(told, "unknown type name 'scalar_t'"), "it may be another's in a place of types"
    assert not foreseen(replace(told, path="b.cu"), "use of undeclared identifier 'scalar_t'")
    said = replace(told, message="Nothing declares `scalar_t`.", facts=())
    assert not foreseen(said, "use of undeclared identifier 'scalar_t'"), "its words are for readers"


MEMBER = """\
struct matrix {
#if CUDA_VERSION >= 10000
  handle_t desc;
  int newer;
#else
  void *desc;
  int both, same;
#endif
  ~matrix() { destroy(desc); }
};
void f() {
#if CUDA_VERSION >= 10000
  handle_t local;
#else
  int local;
#endif
  destroy(local);
}
void g(float local) { destroy(local); }
#if CUDA_VERSION >= 10000
void a();
#else
void a() { gone(); }
#endif
#if CUDA_VERSION < 4000
void b() { gone(); }
#endif
"""


@pytest.mark.parametrize(
    ("line", "column", "message", "told"),
    [
        pytest.param(9, 15, "no matching function for call to 'destroy'", 2, id="the type of a member"),
        pytest.param(9, 15, "cannot convert 'void *' to 'handle_t'", 2, id="the type that is got"),
        pytest.param(9, 15, "cannot convert 'float' to 'handle_t'", 0, id="another type"),
        pytest.param(9, 15, "no member named 'newer' in 'matrix'", 2, id="a member"),
        pytest.param(9, 15, "no member named 'same' in 'matrix'", 0, id="a member of both"),
        pytest.param(17, 3, "no matching function for call to 'destroy'", 12, id="a variable"),
        pytest.param(19, 23, "no matching function for call to 'destroy'", 0, id="in another block"),
        pytest.param(23, 12, "use of undeclared identifier 'gone'", 20, id="the branch that AMD gets"),
        pytest.param(26, 12, "use of undeclared identifier 'gone'", 25, id="a test for older releases"),
    ],
)
def test_what_a_closed_test_declares_is_foreseen_by_it(line: int, column: int, message: str, told: int) -> None:
    data, numbers = MEMBER.encode(), (2, 12, 20, 25)
    starts = SourceFile("a.h", data, "").line_starts()
    findings = []
    for number in numbers:
        at = starts[number - 1] + len("#if ")
        one = finding(number, "api/CUDA_VERSION")
        findings.append(replace(one, path="a.h", span=Span(at, at + 12), name="CUDA_VERSION", message=f"line {number}"))
    known = DiagnosticTracer(findings, {"a.h": Conversion("a.h", data, data, ())})
    missed = Diagnostic("error", Place("a.h", line, column), message, "device")
    (entry,) = known.verdict(Verdict("a.cu", "failed", (missed,))).diagnostics
    assert (entry.foreseen, entry.advice) == (bool(told), f"line {told}" if told else entry.advice)


def test_a_complaint_about_a_header_is_traced_back_once_for_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Diagnostic] = []

    def advice(entry: Diagnostic, line: str) -> str:
        asked.append(entry)
        return "advice"

    monkeypatch.setattr(attribution.hints, "advice", advice)
    shared = Diagnostic("error", Place("a.h", 6, 5), "unknown type name 'T'", "device")
    other = replace(shared, message="unknown type name 'U'")
    tracer = DiagnosticTracer((), {})
    verdicts = [Verdict(path, "failed", (shared, other)) for path in ("a.cu", "b.cu", "c.cu")]
    traced = [tracer.verdict(one).diagnostics for one in verdicts]
    assert asked == [shared, other]
    assert traced[0] == traced[1] == traced[2]
    assert [one.message for one in traced[0]] == [shared.message, other.message]
