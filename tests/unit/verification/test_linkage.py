"""Headers read inside of `extern "C" {` are the code's fault, and not a lack of the engine's."""

from __future__ import annotations

from cudamigrate.model.verification import BROKEN, Diagnostic, Place
from cudamigrate.verification import linkage

AT = Place("w.cu", 2, 1)
LINKAGE = Diagnostic("error", AT, "templates must have C++ linkage", "host", "")
FOLLOWS = Diagnostic("missing-header", AT, "/usr/include/vector:1: expected", "host", "", f"vector{BROKEN}")
NEWER = Diagnostic("stand-in", AT, "no member named", "host", "", "HIP's headers of ROCm 10.1")
ABSENT = Diagnostic("missing-header", AT, "'a.h' file not found", "host", "", "a.h")


def test_what_follows_from_c_linkage_is_left_out() -> None:
    assert linkage.judged([LINKAGE, FOLLOWS, NEWER, ABSENT]) == [LINKAGE, ABSENT]


def test_without_that_error_all_stays() -> None:
    assert linkage.judged([FOLLOWS, NEWER, ABSENT]) == [FOLLOWS, NEWER, ABSENT]
