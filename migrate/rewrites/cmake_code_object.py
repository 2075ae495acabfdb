"""nvcc's option for a file of machine code, in a command line of CMake's -> the options of clang, which it calls.

`--genco` is hipcc's own. clang takes a source that ends in `.cu` for CUDA unless an option says the language, and
without a GPU named it compiles for one of its choice, where nvcc's PTX runs on any.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile

_NAMED = re.compile(rb"-arch\b|gpu-architecture|gencode|generate-code")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The words, and the GPUs aimed at where the command names none; nothing behind the source, which `-x` precedes."""
    before = parsed.data[use.extent.start : use.span.start]
    line = before[before.rfind(b"COMMAND") :]
    if re.search(rb"\.cu\b", line):
        return []
    named = _NAMED.search(parsed.data, use.extent.start, use.extent.end) is not None
    gpus = [] if named else [f"--offload-arch={gpu}" for gpu in parsed.target.arch]
    return [Edit(use.span, " ".join([*words, *gpus]).encode())]
