"""Code in files whose endings say nothing, as `kernels.cu.tmpl`: read where a build makes a source of it, else named.

What a build copies, links or configures to the name of a source is one, in the language of that name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from cudamigrate.analysis import source_copies
from cudamigrate.config import Config
from cudamigrate.cuda.code_files import speaks_cuda
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, Inventory, Skip, SourceFile
from cudamigrate.project import discovery

_VARIABLE = re.compile(r"\$\([^()]*\)|\$\{[^{}]*\}|\$\w|%|@\w+@")
"""What a build puts something in the place of: `$(NAME)`, `${name}`, `$1`, the `%` of a rule."""
_MANY = 5
"""So many files of one ending are named one by one, more of them together."""
_ASIDE = frozenset((".bak", ".backup", ".bk", ".bkp", ".copy", ".md", ".old", ".orig", ".rej", ".rst", ".save"))
"""Endings of old copies of code and of documents: nothing that a build or a program would read."""
_TEMPLATES = frozenset((".in", ".j2", ".jinja", ".jinja2", ".m4", ".mako", ".t", ".template", ".tmpl", ".tpl"))
"""Endings of what a source may be made of: with the source beside it such a file is no older copy of it."""


def added(root: Path, inventory: Inventory, config: Config) -> Inventory:
    """The inventory with the files that its builds make sources of, where their text is CUDA's."""
    language = discovery.languages(known_files())
    chosen: dict[str, str] = {}
    for entry in inventory.entries:
        if entry.language not in source_copies.LANGUAGES or (entry.language == "python" and not inventory.unnamed):
            continue
        source = discovery.read(root, entry)
        if isinstance(source, SourceFile):
            for of, to in source_copies.found(source, language):
                chosen |= dict.fromkeys(_files(root, inventory, entry.path, of), language(to))
    taken = {path: kind for path, kind in chosen.items() if _speaks(root, path)}
    return discovery.with_languages(inventory, taken, config, known_files()) if taken else inventory


def _files(root: Path, inventory: Inventory, path: str, word: str) -> Iterator[str]:
    """The files that a word of a build file may name: near it by their path, else by the name behind variables."""
    near = discovery.near(root, path, word)
    if near:
        yield near
        return
    name = _VARIABLE.sub("*", word.replace("[", "?")).rpartition("/")[2]
    if name.strip("*?"):
        scripts = (one.path for one in inventory.entries if one.language == "cmake")
        candidates = (*inventory.unnamed, *(scripts if name.endswith(".cmake") else ()))
        yield from (one for one in candidates if fnmatchcase(one.rpartition("/")[2], name))


def _speaks(root: Path, path: str) -> bool:
    source = discovery.read(root, FileEntry(path, "cxx", 0))
    return isinstance(source, SourceFile) and speaks_cuda(source)


def with_unread(root: Path, inventory: Inventory) -> Inventory:
    """The inventory which names, among what was skipped, the files with code for CUDA that none of its builds names."""
    known = {entry.path for entry in inventory.entries}
    by_ending = defaultdict[tuple[str, str], list[str]](list)
    for path in inventory.unnamed:
        if path not in known and _speaks(root, path):
            ending = PurePosixPath(path).suffix
            is_aside = ending.lower() in _ASIDE
            is_copy = path.removesuffix(ending) in known and ending.lower() not in _TEMPLATES
            by_ending[ending, "aside" if is_aside or is_copy else "ending"].append(path)
    skips = tuple(skip for key, paths in sorted(by_ending.items()) for skip in _named(*key, paths))
    return replace(inventory, skipped=(*inventory.skipped, *skips)) if skips else inventory


def _named(ending: str, kind: str, paths: list[str]) -> Iterator[Skip]:
    reason = f"code for CUDA by its text, but `{ending}` is no ending of code, and no build names it as a source"
    if len(paths) <= _MANY:
        yield from (Skip(path, kind, reason) for path in sorted(paths))
    else:
        yield Skip(min(paths), kind, f"{reason}; so are {len(paths) - 1:,} other files")
