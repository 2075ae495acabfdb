"""Conditional branches: which of them HIP compiles, and what is only an include guard."""

import pytest

from migrate.conditionals import branches, include_guard
from migrate.tokens import lex


def hip(data: bytes) -> list[bool | None]:
    return [branch.hip for branch in branches(lex(data), [b"USE_ROCM", b"__HIPCC__"])]


@pytest.mark.parametrize(
    ("condition", "kinds"),
    [
        (b"#ifdef USE_ROCM", [True, False]),
        (b"#ifndef USE_ROCM", [False, True]),
        (b"#if defined(USE_ROCM) && X", [True, None]),
        (b"#if !defined(USE_ROCM) && X", [False, None]),
        (b"#if defined USE_ROCM || defined(__HIPCC__)", [True, False]),
        (b"#if USE_ROCM", [True, False]),
        (b"#if USE_ROCM >= 2", [True, None]),
        (b"#if defined(__CUDACC__) || defined(__HIPCC__)", [None, False]),
        (b"#ifdef OTHER", [None, None]),
        (b"#if !(defined(USE_ROCM))", [False, True]),
        (b"#if ((", [None, None]),
    ],
)
def test_branch_knows_whether_hip_compiles_it(condition: bytes, kinds: list[bool | None]) -> None:
    assert hip(condition + b"\na\n#else\nb\n#endif\n") == kinds


def test_elif_after_a_hip_branch_is_not_for_hip() -> None:
    assert hip(b"#ifdef USE_ROCM\n#elif X\n#else\n#endif\n") == [True, False, False]


def test_include_guard_is_no_condition() -> None:
    data = b"// c\n#ifndef A_H\n#define A_H\nint a;\n#ifdef X\nint b;\n#endif\n#endif\n"
    lexed = lex(data)
    assert include_guard(lexed) is not None
    assert [branch.depth for branch in branches(lexed, [])] == [1]


@pytest.mark.parametrize(
    "data",
    [
        b"#ifndef A\n#define A\n#endif\nint x;\n",
        b"int x;\n#ifndef A\n#define A\n#endif\n",
        b"#ifndef A\n#define B\n#endif\n",
        b"#ifndef A\n#define A\n#else\n#endif\n",
    ],
)
def test_condition_that_does_not_guard_the_file(data: bytes) -> None:
    assert include_guard(lex(data)) is None


def test_unclosed_conditional_reaches_to_the_end() -> None:
    found = branches(lex(b"#ifdef USE_ROCM\na\n"), [b"USE_ROCM"])
    assert [(b.start, b.end, b.hip) for b in found] == [(15, 18, True)]
