"""Logical lines, expansions and words of Makefiles."""

from __future__ import annotations

import pytest

from cudamigrate.syntax import makefile


def kinds(text: str) -> list[tuple[str, str]]:
    return [(line.kind, line.name) for line in makefile.read(text.encode())]


def words(text: str) -> list[list[str]]:
    data = text.encode()
    return [[word.text for word in segment.words] for segment in makefile.segments(data, 0, len(data))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A = 1\n# A = 2\n", [("assignment", "A")]),
        ("export A ?= 1\n", [("assignment", "A")]),
        ("a: b\n\t$(CC) -c $<\n", [("rule", ""), ("recipe", "")]),
        ("\tA = 1\n", [("assignment", "A")]),
        ("a: b\n\tA=1 run\n", [("rule", ""), ("recipe", "")]),
        ("a: b\nX = 1\n\tY = 2\n", [("rule", ""), ("assignment", "X"), ("assignment", "Y")]),
        ("debug: FLAGS += -G\n", [("assignment", "FLAGS")]),
        ("ifeq ($(A),1)\nelse\nendif\n", [("conditional", "ifeq"), ("conditional", "else"), ("conditional", "endif")]),
        ("-include a.mk\n", [("include", "")]),
        ("define run\n$(CC) a.c\nendef\n", [("other", ""), ("recipe", "run"), ("other", "")]),
        ("A = 1 \\\n  2\n", [("assignment", "A")]),
    ],
)
def test_lines_are_those_of_make(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("$(A)", "A", 0),
        ("${A:%.c=%.o}", "A", 0),
        ("$(foreach a,$(B),x,y)", "foreach", 3),
        ("$(eval A += -gencode arch=a,code=b)", "eval", 1),
        ("$(call f,a,$(g b,c),d)", "call", 4),
        ("$(MY-VAR x)", "MY-VAR x", 0),
    ],
)
def test_calls_keep_the_commas_of_their_last_argument(text: str, name: str, arguments: int) -> None:
    (found,) = makefile.expansions(text.encode(), 0, len(text))
    assert (found.name, len(found.args)) == (name, arguments)


def test_words_of_each_argument_stand_alone() -> None:
    assert words("-O3 $(if $(dbg),-G -g,-O2) -lm") == [
        ["-O3", "$(if $(dbg),-G -g,-O2)", "-lm"],
        ["$(dbg)"],
        ["-G", "-g"],
        ["-O2"],
    ]


def test_what_a_shell_is_asked_is_no_option() -> None:
    assert words("$(shell nvcc -arch=sm_70)") == [["$(shell nvcc -arch=sm_70)"]]


def test_text_that_is_not_closed_ends_with_the_file() -> None:
    assert words("$(A -x") == [["$(A -x"]] or words("$(A -x")
    assert kinds("A = $(B\n") == [("assignment", "A")]
