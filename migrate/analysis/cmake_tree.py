"""What the CMake files of a tree say of each other: what functions are called with, and where HIP has to be enabled.

FindCUDA's commands need no language of CMake's, and those that take their place do. It has to be enabled in
a file, not in a function, in the folder of the targets or one around it: where CUDA is looked for, so that what decides
on that decides on this too, else in the project itself.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.analysis import (
    cmake_compilers,
    cmake_folders,
    cmake_left,
    cmake_minima,
    cmake_optimisation,
    cmake_option_functions,
    cmake_options,
    cmake_targets,
)
from cudamigrate.analysis.cmake_endings import COLLECTS, UNKNOWN, Scope, Surroundings, placed
from cudamigrate.analysis.cmake_endings import Endings as Held
from cudamigrate.analysis.cmake_lists import Lists
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.model.cmake_facts import CMakeFacts, Endings
from cudamigrate.syntax import cmake, generator_expressions, utf8
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_NAMES = re.compile(r"\$\{(\w+)\}")
_ABOUT = re.compile(rb"cuda|nvcc|\.cu\b", re.IGNORECASE)
_SOURCE = re.compile(r"\.cu\b")
CCCL = re.compile(rb"CCCL|_cccl\b")
"""What a file that asks for CCCL holds."""
_PACKAGES = {b"thrust": "rocthrust", b"cub": "hipcub", b"cuda": "libhipcxx", b"nv": "libhipcxx"}
_FOLDERS = tuple(name + b"/" for name in _PACKAGES)
_INCLUDED = re.compile(
    rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*include[ \t]*[<\"](thrust|cub|cuda(?=/(?:std/|[a-z_]+>))|nv)/", re.MULTILINE
)
"""A header of Thrust, CUB or libcu++: `<cub/cub.cuh>`, `<cuda/std/tuple>`, `<cuda/atomic>`, no `<cuda/kernels.h>`."""
_TOP = re.compile(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR|(?P<project>\w+_SOURCE_DIR))\}(?:/(?P<below>.*))?")
"""A folder below the file's own, or below that of a project."""
_SEARCHES = ("find_package", "find_dependency")
_LOOKS = (*cmake.SEARCHES, "find_dependency")
_ASKED = ("COMPILE_LANGUAGE:CUDA", "COMPILE_LANG_AND_ID:CUDA")
_ALONE = re.compile(rb"(?:.:|>,)CUDA>")
"""The language with nothing beside it: `$<COMPILE_LANGUAGE:CUDA>`, `$<STREQUAL:$<COMPILE_LANGUAGE>,CUDA>`."""
_GIVES_OPTIONS = ("target_compile_options", "add_compile_options")
_ELSE = re.compile(rb"\$<(?:NOT|OR|IF):")
"""Expressions that may be true where one in them is not."""
_MORE = frozenset((UNKNOWN,))
"""What a variable holds beside sources for the GPU."""
Commands = Mapping[str, Sequence[Command]]
"""The commands of files, by path."""


def facts(
    files: Mapping[str, bytes], packages: frozenset[str] = frozenset(), sources: Set[str] = frozenset()
) -> dict[str, CMakeFacts]:
    """What other files say of each file, by path; nothing of those of which they say nothing.

    `packages` are those that the sources of the tree need in place of CCCL, `sources` the paths of those for the GPU.
    """
    if not any(map(_ABOUT.search, files.values())):
        return {}
    read = {path: cmake.read(data) for path, data in files.items()}
    roots = {posixpath.dirname(path) for path, found in read.items() if any(one.name == "project" for one in found)}
    projects: dict[str, dict[str, Sequence[Command]]] = {}
    for path, found in read.items():
        projects.setdefault(_root(path, roots), {})[path] = found
    enters = cmake_left.entering(read, lambda words, path: folders_of(words, path, roots))
    left = cmake_left.entered(read, enters)
    kept = frozenset((*left, *cmake_left.whole(read)))
    languages = [Languages(each, kept) for each in projects.values()]
    of_cuda = frozenset(path for one in languages for path in one.roots())
    searched = frozenset(path for one in languages for path in one.searched)
    enabling = [path for path, found in read.items() if _enables_cuda(found)]
    own, holding = not enabling, cmake_minima.holding(read, enters, (path for path in enabling if path not in left))
    lacking = frozenset(path for one in languages for path in one.lacking(own))
    finds = finding(read)
    builds = frozenset(path for one in languages if one.uses_find_cuda for path in one.files)
    compiled = frozenset(path for one in languages if Languages(one.files).builds() for path in one.files)
    ignores = _ignoring(languages) if own else frozenset[str]()
    folders = _collected(read, roots, {posixpath.dirname(path) for path in sources})
    known = Held(read, folders=folders)
    unnamed, by_language = _unnamed(projects, kept, known, sources), _by_language(projects)
    made, toolkits = dict[str, CMakeFacts](), cmake_folders.of_others(read)
    for path, (held, given, wrappers) in _sources(read, known).items():
        parts = packages if CCCL.search(files[path]) else frozenset[str]()
        says = path in of_cuda, path in searched, path in lacking
        one = CMakeFacts(held, given, wrappers, *says, parts, path in finds, path in builds, folders[path])
        one = replace(one, left=left.get(path, ""), compiles=path in compiled, ignores=path in ignores)
        one = replace(one, toolkits=toolkits.get(path, frozenset()), unnamed=path in unnamed)
        made[path] = replace(one, by_language=path in by_language, minimum=path in holding)
    made = cmake_option_functions.noted(cmake_compilers.noted(made, read), read)
    return {path: one for path, one in made.items() if one != CMakeFacts()}


def packages(source: bytes) -> set[str]:
    """The packages of ROCm that have what a source includes of CCCL's."""
    if not any(folder in source for folder in _FOLDERS):
        return set()
    return {_PACKAGES[match[1]] for match in _INCLUDED.finditer(source)}


def needed(parsed: ProjectFile, packages: Sequence[str]) -> list[str]:
    """Those of some packages that the sources of the tree need; the first where nothing is known of them."""
    return [one for one in packages if one in parsed.cmake.packages] or list(packages[:1])


def lacks(parsed: ProjectFile) -> bool:
    """Whether a file is a project whose kernels nothing enables a language for."""
    files = {parsed.source.path: parsed.commands}
    alone = parsed.cmake == CMakeFacts() and parsed.source.path in Languages(files).lacking()
    return alone or parsed.cmake.lacks


def unnamed(parsed: ProjectFile) -> bool:
    """Whether a file is a project that compiles kernels, where nothing says how much they are optimised."""
    if parsed.cmake != CMakeFacts():
        return parsed.cmake.unnamed
    files = {parsed.source.path: parsed.commands}
    return parsed.source.path in _unnamed({"": files}, frozenset(), cmake_targets.known(parsed))


def _unnamed(
    projects: Mapping[str, Mapping[str, Sequence[Command]]],
    left: frozenset[str],
    known: Held,
    sources: Set[str] | None = None,
) -> frozenset[str]:
    """The files with the command `project` of such projects, by their folders; one in another takes what that says.

    `sources` are those for the GPU of the whole tree, None where it is not known; `known` is what variables hold.
    """
    made, hosts = set[str](), cmake_targets.of_host(known)
    for folder, files in projects.items():
        around = (found for outer, each in projects.items() if _holds(outer, folder) for found in each.values())
        one = Languages(files, left)
        kernels = sources is None or any(_holds(folder, path) for path in sources) or one.names_kernels()
        if kernels and one.compiles():
            own = frozenset(name for path, found in files.items() for name in _made_for_gpu(path, found, known))
            if cmake_optimisation.unnamed(around, one.uses_find_cuda, hosts, own):
                made.update(one.roots())
    return frozenset(made)


def _by_language(projects: Mapping[str, Commands]) -> frozenset[str]:
    """The files of projects, by their folders, that enable the language CUDA, where no file reads FindCUDA's options.

    A file of a project around, or of one in it, may be included or be the caller.
    """
    found = set[str]()
    for folder, files in projects.items():
        near = (each for other, each in projects.items() if _holds(other, folder) or _holds(folder, other))
        reads = any(cmake_options.reads_list(one) for each in near for listed in each.values() for one in listed)
        if not reads and any(map(_enables_cuda, files.values())):
            found.update(files)
    return frozenset(found)


def _made_for_gpu(path: str, found: Sequence[Command], known: Held) -> Iterator[str]:
    """The targets, as a file spells them, that its commands make of sources for the GPU."""
    made = (one.command for one in cmake_targets.among(path, found, known))
    yield from (one.args[0].text for one in made if one.name in cmake_targets.MAKES)


def as_ignored(parsed: ProjectFile, uses: Sequence[Use]) -> list[Use]:
    """The uses of a file, without those that stand for options which nothing compiles by.

    FindCUDA compiles no file of the language CUDA, so that `$<$<COMPILE_LANGUAGE:CUDA>:-x>` gave nothing to anybody:
    the condition is marked, `ignored COMPILE_LANGUAGE:CUDA`, and has no options.
    """
    if not by_find_cuda_alone(parsed):
        return list(uses)
    spans = {one.span: span for one in uses if (span := _ignored(parsed, one)) is not None}
    kept = [replace(one, name=f"ignored {one.name}") if one.span in spans else one for one in uses]
    return [
        one
        for one in kept
        if one.kind != "option" or not any(span.start <= one.span.start < span.end for span in spans.values())
    ]


def by_find_cuda_alone(parsed: ProjectFile) -> bool:
    """Whether FindCUDA's commands build the project of a file, and nothing enables the language CUDA.

    A source that ends in `.cu` is then compiled by those commands alone: CMake's own pass it over.
    """
    alone = parsed.cmake == CMakeFacts() and not _enables_cuda(parsed.commands)
    return parsed.cmake.ignores or (alone and bool(_ignoring([Languages({parsed.source.path: parsed.commands})])))


def _ignored(parsed: ProjectFile, use: Use) -> Span | None:
    """The options of an expression that asks for files of the language CUDA, and at most for more beside that."""
    data, command = parsed.data, cmake.command_at(parsed, use.span.start) if use.name in _ASKED else None
    if command is None or command.name not in _GIVES_OPTIONS:
        return None
    if use.name == _ASKED[0] and not _ALONE.fullmatch(data, use.span.start - 2, use.span.end + 1):
        return None  # files of other languages get the options too
    around = generator_expressions.given(data, command, use.span.start)
    if around is None or _ELSE.search(data, around.start, use.span.start) is not None:
        return None
    return generator_expressions.text_of(data, around)


def _enables_cuda(found: Sequence[Command]) -> bool:
    """Whether a file enables the language itself, which looking for the toolkit does not."""
    return any(one.name in ("project", "enable_language") and cmake.enables(one, "CUDA") for one in found)


def _ignoring(languages: Sequence[Languages]) -> frozenset[str]:
    """The files of the projects that build by FindCUDA's commands."""
    return frozenset(path for one in languages if one.uses_commands for path in one.files)


def finding(read: Commands) -> frozenset[str]:
    """The files that see the packages which another file finds: one around it, or a script that one of these includes.

    A package's targets are seen in the folder where it is looked for, and in those below.
    """
    looking = {path for path, found in read.items() if any(map(looks_for_gpu, found))}
    around = Surroundings({path: list(placed(path, found)) for path, found in read.items()} if looking else {})
    seen = defaultdict(set)
    for path in looking:
        for user in (path, *(scope.path for scope in around.includers(path))):
            seen[user].add(path)
    return (
        frozenset(path for path in read if any(seen[one] - {path} for one in around.outer(path)))
        if looking
        else frozenset()
    )


def looks_for_gpu(command: Command) -> bool:
    """Whether a command looks for CUDA's toolkit, so that it looks for HIP when it is converted, or for HIP."""
    return command.name in _LOOKS and command.words()[:1] in (["CUDA"], ["CUDAToolkit"], ["hip"], ["HIP"])


def _root(path: str, roots: set[str]) -> str:
    """The innermost folder around a file that is a project's, else the root of all."""
    folder = posixpath.dirname(path)
    while folder and folder not in roots:
        folder = posixpath.dirname(folder)
    return folder


def _collected(read: Commands, roots: set[str], there: Set[str]) -> dict[str, frozenset[str]]:
    """For each file the folders, as it writes them, whose sources it collects, of those that have some for the GPU."""
    found = {}
    for path, commands in read.items():
        held, taken = Lists(), set[str]()
        for command in commands if any(one.name == COLLECTS for one in commands) else ():
            word = next(iter(command.words()), "")
            if command.name == COLLECTS and not there.isdisjoint(folders_of(held.of(word) or (), path, roots)):
                taken.add(word)
            held.follow(command)
        found[path] = frozenset(taken)
    return found


def folders_of(words: Sequence[str], path: str, roots: set[str]) -> Iterator[str]:
    """The folders that words of a file may mean: below its own, or that of a project around it, of those in `roots`."""
    own = posixpath.dirname(path)
    tops = [own, *(root for root in roots | {""} if not root or own == root or own.startswith(f"{root}/"))]
    for word in words:
        match = _TOP.fullmatch(word)
        for base in (own,) if match is None else tops if match["project"] else [own]:
            folder = posixpath.normpath(posixpath.join(base, (match["below"] or ".") if match else word))
            yield "" if folder == "." else folder


def _sources(read: Commands, known: Held) -> dict[str, tuple[Endings, dict[str, Endings], frozenset[str]]]:
    """For each file, the variables that others fill, what its functions are called with, and wrappers of others."""
    targets = [one for path, found in read.items() for one in cmake_targets.among(path, found, known)]
    wrappers = cmake_targets.wrappers(targets, known)
    made: dict[str, tuple[Endings, dict[str, Endings], frozenset[str]]] = {}
    for path, found in read.items():
        own = [scope for scopes in known.functions.values() for scope in scopes if scope.path == path]
        given = {scope.function: ends for scope in own if (ends := _of_sources(known.within(scope)))}
        names = {name for command in found for word in command.words() for name in _NAMES.findall(word)}
        held = {one: known.from_others(one, path) for one in names}
        mixed = {one: _MORE for one, ends in held.items() if ends and known.filled(one, Scope(path))}
        called = wrappers & {command.name for command in found} - {scope.function for scope in own}
        made[path] = ({**mixed, **_of_sources(held)}, given, frozenset(called))
    return made


def _of_sources(held: Mapping[str, set[str]]) -> Endings:
    """What may be the end of a source for the GPU, of all that variables hold, and whether they hold more."""
    ends = {name: frozenset(one for one in found if one.endswith("u")) for name, found in held.items()}
    return {
        name: ends[name] | (_MORE if held[name] - ends[name] else frozenset()) for name in sorted(ends) if ends[name]
    }


@dataclass(frozen=True, slots=True)
class Languages:
    """The files of one project, and what they say of its languages; those `left` for CUDA need none of HIP's."""

    files: Commands
    left: frozenset[str] = frozenset()

    def roots(self) -> list[str]:
        """The files with the command `project`, where one of all enables CUDA, looks for it or builds by FindCUDA."""
        moved = (found for path, found in self.files.items() if path not in self.left)
        uses = any(cmake.enables(one, "CUDA") for found in moved for one in found) or self.builds()
        found = (path for path, listed in self.files.items() if next(_at_file_level(listed, ("project",)), None))
        return list(found) if uses else []

    @property
    def searched(self) -> frozenset[str]:
        """The files that look for CUDA where HIP can be enabled for all that the project builds by FindCUDA."""
        builds = self.builds()
        if not builds or self._has_language():
            return frozenset()
        folders = {posixpath.dirname(path) for path in builds}
        return frozenset(
            path
            for path, found in self.files.items()
            if any(command.words()[:1] == ["CUDA"] for command in _at_file_level(found, _SEARCHES))
            and (self._is_script(path) or all(_holds(posixpath.dirname(path), folder) for folder in folders))
        )

    def lacking(self, own: bool = True) -> list[str]:
        """The files with the command `project`, where FindCUDA's commands build and HIP is enabled nowhere.

        With `own`, those too where CMake's own commands name sources for the GPU, whose language a package enables.
        """
        compiles = self.builds() or (own and any(names_sources(one) for found in self.files.values() for one in found))
        return self.roots() if compiles and not self._has_language() and not self.searched else []

    @property
    def uses_find_cuda(self) -> bool:
        """Whether a file looks for CUDA by FindCUDA, or builds by it: its list of options is not the project's own."""
        return any(cmake_options.finds_cuda(one) for found in self.files.values() for one in found)

    @property
    def uses_commands(self) -> bool:
        """Whether a file builds by FindCUDA's commands."""
        return bool(self.builds())

    def builds(self) -> list[str]:
        """The files in which commands of FindCUDA's compile, and are converted."""
        return [
            path
            for path, found in self.files.items()
            if path not in self.left and any(one.name in cmake_options.COMPILES for one in found)
        ]

    def compiles(self) -> bool:
        """Whether CMake's own commands or FindCUDA's make a target, with the language CUDA for the former."""
        moved = [found for path, found in self.files.items() if path not in self.left]
        makes = any(one.name in ("add_executable", "add_library") for found in moved for one in found)
        return bool(self.builds() or self.lacking()) or (makes and any(map(_enables_cuda, moved)))

    def names_kernels(self) -> bool:
        """Whether a file names a source for the GPU, a pattern of them, or the language CUDA for a source."""
        words = [one.words() for found in self.files.values() for one in found if one.name != "message"]
        return any(any(map(_SOURCE.search, one)) or {"LANGUAGE", "CUDA"}.issubset(one) for one in words)

    def _has_language(self) -> bool:
        given = (one for found in self.files.values() for one in found if one.name in ("project", "enable_language"))
        return any(cmake.enables(one, "CUDA") or cmake.enables(one, "HIP") for one in given)

    def _is_script(self, path: str) -> bool:
        """Whether a file is included by another, and nowhere in a function."""
        name = posixpath.basename(path)
        if not name.endswith(".cmake"):
            return False
        names = (name, name.removesuffix(".cmake"))
        places = [
            scope.function
            for other, found in self.files.items()
            for command, scope in placed(other, found)
            if command.name == "include" and posixpath.basename(" ".join(command.words()[:1])) in names
        ]
        return bool(places) and not any(places)


def names_sources(command: Command) -> bool:
    """Whether a command of CMake's own makes a target of sources for the GPU that it names."""
    return command.name in ("add_library", "add_executable") and any(one.endswith(".cu") for one in command.words())


def _at_file_level(found: Sequence[Command], names: Sequence[str]) -> Iterator[Command]:
    return (command for command, scope in placed("", found) if command.name in names and not scope.function)


def _holds(folder: str, inner: str) -> bool:
    return not folder or f"{inner}/".startswith(f"{folder}/")
