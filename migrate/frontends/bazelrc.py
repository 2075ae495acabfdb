"""Bazel's settings files: what sets a build up for CUDA, and compiler options. Nothing is rewritten, as in Bazel files.

A section of a file that has settings for ROCm too is chosen by who builds: what it holds for CUDA is in its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import bazel, compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {"*.bazelrc": "bazelrc"}
PART = "build"
TRIGGER = re.compile(rb"cuda|nvcc|nccl|cudnn|tensorrt|" + compiler_options.MARKS, re.IGNORECASE)
"""What such a file has some of if there is anything to find: names of CUDA's parts, or options that mean nvcc."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = sorted(_uses(source.data), key=lambda use: (use.span, use.name))
    return ProjectFile(source, uses)


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _uses(data: bytes) -> Iterator[Use]:
    found = bazel.options(data)
    named = bazel.aliases(found)
    chosen = any(map(bazel.is_for_rocm, found))
    for one in found:
        if chosen and one.section:
            continue
        if bazel.is_for_cuda(one, named):
            yield use_at("bazelrc()", one.span.start, one.span.end)
        if one.name.endswith(("copt", "copts", "linkopt")) or bazel.compiler_options([one], named):
            yield from compiler_options.uses(compiler_options.words(data, one.inner.start, one.inner.end), plain=True)
