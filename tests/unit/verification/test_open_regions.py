"""A name that is there only where the build gives a macro is not missed for certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudamigrate.compilation.build_settings import UNNAMED
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


def test_a_macro_whose_name_is_not_known_may_be_any_that_nothing_defines() -> None:
    missing = "use of undeclared identifier '{}'"
    assert kind(missing.format("scaled"), {UNNAMED}) == ("stand-in", "the value of FAST, which the build gives")
    assert kind(missing.format("inner"), {UNNAMED})[0] == "stand-in"
    assert kind(missing.format("inner"), {UNNAMED}, "FAST", "SLOW", "INNER")[0] == "error"
    assert kind(missing.format("for_amd"), {UNNAMED})[0] == "error"
    assert kind(missing.format("nowhere"), {UNNAMED})[0] == "error"


@pytest.mark.parametrize(
    "message",
    [
        "out-of-line definition of 'scaled' does not match any declaration in namespace 'a'",
        "explicit instantiation of 'scaled' does not refer to a function template",
    ],
)
def test_a_definition_whose_declaration_is_in_a_region_of_a_macro_is_open(message: str) -> None:
    assert kind(message, {"FAST"})[0] == "stand-in"
    assert kind(message.replace("scaled", "always"), {"FAST"})[0] == "error"


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


TIMERS = b"""#if defined(_WIN32)
#define CLOCK 1
#elif defined(HAVE_CLOCK) && WITH_CLOCK > 1
#define CLOCK 2
#else
# error no clock
#endif
#ifndef __CUDACC__
#error "for nvcc"
#endif
#if CUDART_VERSION < 10000
#error old
#endif
#ifdef LIMIT
#elif LIMITED
#error "too much"
#endif
#error never
int wrong = ;
#ifdef _MSC_VER
#else
#error no compiler
#endif
#if 0
#ifdef INNER
#endif
#error left out
#endif
#if defined _OWN_POSIX_
#elif defined _OWN_WINDOWS_ || __OWN__
#error no system
#endif
#if defined(CUDA_ENABLED)
#elif defined(CUDA_DISABLED)
#else
#error no choice
#endif
"""


def error_at(line: int, header: bytes, *defines: str, some: frozenset[str] = frozenset()) -> tuple[str, str]:
    entry = Diagnostic("error", Place("a.h", line, 1), "no clock", "device")
    texts = {"a.h": TIMERS, "config.h": header, "a.cu": b'#include "a.h"\n'}
    read = ("/usr/include/stdio.h", *(f"/tree/{path}" for path in texts))
    (found,) = open_regions.configured([entry], unit(*defines), read, lambda path: texts[path], some)
    return found.kind, found.header


@pytest.mark.parametrize(
    ("line", "header", "name"),
    [(6, b"", "HAVE_CLOCK"), (6, b"#define HAVE_CLOCK 1\n", "WITH_CLOCK"), (16, b"", "LIMIT")],
)
def test_an_error_for_want_of_a_macro_that_a_build_gives_is_none(line: int, header: bytes, name: str) -> None:
    assert error_at(line, header) == ("stand-in", f"the value of {name}, which the build gives")


@pytest.mark.parametrize(
    ("line", "header", "defines"),
    [
        pytest.param(6, b"# define HAVE_CLOCK\n#define WITH_CLOCK 1\n", (), id="a file defines them"),
        pytest.param(6, b"", ("HAVE_CLOCK", "WITH_CLOCK=0"), id="the build's files say them"),
        pytest.param(9, b"", (), id="of a compiler"),
        pytest.param(12, b"", (), id="of CUDA"),
        pytest.param(18, b"", (), id="no condition"),
        pytest.param(19, b"", (), id="another error"),
        pytest.param(22, b"", (), id="of the platform alone"),
        pytest.param(27, b"", (), id="a condition that ended"),
    ],
)
def test_another_error_directive_is_an_error(line: int, header: bytes, defines: tuple[str, ...]) -> None:
    assert error_at(line, header, *defines) == ("error", "")


def test_an_error_for_want_of_a_macro_that_a_build_file_of_the_tree_gives_is_none() -> None:
    given = frozenset(("_OWN_POSIX_", "_OWN_WINDOWS_"))
    assert error_at(31, b"", some=given)[0] == "error"  # __OWN__ is a compiler's
    assert error_at(31, b"#define __OWN__ 0\n", some=given) == (
        "stand-in",
        "the value of _OWN_POSIX_, which the build gives",
    )
    assert error_at(31, b"#define __OWN__ 0\n")[0] == "error"
    assert error_at(9, b"", some=frozenset(("__CUDACC__",)))[0] == "error"
    assert error_at(12, b"", some=frozenset(("CUDART_VERSION",)))[0] == "error"
    both = frozenset(("CUDA_ENABLED", "CUDA_DISABLED"))
    assert error_at(36, b"", some=both) == ("stand-in", "the value of CUDA_ENABLED, which the build gives")
    assert error_at(36, b"", some=both - {"CUDA_DISABLED"})[0] == "error"


SUMS = b"""__shared__ float sums[WIDTH], more[WIDTH];
float4 *part = (float4 *)sums;
part[0] = lost;
return unknown + sums[0];
other(part);
"""


def test_what_an_unknown_value_would_declare_is_open_as_well() -> None:
    said = [(2, "sums"), (3, "part"), (3, "lost"), (4, "unknown"), (4, "sums"), (5, "other"), (5, "part"), (6, "gone")]
    entries = [
        Diagnostic("error", Place("a.cu", line, 1), f"use of undeclared identifier '{name}'", "device")
        for line, name in said
    ]
    cause = Diagnostic("stand-in", Place("a.cu", 1, 1), "use of undeclared identifier 'WIDTH'", "device")
    cause = replace(cause, header="the value of WIDTH, which the build gives")
    found = open_regions.consequences([cause, *entries], lambda path: SUMS + b"gone = 1;\n")
    assert [one.message.split("'")[1] for one in found if one.kind == "error"] == ["gone"]
    found = open_regions.consequences([replace(cause, header="HIP's headers"), *entries], lambda path: SUMS)
    assert sum(one.kind == "error" for one in found) == len(said)


@pytest.mark.parametrize(
    ("second", "demanded", "kind"),
    [
        ("#elif (ARCH >= 30)", ("ARCH",), "stand-in"),
        ("#elif ARCH == 30", ("ARCH",), "stand-in"),
        ("#elif (ARCH >= 30)", (), "error"),  # which a build file gives
        ("#elif defined(OTHER)", ("ARCH", "OTHER"), "error"),  # whether it is defined is all that is asked
    ],
)
def test_a_macro_that_the_code_demands_has_no_value_that_is_known(
    second: str, demanded: tuple[str, ...], kind: str
) -> None:
    text = f'#ifndef ARCH\n#error "ARCH is not defined"\n{second}\nint a;\n#else\n#error "too old"\n#endif\n'
    one = unit("ARCH", "OTHER")
    one = replace(one, flags=replace(one.flags, demanded=demanded))
    entry = Diagnostic("error", Place("a.cu", 6, 2), "too old", "device")
    (found,) = open_regions.configured([entry], one, ["/tree/a.cu"], lambda path: text.encode())
    assert found.kind == kind
    assert found.header == ("the value of ARCH, which the build gives" if kind == "stand-in" else "")
