"""Links in a tree to files of it that are converted: the compiler finds the converted bytes by either path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cudamigrate.project.file_access import walk


def also(root: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Converted files, by the paths of the links to them that are in the tree as well."""
    if not files:
        return {}
    top = os.path.realpath(root)
    by_place = {os.path.join(top, path): data for path, data in files.items()}
    found = {}
    for folder, folders, names in walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) and (data := by_place.get(os.path.realpath(path))) is not None:
                found[os.path.relpath(path, root).replace(os.sep, "/")] = data
    return {**found, **files}
