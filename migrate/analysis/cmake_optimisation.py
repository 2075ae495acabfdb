"""CMake: whether anything says how much kernels are optimised in a build of no kind, for sources of the language HIP.

Variables are followed through all files of a project. An option counts where such a source may get it: not what
another language gets, a kind of build that somebody has to ask for, the linker or a program that is run.
Source: NVIDIA, "CUDA Compiler Driver NVCC", `--dopt`; CMakeHIPInformation.cmake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from cudamigrate.analysis import cmake_flow
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake, generator_conditions
from cudamigrate.syntax.cmake import Command

_KIND = ("CMAKE_BUILD_TYPE", "CMAKE_BUILD_TYPE_INIT", "CMAKE_DEFAULT_BUILD_TYPE")
"""Variables that say which kind of build there is where nobody asks for one."""
_KIND_COMMAND = re.compile(r"build_?type", re.IGNORECASE)
"""What a command is called that sets the kind of build: `rapids_cmake_build_type`, `set_default_build_type`."""
_ASKS_KIND = re.compile(r"(?:\$\{)?\w*build_?type\w*\}?", re.IGNORECASE)
"""The kind of build in a condition, in letters of any case: `CMAKE_BUILD_TYPE`, `${build_type_lower}`."""
_READS = ("if", "elseif", "while", "message", "mark_as_advanced", "option")
_ELSEWHERE = re.compile(
    r"execute_process|add_custom_\w+|(?:add|target)_link_options|(?:target_)?link_libraries|file|configure_file"
    r"|install|add_test|externalproject_\w+|try_\w+|check_\w+"
)
"""Commands whose words no compiler gets that the build calls for a source."""
_LEVEL = re.compile(
    r"(?<!-Wl,)(?<![\w-])(?:-O(?:[0-4gsz]|fast)?(?![\w-])|--(?:optimize|dopt|device-debug)\b|-G(?![\w-]))"
)
"""An option that says how much is optimised, as a word of its own or in a list: `-Wall,-O3`."""
_OF_PTXAS = re.compile(r"(?<![\w-])(?:-Xptxas|-po|--ptxas-options|-Xnvlink|--nvlink-options)(?:=|[\s;]+)[^\s;>]+")
"""Options of nvcc's programs for NVIDIA's machine code, of which HIP has none: `-Xptxas;-O3`, `--ptxas-options=-v,-O3`.

Source: NVIDIA, "CUDA Compiler Driver NVCC", `--ptxas-options`."""
_DEBUGS = re.compile(r"(?<![\w-])(?:-O0|-G|--device-debug)(?![\w-])")
"""Those that debug: in a branch they are for who asks for it, and say nothing of other builds."""
_BUILDS = re.compile(r"enable_language|project|find_package|(?:cuda_|hip_)?add_(?:executable|library)|add_subdirectory")
"""Commands without which no kernel is built: a branch with one of them is what builds kernels at all."""
_FOR_HIP = re.compile(r"(?:CMAKE_(?:CUDA|HIP)_FLAGS(?:_INIT)?|ENV\{(?:CUDA|HIP)FLAGS\})")
"""Variables whose options each source for the GPU gets."""
_OF_FIND_CUDA = "CUDA_NVCC_FLAGS"
"""The variable whose options FindCUDA's commands give, and no others."""
_OPTIMISED = re.compile(r"CMAKE_(?:C|CXX|CUDA|HIP)_FLAGS_(?:RELEASE|RELWITHDEBINFO|MINSIZEREL)")
"""Variables that CMake itself gives an option to optimise."""
_FLAGS = re.compile(r"CMAKE_\w*FLAGS\w*")
_REFERENCE = re.compile(r"\$\{((?:[\w.+-]|\$\{[\w.+-]+\})+)\}")
"""A variable that is read, in whose name may be another: `${${LANGUAGE}_FLAGS}`."""
_INNER = re.compile(r"\$\{[\w.+-]+\}")
_HOST_SOURCE = re.compile(r".*\.(?:c|cc|cpp|cxx|C|f|f90|F90)")
_PASSED_ON = re.compile(r"PUBLIC|INTERFACE(?:_\w+)?")
"""Words by which a target gives options to those that are linked to it."""
_CHANGES = ("list", "string")


@dataclass(frozen=True, slots=True)
class _Flow:
    """What one command does: `level` tells an option in its words, `reads` are the variables in them, and `fills` those
    that it changes; None where kernels get its words themselves."""

    level: bool
    reads: frozenset[str]
    fills: frozenset[str] | None


def unnamed(
    files: Iterable[Sequence[Command]],
    finds: bool,
    hosts: Set[str] = frozenset(),
    kernels: Set[str] = frozenset(),
) -> bool:
    """Whether files set no kind of build, and give some kernels no option that says how much is optimised.

    `finds` says that FindCUDA builds the project. `kernels` are targets with sources for the GPU, `hosts` those
    without: what one target alone is given reaches no other.
    """
    read = [list(found) for found in files]
    if any(map(_names_kind, (command for found in read for command in found))):
        return False
    conditions = _conditions(command for found in read for command in found)
    debugs = {one.span for found in read for one, _ in debugged(found)}
    given = [one for found in read for one in _carried_out(found) if _gives(one)]
    gives = [(_flow(one, conditions, one.span in debugs), _bound(one)) for one in given]
    gives = [one for one in gives if not one[1] or not one[1] <= hosts]
    named, start = hosts | kernels, {"CMAKE_CUDA_FLAGS", *((_OF_FIND_CUDA,) if finds else ())}
    alone = set().union(*(bound for _, bound in gives)) & kernels
    for target in (*sorted(alone), *sorted(kernels - alone)[:1]) if kernels else ("",):  # the others are all alike
        left = [flow for flow, bound in gives if not target or _is_for(bound, target, named)]
        if _lacks_level(left, set(start)):
            return True
    return False


def _lacks_level(left: list[_Flow], reached: set[str]) -> bool:
    """Whether no option of what kernels may get says how much is optimised; they get what `reached` holds."""
    while now := [one for one in left if _is_reached(one.fills, reached)]:
        left = [one for one in left if not _is_reached(one.fills, reached)]
        reached.update(name for one in now for name in one.reads)
        if any(one.level for one in now) or any(map(_OPTIMISED.fullmatch, reached)):
            return False
    return True


def _bound(command: Command) -> frozenset[str]:
    """The targets whose sources alone get the words of a command; empty where others may."""
    words = command.words()
    if any(map(_PASSED_ON.fullmatch, words)):
        return frozenset()
    if command.name == "target_compile_options" and "PRIVATE" in words:
        return frozenset(words[:1])
    if command.name == "set_target_properties" and "PROPERTIES" in words:
        return frozenset(words[: words.index("PROPERTIES")])
    if command.name == "set_property" and words[:1] == ["TARGET"] and "PROPERTY" in words:
        return frozenset(words[1 : words.index("PROPERTY")]) - {"APPEND", "APPEND_STRING"}
    return frozenset()


def _is_for(bound: frozenset[str], target: str, named: Set[str]) -> bool:
    """Whether a target may be among some, of which a variable may hold any that is not made by that spelling."""
    return not bound or target in bound or any("$" in one and one not in named for one in bound)


def _names_kind(command: Command) -> bool:
    if command.name in _READS:
        return False
    return bool(_KIND_COMMAND.search(command.name)) or not set(_KIND).isdisjoint(command.words())


def _conditions(commands: Iterable[Command]) -> dict[str, str]:
    """The variables that are given one expression, and no other value."""
    found: dict[str, set[str]] = {}
    for words in (one.words() for one in commands if one.name == "set"):
        if len(words) > 1:
            found.setdefault(words[0], set()).add(words[1])
    return {name: one for name, (one, *more) in found.items() if not more and one.startswith("$<")}


def _carried_out(found: Sequence[Command]) -> Iterator[Command]:
    """The commands of a file without those in branches for a kind of build that is named, or for Windows."""
    away = {one.span for one in found if one.name in ("if", "elseif") and _asks_kind(one.words())}
    windows, around = cmake_flow.for_windows(found), cmake.branches(found)
    return (one for one in found if one.span not in windows and away.isdisjoint(around[one.span]))


def _asks_kind(words: Sequence[str]) -> bool:
    """Whether a condition is true for kinds of build alone that have a name."""
    parts = " ".join(words).split(" OR ")
    return all(any(_is_kind(one.split()) for one in part.split(" AND ")) for part in parts)


def _is_kind(words: Sequence[str]) -> bool:
    """Whether a part of a condition is `CMAKE_BUILD_TYPE`, or compares that with a name."""
    if not words or not _ASKS_KIND.fullmatch(words[0]):
        return False
    return len(words) == 1 or (len(words) == 3 and words[1] in ("STREQUAL", "MATCHES", "EQUAL"))


def _gives(command: Command) -> bool:
    """Whether some source of the project may get the words of a command."""
    if command.name in _READS or _ELSEWHERE.fullmatch(command.name):
        return False
    words = command.words()
    named = words[: words.index("PROPERTIES")] if "PROPERTIES" in words else []
    return command.name != "set_source_files_properties" or not all(map(_HOST_SOURCE.fullmatch, named))


def debugged(found: Sequence[Command]) -> list[tuple[Command, str]]:
    """The commands of a file that give an option to debug in a branch, each with the condition of that as a text.

    The text is empty in a function, whose words are not those of the file. A branch that builds kernels, or asks if
    CUDA was found, is the only way to kernels, and no choice to debug.
    """
    around, by_place = cmake.branches(found), {one.span: one for one in found}
    building = {span for one in found if _BUILDS.fullmatch(one.name) for span in around[one.span]}
    made = []
    for command in found:
        if not _DEBUGS.search(" ".join(command.words())):
            continue
        heads = [by_place[span] for span in around[command.span]]
        head = next((one for one in reversed(heads) if one.name in ("if", "elseif", "else")), None)
        if head is None or head.span in building:
            continue
        opening = by_place[cmake.conditionals(found)[head.span]]
        if not _asks_kind(head.words()) and not any(word.endswith("_FOUND") for word in opening.words()):
            inside = all(one.name in ("if", "elseif", "else") for one in heads)  # a function has words of its own
            made.append((command, _asked(head, opening) if inside else ""))
    return made


def _asked(head: Command, opening: Command) -> str:
    """When a branch is carried out: by the words of its `if` or `elseif`, or where those of its `if` are not true."""
    text = " ".join(f'"{one.text}"' if one.quoted else one.text for one in (head if head.args else opening).args)
    return f"NOT ({text})" if head.name == "else" else text


def _flow(command: Command, conditions: Mapping[str, str], debugs: bool = False) -> _Flow:
    words = command.words()
    words = words[: words.index("CACHE")] if "CACHE" in words[1:] and command.name == "set" else words
    text = _OF_PTXAS.sub("", generator_conditions.given(" ".join(words), conditions))
    names = frozenset(match[1] for match in _REFERENCE.finditer(text))
    return _Flow(_LEVEL.search(_DEBUGS.sub("", text) if debugs else text) is not None, names, _filled(command, words))


def _filled(command: Command, words: Sequence[str]) -> frozenset[str] | None:
    """The variables that a command may change; None where it is no command that does."""
    if command.name in ("set", "foreach"):
        return frozenset(words[:1])
    if command.name in _CHANGES:
        return frozenset(words[1:])
    flags = frozenset(filter(_FLAGS.fullmatch, words))  # `append_flag(CMAKE_CXX_FLAGS -O3)`, a command of its own
    return flags or None


def _is_reached(fills: frozenset[str] | None, reached: Set[str]) -> bool:
    """Whether kernels get the words of a command, or what a variable holds that it changes."""
    if fills is None or not fills.isdisjoint(reached) or any(map(_FOR_HIP.fullmatch, fills)):
        return True
    patterns = [one for one in reached if "$" in one]
    return any(_is_like(name, one) for name in fills for one in (reached if "$" in name else patterns))


def _is_like(one: str, other: str) -> bool:
    """Whether two names may be the same, where variables in them stand for any letters."""
    return any(
        re.fullmatch(r"[\w.+-]*".join(map(re.escape, _INNER.split(pattern))), _INNER.sub("", name))
        for name, pattern in ((one, other), (other, one))
    )
