"""What headers older than the release aimed at leave open, and what they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudamigrate.model.verification import Diagnostic, Place
from cudamigrate.shipped_data import stand_ins
from cudamigrate.verification.newer_releases import Release, newer

DECLARATIONS = str(stand_ins("declarations"))
READ = ("/usr/include/hip/hip_runtime_api.h", "/usr/include/hipsparse/hipsparse.h")
HIP = ("hipMalloc", "hipDrvGetErrorString", "hipsparseGetErrorString", "hipblasSgemm", "hipStreamWaitEvent")


def complaint(message: str) -> Diagnostic:
    return Diagnostic("error", Place("a.cu", 1, 1), message, "host")


@pytest.mark.parametrize(
    ("message", "there", "kind"),
    [
        ("no member named 'deviceOverlap' in 'hipDeviceProp_t'", "5.2", "stand-in"),
        ("no member named 'deviceOverlap' in 'hipDeviceProp_t'", "7.1", "error"),
        ("no member named 'deviceOverlap' in 'Options'", "5.2", "error"),
        ("no member named 'INVALID_SIZE' in 'hipcub::CachingDeviceAllocator'", "5.2", "error"),  # of no type of HIP's
        ("no member named 'cudaErrorUnsupportedPtxVersion' in 'hipError_t'", "5.2", "error"),
        ("use of undeclared identifier 'hipDrvGetErrorString'", "5.2", "stand-in"),
        ("use of undeclared identifier 'hipsparseGetErrorString'", "5.2", "stand-in"),
        ("use of undeclared identifier 'hipsparseGetErrorString'", "6.2", "error"),
        ("use of undeclared identifier 'hipblasSgemm'", "5.2", "error"),  # its include is missing
        ("use of undeclared identifier 'hipOfTheirOwn'", "5.2", "error"),
        ("no matching function for call to 'hipStreamWaitEvent'", "5.2", "stand-in"),
        ("no matching function for call to 'hipStreamWaitEvent'", "6.2", "error"),
        (
            "no matching function for call to 'hipStreamWaitEvent' (no known conversion from 'hipA' to 'hipEvent_t')",
            "5.2",
            "error",
        ),
        ("no matching function for call to 'hipOfTheirOwn'", "5.2", "error"),
    ],
)
def test_what_older_headers_lack_is_not_known(message: str, there: str, kind: str) -> None:
    goal = Release("6.2", there, HIP.__contains__)
    assert newer(complaint(message), goal, READ).kind == kind
    assert newer(complaint(message), replace(goal, wanted=""), READ).kind == "error"


def test_a_name_that_older_headers_have_lacks_its_include() -> None:
    entry = complaint("use of undeclared identifier 'hipsparseCreate'")
    read = ["/usr/include/hipsparse/other.h"]
    goal = Release("6.2", "5.2", lambda name: True)
    assert newer(entry, goal, read).kind == "stand-in"
    assert newer(entry, replace(goal, declares="hipsparseCreate".__eq__), read).kind == "error"


HIPS = "/usr/include/hip/hip_runtime_api.h"


@pytest.mark.parametrize(
    ("said", "declared", "kind"),
    [
        ("candidate function not viable: requires 3 arguments, but 2 were provided", HIPS, "stand-in"),
        (
            "candidate function not viable: no known conversion from 'Row *' to 'void *' for 1st argument",
            HIPS,
            "stand-in",
        ),
        ("candidate function not viable: no known conversion from 'id' (aka 'int') to 'void *' for 1st", HIPS, "error"),
        ("candidate function not viable: no known conversion from 'int' to 'dim3' for 1st argument", HIPS, "stand-in"),
        (
            "candidate function not viable: no known conversion from 'int (*)(const char *, int) noexcept(true)' to"
            " 'int *' for 1st argument",
            HIPS,
            "error",
        ),
        (
            "candidate function not viable: no known conversion from 'void (*)(int)' to 'hipHostFn_t' for 1st argument",
            HIPS,
            "stand-in",
        ),
        ("candidate function not viable: requires 3 arguments", f"{DECLARATIONS}/hipblas/hipblas.h", "error"),
    ],
)
def test_a_newer_release_takes_no_number_for_a_pointer_nor_what_our_declarations_refuse(
    said: str, declared: str, kind: str
) -> None:
    entry = replace(
        complaint("no matching function for call to 'hipStreamWaitEvent'"), notes=(Place(declared, 9, 1),), said=(said,)
    )
    goal = Release("10.1", "7.1", HIP.__contains__)
    assert newer(entry, goal, READ).kind == kind


def test_a_call_from_the_other_side_is_no_matter_of_the_release() -> None:
    said = "no matching function for call to 'hipMalloc' (call to __device__ function from __host__ function)"
    goal = Release("10.1", "7.1", HIP.__contains__)
    assert newer(complaint(said), goal, READ).kind == "error"


@pytest.mark.parametrize(
    ("message", "since", "what"),
    [
        ("use of undeclared identifier 'hipMalloc'", "7.13", "have `hipMalloc`, in HIP since ROCm 7.13"),
        ("use of undeclared identifier 'hipMalloc'", "", "may have `hipMalloc`"),
        ("no matching function for call to 'hipMalloc'", "5.6", "may have `hipMalloc` as called here"),
        ("no member named 'luid' in 'hipDeviceProp_t'", "", "may have `luid`"),
    ],
)
def test_what_older_headers_lack_is_named_with_the_release_that_has_it(message: str, since: str, what: str) -> None:
    goal = Release("10.1", "7.1", HIP.__contains__, since=lambda name: since)
    found = newer(complaint(message), goal, READ)
    assert found.header == f"HIP headers newer than those of ROCm 7.1, which {what}"


REFUSED = "candidate function not viable: no known conversion from '%s' to '%s' for 1st argument"


@pytest.mark.parametrize(
    ("name", "given", "kind"),
    [
        ("atomicOr", "long long *", "error"),
        ("atomicAdd_system", "word *' (aka 'long *", "error"),
        ("atomicMax", "long long *", "stand-in"),  # taken by later releases
        ("atomicOr", "unsigned long *", "stand-in"),
        ("hipStreamWaitEvent", "long long *", "stand-in"),
    ],
)
def test_no_release_has_an_atomic_function_for_signed_numbers_of_64_bits(name: str, given: str, kind: str) -> None:
    said = tuple(REFUSED % (given, f"{one} *") for one in ("int", "unsigned int", "unsigned long long"))
    said = tuple(one.replace("*' to", "*') to") if "aka" in one else one for one in said)
    notes = tuple(Place(HIPS, line, 1) for line in (1, 2, 3))
    entry = replace(complaint(f"no matching function for call to '{name}'"), notes=notes, said=said)
    assert newer(entry, Release("10.1", "7.1", lambda name: True), READ).kind == kind
