"""A copy of CMake's own module for CUDA: nothing of it is converted, as nothing finds CUDA in a build for HIP.

The module defines the commands that FindCUDA is used by, and lies where `find_package(CUDA)` finds it: in a folder of
`CMAKE_MODULE_PATH`. The scripts below that folder which the module names, and no other build file, are parts of it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-find-module"
_MODULE = "FindCUDA.cmake"
"""The name that CMake looks for in each folder of its module path."""
_COMMANDS = frozenset(("cuda_add_library", "cuda_add_executable", "cuda_compile", "cuda_wrap_srcs"))
"""Commands that the module gives to a project."""
_ROOTS = re.compile(r"\$\{(?:CMAKE|PROJECT|CMAKE_CURRENT)_(?:CURRENT_)?(?:SOURCE|LIST)_DIR\}/?")


def with_find_modules(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with one finding for each copy of the module in place of all in it and in its scripts."""
    rule = book.rules.get(RULE)
    modules = [one.path for one in results if posixpath.basename(one.path) == _MODULE and one.findings]
    if not modules or rule is None or port.is_port:
        return list(results)
    builds = {one.path: source for one in results if one.language == "cmake" and (source := read(one.path)) is not None}
    made: dict[str, tuple[Finding, ...]] = {}
    for path in modules:
        commands = cmake.read(builds[path].data) if path in builds else []
        first = next((one for one in commands if _defined(one) in _COMMANDS), None)
        if first is None or {_defined(one) for one in commands}.isdisjoint(_COMMANDS - {_defined(first)}):
            continue
        if not _is_found(path, builds):
            continue
        parts = _parts(path, builds)
        span = first.args[0].span
        use = Use("name", path, span, span, (), "unknown", "syntax")
        more = f" and {len(parts)} {'script' if len(parts) == 1 else 'scripts'} of it" if parts else ""
        made |= dict.fromkeys(parts, ())
        made[path] = (engine.finding(builds[path], Hit(RULE, use, {"name": path, "more": more}), rule),)
    return [replace(one, findings=made[one.path]) if one.path in made else one for one in results]


def _defined(command: Command) -> str:
    """The command that a macro or function defines, in small letters; empty for any other command."""
    return command.args[0].text.lower() if command.name in ("macro", "function") and command.args else ""


def _is_found(path: str, builds: Mapping[str, SourceFile]) -> bool:
    """Whether another build file finds CUDA, and one has the module's folder in its module path."""
    others = {one: cmake.read(source.data) for one, source in builds.items() if one != path}
    commands = [(one, command) for one, listed in others.items() for command in listed]
    finds = any(command.name == "find_package" and command.words()[:1] == ["CUDA"] for _, command in commands)
    folder = posixpath.dirname(path)
    return finds and any(folder in _folders(one, command) for one, command in commands)


def _folders(path: str, command: Command) -> Iterator[str]:
    """The folders that a command of a build file adds to the module path, as paths of the repository."""
    words = command.words()
    if command.name not in ("set", "list") or "CMAKE_MODULE_PATH" not in words[:2]:
        return
    for word in words:
        given = _ROOTS.sub("", word)
        for folder in (posixpath.join(posixpath.dirname(path), given), given):
            found = posixpath.normpath(folder)
            yield "" if found == "." else found


def _parts(path: str, builds: Mapping[str, SourceFile]) -> list[str]:
    """The scripts in a folder below the module's that it names, and that no build file beside them does."""
    within = path.removesuffix(".cmake") + "/"
    scripts = [one for one in builds if one.startswith(within) and _names(builds[path], one)]
    outside = [source for one, source in builds.items() if one != path and not one.startswith(within)]
    return [one for one in scripts if not any(_names(source, one) for source in outside)]


def _names(source: SourceFile, script: str) -> bool:
    stem = posixpath.basename(script).removesuffix(".cmake").encode()
    return re.compile(rb"(?<!\w)" + re.escape(stem) + rb"(?!\w)").search(source.data) is not None
