"""The headers of our own that converted code includes: which a conversion needs, and their text."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from cudamigrate.cuda.include_insertion import (
    BF16_HEADER,
    CORES_HEADER,
    GROUPS_HEADER,
    MATH_HEADER,
    MATRIX_HEADER,
    OWN_HEADERS,
    PTX_HEADER,
    RUNTIME_HEADER,
    SPARSE_HEADER,
    WMMA_HEADER,
)
from cudamigrate.model import Conversion
from cudamigrate.pipeline import own_headers_home, reserved_names


def added(
    changed: Sequence[Conversion],
    made: Mapping[str, bytes] = MappingProxyType({}),
    homes: Mapping[str, str] = MappingProxyType({"": ""}),
    root: Path | None = None,
) -> dict[str, bytes]:
    """The headers of our own that conversions newly include, and those that they, or headers `made` for them, include.

    By their paths, below the folders that they are put into: `homes` has these by the project, empty for all of a tree.
    Macros of the tree at `root` change nothing in them.
    """
    found: dict[str, bytes] = {}
    for home in homes.values():
        inside = [one for one in changed if own_headers_home.of(homes, one.path) == home]
        own = b"".join(text for path, text in made.items() if posixpath.dirname(path) == home)
        found |= {posixpath.join(home, name): runtime_header(name) for name in _needed(inside, own)}
    if found and root is not None:
        macros = reserved_names.macros(root, {one.path: one.before for one in changed})
        found = {path: reserved_names.protected(data, macros) for path, data in found.items()}
    return found | dict(made)


def _needed(changed: Sequence[Conversion], header: bytes) -> list[str]:
    """The names of these headers."""
    new = {name for name in OWN_HEADERS for c in changed if name.encode() in c.after and name.encode() not in c.before}
    new |= {name for name in OWN_HEADERS if name.encode() in header}
    return with_included(new)


def with_included(names: Iterable[str]) -> list[str]:
    """The names of headers of ours, with those that they include."""
    new = set(names)
    if not new.isdisjoint((WMMA_HEADER, SPARSE_HEADER)):
        new.add(MATRIX_HEADER)
    if MATRIX_HEADER in new:
        new.add(CORES_HEADER)
    if not new.isdisjoint((MATH_HEADER, BF16_HEADER, MATRIX_HEADER)):
        new.add(PTX_HEADER)
    if not new.isdisjoint((PTX_HEADER, GROUPS_HEADER)):
        new.add(RUNTIME_HEADER)
    return [name for name in OWN_HEADERS if name in new]


def runtime_header(name: str = RUNTIME_HEADER) -> bytes:
    """A header that converted code includes."""
    return (Path(__file__).parent.parent / "runtime" / name).read_bytes()
