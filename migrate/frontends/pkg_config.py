"""Files of pkg-config, `.pc` and their templates: the packages, options and folders that users of a library get.

Source: pkg-config(1), "METADATA FILE SYNTAX".
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {".pc": "pkgconfig", "*.pc.in": "pkgconfig", "*.pc.cmake": "pkgconfig"}
PART = "build"
TRIGGER = re.compile(rb"cuda|-l[ \t]*(?:nccl|cu|nv)|Requires.*(?:cu|nv|npp)", re.IGNORECASE)

_LINE = re.compile(
    rb"^[ \t]*(?:(?P<name>[\w.]+)[ \t]*=|(?P<field>[A-Z][\w.]*)[ \t]*:)(?P<value>(?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE
)
"""`name=value` or `Field: value`; a backslash at the end of a line goes on in the next."""
_PACKAGE = re.compile(
    rb"(?<![\w.-])(?:cuda|cudart|cu(?:blas|fft|fftw|rand|solver|sparse|File)|npp\w*|nvrtc|nvjpeg|nvjitlink|nvToolsExt)"
    rb"(?:-\d+(?:\.\d+)*)?(?![\w.-])"
)
_FOLDER = re.compile(rb"/usr/local/cuda(?:-[\d.]+)?(?P<below>/include|/lib64(?:/stubs)?|/lib)?(?![\w/.-])")
_TOOLKIT = re.compile(rb"@(?:CUDAToolkit_\w+|CUDA_\w+)@")
"""What CMake puts in from the package of CUDA, which a build for HIP does not look for."""


def parse(source: SourceFile) -> ProjectFile:
    """Read the fields and the variables."""
    found = [use for line in _LINE.finditer(source.data) for use in _uses(source.data, line)]
    return ProjectFile(source, sorted(found, key=lambda use: use.span))


def broken(data: bytes) -> int:
    """The bytes of lines that are neither a field, a variable, a comment nor blank."""
    rest = _LINE.sub(b"", data)
    return sum(len(line) for line in rest.splitlines() if line.strip() and line.lstrip()[:1] not in (b"#", b"@"))


def _uses(data: bytes, line: re.Match[bytes]) -> Iterator[Use]:
    span, field = Span(*line.span("value")), line["field"] or b""
    if field.startswith(b"Requires"):
        yield from (use_at("package of CUDA", *one.span()) for one in _PACKAGE.finditer(data, span.start, span.end))
    elif field in (b"Libs", b"Libs.private", b"Cflags", b"CFlags"):
        yield from compiler_options.uses(compiler_options.words(data, span.start, span.end), plain=True)
    if not field or field.startswith((b"Libs", b"C")):
        for one in _FOLDER.finditer(data, span.start, span.end):
            below = (one["below"] or b"").decode()
            yield use_at("/usr/local/cuda" + (below if below != "/lib64/stubs" else "/lib64"), *one.span())
        yield from (use_at("variable of CUDA", *one.span()) for one in _TOOLKIT.finditer(data, span.start, span.end))
