"""Torch 7, whose library THC was before PyTorch took it over: what is said of THC in PyTorch's trees is no help there.

A Torch 7 package shows in its build, by the variables and commands of Torch's own CMake files, or in code by Lua's
headers; PyTorch in Python that imports it, or in code by its headers. A tree that shows both is PyTorch's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, FileResult, Finding, Hit, Rule, SourceFile, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, spelled_includes
from cudamigrate.project import discovery
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/torch7"
OF_THC = "THC"
"""How the headers of THC begin, with their folder or without: `THC/THC.h`, `THCNumerics.cuh`."""
OF_LIBRARY = frozenset(("api/thc-headers", "api/thc-names", "api/thc-family"))
"""The rules for PyTorch on names that Torch 7's library has, and keeps where it is ported."""
_BUILD = re.compile(rb"\bTorch_INSTALL_\w|\bADD_TORCH_(?:PACKAGE|LIBRARY|WRAP|DOK)\b", re.IGNORECASE)
"""What Torch 7's CMake files give to the packages that they build; PyTorch's are `TORCH_LIBRARIES` and its kin."""
_LUA = ("luaT.h", "lua.h", "lauxlib.h", "TH/luaT.h")
_PYTORCH = ("torch/", "ATen/", "c10/", "caffe2/")
_IMPORTS = re.compile(rb"^[ \t]*(?:import|from)[ \t]+torch\b", re.MULTILINE)


def _builds(source: SourceFile) -> bool:
    return _BUILD.search(source.data) is not None


def _imports(source: SourceFile) -> bool:
    return _IMPORTS.search(source.data) is not None


def is_tree(entries: Iterable[FileEntry], read: Read) -> bool:
    """Whether the files of a tree show Torch 7, and none of them PyTorch."""
    paths: dict[str, list[str]] = {}
    for entry in entries:
        paths.setdefault(entry.language, []).append(entry.path)
    code = [*paths.get("cuda", ()), *paths.get("cxx", ())]
    includes = [name for path in code for name in asked(read, path, spelled_includes) or ()]
    shown = any(name in _LUA for name in includes) or any(asked(read, one, _builds) for one in paths.get("cmake", ()))
    if not shown or any(name.startswith(_PYTORCH) for name in includes):
        return False
    return not any(asked(read, path, _imports) for path in paths.get("python", ()))


def is_tree_at(root: Path, entries: Sequence[FileEntry]) -> bool:
    """The same of the files below a folder."""
    known = {entry.path: entry for entry in entries}

    def read(path: str) -> SourceFile | None:
        found = discovery.read(root, known[path])
        return found if isinstance(found, SourceFile) else None

    return is_tree(entries, read)


def with_torch7(
    results: Sequence[FileResult], book: Rulebook, entries: Sequence[FileEntry], read: Read
) -> Sequence[FileResult]:
    """The results of such a tree, with one finding on THC in the place of all."""
    first = next(((one, found) for one in results for found in one.findings if found.rule in OF_LIBRARY), None)
    rule = book.rules.get(RULE)
    if first is None or rule is None or not is_tree(entries, read):
        return results
    at, found = first
    source = read(at.path)
    kept = [
        replace(one, findings=tuple(each for each in one.findings if each.rule not in OF_LIBRARY)) for one in results
    ]
    if source is None or rule.silent:
        return kept
    made = _finding(source, found, sum(each.rule in OF_LIBRARY for one in results for each in one.findings), rule)
    return [engine.with_more(one, [made]) if one.path == at.path else one for one in kept]


def _finding(source: SourceFile, found: Finding, places: int, rule: Rule) -> Finding:
    use = Use("name", found.name, found.span, found.span, (), "unknown", "syntax")
    return engine.finding(source, Hit(RULE, use, {"places": f"{places:,}"}), rule)
