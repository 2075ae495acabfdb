"""`$ENV{CUDA_HOME}/lib64` -> ROCm's folder from the environment, whose libraries are in `lib`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import library_files
from cudamigrate.syntax.project_file import ProjectFile

_LIBRARIES = re.compile(rb"\}/lib(64(?![\w.-])" + library_files.STUBS.encode() + rb")")
"""The folder of libraries behind the variable, `}/lib64`; no longer name (`/lib64-old`)."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The name of the variable, the first of the words, and the folder behind it."""
    folder = _LIBRARIES.match(parsed.data, use.span.end)
    more = [Edit(Span(*folder.span(1)), b"")] if folder is not None else []
    return [Edit(use.span, words[0].encode()), *more]
