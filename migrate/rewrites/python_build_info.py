"""Keys of `tf.sysconfig.get_build_info()` that ROCm builds lack: reported where they are its subscripts."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """True for a subscript in a file that asks TensorFlow for its build."""
    data = parsed.data
    before = data[max(0, use.extent.start - 40) : use.extent.start].rstrip()
    return b"get_build_info" in data and before.endswith((b"get_build_info()[", b"info["))


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Nothing."""
    return []
