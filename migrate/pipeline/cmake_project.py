"""The CMake files of a tree together: their variables, the targets that they make, and what those link."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial

from cudamigrate.analysis import cmake_tree
from cudamigrate.analysis.cmake_endings import Surroundings, placed
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

_MAKES = re.compile(r"(?:cuda_)?add_(?:executable|library)|(?:pybind11|nanobind)_add_module|python3?_add_library")
_LINKING_MODULES = ("pybind11_add_module", "nanobind_add_module", "python_add_library", "python3_add_library")
"""Commands of packages that make a target and link it themselves, `PRIVATE` what its users do not get."""
_NOT_BUILT = frozenset(("INTERFACE", "IMPORTED", "ALIAS"))
_GIVES = re.compile(r"(?:.*\b)?hip::(?:host|device)\b.*|\$\{hip_LIBRARIES\}")
"""What a target links that brings the macro and the folder."""
LINKS = "target_link_libraries"
_NAMING = (LINKS, "target_compile_options", "target_sources", "set_target_properties")
"""Commands that name a target first."""
_REPLACES = frozenset(("function", "macro", "foreach"))
"""Commands after which a variable may hold something that the file does not set."""
_INWARD, _SIDES = frozenset(("PRIVATE", "LINK_PRIVATE")), frozenset(("PUBLIC", "PRIVATE", "INTERFACE"))
_ALL = frozenset((*_SIDES, "LINK_PRIVATE", "LINK_PUBLIC", "LINK_INTERFACE_LIBRARIES", "debug", "optimized", "general"))
_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")


class CmakeProject:
    """The CMake files of a tree by path."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self.texts = texts
        self.commands = {path: cmake.read(data) for path, data in texts.items()}

    @cached_property
    def inside(self) -> Mapping[str, Mapping[Span, tuple[Span, ...]]]:
        """The branches that each command of a file is in."""
        return {path: cmake.branches(found) for path, found in self.commands.items()}

    @cached_property
    def _around(self) -> Surroundings:
        return Surroundings({path: list(placed(path, found)) for path, found in self.commands.items()})

    def outside(self, path: str, wanted: Callable[[Command], bool]) -> list[tuple[Span, ...]]:
        """The branches of such commands in the files in whose scope a file may be; none for one in the open."""
        others = sorted(self._around.outer(path) - {path})
        return [self.inside[one][found.span] for one in others for found in self.commands[one] if wanted(found)]

    def misses_searches(self, wanted: Callable[[Command], bool], enabling: Callable[[Command], bool]) -> bool:
        """Whether each command that is wanted is under one more condition than what enables a language in its file."""
        found = [(path, one) for path, many in self.commands.items() for one in many if wanted(one)]
        return bool(found) and all(self._is_deeper(path, one, enabling) for path, one in found)

    def _is_deeper(self, path: str, command: Command, enabling: Callable[[Command], bool]) -> bool:
        branches = self.inside[path]
        around = [branches[one.span] for one in self.commands[path] if enabling(one)]
        mine = branches[command.span]
        return bool(around) and all(one == mine[: len(one)] and len(one) < len(mine) for one in around)

    def root(self, path: str) -> str:
        """The file in whose folder the paths of a file are looked up: of a module, the one file that includes it.

        The file itself where none does, or several.
        """
        outer = self._around.outer(path) - {path} if path.endswith(".cmake") else set[str]()
        lists = {one for one in outer if not one.endswith(".cmake") and one in self._including(path)}
        return lists.pop() if len(lists) == 1 else path

    def tops(self, path: str) -> dict[str, str]:
        """The folders of the projects around a file, by the variables that CMake has for them."""
        home = posixpath.dirname(path)
        found = [one for one in self._projects if not one or f"{home}/".startswith(f"{one}/")]
        if not found:
            return {}
        return {"PROJECT_SOURCE_DIR": max(found, key=len), "CMAKE_SOURCE_DIR": min(found, key=len)}

    @cached_property
    def _projects(self) -> frozenset[str]:
        """The folders that have a file with the command `project`."""
        having = (path for path, found in self.commands.items() if any(one.name == "project" for one in found))
        return frozenset(posixpath.dirname(path) for path in having if posixpath.basename(path) == "CMakeLists.txt")

    def _including(self, path: str) -> set[str]:
        return {scope.path for scope in self._around.includers(path)}

    def around(self, path: str) -> list[str]:
        """The files whose variables a module sees: the one that includes it, and the other modules of that file."""
        root = self.root(path)
        if root == path:
            return []
        others = [one for one in self.commands if one.endswith(".cmake") and one != path]
        return [*(one for one in others if root in self._including(one)), root]

    @cached_property
    def finding(self) -> frozenset[str]:
        """The files that see HIP's package by another file."""
        return cmake_tree.finding(self.commands)

    @cached_property
    def held(self) -> Mapping[str, set[str]]:
        """The words that variables hold."""
        found: dict[str, set[str]] = {}
        for command in (one for many in self.commands.values() for one in many):
            words = command.words()
            if command.name == "set" and words:
                found.setdefault(words[0], set()).update(words[1:])
            elif command.name == "list" and words[:1] == ["APPEND"] and len(words) > 1:
                found.setdefault(words[1], set()).update(words[2:])
        return found

    @cached_property
    def links(self) -> dict[str, list[tuple[str, bool]]]:
        """What targets link, by name, and other names of theirs; whether those that link the target get it, too."""
        found: dict[str, list[tuple[str, bool]]] = {}
        for path, command in ((path, one) for path, many in self.commands.items() for one in many):
            words, outward = command.words(), True
            if command.name == "add_library" and words[1:2] == ["ALIAS"]:
                found.setdefault(self.target(path, command), []).append((words[-1], True))
            for word in words[1:] if command.name == LINKS else ():
                outward = word not in _INWARD if word in _ALL else outward
                if word not in _ALL:
                    found.setdefault(self.target(path, command), []).append((word, outward))
        return found

    def sources_elsewhere(self, path: str, target: str) -> Sequence[tuple[str, Command]]:
        """The commands of other files that give sources to the one target of a name, each with its file."""
        if len(self._made_as.get(target, ())) != 1:
            return ()
        return [one for one in self._giving_sources.get(target, ()) if one[0] != path]

    @cached_property
    def _giving_sources(self) -> Mapping[str, list[tuple[str, Command]]]:
        found: dict[str, list[tuple[str, Command]]] = {}
        for path, command in ((path, one) for path, many in self.commands.items() for one in many):
            if command.name == "target_sources" and command.args:
                found.setdefault(command.args[0].text, []).append((path, command))
        return found

    @cached_property
    def _made_as(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, command in ((path, one) for path, many in self.commands.items() for one in many):
            if self.makes(command):
                found.setdefault(command.args[0].text, []).append(path)
        return found

    @cached_property
    def _names(self) -> Mapping[str, Mapping[Span, str]]:
        return {path: dict(_target_names(found, self._makers)) for path, found in self.commands.items()}

    def makes(self, command: Command) -> bool:
        """Whether a command makes a target that compiles something, itself or as a function of the project's."""
        return is_target(command) or (command.name in self._makers and bool(command.args))

    @cached_property
    def _makers(self) -> Mapping[str, set[str]]:
        """The functions of the project that make a target of their first argument, each with what they link it to."""
        found: dict[str, set[str]] = {}
        linked: dict[str, set[str]] = {}
        for command, scope in ((one, at) for path, many in self.commands.items() for one, at in placed(path, many)):
            words = command.words()
            if not scope.params or words[:1] != [f"${{{scope.params[0]}}}"]:
                continue
            if is_target(command) or command.name in found:
                found.setdefault(scope.function, linked.setdefault(scope.function, set()))
                linked[scope.function].update(linked.get(command.name, ()))
            elif command.name == LINKS:
                linked.setdefault(scope.function, set()).update(words[1:])
        return found

    def target(self, path: str, command: Command) -> str:
        """The target that a command of a file names first, with the values of the variables in its name.

        A variable that the file does not set has the value from the files around it where those agree on one.
        """
        name = self._names[path].get(command.span, "")
        for variable in _VARIABLE.findall(name):
            values = {one for outer in self._around.outer(path) - {path} for one in self._set[outer].get(variable, ())}
            if len(values) == 1:
                name = name.replace(f"${{{variable}}}", values.pop())
        return name

    @cached_property
    def _set(self) -> Mapping[str, Mapping[str, set[str]]]:
        """The values that the variables of each file get."""
        found: dict[str, dict[str, set[str]]] = {path: {} for path in self.commands}
        for path, commands in self.commands.items():
            for variable, value in filter(None, map(_sets, commands)):
                found[path].setdefault(variable, set()).add(value)
        return found

    @cached_property
    def everywhere(self) -> bool:
        """Whether all targets that follow link what is needed."""
        linked = (one for many in self.commands.values() for one in many if one.name == "link_libraries")
        return any(self._gives(word, frozenset()) for one in linked for word in one.words())

    def gives(self, target: str, maker: str) -> bool:
        """Whether a target gets what HIP's headers need from something that it, or what makes it, links."""
        linked = {*self._makers.get(maker, ()), *(word for word, _ in self.links.get(target, ()))}
        return self.everywhere or any(self._gives(word, frozenset({target})) for word in linked)

    def _gives(self, word: str, seen: frozenset[str]) -> bool:
        if _GIVES.fullmatch(word):
            return True
        if word in seen:
            return False
        seen |= {word}
        variable = _VARIABLE.fullmatch(word)
        if variable is not None and word not in self.links:
            return any(self._gives(one, seen) for one in self.held.get(variable[1], ()))
        return any(outward and self._gives(one, seen) for one, outward in self.links.get(word, ()))

    def sides(self, path: str, command: Command) -> bool:
        """Whether the target that a command makes is linked with words that say who gets it.

        CMake refuses both forms for one target; what another branch links is a target of that branch.
        """
        target, others = self.target(path, command), self.commands
        linked = ((where, one) for where, many in others.items() for one in many if one.name == LINKS)
        named = [one for one in linked if self.target(*one) == target and not _SIDES.isdisjoint(one[1].words())]
        of = cmake.conditionals(others[path]) if named else {}
        beside = partial(cmake.is_beside, command=command, branches=self.inside[path], of=of)
        return any(where != path or not beside(one) for where, one in named) or target in self._linked_inside

    @cached_property
    def _linked_inside(self) -> frozenset[str]:
        """The targets that a function of the project, or of a package, links with such words: as its calls name them.

        Source: pybind11Tools.cmake, nanobind-config.cmake and CMake's FindPython.
        """
        found: dict[str, int] = dict.fromkeys(_LINKING_MODULES, 0)
        for path, many in self.commands.items():
            for command, scope in placed(path, many):
                name = _VARIABLE.fullmatch((command.words() or [""])[0]) if command.name == LINKS else None
                if name is not None and name[1] in scope.params and not _SIDES.isdisjoint(command.words()):
                    found[scope.function] = scope.params.index(name[1])
        calls = (one for many in self.commands.values() for one in many if one.name in found)
        return frozenset(word for one in calls for word in one.words()[found[one.name] :][:1])


def _sets(command: Command) -> tuple[str, str] | None:
    """The variable that a command sets, and its value, where that is one plain word."""
    words = command.words()
    if command.name == "project" and words:
        return "PROJECT_NAME", words[0]
    return (
        (words[0], words[1]) if command.name == "set" and "$" not in words[0] and not words[2:] and words[1:] else None
    )


def _target_names(commands: Sequence[Command], makers: Collection[str]) -> Iterator[tuple[Span, str]]:
    """The first word of each command that makes or links a target, with the values that variables have there."""
    known = dict[str, str]()
    for command in commands:
        words = command.words()
        if (given := _sets(command)) is not None:
            known[given[0]] = _VARIABLE.sub(lambda one: known.get(one[1], one[0]), given[1])
        elif command.name in _REPLACES:
            for word in words:  # the parameters of a function, and the variable of a loop
                known.pop(word, None)
        elif command.name == "set" and words:
            known.pop(words[0], None)
        elif words and (command.name in _NAMING or command.name in makers or _MAKES.fullmatch(command.name)):
            yield command.span, _VARIABLE.sub(lambda one: known.get(one[1], one[0]), words[0])


def is_target(command: Command) -> bool:
    """Whether a command makes a target that compiles something."""
    return bool(command.args) and _MAKES.fullmatch(command.name) is not None and _NOT_BUILT.isdisjoint(command.words())
