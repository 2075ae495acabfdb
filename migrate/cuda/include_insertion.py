"""Where a header may be added to a file, and the edit that adds it.

Result: one insertion before or after the leading include block, or where it would be: after `#pragma once` or the
include guard, else before the first line that is not a comment. Never inside an `extern "C"` block or a namespace, and
inside a conditional only with others of a library, all names of which are used under the same condition.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from cudamigrate.cuda.include_paths import STANDARD
from cudamigrate.cuda.preprocessor import CONDITIONS, include_guard, switches_of
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span

if TYPE_CHECKING:  # what is asked for the end of a line alone needs no parser
    from cudamigrate.cuda.parsed_file import Include, ParsedFile

RUNTIME_HEADER = "cudamigrate_hip.h"
"""The header of our own; it is put at the root of the converted tree, or where users of its headers get it."""
PTX_HEADER = "cudamigrate_ptx.h"
"""A second one, for code that was inline PTX; it includes the first."""
GROUPS_HEADER = "cudamigrate_groups.h"
"""A third, for cooperative groups; it includes the first too."""
MATH_HEADER = "cudamigrate_math.h"
"""Arithmetic functions that HIP lacks; it includes that for PTX."""
BF16_HEADER = "cudamigrate_bf16.h"
"""Conversions of bfloat16 that HIP lacks; it includes that for PTX."""
MATRIX_HEADER = "cudamigrate_mma.h"
"""Products of matrices by a warp; it includes that for PTX and the one about AMD's matrix instructions."""
CORES_HEADER = "cudamigrate_matrix_cores.h"
"""AMD's matrix instructions, under the one for products."""
SPARSE_HEADER = "cudamigrate_sparse.h"
"""Products of sparse matrices; it includes the one for products."""
WMMA_HEADER = "cudamigrate_wmma.h"
"""Warp matrix functions; it includes the one for products."""
NVTX_HEADER = "cudamigrate_nvtx.h"
"""Ranges and marks with attributes, by ROCTx; it includes none of the others."""
BLAS_HEADER = "cudamigrate_blas.h"
"""What calls of cuBLAS take and those of hipBLAS do not; it includes none of the others."""
PORTABLE_HEADER = "cudamigrate_portable.h"
"""The names of CUDA that a repository uses, given to HIP; it is made for each repository."""
OWN_HEADERS = (
    RUNTIME_HEADER,
    PTX_HEADER,
    GROUPS_HEADER,
    MATH_HEADER,
    BF16_HEADER,
    MATRIX_HEADER,
    CORES_HEADER,
    SPARSE_HEADER,
    WMMA_HEADER,
    NVTX_HEADER,
    BLAS_HEADER,
)
_FIRST = "hip/hip_runtime.h"
_MAGICS = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:%%[A-Za-z][^\n]*(?:\n|\Z))+")
"""Magics of a notebook's cell: `%%writefile a.cu`, `%%cuda`. No line of C++ begins so."""
_ADDED = re.compile(rb"#include <([^<>\n]+)>")
_OF_CPP = re.compile(r"[a-z_0-9]+")
"""A header of the C++ library: `cassert`."""
_COMPILERS = frozenset(("__CUDACC__", "__NVCC__", "__HIPCC__"))
"""Macros that a compiler for GPUs defines in both of its passes."""
_AT_RUN_TIME = (b"__CUDACC_RTC__", b"__HIPCC_RTC__")
NOT_AT_RUN_TIME = b"#if !defined(__HIPCC_RTC__)"


def beside(parsed: ParsedFile, header: str) -> Edit:
    """Include a library's header after the includes in angle brackets that come before the first in quotes."""
    includes = block(parsed)
    leading = list(itertools.takewhile(lambda include: not include.quoted, includes))
    if not leading or len(leading) == len(includes):
        return addition(parsed, header)
    at = parsed.data.find(b"\n", leading[-1].line.end) + 1
    return Edit(Span(at, at), f"#include <{header}>".encode() + newline(parsed.data))


def newline(data: bytes) -> bytes:
    """The line end that the file uses, by its first line."""
    at = data.find(b"\n")
    return b"\r\n" if at > 0 and data[at - 1] == 13 else b"\n"


def block(parsed: ParsedFile) -> list[Include]:
    """The unconditional includes that are before any code."""
    first = parsed.once(_first_code)
    return [include for include in parsed.includes if not include.conditional and include.line.start < first]


def addition_for(parsed: ParsedFile, header: str) -> Edit:
    """The edit that includes a library's header under the condition that all uses of the library's names have.

    A header that the host's compiler reads too, without the library's folder, then stays as it was for it. Where the
    names are used under no common condition, it is included as any other header.
    """
    library = header.partition("/")[0]
    among = [one for one in parsed.includes if one.path.partition("/")[0] == library]
    is_asked = "/" in header and library != "hip" and bool(parsed.branches)
    uses = parsed.lexed.words(frozenset((library.encode(),))) if is_asked else ()
    around = [_conditions(parsed, one) for one in uses if parsed.lexed.directive_at(one) is None]
    if not around or not all(one.conditional for one in among):
        return addition(parsed, header)
    common, first = frozenset.intersection(*around), parsed.once(_first_code)
    for include in reversed(among):
        if include.line.start < first and _conditions(parsed, include.line.start) <= common:
            at, end = _next_line(parsed.data, include.line.end), newline(parsed.data)
            return Edit(Span(at, at), f"#include <{header}>".encode() + end)
    plain, end = addition(parsed, header), newline(parsed.data)
    if _COMPILERS.isdisjoint(switches_of(one[-1] for one in common if one)):
        return plain
    line = plain.replacement.strip()
    return Edit(plain.span, plain.replacement.replace(line, end.join((b"#ifdef __HIPCC__", line, b"#endif"))))


def _conditions(parsed: ParsedFile, offset: int) -> frozenset[tuple[bytes, ...]]:
    """What is asked around a place, each time with what the branches before it ask."""
    return frozenset(one.conditions for one in parsed.branches_around(offset))


def addition(parsed: ParsedFile, header: str) -> Edit:
    """The edit that includes `header` once; identical edits of several fixes count once when applied.

    A header of our own is named relative to the file, so that no include path has to be set for it. HIP's runtime
    header comes before all others, as nvcc has its own read first: headers of a project rely on it, and clang takes
    what `<cstring>` declares for device code only where HIP's header was read before. A file that asks whether it is
    compiled at run time leaves it out there: hipRTC has all of it built in, and finds no headers.
    """
    end = newline(parsed.data)
    up = "../" * parsed.source.path.count("/")
    line = b"#include " + (f'"{up}{header}"' if header in (*OWN_HEADERS, PORTABLE_HEADER) else f"<{header}>").encode()
    if _is_built_in(header) and parsed.once(asks_for_run_time):
        line = _for_hipcc(line, end)
    offset, after_line = _point(parsed, header == _FIRST)
    if not after_line or parsed.data.endswith(b"\n", 0, offset):
        return Edit(Span(offset, offset), line + end)
    return Edit(Span(offset, offset), end + line)


def at_head(parsed: ParsedFile, header: str, alone: bool = False) -> Edit:
    """The edit that includes a header before all other directives but a guard; `alone` is for hipcc alone."""
    end = newline(parsed.data)
    line = f"#include <{header}>".encode()
    line = end.join((b"#ifdef __HIPCC__", line, b"#endif")) if alone else line
    offset, after_line = _head(parsed)
    if not after_line or parsed.data.endswith(b"\n", 0, offset):
        return Edit(Span(offset, offset), line + end)
    return Edit(Span(offset, offset), end + line)


def _for_hipcc(line: bytes, end: bytes) -> bytes:
    """A line that hipRTC does not read."""
    return end.join((NOT_AT_RUN_TIME, line, b"#endif"))


def for_hipcc_alone(edit: Edit) -> Edit:
    """An edit that adds HIP's runtime header, or one of C or C++, with the condition that hipcc compiles.

    Any other edit as it is.
    """
    line = edit.replacement.strip()
    named = _ADDED.fullmatch(line)
    if edit.span.start != edit.span.end or named is None or not _is_built_in(named[1].decode()):
        return edit
    end = b"\r\n" if b"\r" in edit.replacement else b"\n"
    return Edit(edit.span, edit.replacement.replace(line, _for_hipcc(line, end)))


def _is_built_in(header: str) -> bool:
    """Whether hipRTC has what a header declares, or nothing of it, and finds no such header."""
    return header == _FIRST or header in STANDARD or _OF_CPP.fullmatch(header) is not None


def is_addition(edit: Edit) -> bool:
    """Whether an edit only includes a header."""
    return edit.replacement.lstrip().startswith((b"#include", NOT_AT_RUN_TIME))


def asks_for_run_time(parsed: ParsedFile) -> bool:
    """Whether a condition of a file asks for the compilers of text at run time."""
    asked = (one for one in parsed.lexed.directives if one.name in CONDITIONS)
    return b"CC_RTC__" in parsed.data and any(
        mark in parsed.data[one.start : one.end] for one in asked for mark in _AT_RUN_TIME
    )


def _point(parsed: ParsedFile, first: bool) -> tuple[int, bool]:
    """Offset of the start of a line, and whether something must be before it; `first` is before other includes."""
    found = block(parsed)
    defined = _first_definition(parsed)
    found = [include for include in found if include.line.start < defined] or found
    if found and first:
        start = parsed.data.rfind(b"\n", 0, found[0].line.start) + 1
        return (3 if start == 0 and parsed.data.startswith(b"\xef\xbb\xbf") else start), False
    if found:
        return _next_line(parsed.data, found[-1].line.end), True
    return _head(parsed)


def _head(parsed: ParsedFile) -> tuple[int, bool]:
    """The same where no include is asked for: behind a guard, else before the first line that is no comment."""
    guard = include_guard(parsed.lexed)
    if guard is not None:
        define = next(d for d in parsed.lexed.directives if d.start > guard[0].start)
        return _next_line(parsed.data, define.end), True
    for directive in parsed.lexed.directives:
        if directive.name == "pragma" and directive.argument(parsed.data) == b"once":
            return _next_line(parsed.data, directive.end), True
    token = parsed.lexed.token(_magics_end(parsed))
    start = token.start if token is not None else len(parsed.data)
    line = parsed.data.rfind(b"\n", 0, start) + 1
    bom = 3 if parsed.data.startswith(b"\xef\xbb\xbf") else 0
    return max(line, bom), False


def _magics_end(parsed: ParsedFile) -> int:
    """Where the first lines end that are for a notebook, of a file copied out of one: they have to come first there."""
    magics = _MAGICS.match(parsed.data)
    return 0 if magics is None else magics.end()


def _first_definition(parsed: ParsedFile) -> int:
    """Offset of the first macro that is no include guard: includes after it may be pieces of code that it works on."""
    guard = include_guard(parsed.lexed)
    after = guard[0].start if guard is not None else -1
    own = next((one.start for one in parsed.lexed.directives if after >= 0 and one.start > after), -1)
    starts = (one.start for one in parsed.lexed.directives if one.name == "define" and one.start != own)
    return next(starts, len(parsed.data))


def _next_line(data: bytes, offset: int) -> int:
    at = data.find(b"\n", offset)
    return len(data) if at < 0 else at + 1


def _first_code(parsed: ParsedFile) -> int:
    """Offset of the first token outside directives, behind what is for a notebook."""
    token = parsed.lexed.token(_magics_end(parsed))
    while token is not None:
        directive = parsed.lexed.directive_at(token.start)
        if directive is None:
            return token.start
        token = parsed.lexed.token(directive.end)
    return len(parsed.data)
