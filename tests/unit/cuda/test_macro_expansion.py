"""Macros of a file put in place in a condition."""

import pytest

from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.frontends.cuda import parse
from cudamigrate.model import SourceFile

CODE = b"""
#define NUMBER 700
#define AT_LEAST(a, b) ((a) >= (b))
#define NEW(a) AT_LEAST(a, NUMBER)
#define NONE() 5
#define AGAIN AGAIN
#define GROWS (GROWS)
#define MORE(...) 1
#define TWICE 1
#define TWICE 2
#ifndef DEFAULT
#define DEFAULT 3
#endif
"""


@pytest.mark.parametrize(
    ("condition", "whole"),
    [
        ("NEW(__CUDA_ARCH__) && A", "((__CUDA_ARCH__) >= (700)) && A"),
        ("NEW (X)", "((X) >= (700))"),
        ("AT_LEAST((A, B), 2)", "(((A, B)) >= (2))"),
        ("NONE() > 4", "5 > 4"),
        ("NEW && defined(NUMBER) && defined NUMBER", "NEW && defined(NUMBER) && defined NUMBER"),
        ("AT_LEAST(1) && AT_LEAST(1, 2", "AT_LEAST(1) && AT_LEAST(1, 2"),
        ("AGAIN || NUMBER", "AGAIN || 700"),
        ("GROWS || NUMBER", "GROWS || NUMBER"),
        ("MORE(1) || TWICE || DEFAULT", "MORE(1) || TWICE || DEFAULT"),
    ],
)
def test_what_a_condition_is_with_its_macros(condition: str, whole: str) -> None:
    known = macros(parse(SourceFile("a.cu", CODE, "cuda"), frozenset()))
    assert expanded(condition.encode(), known) == whole.encode()


def test_a_condition_that_grows_stays_as_it_is() -> None:
    code = b"#define A " + b"B + " * 90 + b"1\n#define B " + b"C + " * 90 + b"1\n"
    assert expanded(b"A > 1", macros(parse(SourceFile("a.cu", code, "cuda"), frozenset()))) == b"A > 1"
