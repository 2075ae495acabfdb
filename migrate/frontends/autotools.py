"""Configure scripts and what they are made from: nvcc, CUDA's folders, options of nvcc, and checks for CUDA's parts.

`configure.ac`, m4 macros and the `configure` that a release ships, or that somebody wrote as a shell script, are read
line by line without comments. Variables keep their names, as Makefiles get them by these. A variable is taken for the
folder of the CUDA toolkit where a path of the toolkit follows it, or is its value. A script that knows hipcc or an
option for HIP has one use, which says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {
    "configure.ac": "autotools",
    "configure.in": "autotools",
    "configure": "autotools",
    "configure.sh": "autotools",
    ".m4": "autotools",
}
PART = "build"
TRIGGER = re.compile(rb"nvcc|cuda|nvidia-smi|" + compiler_options.MARKS, re.IGNORECASE)
"""Bytes that make a configure script worth reading, in any case: `nvcc`, `cuda`, `nvidia-smi` or an option of nvcc."""

_COMMENT = re.compile(rb"(?:^|(?<=[ \t]))(?:#(?![!])|dnl\b)[^\n]*", re.MULTILINE)
"""`# ...` or `dnl ...` up to the end of the line; in a script also after a blank."""
_PORTED = re.compile(rb"(?<![\w-])hipcc\b|(?:with|enable)[-_](?:hip|rocm)\b|AC_ARG_(?:WITH|ENABLE)\(\[?(?:hip|rocm)\b")
"""What shows that HIP is configured already: hipcc, `--with-rocm`, `enable_hip`."""
_VARIABLE = rb"\$(?:\{(?P<braced>\w+)\}|(?P<bare>\w+))"
_ANY_VARIABLE = re.compile(_VARIABLE)
_ROOT = rb"(?:/usr/local|/opt)/cuda(?:-\d+(?:\.\d+)?)?(?![\w.-])"
_IN_TOOLKIT = re.compile(
    _VARIABLE + rb"/(?:bin/(?:nvcc|cuda-gdb|ptxas)\b|include/(?:cuda|cublas|cufft)\w*\.h\b|targets/x86_64-linux\b)"
)
"""A variable before a path of the toolkit: `$with_cuda/bin/nvcc`, `${path}/include/cuda.h`."""
_IS_ROOT = re.compile(rb"(?<![\w-])(\w+)=[\"']?" + _ROOT + rb"/?[\"']?\s*$", re.MULTILINE)
"""A variable whose value is a folder of the toolkit: `cuda_path="/usr/local/cuda"`."""
_COPIED = re.compile(rb"(?<![\w-])(\w+)=[\"']?\$\{?(\w+)\}?/?[\"']?\s*$", re.MULTILINE)
_BELOW = re.compile(rb"/(targets/x86_64-linux/lib|targets/x86_64-linux/include|lib64|lib\$\{?\w+\}?)(?![\w-])")
"""A folder of libraries after the toolkit's, `lib$SUFFIX` too, or that of a platform's headers."""
_HEADER = re.compile(rb"/include/(cuda_runtime(?:_api)?\.h|cuda\.h)(?![\w.])")
_INCLUDE = re.compile(rb"-I[ \t]*(?:" + _VARIABLE + rb"|" + _ROOT + rb")(?:/targets/x86_64-linux)?/include/?(?![\w/])")
_NAMED = re.compile(
    rb"(?P<version>(?:(?<![\w$.-])nvcc|\$\{?\w*(?i:nvcc)\w*\}?)[\"']?[ \t]+(?:--version|-V)\b)"
    rb"|(?P<compiler>(?<![\w$.{-])nvcc(?![\w.=-]))"
    rb"|(?P<path>" + _ROOT + rb")"
    rb"|(?P<asking>(?<![\w.$-])(?:nvidia-smi|deviceQuery)(?![\w.-]))"
)
"""The compiler, also `nvcc --version`, a folder of the toolkit by its path, or a program that asks for the GPU."""
_CHECK = re.compile(
    rb"\b(AC_(?:CHECK_LIB|SEARCH_LIBS|CHECK_HEADERS?|CHECK_FUNCS?|CHECK_TYPES?|CHECK_DECLS?))[ \t]*\([\[\s\"']*"
    rb"(lib)?(cuda(?:rt)?|cu(?:blas|fft|rand|sparse|solver|dnn)|nccl|nvrtc|cuda\w*\.h|cu(?:blas|fft|rand|dnn)\w*\.h"
    rb"|cuda[A-Z]\w+|cu[A-Z]\w+)(?![\w.])"
)
"""A check of autoconf's for a library, header or function of CUDA's."""
_ENVIRONMENT = re.compile(
    rb"\$\{?(CUDA_PATH|CUDA_HOME|CUDA_ROOT|CUDA_DIR|CUDA_INSTALL_PATH|CUDA_TOOLKIT_PATH|CUDAHOME|CUDADIR)\b"
)
_ASSIGNED = re.compile(rb"(?<![\w-])(\w+)\+?=")
_PIECE = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\"'\n]+")
"""What is in quotes, or between them, on one line."""
_CALLED = re.compile(rb"\$\{?\w*nvcc\}?[ \t]", re.IGNORECASE)
_FLAGS = re.compile(rb"(?:nvcc|cuda_?(?:cc|nvcc))\w*flags\w*\+?=[\"']?\Z", re.IGNORECASE)
"""What is before options that nvcc alone gets: `NVCCFLAGS="`, or `$NVCC` and a blank."""
_LONGEST_NAME = 200


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    parsed = ProjectFile(source)
    code = _COMMENT.sub(lambda found: b" " * len(found[0]), source.data)
    uses = sorted(dict.fromkeys(_uses(code)), key=lambda use: (use.span, use.name))
    known = _PORTED.search(code)
    if known is not None and uses:
        parsed.ported = True
        uses = [use_at("hip-configure", *known.span())]
    parsed.uses = uses
    return parsed


def broken(data: bytes) -> int:
    """Words are replaced by words: what was closed stays closed."""
    return 0


def _uses(code: bytes) -> Iterator[Use]:
    folders = _folders(code)
    yield from _options(code)
    for match in _NAMED.finditer(code):
        kind = match.lastgroup or ""
        name = {"compiler": "nvcc", "path": "/usr/local/cuda", "version": "nvcc --version"}.get(kind, "GPU by asking")
        yield use_at(name, *match.span(kind))
        if kind == "path":
            yield from _below(code, match.end())
    for match in _ANY_VARIABLE.finditer(code):
        if (match["braced"] or match["bare"]) in folders:
            yield from _below(code, match.end())
    for match in _INCLUDE.finditer(code):
        if (match["braced"] or match["bare"] or b"") in {b"", *folders}:
            yield use_at("include of CUDA", *match.span())
    for check in _CHECK.finditer(code):
        yield use_at(f"{check[1].decode()} of CUDA", *check.span(3))
    own = set(_ASSIGNED.findall(code))
    asked = {match[1]: match.span(1) for match in reversed(list(_ENVIRONMENT.finditer(code))) if match[1] not in own}
    for variable, place in asked.items():
        yield use_at(variable.decode(), *place)


def _folders(code: bytes) -> frozenset[bytes]:
    """The variables that hold the folder of the CUDA toolkit."""
    found = {match["braced"] or match["bare"] for match in _IN_TOOLKIT.finditer(code)}
    found.update(_IS_ROOT.findall(code))
    found.update(match[1] for match in _ENVIRONMENT.finditer(code))
    pairs = _COPIED.findall(code)
    while more := {name for name, other in pairs if other in found} - found:
        found |= more
    return frozenset(found)


def _below(code: bytes, at: int) -> Iterator[Use]:
    """What follows a folder of the toolkit: the folder of its libraries, or one of its headers."""
    below = _BELOW.match(code, at)
    if below is not None:
        yield use_at("targets of CUDA" if below[1].endswith(b"include") else "lib64 of CUDA", *below.span(1))
        at = below.end(1) - len("/include") if below[1].endswith(b"include") else at
    header = _HEADER.match(code, at)
    if header is not None:
        yield use_at("path of cuda_runtime.h", *header.span(1))


def _options(code: bytes) -> Iterator[Use]:
    """Options that mean nvcc whatever is around them, and all that nvcc alone gets."""
    called = [one.end() for one in _CALLED.finditer(code)]
    for piece in _PIECE.finditer(code):
        start, end = piece.span()
        if code[start : start + 1] in (b'"', b"'"):
            start, end = start + 1, end - 1
        line = code.rfind(b"\n", 0, piece.start()) + 1
        nearest = bisect_right(called, start) - 1
        by_call = nearest >= 0 and called[nearest] > line
        plain = not by_call and _FLAGS.search(code, max(line, start - _LONGEST_NAME), start) is None
        yield from compiler_options.uses(compiler_options.words(code, start, end), plain=plain)
