"""What readers and tools are told of a verification."""

from __future__ import annotations

import json

from migrate.model.verification import Diagnostic, Place, Toolchain, Verdict, Verification
from migrate.verification import text as judgement

CHOSEN = Toolchain("clang", "clang 22 with HIP 7.1", "7.1", (), ("gfx942",))
WRONG = Diagnostic("error", Place("b.cu", 7, 3), "no such name", "device", "gfx942", origin=Place("b.cu", 5, 3))
FOUND = Diagnostic("error", Place("b.cu", 9, 1), "no", "host", rule="api/x", foreseen=True, origin=Place("b.cu", 8, 1))


def verification(*verdicts: Verdict) -> Verification:
    return Verification(CHOSEN, verdicts, ("gfx942",))


def test_text_leads_with_failures_at_their_place_in_the_original() -> None:
    text = judgement.render_text(
        verification(
            Verdict("a.cu", "checked"),
            Verdict("b.cu", "failed", (WRONG, FOUND), flags="c++17, from setup.py"),
            Verdict("c.cu", "unresolved", headers=("nvml.h",)),
        )
    )
    assert text.splitlines()[:4] == [
        "b.cu: does not compile (c++17, from setup.py)",
        "  b.cu:5:3: no such name [device, gfx942]",
        "  b.cu:8:1: no [host] (see api/x)",
        "c.cu: not judged: nvml.h",
    ]
    assert "3 files judged for gfx942 by clang 22 with HIP 7.1:" in text
    assert "1 of 2 complaints foreseen by no finding" in text


def test_what_was_checked_against_declarations_is_told_apart() -> None:
    text = judgement.render_text(verification(Verdict("a.cu", "declarations", headers=("hip/hip_fp16.h",))))
    assert "1 type-check against declarations, not the libraries' own headers" in text


def test_nothing_checked_is_not_called_proof() -> None:
    assert "proves" not in judgement.render_text(verification(Verdict("c.cu", "unresolved", headers=("x.h",))))
    assert judgement.render_short(Verification(None, absent="install it")) == "Not verified: install it"


def test_a_file_that_never_compiled_is_not_blamed_on_the_move() -> None:
    text = judgement.render_text(verification(Verdict("b.cu", "failed", (WRONG,), flags="c++17", original="failed")))
    assert text.startswith("b.cu: does not compile (c++17); nor does the original, with CUDA's headers\n")


def test_exit_codes_tell_failure_from_doubt() -> None:
    def code(*words: str) -> int:
        return judgement.exit_code(verification(*(Verdict("a", word) for word in words)), 1, 3)  # type: ignore[arg-type]

    assert [code("checked", "declarations"), code("unresolved", "failed"), code("checked", "unresolved")] == [0, 1, 3]


def test_json_has_every_complaint_and_the_counts() -> None:
    data = json.loads(judgement.render_json(verification(Verdict("b.cu", "failed", (WRONG, FOUND)))))
    assert data["counts"] == {"checked": 0, "declarations": 0, "unresolved": 0, "failed": 1}
    assert [entry["message"] for entry in data["files"][0]["diagnostics"]] == ["no such name", "no"]
    assert data["engine"] == {"name": "clang", "title": "clang 22 with HIP 7.1", "hip": "7.1"}


def test_the_short_form_names_the_first_failures_and_repairs_taken_back() -> None:
    judged = Verification(CHOSEN, (Verdict("b.cu", "failed", (WRONG,)),), ("gfx942",), reverted=("k.cu",))
    text = judgement.render_short(judged)
    assert "b.cu:5:3: no such name" in text and "k.cu: a repair did not type-check and was taken back" in text
