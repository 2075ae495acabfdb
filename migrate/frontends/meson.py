"""Meson files: the language CUDA, the module for it, dependencies and compiler options.

Nothing is rewritten: Meson has no language HIP.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {"meson.build": "meson"}
PART = "build"
TRIGGER = re.compile(rb"cuda|nvcc|nccl|cudnn|" + compiler_options.MARKS, re.IGNORECASE)
"""Bytes that make a Meson file worth reading, in any case: `cuda`, `nvcc`, `nccl`, `cudnn` or an nvcc option."""

_TOKEN = re.compile(
    rb"#[^\n]*|'''.*?'''|'(?P<text>(?:[^'\\\n]|\\.)*)'|(?P<word>[A-Za-z_]\w*)|(?P<sign>[()\[\]:,.])", re.DOTALL
)
"""One token: a remark, a string of three quotes, a plain string with its escapes, a word or a sign."""
_CALLS = {"project": "language", "add_languages": "language", "import": "import", "dependency": "dependency"}
_LANGUAGE = ("language", "native")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = sorted(_uses(source.data), key=lambda use: (use.span, use.name))
    return ProjectFile(source, uses)


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _uses(data: bytes) -> Iterator[Use]:
    calls: list[str] = []
    last = key = ""
    opened = False
    for match in _TOKEN.finditer(data):
        kind, text = match.lastgroup or "", match[0].decode("utf-8", "replace")
        if kind == "word" and text in ("nvcc_arch_flags", "nvcc_arch_readable", "min_driver_version"):
            yield use_at("cuda." + text, match.start(), match.end())
        elif kind == "word" and text == "cuda_args":
            yield use_at(text, match.start(), match.end())
        elif kind == "text":
            yield from _string(data, match, calls[-1] if calls else "", "first" if opened else key)
        elif text == "(":
            calls.append(last)
        elif text == ")" and calls:
            calls.pop()
        key = last if text == ":" else key if kind == "text" or text in "[," else ""
        last = text if kind == "word" else last if text == ":" else ""
        opened = text == "("


def _string(data: bytes, match: re.Match[bytes], call: str, key: str) -> Iterator[Use]:
    text = match["text"].decode("utf-8", "replace")
    start, end = match.span("text")
    kind = _CALLS.get(call, "language" if key in _LANGUAGE else "")
    if kind in ("import", "dependency") and key != "first":
        kind = ""
    if kind and (text == "cuda" or (kind == "import" and text == "unstable-cuda")):
        yield use_at(f"{kind} cuda", start, end)
    elif kind == "dependency" and text in ("nccl", "cudnn", "nvtx", "cutensor"):
        yield use_at(f"{kind} {text}", start, end)
    yield from compiler_options.uses(compiler_options.words(data, start, end), plain=True)
