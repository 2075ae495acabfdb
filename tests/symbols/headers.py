"""Reads public names out of C and C++ headers with libclang.

Headers are read as C++ without a CUDA or HIP compiler: what `__device__` and the like mean does not matter for names.
System headers of the machine are used and leave no trace in the listing.
"""

from __future__ import annotations

import fnmatch
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

STUBS = {
    "GL/gl.h": "typedef unsigned int GLuint; typedef unsigned int GLenum; typedef int GLint;",
    "EGL/egl.h": "typedef void *EGLDisplay;",
    "EGL/eglext.h": "typedef void *EGLStreamKHR, *EGLImageKHR, *EGLSyncKHR; typedef int EGLint;",
    "vdpau/vdpau.h": "typedef unsigned int VdpDevice; typedef void VdpGetProcAddress(); "
    "typedef unsigned int VdpVideoSurface; typedef unsigned int VdpOutputSurface;",
}
"""Headers of graphics systems that may not be installed, as far as CUDA's headers need them."""

TYPES = {
    "STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "CLASS_TEMPLATE",
    "TYPE_ALIAS_TEMPLATE_DECL", "CONCEPT_DECL",
}  # fmt: skip
CONSTANTS = {"ENUM_CONSTANT_DECL", "VAR_DECL"}
FUNCTIONS = {"FUNCTION_DECL", "FUNCTION_TEMPLATE"}
METHODS = {"CXX_METHOD", "FUNCTION_TEMPLATE"}
INTERNAL = {"detail", "details", "impl", "internal"}
"""Namespaces that are not meant for users."""
RECORDS = {"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE"}
GUARD = re.compile(r"_(?:H|HH|HPP|CUH|INCLUDED)_{0,2}$|INCLUDE_GUARD|^HIP_INCLUDE_", re.IGNORECASE)

Names = dict[str, str]
"""Public names and what each is."""


@dataclass(frozen=True)
class Library:
    """Which headers are a library's, and how they are read.

    `enter` names headers that are read together as one unit, where the others are not meant to be included, and
    `prelude` what comes before them. `hidden` are patterns of names that are left out, `decorations` macros that only
    decorate declarations. `members` are patterns of classes whose methods count.
    """

    name: str
    headers: tuple[str, ...]
    enter: tuple[str, ...] = ()
    prelude: tuple[str, ...] = ()
    device: bool = False
    macros: bool = True
    underscored: bool = False
    members: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    decorations: tuple[str, ...] = ()
    defines: tuple[tuple[str, ...], ...] = field(default=((),))

    def owns(self, path: str) -> bool:
        """Whether the header with this path below an include folder is of the library."""
        return any(_matches(path, pattern) for pattern in self.headers)


@dataclass(frozen=True)
class Job:
    """One unit to read: its include lines and the headers whose names count."""

    library: Library
    includes: tuple[str, ...]
    folders: tuple[Path, ...]
    only: str = ""


def jobs(library: Library, folders: tuple[Path, ...]) -> Iterator[Job]:
    """The units of a library: each header by itself, or those it names under `enter` together."""
    present = sorted({path for folder in folders for path in files(folder)})
    if library.enter:
        entered = tuple(p for p in present if any(_matches(p, pattern) for pattern in library.enter))
        if entered:
            yield Job(library, entered, folders)
        return
    for path in present:
        if library.owns(path):
            yield Job(library, (path,), folders, only=path)


@cache
def files(folder: Path) -> tuple[str, ...]:
    """Paths of a folder's files below it."""
    return tuple(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _matches(path: str, pattern: str) -> bool:
    """`pattern` as git reads it: `*` stays within one folder, `/**` is everything below."""
    if pattern.endswith("/**"):
        return path.startswith(pattern[:-2])
    return path.count("/") == pattern.count("/") and fnmatch.fnmatchcase(path, pattern)


def read(job: Job) -> Names:
    """The names of a unit, in every way of compiling that the library asks for."""
    from clang import cindex

    found: Names = {}
    lines = (*job.library.prelude, *job.includes)
    text = "".join(f'#include "{path}"\n' for path in lines)
    unsaved = [("unit.cpp", text), *((f"/stubs/{name}", body) for name, body in STUBS.items())]
    options = (
        cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES | cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    )
    options |= 0x200  # keep going after a header that is not found
    for defines in job.library.defines:
        arguments = [
            "-x",
            "c++",
            "-std=c++17",
            "-w",
            "-ferror-limit=0",
            "-I/stubs",
            *(f"-I{folder}" for folder in job.folders),
        ]
        arguments += [f"-isystem{folder}" for folder in _system()] + [f"-D{define}" for define in defines]
        unit = cindex.Index.create().parse("unit.cpp", arguments, unsaved, options)
        for name, kind in _Reader(job).names(unit.cursor):
            if _is_macro(found.get(name, "macro")):
                found[name] = kind
    return found


@cache
def _system() -> tuple[str, ...]:
    """Folders of the C++ compiler's own headers, which libclang does not bring along."""
    done = subprocess.run(["c++", "-xc++", "-E", "-v", "/dev/null"], capture_output=True, text=True, check=True)
    listed = done.stderr.partition("search starts here:\n#include <...>")[2].partition("End of search")[0]
    return tuple(line.strip() for line in listed.splitlines() if line.startswith(" "))


class _Reader:
    """Walks one unit."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._library = job.library
        self._roots = sorted((f"{folder}/" for folder in job.folders), key=len, reverse=True)
        self._counts: dict[str, bool] = {}

    def names(self, unit: Any) -> Iterator[tuple[str, str]]:
        for cursor in unit.get_children():
            for name, kind in self._declared(cursor, ""):
                if kind and self._public(name):
                    yield name, kind

    def _is_ours(self, cursor: Any) -> bool:
        file = cursor.location.file
        if file is None:
            return False
        if file.name not in self._counts:
            root = next((root for root in self._roots if file.name.startswith(root)), None)
            path = file.name[len(root) :] if root else ""
            self._counts[file.name] = path == self._job.only if self._job.only else self._library.owns(path)
        return self._counts[file.name]

    def _public(self, name: str) -> bool:
        *scopes, last = name.split("::")
        if any(part.startswith("_") or part in INTERNAL for part in scopes):
            return False
        if not re.fullmatch(r"\w+", last) or last.endswith(("_ptsz", "_ptds")):
            return False
        if last.startswith("_") and (scopes or not self._library.underscored):
            return False
        return not any(fnmatch.fnmatchcase(name, pattern) for pattern in self._library.hidden)

    def _declared(self, cursor: Any, scope: str) -> Iterator[tuple[str, str]]:
        """Names that a cursor declares, with what each is; `scope` ends with `::` or is empty."""
        kind = cursor.kind.name
        if kind in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
            for child in cursor.get_children():
                yield from self._declared(child, scope)
        elif not self._is_ours(cursor):
            return
        elif kind == "NAMESPACE":
            inner = self._inside(cursor, scope)
            for child in cursor.get_children():
                yield from self._declared(child, inner)
        elif kind in TYPES:
            yield from self._type(cursor, scope)
        elif kind == "USING_DECLARATION":
            yield from _used(cursor, scope) if scope else ()
        else:
            yield scope + cursor.spelling, self._plain(cursor, scope)

    def _plain(self, cursor: Any, scope: str) -> str:
        """What a name without further names in it is; empty for what does not count."""
        kind = cursor.kind.name
        if kind == "MACRO_DEFINITION":
            counts = self._library.macros and cursor.spelling not in self._library.decorations
            return _macro(cursor) if counts else ""
        if kind in FUNCTIONS:
            return "device_function" if self._library.device else "function"
        return "variable" if kind == "VAR_DECL" and self._library.device and not scope else ""

    def _inside(self, cursor: Any, scope: str) -> str:
        """The prefix within a namespace; what an inline or unnamed one holds is named without it."""
        passes = not cursor.spelling or (scope and (_is_inline(cursor) or cursor.spelling.startswith("__v")))
        return scope if passes else f"{scope}{cursor.spelling}::"

    def _type(self, cursor: Any, scope: str) -> Iterator[tuple[str, str]]:
        name, kind = cursor.spelling, cursor.kind.name
        if re.fullmatch(r"\w+", name):
            yield scope + name, "type"
            if kind in RECORDS and any(fnmatch.fnmatchcase(scope + name, p) for p in self._library.members):
                yield from _methods(cursor, f"{scope}{name}::")
        if kind == "ENUM_DECL":
            yield from _constants(cursor, f"{scope}{name}::" if cursor.is_scoped_enum() else scope)
        elif kind == "STRUCT_DECL" and not scope:
            for child in cursor.get_children():  # C's headers: such constants are visible outside
                if child.kind.name == "ENUM_DECL":
                    yield from _constants(child, "")


def _constants(cursor: Any, scope: str) -> Iterator[tuple[str, str]]:
    for child in cursor.get_children():
        if child.kind.name == "ENUM_CONSTANT_DECL":
            yield scope + child.spelling, "enum"


def _methods(cursor: Any, scope: str) -> Iterator[tuple[str, str]]:
    for child in cursor.get_children():
        if child.kind.name in METHODS and child.access_specifier.name == "PUBLIC" and child.spelling != cursor.spelling:
            yield scope + child.spelling, "function"


def _used(cursor: Any, scope: str) -> Iterator[tuple[str, str]]:
    """What a using-declaration brings in."""
    from clang import cindex

    for child in cursor.get_children():
        if child.kind.name == "OVERLOADED_DECL_REF":
            meant = cindex.conf.lib.clang_getOverloadedDecl(child, 0).kind.name
            kind = "enum" if meant in CONSTANTS else "type" if meant in TYPES else "function"
            yield scope + child.spelling, kind
        elif child.kind.name == "TYPE_REF":
            yield scope + child.spelling.rpartition("::")[2].rpartition(" ")[2], "type"


def _is_inline(cursor: Any) -> bool:
    from clang import cindex

    asks = cindex.conf.lib.clang_Cursor_isInlineNamespace
    asks.argtypes = [cindex.Cursor]
    return bool(asks(cursor))


def _macro(cursor: Any) -> str:
    """`macro`, `=name` for one that stands for another name, or nothing for an include guard and the like."""
    body = [token.spelling for token in cursor.get_tokens()][1:]
    if (GUARD.search(cursor.spelling) and not body) or re.match(r"_[A-Z]", cursor.spelling):
        return ""
    if len(body) == 4 and body[1] == "(":  # CUDA's headers pass some names through a macro first
        body = body[2:3]
    return f"={body[0]}" if len(body) == 1 and body[0].isidentifier() else "macro"


def _is_macro(kind: str) -> bool:
    return kind == "macro" or kind.startswith("=")


def merged(results: Iterable[Names]) -> Names:
    """Names of several units. A declaration counts more than a macro; a macro that names a function is one."""
    found: Names = {}
    for names in results:
        for name, kind in names.items():
            if _is_macro(found.get(name, "macro")):
                found[name] = kind
    return {name: _resolved(found, kind) for name, kind in found.items()}


def _resolved(found: Names, kind: str) -> str:
    seen = set()
    while kind.startswith("=") and kind not in seen:
        seen.add(kind)
        kind = found.get(kind[1:], "macro")
    return kind if kind in ("function", "device_function") or not seen else "macro"
