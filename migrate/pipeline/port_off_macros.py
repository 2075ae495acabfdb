"""Macros that a port's build for HIP sets to 0, `ENABLE_NVML=0` beside `hip::device`: code under them is CUDA's alone.

Which branch of a CMake file is for HIP is known where one alone sets it up. A macro that another command there gives
another value, or that code defines itself, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.compilation import cmake_hip_branches, cmake_values
from cudamigrate.cuda import lexer
from cudamigrate.cuda.preprocessor import branches, fails
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.project import discovery
from cudamigrate.syntax import cmake

_CODE = ("cuda", "cxx")
_GIVEN = re.compile(r"(?:-D)?([A-Za-z_]\w*)(?:=(.*))?")
_SCOPES = ("PUBLIC", "PRIVATE", "INTERFACE")


def added(facts: PortFacts, root: Path, entries: Sequence[FileEntry]) -> PortFacts:
    """The facts of a port, with the lines that such macros rule out among its dead ones."""
    builds = {path for path, _, _ in facts.build}
    off = _off(one for one in _sources(root, entries, ("cmake",)) if one.path in builds) if builds else set()
    if not off:
        return facts
    word = re.compile(rb"\b(?:%s)\b" % b"|".join(sorted(off)))
    naming = [one for one in _sources(root, entries, _CODE) if word.search(one.data)]
    defined = {match[1] for one in naming for match in re.finditer(rb"#[ \t]*define[ \t]+(\w+)", one.data)}
    given = dict.fromkeys(off - defined, 0)
    lines = {one.path: (*facts.dead_lines.get(one.path, ()), *_ruled_out(one, given)) for one in naming}
    return replace(facts, dead_lines={**facts.dead_lines, **{path: found for path, found in lines.items() if found}})


def _sources(root: Path, entries: Sequence[FileEntry], languages: Sequence[str]) -> Iterator[SourceFile]:
    read = (discovery.read(root, entry) for entry in entries if entry.language in languages)
    return (one for one in read if isinstance(one, SourceFile))


def _off(scripts: Iterator[SourceFile]) -> set[bytes]:
    """The macros that the branches for HIP of some CMake files set to 0, and to nothing else."""
    values: dict[str, set[str]] = {}
    for script in scripts:
        commands = cmake.read(script.data)
        answered = bool(cmake_hip_branches.answers(commands))
        for name, words in cmake_values.taken_by_default(commands):
            given = words[name.startswith("target") :] if name in cmake_values.DEFINE else ()
            for match in map(_GIVEN.fullmatch, (word for word in given if word not in _SCOPES)):
                if match is not None:  # without a branch for HIP, what is carried out may be for CUDA alone
                    values.setdefault(match[1], set()).add(match[2] or "1" if answered else "")
    return {name.encode() for name, known in values.items() if known == {"0"}}


def _ruled_out(source: SourceFile, given: Mapping[bytes, int]) -> Iterator[tuple[int, int]]:
    """The first and last lines of branches whose own condition fails with these numbers."""
    for branch in branches(lexer.lex(source.data), ()) if given else ():
        if branch.conditions and fails(branch.conditions[-1], given):
            first, last = source.position(branch.start).line + 1, source.position(branch.end).line - 1
            if first <= last:
                yield first, last
