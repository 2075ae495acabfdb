"""CMake targets whose C++ sources read HIP's headers after the conversion, and that do not link what those need.

`hip::host` brings the folder of HIP's headers and the macro of the platform, without which they end in an error. Where
CUDA's folder came from a variable, from the whole directory or from the compiler's own search, nothing says the macro.
What a target links is read from the files as they are converted, through variables and other targets of the project.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate import edits as writing
from cudamigrate.analysis import cmake_tree
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline import cmake_target_sources
from cudamigrate.pipeline.cmake_other_definitions import OtherDefinitions
from cudamigrate.pipeline.cmake_project import LINKS, CmakeProject
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-host-headers"
_LEFT = ("hip-build", "cuda build kept", "entered by a cuda build")
"""Uses that stand for a file which is left as it is."""
_ENOUGH = re.compile(rb"__HIP_PLATFORM_|hipconfig|CMAKE_CXX_COMPILER[^\n]*hipcc")
"""What says the platform to all sources of a project, or has HIP's compiler compile them."""


def with_cmake_hosts(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each target that lacks what the headers in its C++ sources need."""
    rule = book.rules.get(RULE)
    files = [one for one in results if one.language == "cmake" and one.skip is None]
    if rule is None or rule.silent or not any(one.fix is not None for each in files for one in each.findings):
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    if not tree.with_header:
        return list(results)
    sources = {one.path: source.data for one in files if (source := read(one.path)) is not None}
    project = CmakeProject({one.path: _converted(sources[one.path], one) for one in files if one.path in sources})
    if any(map(_ENOUGH.search, project.texts.values())):
        return list(results)
    others = OtherDefinitions(project, tree)
    made = {
        one.path: list(_findings(others, one.path, sources[one.path], rule))
        for one in files
        if one.path in sources and not any(finding.name in _LEFT for finding in one.findings)
    }
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _converted(data: bytes, result: FileResult) -> bytes:
    """A file as the safe fixes make it."""
    fixes = [one.fix for one in result.findings if one.fix is not None and one.fix.safety == "safe"]
    return writing.apply(data, fixes).data


def _findings(others: OtherDefinitions, path: str, data: bytes, rule: Rule) -> Iterator[Finding]:
    """The targets of one file that lack it."""
    tree, project = others.tree, others.project
    converted = project.commands[path]
    before = [one for one in cmake.read(data) if project.makes(one)]
    after = [one for one in converted if project.makes(one)]
    if [one.args[0].text for one in before] != [one.args[0].text for one in after]:
        return
    held = cmake_target_sources.of(tree, project, path)
    looking = list[tuple[Span, ...]]()
    for old, new in zip(before, after, strict=True):
        reading = _reading(others, path, data, held.get(new.span, ()))
        name, target = new.args[0].text, project.target(path, new)
        if not reading or project.gives(target, new.name):
            continue
        side = "PRIVATE " if project.sides(path, new) else ""
        project.links.setdefault(target, []).append(("hip::host", not side))
        sure, edits = _search(project, path, data, (old, new))
        branch = project.inside[path][new.span]
        if edits and any(branch[: len(one)] == one for one in looking):
            edits = []  # another target before it has the search
        looking += [branch] if edits else []
        library = "hip::host" if sure else "$<TARGET_NAME_IF_EXISTS:hip::host>"
        line = cmake.line_end(data) + cmake.indent(data, old.span.start)
        line += f"{LINKS}({name} {side}{library})".encode()
        words = {"source": posixpath.basename(reading[0]), "more": _others(len(reading) - 1)}
        use = Use("name", name, old.args[0].span, old.args[0].span, certainty="syntax")
        made = engine.finding(SourceFile(path, data, "cmake"), Hit(RULE, use, words), rule)
        yield replace(made, fix=Fix((*edits, Edit(Span(old.span.end, old.span.end), line)), rule.safety))


def _reading(others: OtherDefinitions, path: str, data: bytes, sources: Sequence[str]) -> list[str]:
    """Those of a target's sources with which the host's compiler reads one of HIP's headers."""
    reading = [one for one in sources if others.tree.reads_header(one, data)]
    undefined = others.elsewhere(path) if reading else frozenset[bytes]()
    return [one for one in reading if others.tree.reads_header(one, data, undefined)] if undefined else reading


def _search(project: CmakeProject, path: str, data: bytes, target: tuple[Command, Command]) -> tuple[bool, list[Edit]]:
    """Whether HIP's package is found wherever a target is made, and the line that looks for it where none does.

    The package goes with the language HIP, which a build without a GPU may leave out. `target` is the command in the
    file as it is and as it is converted.
    """
    old, new = target
    inside = project.inside[path]
    lacking = project.misses_searches(cmake_tree.looks_for_gpu, _enables_hip)
    if not lacking and (any(map(cmake_tree.looks_for_gpu, project.commands[path])) or path in project.finding):
        looks = [inside[one.span] for one in project.commands[path] if _requires(one)]
        looks += project.outside(path, _requires)
        return any(inside[new.span][: len(one)] == one for one in looks), []
    line = b"find_package(hip REQUIRED)" + cmake.line_end(data)
    before = [one for one in cmake.read(data) if _enables(one, "CUDA")]
    after = [one for one in project.commands[path] if _enables_hip(one)]
    if before and len(before) == len(after) and before[0].span.start < old.span.start:
        branch, at = inside[after[0].span], before[0].span
        line = cmake.line_end(data) + cmake.indent(data, at.start) + line.rstrip()
        return inside[new.span][: len(branch)] == branch, [Edit(Span(at.end, at.end), line)]
    sure = () in project.outside(path, _enables_hip)
    line = (line if sure else line.replace(b"REQUIRED", b"QUIET")) + cmake.indent(data, old.span.start)
    return sure, [Edit(Span(old.span.start, old.span.start), line)]


def _requires(command: Command) -> bool:
    """Whether a command stops without HIP's package."""
    return cmake_tree.looks_for_gpu(command) and "REQUIRED" in command.words()


def _enables_hip(command: Command) -> bool:
    return _enables(command, "HIP")


def _enables(command: Command, language: str) -> bool:
    return command.name in ("project", "enable_language") and cmake.enables(command, language)


def _others(count: int) -> str:
    return "" if not count else f" and {count} other source{'s' if count > 1 else ''}"
