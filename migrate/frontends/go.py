"""Go: whether a file includes a header of CUDA or links a library of CUDA's by cgo.

Nothing is rewritten, one place stands for a file, and no Go is read: what is read is the comment before `import "C"`,
which is C, with options for the compiler and the linker. A file that includes HIP's headers too is ported already.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import cuda_functions
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {".go": "go"}
PART = "code"
TRIGGER = re.compile(rb"^(?:import[ \t]+|[ \t]+)\"C\"", re.MULTILINE)
"""The import that the comment before it belongs to, alone or in a list."""

_IMPORT = re.compile(rb"(?:import[ \t]+|[ \t]+)\"C\"[ \t]*(?:;|//|/\*|$)")
_INCLUDE = re.compile(rb"[ \t]*#[ \t]*include[ \t]*[<\"](?P<header>[^>\"\n]+)[>\"]")
_OPTIONS = re.compile(rb"[ \t]*#cgo[ \t][^:\n]*\b(?:(?P<links>LDFLAGS)|pkg-config)[ \t]*:(?P<words>[^\n]*)")
_LIBRARY = re.compile(
    rb"(?:cuda|cudart(?:_static)?|cu(?:blas(?:Lt)?|fftw?|rand|sparse|solver|dnn|pti|tensor|file)|nccl|nvrtc|nvidia-ml)"
)
_PACKAGE = re.compile(_LIBRARY.pattern + rb"(?:-[\d.]+)?")
_WORD = re.compile(rb"[^\s,\"']+")
_OF_HIP = re.compile(rb"hip/|hip(?:blas|fft|rand|sparse|solver)[/.]|roc(?:blas|fft|rand|sparse|solver)[/.]|rccl[/.]")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    lines = list(_preamble(source.data))
    headers = [match for at, end in lines if (match := _INCLUDE.match(source.data, at, end)) is not None]
    if any(_OF_HIP.match(match["header"]) for match in headers):
        return ProjectFile(source, [])
    uses = [use_at("header by cgo", *one.span("header")) for one in headers if _is_cuda(one["header"])]
    uses += [use for at, end in lines for use in _libraries(source.data, at, end)]
    return ProjectFile(source, uses[:1])


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _is_cuda(header: bytes) -> bool:
    return cuda_functions.HEADER.fullmatch(header) is not None


def _libraries(data: bytes, at: int, end: int) -> Iterator[Use]:
    """The libraries of CUDA that a line names: `#cgo linux LDFLAGS: -lcuda`, `#cgo pkg-config: cudart-12.4`."""
    options = _OPTIONS.match(data, at, end)
    for word in _WORD.finditer(data, *options.span("words")) if options is not None else ():
        given, is_link = word[0], options is not None and options["links"] is not None
        named = _LIBRARY.fullmatch(given, 2) if is_link and given.startswith(b"-l") else None
        if named is not None or (not is_link and _PACKAGE.fullmatch(given) is not None):
            yield use_at("library by cgo", *word.span())


def _preamble(data: bytes) -> Iterator[tuple[int, int]]:
    """The lines of C before each `import "C"`, without the signs of comments: where each begins and ends."""
    held: list[tuple[int, int]] = []
    at, in_block = 0, False
    for line in data.splitlines(keepends=True):
        end = at + len(line.rstrip())
        text = line.lstrip(b" \t")
        begin = at + len(line) - len(text)
        if in_block or text.startswith(b"/*"):
            held.append((at if in_block else begin + 2, end))
            in_block = b"*/" not in data[at if in_block else begin + 2 : end]
        elif text.startswith(b"//"):
            held.append((begin + 2, end))
        else:
            if _IMPORT.match(line.rstrip()) is not None:
                yield from held
            held = []
        at += len(line)
