"""Which parts of a condition ask for the device pass, in whatever form."""

import pytest

from cudamigrate.cuda.conditions import pass_tests, value_with, without_pass_tests


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
