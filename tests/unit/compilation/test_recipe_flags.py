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
