"""What clang's preprocessor skips: the files of a tree that a pass over a unit reads, and the ranges left out of each.

The embedded engine has no output of the preprocessor. It says which files it entered and which ranges of them its
conditionals skipped, and that decides the tokens that are compiled.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from ctypes import POINTER, Structure, c_uint
from functools import cache
from typing import Any

from cudamigrate.compilation.engines import clang as engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Place, Toolchain, Unit
from cudamigrate.project.scratch import scratch

_UNREAD = 0x40
"""Skip function bodies (clang-c/Index.h)."""
_RECORD = 0x01 | _UNREAD | 0x200
"""Keep what the preprocessor did, skip function bodies, go on after errors (clang-c/Index.h)."""

_FILE = "cudamigrate_unread.h"
_OPENED = "void cudamigrate_unread{name}() {{\n"
"""What comes before all else: clang skips a function's body without reading it as code, and this one never ends.

So every file is preprocessed and none is compiled, which takes a tenth of the time.
"""

_OF_DIRECTIVES = "User-Defined Issue"
"""How clang calls what `#error` and `#warning` say (clang/Basic/DiagnosticCategories.td)."""
Skipped = tuple[tuple[int, int], ...]
"""Byte ranges of a file."""
Ranges = dict[str, Skipped]
"""By path relative to the root, in the order of inclusion, the skipped byte ranges."""


def of(unit: Unit, toolchain: Toolchain, options: Sequence[str], number: int = 0) -> Ranges:
    """The files of the tree that a pass reads, each with what it skips; `number` is that of the pass.

    A preamble holds no files of the tree: its macros are all that counts here.
    """
    begun = ["-include-pch", f"{unit.preamble}.{number}.pch"] if unit.preamble else []
    tree = _preprocessed(unit, toolchain, options, begun)
    names = [f"{unit.root}/{unit.path}", *(str(one.include.name) for one in tree.get_includes())]
    inside = dict.fromkeys(path for path in map(os.path.normpath, names) if path.startswith(unit.root + os.sep))
    return {os.path.relpath(path, unit.root): _skipped(tree, path) for path in inside}


def everywhere(unit: Unit, toolchain: Toolchain, options: Sequence[str]) -> Ranges:
    """All files that a pass over a unit includes, as clang names them, each with what it skips."""
    tree = _preprocessed(unit, toolchain, options, ())
    return {path: _skipped(tree, path) for path in dict.fromkeys(str(one.include.name) for one in tree.get_includes())}


def stops(unit: Unit, toolchain: Toolchain) -> tuple[list[tuple[Place, str]], tuple[str, ...]]:
    """The directives `#error` that the first pass over a unit comes to, and the absolute paths that it reads.

    Those in files of the tree, each with its place relative to the root, and what it says.
    """
    _, _, options = next(iter(engine.passes(unit)))
    tree = _preprocessed(unit, toolchain, options, ())
    found = [(str(one.location.file or ""), one) for one in tree.diagnostics if one.category_name == _OF_DIRECTIVES]
    places = [
        (Place(os.path.relpath(path, unit.root), one.location.line, one.location.column), str(one.spelling))
        for path, one in found
        if os.path.normpath(path).startswith(unit.root + os.sep)
    ]
    included = (str(one.include.name) for one in tree.get_includes())
    read = (one for one in included if not one.endswith(f"/{_FILE}"))
    return places, tuple(dict.fromkeys((f"{unit.root}/{unit.path}", *read)))


def _preprocessed(unit: Unit, toolchain: Toolchain, options: Sequence[str], begun: Sequence[str]) -> Any:
    """A pass that compiles nothing: libclang's translation unit."""
    first = [] if unit.host else ["-include", engine.first_header(unit, toolchain)]
    with scratch() as folder:
        opened = os.path.join(folder, _FILE)
        with open(opened, "w", encoding="ascii") as file:
            file.write(_OPENED.format(name=""))
        # Named as a preamble's unit, so that what comes first can be chosen here.
        given = [*begun, "-include", opened, *([] if begun else first), *options]
        return engine.parse(replace(unit, preamble="none"), toolchain, given, _RECORD)


def within(at: int, ranges: Skipped) -> bool:
    """Whether a place is in one of some ranges."""
    return any(start <= at < end for start, end in ranges)


def precompile(unit: Unit, headers: Sequence[str], toolchain: Toolchain, place: str, number: int) -> tuple[str, ...]:
    """As the engine's: what `of` needs of headers that many units begin with, their macros, and no declarations.

    That is a quarter of the work of the engine's, and is read in a quarter of the time.
    """
    _, _, options = list(engine.passes(unit))[number]
    first = [] if unit.preamble else [toolchain.first or engine.WRAPPER]
    begun = ["-include-pch", f"{unit.preamble}.{number}.pch"] if unit.preamble else []
    text = "".join(f"#include <{name}>\n" for name in (*first, *headers))
    whole = _OPENED.format(name="_" + os.path.basename(place).replace("-", "_")) + text
    below = engine.begun(unit, number)
    named = replace(unit, preamble="none")  # what comes first is in the text
    return engine.keep(named, toolchain, f"{place}.{number}", whole, [*begun, *options], below, _UNREAD)


def _skipped(tree: Any, path: str) -> Skipped:
    import clang.cindex as clang  # type: ignore[import-untyped]

    library = _library()
    found = library.clang_getSkippedRanges(tree, clang.File.from_name(tree, path))
    ranges = [found.contents.ranges[number] for number in range(found.contents.count)]
    places = tuple(sorted((int(one.start.offset), int(one.end.offset)) for one in ranges))
    library.clang_disposeSourceRangeList(found)
    return places


@cache
def _library() -> Any:
    """libclang with the functions that its Python package does not declare."""
    import clang.cindex as clang

    class RangeList(Structure):
        """CXSourceRangeList of clang-c/Index.h."""

        _fields_ = (("count", c_uint), ("ranges", POINTER(clang.SourceRange)))

    library = clang.conf.lib
    library.clang_getSkippedRanges.argtypes = [clang.TranslationUnit, clang.File]
    library.clang_getSkippedRanges.restype = POINTER(RangeList)
    library.clang_disposeSourceRangeList.argtypes = [POINTER(RangeList)]
    library.clang_disposeSourceRangeList.restype = None
    return library
