"""Verification as text and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cudamigrate.model.verification import BROKEN, OUTSIDE, Diagnostic, Place, Toolchain, Verdict, Verification
from cudamigrate.verification import causes
from cudamigrate.verification import text as judgement

CHOSEN = Toolchain("clang", "clang 22 with HIP 7.1", "7.1", (), ("gfx942",))
WRONG = Diagnostic("error", Place("b.cu", 7, 3), "no such name", "device", "gfx942", origin=Place("b.cu", 5, 3))
WRONG = replace(WRONG, rule="verify/unforeseen")
FOUND = Diagnostic("error", Place("b.cu", 9, 1), "no", "host", rule="api/x", foreseen=True, origin=Place("b.cu", 8, 1))
FOUND = replace(FOUND, advice="Call y.")
LACKS = Diagnostic("missing-header", Place("c.cu", 1, 1), "no", "host", header="nvml.h")


def verification(*verdicts: Verdict) -> Verification:
    return Verification(CHOSEN, verdicts, ("gfx942",))


def test_text_leads_with_causes_at_their_place_in_the_original() -> None:
    text = judgement.render_text(
        verification(
            Verdict("a.cu", "checked"),
            Verdict("b.cu", "failed", (WRONG, FOUND), flags="c++17, from setup.py"),
            Verdict("c.cu", "unresolved", (LACKS,), headers=("nvml.h",)),
            Verdict("d.cu", "failed", (replace(FOUND, origin=Place("d.cu", 2, 1)),)),
        )
    )
    assert text.splitlines()[:3] == [
        "b.cu:8:1: no [host] stops 2 files, 2 places. Foreseen by api/x: Call y.",
        "b.cu:5:3: no such name [device, gfx942] stops 1 file. Not foreseen (verify/unforeseen): change the line",
        "1 file not judged for lack of nvml.h: c.cu",
    ]
    assert "3 of 4 files judged for gfx942 by clang 22 with HIP 7.1:" in text


def test_originals_that_no_time_was_left_for_are_named() -> None:
    judged = replace(
        verification(Verdict("b.cu", "failed", (WRONG,)), Verdict("c.cu", "checked")), late=("b.cu", "c.cu")
    )
    said = "Whether the originals of 1 file that failed compile was not checked: no time was left for it: b.cu"
    assert said in judgement.details(judged)
    assert not any("no time" in line for line in judgement.details(replace(judged, late=("c.cu",))))


def test_headers_that_a_file_which_fails_lacks_too_are_named() -> None:
    failed = Verdict("b.cu", "failed", (FOUND,), headers=("alloc.cuh",))
    said = "1 file that does not compile lacks alloc.cuh as well, so more may stop it: b.cu"
    assert said in judgement.render_text(verification(failed)).splitlines()
    assert said in judgement.details(verification(failed))
    two = judgement.render_text(verification(failed, replace(failed, path="c.cu")))
    assert "2 files that do not compile lack alloc.cuh as well, so more may stop them: b.cu, c.cu" in two
    assert "as well" not in judgement.render_text(verification(replace(failed, headers=())))
    broken = judgement.render_text(verification(replace(failed, headers=(f"{OUTSIDE}coroutine{BROKEN}",))))
    said = "1 file that does not compile includes the installed header coroutine, which cannot be read by the"
    assert f"{said} type check's compiler, so more may stop it: b.cu" in broken
    headers = tuple(f"{OUTSIDE}{name}{BROKEN}" for name in ("exception", "new", "typeinfo", "vector"))
    left = judgement.render_text(verification(Verdict("b.cu", "unresolved", headers=headers)))
    said = "1 file not judged (the installed headers exception, new, typeinfo and 1 more cannot be read by the type"
    assert (
        f"{said} check's compiler, which says nothing of this code; `--engine hipcc` takes another compiler): b.cu"
        in left
    )
    one = judgement.render_text(verification(Verdict("b.cu", "unresolved", headers=headers[:1])))
    assert "1 file not judged (the installed header exception cannot be read by the type check's compiler, which" in one


def test_a_newer_standard_than_the_builds_is_said() -> None:
    one, other = (Verdict(name, "checked", flags="c++17, from Makefile", named="c++11") for name in ("a.cu", "b.cu"))
    said = (
        "2 files type-checked as c++17, the oldest that rocThrust, hipCUB and PyTorch take, where the project's build "
        "files name c++11. As c++11 they were not checked: files without these libraries may compile"
    )
    assert said in judgement.render_text(verification(one, other, Verdict("c.cu", "checked"))).splitlines()
    assert said in judgement.details(verification(one, other))
    assert "type-checked as" not in judgement.render_text(
        verification(Verdict("c.cu", "checked", flags="c++17, from x"))
    )


def test_a_cause_whose_files_clang_never_compiled_is_no_miss() -> None:
    never = Verdict("b.cu", "failed", (replace(WRONG, before=True),), original="failed")
    (cause,) = causes.of(verification(never))
    (line, *_) = judgement.render_text(verification(never)).splitlines()
    assert cause.before and "stops 1 file. Nor does clang compile its original; nvcc with" in line
    other = Verdict("c.cu", "failed", (WRONG,))
    assert not causes.of(verification(never, other))[0].before


def test_what_a_file_stops_at_is_named_before_what_follows_from_it() -> None:
    first, then = (Diagnostic("error", Place("z.h", 9, 1), name, "device") for name in ("no type T", "no value t"))
    other = replace(first, message="no type S", place=Place("c.cu", 1, 1))
    one, two = (Verdict(f"{name}.cu", "failed", (start, then)) for name, start in (("b", first), ("c", other)))
    messages = [cause.message for cause in causes.of(verification(one, two))]
    assert messages == ["no type T", "no type S", "no value t"]
    third = Verdict("d.cu", "failed", (then,))
    assert causes.of(verification(one, two, third, replace(third, path="e.cu")))[0].message == "no value t"


def test_a_header_that_is_not_there_is_told_once_whoever_fails_for_something_else() -> None:
    known = replace(LACKS, foreseen=True, rule="library/nvml")
    judged = verification(
        Verdict("b.cu", "failed", (WRONG, known)),
        Verdict("c.cu", "unresolved", (known, replace(known, header="nvml2.h")), headers=("nvml.h", "nvml2.h")),
    )
    assert [cause.message for cause in causes.of(judged)] == ["no such name"]
    assert judgement.render_text(judged).splitlines()[1] == "1 file not judged for lack of nvml.h, nvml2.h: c.cu"


def test_headers_of_one_package_are_missing_together() -> None:
    one, two, three = (f"Eigen/{name} (libeigen3-dev)" for name in ("Core", "LU", "SVD"))
    needed = (one, two, three, "Eigen/Dense (libeigen3-dev)", "nvml.h")
    first = Verdict("a.cu", "unresolved", (LACKS,), headers=needed)
    lines = judgement.render_text(verification(first, Verdict("b.cu", "unresolved", (LACKS,), headers=(two,))))
    assert lines.splitlines()[:2] == [
        "2 files not judged for lack of Eigen/LU, Eigen/Core, Eigen/Dense and 1 more (libeigen3-dev): a.cu, b.cu",
        "1 file not judged for lack of nvml.h: a.cu",
    ]


def test_an_error_of_a_header_is_one_cause_for_all_that_include_it() -> None:
    shared = replace(WRONG, origin=Place("x.h", 3, 1))
    (cause,) = causes.of(verification(Verdict("a.cu", "failed", (shared,)), Verdict("b.cu", "failed", (shared,))))
    assert (cause.place, cause.places, cause.files) == (Place("x.h", 3, 1), 1, ("a.cu", "b.cu"))


def test_what_is_quoted_behind_a_colon_makes_no_other_cause_where_one_rule_foresaw_it() -> None:
    asm = [replace(FOUND, message=f"PTX is left: asm({name})", rule="ptx/inline-asm") for name in "ab"]
    assert len(causes.of(verification(Verdict("b.cu", "failed", (*asm, FOUND))))) == 2
    unforeseen = [replace(one, foreseen=False) for one in asm]
    assert len(causes.of(verification(Verdict("b.cu", "failed", (*unforeseen,))))) == 2


def test_what_follows_from_a_header_that_is_not_there_is_no_cause() -> None:
    headers = [
        replace(FOUND, header=name, message=f"'{name}' is a header of CUDA's") for name in ("cuda/atomic", "c.h")
    ]
    after = replace(WRONG, message="use of undeclared identifier 'cuda'")
    mask = replace(WRONG, kind="mask", message="a lane mask is cut")
    other = replace(FOUND, rule="ptx/inline-asm", message="PTX is left")
    whole = causes.without_consequences(Verdict("b.cu", "failed", (*headers, after, mask, other, LACKS)))
    found = causes.of(verification(whole))
    assert sorted(cause.message for cause in found) == [
        "'cuda/atomic', 'c.h' are headers of CUDA's",
        "PTX is left",
        "a lane mask is cut",
    ]
    alone = Verdict("b.cu", "failed", (after, mask, other))
    assert causes.without_consequences(alone) == alone


def test_what_was_checked_against_declarations_is_distinguished() -> None:
    text = judgement.render_text(verification(Verdict("a.cu", "declarations", headers=("hip/hip_fp16.h",))))
    assert "1 type-checks against declarations, not the libraries' own headers" in text


def test_nothing_checked_is_not_called_proof() -> None:
    assert "proves" not in judgement.render_text(verification(Verdict("c.cu", "unresolved", headers=("x.h",))))
    assert judgement.render_short(Verification(None, absent="install it")) == "Not verified: install it"


def test_where_nothing_was_to_be_judged_no_list_is_announced() -> None:
    assert judgement.render_short(verification()) == "Nothing to type-check: no converted file is CUDA or HIP code."


def test_a_file_that_never_compiled_is_not_blamed_on_the_move() -> None:
    had = Verdict("b.cu", "failed", (replace(WRONG, before=True),), flags="c++17", original="failed")
    other = Verdict("c.cu", "failed", (WRONG,), flags="c++17", original="failed")  # whose original has other errors
    text = judgement.render_text(verification(had, other))
    assert "Nor does clang compile the originals of 1 file, with CUDA's headers: b.cu" in text


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("use of undeclared identifier 'ROWS'", "Nor is it declared in its original: name the macro or folder"),
        (
            "no member named 'rows' in 'Grid'",
            "Nor has it that member in its original: no compiler takes it; add the member",
        ),
        ("no member named 'exp' in 'std::x'", "Nor does clang compile its original; nvcc with another host compiler"),
        ("call to non-static member function", "Nor does clang compile its original; nvcc with another host compiler"),
    ],
)
def test_what_an_original_lacks_is_told_from_what_clang_refuses_in_it(message: str, said: str) -> None:
    entry = replace(WRONG, message=message, before=True)
    text = judgement.render_text(verification(Verdict("b.cu", "failed", (entry,), original="failed")))
    assert said in text


def test_exit_codes_tell_failure_from_doubt() -> None:
    def code(*words: str) -> int:
        return judgement.exit_code(verification(*(Verdict("a", word) for word in words)), 1, 3)  # type: ignore[arg-type]

    assert [code("checked", "declarations"), code("unresolved", "failed"), code("checked", "unresolved")] == [0, 1, 3]


def test_json_has_every_complaint_and_the_counts() -> None:
    data = json.loads(judgement.render_json(verification(Verdict("b.cu", "failed", (WRONG, FOUND)))))
    assert data["counts"] == {"checked": 0, "declarations": 0, "unresolved": 0, "failed": 1}
    assert [entry["message"] for entry in data["files"][0]["diagnostics"]] == ["no such name", "no"]
    assert [cause["message"] for cause in data["causes"]] == ["no such name", "no"]
    assert data["engine"] == {"name": "clang", "title": "clang 22 with HIP 7.1", "hip": "7.1"}


def test_the_short_form_names_the_first_failures_and_repairs_taken_back() -> None:
    judged = Verification(CHOSEN, (Verdict("b.cu", "failed", (WRONG,)),), ("gfx942",), reverted=("k.cu",))
    text = judgement.render_short(judged)
    assert "b.cu:5:3: no such name" in text and "k.cu: a repair did not type-check and was taken back" in text


def test_a_file_that_fails_on_its_own_lacks_no_header() -> None:
    alone = [causes.lone(Verdict(path, "failed", (WRONG, LACKS))) for path in ("a.inl", "a.cuh")]
    assert [one.word for one in alone] == ["unresolved", "unresolved"]
    found = causes.missing(verification(*alone))
    assert [(one.what, one.files, one.header) for one in found] == [
        ("a header that no judged file includes", ("a.inl", "a.cuh"), False)
    ]
    assert causes.lone(Verdict("b.cuh", "checked")) == Verdict("b.cuh", "checked")


def test_headers_of_one_folder_are_one_thing_to_bring_whoever_lacks_which() -> None:
    def lacking(path: str, *headers: str) -> Verdict:
        entries = tuple(replace(LACKS, header=header) for header in headers)
        return Verdict(path, "unresolved", entries, headers=headers)

    judged = verification(
        lacking("a.cu", "mgpu/src/reduce.hxx"), lacking("b.cu", "mgpu/src/join.hxx", "mgpu/src/reduce.hxx", "plain.h")
    )
    lines = judgement.render_text(judged).splitlines()
    assert lines[:2] == [
        "2 files not judged for lack of mgpu/src/reduce.hxx, mgpu/src/join.hxx: a.cu, b.cu",
        "1 file not judged for lack of plain.h: b.cu",
    ]


def test_headers_of_several_folders_that_the_same_files_lack_are_one_thing_too() -> None:
    headers = ("big/a.h", "big/kernel/b.h", "big/layout/c.h")
    entries = tuple(replace(LACKS, header=header) for header in headers)
    judged = verification(Verdict("a.cu", "unresolved", entries, headers=headers))
    assert judgement.render_text(judged).splitlines()[0] == f"1 file not judged for lack of {', '.join(headers)}: a.cu"


def test_what_is_lacking_of_a_library_is_said_once() -> None:
    lacking = ("`__half` in the headers of a (a-dev)", "the headers of a (a-dev)", "`b` in the headers of a (a-dev)")
    judged = verification(Verdict("a.cu", "unresolved", (LACKS,), headers=lacking))
    assert "1 file not judged for lack of the headers of a (`__half`, `b`) (a-dev): a.cu" in judgement.render_text(
        judged
    )
    judged = verification(Verdict("a.cu", "unresolved", (LACKS,), headers=("x.h (a-dev)", "y.h (a-dev)")))
    assert "1 file not judged for lack of x.h, y.h (a-dev): a.cu" in judgement.render_text(judged)
