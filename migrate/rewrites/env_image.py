"""An image made for CUDA becomes ROCm's for the same distribution, or ROCm's of the framework that the rule names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import rocm
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.rulebase.rocm_releases import image
from cudamigrate.syntax.project_file import ProjectFile

_DISTRIBUTION = re.compile(r"-(ubuntu\d\d\.\d\d)(?:-|$)")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The whole image, where one is known; an image that is held to a digest is left."""
    tag = use.name.partition(":")[2]
    match = _DISTRIBUTION.search(tag)
    kind = words[0] if words else match[1] if match is not None else ""
    if not kind or "@" in use.name:
        return []
    new = image(rocm(parsed), kind, "-base" not in tag)
    return [Edit(use.span, new.encode())] if new else []
