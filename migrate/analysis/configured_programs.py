"""Programs with CUDA in them that a configure script compiles to see what there is, and what its own macros look for.

Source: autoconf's manual, "Writing Test Programs" and "Quotation": macros get programs, names and options in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax.project_file import use_at

USE = "program for CUDA"
CHECK = "own check of CUDA"
"""The names of the uses that stand for such a program, and for what a macro of the project's own looks for."""
_PROGRAM = re.compile(rb"\bAC_LANG_(?:PROGRAM|SOURCE)(?=\()")
"""A program that the script writes, to see whether it compiles."""
_INCLUDE = rb"#[ \t]*include[ \t]*[<\"](?:cuda|cublas|cufft|curand|cusparse|cusolver|nvrtc|nccl)\w*(?:\.h)?[>\"]"
_OF_CUDA = re.compile(_INCLUDE + rb"|\bcuda[A-Z]\w+[ \t]*\(|__global__\b")
_GIVEN = re.compile(rb"\[\s*" + _INCLUDE)
"""A program that a macro is given, which begins with CUDA's header: `AC_TRY_LINK([#include <cuda.h>], ...)`."""
_CALLED = re.compile(rb"(\w+)[ \t]*\([^()]*\Z")
_ASKED = re.compile(
    rb"\[\s*((?:cu(?:da|blas|fft|rand|sparse|solver|dnn)\w*|nvrtc|nccl)\.h"
    rb"|lib(?:cuda(?:rt)?|cu(?:blas|fft|rand|sparse|solver|dnn)|nvrtc|nccl)\.(?:\*|so|a))\s*\]"
)
"""A header or a library file of CUDA's as an argument by itself."""
_OF_AUTOCONF = re.compile(rb"\bA[CM]_\w+[ \t]*\([^()]*\Z")
_CONFTEST = re.compile(rb"<<[ \t]*\\?_ACEOF[ \t]*>[^\n]*conftest[^\n]*\n")
"""The beginning of a program in a script that autoconf made."""
_ROUND = re.compile(rb"[()]")
_LONGEST, _BEFORE = 4_000, 300


def uses(data: bytes, code: bytes) -> Iterator[Use]:
    """The programs and the names that macros look for; in `code`, lines that begin with `#` are blank."""
    seen = list[range]()
    for program in _PROGRAM.finditer(code):
        end = _closed(code, program.end())
        seen.append(range(program.start(), end))
        if _OF_CUDA.search(data, program.end(), end):
            yield use_at(USE, *program.span())
    macros = dict[int, re.Match[bytes]]()
    for given in _GIVEN.finditer(data):
        macro = _CALLED.search(code, max(0, given.start() - _BEFORE), given.start())
        if macro is not None and not any(given.start() in one for one in seen):
            macros.setdefault(macro.start(1), macro)
    yield from (use_at(USE, *one.span(1)) for one in macros.values())
    for asked in _ASKED.finditer(code):
        before = max(0, asked.start() - _BEFORE), asked.start()
        if _CALLED.search(code, *before) is not None and _OF_AUTOCONF.search(code, *before) is None:
            yield use_at(CHECK, *asked.span(1))


def compiles_cuda(data: bytes) -> bool:
    """Whether a script that autoconf made writes a program with CUDA in it."""
    for begun in _CONFTEST.finditer(data):
        end = data.find(b"\n_ACEOF", begun.end(), begun.end() + _LONGEST)
        if end >= 0 and _OF_CUDA.search(data, begun.end(), end):
            return True
    return False


def _closed(code: bytes, at: int) -> int:
    """Where the bracket that opens at a place is closed."""
    depth = 0
    for one in _ROUND.finditer(code, at, at + _LONGEST):
        depth += 1 if one[0] == b"(" else -1
        if depth == 0:
            return one.end()
    return at
