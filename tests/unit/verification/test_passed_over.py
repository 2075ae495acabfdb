"""Errors in code that was passed over: by which finding they are foreseen, and that one file is one cause."""

from __future__ import annotations

from cudamigrate.model import Finding, Position, Span
from cudamigrate.model.verification import PASSED_OVER, UNFORESEEN, Diagnostic, Place, Verdict, Verification
from cudamigrate.verification import causes, passed_over
from cudamigrate.verification.attribution import DiagnosticTracer

TREE = {
    "src/deps/map.cuh": b'#include <detail/ranges.hpp>\n#include "../own.h"\n',
    "src/deps/detail/ranges.hpp": b'  # include "names.hpp"\n#include <vector>\n',
    "src/deps/detail/names.hpp": b'#include <nvtx3/nvToolsExt.h>\n#include "ranges.hpp"\n',
    "src/own.h": b"cudaError_t e;\n",
    "src/other.h": b"cudaError_t e;\n",
}


def text(path: str) -> bytes:
    return TREE.get(path, b"")


def include(name: str) -> Finding:
    position = Position(1, 1)
    return Finding(
        rule=PASSED_OVER, path="src/a.cu", span=Span(0, 5), position=position, end=position, excerpt="",
        message=f"{name}.", support="manual", outcome="compile-error", certainty="token", effort="small", name=name,
    )  # fmt: skip


def test_files_that_one_comes_to() -> None:
    found = {"src/deps/detail/ranges.hpp", "src/own.h", "src/deps/detail/names.hpp"}
    assert set(passed_over.reached("src/deps/map.cuh", text)) == found


def test_an_error_in_what_such_a_file_includes_is_foreseen_and_one_in_own_code_is_not() -> None:
    tracer = DiagnosticTracer([include("src/deps/map.cuh")], {}, text, frozenset(("src/a.cu", "src/own.h")))
    places = [Place(path, 1, 1) for path in ("src/deps/detail/names.hpp", "src/own.h", "src/other.h")]
    verdict = Verdict("src/a.cu", "failed", tuple(Diagnostic("error", one, "no", "host") for one in places))
    rules = [one.rule for one in tracer.verdict(verdict).diagnostics]
    assert rules == [PASSED_OVER, UNFORESEEN, UNFORESEEN]


def judged(*entries: tuple[str, str, str]) -> Verification:
    """One failing file with such messages, rules and advice."""
    said = tuple(
        Diagnostic("error", Place("t/h.h", at, 1), message, "host", rule=rule, foreseen=True, advice=advice)
        for at, (message, rule, advice) in enumerate(entries, 1)
    )
    return Verification(None, (Verdict("a.cu", "failed", said),))


def test_a_file_that_was_passed_over_is_one_cause() -> None:
    errors = ("redefinition of 'max'", "redefinition of 'min'", "no 'x'")
    found = causes.of(judged(*((one, PASSED_OVER, "h.h was passed over.") for one in errors)))
    assert [(one.message, one.places) for one in found] == [
        ("redefinition of 'max', and 2 more errors by the same file", 3)
    ]
    two = causes.of(judged(("a", PASSED_OVER, "h.h was passed over."), ("b", PASSED_OVER, "k.h was passed over.")))
    assert [one.message for one in two] == ["a", "b"]
    assert len(causes.of(judged(("a", "api/x", "same"), ("b", "api/x", "same")))) == 2
