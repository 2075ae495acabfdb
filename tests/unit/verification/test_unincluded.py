"""A name that the headers at hand declare, and that nothing includes: which include lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Diagnostic, Place, Toolchain
from cudamigrate.verification import unincluded

HEADERS = {
    "hip/hip_runtime.h": "#include <hip/hip_runtime_api.h>\n",
    "hip/hip_runtime_api.h": '#include "detail/types.h"\nint hipReset(); // not hipGone\n',
    "hip/detail/types.h": "typedef int hipThing_t;\n",
    "hip/hip_complex.h": "struct hipComplexPair {};\n",
    "hip/detail/hidden.h": "int hipHidden();\n",
    "hipsparse/hipsparse.h": "typedef void *hipsparseHandle_t;\n",
    "hipcub/a.hpp": "namespace hipcub { struct A; }\n",
    "hipcub/hipcub.hpp": "#include <hipcub/a.hpp>\n",
}


@pytest.fixture
def chosen(tmp_path: Path) -> Toolchain:
    for name, text in HEADERS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return Toolchain("clang", "clang", "7.1", (str(tmp_path),), ("gfx942",))


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("hipReset", "hip/hip_runtime.h"),
        ("hipThing_t", "hip/hip_runtime.h"),
        ("hipComplexPair", "hip/hip_complex.h"),
        ("hipsparseHandle_t", "hipsparse/hipsparse.h"),
        ("hipcub", "hipcub/hipcub.hpp"),
        ("hipHidden", ""),  # no header for users brings it
        ("hipGone", ""),  # named in a comment
        ("hipsparseGone_t", ""),
        ("mine", ""),
    ],
)
def test_the_header_to_include_is_the_one_that_brings_a_name(chosen: Toolchain, name: str, header: str) -> None:
    entry = Diagnostic("error", Place("a.cu", 1, 1), f"use of undeclared identifier '{name}'", "device", "gfx942")
    advice = f"include `<{header}>`, which declares it" if header else ""
    assert unincluded.advised(entry, chosen, ["/t/a.cu"]).advice == advice
    assert unincluded.advised(replace(entry, message=f"no member named '{name}' in 'S'"), chosen, []).advice == ""


def test_what_a_header_that_was_read_hides_lacks_no_include(chosen: Toolchain) -> None:
    assert unincluded.header_of("hipReset", chosen, [f"{chosen.headers[0]}/hip/hip_runtime_api.h"]) == ""
    assert unincluded.header_of("hipReset", chosen, [f"{chosen.headers[0]}/hip/hip_complex.h"]) != ""
