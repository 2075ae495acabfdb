"""Old suffix rules, and the suffixes that a Makefile declares for them."""

from __future__ import annotations

import pytest
from work import STEPS, calls

from cudamigrate.analysis import makefile_suffixes, makefile_variables


def made(text: str) -> list[tuple[str, str] | None]:
    variables = makefile_variables.read("Makefile", {"Makefile": text.encode()})
    file = variables.files[0]
    return [makefile_suffixes.made(variables, file, line) for line in file.lines if line.kind == "rule"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".SUFFIXES: .cu .o\n.cu.o:\n\tnvcc -c $<\n", [None, ("*.o", "*.cu")]),
        ("S = .cu\n.SUFFIXES: $(S)\n.cu:\n\tnvcc $<\n", [None, ("*", "*.cu")]),
        (".cu.o:\n\tnvcc -c $<\n", [None]),
    ],
)
def test_a_suffix_has_to_be_declared(text: str, expected: list[tuple[str, str] | None]) -> None:
    assert made(text) == expected


def test_what_is_declared_is_worked_out_once() -> None:
    texts = [".SUFFIXES: .cu .o\n" + ".PHONY: all\n.cu.o:\n\tnvcc -c $<\n" * many for many in (50, 200)]
    few, many = (calls(lambda text=text: made(text)) for text in texts)  # type: ignore[misc]
    assert many < few * STEPS
