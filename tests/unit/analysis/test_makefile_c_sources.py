"""C++ standards that commands for nvcc give to sources in C."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import makefile_c_sources, makefile_variables


def standards(text: str, **others: str) -> list[tuple[str, bool]]:
    family = {"Makefile": text.encode(), **{name: body.encode() for name, body in others.items()}}
    found = makefile_c_sources.of(makefile_variables.read("Makefile", family))
    return [(one.file.text(one.at).decode(), one.gone) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: a.cu\n\tnvcc -std=c++14 a.cu lib/b.c -o a\n", [("-std=c++14", True)]),
        ("N = nvcc --std=gnu++11\nS = a.cu b.c\na: $(S)\n\t$(N) $^ -o a\n", [("--std=gnu++11", True)]),
        ("F = -std=c++17\nb.o: b.c b.h\n\tnvcc $(F) -c $< -o $@\n", [("-std=c++17", True)]),
        ("F = -std=c++17\n%.o: %.c\n\tnvcc $(F) -c $< -o $@\n", [("-std=c++17", True)]),
        ("N = nvcc -std=c++11\na:\n\t$(N) a.cu b.c\nc:\n\t$(N) c.cu b.c\n", [("-std=c++11", True)]),
        ("a:\n\tnvcc -std=c++20 a.cu b.c\n", [("nvcc", False)]),
        ("a:\n\tnvcc -Xcompiler -std=c++11 a.cu b.c\n", [("nvcc", False)]),
        ("F = -std=c++11\na:\n\tnvcc $(F) a.cu b.c\nd:\n\tg++ $(F) d.cpp\n", [("nvcc", False)]),
    ],
)
def test_clang_refuses_a_cpp_standard_for_a_source_in_c(text: str, expected: list[tuple[str, bool]]) -> None:
    assert standards(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "S = a.cu b.c\na: a.cu\n\tnvcc -std=c++14 $(S:.c=.o)\n",
        "S = b.c\na: a.cu\n\tnvcc -std=c++14 a.cu $(patsubst %.c,%.o,$(S))\n",
        "a: a.cu\n\tnvcc -std=c++14 -x cu a.cu b.c\n",
        "a: a.cu\n\tnvcc -std=c11 a.cu b.c\n",
        "a: a.cu b.c\n\tnvcc -std=c++14 -c $< -o a\n",  # the first prerequisite alone
        "a: a.cu b.c\n\tnvcc -std=c++14 a.cu -o a\n",  # b.c is included
        "b: b.c\n\tgcc -std=c++14 b.c\na: a.cu\n\tnvcc -std=c++14 a.cu\n",
    ],
)
def test_a_command_without_sources_in_c_keeps_its_standard(text: str) -> None:
    assert standards(text) == []


def test_the_standard_may_be_in_a_makefile_that_is_included() -> None:
    found = standards("include c.mk\na:\n\t$(N) a.cu b.c\n", **{"c.mk": "N = nvcc -std=c++11\n"})
    assert found == [("-std=c++11", True)]
