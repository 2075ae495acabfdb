"""CMake projects in folders of other people's code that the project's own build adds, and that need CUDA to configure.

Such a folder is passed over, so that its language stays CUDA. What it enables under a condition may be off, and what
has a build for AMD of its own is chosen there: neither is reported.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_tree
from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/vendored-build"
_ADDS = b"add_subdirectory"
_LANGUAGES = ("project", "enable_language")


def with_vendored_builds(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read, aside: Read
) -> list[FileResult]:
    """The results, with a finding at each folder passed over that is added; `aside` reads what was passed over."""
    rule = book.rules.get(RULE)
    homes = tuple(f"{one.rstrip('/')}/" for one in inventory.vendored)
    if not homes or rule is None or rule.silent:
        return list(results)
    sources = [source for one in results if (source := _adding(one, read)) is not None]
    roots, hits = _roots(results), dict[str, list[Hit]]()
    for source in sources:
        for path, span in _added(source, homes, roots):
            if _needs_cuda(aside(path)):
                hits.setdefault(source.path, []).append(Hit(RULE, Use("name", path, span, span), {"name": path}))
    by_path = {source.path: source for source in sources if source.path in hits}
    return [
        engine.with_more(one, [engine.finding(by_path[one.path], hit, rule) for hit in hits[one.path]])
        if one.path in by_path
        else one
        for one in results
    ]


def _adding(result: FileResult, read: Read) -> SourceFile | None:
    """The source of a CMake file that adds folders."""
    source = read(result.path) if result.language == "cmake" and result.skip is None else None
    return source if source is not None and _ADDS in source.data.lower() else None


def _roots(results: Sequence[FileResult]) -> set[str]:
    """The folders with a CMake file, which may be what a variable of a project's means."""
    names = (one.path for one in results if one.language == "cmake")
    return {posixpath.dirname(path) for path in names if posixpath.basename(path) == "CMakeLists.txt"}


def _added(source: SourceFile, homes: tuple[str, ...], roots: set[str]) -> Iterator[tuple[str, Span]]:
    """The CMake files of folders passed over that a file adds, and where; none for AMD already."""
    found = cmake.read(source.data)
    if cmake.ported(found) is not None:
        return
    for command in found:
        if command.name == _ADDS.decode() and command.args:
            for folder in cmake_tree.folders_of(command.words()[:1], source.path, roots):
                if f"{folder}/".startswith(homes):
                    yield posixpath.join(folder, "CMakeLists.txt"), command.args[0].span
                    break


def _needs_cuda(source: SourceFile | None) -> bool:
    """Whether a file enables or requires CUDA under no condition, and does not build for AMD as well."""
    found = cmake.read(source.data) if source is not None else []
    inside = cmake.branches(found)
    return any(_demands(one) and not inside[one.span] for one in found) and cmake.ported(found) is None


def _demands(command: Command) -> bool:
    """Whether CMake stops at a command where there is no CUDA."""
    return cmake.enables(command, "CUDA") and (command.name in _LANGUAGES or "REQUIRED" in command.words())
