"""Macros of autoconf's that look for CUDA and that no file of the tree defines: they come from the machine that makes
`configure`, as those of the Autoconf Archive do, and look for CUDA whatever is converted here.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read

RULE = "build/configure-macro"
_DEFINES = re.compile(rb"\b(?:AC_DEFUN(?:_ONCE)?|AU_DEFUN|m4_define|define)[ \t]*\([ \t]*\[?(\w+)")


def without_own_macros(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on macros that a file of the tree defines: it is converted where that is."""
    if not any(one.rule == RULE for result in results for one in result.findings):
        return list(results)
    sources = (read(one.path) for one in results if one.language == "autotools" and one.skip is None)
    own = {name.decode() for source in sources if source is not None for name in _DEFINES.findall(source.data)}
    return [
        replace(
            one,
            findings=tuple(
                each for each in one.findings if each.rule != RULE or each.name.rpartition(" ")[2] not in own
            ),
        )
        if one.language == "autotools" and one.findings
        else one
        for one in results
    ]
