"""The verdict of the type check stands in every report that people and programs read of a conversion."""

from __future__ import annotations

import json

import pytest

from cudamigrate import plugins
from cudamigrate.model import Report, Repository, Target
from cudamigrate.model.verification import Diagnostic, Place, Toolchain, Verdict, Verification
from cudamigrate.pipeline.prove import with_proof
from cudamigrate.reporting import load_json

CHOSEN = Toolchain("clang", "clang 22 with HIP 7.1", "7.1", (), ("gfx942",))
WRONG = Diagnostic("error", Place("b<b>.cu", 7, 3), "no name '*p' & <q>", "device", "gfx942", rule="verify/unforeseen")
LACKS = Diagnostic("missing-header", Place("c.cu", 1, 1), "no", "host", header="nvml.h")
VERDICTS = (
    Verdict("a.cu", "checked"),
    Verdict("b<b>.cu", "failed", (WRONG,)),
    Verdict("c.cu", "unresolved", (LACKS,), headers=("nvml.h",)),
)
EMPTY = Report("1", Repository("/r", "r"), Target(), (), (), (), {}, (), {})
JUDGED = with_proof(EMPTY, Verification(CHOSEN, VERDICTS, ("gfx942",)), None)


def rendered(name: str, report: Report) -> str:
    text: str = plugins.load("cudamigrate.reporting.formats")[name].render(report)
    return text


@pytest.mark.parametrize(
    ("name", "place"),
    [("html", "b&lt;b&gt;.cu:7:3: no name"), ("markdown", r"b&lt;b\>.cu:<!-- -->7:<!-- -->3: no name '\*p' &amp;")],
)
def test_report_for_readers_has_the_counts_the_causes_and_what_was_not_judged(name: str, place: str) -> None:
    text = rendered(name, JUDGED)
    unread = "1 is not judged: a header is not installed, the file cannot be read, or no time was left"
    assert (
        f"2 of 3 files judged for gfx942 by clang 22 with HIP 7.1: 1 type-checks; {unread}; 1 does not compile." in text
    )
    assert place in text
    assert "1 file not judged for lack of nvml.h: c.cu" in text


def test_report_for_programs_has_the_same_and_reads_back() -> None:
    text = rendered("json", JUDGED)
    proof = json.loads(text)["proof"]
    assert proof["types"] == {"checked": 1, "declarations": 0, "unresolved": 1, "failed": 1}
    assert (proof["arch"], proof["engine"]) == (["gfx942"], "clang 22 with HIP 7.1")
    assert [(one["message"], one["files"], one["foreseen"]) for one in proof["causes"]] == [
        ("no name '*p' & <q>", ["b<b>.cu"], False)
    ]
    assert proof["missing"] == [{"what": "nvml.h", "files": ["c.cu"], "header": True}]
    assert load_json.loads(text, "r.json").proof == JUDGED.proof


@pytest.mark.parametrize("name", ["html", "markdown", "json"])
def test_report_says_why_nothing_was_judged(name: str) -> None:
    absent = with_proof(EMPTY, Verification(None, absent="install the engine"), None)
    assert "Not type-checked: install the engine" in rendered(name, absent)
    assert "Not type-checked" not in rendered(name, EMPTY)
    assert "judged for" not in rendered(name, EMPTY)
