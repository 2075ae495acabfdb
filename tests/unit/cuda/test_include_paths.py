"""Which file an include means, where only the paths of the files are known."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.include_paths import IncludePaths, closure, nearest, shared_folder, spelled

TREE = IncludePaths(("one/src/a.cu", "one/src/b.h", "one/inc/x/b.h", "two/inc/x/b.h", "two/inc/c.h", "d.h", "hidden.h"))


@pytest.mark.parametrize(
    ("path", "name", "found"),
    [
        ("one/src/a.cu", "b.h", ["one/src/b.h"]),
        ("one/src/a.cu", "../inc/x/b.h", ["one/inc/x/b.h"]),
        ("one/src/a.cu", "x/b.h", ["one/inc/x/b.h"]),
        ("two/src/a.cu", "x/b.h", ["two/inc/x/b.h"]),
        ("three/a.cu", "x/b.h", ["one/inc/x/b.h", "two/inc/x/b.h"]),  # as near
        ("three/a.cu", "../nowhere/../c.h", ["two/inc/c.h"]),
        ("three/src/a.cu", "./d.h", ["d.h"]),
        ("three/a.cu", "y/b.h", []),  # no path ends so
        ("three/a.cu", ".hidden.h", []),  # the dot is a part of the name
        ("three/a.cu", "h", []),  # a part of a name is none
    ],
)
def test_the_nearest_file_whose_path_ends_so_is_meant(path: str, name: str, found: list[str]) -> None:
    assert TREE.nearest(path, name) == found


def test_a_header_that_the_build_makes_is_its_template() -> None:
    tree = IncludePaths(("src/a.cu", "inc/config.h.in", "inc/d.hpp.cmake.in", "e.h", "inc/e.h.in", "fin"))
    assert tree.nearest("src/a.cu", "made/config.h") == ["inc/config.h.in"]  # the build chooses the folder
    assert tree.nearest("src/a.cu", "d.hpp") == ["inc/d.hpp.cmake.in"]
    assert tree.nearest("src/a.cu", "e.h") == ["e.h"]  # a file of that name is there
    assert tree.nearest("src/a.cu", "f") == []


def test_all_files_that_an_include_may_be() -> None:
    assert TREE.possible("one/src/a.cu", "x/b.h") == ["one/inc/x/b.h", "two/inc/x/b.h"]
    assert TREE.possible("one/src/a.cu", "b.h") == ["one/src/b.h"]  # a file beside leaves no doubt
    assert TREE.beside("one/src/a.cu", "x/b.h") == ""


def test_what_lies_in_one_folder_is_nearer() -> None:
    assert nearest("a/b/c.cu", ["x/h.h", "a/h.h", "a/b/d/e/h.h"]) == ["a/h.h"]
    assert nearest("a/b/c.cu", []) == []
    assert (shared_folder("a/b/c", "a/b/d/e"), shared_folder("a/b", "ab/b")) == ("a/b", "")


def test_includes_are_followed_through_others_and_in_circles() -> None:
    included = {"a": ["b", "b"], "b": ["c"], "c": ["a"], "d": ["a"]}
    assert closure(("a",), included.__getitem__) == {"a", "b", "c"}
    assert closure((), included.__getitem__) == frozenset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'#include "a.h"\n\t# include <b/c.h> // include <d.h>', [("a.h", True), ("b/c.h", False)]),
        (b'#include "include/a.h"\n#include <x>', [("include/a.h", True), ("x", False)]),
        (b'int a; #include "a.h"\n', []),  # something is before it
        (b"#include_next <a.h>\n#include HEADER\n#include <a\n.h>\n", []),
        (b"include\n#\ninclude <a.h>\n", []),
    ],
)
def test_what_a_text_includes_begins_a_line(text: bytes, found: list[tuple[str, bool]]) -> None:
    every = list(spelled(text))
    assert [(name, quoted) for name, quoted, _ in every] == found
    assert all(text[place.start : place.end].decode() == name for name, _, place in every)
