"""Build files that build for CUDA as before, and for HIP where a switch asks for it.

CMake gets an option beside the project's own, Makefiles a variable. A change of a condition or of a loop's head has no
place for a choice: it is left out, and reported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Fix, Span
from cudamigrate.portable.regions import Directives, Region, written
from cudamigrate.syntax import cmake, makefile, tree_sitter_nodes

SWITCH = "USE_HIP"
"""The option, and the variable of Makefiles, where the project has no style of its own."""
LANGUAGES = ("cmake", "make")
_OPTION = re.compile(rb"(?im)^\s*(?:cmake_dependent_)?option\s*\(\s*(\w*(?:USE|WITH|ENABLE|BUILD)_CUDA)\b")
"""An option of CMake for CUDA: `option(USE_CUDA`, `cmake_dependent_option(MY_WITH_CUDA`."""
_BLOCKS = ("if", "foreach", "while", "function", "macro", "block")
_HEADS = frozenset(("elseif", "else", *_BLOCKS, *(f"end{name}" for name in _BLOCKS)))
_WHY = "it changes a condition, which both builds share"


def switch(texts: Sequence[bytes]) -> str:
    """The name of the option for HIP: that of the project's option for CUDA, with HIP in its place."""
    found = [match[1].decode() for text in texts for match in _OPTION.finditer(text)]
    return min(found, key=len).replace("CUDA", "HIP") if found else SWITCH


def around(language: str, path: str, data: bytes, fixes: Sequence[Fix], name: str) -> tuple[Fix | None, dict[Fix, str]]:
    """The changes of a build file under the switch `name`, and the fixes left out, with the reason."""
    lines = list(_cmake(data) if language == "cmake" else _make(data))
    left = {fix: _WHY for fix in fixes if any(_unit(lines, edit) is None for edit in fix.edits)}
    groups = {fix.group for fix in left if fix.group}
    left |= {fix: _WHY for fix in fixes if fix.group in groups}
    wanted = dict.fromkeys(edit for fix in fixes if fix not in left for edit in fix.edits)
    regions: list[Region] = []
    for edit in sorted(wanted, key=lambda one: one.span):
        unit = _unit(lines, edit)
        if unit is None:
            continue
        if regions and unit.start <= regions[-1].end:
            regions[-1].end = max(regions[-1].end, unit.end)
            regions[-1].edits.append(edit)
        else:
            regions.append(Region(unit.start, unit.end, [edit]))
    if not regions:
        return None, left
    plain, words = _introduction(language, path, data, name)
    return written(data, regions, plain, words), left


def _introduction(language: str, path: str, data: bytes, name: str) -> tuple[list[Edit], Directives]:
    """What makes the switch known in a file, and how it is asked."""
    switched = name.encode()
    if language == "make":
        hint = b"# make %s=1 builds for AMD GPUs with HIP.\n" % switched
        words = Directives(b"ifdef " + switched, b"ifndef " + switched, b"else", b"endif")
        return ([] if hint in data else [Edit(Span(0, 0), hint)]), words
    asked = b"@%s@" % switched if path.endswith(".in") else switched
    words = Directives(b"if(%s)" % asked, b"if(NOT %s)" % asked, b"else()", b"endif()", indented=True)
    tree = tree_sitter_nodes.parse("cmake", data)
    project = next((one for one in cmake.read(data, tree.root_node) if one.name == "project"), None)
    if project is None or re.search(rb"(?i)option\s*\(\s*%s\b" % switched, data):
        return [], words
    option = (
        b'option(%s "Build the GPU code for AMD GPUs with HIP instead of CUDA" OFF)\n'
        b"if(%s)\n  add_compile_definitions(__HIP_PLATFORM_AMD__)\nendif()\n" % (switched, switched)
    )
    start = data.rfind(b"\n", 0, project.span.start) + 1
    return [Edit(Span(start, start), option)], words


def _unit(lines: Sequence[tuple[Span, bool]], edit: Edit) -> Span | None:
    """The lines around an edit that a choice may enclose, None where there are none."""
    at = bisect_right(lines, edit.span.start, key=lambda one: one[0].start) - 1
    inside = at >= 0 and edit.span.start < lines[at][0].end
    if inside and edit.span.start == edit.span.end == lines[at][0].start and edit.replacement.endswith(b"\n"):
        return Span(edit.span.start, edit.span.start)
    if not inside and edit.span.start == edit.span.end:
        return Span(edit.span.start, edit.span.start)
    if not inside or not lines[at][1]:
        return None
    first, end = lines[at][0], lines[at][0].end
    while edit.span.end > end:
        at += 1
        if at >= len(lines) or not lines[at][1]:
            return None
        end = lines[at][0].end
    return Span(first.start, end)


def _cmake(data: bytes) -> Iterator[tuple[Span, bool]]:
    """The lines of each command, and whether it may stand in a condition."""
    tree = tree_sitter_nodes.parse("cmake", data)
    until, free = 0, True
    for command in cmake.read(data, tree.root_node):
        start, end = _whole(data, command.span)
        if start < until:  # two commands on one line
            continue
        until, free = end, command.name not in _HEADS
        yield Span(start, end), free


def _make(data: bytes) -> Iterator[tuple[Span, bool]]:
    """The logical lines, and whether each may stand in a conditional: lines of a `define` may not."""
    for line in makefile.read(data):
        start, end = _whole(data, line.span)
        yield (
            Span(start, end),
            line.kind not in ("conditional", "include") and not (line.kind == "recipe" and line.name),
        )


def _whole(data: bytes, span: Span) -> tuple[int, int]:
    start = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end)
    return start, len(data) if end < 0 else end + 1
