"""Packages that a project's users have to find: those of the libraries that its exported targets link.

One package brings all libraries of CUDA's toolkit, and each of ROCm's has one of its own. The file that a project
installs for its users looks for what the imported targets link (CMake's documentation, "Creating a Package
Configuration File"): without that, `find_package` stops for want of `roc::hipblas`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, FileResult, Finding, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.rule_base import project_rules
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.rulebase.project_rules import ProjectBook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-toolkit"
_SEARCH = b"find_dependency"
_PACKAGE = "hip"
_LINKS = "build/cmake-link-"
_SCOPES = ("PUBLIC", "INTERFACE", "PRIVATE", "LINK_PUBLIC", "LINK_PRIVATE", "LINK_INTERFACE_LIBRARIES")
_HIDDEN = ("PRIVATE", "LINK_PRIVATE")
_LINKED_ONCE = ("SHARED", "MODULE")
"""Kinds of libraries whose users need nothing of what they link for themselves alone."""
_ENDS = frozenset(
    ("EXPORT", "ARCHIVE", "LIBRARY", "RUNTIME", "OBJECTS", "PUBLIC_HEADER", "INCLUDES", "DESTINATION", "COMPONENT")
)
Commands = Mapping[str, Sequence[Command]]


def with_export_dependencies(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with these packages looked for where the file for users looks for CUDA's toolkit."""
    asking = {one.path: data for one in results if (data := _data(one, read)) and any(_asks(f, data) for f in _of(one))}
    if not asking:
        return list(results)
    files = [one for one in results if one.language == "cmake" and one.skip is None]
    found = {one.path: cmake.read(data) for one in files if (data := _data(one, read))}
    exports, kinds, rules = _exports(found), _kinds(found), project_rules(book.goal, book.extra)
    linked: dict[str, dict[str, None]] = {}
    for one in files:
        for target, package in _linked(one, found.get(one.path, ()), kinds, rules):
            linked.setdefault(target, {})[package] = None
    return [
        _with(one, asking[one.path], _packages(asking[one.path], exports, linked)) if one.path in asking else one
        for one in results
    ]


def _of(result: FileResult) -> tuple[Finding, ...]:
    return result.findings if result.language == "cmake" else ()


def _data(result: FileResult, read: Read) -> bytes:
    source = read(result.path) if result.language == "cmake" and result.skip is None else None
    return b"" if source is None else source.data


def _asks(finding: Finding, data: bytes) -> bool:
    """Whether a finding is on the toolkit in `find_dependency`, which becomes that of HIP."""
    if finding.rule != RULE or finding.fix is None:
        return False
    start = data.rfind(b"(", 0, finding.span.start)
    is_search = start >= 0 and data[:start].rstrip().lower().endswith(_SEARCH)
    return is_search and finding.fix.edits[0].replacement.split()[:1] == [_PACKAGE.encode()]


def _exports(found: Commands) -> dict[str, set[str]]:
    """The targets of each file that CMake makes of an export: `install(EXPORT name FILE Targets.cmake)`."""
    targets, files = dict[str, set[str]](), dict[str, str]()
    for command in (one for commands in found.values() for one in commands if one.name == "install"):
        words = command.words()
        given = dict(itertools.pairwise(words))
        if words[:1] == ["TARGETS"] and "EXPORT" in given:
            end = next(at for at, word in enumerate(words) if word in _ENDS)
            targets.setdefault(given["EXPORT"], set()).update(words[1:end])
        elif words[:1] == ["EXPORT"] and words[1:]:
            files[given.get("FILE", f"{words[1]}.cmake")] = words[1]
    return {file: targets.get(name, set()) for file, name in files.items()}


def _kinds(found: Commands) -> dict[str, str]:
    """The kind of each library, where one is named."""
    made = (one.words() for commands in found.values() for one in commands if one.name == "add_library")
    return {words[0]: words[1] for words in made if words[1:]}


def _linked(
    result: FileResult, commands: Sequence[Command], kinds: Mapping[str, str], book: ProjectBook
) -> Iterator[tuple[str, str]]:
    """The targets of a file that link a library of CUDA's for their users too, each with the package it is from."""
    for finding in result.findings:
        rule = book.rules.get(finding.rule) if finding.rule.startswith(_LINKS) and finding.fix is not None else None
        command = next((one for one in commands if one.span.start <= finding.span.start < one.span.end), None)
        if rule is None or command is None or command.name != "target_link_libraries":
            continue
        before = [one.text for one in command.args if one.span.start < finding.span.start]
        scope = next((one for one in reversed(before) if one in _SCOPES), "")
        if before and not (scope in _HIDDEN and kinds.get(before[0]) in _LINKED_ONCE):
            yield from ((before[0], one) for one in rule.change.text[2:3] if one != _PACKAGE)


def _packages(data: bytes, exports: Mapping[str, set[str]], linked: Mapping[str, Iterable[str]]) -> list[str]:
    """The packages that a file for users has to look for, by the files of exported targets that it includes."""
    commands = cmake.read(data)
    included = [one.words()[0].rpartition("/")[2] for one in commands if one.name == "include" and one.args]
    known = {word for one in commands if one.name.startswith("find_") for word in one.words()[:1]}
    targets = sorted(target for file in included for target in exports.get(file, ()))
    return [one for one in dict.fromkeys(p for target in targets for p in linked.get(target, ())) if one not in known]


def _with(result: FileResult, data: bytes, packages: Sequence[str]) -> FileResult:
    """The result with a line for each package behind the search for HIP, in as many words."""
    if not packages:
        return result
    commands, findings = cmake.read(data), list[Finding]()
    for one in result.findings:
        command = next((each for each in commands if each.span.start <= one.span.start < each.span.end), None)
        if command is None or one.fix is None or not _asks(one, data):
            findings.append(one)
            continue
        kept = [word for word in command.words()[1:] if word in ("REQUIRED", "QUIET")]
        line = cmake.line_end(data) + cmake.indent(data, command.span.start) + data[command.at.start : command.at.end]
        lines = b"".join(line + f"({' '.join([name, *kept])})".encode() for name in packages)
        edit = Edit(Span(command.span.end, command.span.end), lines)
        findings.append(replace(one, fix=replace(one.fix, edits=(*one.fix.edits, edit))))
    return replace(result, findings=tuple(findings))
