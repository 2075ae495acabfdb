"""Steps of lanes through shared memory: which are held, which are reported and left, and which are none.

That the form written is right is shown by running it, in `runtime/test_held_steps.py`.
"""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


def found(text: str, rule: str) -> list[str]:
    data = text.encode()
    findings = [finding for finding in find_in_text(text).findings if finding.rule == rule]
    return [data[finding.span.start : finding.span.end].decode() for finding in findings]


def after(text: str) -> str:
    """The text as converted, with one blank where it has some, as most tests are not of layout."""
    return " ".join(find_in_text(text).after.split())


def test_statements_are_on_lines_of_their_own_in_the_indentation_of_the_file() -> None:
    text = (
        "__device__ void f(volatile int *s, int t)\n{\n  if (t < 32) {\n    s[t] += s[t + 8];\n    s[t] += s[t + 4];\n"
        "    s[t] += s[t + 2]; s[t] += s[t + 1];\n  }\n}\n"
    )
    made = find_in_text(text).after
    start = made.index("    cudamigrate::syncwarp();\n    {\n")
    step = (
        "    {\n      const auto theirs = s[t + 8];\n      cudamigrate::syncwarp();\n      s[t] += theirs;\n"
        "      cudamigrate::syncwarp();\n    }\n"
    )
    assert made[start:].startswith("    cudamigrate::syncwarp();\n" + step + step.replace("8", "4"))
    assert step.replace("8", "2") + step.replace("8", "1") + "  }\n}\n" in made


@pytest.mark.parametrize(
    "body",
    [
        "if (set[t]) s[t] += s[t + 8]; if (set[t]) s[t] += s[t + 4];",
        "if (t < 64) { s[t] += s[t + 32]; s[t] += s[t + 16]; }",
        "if (set[t] > 8 && s[t] < s[t + 8]) s[t] = s[t + 8]; if (n > 4 && s[t] < s[t + 4]) s[t] = s[t + 4];",
        "if (s[t] < s[t + 8] || n > 8) s[t] = s[t + 8]; if (n > 4 || s[t] < s[t + 4]) s[t] = s[t + 4];",
        "if (s[t] < s[t + 8]) s[t] = s[t + 8]; else ++n; if (s[t] < s[t + 4]) s[t] = s[t + 4]; else ++n;",
        "s[t] = t < 3 ? s[t + 8] : 0; s[t] = t < 3 ? s[t + 4] : 0;",
        "s[t] += *(&s[t + 8]); s[t] += *(&s[t + 4]);",
        "if (t >= 16) s[t] += s[t + 8]; if (t >= 8) s[t] += s[t + 4];",
    ],
)
def test_steps_that_cannot_be_held_are_reported_and_left(body: str) -> None:
    text = f"__device__ void f(volatile int *s, const int *set, int t, int n) {{ {body} }}"
    assert len(found(text, "warp/unheld-lanes")) == 1
    assert found(text, "warp/volatile-lanes") == []


@pytest.mark.parametrize(
    "text",
    [
        "__device__ void f(float *s, int t) { s[t] += s[t + 16]; s[t] += s[t + 8]; }",
        "__device__ void f(float *s, int k) { s[k] += s[k + 16]; s[k] += s[k + 8]; s[k] += s[k + 4]; }",
        "__device__ void f(int t) { float s[64]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; }",
        "__device__ void f(volatile int *s, int t) { s[t] = s[t + 8]; }",
        "__device__ void f(volatile int *s, const int *a, int t) { s[t] = a[t + 8]; s[t] = a[t + 4]; }",
        "__device__ void f(volatile int *s, int t, int n) { for (int o = n; o > 0; --o) s[t] += s[t + o]; }",
        "__device__ void f(volatile int *s, int t) { for (int o = 8; o; o /= 2) { s[t] += s[t + o]; __syncwarp(); } }",
    ],
)
def test_what_is_no_step_of_a_warp_is_left(text: str) -> None:
    assert found(text, "warp/unheld-lanes") == found(text, "warp/volatile-lanes") == []


def test_steps_of_several_arrays_are_held_together() -> None:
    text = (
        "__device__ void f(volatile int *s, volatile int *at, int t) {"
        " if (s[t] < s[t ^ 16]) { s[t] = s[t ^ 16]; at[t] = at[t ^ 16]; }"
        " if (s[t] < s[t ^ 8]) { s[t] = s[t ^ 8]; at[t] = at[t ^ 8]; } }"
    )
    made = after(text)
    assert made.count("const auto theirs1 = s[t ^ ") == made.count("const auto theirs2 = at[t ^ ") == 2
    assert made.count("cudamigrate::syncwarp()") == 5


def test_a_guard_keeps_what_it_guards_from_being_read() -> None:
    text = (
        "template <int N> __device__ void f(volatile int *s, int t) { __syncthreads();"
        " if (N >= 16 && s[t] < s[t + 8]) s[t] = s[t + 8]; if (N >= 8 && s[t] < s[t + 4]) s[t] = s[t + 4]; }"
    )
    step = "{ const auto theirs = N >= 16 ? s[t + 8] : s[t]; cudamigrate::syncwarp(); if (N >= 16 && s[t] < theirs)"
    assert f"{step} s[t] = theirs; cudamigrate::syncwarp(); }}" in after(text)


def test_a_name_of_the_function_is_not_taken_again() -> None:
    text = "__device__ void f(volatile int *s, int t, int theirs) { s[t] += s[t + 8]; s[t] += s[t + 4] + theirs; }"
    assert "const auto other_lane = s[t + 4]" in after(text)


@pytest.mark.parametrize(
    ("before", "call", "runs"),
    [
        ("", "SYNC", 1),  # of which nothing is seen: its name holds no lane
        ("#define SYNC", "SYNC", 1),
        ("#define SYNC __syncthreads()", "SYNC", 0),
        ("#define HOLD __syncwarp()\n#define Q() HOLD", "Q()", 0),
        ("__device__ void sync_lanes() { }", "sync_lanes()", 1),
        ("__device__ void q() { __syncwarp(); }\n__device__ void r() { q(); }", "r()", 0),
        ('__device__ void q() { asm volatile("bar.sync 0;"); }', "q()", 0),
        ("", "group.sync()", 0),
        ("__device__ void sync() { }", "sync()", 1),
    ],
)
def test_a_barrier_is_known_by_what_it_does(before: str, call: str, runs: int) -> None:
    steps = f"s[t] += s[t + 8]; {call}; s[t] += s[t + 4]; {call};"
    text = f"{before}\n__device__ void f(volatile int *s, int t) {{ {steps} }}"
    assert len(found(text, "warp/volatile-lanes")) == runs


@pytest.mark.parametrize(
    ("before", "tested", "fixed"),
    [
        ("constexpr int few = 64;", "few", True),
        ("template <int N>", "N", True),
        ("", "BLOCK_SIZE", False),  # a header may give it any value: capitals make no constant
        ("", "n", False),  # the callers are not seen
    ],
)
def test_what_is_one_for_all_is_shown_by_facts(before: str, tested: str, fixed: bool) -> None:
    text = f"{before}\n__device__ void f(volatile int *s, int t, int n) {{\n"
    text += f"  if ({tested} >= 32) s[t] += s[t + 16];\n  s[t] += s[t + 8];\n}}"
    assert ("cudamigrate::syncwarp" in after(text)) == fixed


def test_each_branch_of_a_decision_has_a_run_of_its_own() -> None:
    sums, least = "s[t] += s[t + 8]; s[t] += s[t + 4];", "s[t] = min(s[t], s[t + 8]); s[t] = min(s[t], s[t + 4]);"
    decided = f"if constexpr (K == Kind::sum) {{ {sums} }} else if constexpr (K == Kind::least) {{ {least} }}"
    chosen = f"switch (K) {{ case 1: {sums} break; case 2: {least} }}"
    for body in (decided, chosen):
        text = f"template <Kind K> __device__ void f(volatile int *s, int t) {{ {body} }}"
        reported = found(text, "warp/volatile-lanes") + found(text, "warp/unheld-lanes")
        assert reported == ["s[t] += s[t + 8];", "s[t] = min(s[t], s[t + 8]);"]
        assert after(text).count("cudamigrate::syncwarp(); { const auto theirs") == 2


@pytest.mark.parametrize(
    ("steps", "read"),
    [
        pytest.param("s[t] += s[(t + 8)]; s[t] += s[(t + 4)];", "s[(t + 8)]", id="brackets around the sum"),
        pytest.param("s[(t)] += s[t + 8]; s[(t)] += s[t + 4];", "s[t + 8]", id="brackets around the own index"),
        pytest.param(
            "s[t + n] += s[t + 8 + n]; s[t + n] += s[t + 4 + n];", "s[t + 8 + n]", id="the distance in the middle"
        ),
        pytest.param("s[n + t] += s[8 + n + t]; s[n + t] += s[4 + (t + n)];", "s[8 + n + t]", id="the distance first"),
    ],
)
def test_the_place_of_another_lane_is_a_sum_however_it_is_written(steps: str, read: str) -> None:
    text = f"__device__ void f(volatile int *s, int t, int n) {{ if (t < 32) {{ {steps} }} }}"
    assert len(found(text, "warp/volatile-lanes")) == 1
    assert f"const auto theirs = {read}; cudamigrate::syncwarp();" in after(text)


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param("s[t + n] += s[t + 8 + m]; s[t + n] += s[t + 4 + m];", id="another part of the array"),
        pytest.param("s[t + n] += r[t + 8 + n]; s[t + n] += r[t + 4 + n];", id="another array"),
        pytest.param("s[t + n] += s[t * 8 + n]; s[t + n] += s[t * 4 + n];", id="no sum"),
        pytest.param("s[t + n] += s[t + 40 + n]; s[t + n] += s[t + 48 + n];", id="no distance within a warp"),
    ],
)
def test_a_sum_that_is_not_the_own_index_and_a_distance_is_no_step(steps: str) -> None:
    text = (
        "__device__ void f(volatile int *s, volatile const int *r, int t, int n, int m)"
        f" {{ if (t < 32) {{ {steps} }} }}"
    )
    assert found(text, "warp/volatile-lanes") == []
    assert "syncwarp" not in after(text)


@pytest.mark.parametrize(("middle", "count"), [("16 + n", 1), ("16 * n", 0)])
def test_halves_of_a_part_of_an_array_without_volatile(middle: str, count: int) -> None:
    steps = "".join(f" s[tid + n] += s[tid + {middle.replace('16', str(by))}];" for by in (16, 8, 4))
    text = f"__device__ void f(float *s, int n) {{ int tid = threadIdx.x; if (tid < 32) {{{steps} }} }}"
    assert len(found(text, "warp/volatile-lanes")) == count


def _smallest(value: str) -> str:
    steps = "".join(f"s[t] = {value.replace('N', str(n))}; " for n in (8, 4))
    return f"__device__ void f(volatile float *s, const float *a, int t) {{ {steps}}}"


def test_a_template_of_both_values_gets_a_copy_of_both() -> None:
    made = after(_smallest("std::min(s[t], s[t + N])"))
    step = "{ const auto theirs = s[t + 8]; const auto own_value = s[t]; cudamigrate::syncwarp(); "
    assert step + "s[t] = std::min(own_value, theirs);" in made


@pytest.mark.parametrize(
    "value",
    [
        "std::min<float>(s[t], s[t + N])",  # its type is named
        "s[t] < s[t + N] ? s[t + N] : s[t]",  # nothing is deduced
        "std::min(a[t], (float)s[t + N])",
        "larger(a[t], s[t + N])",  # not volatile: the types differed before
        "s[t] + std::abs(s[t + N])",
    ],
)
def test_what_deduces_no_type_of_both_values_is_read_where_it_was(value: str) -> None:
    made = after(_smallest(value))
    assert "const auto theirs = s[t + 8];" in made
    assert "own_value" not in made


def test_a_template_of_both_values_without_volatile_is_given_what_it_was() -> None:
    text = _smallest("std::min(s[t], s[t + N])").replace("volatile ", "").replace("{ s", "{ s[t] += s[t + 16]; s", 1)
    made = after(text)
    assert "s[t] = std::min(s[t], theirs);" in made


def test_a_call_of_a_value_that_the_step_may_have_changed_is_left() -> None:
    text = (
        "__device__ void f(volatile float *s, volatile float *u, int t) {"
        " if (s[t] < s[t + 8]) { s[t] = s[t + 8]; u[t] = std::min(s[t], s[t + 8]); }"
        " if (s[t] < s[t + 4]) { s[t] = s[t + 4]; u[t] = std::min(s[t], s[t + 4]); } }"
    )
    assert found(text, "warp/volatile-lanes") == []
    assert len(found(text, "warp/unheld-lanes")) == 1
