"""Labels of Bazel that name the module which they are in: it brings no other repository.

A file is in the workspace of the nearest folder above it with a `MODULE.bazel` or `WORKSPACE`, which says its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Inventory
from cudamigrate.pipeline.own_names import Read

RULE = "build/bazel-repository"
_TOPS = ("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel")
_NAME = re.compile(rb"^(?:module|workspace)\s*\((?:[^()]*?,)?\s*name\s*=\s*[\"']([\w.-]+)[\"']", re.MULTILINE)
_LABEL = re.compile(r"@{1,2}([\w.-]+)")


def without_own_modules(results: Sequence[FileResult], inventory: Inventory, read: Read) -> Sequence[FileResult]:
    """The results without findings on labels of the file's own module."""
    if not any(one.rule == RULE for result in results for one in result.findings):
        return results
    names = _names((entry.path for entry in inventory.entries), read)
    if not any(names.values()):
        return results
    return [_without(result, _nearest(result.path, names), read) for result in results]


def _names(paths: Iterable[str], read: Read) -> dict[str, frozenset[str]]:
    """The folders of workspaces, each with the names that it gives itself."""
    found: dict[str, frozenset[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        source = read(path) if name in _TOPS else None
        if source is not None:
            said = frozenset(one.decode() for one in _NAME.findall(source.data))
            found[folder] = found.get(folder, frozenset()) | said
    return found


def _nearest(path: str, names: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What the workspace calls itself that a file is in."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in names:
            return names[folder]
    return frozenset()


def _without(result: FileResult, own: frozenset[str], read: Read) -> FileResult:
    asked = own and any(one.rule == RULE for one in result.findings)
    source = read(result.path) if asked else None
    if source is None:
        return result
    named = {one: _LABEL.match(source.text(one.span)) for one in result.findings if one.rule == RULE}
    gone = {one for one, label in named.items() if label is not None and label[1] in own}
    return replace(result, findings=tuple(one for one in result.findings if one not in gone))
