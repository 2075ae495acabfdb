"""Which compiler a project of Visual Studio gives its sources: `ClCompile` is the host's, `CudaCompile` is nvcc.

CUDA's rules for MSBuild call nvcc with `-x cu` for their items (`CUDA *.targets` of the toolkit). An item that is left
out of the build, or named by what only MSBuild knows, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.compilation.host_sources import HostRule, placed
from cudamigrate.lazy_re import re

ENDING = ".vcxproj"
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ITEM = re.compile(
    rb"<(?P<kind>ClCompile|CudaCompile)\b[^>]*?\bInclude\s*=\s*\"(?P<sources>[^\"]*)\"[^>]*?"
    rb"(?:/>|(?<!/)>(?P<inside>.*?)</(?P=kind)\s*>)",
    re.DOTALL,
)
_LEFT_OUT = re.compile(rb"<ExcludedFromBuild>\s*true\s*<", re.IGNORECASE)
_UNKNOWN = ("$(", "%(", "@(", "*", "?")
"""What only MSBuild knows the value of, and patterns."""


def rules(folder: str, data: bytes) -> Iterator[HostRule]:
    """The rules of a project in an absolute folder, one for each source."""
    for item in _ITEM.finditer(_COMMENT.sub(b"", data)):
        if item["inside"] is not None and _LEFT_OUT.search(item["inside"]):
            continue
        host = item["kind"] == b"ClCompile"
        for word in item["sources"].decode("utf-8", "replace").split(";"):
            source = word.strip().replace("\\", "/").removeprefix("./")
            if source and not any(sign in source for sign in _UNKNOWN):
                yield HostRule(*placed(folder, source), host, gpu=not host, cuda=not host, windows=True)
