"""CMake: how the words that variables may hold end, also those that functions and macros are called with.

Whether a file is a source for the GPU its ending says, so that no more of a word is followed than its last letters.
What a variable holds is all that any command may give it, whatever is taken first: also what a function or a folder
gives to the scope around it, and what an included file or a macro fills. Nothing is run.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.syntax.cmake import Command

UNKNOWN = "?"
"""What stands for words of which nothing is known."""
COLLECTS = "aux_source_directory"
"""The command that fills a variable with the sources of a folder."""
_TARGETED = ".cu"
_TAIL = 3
"""So many letters of a word are followed: `.cu`."""
_ROUNDS = 8
"""So often is everything that is given followed on: through variables of variables, and calls in functions."""
_PIECES = re.compile(r"\$\{((?:[\w.+-]|\$\{\w+\})+)\}")
"""`${name}`, also where the name is what another variable holds: `${${out}}`."""
_PARSE = "cmake_parse_arguments"
_REST = "UNPARSED_ARGUMENTS"
_OF_FINDCUDA = re.compile(r"cuda_(?:add_(?:library|executable)|compile)", re.IGNORECASE)
"""What a copy of CMake's own module defines: its calls are converted, and become calls of CMake's commands."""
_DEFINES = ("function", "macro")
_SAME_FILE = ("ABSOLUTE", "REALPATH", "NAME")
"""Parts of a path that end as the path does."""
_NOT_HELD = frozenset(("PARENT_SCOPE", "CACHE", "FORCE"))
_MORE = re.compile(r"\.cu[*?]")
"""A pattern that sources for the GPU fit beside others: `*.cu*`."""
_OF_TARGET = "$<TARGET_"
"""How what an expression takes from a target begins: `$<TARGET_OBJECTS:kernels>`, which is no source by its name."""
_NO_PATTERNS = frozenset(("CONFIGURE_DEPENDS", "RELATIVE", "LIST_DIRECTORIES"))


@dataclass(frozen=True, slots=True)
class Scope:
    """A file, or a function or macro that it defines: `function` is its name in small letters, and `params` its own.

    A macro fills variables of whatever calls it.
    """

    path: str
    function: str = ""
    params: tuple[str, ...] = ()
    macro: bool = False


def _defined(path: str, command: Command) -> Scope:
    name, *params = command.words()
    return Scope(path, name.lower(), tuple(params), command.name == "macro")


def placed(path: str, commands: Sequence[Command]) -> Iterator[tuple[Command, Scope]]:
    """The commands of a file, each with the function or macro that it is in."""
    around = [Scope(path)]
    for command in commands:
        if command.name in _DEFINES and command.args:
            around.append(_defined(path, command))
        elif command.name in ("endfunction", "endmacro"):
            del around[max(1, len(around) - 1) :]
        else:
            yield command, around[-1]


def assigned(command: Command) -> Iterator[tuple[str, list[str]]]:
    """The variables that a command fills with file names, one by one in a loop, each with the names or patterns."""
    words = [named(part) for word in command.words() for part in word.split(";") if part]
    if command.name == "foreach" and len(words) > 1:
        yield from _in_loop(words)
    elif command.name == "set" and words:
        yield words[0], [word for word in words[1:] if word not in _NOT_HELD]
    elif command.name == "list" and len(words) > 1:
        yield from _of_list(words[0].upper(), words[1:])
    elif command.name == "get_filename_component" and words[2:3] and words[2] in _SAME_FILE:
        yield words[0], words[1:2]
    globs = words[:1] and (words[0].upper() in ("GLOB", "GLOB_RECURSE") or words[0].startswith("${"))
    if command.name == "file" and len(words) > 1 and globs:
        patterns = [word for word in words[2:] if word not in _NO_PATTERNS]
        yield words[1], [*patterns, *("*.cu" for word in patterns if _MORE.search(word))]


def named(word: str) -> str:
    """A word, or what stands for one that names a target instead of a file."""
    return UNKNOWN if word.startswith(_OF_TARGET) else word


def _in_loop(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What the variables of a loop get: one may go through several lists side by side."""
    if "ZIP_LISTS" in words:
        names, lists = words[: words.index("ZIP_LISTS") - 1], words[words.index("ZIP_LISTS") + 1 :]
        names = names if len(names) == len(lists) else [f"{name}_{at}" for name in names for at in range(len(lists))]
        yield from ((name, [f"${{{one}}}"]) for name, one in zip(names, lists, strict=False))
        return
    named = words[1:3] == ["IN", "LISTS"]
    yield words[0], [f"${{{word}}}" if named else word for word in words[1 + 2 * (words[1] == "IN") :]]


def _of_list(action: str, words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What `list` puts into variables: more words, or some of those that the list holds."""
    if action in ("APPEND", "PREPEND"):
        yield words[0], words[1:]
    elif action in ("GET", "SUBLIST") and len(words) > 2:
        yield words[-1], [f"${{{words[0]}}}"]
    elif action in ("POP_FRONT", "POP_BACK"):
        yield from ((name, [f"${{{words[0]}}}"]) for name in words[1:])


class Endings:
    """How the words end that the variables of some files may hold, each file with its commands by path.

    `folders` are for a file those with sources for the GPU of which it collects the sources.
    """

    def __init__(
        self,
        files: Mapping[str, Sequence[Command]],
        known: CMakeFacts | None = None,
        folders: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._known = known or CMakeFacts()
        self._folders = dict.fromkeys(files, self._known.folders) if folders is None else folders
        self.commands = {path: list(placed(path, found)) for path, found in files.items()}
        self.functions: dict[str, list[Scope]] = defaultdict(list)
        self._parses: dict[Scope, list[Command]] = defaultdict(list)
        self._gives: dict[Scope, list[tuple[str, list[str]]]] = defaultdict(list)
        self._steps: list[tuple[Command, Scope, str, list[str]]] = []
        for path, found in files.items():
            for command in found:
                if command.name in _DEFINES and command.args and not _OF_FINDCUDA.match(command.args[0].text):
                    defined = _defined(path, command)
                    self.functions[defined.function].append(defined)
        for placed_in in self.commands.values():
            for command, scope in placed_in:
                self._prepare(command, scope)
        self._around = Surroundings(self.commands)
        self._held: dict[tuple[Scope, str], set[str]] = {}
        self._filled: dict[str, set[str]] = defaultdict(set)
        self._given: dict[tuple[str, str], set[str]] = defaultdict(set)
        for name, given in self._known.given.items():
            for scope in self.functions.get(name, ()):
                self._held.update({(scope, variable): set(endings) for variable, endings in given.items()})
        self._solve()

    def _prepare(self, command: Command, scope: Scope) -> None:
        """Note what a command does each time that it is followed."""
        filled = assigned(command) if command.name != COLLECTS else self._collected(command, scope)
        given = [(name, values) for name, values in filled if name]
        if command.name in self.functions:
            given = given or [("", [])]
        if command.name == _PARSE:
            self._parses[scope].append(command)
        for name, values in given:
            self._steps.append((command, scope, name, values))
            if name and scope.function and (scope.macro or _is_for_parent(command)):
                self._gives[scope].append((name, values))

    def _collected(self, command: Command, scope: Scope) -> Iterator[tuple[str, list[str]]]:
        """What is filled with all sources of a folder that has some for the GPU, beside what else it may have."""
        folder, *name = command.words()[:2] or [""]
        there = name and folder in self._folders.get(scope.path, ())
        if there:
            yield name[0], [f"*{_TARGETED}", UNKNOWN]

    def within(self, scope: Scope) -> dict[str, set[str]]:
        """What the variables of a function or file hold that are filled there."""
        return {name: endings for (where, name), endings in self._held.items() if where == scope}

    def filled(self, name: str, scope: Scope) -> bool:
        """Whether a function or its file fills a variable."""
        return any((where, name) in self._held for where in _searched(name, scope))

    def held(self, name: str, scope: Scope) -> set[str]:
        """How the words in a variable may end; nothing where no command fills it."""
        known = set(self._known.held.get(name, ()))
        for where in _searched(name, scope):
            if (where, name) in self._held:
                return self._held[where, name] | (set() if where.function else known)
        if _searched(name, scope) == (scope,) and scope.function:
            return set()
        return known or self.elsewhere(name, scope.path)

    def from_others(self, name: str, path: str) -> set[str]:
        """How the words may end that other files put into a variable of a file."""
        filled = self.filled(name, Scope(path))
        return self._given.get((path, name), set()) if filled else self.elsewhere(name, path)

    def elsewhere(self, name: str, path: str) -> set[str]:
        """How the words in a variable may end that other files fill, in whose scope a file may be."""
        found = set[str]()
        for other in self._filled.get(name, ()):
            if other != path and _meet(path, other):
                found |= self._held[Scope(other), name]
        return found

    def of(self, word: str, scope: Scope) -> set[str]:
        """How what a word stands for may end."""
        pieces = _PIECES.split(word)
        if len(pieces) == 3 and not pieces[0] and not pieces[2] and self.filled(pieces[1], scope):
            return self.held(pieces[1], scope)
        endings = {""}
        for at in range(len(pieces) - 1, -1, -1):
            before = {pieces[at]} if at % 2 == 0 else self.held(pieces[at], scope) or {UNKNOWN}
            endings = {one if len(one) >= _TAIL else (more + one)[-_TAIL:] for one in endings for more in before}
            if all(len(one) >= _TAIL for one in endings):
                break
        return endings

    def _solve(self) -> None:
        for _ in range(_ROUNDS):
            before = sum(map(len, self._held.values())), len(self._held)
            for step in self._steps:
                self._follow(*step)
            if (sum(map(len, self._held.values())), len(self._held)) == before:
                return

    def _follow(self, command: Command, scope: Scope, name: str, values: Sequence[str]) -> None:
        if name and not _is_for_parent(command):
            self._add(scope, name, values, scope)
        elif name and not scope.function:
            self._add_around(scope, name, values)
        elif command.name in self.functions:
            for one in self.functions[command.name]:
                self._call(one, command, scope)

    def _add_around(self, scope: Scope, name: str, values: Sequence[str]) -> None:
        """What a folder gives to the folder around it."""
        for outer in self._around.parents(scope.path):
            self._add(outer, name, values, scope)

    def _add(
        self, scope: Scope, name: str, words: Sequence[str], given_in: Scope, more: frozenset[str] = frozenset()
    ) -> None:
        endings = set(more)
        for word in words:
            endings |= self.of(word, given_in) if word != f"${{{name}}}" or scope != given_in else set()
        for each in (scope, *self._around.includers(scope.path)) if not scope.function else (scope,):
            self._held.setdefault((each, name), set()).update(endings)
            if each.path != given_in.path:
                self._given[each.path, name] |= endings
            if not each.function:
                self._filled[name].add(each.path)

    def _call(self, function: Scope, command: Command, scope: Scope) -> None:
        """What the arguments of a function get by one call, and what it gives back; others may call it with more."""
        also = frozenset((UNKNOWN,))
        words, count = command.words(), len(function.params)
        named = dict(zip(function.params, words, strict=False))
        for at, word in enumerate(words):
            for name in (*function.params[at : at + 1], f"ARGV{at}"):
                self._add(function, name, [word], scope, also)
        spread = [one.text for one in command.args[:count] if not one.quoted and _PIECES.fullmatch(one.text)]
        self._add(function, "ARGN", [*spread, *words[count:]], scope, also)
        self._add(function, "ARGV", words, scope, also)
        for other in self._parses[function]:
            for name, given in self._parsed(other, function, command).items():
                self._add(function, name, given, scope, also)
                named.update({name: given[0]} if len(given) == 1 else {})
        self._give_back(function, named, scope)

    def _give_back(self, function: Scope, named: Mapping[str, str], scope: Scope) -> None:
        """What one call fills of the variables of its caller; `named` are words that arguments stand for."""
        for variable, values in self._gives[function]:
            name = _PIECES.sub(lambda match: named.get(match[1], match[0]), variable)
            if scope.function or "$" not in name:
                self._add(scope, name, values, function)

    def _parsed(self, parse: Command, function: Scope, call: Command) -> dict[str, list[str]]:
        """What `cmake_parse_arguments` puts into variables for one call."""
        words = parse.words()
        first, at = len(function.params), 0
        if words[:1] == ["PARSE_ARGV"] and len(words) > 1:
            first, at = int(words[1]) if words[1].isdigit() else first, 2
        if len(words) < at + 4:
            return {}
        prefix = words[at]
        options, single, several = (self._listed(word, function) for word in words[at + 1 : at + 4])
        first = 0 if "${ARGV}" in words[at + 4 :] else first
        found: dict[str, list[str]] = defaultdict(list)
        current = _REST
        for word in call.words()[first:]:
            if word in single or word in several or word in options:
                current = _REST if word in options else word
                continue
            through = current == _REST and _PIECES.fullmatch(word) is not None
            for key in (*single, *several, _REST) if through else (current,):
                found[f"{prefix}_{key}"].append(word)
            current = _REST if current in single else current
        return found

    def _listed(self, word: str, scope: Scope) -> set[str]:
        """The words of a list, written there or set by the function or its file."""
        variable = _PIECES.fullmatch(word)
        if variable is None:
            return set(word.split(";"))
        sets = (
            one
            for one, where in self.commands[scope.path]
            if one.name == "set" and where.function in ("", scope.function)
        )
        return {
            part
            for one in sets
            if one.words()[:1] == [variable[1]]
            for word in one.words()[1:]
            for part in word.split(";")
        }


class Surroundings:
    """Whose variables a file fills beside its own: those of files that include it, and of the folder around it."""

    def __init__(self, commands: Mapping[str, Sequence[tuple[Command, Scope]]]) -> None:
        self._folders = {posixpath.dirname(path): path for path in commands if path.endswith("CMakeLists.txt")}
        self._included: dict[str, set[Scope]] = defaultdict(set)
        self._found: dict[str, frozenset[Scope]] = {}
        for placed_in in commands.values():
            for command, scope in placed_in:
                if command.name == "include" and command.args:
                    self._included[posixpath.basename(command.args[0].text).removesuffix(".cmake")].add(scope)

    def includers(self, path: str) -> frozenset[Scope]:
        """The files and functions that include a file, themselves or through others."""
        if path not in self._found:
            self._found[path] = self._includers(path)
        return self._found[path]

    def _includers(self, path: str) -> frozenset[Scope]:
        found, left = set[Scope](), [path]
        while left:
            name = posixpath.basename(left.pop())
            more = set[Scope]() if name.endswith(".txt") else self._included.get(name.removesuffix(".cmake"), set())
            left += [one.path for one in more - found if not one.function]
            found |= more
        return frozenset(one for one in found if one != Scope(path))

    def parents(self, path: str) -> list[Scope]:
        """The files to which a file gives what it sets for the scope around it."""
        folders = {posixpath.dirname(path), *(posixpath.dirname(one.path) for one in self.includers(path))}
        found = {self._folder_around(folder) for folder in folders if folder}
        return [Scope(one) for one in sorted(found) if one]

    def outer(self, path: str) -> set[str]:
        """The file itself, and those in whose scope it may be: that include it, and of the folders around them."""
        found, left = set[str](), [path]
        while left:
            one = left.pop()
            found.add(one)
            around = self._folder_around(posixpath.dirname(one)) if posixpath.dirname(one) else ""
            more = {each.path for each in self.includers(one)} | ({around} if around else set())
            left += more - found
        return found

    def _folder_around(self, folder: str) -> str:
        while folder:
            folder = posixpath.dirname(folder)
            if folder in self._folders:
                return self._folders[folder]
        return ""


def _is_for_parent(command: Command) -> bool:
    return command.name == "set" and "PARENT_SCOPE" in command.words()[1:]


def _searched(name: str, scope: Scope) -> tuple[Scope, ...]:
    """Where a variable is looked up: in a function what it is given hides the file's of that name."""
    own = name in scope.params or (scope.function and name.startswith(("ARGN", "ARGV")))
    return (scope,) if own else (scope, Scope(scope.path))


def _meet(path: str, other: str) -> bool:
    """Whether a variable of one file may be seen in another: in a script, and in folders that lie in each other."""
    if path.endswith(".cmake") or other.endswith(".cmake"):
        return True
    one, two = (f"{posixpath.dirname(each)}/".lstrip("/") for each in (path, other))
    return one.startswith(two) or two.startswith(one)
