"""What the variables of a CMake file hold, as far as the file says it."""

from __future__ import annotations

import pytest

from cudamigrate.analysis.cmake_lists import Lists
from cudamigrate.syntax import cmake


def held(text: str, word: str) -> tuple[str, ...] | None:
    values = Lists()
    for command in cmake.read(text.encode()):
        values.follow(command)
    return values.of(word)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("set(S a.cu b.cu)", "${S}", ("a.cu", "b.cu")),
        ("set(S a.cu)\nlist(APPEND S b.cu)", "x/${S}", ("x/a.cu", "x/b.cu")),
        ("set(S a.cu)\nlist(APPEND S ${T})", "${S}", None),
        ("set(S a.cu CACHE STRING x)", "${S}", None),  # whoever builds may set it
        ("foreach(f a b)\nset(g ${f}.cu)\nendforeach()", "${g}", ("a.cu", "b.cu")),
        ("set(L a.cu)\nforeach(f IN LISTS L)\nendforeach()", "${f}", ("a.cu",)),
        ("file(GLOB S ${DIR}/cuda/*.cu)", "${S}", ("${DIR}/cuda/*.cu",)),
        ("file(GLOB_RECURSE S CONFIGURE_DEPENDS src/*.cu)", "${S}", ("src/**/*.cu",)),
        ("set(f a.cu)\nstring(REPLACE cu hip ${k}_f ${f})", "${${k}_f}", ("a.cu",)),
        ("set(f a.cu)\nstring(REGEX REPLACE x y g ${f})", "${g}", ("a.cu",)),
        ("set(f d/a.cu)\nget_filename_component(n ${f} NAME)", "${n}", ("d/a.cu",)),
        ("", "${DIR}/a.cu", ("${DIR}/a.cu",)),
        ("", "a_${kind}.cu", None),
    ],
)
def test_what_a_word_stands_for(text: str, word: str, expected: tuple[str, ...] | None) -> None:
    assert held(text, word) == expected


@pytest.mark.parametrize("line", ["list(APPEND A ${A})\n", 'set(A "${A}${A}")\n', "set(A ${A} ${A})\n"])
def test_what_doubles_in_each_line_is_not_followed_for_ever(line: str) -> None:
    assert held("set(A aaaa)\n" + 60 * line, "${A}") is None
