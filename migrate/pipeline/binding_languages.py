"""Files of languages that call CUDA by bindings and are not read here: whether any of them names CUDA at all.

A wrapper in Java or C# around a library's own interface says nothing of CUDA. Only the first bytes of so many files are
looked at: where there are more, the language may name it.
"""

from __future__ import annotations

from pathlib import Path

from cudamigrate.lazy_re import re
from cudamigrate.model import NO_CUDA_NAMED, Inventory, Skip
from cudamigrate.project.file_access import read_head

_NAMES = re.compile(rb"(?i)cuda|nvidia|nvrtc|nvcc|cublas|cudnn|__global__|\bptx\b")
_OPENCL_NAMES = re.compile(rb"%b|\basm\b|__asm\b" % _NAMES.pattern)
"""OpenCL's own names of NVIDIA; an `asm` statement there holds PTX, as a rule."""
_MOST_FILES = 2_000
_MOST_BYTES = 1 << 18


def skips(inventory: Inventory) -> list[Skip]:
    """What was not read of each language, with how many files it has and whether any of them names CUDA."""
    root, found = Path(inventory.root), []
    for language, many in inventory.languages.items():
        paths = inventory.bound.get(language, ())
        silent = (
            "CUDA" not in language
            and len(paths) == many <= _MOST_FILES
            and not any(_names(root, path, _OPENCL_NAMES if language == "OpenCL" else _NAMES) for path in paths)
        )
        found.append(Skip(f"{many:,} {language}", "language", NO_CUDA_NAMED if silent else "no reader"))
    return found


def _names(root: Path, path: str, names: re.Pattern[bytes]) -> bool:
    """Whether a file names CUDA; one that cannot be read may."""
    try:
        head = read_head(root, path, _MOST_BYTES)
    except OSError:
        return True
    return len(head) == _MOST_BYTES or names.search(head) is not None
