"""Macros that a build file defines as warp functions or as `warpSize`: no source shows them, so none is converted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudamigrate.analysis import makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.warp.lane_code import NAMES

_RULE = "build/lane-definition"
_QUOTE = rb"(?:\\?[\"'])?"
_NAME = rb"(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^()\n]*\))?"
_VALUE = rb"=(?P<value>" + _QUOTE + rb"[^\s\"';]+)"
_OPTION = re.compile(rb"(?<![\w-])" + _QUOTE + rb"-D[ \t]*" + _QUOTE + _NAME + _VALUE)
"""A definition for a compiler: `-DLANES=warpSize`, `'-DSTEP(v, d)=__shfl_down(v, d)'`, `-D"ANY(p)=__any(p)"`."""
_PLAIN = re.compile(rb"\A" + _NAME + _VALUE)
"""The same where a command of CMake takes definitions: `LANES=warpSize`."""
_WARP = re.compile(
    rb"(?<!\w)(?:" + b"|".join(sorted((one.encode() for one in NAMES), reverse=True)) + rb"|warpSize)(?!\w)"
)
_VARIABLE = re.compile(rb"\$[({](?P<name>[\w.-]+)[)}]")
_DEFINING = re.compile(r"\w*compile_definitions|add_definitions")
_LINE = re.compile(rb"(?:[^\\\n]|\\.)*", re.DOTALL)
"""A line with those that go on after a backslash."""
_DEPTH = 4
_LISTS = ("python", "bazel", "meson")
"""Languages in which options are strings of a list."""
_STRING = re.compile(rb"(?<![\"'])[\"'](?:[^\"'\n]*[ \t])?-D[ \t]*" + _NAME + _VALUE)
"""The same in a string, not in one that goes over lines: `"-O3 -DLANES=warpSize"`, `f"-DLANES={lanes}"`."""
_MACROS = re.compile(rb"\bdefine_macros\b[^\n(\[]*(?P<list>[(\[](?:[^()\[\]]|\((?:[^()]|\([^()]*\))*\))*)")
"""What setuptools takes definitions in: `define_macros=[("LANES", "warpSize")]`."""
_DEFINES = re.compile(rb"\b(?:local_)?defines\s*=\s*(?P<list>\[[^\[\]#]*)")
"""The same of Bazel: `defines = ["LANES=warpSize"]`."""
_PAIR = re.compile(
    rb"\(\s*[\"'](?P<name>\w+)(?P<parameters>\([^()\n]*\))?[\"']\s*,"
    rb"\s*f?[\"'](?P<value>[^\"'\n]+)[\"']\s*,?\s*\)"
)
_ELEMENT = re.compile(rb"[\"']" + _NAME + _VALUE)
_SET = re.compile(rb"^[ \t]*(?P<name>\w+)[ \t]*=[ \t]*[\"'](?P<value>\w+)[\"'][ \t]*$", re.MULTILINE)
"""A variable that is set to a word: `lanes = "warpSize"`."""
_COMMENT = re.compile(rb"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
_FIELD = re.compile(rb"\{(?P<name>\w+)\}")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each definition outside of comments, its value followed through variables of Makefiles."""
    if parsed.ported:
        return
    data, language = parsed.data, parsed.source.language
    if language == "cmake":
        yield from _of_commands(parsed)
        return
    if language in _LISTS:
        yield from _of_lists(data)
        return
    held = _held(parsed) if language == "make" else {}
    if not any(map(_WARP.search, (data, *held.values()))):
        return
    for line in _LINE.finditer(data):
        code = re.sub(rb"(?:\A|(?<=\s))#.*", b"", line[0], flags=re.DOTALL)
        for match in _OPTION.finditer(code):
            value = _expanded(match["value"], held, _DEPTH)
            if _WARP.search(value):
                yield _hit(match, value, line.start())


def _held(parsed: ProjectFile) -> Mapping[bytes, bytes]:
    """What the variables of a Makefile and of those beside it hold; all values of one that gets several."""
    assigned = parsed.once(makefile_variables.of).assigned
    return {
        name.encode(): b" ".join(file.text(line.value).strip() for file, line in found)
        for name, found in assigned.items()
    }


def _expanded(value: bytes, held: Mapping[bytes, bytes], depth: int) -> bytes:
    """A value with what the variables in it hold."""
    if depth == 0 or b"$" not in value:
        return value
    return _VARIABLE.sub(lambda match: _expanded(held.get(match["name"], b""), held, depth - 1), value)


def _of_commands(parsed: ProjectFile) -> Iterator[Hit]:
    """The definitions in CMake's commands, as options or as what a command that takes definitions is given."""
    commands = cmake.commands(parsed) if _WARP.search(parsed.data) else ()
    sets = [command.words() for command in commands if command.name == "set"]
    held = {words[0].encode(): " ".join(words[1:]).encode() for words in sets if len(words) > 1}
    for command in commands:
        takes = _DEFINING.fullmatch(command.name) is not None or "COMPILE_DEFINITIONS" in command.words()
        for argument in command.args:
            text = parsed.data[argument.span.start : argument.span.end]
            found = [*_OPTION.finditer(text)] or ([*_PLAIN.finditer(text)] if takes else [])
            for match in found:
                value = _expanded(match["value"], held, _DEPTH)
                if _WARP.search(value):
                    yield _hit(match, value, argument.span.start)


def _hit(match: re.Match[bytes], value: bytes, offset: int) -> Hit:
    span = Span(offset + match.start("name"), offset + match.end("value"))
    said = value.lstrip(b"\\\"'").decode("utf-8", "replace")
    use = Use("name", match["name"].decode(), span, span, certainty="syntax")
    return Hit(_RULE, use, {"name": match["name"].decode(), "value": said[:60]})


def _of_lists(data: bytes) -> Iterator[Hit]:
    """The definitions in strings of lists, as options or as what a list of definitions holds."""
    if not _WARP.search(data):
        return
    code = _COMMENT.sub(lambda comment: b" " * len(comment[0]), data)
    held = {match["name"]: match["value"] for match in _SET.finditer(code)}
    found = [(match, 0) for match in _STRING.finditer(code)]
    for lists, one in ((_MACROS, _PAIR), (_DEFINES, _ELEMENT)):
        found += [(each, match.start("list")) for match in lists.finditer(code) for each in one.finditer(match["list"])]
    for match, start in found:
        value = _FIELD.sub(lambda field: held.get(field["name"], b""), match["value"])
        if _WARP.search(value):
            yield _hit(match, value, start)
