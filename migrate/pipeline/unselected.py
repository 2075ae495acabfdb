"""Files that a run was not to look at, by `--include` and `--exclude`: what a unit reads of them is as it was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Set
from functools import cache
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, Inventory, SourceFile
from cudamigrate.pipeline.inspect_file import inspect
from cudamigrate.project import discovery
from cudamigrate.rulebase.code_rules import Rulebook

_WORD = re.compile(rb"[A-Za-z_]\w*")


def is_part(config: Config) -> bool:
    """Whether a run looks at a part of a tree alone."""
    return bool(config.include or config.exclude)


def with_others(inventory: Inventory, path: Path, config: Config) -> Inventory:
    """The inventory of the tree at `path` with what there is beside the files that the configuration includes."""
    if not config.include:
        return inventory
    others = discovery.discover(path, replace(config, include=()), known_files())
    entries = {entry.path: entry for entry in (*others.entries, *inventory.entries)}
    return replace(others, entries=tuple(entries[path] for path in sorted(entries)))


def left_out(root: Path, selected: Collection[str], book: Rulebook) -> Callable[[str], bool]:
    """Whether a file of the tree at `root` is none of those `selected` and would change, asked by its path.

    A name of CUDA's shows that at once; a test for nvcc, or code of warps, only what the rules find.
    """
    known = frozenset(selected)
    names: Set[bytes] = {name.encode() for name, rule in book.names.items() if rule.change.kind == "rename"}

    @cache
    def is_left_out(path: str) -> bool:
        source = None if path in known else discovery.read(root, FileEntry(path, "cuda", 0))
        if not isinstance(source, SourceFile):
            return False
        return any(word in names for word in _WORD.findall(source.data)) or _changes(source, book)

    return is_left_out


def _changes(source: SourceFile, book: Rulebook) -> bool:
    """Whether the rules find something in a file that the conversion changes by itself."""
    try:
        return any(finding.automatic for finding in inspect(source, book, facts=False).findings)
    except RecursionError:  # nobody can read it: nothing of it would be converted
        return False
