"""CMake: the commands that make targets from sources of an ending, in the functions and macros of a project too.

What a project's own function makes a target of is seen in its calls, which may be in other files of the tree.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.analysis import cmake_texts
from cudamigrate.analysis.cmake_endings import Endings, Scope, assigned, named
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

SOURCE = ".cu"
_GIVES_SOURCE = frozenset((SOURCE, "cu>", "u>>"))
"""How words end that name such a source, in an expression too: `$<$<BOOL:${GPU}>:a.cu>`."""
_COMPILES = ("add_library", "add_executable", "target_sources")
"""CMake's own commands that compile what a pattern collects; another's may only pack it."""
_BUILDS = ("add_executable", "add_library")
MAKES = (*_COMPILES, "cuda_add_library", "cuda_add_executable")
"""Commands that make a target whose name comes first, or give it its sources."""
_OF_CMAKE = re.compile(r"CMAKE_|PROJECT_(?:NAME|(?:SOURCE|BINARY)_DIR|VERSION|DESCRIPTION|HOMEPAGE_URL|IS_TOP_LEVEL)")
"""CMake's own variables, which hold no sources: `CMAKE_CURRENT_SOURCE_DIR`, `PROJECT_NAME`."""
_LIKELY = re.compile(
    r"(?:cuda|gpu|(?:^|_)cu)\w*(?:src|source|file|kernel)|(?:src|source|file|kernel)\w*(?:cuda|gpu|cu$)", re.I
)
"""Names of variables that another file fills with sources for the GPU."""
_TARGETS = re.compile(r"(?:^|_)(?:add|define|library|executable|module|extension|create|make|build|sources)(?:_|$)")
"""Names of commands that make a target, or give one its sources."""
_OF_FIND_CUDA = ("cuda_add_library", "cuda_add_executable")
"""Commands that are there for sources for the GPU: a project that has none calls CMake's own."""
_PLAIN = re.compile(r"[\w.+]*(?:[a-zA-Z]|\+)")
"""The end of a name that is known: `.cc`, `cpp`, no part of a pattern or a variable."""
_NO_TARGETS = re.compile(
    r"set_source_files_properties|add_(?:custom_\w+|dependencies|test|definitions|compile_\w+|link_options|subdirectory)"
    r"|cuda_compile\w*"
)
"""Commands with such names that make no target from sources: `add_test`, `add_custom_command`."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_CONDITION = r"\$<(?:[^<>]|\$<(?:[^<>]|\$<(?:[^<>]|\$<[^<>]*>)*>)*>)*>"
_GIVEN = re.compile(rf"(?:\$<(?:{_CONDITION}|BUILD_INTERFACE|[01]|\$\{{\w+\}}):)*([^<>\s]+)>*")
"""What an expression gives where its condition holds: `a.cu` of `$<$<BOOL:${GPU}>:a.cu>`, whose end may be an argument
further on."""


@dataclass(frozen=True, slots=True)
class Target:
    """A command that makes a target from sources for the GPU: the arguments that name some.

    `pure` says that all they hold are such sources, `expressions` that variables among them may hold generator
    expressions. Targets of one `scope` are those of a function, or of the file.
    """

    command: Command
    chosen: tuple[Argument, ...]
    pure: bool
    scope: Scope
    expressions: bool = False


def of(parsed: ProjectFile) -> tuple[Target, ...]:
    """The commands of a file that make targets from sources which end in `.cu`."""
    return parsed.once(_of)


def names(parsed: ProjectFile) -> set[str]:
    """The targets of a file with sources of the language CUDA, by their end or by what gives them the language."""
    made = {one.command.args[0].text for one in of(parsed) if one.command.args}
    given = set[str]()
    for command in parsed.commands:
        words = command.words()
        if command.name == "set_source_files_properties" and "PROPERTIES" in words:
            at = words.index("PROPERTIES")
            given.update(words[:at] if ("LANGUAGE", "CUDA") in zip(words[at:], words[at + 1 :], strict=False) else ())
    building = (one for one in parsed.commands if one.name in _BUILDS and not given.isdisjoint(one.words()[1:]))
    return made | {one.words()[0] for one in building}


def known(parsed: ProjectFile) -> Endings:
    """How the words end that the variables of a file may hold, worked out once."""
    return parsed.once(_known)


def _known(parsed: ProjectFile) -> Endings:
    return Endings({parsed.source.path: parsed.commands}, parsed.cmake)


def _of(parsed: ProjectFile) -> tuple[Target, ...]:
    path, found, ends = parsed.source.path, parsed.commands, parsed.once(_known)
    made = list(among(path, found, ends))
    handled = parsed.cmake.wrappers | wrappers(made, ends)
    return tuple(one for one in made if one.command.name not in handled)


_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl")
_HEADER_ENDS = frozenset(
    ("cuh", "hpp", "hxx", ".hh", "inc", *(f"{letter}.h" for letter in string.ascii_letters + string.digits + "_"))
)
"""How the names of headers end, as far as it is followed."""
_PASSED_ON = frozenset(("PUBLIC", "INTERFACE", "ALIAS", "IMPORTED"))
"""Words of a command whose target has sources of others, or gives its own to others."""
_WORDS = frozenset(("STATIC", "SHARED", "MODULE", "OBJECT", "EXCLUDE_FROM_ALL", "WIN32", "MACOSX_BUNDLE"))


def for_gpu_alone(target: Target) -> bool:
    """Whether nothing else than sources for the GPU and headers is among the sources of a target."""
    command = target.command
    given = [one for one in command.args[1 : cmake.options_at(command)] if one.text not in _WORDS]
    return target.pure and all(one in target.chosen or one.text.endswith(_HEADERS) for one in given)


def of_headers_alone(parsed: ProjectFile, command: Command) -> bool:
    """Whether a command makes a target of nothing but headers, so that CMake finds no language to link it by."""
    held = parsed.once(_known)
    scope = next((scope for one, scope in held.commands[parsed.source.path] if one == command), None)
    given = [one.text for one in command.args[1 : cmake.options_at(command)] if one.text not in _WORDS]
    ends = [held.of(one, scope) if "$" in one else {one[-3:]} for one in given if scope is not None]
    return bool(ends) and all(found and found <= _HEADER_ENDS for found in ends)


def names_for_gpu_alone(parsed: ProjectFile) -> frozenset[str]:
    """The targets of a file that compile for the GPU alone, whatever gives them sources."""
    made = of(parsed)
    known = {one.command.span for one in made}
    gives = [one for one in parsed.commands if one.name == "target_sources" and one.args and one.span not in known]
    others = {one.args[0].text for one in gives} | {
        one.command.args[0].text for one in made if not for_gpu_alone(one) and one.command.args
    }
    return frozenset(one.command.args[0].text for one in made if one.command.args) - others


def of_host(known: Endings) -> frozenset[str]:
    """The targets, as files spell them, all of whose sources are seen and are for the host alone.

    None of those that a command of the project's own gets, which may add more; none at all where a file says of a
    source that it is in the language CUDA, whatever its name.
    """
    found = [(path, *one) for path, placed in known.commands.items() for one in placed]
    if any("CUDA" in command.words() and "LANGUAGE" in command.words() for _, command, _ in found):
        return frozenset()
    own, others = set[str](), set[str]()
    for _, command, scope in found:
        if command.name in known.functions:
            others.update(command.words())
        elif command.name in _COMPILES and command.args:
            is_host = _names_host_alone(command, scope, known)
            (own if is_host else others).add(command.args[0].text)
    return frozenset(own - others)


def _names_host_alone(command: Command, scope: Scope, known: Endings) -> bool:
    """Whether a command of CMake's own names sources, and all that it names are seen not to be for the GPU."""
    words = [one.text for one in command.args[1 : cmake.options_at(command)] if one.text not in _WORDS]
    if not _PASSED_ON.isdisjoint(words):
        return False
    ends = [known.of(named(one), scope) if "$" in one else {one[-len(SOURCE) :]} for one in words if one != "PRIVATE"]
    return all(each and _GIVES_SOURCE.isdisjoint(each) and all(map(_PLAIN.fullmatch, each)) for each in ends)


def wrappers(targets: Iterable[Target], known: Endings) -> frozenset[str]:
    """The functions that make targets of such sources among their arguments, themselves or through others."""
    found = {one.scope.function for one in targets if _is_given(one, known)}
    inner = [(command, scope) for many in known.commands.values() for command, scope in many if scope.function]
    while (
        more := {
            scope.function
            for command, scope in inner
            if command.name in found and any(_GIVES_SOURCE & known.of(word, scope) for word in command.words())
        }
        - found
    ):
        found |= more
    return frozenset(found)


def _is_given(target: Target, known: Endings) -> bool:
    held = known.within(target.scope) if target.scope.function else {}
    return any(name in held for one in target.chosen for name in _VARIABLE.findall(one.text))


def among(path: str, found: Sequence[Command], known: Endings) -> Iterator[Target]:
    """The commands of one of several files that make such targets, with those that only call what makes them."""
    globbed = _globbed(found)
    everywhere = any(cmake.enables(command, "CUDA") for command in found)
    texts = cmake_texts.functions(known.commands)
    for command, scope in known.commands[path]:
        if _NO_TARGETS.fullmatch(command.name) or command.name in texts or not _TARGETS.search(command.name):
            continue
        collects = command.name.startswith("cuda_") or (everywhere and command.name in _COMPILES)
        chosen, pure, ends = [], True, set[str]()
        for argument in map(_without_condition, command.args[1 : cmake.options_at(command)]):
            variable = _VARIABLE.fullmatch(argument.text)
            name = variable[1] if variable and not _OF_CMAKE.match(variable[1]) else ""
            text = named(argument.text)
            endings = known.of(text, scope) if "$" in text else {text[-len(SOURCE) :]}
            unfilled = name and not known.filled(name, scope)
            if not _GIVES_SOURCE.isdisjoint(endings):
                ends |= endings
                chosen.append(argument)
                pure = pure and endings == {SOURCE} and not unfilled
            elif (collects and name in globbed) or (unfilled and not known.held(name, scope) and _LIKELY.search(name)):
                chosen.append(argument)
                pure = False
        if not chosen and command.name in _OF_FIND_CUDA:
            chosen, pure = list(_of_unknown(command, known, scope)), False
        if chosen:
            yield Target(command, tuple(chosen), pure, scope, any(one.endswith(">") for one in ends))


def _of_unknown(command: Command, known: Endings, scope: Scope) -> Iterator[Argument]:
    """The variables of a command of FindCUDA's that may hold what no other is seen to: sources for the GPU."""
    for argument in command.args[1 : cmake.options_at(command)]:
        variable = _VARIABLE.fullmatch(argument.text)
        ends = known.of(argument.text, scope) if variable is not None else set[str]()
        told = bool(ends) and all(_PLAIN.fullmatch(one) is not None for one in ends)
        if variable is not None and not _OF_CMAKE.match(variable[1]) and not told:
            yield argument


def _without_condition(argument: Argument) -> Argument:
    """A source as properties name it, which read no expressions: they belong to the file, in a target or not."""
    given = _GIVEN.fullmatch(argument.text) if "$<" in argument.text or argument.text.endswith(">") else None
    return argument if given is None else replace(argument, text=given[1], around=0)


def _globbed(found: Sequence[Command]) -> set[str]:
    """Variables that are filled by patterns which such sources fit too: `file(GLOB SRC *.c*)`."""
    given = (one for command in found if command.name == "file" for one in assigned(command))
    return {name for name, patterns in given for pattern in patterns if _fits(pattern.rpartition("/")[2])}


def _fits(pattern: str) -> bool:
    """Whether a name that ends so fits a pattern: the last `*` stands for a part of the ending, or for all before."""
    before, star, after = pattern.rpartition("*")
    tails = (SOURCE[at:] for at in range(len(SOURCE) + 1))
    return bool(star) and any(f"x{before}{tail}{after}".endswith(SOURCE) for tail in tails)
