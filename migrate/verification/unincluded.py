"""A name of AMD's that is not declared, though available headers have it -> the header that a file does not include.

CUDA's headers bring along others than HIP's do, and a header that is missing, or was never there, brings none. The name
is right, then: what lacks is its include.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from cudamigrate.cuda.include_paths import closure, spelled
from cudamigrate.cuda.lexer import COMMENT
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Toolchain
from cudamigrate.verification import libraries

_NAME = re.compile(rb"[A-Za-z_]\w*")
_MAIN = {"hip/": "hip/hip_runtime.h"}
"""The header to include of a library where that is not called as the folder is."""
_ENDS = (".h", ".hpp")


def advised(entry: Diagnostic, chosen: Toolchain, read: Collection[str]) -> Diagnostic:
    """The complaint with the include that it lacks, where it asks for a name that available headers declare.

    `read` are the absolute paths of what the unit read: what such a header hides from it is none of its includes.
    """
    match = UNDECLARED.match(entry.message) if entry.kind == "error" else None
    header = header_of(match[1], chosen, read) if match is not None else ""
    return replace(entry, advice=f"include `<{header}>`, which declares it") if match and header else entry


def header_of(name: str, chosen: Toolchain, read: Collection[str] = ()) -> str:
    """The header by which a file gets a name of AMD's, as it is included; empty where no available one declares it.

    Nor is there one where the unit read a file that has the name.
    """
    folder = libraries.folder_of(name)
    words = _words((*chosen.headers, *chosen.declarations), folder) if folder else {}
    having = [path for path, (_, names) in words.items() if name.encode() in names]
    places = {os.path.normpath(words[path][0]) for path in having}
    if not having or not places.isdisjoint(map(os.path.normpath, read)):
        return ""
    ends = (f"{folder}{folder.rstrip('/')}{end}" for end in _ENDS)
    main = _MAIN.get(folder) or next((one for one in ends if one in words), "")
    brought = closure((main,), lambda path: _included(path, words)) if main in words else frozenset[str]()
    outer = sorted((path for path in having if path.count("/") == 1), key=len)
    return main if not brought.isdisjoint(having) else next(iter(outer), "")


@cache
def _words(folders: Sequence[str], inner: str) -> dict[str, tuple[str, frozenset[bytes]]]:
    """By the include of each header of a library, the first of that name: its path, and the names in its code."""
    found: dict[str, tuple[str, frozenset[bytes]]] = {}
    for folder in folders:
        for path in sorted(Path(folder, inner).rglob("*")) if os.path.isdir(os.path.join(folder, inner)) else ():
            if path.suffix in _ENDS and path.is_file():
                code = COMMENT.sub(b" ", path.read_bytes())
                found.setdefault(path.relative_to(folder).as_posix(), (str(path), frozenset(_NAME.findall(code))))
    return found


def _included(path: str, known: Mapping[str, tuple[str, frozenset[bytes]]]) -> Iterator[str]:
    """The headers of the library that one of them includes."""
    for name, quoted, _ in spelled(Path(known[path][0]).read_bytes()):
        spellings = (f"{os.path.dirname(path)}/{name}", name) if quoted else (name,)
        yield from (one for one in spellings if one in known)
