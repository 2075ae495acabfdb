"""Copies of CUB in a project: headers alone, in whose place hipCUB's come, so that nothing of them is converted.

What includes them by a path with `cub/` in it gets hipCUB's header. That a folder is such a copy shows in its first
header, which includes the others from beside it under NVIDIA's notice. Where most of the code is in it, the repository
is CUB itself.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping

from cudamigrate.cuda.include_paths import is_below, spelled
from cudamigrate.model import FileEntry

HEADER = "cub/cub.cuh"
_SEVERAL = 8
"""A header that only brings a few of CUB's together includes fewer."""
_SHARE = 0.5
"""Bytes of code from which on a repository is the library that it holds, as its lines are in the estimate."""


def found(data: Mapping[str, bytes], headers: Collection[str], code: Collection[FileEntry]) -> frozenset[str]:
    """The headers of such copies; `data` has the first headers with NVIDIA's notice, and `code` is all that is read."""
    homes = {posixpath.dirname(path) for path, text in data.items() if _brings(path, text, headers) >= _SEVERAL}
    copies = {one.path: one.size for one in code if any(is_below(one.path, home) for home in homes)}
    if sum(copies.values()) >= _SHARE * sum(one.size for one in code):
        return frozenset()
    return frozenset(copies).intersection(headers)


def _brings(path: str, data: bytes, headers: Collection[str]) -> int:
    """How many headers beside it, or in folders below its own, a header includes."""
    home = posixpath.dirname(path)
    beside = (posixpath.normpath(posixpath.join(home, name)) for name, *_ in spelled(data))
    return sum(one in headers and is_below(one, home) for one in beside)
