"""A complaint that no finding foresaw is a finding at its line; one that was foreseen is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model.verification import UNFORESEEN, Diagnostic, Place, Toolchain, Verdict, Verification
from cudamigrate.pipeline import run
from cudamigrate.verification import causes, unforeseen

TEXT = "#include <cuda_runtime.h>\nint a = 1;\nint b = nothing;\n"
CHOSEN = Toolchain("clang", "clang", "7.1", (), ("gfx942",))
WRONG = Diagnostic("error", Place("a.cu", 9, 9), "no 'nothing'", "host", origin=Place("a.cu", 3, 9))


def unforeseen_findings(tmp_path: Path, *verdicts: Verdict) -> list[tuple[str, int, str, str]]:
    (tmp_path / "a.cu").write_text(TEXT)
    config = Config()
    report = pipeline.scan(tmp_path, config)
    rule = run.rules(pipeline.target(config)).rules[UNFORESEEN]
    judged = Verification(CHOSEN, verdicts, ("gfx942",))
    after = unforeseen.with_findings(report, judged, rule, lambda path: TEXT.encode())
    assert [f for f in after.findings if f.rule == UNFORESEEN] == [
        f for f in after.files[0].findings if f.rule == UNFORESEEN
    ]
    new = [finding for finding in after.findings if finding.rule == UNFORESEEN]
    assert not new or after.rules[UNFORESEEN] == rule
    return [(finding.path, finding.position.line, finding.excerpt, finding.message) for finding in new]


def test_a_complaint_is_a_finding_at_its_line_once(tmp_path: Path) -> None:
    found = unforeseen_findings(tmp_path, Verdict("a.cu", "failed", (WRONG,)), Verdict("b.cu", "failed", (WRONG,)))
    message = "The converted code does not compile for AMD: no 'nothing'."
    assert found == [("a.cu", 3, "int b = nothing;", message)]


def test_what_was_foreseen_or_not_judged_is_none(tmp_path: Path) -> None:
    foreseen = replace(WRONG, rule="api/x", foreseen=True)
    assert (
        unforeseen_findings(tmp_path, Verdict("a.cu", "failed", (foreseen,)), Verdict("b.cu", "unresolved", (WRONG,)))
        == []
    )


def test_the_fix_that_is_there_is_named(tmp_path: Path) -> None:
    ((_, _, _, message),) = unforeseen_findings(tmp_path, Verdict("a.cu", "failed", (replace(WRONG, rule="api/x"),)))
    assert message.endswith("no 'nothing' (after the fix of api/x).")


def test_an_error_of_the_originals_is_no_finding_and_another_of_that_file_is(tmp_path: Path) -> None:
    before = replace(WRONG, origin=Place("a.cu", 2, 1), before=True)
    both = Verdict("a.cu", "failed", (WRONG, before), original="failed")
    ((path, line, _, _),) = unforeseen_findings(tmp_path, both)
    assert (path, line) == ("a.cu", 3)


def test_what_only_an_incomplete_header_of_ours_lacks_is_no_finding_and_no_cause(tmp_path: Path) -> None:
    lacked = replace(WRONG, kind="stand-in", header="rocThrust", origin=Place("a.cu", 2, 1), message="no 'free'")
    both = Verdict("a.cu", "failed", (WRONG, lacked))
    assert [line for _, line, _, _ in unforeseen_findings(tmp_path, both)] == [3]
    judged = Verification(CHOSEN, (both,), ("gfx942",))
    assert [one.message for one in causes.of(judged)] == ["no 'nothing'"]
    foreseen = Verdict("a.cu", "failed", (WRONG, replace(lacked, rule="api/x", foreseen=True)))
    assert len(causes.of(Verification(CHOSEN, (foreseen,), ("gfx942",)))) == 2
