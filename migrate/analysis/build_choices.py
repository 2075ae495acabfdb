"""Sources that a build compiles only where whoever builds chooses so: `if(WITH_OPTIX)`, `BACKEND STREQUAL "TENSORRT"`.

A condition counts where its variable can be chosen: an option, a variable of the cache, a package that need not be
found, or one that is turned on under such a condition alone. Known for CMake; other builds say nothing here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from cudamigrate.analysis import cmake_flow
from cudamigrate.analysis.port_reach import located, named_in
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.preprocessor import switches_of
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import BuildChoices, FileEvidence
from cudamigrate.syntax import cmake

CONCERNS = re.compile(rb"\.cu\b|\bGLOB|\boption\s*\(", re.IGNORECASE)
"""A quick first look at a CMake file: sources of CUDA, patterns of sources, options."""
_NAMING = ("configure_file", "install", "message", "set_source_files_properties", "set_property", "source_group")
"""Commands that name a source and compile nothing."""
_HEADER = re.compile(r"\.(?:h|hh|hpp|hxx|cuh)$")
_VARIABLE = re.compile(r"\w+")
_ON = ("ON", "1", "TRUE", "YES", "Y")
_OFF = ("OFF", "0", "FALSE", "NO", "N")
_TURNS = 8
"""How often includes of includes, and variables set with variables, are followed."""
Asks = tuple[str, ...]


def of(commands: Sequence[cmake.Command]) -> BuildChoices | None:
    """What one CMake file names, and what can be chosen in it; None where that is nothing."""
    stack: list[Asks] = []
    named: list[tuple[str, Asks]] = []
    given: list[tuple[str, Asks]] = []
    declared: set[str] = set()
    off: set[str] = set()
    for command in commands:
        if command.name in ("elseif", "else", "endif") and stack:
            stack.pop()
        if command.name in ("if", "elseif", "else"):
            stack.append(_asked(command))
            continue
        around = tuple(dict.fromkeys(itertools.chain.from_iterable(stack)))
        named += ((name, around) for name in _named(command))
        declared.update(_declared(command))
        words = command.words()
        off.update(_off(command))
        if command.name == "set" and len(words) > 1 and words[1].upper() in _ON and "CACHE" not in words:
            given.append((words[0], around))
    found = BuildChoices(tuple(named), tuple(sorted(declared)), tuple(given), tuple(sorted(off)))
    return found if named or declared else None


def _asked(command: cmake.Command) -> Asks:
    """What a condition needs: its variables, and values of variables, where nothing else would do."""
    words = [word.strip('"').removeprefix("${").removesuffix("}") for word in command.words()]
    if command.name == "else" or {"OR", "(", ")"} & set(words):
        return ()
    parts = [list(part) for is_and, part in itertools.groupby(words, lambda word: word == "AND") if not is_and]
    plain = [part[0] for part in parts if len(part) == 1 and _VARIABLE.fullmatch(part[0])]
    equal = [f"{part[0]}={part[2]}" for part in parts if len(part) == 3 and part[1] in ("STREQUAL", "EQUAL")]
    return (*plain, *equal)


def _named(command: cmake.Command) -> Iterator[str]:
    """The sources, patterns and folders that a command has compiled, or puts into a list."""
    words = command.words()
    if command.name == "add_subdirectory" and words:
        yield f"{words[0].rstrip('/')}/"
    elif command.name == "file" and words[:1] and words[0].startswith("GLOB"):
        yield from (word for word in words[2:] if "*" in word)
    elif command.name == "list" and words[:1] not in (["APPEND"], ["PREPEND"], ["INSERT"]):
        return
    elif command.name not in _NAMING:
        yield from (word for word in words if cmake_flow.SOURCE.fullmatch(word))


def _declared(command: cmake.Command) -> Iterator[str]:
    """The variables that whoever builds may set, and those that tell whether a package was found."""
    words = command.words()
    if command.name in ("option", "cmake_dependent_option") or (command.name == "set" and "CACHE" in words):
        yield from words[:1]
    elif command.name == "find_package" and words and "REQUIRED" not in words:
        yield from (f"{words[0]}_FOUND", f"{words[0].upper()}_FOUND")


def _off(command: cmake.Command) -> Sequence[str]:
    """The option that a command declares and that is off where nobody turns it on."""
    words = command.words()
    if command.name == "option":
        return words[:1] if len(words) < 3 or words[2].upper() in _OFF else ()
    return words[:1] if command.name == "set" and words[2:3] == ["CACHE"] and words[1].upper() in _OFF else ()


def conditions(evidence: Sequence[FileEvidence], paths: Set[str]) -> dict[str, frozenset[str]]:
    """For each file that is not always compiled what must be chosen for it, headers that only those include among them.

    `paths` are those of all code.
    """
    files = {one.path: one.choices for one in evidence if one.choices is not None}
    chosen = _choosable(files)
    if not chosen:
        return {}
    entered = _entered(files, chosen)
    found: dict[str, frozenset[str]] = {}
    always = set[str]()
    for path, choices in files.items():
        around = _around(path, entered)
        for name, asks in choices.named:
            own = around | _free(asks, chosen)
            if "*" in name:
                always.update(_matching(path, name, paths) if not own else ())
            elif not name.endswith("/") and (source := located(path, name, paths)) in paths:
                found[source] = found[source] & own if source in found else own
    return _with_headers({path: asks for path, asks in found.items() if path not in always}, evidence, paths)


def _choosable(files: Mapping[str, BuildChoices]) -> frozenset[str]:
    """The variables that can be chosen, those among them that are turned on only where others are."""
    found = {name for one in files.values() for name in one.declared}
    given: dict[str, list[Asks]] = {}
    for one in files.values():
        for name, asks in one.given:
            given.setdefault(name, []).append(asks)
    for _ in range(_TURNS):
        more = {name for name, places in given.items() if all(_free(asks, found) for asks in places)} - found
        if not more:
            break
        found |= more
    return frozenset(found)


def _free(asks: Asks, chosen: Set[str]) -> frozenset[str]:
    """Those conditions that can be chosen."""
    return frozenset(one for one in asks if one.partition("=")[0] in chosen)


def _entered(files: Mapping[str, BuildChoices], chosen: Set[str]) -> dict[str, frozenset[str]]:
    """The folders that builds enter, each with what must be chosen for that."""
    found: dict[str, frozenset[str]] = {}
    for path, choices in files.items():
        for name, asks in choices.named:
            if name.endswith("/"):
                folder, own = named_in(path, name), _free(asks, chosen)
                found[folder] = found[folder] & own if folder in found else own
    return found


def _around(build: str, entered: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What must be chosen for a build file to be read at all."""
    folders = (str(one) for one in PurePosixPath(build).parents)
    return frozenset[str]().union(*(entered.get(folder, ()) for folder in folders))


def _matching(build: str, pattern: str, paths: Set[str]) -> Iterator[str]:
    """The files that a pattern of a build file means: its last part counts, in the folder of the file and below."""
    folder, name = str(PurePosixPath(build).parent), pattern.rpartition("/")[2]
    inside = "" if folder == "." else f"{folder}/"
    yield from (path for path in paths if path.startswith(inside) and fnmatchcase(path.rpartition("/")[2], name))


def _with_headers(
    sources: Mapping[str, frozenset[str]], evidence: Sequence[FileEvidence], paths: Set[str]
) -> dict[str, frozenset[str]]:
    """The files, with those that builds do not name and that are included only by such, or under a macro."""
    by_path = {one.path: one for one in evidence}
    graph = IncludeGraph(dict.fromkeys(paths, ()) | {one.path: (*one.includes, *one.unknown) for one in evidence})
    found = dict(sources)
    for _ in range(_TURNS):
        made = {
            path: frozenset.intersection(*(_of_user(by_path[user], path, found) for user in users))
            for path, users in graph.users.items()
            if path not in sources
        }
        more = {path: asks for path, asks in made.items() if asks and asks != found.get(path)}
        if not more:
            break
        found |= more
    found |= _beside(sources, [path for path in paths if path not in graph.users and path not in found])
    return {path: asks for path, asks in found.items() if asks}


def _beside(sources: Mapping[str, frozenset[str]], alone: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Headers that nothing includes, with what all sources of their folder need: no other code has them compiled."""
    folders: dict[str, list[frozenset[str]]] = {}
    for path, asks in sources.items():
        folders.setdefault(path.rpartition("/")[0], []).append(asks)
    for path in alone:
        beside = folders.get(path.rpartition("/")[0], []) if _HEADER.search(path) else []
        if beside:
            yield path, frozenset.intersection(*beside)


def _of_user(user: FileEvidence, path: str, found: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What must hold for a file to include another: what compiles it itself, and the macros around the include."""
    name = path.rpartition("/")[2]
    places = [chains for include, chains in user.guarded if include.rpartition("/")[2] == name]
    macros = [frozenset(switches_of([chain[-1] for chain in chains])) for chains in places]
    return found.get(user.path, frozenset()) | (frozenset.intersection(*macros) if macros else frozenset())
