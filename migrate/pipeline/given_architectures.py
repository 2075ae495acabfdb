"""Makefiles that give CUDA's number of an architecture to the compiler themselves: `-D__CUDA_ARCH__=200`.

hipcc then has the macro, in the passes for the host too, as nvcc had. Tests for it take the branches that they took for
CUDA: what says that the macro is undefined, or reads as 0, is wrong of code that only such commands compile. What has
a fix stays: the code is right with it whether the option is given or dropped.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path

from cudamigrate.compilation import makefile_flags
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.pipeline.opened_gates import GATES
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/given-architecture"
_GIVEN = re.compile(rb"(?<![\w-])-D[ \t]*__CUDA_ARCH__=\d+")
_EXPANDED = re.compile(r"(?<![\w-])-D\s*__CUDA_ARCH__=")
_COMPILES = re.compile(r"(?:nvcc|hipcc)\b")
_BUILDS = ("make", "cmake", "bazel", "meson")
_RULES = GATES | {"build/cuda-compiler-macro", "build/version-in-code"}
_MACRO = b"__CUDA_ARCH__"


def with_given_architectures(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with a finding at the first such option of a Makefile, and none on the macro where it is given."""
    rule = book.rules.get(RULE)
    giving = _giving(results, Path(inventory.root), read) if rule is not None and not rule.silent else {}
    if rule is None or not giving:
        return list(results)
    builds = (one for one in results if one.language in _BUILDS and one.findings and one.path not in giving)
    others = {posixpath.dirname(one.path) for one in builds}
    folders = {posixpath.dirname(path) for path in giving}
    made = []
    for result in results:
        if result.path in giving:
            source, span = giving[result.path]
            use = Use("name", source.text(span), span, span, certainty="syntax")
            result = engine.with_more(result, [engine.finding(source, Hit(RULE, use), rule)])
        elif posixpath.dirname(result.path) in folders and not _is_below(result.path, others):
            result = _without(result, read)
        made.append(result)
    return made


def _giving(results: Sequence[FileResult], root: Path, read: Read) -> Mapping[str, tuple[SourceFile, Span]]:
    """The Makefiles all of whose commands for the GPU's compiler give the macro, with the first place."""
    found = {}
    for one in results:
        source = read(one.path) if one.language == "make" and one.skip is None else None
        place = _GIVEN.search(source.data) if source is not None and _MACRO in source.data else None
        if source is not None and place is not None and _all_give(root / one.path, root):
            found[one.path] = source, Span(*place.span())
    return found


def _all_give(path: Path, root: Path) -> bool:
    """Whether each command of a Makefile that compiles by nvcc gives the macro."""
    try:
        commands = [text for _, _, text in makefile_flags.read(path, root).compiled() if _COMPILES.search(text)]
    except ValueError:
        return False
    return bool(commands) and all(map(_EXPANDED.search, commands))


def _is_below(path: str, folders: set[str]) -> bool:
    """Whether another build file is in a file's folder or above: it may compile the file without the macro."""
    folder = posixpath.dirname(path)
    return any(not one or f"{folder}/".startswith(f"{one}/") for one in folders)


def _without(result: FileResult, read: Read) -> FileResult:
    """The result of a file without what is said of the macro as one that HIP does not define."""
    source = read(result.path) if any(one.rule in _RULES for one in result.findings) else None
    if source is None:
        return result
    kept = tuple(
        one
        for one in result.findings
        if one.fix is not None or one.rule not in _RULES or not _is_of_macro(one.span, source)
    )
    return replace(result, findings=kept)


def _is_of_macro(span: Span, source: SourceFile) -> bool:
    """Whether a finding's place names the macro and no other of the compiler's."""
    end = source.data.find(b"\n", span.end)
    line = source.data[span.start : end if end >= 0 else len(source.data)]
    return _MACRO in line and not re.search(rb"__(?:NVCC|CUDACC)", line)
