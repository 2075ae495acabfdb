"""Which compiler a project of Visual Studio gives its sources: `ClCompile` is the host's, `CudaCompile` is nvcc.

CUDA's rules for MSBuild call nvcc with `-x cu` for their items (`CUDA *.targets` of the toolkit). An item that is left
out of the build, or named by what only MSBuild knows, says nothing. Projects of Visual Studio 2008 and before name each
file with what its configurations do otherwise: a command of its own, or a rule of the toolkit's (`*.rules`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cudamigrate.compilation.host_sources import HostRule, placed
from cudamigrate.lazy_re import re

ENDING, OLD_ENDING = ".vcxproj", ".vcproj"
ENDINGS = (ENDING, OLD_ENDING)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ITEM = re.compile(
    rb"<(?P<kind>ClCompile|CudaCompile)\b[^>]*?\bInclude\s*=\s*\"(?P<sources>[^\"]*)\"[^>]*?"
    rb"(?:/>|(?<!/)>(?P<inside>.*?)</(?P=kind)\s*>)",
    re.DOTALL,
)
_LEFT_OUT = re.compile(rb"<ExcludedFromBuild>\s*true\s*<", re.IGNORECASE)
_UNKNOWN = ("$(", "%(", "@(", "*", "?")
"""What only MSBuild knows the value of, and patterns."""


_TAG = re.compile(rb"<(?P<end>/?)(?P<name>File|FileConfiguration|Tool|Configuration)\b(?P<said>[^<>]*)>")
"""A tag that counts in a project of Visual Studio 2008; a `>` in a value is written `&gt;` there."""
_PATH = re.compile(rb"\bRelativePath\s*=\s*\"(?P<source>[^\"]*)\"")
_EXCLUDED = re.compile(rb"\bExcludedFromBuild\s*=\s*\"true\"", re.IGNORECASE)
_CUDA_RULE = re.compile(rb"\bName\s*=\s*\"[^\"]*\bcuda(?:rt)?\b[^\"]*\"", re.IGNORECASE)
_COMMAND = re.compile(rb"\bCommandLine\s*=\s*\"(?P<line>[^\"]*)\"")
_NVCC, _AS_CUDA = re.compile(rb"\bnvcc(?:\.exe)?\b", re.IGNORECASE), re.compile(rb"(?<!\S)--?x[ =]?cu(?!\S)")
_OF_HOST = (".c", ".cc", ".cpp", ".cxx", ".c++")
_Who = tuple[bool, bool, bool]
"""Whether the host's compiler gets a source, the one for GPUs does, and that takes it for CUDA."""


def rules(folder: str, data: bytes, old: bool = False) -> Iterator[HostRule]:
    """The rules of a project in an absolute folder, one for each source; `old` is one of Visual Studio 2008."""
    if old:
        yield from _old_rules(folder, _COMMENT.sub(b"", data))
        return
    for item in _ITEM.finditer(_COMMENT.sub(b"", data)):
        if item["inside"] is not None and _LEFT_OUT.search(item["inside"]):
            continue
        host = item["kind"] == b"ClCompile"
        for word in item["sources"].decode("utf-8", "replace").split(";"):
            source = word.strip().replace("\\", "/").removeprefix("./")
            if source and not any(sign in source for sign in _UNKNOWN):
                yield HostRule(*placed(folder, source), host, gpu=not host, cuda=not host, windows=True)


class _Configuration(NamedTuple):
    """What a configuration says of a file: the text of its tag, and those of the tools in it."""

    said: bytes
    tools: list[bytes]


def _old_rules(folder: str, data: bytes) -> Iterator[HostRule]:
    """Those of files whose configurations agree on the compiler."""
    count, source, found = 0, "", list[_Configuration]()
    for tag in _TAG.finditer(data):
        name, ends = tag["name"], bool(tag["end"])
        if name == b"Configuration":
            count += not ends
        elif name == b"FileConfiguration" and not ends:
            found.append(_Configuration(tag["said"], []))
        elif name == b"Tool" and found:
            found[-1].tools.append(tag["said"])
        elif name == b"File":
            path = None if ends else _PATH.search(tag["said"])
            source, found = (source, found) if ends else (_source(path["source"]) if path is not None else "", [])
            if ends or tag["said"].rstrip().endswith(b"/"):
                yield from _rules_of(folder, source, found, count)
                source, found = "", []


def _source(written: bytes) -> str:
    return written.decode("utf-8", "replace").strip().replace("\\", "/").removeprefix("./")


def _rules_of(folder: str, source: str, found: Sequence[_Configuration], count: int) -> Iterator[HostRule]:
    """The rule of a file of a project with so many configurations."""
    if not source or any(sign in source for sign in _UNKNOWN):
        return
    said = {_who(one.tools, source) for one in found if _EXCLUDED.search(one.said) is None}
    said |= {_who((), source)} if len(found) < max(count, 1) else set()
    if len(said) == 1 and (who := said.pop()) is not None:
        host, gpu, cuda = who
        yield HostRule(*placed(folder, source), host, gpu=gpu, cuda=cuda, windows=True)


def _who(tools: Sequence[bytes], source: str) -> _Who | None:
    """Who gets a source by the tools of one configuration; None where that is not known."""
    for tool in tools:
        command = _COMMAND.search(tool)
        if command is not None and command["line"].strip():
            line = command["line"]
            return (False, True, _AS_CUDA.search(line) is not None) if _NVCC.search(line) else None
        if _CUDA_RULE.search(tool):
            return (False, True, False)
    return (True, False, False) if source.lower().endswith(_OF_HOST) else None
