"""Files of code that includes join, directly or by way of others."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_paths, included

_CODE = ("cuda", "cxx")


def groups(results: Sequence[FileResult], read: Read) -> dict[str, str]:
    """The files of code by path, each with one of those that includes join it to."""
    code = [one.path for one in results if one.language in _CODE]
    paths, owner = include_paths(read, (one.path for one in results)), {path: path for path in code}

    def first(path: str) -> str:
        while owner[path] != path:
            owner[path] = path = owner[owner[path]]
        return path

    for path in code:
        source = read(path)
        for name, _, _ in included(source) if source is not None else ():
            for other in paths.nearest(path, name):
                if other in owner:
                    owner[first(other)] = first(path)
    return {path: first(path) for path in code}
