"""Macros that a build file defines as warp functions or as `warpSize`: no source shows them, so none is converted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudamigrate.analysis import build_definitions, makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.warp.lane_code import NAMES

_RULE = "build/lane-definition"
_WARP = re.compile(
    rb"(?<!\w)(?:" + b"|".join(sorted((one.encode() for one in NAMES), reverse=True)) + rb"|warpSize)(?!\w)"
)
_VARIABLE = re.compile(rb"\$[({](?P<name>[\w.-]+)[)}]")
_DEPTH = 4
_SET = re.compile(rb"^[ \t]*(?P<name>\w+)[ \t]*=[ \t]*[\"'](?P<value>\w+)[\"'][ \t]*$", re.MULTILINE)
"""A variable that is set to a word: `lanes = "warpSize"`."""
_FIELD = re.compile(rb"\{(?P<name>\w+)\}")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each definition outside of comments, its value followed through variables of the file."""
    held = {} if parsed.ported else _held(parsed)
    if parsed.ported or not any(map(_WARP.search, (parsed.data, *held.values()))):
        return
    pattern = _FIELD if parsed.source.language in build_definitions.LISTS else _VARIABLE
    for one in build_definitions.of(parsed):
        value = _expanded(one.value, held, _DEPTH, pattern)
        if _WARP.search(value):
            said = value.lstrip(b"\\\"'").decode("utf-8", "replace")
            use = Use("name", one.name.decode(), one.span, one.span, certainty="syntax")
            yield Hit(_RULE, use, {"name": one.name.decode(), "value": said[:60]})


def _held(parsed: ProjectFile) -> Mapping[bytes, bytes]:
    """What the variables of a file hold, of a Makefile those beside it too; all values of one that gets several."""
    language = parsed.source.language
    if language == "make":
        assigned = parsed.once(makefile_variables.of).assigned
        return {
            name.encode(): b" ".join(file.text(line.value).strip() for file, line in found)
            for name, found in assigned.items()
        }
    if not _WARP.search(parsed.data):
        return {}
    if language == "cmake":
        sets = (command.words() for command in cmake.commands(parsed) if command.name == "set")
        return {words[0].encode(): " ".join(words[1:]).encode() for words in sets if len(words) > 1}
    if language in build_definitions.LISTS:
        return {match["name"]: match["value"] for match in _SET.finditer(parsed.data)}
    return {}


def _expanded(value: bytes, held: Mapping[bytes, bytes], depth: int, pattern: re.Pattern[bytes]) -> bytes:
    """A value with what the variables in it hold."""
    if depth == 0 or pattern.search(value) is None:
        return value
    return pattern.sub(lambda match: _expanded(held.get(match["name"], b""), held, depth - 1, pattern), value)
