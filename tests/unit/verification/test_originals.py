"""An error is the original's only where the original has the very same error at that place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import OUT_OF_TIME, Diagnostic, Place, Verdict, Word
from cudamigrate.verification import originals

WRONG = Diagnostic("error", Place("a.cu", 12, 9), "no 'nothing'", "device", origin=Place("a.cu", 9, 9))
WAS = Diagnostic("error", Place("a.cu", 9, 9), "no 'nothing'", "device")
FAILED = Verdict("a.cu", "failed", (WRONG,), flags="c++17, from CMakeLists.txt")


def compared(
    verdict: Verdict,
    was: Verdict | None,
    newer: Verdict | None = None,
    line: str | None = "int a = nothing;",
    is_local: bool = False,
) -> Verdict:
    def check(paths: originals.Wanted, named: bool) -> Mapping[str, Verdict]:
        found = was if named else newer
        return {path: found for path in paths if found is not None}

    unexplained = {"library/unknown-name"}
    (done,) = originals.compared([verdict], check, lambda entry: line, unexplained, lambda entry: is_local)
    return done


@pytest.mark.parametrize(
    ("was", "before"),
    [
        (WAS, True),
        (replace(WAS, place=Place("a.cu", 9, 10)), False),
        (replace(WAS, place=Place("b.cu", 9, 9)), False),
        (replace(WAS, message="no 'other'"), False),
        (replace(WAS, kind="missing-header"), False),
    ],
)
def test_an_error_is_the_originals_where_that_has_the_same(was: Diagnostic, before: bool) -> None:
    done = compared(FAILED, Verdict("a.cu", "failed", (was,)))
    assert (done.original, done.diagnostics[0].before) == ("failed", before)


def test_an_original_that_fails_for_another_reason_excuses_nothing() -> None:
    other = Diagnostic("error", Place("a.cu", 2, 1), "too few arguments", "device")
    done = compared(replace(FAILED, diagnostics=(WRONG, other)), Verdict("a.cu", "failed", (other,)))
    assert [entry.before for entry in done.diagnostics] == [False, True]


@pytest.mark.parametrize(
    ("line", "message", "before"),
    [
        ("return time < 0;", "comparison between pointer to function and integer", True),
        ("return current < cutoff;", "comparison between pointer to function and integer", True),
        ("return sort_on_cuda<KIND>(a);", "use of undeclared identifier 'KIND'", True),
        ("return a.is_cuda();", "no member named 'is_cuda'", False),
        ("return at::cuda::now(KIND);", "use of undeclared identifier 'KIND'", False),
        ("return cudaFree(time);", "comparison between pointer to function and integer", False),
        ("return time < __shfl(0, 1);", "comparison between pointer to function and integer", False),
        ("return a < b;", "invalid operands ('CUstream' and 'int')", False),
        ("return nvrtcCompile(a);", "no matching function", False),
        (None, "comparison between pointer to function and integer", False),  # the move changed the line
    ],
)
@pytest.mark.parametrize("word", ["unresolved", "failed"])
def test_where_the_original_lacks_a_header_only_text_without_a_vendors_names_is_its_own(
    line: str | None, message: str, before: bool, word: Word
) -> None:
    entry = replace(WRONG, message=message)
    done = compared(
        replace(FAILED, diagnostics=(entry,)), Verdict("a.cu", word, (replace(WAS, message=message),)), line=line
    )
    assert done.diagnostics[0].before is (before or word == "failed")


@pytest.mark.parametrize(
    ("message", "line", "before"),
    [
        ("ordered comparison between pointer and zero ('time_t (*)(time_t *)' and 'int')", "return time < 0;", True),
        ("ordered comparison between pointer and zero ('handle_t' and 'int')", "return time < 0;", False),
        (
            "ordered comparison between pointer and zero ('time_t (*)(time_t *)' and 'int')",
            "cudaFree(time < 0);",
            False,
        ),
        ("expected expression", None, False),
    ],
)
def test_another_error_of_that_line_is_the_originals_where_the_move_had_no_part_in_it(
    message: str, line: str | None, before: bool
) -> None:
    was = replace(WAS, place=Place("a.cu", 9, 3), message="use of undeclared identifier 'time'")
    failed = replace(FAILED, diagnostics=(replace(WRONG, message=message),))
    words: tuple[Word, ...] = ("failed", "unresolved")
    for word in words:
        assert compared(failed, Verdict("a.cu", word, (was,)), line=line).diagnostics[0].before is before
    elsewhere = replace(was, place=Place("a.cu", 8, 3))
    assert not compared(failed, Verdict("a.cu", "failed", (elsewhere,)), line=line).diagnostics[0].before


def test_what_the_headers_call_a_part_of_an_index_is_no_difference() -> None:
    ours = "reference to __device__ function '__get_x' in __host__ function"
    was = replace(WAS, message="reference to __device__ function '__fetch_builtin_x' in __host__ function")
    done = compared(replace(FAILED, diagnostics=(replace(WRONG, message=ours),)), Verdict("a.cu", "failed", (was,)))
    assert done.diagnostics[0].before


@pytest.mark.parametrize(
    ("message", "before"),
    [
        ("no function (call to __device__ function from __host__ function)", False),
        ("arithmetic on a pointer to void", False),
        ("arithmetic on pointers to void", False),
        ("static declaration of 'copy' follows non-static declaration", False),
        ("arithmetic on a pointer to an incomplete type 'Part'", True),  # nvcc refuses that as well
    ],
)
def test_what_only_clang_refuses_is_never_the_originals(message: str, before: bool) -> None:
    done = compared(
        replace(FAILED, diagnostics=(replace(WRONG, message=message),)),
        Verdict("a.cu", "failed", (replace(WAS, message=message),)),
    )
    assert done.diagnostics[0].before is before


def test_an_error_that_the_raised_standard_makes_is_the_moves_and_says_so() -> None:
    raised = replace(FAILED, named="c++11")
    done = compared(raised, Verdict("a.cu", "checked"), Verdict("a.cu", "failed", (WAS,)))
    assert not done.diagnostics[0].before and "build files name c++11" in done.diagnostics[0].advice
    neither = compared(raised, Verdict("a.cu", "checked"), Verdict("a.cu", "checked"))
    assert neither.diagnostics[0].advice == ""
    unread = replace(WAS, kind="missing-header", place=Place("a.cu", 1, 1))
    unknown = compared(raised, Verdict("a.cu", "unresolved", (unread,)), Verdict("a.cu", "failed", (WAS,)))
    assert unknown.diagnostics[0].advice == ""
    older = compared(raised, Verdict("a.cu", "failed", (WAS,)), Verdict("a.cu", "failed", (WAS,)))
    assert older.diagnostics[0].before and older.diagnostics[0].advice == ""


def test_an_original_is_asked_for_only_where_no_finding_explains_the_failure() -> None:
    explained = replace(FAILED, diagnostics=(replace(WRONG, foreseen=True, rule="api/x"),))
    assert compared(explained, Verdict("a.cu", "failed", (WAS,))).original == ""
    unknown = replace(FAILED, diagnostics=(replace(WRONG, foreseen=True, rule="library/unknown-name"),))
    assert compared(unknown, Verdict("a.cu", "checked")).original == "checked"
    assert compared(FAILED, None).original == ""


@pytest.mark.parametrize(
    ("name", "by_standard"), [("register", True), ("nvrtcCompileProgram", False), ("curtail", True)]
)
def test_a_name_of_cudas_is_unknown_by_any_standard(name: str, by_standard: bool) -> None:
    message = f"use of undeclared identifier '{name}'"
    raised = replace(FAILED, named="c++11", diagnostics=(replace(WRONG, message=message),))
    done = compared(raised, Verdict("a.cu", "checked"), Verdict("a.cu", "failed", (replace(WAS, message=message),)))
    assert ("c++17" in done.diagnostics[0].advice) is by_standard


def test_originals_without_time_are_noted() -> None:
    def check(wanted: originals.Wanted, named: bool) -> dict[str, Verdict]:
        return {"a.cu": Verdict("a.cu", "unresolved", headers=(OUT_OF_TIME,)), "b.cu": Verdict("b.cu", "failed")}

    late = set[str]()
    assert set(originals.noting(check, late)({}, True)) == {"a.cu", "b.cu"} and late == {"a.cu"}


@pytest.mark.parametrize(("line", "before"), [("__shared__ tile[32];", True), (None, False)])
def test_a_declaration_without_a_type_is_the_originals_whatever_header_that_lacks(
    line: str | None, before: bool
) -> None:
    message = "a type specifier is required for all declarations"
    lacking = Diagnostic("missing-header", Place("a.cu", 1, 10), "'omp.h' file not found", "device")
    was = Verdict("a.cu", "unresolved", (lacking, replace(WAS, message=message)))
    done = compared(replace(FAILED, diagnostics=(replace(WRONG, message=message),)), was, line=line)
    assert done.diagnostics[0].before is before


def test_another_error_of_such_an_original_may_follow_from_the_header() -> None:
    lacking = Diagnostic("missing-header", Place("a.cu", 1, 10), "'omp.h' file not found", "device")
    done = compared(FAILED, Verdict("a.cu", "unresolved", (lacking, WAS)), line="__shared__ int a = nothing;")
    assert done.diagnostics[0].before is False


@pytest.mark.parametrize(
    ("line", "is_local"), [("b = __half2float(a[row]);", True), ("b = __half2float(a[row]);", False)]
)
def test_a_variable_of_other_functions_is_missing_whatever_header_the_original_lacks(line: str, is_local: bool) -> None:
    message = "use of undeclared identifier 'row'"
    failed = replace(FAILED, diagnostics=(replace(WRONG, message=message),))
    done = compared(
        failed, Verdict("a.cu", "unresolved", (replace(WAS, message=message),)), line=line, is_local=is_local
    )
    assert done.diagnostics[0].before is is_local and originals.is_the_originals(done) is is_local
    changed = compared(
        failed, Verdict("a.cu", "unresolved", (replace(WAS, message=message),)), line=None, is_local=True
    )
    assert not originals.is_the_originals(changed)


@pytest.mark.parametrize(
    ("message", "was", "before"),
    [
        ("no matching function for call to 'hipMalloc'", "no matching function for call to 'cudaMalloc'", True),
        ("no matching function for call to 'hipMalloc'", "no matching function for call to 'cudaFree'", False),
        ("no matching function for call to 'hipMalloc'", "use of undeclared identifier 'cudaMalloc'", False),
    ],
)
def test_a_call_of_cudas_runtime_that_the_original_gets_wrong_is_the_originals(
    message: str, was: str, before: bool
) -> None:
    failed = replace(FAILED, diagnostics=(replace(WRONG, message=message),))
    done = compared(failed, Verdict("a.cu", "failed", (replace(WAS, message=was),)))
    assert done.diagnostics[0].before is before
