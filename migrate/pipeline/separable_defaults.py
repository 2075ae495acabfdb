"""CMake's separable compilation in a tree none of whose device code needs another file's: nothing is lost without it.

A template of projects for CUDA often has the setting. Device code is linked across files only for what a file declares
and does not define; where none declares such a thing, HIP's build needs no option for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda import linked_names
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed

RULES = ("build/cmake-separable-default", "build/cmake-separable")
"""The rules on the variable that is for all targets, and on the property of one that is reviewed."""
_LANGUAGES = ("cuda", "cxx")


def without_idle(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on the settings, where all code was read and none needs it."""
    if not any(one.rule in RULES for result in results for one in result.findings):
        return list(results)
    paths = [one.path for one in results if one.language in _LANGUAGES]
    if not any(one.cuda for one in results if one.language in _LANGUAGES) or _links(paths, read):
        return list(results)
    return [replace(one, findings=tuple(each for each in one.findings if each.rule not in RULES)) for one in results]


def _links(paths: Sequence[str], read: Read) -> bool:
    """Whether some file declares device code that it does not define, or cannot be read."""
    named = frozenset[bytes]().union(*(asked(read, path, _macros) or () for path in paths))
    for path in paths:
        plain = asked(read, path, _undefined)
        if plain is None or plain:
            return True
        source = read(path) if named else None
        if source is not None and any(linked_names.undefined(lexed(source), named)):
            return True
    return False


def _macros(source: SourceFile) -> tuple[bytes, ...]:
    """The macros of a file that mark device code."""
    marked = any(mark in source.data for mark in linked_names.MARKS)
    return tuple(sorted(linked_names.macros(lexed(source)))) if marked and b"define" in source.data else ()


def _undefined(source: SourceFile) -> tuple[bytes, ...]:
    """What a file declares as device code in plain words and does not define."""
    marked = any(mark in source.data for mark in linked_names.MARKS)
    return tuple(sorted(linked_names.undefined(lexed(source), linked_names.MARKS))) if marked else ()
