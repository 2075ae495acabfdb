"""Parts of Makefiles that no Makefile includes and nothing names, as a template leaves them behind: nobody runs them.

make reads `Makefile` by itself; a file of another name, `common.mk`, is read where one includes it or a command has it
behind `-f`. What it says of options stays reported, as somebody may give it to make, and asks for no work.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Inventory
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import makefile

_LANGUAGE = "make"
_ENDINGS = (".mk", ".mak", ".make", ".inc")
"""Of files that are made to be included."""
_CODE = ("cuda", "cxx", "cython")
_OPEN = re.compile(rb"[$*?%]")
"""What in the last part of an included path may stand for any name."""
_SAID = "No file here includes or names `{}`."


def without_unincluded(
    results: Sequence[FileResult], inventory: Inventory, read: Read, aside: Read
) -> list[FileResult]:
    """The results; manual findings of such files say so and are no work. `aside` reads files of no known language."""
    parts = {one.path for one in results if _is_part(one) and any(finding.is_work for finding in one.findings)}
    others = [one.path for one in results if one.language == _LANGUAGE and one.skip is None]
    if not parts or not set(others) - parts:
        return list(results)
    left = dict.fromkeys(parts, True)
    for path, reader in _readers(inventory, read, aside):
        source = reader(path) if any(left.values()) else None
        if source is None:
            continue
        if path in others and _includes_any(source.data):
            return list(results)
        for part in parts - {path}:
            left[part] &= posixpath.basename(part).encode() not in source.data
    return [_judged(one) if left.get(one.path) else one for one in results]


def _is_part(result: FileResult) -> bool:
    return result.language == _LANGUAGE and result.skip is None and result.path.lower().endswith(_ENDINGS)


def _readers(inventory: Inventory, read: Read, aside: Read) -> Iterator[tuple[str, Read]]:
    """The files that may name another one, each with what reads it."""
    yield from ((entry.path, read) for entry in inventory.entries if entry.language not in _CODE)
    yield from ((path, aside) for path in (*inventory.configuring, *inventory.naming, *inventory.scripts))


def _includes_any(data: bytes) -> bool:
    """Whether a Makefile includes what may be a file of any name."""
    included = (line.value for line in makefile.read(data) if line.kind == "include")
    names = (name for span in included for name in data[span.start : span.end].split())
    return any(_OPEN.search(name.rpartition(b"/")[2]) for name in names)


def _judged(result: FileResult) -> FileResult:
    said = _SAID.format(posixpath.basename(result.path))
    return replace(result, findings=tuple(one.without_work(said) if one.is_work else one for one in result.findings))
