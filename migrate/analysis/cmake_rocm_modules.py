"""CMake: folders of ROCm that are gone since ROCm 6, and a search for HIP's module that depends on one.

`FindHIP.cmake`, which defines `hip_add_library`, was in /opt/rocm/hip/cmake and is in /opt/rocm/lib/cmake/hip. A file
that gives CMake the old folder alone finds no module, and a required search stops there.
Source: ROCm documentation, "ROCm FHS reorganization"; CMake documentation, `find_package`, module mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

FOLDER, MODULES = "folder of ROCm 5", "modules of ROCm 5"
"""The names of the uses: of such a folder, and of one in which alone a required module is looked for."""
OLD = re.compile(r"(?:/opt/rocm(?:-[\d.]+)?|\$(?:ENV)?\{ROCM_PATH\})/(?P<old>hip|hcc)(?![\w.-])")
"""A folder of one part of ROCm, directly below ROCm's own: `/opt/rocm/hip/lib`, `${ROCM_PATH}/hip`."""
_PATH = "CMAKE_MODULE_PATH"
_BELOW = re.compile(r"\$\{(?P<variable>\w+)\}/cmake/?")
_NEW = re.compile(r"lib(?:64)?/cmake|share/hip")
_SURE = re.compile(r"EXISTS|VERSION|IS_DIRECTORY")
"""What a condition asks that chooses between folders."""


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The folder of modules that is gone, where the file requires HIP's module and names no other place for it."""
    required = (one.words() for one in found if one.name == "find_package")
    if not any(words[:1] == ["HIP"] and "REQUIRED" in words for words in required):
        return
    held = [one for one in found if one.name == "set" and one.args]
    old = {one.args[0].text for one in held if any(OLD.fullmatch(word) for word in one.words()[1:2])}
    old -= {one.args[0].text for one in held if not any(OLD.fullmatch(word) for word in one.words()[1:2])}
    places = [(argument, one) for one in found for argument in _module_folders(one)]
    if any(_NEW.search(argument.text) for argument, _ in places):
        return
    asked = _asked(found)
    for argument, command in places:
        match = _BELOW.fullmatch(argument.text)
        gone = match is not None and match["variable"] in old
        if (gone or re.fullmatch(OLD.pattern + "/cmake/?", argument.text)) and command.span not in asked:
            yield MODULES, argument.span, command


def _module_folders(command: Command) -> Sequence[Argument]:
    """The words that a command gives to the list of folders in which modules are looked for."""
    words = command.words()
    if command.name == "set" and words[:1] == [_PATH]:
        return command.args[1:]
    return command.args[2:] if command.name == "list" and words[1:2] == [_PATH] else ()


def _asked(found: Sequence[Command]) -> frozenset[Span]:
    """The commands under a condition that asks for the folder or for a release."""
    around = cmake.branches(found)
    asking = {one.span for one in found if one.name in ("if", "elseif") and any(map(_SURE.search, one.words()))}
    return frozenset(span for span, outer in around.items() if not asking.isdisjoint(outer))
