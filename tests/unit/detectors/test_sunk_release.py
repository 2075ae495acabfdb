"""Locks that lanes let go of in the turn that takes them: the release has to stay in the loop."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULE = "warp/sunk-release"
KERNEL = "__global__ void k(int *p, float *s) {{ bool done = false; int held; {} }}\n"
WORK = "s[0] += 1; __threadfence(); atomicExch(p, 0);"


def found(statement: str) -> tuple[int, int]:
    """How many there are, and how many have a fix."""
    hits = [one for one in find_in_text(KERNEL.format(statement)).findings if one.rule == RULE]
    return len(hits), sum(one.fix is not None for one in hits)


@pytest.mark.parametrize(
    "loop",
    [
        f"while (!done) if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }}",
        f"while (!done) {{ held = atomicExch(p, 1); if (held == 0) {{ done = true; {WORK} }} }}",
        f"do {{ held = atomicExch(p, 1); if (!held) {{ {WORK} }} }} while (held);",
        "while (!done) { if (atomicCAS(p, 0, 1) == 0) { s[0] += 1; __threadfence(); *p = 0; done = true; } }",
        f"while (!done) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }} else {{ __nanosleep(9); }} }}",
    ],
)
def test_a_turn_that_ends_a_loop_by_a_flag_gets_a_barrier_of_the_wave(loop: str) -> None:
    assert found(loop) == (1, 1)


@pytest.mark.parametrize("leaves", ["break;", "return;"])
def test_one_that_leaves_is_reported(leaves: str) -> None:
    assert found(f"while (true) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} {leaves} }} }}") == (1, 0)


@pytest.mark.parametrize(
    "loop",
    [
        f"while (!done) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }} __syncwarp(); }}",
        f"if (threadIdx.x == 0) while (!done) if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }}",
        f"for (int i = 0; i < 9; i++) if (atomicCAS(p, 0, 1) == 0) {{ {WORK} }}",
        "while (!done) { if (atomicCAS(p, 0, 1) == 0) { s[0] += 1; done = true; } }",
        f"while (!done) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }} else {{ done = s[2]; p[2]++; }} }}",
    ],
)
def test_what_holds_or_ends_otherwise_is_not(loop: str) -> None:
    assert found(loop) == (0, 0)


@pytest.mark.parametrize(
    ("lock", "said"),
    [("p", "p"), ("&p[n]", "p[n]"), ("(unsigned *)&p[n]", "p[n]"), ("reinterpret_cast<unsigned *>(p + n)", "p+n")],
)
def test_the_lock_is_named_without_casts(lock: str, said: str) -> None:
    work = f"s[0] += 1; atomicExch({lock}, 0); done = true;"
    text = KERNEL.format(f"int n = 1; while (!done) if (atomicCAS({lock}, 0, 1) == 0) {{ {work} }}")
    assert [one.message.split("`")[1] for one in find_in_text(text).findings if one.rule == RULE] == [said]


LOCK_FREE = [
    # a list: nodes that are marked are unlinked on the way, and a new one is put before the first
    "do { int old = *p; while (old && s[old]) { if (s[old] > 1) { if (n && atomicCAS(q, old, 5) != old) break;"
    " else if (!n && atomicCAS(p, old, 5) != old) break; } old = q[old]; } held = old; }"
    " while (atomicCAS(p, held, n) != held);",
    # one try in the branch of another that did not get it
    "while (!done) { held = atomicCAS(p, held, n); if (held != n) { done = atomicCAS(p, held, held + n) == held; } }",
    # by a function that tries twice
    "while (!done) done = put(p, n);",
]
TWICE = """__device__ bool put(int *p, int n) {
    int old = *p, more = p[1];
    if (atomicCAS(p, old, n) == old) return true;
    return atomicCAS(p, more, old + n) == more;
}
"""


@pytest.mark.parametrize("loop", LOCK_FREE)
def test_a_swap_that_is_tried_again_with_a_new_value_is_no_release(loop: str) -> None:
    text = TWICE + KERNEL.replace("float *s", "float *s, int *q, int n").format(loop)
    assert not [one for one in find_in_text(text).findings if one.rule == RULE]


def test_a_swap_that_finds_what_was_put_there_is_one() -> None:
    assert found("while (!done) { if (atomicCAS(p, 0, 1) == 0) { s[0] += 1; atomicCAS(p, 1, 0); done = true; } }") == (
        1,
        1,
    )


@pytest.mark.parametrize(
    ("loop", "hangs"),
    [
        (f"while (held < 9) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} return; }} held++; }}", False),
        (f"for (int i = 0; i < 9; i++) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} break; }} }}", False),
        (f"while (!done && held-- > 0) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }} }}", False),
        (f"while (held < 9) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} held = held + 1; }} }}", True),
        (f"while (held < 9 || !done) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} done = true; }} held++; }}", True),
        (f"while (true) {{ if (atomicCAS(p, 0, 1) == 0) {{ {WORK} break; }} held++; }}", True),
    ],
)
def test_a_loop_that_counts_its_turns_does_not_hang(loop: str, hangs: bool) -> None:
    said = [one.message for one in find_in_text(KERNEL.format(loop)).findings if one.rule == RULE]
    assert ["it hangs" in one for one in said] == [hangs]
