"""Sources that Makefiles of a port compile with nvcc alone: their rules for hipcc take other files of the folder.

`%_hip.x: %_cuda.cu` by hipcc beside `%_lib.x: %_lib.cu` by nvcc leaves what the second takes to CUDA. That such a file
does not compile for HIP is no error of the port, as no build has HIP compile it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.model.verification import Verdict
from cudamigrate.project import discovery
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_COMPILER = re.compile(rb"[@+-]*(?:\S*/)?(nvcc|hipcc)")
_PATTERN = re.compile(rb"(?:[\w./-]*/)?[\w.-]*%[\w.-]*\.(?:cu|cc|cpp|cxx|hip)")
"""The prerequisite of a pattern rule that is a source: `%_test.cu`, `src/%.cu`."""
_FIRST = 3
"""How many words of a command are looked at for its compiler."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a pattern rule of a Makefile compiles: a pattern of paths, and whether hipcc does it."""

    pattern: re.Pattern[str]
    hip: bool
    place: str


def unjudged(verdicts: list[Verdict], root: Path, entries: Sequence[FileEntry], port: PortFacts) -> list[Verdict]:
    """The verdicts of a tree, where such a source that fails is not judged; the same ones without a port."""
    failed = {one.path for one in verdicts if one.word == "failed"} - port.compiled - port.hip_files
    if not port.is_port or not failed:
        return verdicts
    read = (discovery.read(root, entry) for entry in entries if entry.language == "make")
    found = _for_nvcc({one.path: one for one in read if isinstance(one, SourceFile)}, failed)
    return [
        replace(one, word="unresolved", diagnostics=(), headers=(f"{found[one.path]} has nvcc alone compile it",))
        if one.path in found
        else one
        for one in verdicts
    ]


def _for_nvcc(files: Mapping[str, SourceFile], paths: Iterable[str]) -> dict[str, str]:
    """The sources that a rule for nvcc takes and none for hipcc, where its Makefile has one, and that Makefile."""
    compilers = dict(_variables(files.values()))
    rules = {path: list(_rules(file, compilers)) for path, file in files.items()}
    hip = [one for own in rules.values() for one in own if one.hip]
    beside = {path for path, own in rules.items() if any(one.hip for one in own)}
    cuda = [one for path in sorted(beside) for one in rules[path] if not one.hip]
    found = dict[str, str]()
    for path in paths:
        taken = next((one.place for one in cuda if one.pattern.fullmatch(path)), "")
        if taken and not any(one.pattern.fullmatch(path) for one in hip):
            found[path] = taken
    return found


def _variables(files: Iterable[SourceFile]) -> Iterator[tuple[str, bool]]:
    """The variables that some Makefile makes a compiler, each with whether that is hipcc: others inherit them."""
    for file in files:
        for line in makefile.read(file.data):
            match = _COMPILER.match(file.data, line.value.start, line.value.end) if line.kind == "assignment" else None
            if match is not None:
                yield line.name, match[1] == b"hipcc"


def _rules(file: SourceFile, compilers: Mapping[str, bool]) -> Iterator[_Rule]:
    """The pattern rules of a Makefile that compile sources."""
    rule: Line | None = None
    for line in makefile.read(file.data):
        if line.kind == "rule":
            rule = line
        elif line.kind == "recipe" and rule is not None:
            hip = _calls(file.data, line, compilers)
            if hip is not None:
                yield from _compiled(file, rule, hip)
                rule = None


def _compiled(file: SourceFile, rule: Line, hip: bool) -> Iterator[_Rule]:
    targets = makefile.TARGETS.match(file.data, rule.span.start, rule.span.end)
    folder = posixpath.dirname(file.path)
    for word in file.data[targets.end() : rule.span.end].split() if targets is not None else ():
        if _PATTERN.fullmatch(word):
            path = posixpath.normpath(posixpath.join(folder, word.decode()))
            before, _, after = path.partition("%")
            yield _Rule(re.compile(re.escape(before) + "[^/]+" + re.escape(after)), hip, file.path)


def _calls(data: bytes, line: Line, compilers: Mapping[str, bool]) -> bool | None:
    """Whether a command calls hipcc, or nvcc; None for neither."""
    for word in next(makefile.segments(data, line.value.start, line.value.end)).words[:_FIRST]:
        match = _COMPILER.fullmatch(data, word.span.start, word.span.end)
        if match is not None:
            return match[1] == b"hipcc"
        for outer in makefile.expansions(data, word.span.start, word.span.end):
            if outer.name in compilers:
                return compilers[outer.name]
    return None
