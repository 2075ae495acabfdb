"""Options that keep loads out of L1, `-Xptxas -dlcm=cg`, where the compiler gets no device code: no load is concerned.

A program that only calls NVIDIA's libraries is often compiled with the options of its neighbours. What a command of a
Makefile compiles is what it and its rule name; where that is not plain, and in other files, it may be any code of the
repository.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed

RULE = "build/load-caching"
_LANGUAGES = ("cuda", "cxx")
_MARKS = frozenset((b"__global__", b"__device__"))
_SOURCE = re.compile(rb"(?<![\w./%*$(){}-])[\w./-]+\.(?:cu|cpp|cxx|cc|C|c)(?![\w.:])")
"""A source that is named in plain words."""
_MORE = re.compile(rb"[%*][\w.]*\.(?:cu|cpp|cxx|cc|C|c)\b|\$[({]|\.cu=")
"""What may stand for others: patterns, variables and functions of make's."""
_MADE_OF = re.compile(rb"\$[<^+]")


def without_hosts(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without such findings where no code that the compiler gets is for the device."""
    if not any(finding.rule == RULE for one in results for finding in one.findings):
        return list(results)
    paths = frozenset(one.path for one in results if one.language in _LANGUAGES)
    if not any(one.cuda for one in results if one.language in _LANGUAGES):
        return list(results)
    judge = _Judge(paths, read)
    return [_without(one, judge) for one in results]


def _without(result: FileResult, judge: _Judge) -> FileResult:
    kept = tuple(one for one in result.findings if one.rule != RULE or judge.concerns(one, result.language))
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


class _Judge:
    """Which code of the repository is for the device, and what commands compile."""

    def __init__(self, paths: frozenset[str], read: Read) -> None:
        self._paths, self._read = paths, read
        self._graph = include_graph(read, paths)
        self._device = frozenset(path for path in paths if asked(read, path, _is_for_device) != ())

    def concerns(self, finding: Finding, language: str) -> bool:
        """Whether device code may be compiled with an option."""
        if not self._device:
            return False
        sources = self._sources(finding) if language == "make" else None
        if not sources or not sources <= self._paths:
            return True
        return not self._device.isdisjoint(self._graph.below(sources))

    def _sources(self, finding: Finding) -> frozenset[str] | None:
        """The sources of the command that a finding is in, as paths; None where that is not plain."""
        source = self._read(finding.path)
        if source is None:
            return None
        variables = makefile_variables.read(finding.path, {finding.path: source.data})
        said = next((one for one in _commands(variables, finding)), None)
        if said is None or _MORE.search(said):
            return None
        folder = posixpath.dirname(finding.path)
        names = (one.decode("latin-1") for one in _SOURCE.findall(said))
        return frozenset(posixpath.normpath(posixpath.join(folder, name)) for name in names)


def _commands(variables: Variables, finding: Finding) -> list[bytes]:
    """The command around a finding, with what its rule names where it asks for that."""
    found = []
    for file, part, rule in variables.commands():
        if file.path == finding.path and part.start <= finding.span.start < part.end:
            made_of = file.text(rule.value) if rule is not None and _MADE_OF.search(file.text(part)) else b""
            found.append(file.text(part) + b" " + made_of)
    return found


def _is_for_device(source: SourceFile) -> tuple[bytes, ...]:
    """The marks of device code that a file has, in macros too."""
    if not any(mark in source.data for mark in _MARKS):
        return ()
    words = lexed(source)
    return tuple(sorted(mark for mark in _MARKS if any(words.is_code(at) for at in words.places(mark))))
