"""Names that an original lacks, and whether any file of the tree may declare them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudamigrate.model.verification import Diagnostic, Place, Verdict
from cudamigrate.verification import absent_names

SAID = Diagnostic("error", Place("a.cu", 9, 3), "unknown type name 'Packer'", "device", before=True)


def advice(text: str, language: str = "cuda", entry: Diagnostic = SAID, included: tuple[str, ...] = ("b.cuh",)) -> str:
    """What is said of the name where one file of the tree has such a text."""
    verdict = Verdict("a.cu", "failed", (entry,), original="failed")
    texts = [("b.cuh", language, text.encode()), ("a.cu", "cuda", b"int other;")]
    (done,) = absent_names.advised([verdict], texts, ["cuda", "cxx"], lambda path: {path, *included})
    return done.diagnostics[0].advice


@pytest.mark.parametrize(
    "text",
    [
        "Packer p(3);",
        "return Packer;",
        "f(Packer, Packer(3)); // Packer",
        "int n = Packer;",
        "MyPacker x; class Packers {};",
    ],
)
def test_what_is_only_used_is_declared_nowhere(text: str) -> None:
    assert advice(text) == absent_names.ADVICE


@pytest.mark.parametrize(
    "text",
    [
        "class Packer {};",
        "struct Packer;",
        "#define Packer other",
        "#if defined(A) || defined(Packer)",
        "using Packer = int;",
        "typedef int Packer;",
        "enum class Packer { A };",
        "int *Packer[4];",
    ],
)
def test_what_a_file_may_declare_is_asked_of_the_build(text: str) -> None:
    assert advice(text) == ""


def test_a_build_file_may_give_a_name_and_other_errors_are_left() -> None:
    assert advice("add_definitions(-DPacker=int)", "cmake") == ""
    assert advice("", entry=replace(SAID, before=False)) == ""
    assert advice("", entry=replace(SAID, advice="known")) == "known"
    assert advice("", entry=replace(SAID, message="no member named 'Packer' in 'A'")) == ""


def test_what_only_files_declare_that_are_not_included_is_no_matter_of_the_build() -> None:
    assert advice("typedef int Packer;", included=()) == absent_names.APART.format("`b.cuh`")
    assert advice("Packer p(3);", included=()) == absent_names.ADVICE
    assert advice("add_definitions(-DPacker=int)", "cmake", included=()) == ""
    assert advice("typedef int Packer;", included=("c.h",), entry=replace(SAID, advice="known")) == "known"
