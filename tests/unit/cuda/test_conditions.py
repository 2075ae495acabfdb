"""Which parts of a condition ask for the device pass, in whatever form."""

import pytest

from cudamigrate.cuda.conditions import (
    at_version,
    number_with,
    operands,
    pass_tests,
    question,
    value_with,
    without_pass_tests,
)


@pytest.mark.parametrize(
    ("condition", "asks"),
    [
        ("__CUDA_ARCH__", ["__CUDA_ARCH__"]),
        ("(__CUDA_ARCH__)", ["(__CUDA_ARCH__)"]),
        ("!__CUDA_ARCH__", ["__CUDA_ARCH__"]),
        ("A && __CUDA_ARCH__ || B", ["__CUDA_ARCH__"]),
        ("(__CUDA_ARCH__ && A)", ["__CUDA_ARCH__"]),
        ("__CUDA_ARCH__ > 0", ["__CUDA_ARCH__ > 0"]),
        ("((__CUDA_ARCH__) >= 1)", ["((__CUDA_ARCH__) >= 1)"]),
        ("__CUDA_ARCH__ != 0", ["__CUDA_ARCH__ != 0"]),
        ("0 < __CUDA_ARCH__", ["0 < __CUDA_ARCH__"]),
        ("0 == __CUDA_ARCH__", ["0 == __CUDA_ARCH__"]),
        ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 0", ["defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 0"]),
        ("A \\\n && /* B */ __CUDA_ARCH__", ["__CUDA_ARCH__"]),
        ("__has_include(<a.h>) && __CUDA_ARCH__", ["__CUDA_ARCH__"]),
        ("__CUDA_ARCH__ + 0", ["__CUDA_ARCH__ + 0"]),
        ("(__CUDA_ARCH__ * 1 + 0) && A", ["(__CUDA_ARCH__ * 1 + 0)"]),
        ("__CUDA_ARCH__ / 100", []),
        ("__CUDA_ARCH__ + A", []),
        ("A // __CUDA_ARCH__", []),
        ("defined(__CUDA_ARCH__)", []),
        ("defined __CUDA_ARCH__ || A", []),
        ("__CUDA_ARCH__ > 100", []),
        ("__CUDA_ARCH__ <= 0 + A", []),
        ("700 > __CUDA_ARCH__", []),
        ("~__CUDA_ARCH__", []),
        ("AT_LEAST(__CUDA_ARCH__)", []),
        ("MY__CUDA_ARCH__ || __CUDA_ARCH__X", []),
    ],
)
def test_tests_for_the_pass(condition: str, asks: list[str]) -> None:
    found = [one for one in pass_tests(condition.encode()) if one.bare]
    assert [condition[one.start : one.end] for one in found] == asks


def test_a_test_for_the_host_says_so() -> None:
    assert [one.device for one in pass_tests(b"__CUDA_ARCH__ < 1 || __CUDA_ARCH__ >= 1")] == [False, True]
    assert without_pass_tests(b"X && __CUDA_ARCH__ == 0", b"defined(__CUDA_ARCH__)") == b"X && !defined(__CUDA_ARCH__)"
    assert without_pass_tests(b"X && (__CUDA_ARCH__)") == b"X &&                "


def test_a_macro_with_arguments_is_one_part() -> None:
    guards = frozenset((b"USE_ROCM",))
    assert value_with(b"__has_include(<a.h>) && defined(USE_ROCM)", guards, hip=False) is False
    assert value_with(b"AT(1 && 0, 2) || defined(USE_ROCM)", guards, hip=True) is True


@pytest.mark.parametrize(
    ("condition", "undefined", "newest"),
    [
        ("__CUDA_ARCH__ / 100 >= 7", False, True),
        ("(__CUDA_ARCH__ * 10) > 7000", False, True),
        ("9 > __CUDACC_VER_MAJOR__", True, False),
        ("CUDA_VERSION == 9000", False, False),
        ("__CUDA_ARCH__ < 600 and defined(__CUDA_ARCH__)", False, False),
        ("not defined(__CUDA_ARCH__) or __CUDA_ARCH__ >= 600", True, True),
        ("__CUDA_ARCH__ not_eq 0 xor 1", True, False),
        ("band and __CUDA_ARCH__ >= 600", False, None),
        ("CUDART_VERSION >= 0", True, True),
        ("CUDART_VERSION >= 0x2BCL", False, True),
        ("CUDART_VERSION >= 010 && CUDART_VERSION < 9", False, False),
        ("1 + 2 * 3 == 7 && -7 / 2 == -3 && -7 % 2 == -1", True, True),
        ("(1 << 2 | 1) == 5 && (6 & 3 ^ 1) == 3 && ~0 == -1", True, True),
        ("CUDA_VERSION ? CUDA_VERSION < 9000 : 1", True, False),
        ("CUDA_VERSION < A", None, None),
        ("CUDA_VERSION / 0", None, None),
        ("CUDA_VERSION < 9000 && A", None, False),
        ("CUDA_VERSION < 9000 A", None, None),
        ("AT(CUDA_VERSION)", None, None),
    ],
)
def test_a_condition_is_calculated_as_the_preprocessor_does(
    condition: str, undefined: bool | None, newest: bool | None
) -> None:
    asked = question(condition.encode())
    assert (asked.undefined, asked.newest) == (undefined, newest)


def test_which_versions_a_condition_reads() -> None:
    assert question(b"defined(CUDA_VERSION) && __CUDA_ARCH__ > 1 || AT(CUDART_VERSION)").macros == (
        b"__CUDA_ARCH__",
        b"CUDART_VERSION",
    )
    assert at_version(b"CUDA_VERSION / 1000 >= 8", 8000) is True
    assert at_version(b"CUDA_VERSION / 1000 >= 9", 8000) is False


def test_the_parts_of_a_condition() -> None:
    text = b"AT(X) && (!defined(Y) || A / 10 >= 7) && -B"
    assert [text[start:end] for start, end in operands(text)] == [b"AT(X)", b"defined(Y)", b"A / 10 >= 7", b"-B"]


@pytest.mark.parametrize("part", ["(", "!", "A ? ", "-", "1 || (", "A &&"])
def test_a_condition_of_any_depth_is_read(part: str) -> None:
    assert value_with(part.encode() * 5000 + b"1", frozenset(), hip=True) is None


def test_a_guard_that_is_set_keeps_its_truth_when_nothing_is_added() -> None:
    guards = frozenset((b"USE_ROCM",))
    assert value_with(b"USE_ROCM + 0", guards, hip=True) is True
    assert value_with(b"USE_ROCM + 0", guards, hip=False) is False
    assert value_with(b"USE_ROCM + A", guards, hip=True) is None


def test_the_number_of_an_expression() -> None:
    assert number_with(b"(LANES << 1) - 1u", {b"LANES": 32}) == 63
    assert number_with(b"LANES - OTHER", {b"LANES": 32}) is None
    assert number_with(b"32)", {}) is None


@pytest.mark.parametrize(
    "text", [b"A < (B", b"A <", b"(A == (", b"A ? B <", b"defined(", b"A == !", b"-", b"A >= " + b"(" * 200]
)
def test_a_condition_that_ends_too_soon_has_no_value(text: bytes) -> None:
    assert value_with(text, frozenset((b"A=1",)), hip=True) is None
    assert number_with(text, {b"A": 1}) is None
    assert all(0 <= start < end <= len(text) for start, end in operands(text))
