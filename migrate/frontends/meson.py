"""Meson files: the language CUDA, the module for it, dependencies, libraries, nvcc as a program and compiler options.

Nothing is rewritten: Meson has no language HIP. What is beside a branch for HIP is for CUDA, and needs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import meson_lists, meson_ports
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {"meson.build": "meson"}
PART = "build"
TRIGGER = re.compile(
    rb"cuda|nvcc|nccl|cu(?:dnn|blas|fft|rand|sparse|solver|pti|file|tensor)|nvrtc|nvToolsExt|nvidia-ml|nvjpeg|nvcuvid|'npp|"
    + compiler_options.MARKS,
    re.IGNORECASE,
)
"""Bytes that make a Meson file worth reading, in any case: `cuda`, `nvcc`, a library of CUDA's or an nvcc option."""

_TOKEN = re.compile(
    rb"#[^\n]*|'''.*?'''|'(?P<text>(?:[^'\\\n]|\\.)*)'|(?P<word>[A-Za-z_]\w*)|(?P<sign>[()\[\]:,.])", re.DOTALL
)
"""One token: a remark, a string of three quotes, a plain string with its escapes, a word or a sign."""
_CALLS = {
    "project": "language",
    "add_languages": "language",
    "import": "import",
    "dependency": "dependency",
    "find_library": "library",
}
_LANGUAGE = ("language", "native")
_LIBRARY = re.compile(
    r"(?:lib)?(?:cu(?:da|dart|dadevrt|blas|blasLt|fft|fftw|rand|sparse|solver|dnn|pti|file|tensor)|nccl|nvrtc|nvToolsExt|nvidia-ml"
    r"|nvjpeg|nvcuvid|npp\w{1,4})(?:_static)?"
)
"""A library of CUDA's, as the compiler is asked for it: `cudart`, `cublas_static`, `nppi`."""
_NVCC = re.compile(r"(?:[^\s:]*/)?nvcc")
"""nvcc by its name or path, wherever it becomes the name of a program."""
_FOLDER = re.compile(r"(?:/usr/local|/opt)/cuda(?:-[\d.]+)?(?:/[\w./-]*)?")
"""A folder of CUDA's toolkit, where a system has it."""
_SAYS = ("get_option", "message", "warning", "error", "summary")
"""Calls whose words name an option or are text."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    for_cuda = meson_ports.of_cuda(source.data)
    uses = (use for use in _uses(source.data) if not for_cuda.touching(use.span.start, use.span.start + 1))
    return ProjectFile(source, sorted(uses, key=lambda use: (use.span, use.name)))


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _uses(data: bytes) -> Iterator[Use]:
    calls: list[str] = []
    last = key = ""
    opened, of_nvcc = False, meson_lists.of_nvcc(data)
    for match in _TOKEN.finditer(data):
        kind, text = match.lastgroup or "", match[0].decode("utf-8", "replace")
        if kind == "word" and text in ("nvcc_arch_flags", "nvcc_arch_readable", "min_driver_version"):
            yield use_at("cuda." + text, match.start(), match.end())
        elif kind == "word" and text == "cuda_args":
            yield use_at(text, match.start(), match.end())
        elif kind == "text":
            is_nvccs = match.start("text") in of_nvcc
            yield from _string(data, match, calls[-1] if calls else "", "first" if opened else key, is_nvccs)
        elif text == "(":
            calls.append(last)
        elif text == ")" and calls:
            calls.pop()
        key = last if text == ":" else key if kind == "text" or text in "[," else ""
        last = text if kind == "word" else last if text == ":" else ""
        opened = text == "("


def _string(data: bytes, match: re.Match[bytes], call: str, key: str, is_nvccs: bool) -> Iterator[Use]:
    text = match["text"].decode("utf-8", "replace")
    start, end = match.span("text")
    name = _of_call(call, key, text) or _by_itself(call, text)
    if name:
        yield use_at(name, start, end)
    yield from compiler_options.uses(compiler_options.words(data, start, end), plain=not is_nvccs)


def _of_call(call: str, key: str, text: str) -> str:
    """The name of the use that a string is by the call whose argument it is; empty where it is none."""
    kind = _CALLS.get(call, "language" if key in _LANGUAGE else "")
    if kind in ("import", "dependency", "library") and key != "first":
        return ""
    if kind == "library":
        return "find library" if _LIBRARY.fullmatch(text) else ""
    if kind and (text == "cuda" or (kind == "import" and text == "unstable-cuda")):
        return f"{kind} cuda"
    return f"{kind} {text}" if kind == "dependency" and text in ("nccl", "cudnn", "nvtx", "cutensor") else ""


def _by_itself(call: str, text: str) -> str:
    """The name of the use that a string is wherever it is given to something that acts on it."""
    if call in _SAYS:
        return ""
    return "program nvcc" if _NVCC.fullmatch(text) else "folder of cuda" if _FOLDER.fullmatch(text) else ""
