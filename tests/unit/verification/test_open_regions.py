"""A name that is there only where the build gives a macro is not missed for certain."""

from __future__ import annotations

import pytest

from cudamigrate.model.verification import Diagnostic, Flags, Place, Unit
from cudamigrate.verification import open_regions

HEADER = b"""#pragma once
#if defined(FAST) && !defined(SLOW)
int scaled(int);
#ifdef INNER
int inner(int);
#endif
#else
int plain(int);
#endif
#ifdef __HIP_PLATFORM_AMD__
int for_amd(int);
#endif
int always(int);  // scaled is above
"""


def unit(*defines: str) -> Unit:
    return Unit("a.cu", "/tree", Flags("c++17", defines), ("gfx942",), "hip", "")


def kind(message: str, some: set[str], *defines: str) -> tuple[str, str]:
    entry = Diagnostic("error", Place("a.cu", 9, 1), message, "device")
    read = ("/usr/include/stdio.h", "/tree/include/a.h")
    texts = {"include/a.h": HEADER}
    (found,) = open_regions.judged([entry], some, unit(*defines), read, lambda path: texts[path])
    return found.kind, found.header


@pytest.mark.parametrize("name", ["scaled", "inner", "plain"])
def test_a_name_in_a_region_of_a_macro_is_open(name: str) -> None:
    found = kind(f"no member named '{name}' in namespace 'fp8'", {"FAST"})
    assert found == ("stand-in", "the value of FAST, which the build gives")


@pytest.mark.parametrize(
    ("message", "some", "defines"),
    [
        ("use of undeclared identifier 'always'", {"FAST"}, ()),
        ("use of undeclared identifier 'elsewhere'", {"FAST"}, ()),
        ("use of undeclared identifier 'scaled'", {"OTHER"}, ()),
        ("use of undeclared identifier 'scaled'", {"FAST"}, ("FAST=1",)),  # it is known
        ("use of undeclared identifier 'scaled'", set(), ()),
        ("use of undeclared identifier 'for_amd'", {"__HIP_PLATFORM_AMD__"}, ()),  # HIP's compiler gives it
        ("expected ';' after expression 'scaled'", {"FAST"}, ()),
    ],
)
def test_other_errors_stand(message: str, some: set[str], defines: tuple[str, ...]) -> None:
    assert kind(message, some, *defines) == ("error", "")
