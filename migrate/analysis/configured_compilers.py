"""Variables that a configure script gives Makefiles with a compiler for MPI in them -> the lines that would set them.

Source: GNU Autoconf Archive, AX_MPI ("sets the MPICC, MPICXX, MPIF77 or MPIFC output variable"), and autoconf's manual,
"Generic Program and File Checks". m4 and the shell read nothing in comments.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from cudamigrate.lazy_re import re
from cudamigrate.syntax import compiler_options

TEMPLATES = (".am", ".in")
SCRIPTS = ("configure.ac", "configure.in")
COMMENT = re.compile(rb"(?:^|(?<=\s))(?:#|dnl\b)[^\n]*", re.MULTILINE)
_MACRO = re.compile(rb"^[ \t]*A(?:C|X|CX)_MPI\b", re.MULTILINE)
_BY_MACRO = (b"MPICC = mpicc\n", b"MPICXX = mpicxx\n")
_SET = re.compile(rb"(?<![\w$-])(\w+)=[\"']?([\w./+-]+)[\"']?(?=[\s;\])]|\Z)")
_SOUGHT = re.compile(
    rb"\bA[CM]_(?:CHECK|PATH)_(?:PROGS?|TOOLS?)[ \t]*\(\s*\[*\s*(\w+)\s*\]*\s*,\s*\[*\s*([\w./+ \t-]+)"
)
_CHOOSES = (b"ccbin", b"compiler-bindir")


def added(makefiles: Mapping[str, bytes], scripts: Mapping[str, bytes]) -> Iterator[tuple[str, str, bytes]]:
    """For each template that chooses a host compiler: its path, that of the script of its folder or the nearest above,
    and the lines that the script comes to."""
    said = {path: lines for path, data in scripts.items() if (lines := b"".join(_lines(data)))}
    for path, data in makefiles.items() if said else ():
        if path.endswith(TEMPLATES) and any(one in data for one in _CHOOSES):
            folder = path
            while folder:
                folder = posixpath.dirname(folder)
                near = [name for name in SCRIPTS if posixpath.join(folder, name) in scripts]
                if near:
                    script = posixpath.join(folder, near[0])
                    if script in said:
                        yield path, script, said[script]
                    break


def _lines(data: bytes) -> Iterator[bytes]:
    code = COMMENT.sub(b"", data)
    if _MACRO.search(code):
        yield from _BY_MACRO
    for match in (*_SET.finditer(code), *_SOUGHT.finditer(code)):
        words = [one for one in match[2].split() if compiler_options.WRAPPER.search(one.decode("latin-1"))]
        yield from (match[1] + b" = " + one + b"\n" for one in words[:1])
