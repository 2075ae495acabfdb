"""The header that all sources begin with, precompiled: for which sources, and that objects stay the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.emulation import build, first_header, programs
from cudamigrate.emulation.first_header import FirstHeader
from cudamigrate.model.verification import Flags

CODE = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { k<<<1, 32>>>(nullptr); }\n"


def test_a_header_of_the_same_name_in_an_include_folder_keeps_the_source_apart(tmp_path: Path) -> None:
    first = FirstHeader((), "", frozenset(("vector", "bits/move.h")))
    source, folder = tmp_path / "a.cu", tmp_path / "include"
    source.write_text(CODE)
    (folder / "bits").mkdir(parents=True)
    (folder / "vector.h").write_text("")
    assert first.fits([str(folder)], source)
    (folder / "bits" / "move.h").write_text("")
    assert not first.fits([str(folder)], source)


@pytest.mark.parametrize(("name", "text"), [("a.c", CODE), ("a.cu", f"#include <omp.h>\n{CODE}")])
def test_sources_that_are_compiled_in_another_way_are_kept_apart(tmp_path: Path, name: str, text: str) -> None:
    source = tmp_path / name
    source.write_text(text)
    assert not FirstHeader((), "", frozenset()).fits([], source)
    other = tmp_path / "b.cu"
    other.write_text(CODE)
    assert FirstHeader((), "", frozenset()).fits([], other)


@pytest.fixture
def tree(tmp_path: Path) -> programs.Tree:
    chosen = build.compiler()
    if chosen is None or chosen.is_clang:
        pytest.skip("g++ alone precompiles headers here")
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(first_header.FEWEST):
        (root / f"{number}.hip").write_text(f"#include <vector>\n{CODE}")
    return programs.copied(root, tmp_path / "work" / "converted", "hip", Flags(""))


def test_few_sources_are_not_worth_it(tree: programs.Tree) -> None:
    chosen = build.compiler()
    assert chosen is not None
    programs.precompile(tree, [f"{number}.hip" for number in range(first_header.FEWEST - 1)], (64,), chosen)
    assert not tree.first


@pytest.mark.parametrize("defines", [(), ("NDEBUG",)])
def test_objects_are_the_same_with_it_and_without(
    tree: programs.Tree, tmp_path: Path, defines: tuple[str, ...]
) -> None:
    chosen, source = build.compiler(), tree.copy / "1.hip"
    assert chosen is not None
    programs.precompile(tree, [f"{number}.hip" for number in range(first_header.FEWEST)], (64,), chosen)
    (first,) = tree.first
    flags = Flags("", defines, (str(tree.copy),))
    fast = programs.options(tree, flags, 64, chosen, source)
    assert first.place in fast and first.place not in programs.options(tree, flags, 32, chosen, source)
    build.compile_unit(chosen, fast, source, tmp_path / "fast.o")
    build.compile_unit(chosen, build.options(chosen, "hip", flags, 64), source, tmp_path / "plain.o")
    assert (tmp_path / "fast.o").read_bytes() == (tmp_path / "plain.o").read_bytes()
