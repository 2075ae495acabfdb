"""What each answer to a condition runs alone, and where all threads are together again."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.model.warp_graph import Condition
from cudamigrate.warp import graph

HEAD = "__global__ void k(int *a, int n) {\n"


def conditions(body: str) -> tuple[str, dict[str, Condition]]:
    text = f"{HEAD}{body}\n}}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return text, {one.text: one for routine in graph.of(parsed).routines for one in routine.conditions}


def behind(body: str, condition: str) -> str:
    """The text behind a condition, up to where its threads part for another reason."""
    text, found = conditions(body)
    start, end = found[condition].behind
    return " ".join(text[start:end].split())


@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("if (n > 1) a[0] = 1; a[1] = 2;", "a[1] = 2; }"),
        ("for (int i = 0; i < 4; i++) { if (n > 1) a[0] = 1; a[1] = 2; } a[2] = 3;", "a[1] = 2; }"),
        ("for (int i = 0; i < 4; i++) { a[1] = 2; } if (n > 1) a[0] = 1; a[2] = 3;", "a[2] = 3; }"),
        ("for (int i = 0; i < 4; i++) { switch (i) { case 1: if (n > 1) a[0] = 1; a[1] = 2; } }", "a[1] = 2; } }"),
        ("auto f = [&] { if (n > 1) a[0] = 1; a[1] = 2; }; f(); a[2] = 3;", "a[1] = 2; }"),
        ("while (n) { auto f = [&] { if (n > 1) a[0] = 1; a[1] = 2; }; f(); } a[2] = 3;", "a[1] = 2; }"),
    ],
)  # fmt: skip
def test_threads_are_together_to_the_end_of_the_loop_or_the_routine(body: str, rest: str) -> None:
    assert behind(body, "n > 1") == rest


def passed_by(body: str) -> str:
    """What the second answer to the condition runs behind the statement, as the first one leaves."""
    text, found = conditions(body)
    spans = [span for region in found["n > 1"].regions for span in region[1:]]
    spans += [region[0] for region in found["n > 1"].regions if region[0][0] >= text.index("a[1]") - 1]
    return " ".join(" ".join(text[start:end].split()) for start, end in spans)


@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("if (n > 1) { a[0] = 1; return; } a[1] = 2;", "a[1] = 2; }"),
        ("for (;;) { if (n > 1) { if (n > 2) break; else continue; } a[1] = 2; } a[2] = 3;", "a[1] = 2; }"),
        ("for (;;) { if (n > 1) { if (n > 2) break; } a[1] = 2; } a[2] = 3;", ""),
        ("do { if (n > 1) { n--; continue; } a[1] = 2; } while (vote(n));", "a[1] = 2; } while"),
        ("for (;;) { switch (n) { case 1: if (n > 1) break; a[1] = 2; } a[2] = 3; }", "a[1] = 2; }"),
        ("for (;;) { switch (n) { case 1: if (n > 1) continue; a[1] = 2; } a[2] = 3; }", "a[1] = 2; } a[2] = 3; }"),
        ("for (;;) { auto f = [&] { if (n > 1) return; a[1] = 2; }; f(); a[2] = 3; }", "a[1] = 2; }"),
        ("if (n > 1) { a[0] = 1; } a[1] = 2;", ""),
    ],
)
def test_a_branch_that_leaves_passes_by_what_follows(body: str, rest: str) -> None:
    assert passed_by(body) == rest


WAYS = "if (n > 1) goto other; a[0] = 1; goto done; other: a[1] = 2; done: a[2] = 3;"


@pytest.mark.parametrize(
    ("body", "ways"),
    [
        (WAYS, [["goto other;", "other: a[1] = 2;"], ["a[0] = 1; goto done;"]]),
        (WAYS.replace("goto done", "return"),
         [["goto other;", "other: a[1] = 2; done: a[2] = 3; }"], ["a[0] = 1; return;"]]),
        (WAYS.replace("goto done;", "{ return; } // no way on\n"),
         [["goto other;", "other: a[1] = 2; done: a[2] = 3; }"], ["a[0] = 1; { return; } // no way on"]]),
        (WAYS.replace("goto done;", ""), [["goto other;"], ["a[0] = 1;"]]),
        ("again: a[1] = 2; if (n > 1) goto again; a[0] = 1;", [["goto again;"]]),
        ("if (n > 1) goto nowhere; a[0] = 1;", [["goto nowhere;"]]),
    ],
)  # fmt: skip
def test_a_jump_parts_two_ways_up_to_where_they_meet(body: str, ways: list[list[str]]) -> None:
    text, found = conditions(body)
    regions = found["n > 1"].regions
    assert [[" ".join(text[start:end].split()) for start, end in region] for region in regions] == ways
