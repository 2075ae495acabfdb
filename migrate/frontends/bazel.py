"""Bazel files: rules for CUDA, repositories of the toolkit, choices by platform and compiler options.

Nothing is rewritten: which rules take their place is a choice of the project.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import bazel, compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {
    "BUILD": "bazel",
    "BUILD.bazel": "bazel",
    "WORKSPACE": "bazel",
    "WORKSPACE.bazel": "bazel",
    "MODULE.bazel": "bazel",
    ".bzl": "bazel",
}
PART = "build"
TRIGGER = re.compile(rb"cuda|nvcc|nccl|cudnn|" + compiler_options.MARKS, re.IGNORECASE)
"""What a Bazel file has some of if there is anything to find: names of CUDA's parts, or options that mean nvcc."""

_TOKEN = re.compile(
    rb"#[^\n]*|(?P<triple>'''.*?'''|\"\"\".*?\"\"\")|'(?P<single>(?:[^'\\\n]|\\.)*)'|\"(?P<double>(?:[^\"\\\n]|\\.)*)\""
    rb"|(?P<word>[A-Za-z_]\w*)(?P<call>\s*\()?",
    re.DOTALL,
)
"""A token of Starlark. Comments and texts in three quotes are matched to skip them; `call` is a word's `(`."""
_RULE = re.compile(
    r"(?:\w+_)?(?:cuda|gpu)_(?:library|binary|test|objects|kernel_library|cc_library|cc_test)$|cuda_toolkit$"
)
"""Rules that compile for GPUs: `cuda_library`, `tf_cuda_cc_test`, `gpu_kernel_library`, `cuda_toolkit`."""
_CHOICE = re.compile(r"(?:if_cuda\w*|if_not_cuda|cuda_default_copts|cuda_copts|cuda_configure|cuda_header_library)$")
"""Functions that choose by CUDA or bring its options: `if_cuda_is_configured`, `cuda_default_copts`."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = sorted(_uses(source.data), key=lambda use: (use.span, use.name))
    return ProjectFile(source, uses)


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _uses(data: bytes) -> Iterator[Use]:
    last = ""
    for match in _TOKEN.finditer(data):
        kind = next((name for name in ("single", "double", "word") if match[name] is not None), "")
        if not kind:
            continue
        text = match[kind].decode("utf-8", "replace")
        start, end = match.span(kind)
        if kind == "word":
            if match["call"] and last != "def" and (_RULE.match(text) or _CHOICE.match(text)):
                name = "cuda_library()" if _RULE.match(text) else "if_cuda()"
                yield use_at(name, start, end)
            last = text
            continue
        found = bazel.REPOSITORY.match(text)
        if found is not None or (last == "name" and text == "rules_cuda"):
            name = "@nccl" if "nccl" in text else "@cudnn" if "cudnn" in text else "@cuda"
            yield use_at(name, start, end)
        yield from compiler_options.uses(compiler_options.words(data, start, end), plain=True)
