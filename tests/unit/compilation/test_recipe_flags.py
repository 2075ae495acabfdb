"""The macros of recipes that name their sources: those of one program are not another's."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation.build_flags import read

HOST = "cpu: lean.cpp\n\tg++ -o $@ -DATOMIC -DBITS=19 lean.cpp\n"
DEVICE = "gpu29: lean.cu\n\t@nvcc -o $@ -DBITS=29 $(COMMON) lean.cu\ngpu31: lean.cu\n\tnvcc -o $@ -DBITS=31 lean.cu\n"
COMMON = "COMMON = -DFAST\n"


def defines(root: Path, text: str, source: str) -> list[str]:
    for name in ("lean.cu", "lean.cpp", "other.cu"):
        (root / name).write_text("")
    (root / "Makefile").write_text(text)
    return list(read(root).settings(str(root / source)).defines)


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ("lean.cu", ["BITS=29", "FAST"]),
        ("lean.cpp", ["ATOMIC", "BITS=19"]),
        ("other.cu", ["ATOMIC", "BITS=19", "BITS=29", "FAST", "BITS=31"]),
    ],
)
def test_a_source_gets_the_macros_of_the_first_recipe_that_names_it(
    tmp_path: Path, source: str, given: list[str]
) -> None:
    assert defines(tmp_path, COMMON + HOST + DEVICE, source) == given


def test_what_recipes_without_sources_give_holds_for_all(tmp_path: Path) -> None:
    text = "%.o: %.cu\n\tnvcc -DALL -c $< -o $@\n" + HOST + DEVICE.replace("$(COMMON) ", "")
    assert defines(tmp_path, text, "lean.cu") == ["ALL", "BITS=29"]


def test_recipes_that_give_the_same_are_read_together(tmp_path: Path) -> None:
    text = "a: lean.cu\n\tnvcc -DONE lean.cu\nb: other.cu\n\tnvcc -DONE other.cu\n"
    assert defines(tmp_path, text, "lean.cu") == ["ONE"]


def test_what_make_sets_for_each_target_is_no_value_of_a_sources_macro(tmp_path: Path) -> None:
    text = "a1 a2: lean.cu\n\tnvcc -DNAME=$@ -DONE lean.cu\nb: other.cu\n\tnvcc -DNAME=b other.cu\n"
    assert defines(tmp_path, text, "lean.cu") == ["ONE"]


TWO = "NVCC = nvcc\nprog: lean.cu lean.cpp\n\t$(NVCC) -c $^\ndouble.so: lean.cu\n\t$(NVCC) -DDOUBLE -c $^\n"


@pytest.mark.parametrize(("source", "given"), [("lean.cu", []), ("lean.cpp", []), ("other.cu", ["DOUBLE"])])
def test_a_recipe_compiles_the_prerequisites_of_its_rule(tmp_path: Path, source: str, given: list[str]) -> None:
    assert defines(tmp_path, TWO, source) == given


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("double: lean.cu\n\tnvcc -DDOUBLE -c $<\nprog: lean.cu\n\tnvcc -c lean.cu\n", ["DOUBLE"]),
        ("all: prog\ndouble: lean.cu\n\tnvcc -DDOUBLE -c $<\nprog: lean.cu\n\tnvcc -c lean.cu\n", []),
    ],
)
def test_what_a_plain_make_makes_is_before_what_it_does_not(tmp_path: Path, text: str, given: list[str]) -> None:
    assert defines(tmp_path, text, "lean.cu") == given


PATTERNS = "all: lean.o\ndebug: lean_d.o\n%_d.o: %.cu\n\tnvcc -DDEBUG -c $< -o $@\n%.o: %.cu\n\tnvcc -DPLAIN -c $<\n"


@pytest.mark.parametrize(
    ("text", "source", "given"),
    [
        (PATTERNS, "lean.cu", ["PLAIN"]),
        (PATTERNS, "other.cu", ["DEBUG", "PLAIN"]),
        ("all: lean.o b\n.cu.o:\n\tnvcc -DONE -c $<\nb: lean.cpp\n\t$(CXX) -DTWO $^\n", "lean.cu", ["ONE"]),
        ("all: lean.o b\n.cu.o:\n\tnvcc -DONE -c $<\nb: lean.cpp\n\t$(CXX) -DTWO $^\n", "lean.cpp", ["TWO"]),
        ("OBJ = lean.o\n$(OBJ): %.o: %.cu\n\tnvcc -DONE -c $<\nb: lean.cpp\n\tg++ -DTWO $^\n", "lean.cu", ["ONE"]),
    ],
)
def test_a_pattern_rule_compiles_what_its_objects_are_made_of(
    tmp_path: Path, text: str, source: str, given: list[str]
) -> None:
    assert defines(tmp_path, text, source) == given


FOUND = (
    "SRC = $(wildcard *.cu)\nprog: $(SRC)\n\tnvcc -c $^\ndouble.so: $(filter-out other.cu,$(SRC))\n\tnvcc -DTWO -c $^\n"
)
OBJECTS = "OBJ = $(addprefix o/,$(notdir $(SRC:.cu=.o)))\n"


@pytest.mark.parametrize(
    ("text", "source", "given"),
    [
        (FOUND, "lean.cu", []),
        (FOUND, "other.cu", []),
        ("SRC = $(sort $(wildcard ./*.cu))\n" + OBJECTS + "all: $(OBJ) b\n"
         "o/%.o: %.cu\n\tnvcc -DONE -c $<\nb: lean.cpp\n\tg++ -DTWO lean.cpp\n", "other.cu", ["ONE"]),
        ("SRC = $(wildcard none/*.cu)\nprog: $(SRC)\n\tnvcc -DONE -c $^\nb: lean.cpp\n\tg++ -DTWO lean.cpp\n",
         "other.cu", ["ONE", "TWO"]),
        ("SRC = $(wildcard /nowhere/*.cu)\nprog: $(SRC)\n\tnvcc -DONE $^\n", "other.cu", ["ONE"]),
    ],
)  # fmt: skip
def test_sources_that_a_search_finds_in_the_tree_are_known(
    tmp_path: Path, text: str, source: str, given: list[str]
) -> None:
    assert defines(tmp_path, text, source) == given


MODULE = "all: module prog\nmodule: lean.cu\n\tnvcc -DONE -DMODULE -shared lean.cu -o m.so\n"


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ("prog: lean.cu\n\tnvcc -DONE lean.cu -o prog\n", ["ONE"]),
        ("prog: lean.cu\n\tnvcc -DTWO lean.cu -o prog\n", ["ONE", "MODULE"]),  # neither gives less: the first counts
        ("prog: other.cu\n\tnvcc other.cu -o prog\n", ["ONE", "MODULE"]),
    ],
)
def test_what_some_recipes_of_a_source_give_more_is_for_those_alone(
    tmp_path: Path, more: str, given: list[str]
) -> None:
    assert defines(tmp_path, MODULE + more, "lean.cu") == given
