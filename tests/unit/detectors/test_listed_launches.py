"""Blocks of half a wave whose sizes come from lists, loops and members."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = "__global__ void k(float *a) { a[threadIdx.x] += 1; }\n"
STRUCT = "struct P { int threads = 96; int other; };\n"


def told(body: str, before: str = "") -> list[str]:
    text = f"{KERNEL}{STRUCT}{before}void run(float *a, int n, P given) {{ {body} }}\n"
    found = find_in_text(text, "a.cu").findings
    return [one.message.partition(" threads")[0] for one in found if one.rule == "launch/half-wave"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("for (int t : {32, 64, 96}) k<<<8, t>>>(a);", "32 or 96"),
        ("std::vector<int> s = {32, 96, 160}; for (int t : s) k<<<8, t>>>(a);", "32, 96 or 160"),
        ("const int s[] = {64, 96}; for (int i = 0; i < 2; ++i) k<<<8, s[i]>>>(a);", "96"),
        ("std::array<int, 2> s{{96, 64}}; for (const auto &t : s) { dim3 b(t); k<<<8, b>>>(a); }", "96"),
        ("for (int t : {8, 16}) { dim3 b(t, 4); k<<<8, b>>>(a); }", "32"),
        ("for (int t = 32; t <= 512; t *= 2) k<<<8, t>>>(a);", "32"),
        ("P p; k<<<8, p.threads>>>(a);", "96"),
        ("k<<<8, given.threads>>>(a);", "96"),
        ("P p; p.other = 32; k<<<8, p.other>>>(a);", "32"),
    ],
)
def test_sizes_that_are_seen_one_after_another(body: str, said: str) -> None:
    assert told(body) == [f"Blocks of {said}"]


@pytest.mark.parametrize(
    "body",
    [
        "for (int t : {64, 128}) k<<<8, t>>>(a);",
        "for (int t : {32, n}) k<<<8, t>>>(a);",
        "for (int t : {32, 64}) { t *= 2; k<<<8, t>>>(a); }",
        "std::vector<int> s = {32}; s.push_back(n); for (int t : s) k<<<8, t>>>(a);",
        "std::vector<int> s = {32}; s[0] = n; for (int t : s) k<<<8, t>>>(a);",
        "std::vector<int> s = {32}; fit(s); for (int t : s) k<<<8, t>>>(a);",
        "for (int t = 64; t <= 512; t *= 2) k<<<8, t>>>(a);",
        "P p{64, 1}; k<<<8, p.threads>>>(a);",
        "P p; p.threads = n; k<<<8, p.threads>>>(a);",
        "P p; p.other = 32; p.other = n; k<<<8, p.other>>>(a);",
        "for (int t : {32, 96}) k<<<1, t>>>(a);",
    ],
)
def test_what_may_be_another_size_is_not_told(body: str) -> None:
    assert told(body) == []


def test_a_member_that_a_constructor_gives_is_not_what_it_begins_with() -> None:
    made = "struct R { int m = 32; %s void go(float *a) { k<<<8, m>>>(a); } };\n"
    assert told("", made % "") == ["Blocks of 32"]
    assert told("", made % "R(int n) : m(n) {}") == []
