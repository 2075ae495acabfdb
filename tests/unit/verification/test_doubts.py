"""Complaints that say nothing of the code, and when the pass for the host would leave the same doubt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Checked, Diagnostic, Flags, Place, Unit
from cudamigrate.shipped_data import stand_ins
from cudamigrate.verification import doubts
from cudamigrate.verification.newer_releases import Release

UNIT = Unit("a.cu", "/tree", Flags("c++17"), ("gfx942",))
LACKS = Diagnostic("missing-header", Place("a.cu", 1, 1), "no", "device", header="x.h")
WRONG = Diagnostic("error", Place("a.cu", 2, 1), "use of undeclared identifier 'x'", "device")


def aim(is_cuda: Callable[[str], bool] = lambda _: False, text: bytes = b"") -> doubts.Aim:
    return doubts.Aim(Release("7.1", "7.1"), is_cuda, lambda _: text)


def one(entry: Diagnostic, aimed: doubts.Aim) -> Diagnostic:
    (found,) = doubts.judged([entry], (), UNIT, aimed)
    return found


def test_an_error_inside_a_foreign_header_is_reported_where_the_tree_led_to_it() -> None:
    inner, outer = Place("/usr/include/x.h", 9, 1), Place("b.cuh", 4, 2)
    entry = Diagnostic("error", inner, "no", "host", notes=(Place("/usr/include/y.h", 3, 1), outer))
    assert one(entry, aim()).place == outer


def test_a_foreign_header_that_is_broken_itself_proves_nothing() -> None:
    entry = one(Diagnostic("error", Place("/usr/include/x.h", 9, 1), "no", "host"), aim())
    assert (entry.kind, entry.place) == ("missing-header", Place("a.cu", 1, 1))
    assert "x.h" in entry.header


def test_a_header_of_cudas_that_is_still_included_is_an_error() -> None:
    entry = Diagnostic("missing-header", Place("a.cu", 1, 1), "no", "host", header="cuda_tf32.h")
    assert one(entry, aim(lambda name: name == "cuda_tf32.h")).kind == "error"
    for header, owner in (("cuda_tf32.h", "CUDA's"), ("THC/THC.h", "old releases"), ("ATen/cuda/B.h", "PyTorch's")):
        assert f"is a header of {owner}" in one(replace(entry, header=header), aim(lambda _: True)).message


@pytest.mark.parametrize(
    ("entries", "aimed", "found"),
    [
        ((LACKS,), aim(), "doubt"),
        ((LACKS, WRONG), aim(), "doubt"),
        ((), aim(), "open"),
        ((WRONG,), aim(), "open"),
        ((LACKS,), aim(lambda _: True), "settled"),
        ((LACKS, replace(WRONG, certain=True)), aim(), "open"),
        ((LACKS, replace(WRONG, certain=True)), aim(lambda _: True), "settled"),
    ],
)
def test_the_host_is_asked_where_it_may_change_the_verdict(
    entries: tuple[Diagnostic, ...], aimed: doubts.Aim, found: doubts.State
) -> None:
    assert doubts.after_devices(Checked(entries, ("/tree/a.cu", "/usr/include/x.h")), UNIT, aimed) == found


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ((WRONG,), "settled"),
        ((WRONG, replace(WRONG, message="another")), "settled"),
        ((), "open"),
        ((replace(WRONG, message="another"),), "open"),
        ((WRONG, LACKS), "open"),
        ((WRONG, LACKS, replace(WRONG, message="another", certain=True)), "settled"),  # it failed, whatever is missing
        ((LACKS, replace(WRONG, message="another", certain=True)), "open"),
    ],
)
def test_cuda_code_is_settled_where_all_that_is_looked_for_was_found(
    entries: tuple[Diagnostic, ...], found: doubts.State
) -> None:
    aimed = replace(aim(), wanted={"a.cu": frozenset([(WRONG.place, WRONG.message)])})
    unit = replace(UNIT, language="cuda", arch=("sm_80",))
    assert doubts.after_devices(Checked(entries, ("/tree/a.cu",)), unit, aimed) == found
    assert doubts.after_devices(Checked(entries, ("/tree/a.cu",)), unit, aim()) == "open"


@pytest.mark.parametrize(
    ("text", "found"), [(b"#ifdef __HIP_DEVICE_COMPILE__\n", True), (b"// NOT__HIP_DEVICE_COMPILE\n", False)]
)
def test_a_file_asks_for_what_differs_by_a_macro(text: bytes, found: bool) -> None:
    assert doubts.asks_for_side("a.cu", aim(text=text)) is found


LACKED = Diagnostic("error", Place("a.cu", 3, 9), "no member named 'make' in namespace 'thrust::system::hip'", "device")
PARTIAL = (str(stand_ins("declarations") / "thrust" / "sort.h"),)


@pytest.mark.parametrize(
    ("line", "column", "message", "kind"),
    [
        (3, 14, "expected '(' for function-style cast or type construction", "stand-in"),
        (3, 4, "expected ';' after expression", "error"),
        (4, 14, "expected '(' for function-style cast or type construction", "error"),
        (3, 20, "use of undeclared identifier 'cudaFree'", "error"),
    ],
)
def test_what_follows_in_its_line_from_a_name_that_our_declarations_lack_proves_nothing(
    line: int, column: int, message: str, kind: str
) -> None:
    other = Diagnostic("error", Place("a.cu", line, column), message, "device", certain=True)
    first, second = doubts.judged([LACKED, other], PARTIAL, UNIT, aim())
    assert (first.kind, second.kind, second.certain) == ("stand-in", kind, kind == "error")


SIDES = "reference to __host__ function '%s' in __host__ __device__ function"


@pytest.mark.parametrize(
    ("message", "noted", "moved"),
    [
        (SIDES % "~allocator", "/usr/include/vector.h", True),
        (SIDES % "~allocator", "/usr/include/map.h", False),
        ("no member named 'x'", "/usr/include/vector.h", False),
    ],
)
def test_the_host_s_code_in_a_header_belongs_to_the_line_that_has_it_made(
    message: str, noted: str, moved: bool
) -> None:
    header = Diagnostic("error", Place("/usr/include/vector.h", 9, 1), message, "device")
    own = Diagnostic("error", Place("a.cu", 21, 3), SIDES % "vector", "device", notes=(Place(noted, 9, 1),))
    first, second = doubts.judged([header, own], (), UNIT, aim())
    assert second.place == own.place and second.kind == "error"
    assert (first.kind, first.place) == (("error", own.place) if moved else ("missing-header", Place("a.cu", 1, 1)))


@pytest.mark.parametrize(
    ("text", "read", "kind"),
    [
        ("__device__ static void atomicAdd(float2 *to, float2 v)\n{\n}\n", "/tree/ops.h", "error"),
        ("__device__ float atomicAdd(float2 *to, float2 v);\n", "/tree/ops.h", "error"),
        ("void run() { x = atomicAdd(&a, b); return atomicAdd(&a, b); }\n", "/tree/ops.h", "stand-in"),  # calls
        ("__device__ static void myAtomicAdd(float2 *to, float2 v) {}\n", "/tree/ops.h", "stand-in"),
        ("__device__ static void atomicAdd(float2 *to, float2 v) {}\n", "/usr/ops.h", "stand-in"),  # none of the tree's
    ],
)
def test_a_call_of_an_overload_of_the_project_s_own_is_not_left_to_newer_headers(
    text: str, read: str, kind: str
) -> None:
    goal = Release("10.0", "7.1", lambda name: name == "atomicAdd")
    entry = Diagnostic("error", Place("a.cu", 2, 1), "no matching function for call to 'atomicAdd'", "device")
    (found,) = doubts.judged([entry], (read,), UNIT, doubts.Aim(goal, lambda _: False, lambda _: text.encode()))
    assert found.kind == kind
