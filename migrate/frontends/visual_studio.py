"""Projects of Visual Studio that compile CUDA code by the rules which CUDA's toolkit gives MSBuild.

Nothing is rewritten: HIP SDK for Windows has rules of its own, in an extension of Visual Studio. One place is found.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {".vcxproj": "visual-studio"}
PART = "build"
TRIGGER = re.compile(rb"CudaCompile|\bCUDA [\w.$()]+\.(?:props|targets)")
"""Bytes that make a project worth reading."""
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_BUILT = re.compile(
    rb"<Import\b[^>]*?\bProject\s*=\s*\"[^\"]*?(?P<rules>\bCUDA [\w.$()]+\.(?:props|targets))\""
    rb"|<(?P<compiled>CudaCompile)\b(?=[^>]*?\bInclude\s*=)"
)
"""The rules of a release of CUDA's, `CUDA 12.3.props`, or a source that they compile."""
NAME = "project of visual studio with CUDA"


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    code = _COMMENT.sub(lambda match: b" " * len(match[0]), source.data)
    match = _BUILT.search(code)
    if match is None:
        return ProjectFile(source)
    return ProjectFile(source, [use_at(NAME, *match.span(match.lastgroup or 0))])


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0
