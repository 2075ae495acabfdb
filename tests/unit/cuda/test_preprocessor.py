"""Conditional branches: which of them HIP compiles, and what is only an include guard."""

import pytest

from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.preprocessor import branches, include_guard


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
        (b"#if defined(__CUDACC__) || defined(__HIPCC__)", [None, None]),
        (b"#if !defined(__CUDACC__) && !defined(__HIPCC__)", [None, None]),
        (b"#ifndef __HIPCC__", [False, True]),
        (b"#if !defined(__CUDACC__) && !defined(USE_ROCM)", [False, None]),
        (b"#ifdef OTHER", [None, None]),
        (b"#if !(defined(USE_ROCM))", [False, True]),
        (b"#if ((", [None, None]),
    ],
)
def test_branch_knows_whether_hip_compiles_it(condition: bytes, kinds: list[bool | None]) -> None:
    assert hip(condition + b"\na\n#else\nb\n#endif\n") == kinds


@pytest.mark.parametrize(
    ("condition", "kinds"),
    [
        (b"#if CUDA_VERSION >= 9000", [False, None]),
        (b"#if CUDA_VERSION < 9000", [None, False]),
        (b"#if CUDA_VERSION >= 9000 && X", [False, None]),
        (b"#if CUDA_VERSION < 9000 || defined(USE_ROCM)", [None, False]),
        (b"#if CUDA_VERSION >= MINIMUM", [None, None]),
    ],
)
def test_a_macro_of_cuda_that_hip_does_not_define_counts_as_0(condition: bytes, kinds: list[bool | None]) -> None:
    found = branches(lex(condition + b"\n#else\n#endif\n"), [b"-CUDA_VERSION", b"USE_ROCM"])
    assert [one.hip for one in found] == kinds


def test_a_branch_behind_one_for_hip_is_not_for_hip_whatever_its_own_macro_says() -> None:
    found = branches(
        lex(b"#ifdef USE_ROCM\n#elif LIB_GPU\n#endif\n#ifdef LIB_GPU\n#endif\n#if 0\n#endif\n"),
        [b"USE_ROCM", b"?LIB_GPU"],
    )
    assert [one.hip for one in found] == [True, False, True, None]


def test_elif_after_a_hip_branch_is_not_for_hip() -> None:
    assert hip(b"#ifdef USE_ROCM\n#elif X\n#else\n#endif\n") == [True, False, False]


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (b"#if LIB_CUDA", False),
        (b"#ifdef USE_CUDA", False),
        (b"#if defined(USE_CUDA)", False),
        (b"#if defined(__CUDACC__) && X", False),
        (b"#if (CUDA_VERSION >= 11000)", False),
        (b"#if CUDA_VERSION < 11000", None),
        (b"#if !defined(USE_CUDA)", None),
        (b"#ifdef NO_CUDA", None),
        (b"#if LIB_CUDA || X", None),
        (b"#if LIB_CUDA || USE_ROCM", None),
        (b"#ifdef OTHER", None),
    ],
)
def test_condition_for_cuda_before_a_branch_for_hip_is_not_for_hip(first: bytes, kind: bool | None) -> None:
    found = hip(first + b"\n#elif defined(USE_ROCM)\n#else\n#endif\n")
    assert found[0] is kind and found[2] is False


def test_condition_for_cuda_without_a_branch_for_hip_may_be_either() -> None:
    assert hip(b"#if LIB_CUDA\n#elif X\n#else\n#endif\n") == [None, None, None]
    assert hip(b"#if LIB_CUDA\n#ifdef USE_ROCM\n#endif\n#endif\n") == [None, True]
    assert hip(b"#if LIB_CUDA\n#endif\n#if X\n#elif USE_ROCM\n#endif\n") == [None, None, True]


def test_a_chain_inside_a_branch_is_settled_by_itself() -> None:
    inner = b"#if USE_CUDA\n#elif USE_ROCM\n#endif\n"
    assert hip(b"#if LIB_CUDA\n" + inner + b"#elif X\n" + inner + b"#endif\n") == [None, False, True, None, False, True]


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


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("#if LIB_CUDA || (S && ON_CUDA)\n#elif LIB_HIP || (S && ON_HIP)\n#else\n#endif\n", [False, None, False]),
        ("#if LIB_CUDA || (S && ON_CUDA)\n#elif LIB_HIP || S\n#endif\n", [None, None]),
        ("#if LIB_CUDA || S\n#elif LIB_HIP || S\n#endif\n", [None, None]),  # S may be set for HIP
        ("#if MY_CUDA || (S && ON_CUDA)\n#elif MY_HIP || (S && ON_HIP)\n#endif\n", [None, None]),  # nothing is known
    ],
)
def test_a_branch_whose_mirror_is_behind_it_is_cudas(text: str, kinds: list[bool | None]) -> None:
    assert [one.hip for one in branches(lex(text.encode()), [b"LIB_HIP"])] == kinds


@pytest.mark.parametrize(
    ("condition", "for_hip", "for_cuda"),
    [
        (b"HIP_VERSION >= 502", True, False),
        (b"HIP_VERSION < 502", False, True),
        (b"__CUDA_ARCH__ >= 300 || (defined(__HIP_PLATFORM_AMD__) && HIP_VERSION >= 502)", True, None),
        (b"HIP_VERSION >= 60200000", None, None),  # which release is built with, the build says
        (b"MY_VERSION >= 502", None, None),
    ],
)
def test_every_release_of_hip_has_a_greater_number_than_those_that_code_asks_for_by_mistake(
    condition: bytes, for_hip: bool | None, for_cuda: bool | None
) -> None:
    guards = frozenset((b"__HIP_PLATFORM_AMD__", b"-__CUDA_ARCH__"))
    assert (value_with(condition, guards, True), value_with(condition, guards, False)) == (for_hip, for_cuda)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (b"#ifdef __NVCC__\na\n#endif\n\n#ifdef __HIPCC__\nb\n#endif\n", [False, True]),
        (b"#ifdef __HIPCC__\nb\n#endif // HIP\n/* and */\n#if defined(__CUDACC__)\na\n#endif\n", [True, False]),
        (b"#ifdef __NVCC__\na\n#endif\nint x;\n#ifdef __HIPCC__\nb\n#endif\n", [None, True]),
        (b"#ifdef OTHER\na\n#endif\n#ifdef __HIPCC__\nb\n#endif\n", [None, True]),
    ],
)
def test_a_conditional_for_cuda_right_beside_one_for_hip_is_cudas(text: bytes, kinds: list[bool | None]) -> None:
    assert hip(text) == kinds
