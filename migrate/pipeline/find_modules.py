"""A copy of CMake's own module for CUDA: nothing of it is converted, as nothing finds CUDA in a build for HIP.

The module defines the commands that FindCUDA is used by, and lies where `find_package(CUDA)` finds it: in a folder of
`CMAKE_MODULE_PATH`. The scripts below that folder which the module names, and no other build file, are parts of it.
A copy by another name, `FindCUDA_old.cmake`, is found by that: such a command stays, and has a finding of its own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-find-module"
CALL = "build/cmake-find-copy"
_MODULE = re.compile(r"(?:.*/)?Find(\w*)\.cmake")
"""The name that CMake looks for in each folder of its module path, for the package in the middle."""
_PACKAGE = "CUDA"
_OLD = re.compile(r"\$?\{?CMAKE_(?:MAJOR_|MINOR_)?VERSION\}? (?:VERSION_)?LESS(?:_EQUAL)? \"?(\d+(?:\.\d+)?)")
"""A condition that asks for a release of CMake which is older than some."""
_NEEDED = (3, 21)
"""The release that knows the language HIP."""
_COMMANDS = frozenset(("cuda_add_library", "cuda_add_executable", "cuda_compile", "cuda_wrap_srcs"))
"""Commands that the module gives to a project."""
_ROOTS = re.compile(r"\$\{(?:CMAKE|PROJECT|CMAKE_CURRENT)_(?:CURRENT_)?(?:SOURCE|LIST)_DIR\}/?")


def with_find_modules(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with one finding for each copy of the module in place of all in it and in its scripts."""
    rule, call = book.rules.get(RULE), book.rules.get(CALL)
    modules = [one.path for one in results if _MODULE.fullmatch(one.path) and one.findings]
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
    results = [replace(one, findings=made[one.path]) if one.path in made else one for one in results]
    packages = {_package(path) for path in made} - {_PACKAGE, ""}
    if call is None or not packages:
        return results
    found = {path: list(_calls(source, packages, call)) for path, source in builds.items() if path not in made}
    return [engine.with_more(one, found.get(one.path, ())) for one in results]


def _package(path: str) -> str:
    """The package that a module finds; empty for any other file."""
    found = _MODULE.fullmatch(path)
    return found[1] if found is not None else ""


def _calls(source: SourceFile, packages: Set[str], rule: Rule) -> Iterator[Finding]:
    """The commands that find CUDA by a copy of another name, where a release of CMake that knows HIP comes to them."""
    found = cmake.read(source.data)
    heads, around = {one.span: one for one in found}, cmake.branches(found)
    for command in found:
        finds = command.name == "find_package" and command.args and command.args[0].text in packages
        if finds and not any(_is_for_older(heads[span]) for span in around[command.span]):
            span, name = command.args[0].span, command.args[0].text
            use = Use("name", name, span, command.span, (), "unknown", "syntax")
            yield engine.finding(source, Hit(CALL, use, {"name": name}), rule)


def _is_for_older(head: Command) -> bool:
    """Whether a branch is taken with releases of CMake alone that do not know HIP."""
    asked = _OLD.search(" ".join(head.words())) if head.name in ("if", "elseif") else None
    return asked is not None and tuple(map(int, asked[1].split("."))) <= _NEEDED


def _defined(command: Command) -> str:
    """The command that a macro or function defines, in small letters; empty for any other command."""
    return command.args[0].text.lower() if command.name in ("macro", "function") and command.args else ""


def _is_found(path: str, builds: Mapping[str, SourceFile]) -> bool:
    """Whether another build file finds CUDA, and one has the module's folder in its module path."""
    others = {one: cmake.read(source.data) for one, source in builds.items() if one != path}
    commands = [(one, command) for one, listed in others.items() for command in listed]
    finds = any(command.name == "find_package" and command.words()[:1] == [_package(path)] for _, command in commands)
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
