"""Shifts by what a list in braces, a member of an object or its method gives are told where one of them is by 32."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

DECLARED = """\
struct Lane { int id; __device__ Lane() : id(threadIdx.x & 31) {} __device__ int next() const { return id + 1; } };
struct Spot { int lane, warp; };
__device__ unsigned above(const Lane& l) { return ~0u << l.next(); }
struct Pace { int by; __device__ int next() const { return by; } __device__ void set(int n) { by = n; } };
"""
WIDE = {
    "constructor": "Lane l; o[0] = ~0u >> (32 - l.id);",
    "method": "Lane l; o[0] = ~0u << l.next();",
    "braces": "Spot p = {(int)(threadIdx.x & 31), 1}; o[0] = ~0u >> (32 - p.lane);",
    "array": "const int by[] = {0, 8, 16}; for (int i = 0; i < 3; ++i) o[i] = ~0u >> (32 - by[i]);",
    "element": "const int by[] = {32, 8}; o[0] = ~0u << by[0];",
    "range": "for (int by : {32, 16, 8}) o[by] = ~0u << by;",
    "range of an array": "int by[] = {32, 16}; for (auto n : by) o[n] = ~0u << n;",
}
NARROW = {
    "range": "for (int by : {16, 8, 4}) o[by] = ~0u << by;",
    "asked for": "for (int by : {32, 16, 8}) if (by < 32) o[by] = ~0u << by;",
    "other element": "const int by[] = {32, 8}; o[0] = ~0u << by[1];",
    "from the second on": "const int by[] = {32, 16, 8}; for (int i = 1; i < 3; ++i) o[i] = ~0u << by[i];",
    "written": "int by[] = {32, 8}; by[0] = 4; o[0] = ~0u << by[0];",
    "filled by a call": "int by[] = {32, 8}; fill(by); o[0] = ~0u << by[0];",
    "set by others": "Pace p; p.set(o[1]); o[0] = ~0u << p.next();",
    "64 bits": "for (int by : {32, 16, 8}) o[by] = 1ull << by;",
}


def shifts(code: str) -> list[str]:
    """What is said of the shifts of a kernel."""
    text = f"{DECLARED}void fill(int* p);\n__global__ void k(unsigned* o) {{ {code} }}\n"
    found = find_in_text(text, "a.cu", None).findings
    return [one.message for one in found if one.rule == "warp/wide-shift" and one.span.start > text.index("__global__")]


@pytest.mark.parametrize("name", WIDE)
def test_an_amount_that_a_list_or_a_member_makes_32_is_found(name: str) -> None:
    assert len(shifts(WIDE[name])) == 1


@pytest.mark.parametrize("name", NARROW)
def test_what_stays_below_or_is_not_seen_is_not(name: str) -> None:
    assert shifts(NARROW[name]) == []


def test_the_method_of_a_parameter_is_followed() -> None:
    """The object is the caller's: which one does not matter, as each has its lane."""
    code = f"{DECLARED}__global__ void k(unsigned* o) {{ o[0] = above(Lane()); }}\n"
    assert "warp/wide-shift" in {one.rule for one in find_in_text(code, "a.cu", None).findings}
