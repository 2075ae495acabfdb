"""Errors about what a header lacks that another of its name has, in a project of the file's own.

A project that another takes in may be built by itself too, and some of its files only so: benchmarks, tests. What the
outer build says of include folders then does not hold for them, and no build file says which one compiles a file.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.cuda.include_paths import is_below
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import NOWHERE, Diagnostic

_LACKS = re.compile(rf"(?:no member named|{'|'.join(NOWHERE)}) '(\w+)'")
"""What clang says of a name that nothing it has read declares."""


def several(entries: Sequence[Diagnostic], path: str, inside: Iterable[str], tree: IncludeResolver) -> list[str]:
    """The names of headers that a unit read from outside of its own project, which has one with what errors miss.

    `inside` are the files of the tree that the unit read.
    """
    names = {match[1].encode() for one in entries if (match := _LACKS.match(one.message)) is not None}
    around = [folder for folder in _projects(tree) if folder and is_below(path, folder)]
    if not names or not around:
        return []
    outer = (one for one in sorted(inside) if not all(is_below(one, folder) for folder in around))
    return sorted({posixpath.basename(one) for one in outer if _is_replaced(one, names, around, tree)})


def _projects(tree: IncludeResolver) -> Iterator[str]:
    """The folders in which a project begins, relative to the root."""
    return (os.path.relpath(one, tree.root).replace(os.sep, "/") for one in tree.project.projects)


def _is_replaced(header: str, names: Iterable[bytes], around: Iterable[str], tree: IncludeResolver) -> bool:
    """Whether a project has a header in the place of one from outside, with a name that this one lacks."""
    read = tree.read(header)
    missing = [re.compile(rb"\b%s\b" % re.escape(name)) for name in names if name not in read]
    inner = [folder for folder in around if not is_below(header, folder)]
    others = [one for one in tree.named(posixpath.basename(header)) if any(is_below(one, each) for each in inner)]
    return any(name.search(tree.read(other)) for other in others for name in missing)
