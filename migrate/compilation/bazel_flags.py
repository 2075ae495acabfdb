"""Bazel's settings files -> the options that a build of their workspace gives the compilers. Nothing is run.

What holds without a word of the user's counts, and so do sections that set a build up for CUDA: without them nothing of
CUDA's is compiled. Of the other sections macros are those of some builds; a standard that only they name is taken where
nothing else names one. Source: Bazel, "Write bazelrc configuration files".
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from cudamigrate.compilation.build_settings import Settings
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import bazel

NAME = ".bazelrc"
TOPS = ("MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel")
"""What makes a folder the top of a workspace, whose settings alone Bazel reads."""
_HERE = "%workspace%/"
_MOST = 16
"""So many files of settings are taken in."""


def read(path: Path, root: Path, data: bytes) -> Settings:
    """What the file at `path`, with those of the tree below `root` that it takes in, says of a workspace."""
    found = Settings()
    if not any((path.parent / top).is_file() for top in TOPS):
        return found
    given = list(_options(data, path.parent, root, {str(path)}))
    named = bazel.aliases(given)
    for_cuda = {one.section for one in given if one.command in bazel.BUILDS and bazel.switches_cuda_on(one, named)}
    held = bazel.in_force(given, for_cuda)
    found.options(bazel.compiler_options(held, named), path.parent)
    others = [one for one in given if one.command in bazel.BUILDS and one not in held]
    rest = Settings()
    rest.options(bazel.compiler_options(others, named), path.parent)
    found.some = rest.names - found.names
    if not found.standards:
        found.standards, found.strict = rest.standards, rest.strict
    return found


def _options(data: bytes, top: Path, root: Path, seen: set[str]) -> Iterator[bazel.Option]:
    """The options of a file, with those of the files that it takes in where it does so."""
    for one in bazel.options(data):
        if one.command not in bazel.IMPORTS:
            yield one
            continue
        other = os.path.normpath(top / one.name.removeprefix(_HERE))
        if other in seen or len(seen) >= _MOST or not other.startswith(f"{root}{os.sep}"):
            continue
        seen.add(other)
        try:
            yield from _options(read_linked(Path(other)), top, root, seen)
        except OSError:
            continue
