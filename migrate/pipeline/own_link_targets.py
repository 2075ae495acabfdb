"""Libraries by NVIDIA's names that the repository builds itself, as a library's own does: no build lacks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked
from cudamigrate.syntax import cmake

RULES = frozenset(("build/cmake-link-named", "build/cmake-find-library", "build/flag-library-other"))
_NAME = re.compile(r"[\"']?(?:-l)?(?:lib)?(?P<name>[\w+-]+?)(?:_static)?[\"']?")


def without_own_targets(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on libraries that a CMake file of the tree makes a target of."""
    if not any(finding.rule in RULES for result in results for finding in result.findings):
        return list(results)
    paths = [one.path for one in results if one.language == "cmake" and one.skip is None]
    made = frozenset(name for path in paths for name in asked(read, path, _made) or ())
    return [_without(one, made, read) if made else one for one in results]


def _made(source: SourceFile) -> list[str]:
    return list(_targets(source)) if b"add_library" in source.data else []


def _targets(source: SourceFile) -> Iterator[str]:
    """The libraries that a file makes; one that is imported is built elsewhere."""
    for command in cmake.read(source.data):
        if command.name.endswith("add_library") and command.args and "IMPORTED" not in command.words():
            yield command.args[0].text.removesuffix("_static")


def _without(result: FileResult, made: frozenset[str], read: Read) -> FileResult:
    source = read(result.path) if any(one.rule in RULES for one in result.findings) else None
    if source is None:
        return result
    kept = tuple(one for one in result.findings if one.rule not in RULES or _named(source, one) not in made)
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


def _named(source: SourceFile, finding: Finding) -> str:
    """The library that a place names, without what its file has before and behind it."""
    named = _NAME.fullmatch(source.text(finding.span))
    return named["name"] if named is not None else ""
