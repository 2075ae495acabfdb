"""What CMake's variables and options are in a plain build, as far as build files say it alike wherever they set them.

Conditions are decided by these values, by the system, which is Linux, and by the files of the tree that are there; one
that asks for more is open. Nothing is run.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cudamigrate.compilation import cmake_hip_branches
from cudamigrate.compilation.cmake_assignments import set_by
from cudamigrate.compilation.cmake_hip_branches import Condition
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake, generator_conditions

_NAMED = re.compile(r"@(\w+)@|\$\{(\w+)\}")
_VENDOR = re.compile(r"CUDA|ROCM|HIP", re.IGNORECASE)
_SWITCH = re.compile(r"(?!.*(?:^|_)(?:NO|NOT|WITHOUT|DISABLE)_)(?:\w*_)?CUDA(?:_(?:ENABLED?|SUPPORT|FOUND|BACKEND))?_*")
"""How the switch is called that turns the GPU on: `USE_CUDA`, `HAVE_CUDA`, `CUDA_ENABLED`; not `NO_CUDA`."""
DEFINE = ("add_definitions", "add_compile_definitions", "target_compile_definitions")
"""Commands that give macros."""
_VALUED = re.compile(r"(?:[-/]D)?([A-Za-z_]\w+)=.")
"""A macro that is given a value: `-DBLOCK=${SIZE}`."""
_MACRO = re.compile(r"(?:[-/]D)?([A-Za-z_]\w*)(?:=.*)?")
_OPTION = re.compile(r"(?<![\w-])-D([A-Za-z_]\w*)")
"""A macro among options: `-DFAST`, in `-O3 -DFAST=1` too."""
_HOLDS_OPTIONS = ("set", "list", "string", "add_compile_options", "target_compile_options", "set_target_properties")
_SCOPES = ("PUBLIC", "PRIVATE", "INTERFACE")
_FALSE = frozenset(("", "0", "off", "no", "false", "n", "ignore", "notfound"))
_ON = {"OFF": "ON", "0": "1", "FALSE": "TRUE", "NO": "YES"}
_LINUX = "Linux"
_SYSTEM = {
    **dict.fromkeys(("UNIX", "LINUX", "CMAKE_HOST_UNIX", "CMAKE_HOST_LINUX"), "1"),
    **dict.fromkeys(("WIN32", "APPLE", "MSVC", "MINGW", "CYGWIN", "MSYS", "ANDROID", "IOS", "EMSCRIPTEN"), ""),
    **dict.fromkeys(("CMAKE_HOST_WIN32", "CMAKE_HOST_APPLE"), ""),
}
"""What CMake itself says of the system."""
_ASKS_SYSTEM = re.compile(r"(?:\$\{)?CMAKE_(?:HOST_)?SYSTEM_NAME\}?")
_ASKS_TYPE = re.compile(r"(?:\$\{)?CMAKE_BUILD_TYPE\}?")
_TYPES = ("", "Release")
"""The kinds of build that nobody asks for by name, and what is built for users: what both answer alike is known."""
_VALUE = re.compile(r"\$\{(\w+)\}\Z")
"""The value of one variable, where a condition may name the variable as well."""
_SYSTEMS = re.compile(r"(\^?)\(?(\w+(?:\|\w+)*)\)?(\$?)")
"""A pattern of names and nothing else: `Linux`, `^(Linux|FreeBSD)$`."""
_CUDA_RELEASE = re.compile(
    r"(?:\$\{)?(?:CUDA_VERSION(?:_STRING|_MAJOR)?|CUDAToolkit_VERSION(?:_MAJOR)?|CMAKE_CUDA_COMPILER_VERSION)\}?"
)
"""What CMake calls the release of CUDA: `CUDA_VERSION`, `${CUDAToolkit_VERSION}`."""
_COMPARED = re.compile(r"(?:VERSION_)?(LESS|GREATER|EQUAL)(_EQUAL)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_OLDEST, _NEWEST = (11, 0, 0), (13, 99, 0)
"""The releases of CUDA that a plain build has today: what they answer alike is known."""
_LONGEST = 100_000
"""Characters of values that are put into one text: variables of variables can double without end."""


_NOTHING: Mapping[str, str] = {}


@dataclass(slots=True)
class _Branch:
    """One branch of an `if`: whether a plain build takes it, or the one variable that it asks whether it is set.

    `barred` is true where it is known not to be taken; `untrue` where that is known of all branches up to it, and
    `over` where one of them is known to be taken. `decides` is whether a build for a GPU takes it, and another may
    not, or whether it is known to be taken.
    """

    taken: bool | str
    barred: bool
    untrue: bool
    over: bool
    decides: bool = False


def agreed(commands: Iterable[cmake.Command], places: Mapping[str, str] = _NOTHING) -> Mapping[str, str]:
    """What commands set variables and options to, where all that do agree; an option has its default.

    A command in a branch that a plain build is known not to take sets nothing, and one in a branch of the build for a
    GPU, or in one that is known to be taken, decides over those before it in no branch.
    `places` are folders by CMake's names.
    """
    listed, values = list(commands), dict(places)
    for _ in range(3):  # what is known of some decides where others are set
        nested = _nested(listed, values)
        known = _agreed(
            ((one, around) for one, around in nested if not any(branch.barred for branch in around)), places
        )
        if known == values:
            break
        values = known
    return values


def _agreed(commands: Iterable[tuple[cmake.Command, Sequence[_Branch]]], places: Mapping[str, str]) -> dict[str, str]:
    given: dict[str, set[str]] = {}
    before: dict[str, set[str]] = {}
    for command, branches in commands:
        for name, value in set_by(command):
            values = given.setdefault(name, set())
            if branches and all(branch.decides for branch in branches) and values == before.get(name):
                values.clear()
            elif not branches:
                before.setdefault(name, set()).add(value)
            values.add(value)
    known = {**places, **{name: next(iter(values)) for name, values in given.items() if len(values) == 1}}
    for _ in range(3):  # variables of variables
        known = {name: replaced(value, known)[0] for name, value in known.items()}
    return {name: value for name, value in known.items() if not _NAMED.search(value)}


def taken_by_default(
    commands: Sequence[cmake.Command], plain: bool = True, places: Mapping[str, str] = _NOTHING
) -> Iterator[tuple[str, list[str]]]:
    """The commands outside of conditions, and those of the branches that a plain build for a GPU takes.

    Where the build is not a plain one of CMake, the defaults of its options decide nothing. `places` are folders by
    CMake's names for them.
    """
    for command, branches in _nested(commands, agreed(commands, places) if plain else places):
        words = command.words()
        if all(one.taken is True or (command.name == "set" and one.taken == words[0]) for one in branches):
            yield command.name, words


def _nested(
    commands: Iterable[cmake.Command], values: Mapping[str, str]
) -> Iterator[tuple[cmake.Command, Sequence[_Branch]]]:
    """Each command that is no part of a condition, with the branches that it is in."""
    commands = list(commands)
    values = {**values, **dict.fromkeys(_switches(commands), "ON")}
    of_hip = cmake_hip_branches.answers(commands)
    branches: list[_Branch] = []
    for command in commands:
        if command.name == "if":
            known = _holds(command, values, of_hip)
            open_ = known is None and (_is_for_gpu(command) or _given_a_default(command))
            decides = known is True or (known is None and _is_for_gpu(command))
            branches.append(_Branch(known or open_, known is False, known is False, known is True, decides))
        elif command.name in ("elseif", "else") and branches:
            branches[-1] = _next(command, branches[-1], values, of_hip)
        elif command.name == "endif" and branches:
            branches.pop()
        else:
            yield command, branches


def _switches(commands: Sequence[cmake.Command]) -> set[str]:
    """The options without which nothing of a file enables CUDA or HIP, whatever they are called: a build has them.

    `option(WITH_BOARDS "" OFF)`, `if(WITH_BOARDS)`, `find_package(CUDA)`.
    """
    options = {command.words()[0] for command in commands if command.name == "option" and command.words()}
    around: list[str] = []
    found = set[str]()
    for command in commands:
        if command.name == "if":
            words = command.words()
            around.append(words[0] if len(words) == 1 else "")
        elif command.name in ("elseif", "else") and around:
            around[-1] = ""
        elif command.name == "endif" and around:
            around.pop()
        elif cmake.enables(command, "CUDA") or cmake.enables(command, "HIP"):
            if not around:
                return set()
            found.update(options.intersection(around))
    return {name for name in found if not _VENDOR.search(name)}


def _next(
    command: cmake.Command,
    before: _Branch,
    values: Mapping[str, str],
    of_hip: Mapping[Condition, bool],
) -> _Branch:
    """The branch after one."""
    last = command.name == "else"
    known = True if last else _holds(command, values, of_hip)
    for_gpu = not last and known is None and not before.over and _is_for_gpu(command)
    sure = before.untrue and known is True
    barred = before.over or known is False
    return _Branch(sure or for_gpu, barred, before.untrue and known is False, before.over or sure, sure or for_gpu)


_TRUTH, _NAME = re.compile(r"\$<BOOL:([^<>]*)>"), re.compile(r"\w+")
_DENIED, _BOTH = re.compile(r"\$<NOT:([01])>"), re.compile(r"\$<AND:([01](?:,[01])*)>")


def truths(words: Iterable[str], values: Mapping[str, str]) -> Iterator[str]:
    """Some words, each `$<BOOL:${X}>` as 1 or 0 where it is known; the switch of the GPU is on.

    So are `$<NOT:` and `$<AND:` of such.
    """
    for word in words:
        known = _TRUTH.sub(lambda match: _truth(match, values), word)
        known = _DENIED.sub(lambda match: str(1 - int(match[1])), known)
        yield _BOTH.sub(lambda match: str(int("0" not in match[1])), known)


def _truth(match: re.Match[str], values: Mapping[str, str]) -> str:
    value, unknown = replaced(match[1], values)
    if unknown:
        return match[0]
    return "1" if is_true(value) or any(map(is_gpu_switch, _NAME.findall(match[1]))) else "0"


def joined(words: Iterable[str]) -> Iterator[str]:
    """Some words, those of an expression as one: blanks may be in it."""
    whole = list[str]()
    for word in words:
        whole.append(word)
        text = " ".join(whole)
        if text.count("$<") <= text.count(">"):
            yield text
            whole = []
    yield from whole


def decided(words: Iterable[str], values: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Some words, with what expressions give whose conditions are known, each with whether it is of a language's alone.

    `$<1:A>` and `$<$<PLATFORM_ID:Linux,Darwin>:A>` are `A`, and `$<$<PLATFORM_ID:Windows>:B>` nothing; what sources for
    GPUs get by `$<$<COMPILE_LANGUAGE:CUDA>:C>` is `C`, of the language.
    """
    for text in joined(words):
        known = generator_conditions.sure(text, values)
        if known is None:
            yield text, False
        else:
            yield from ((word.removeprefix("SHELL:"), "_LANG" in text) for word in re.split(r"[;\s]+", known) if word)


def valued(commands: Iterable[cmake.Command]) -> set[str]:
    """The macros that commands give a value, in whatever branch."""
    given = (word for command in commands if command.name in DEFINE for word in command.words())
    return {match[1] for match in map(_VALUED.match, given) if match is not None}


def given(commands: Iterable[cmake.Command]) -> Iterator[str]:
    """The macros that commands give with or without a value, in whatever branch, function or variable of options."""
    for command in commands:
        words = command.words()
        if command.name in DEFINE:
            named = words[1:] if command.name.startswith("target") else words
            yield from (macro[1] for macro in map(_MACRO.fullmatch, named) if macro and macro[1] not in _SCOPES)
        elif command.name in _HOLDS_OPTIONS:
            yield from (name for word in words for name in _OPTION.findall(word))


def _given_a_default(condition: cmake.Command) -> str:
    """The variable that a condition asks whether nobody has set it: a plain build takes the value that follows."""
    head = [word for word in condition.words() if word != "DEFINED"]
    return head[1] if len(head) == 2 and head[0] == "NOT" else ""


def _holds(condition: cmake.Command, values: Mapping[str, str], of_hip: Mapping[Condition, bool]) -> bool | None:
    """Whether a condition is true by the defaults of options; what asks for a vendor is decided by that, or for HIP."""
    known = of_hip.get(tuple(condition.words()))
    if known is not None:
        return known
    of_options = {name: value for name, value in values.items() if not _VENDOR.search(name)}
    return holds(condition.words(), {**_SYSTEM, **of_options})


def _is_for_gpu(condition: cmake.Command) -> bool:
    words = condition.words()
    return any(map(_VENDOR.search, words)) and "NOT" not in words and not any(map(_CUDA_RELEASE.fullmatch, words))


def is_gpu_switch(name: str) -> bool:
    """Whether a variable is called as one that turns the GPU on, so that the build for AMD has it on."""
    return _SWITCH.fullmatch(name.upper()) is not None


def for_gpu(values: Mapping[str, str]) -> dict[str, str]:
    """Values, with the switches of the GPU that are off by default turned on."""
    return {name: _ON.get(value.upper(), value) if is_gpu_switch(name) else value for name, value in values.items()}


def is_true(value: str) -> bool:
    """Whether CMake takes a value for true."""
    return not (value.lower() in _FALSE or value.lower().endswith("-notfound"))


def holds(condition: Sequence[str], values: Mapping[str, str]) -> bool | None:
    """Whether a condition of variables and releases of CUDA, with `NOT` and `AND` or `OR`, is true; else None."""
    sign = "OR" if "OR" in condition else "AND"
    if {"(", ")"} & set(condition) or ("OR" in condition and "AND" in condition):
        return None
    parts: list[list[str]] = [[]]
    for word in condition:
        if word == sign:
            parts.append([])
        else:
            parts[-1].append(word)
    known = [_asked(part, values) for part in parts]
    deciding = sign == "OR"
    if deciding in known:
        return deciding
    return None if None in known else not deciding


def _asked(words: Sequence[str], values: Mapping[str, str]) -> bool | None:
    """What `NAME`, or a comparison of CUDA's release with a number, is, with or without `NOT`."""
    denied = words[:1] == ["NOT"]
    words = words[1:] if denied else words
    known = None
    if len(words) == 3 and _CUDA_RELEASE.fullmatch(words[0]) and _NUMBER.fullmatch(words[2]):
        known = _compared(words[1], tuple(map(int, words[2].split("."))))
    elif len(words) == 3 and _ASKS_SYSTEM.fullmatch(words[0]):
        known = _is_named(words[1], words[2], _LINUX)
    elif len(words) == 3 and _ASKS_TYPE.fullmatch(words[0]):
        known = _of_type(words[1], words[2], values)
    elif len(words) == 3 and words[1] in ("STREQUAL", "MATCHES"):
        known = _is_value(words, values)
    elif len(words) == 2 and words[0] == "EXISTS":
        known = _is_there(words[1], values)
    elif len(words) == 1 and words[0] in values:
        known = is_true(values[words[0]])
    return known if known is None else known is not denied


def _is_named(sign: str, asked: str, name: str) -> bool | None:
    """What a comparison of a name with another one, or with a pattern of names, is."""
    if sign == "STREQUAL":
        return None if "$" in asked else asked == name
    pattern = _SYSTEMS.fullmatch(asked) if sign == "MATCHES" else None
    if pattern is None:
        return None
    begins, names, ends = pattern[1], pattern[2].split("|"), pattern[3]
    if len(names) > 1 and (begins or ends) and "(" not in asked:
        return None  # the signs are of the first and the last name alone
    if begins:
        return any(one == name if ends else name.startswith(one) for one in names)
    return any(name.endswith(one) if ends else one in name for one in names)


def _is_value(words: Sequence[str], values: Mapping[str, str]) -> bool | None:
    """What a comparison of a variable with a text or another one is; with a vendor, if not the default, it is open."""
    name, sign, asked = words
    value, other = values.get(_VALUE.sub(r"\1", name)), values.get(_VALUE.sub(r"\1", asked))
    if value and value == other and sign == "STREQUAL":
        return True  # the folder of the project and the one that the build begins in; others may be one elsewhere
    if value is None or other is not None:
        return None
    known = _is_named(sign, asked, value)
    return None if known is False and _VENDOR.search(asked) else known


def _of_type(sign: str, asked: str, values: Mapping[str, str]) -> bool | None:
    """What a comparison of the kind of build with another one is: a plain one is none of them, or what users get."""
    types = (values["CMAKE_BUILD_TYPE"],) if "CMAKE_BUILD_TYPE" in values else _TYPES
    answers = {_is_named(sign, asked, one) for one in types}
    return answers.pop() if len(answers) == 1 else None


def _is_there(path: str, values: Mapping[str, str]) -> bool | None:
    """True where a path is one of the tree; one that is not there may come with the build, so that nothing is known."""
    root = values.get("CMAKE_SOURCE_DIR", "")
    whole, unknown = replaced(path, values)
    inside = bool(root) and not unknown and os.path.normpath(whole).startswith(root + os.sep)
    return True if inside and os.path.exists(whole) else None


def _compared(sign: str, number: tuple[int, ...]) -> bool | None:
    """Whether the release of CUDA is less than a number, greater or the same: what old and new ones answer alike."""
    found = _COMPARED.fullmatch(sign)
    if found is None:
        return None
    wanted = (*number, 0, 0, 0)[:3]
    if found[1] == "EQUAL":
        return None if _OLDEST <= wanted <= _NEWEST else False
    less, same = found[1] == "LESS", found[2] is not None
    answers = {(have < wanted if less else have > wanted) or (same and have == wanted) for have in (_OLDEST, _NEWEST)}
    return answers.pop() if len(answers) == 1 else None


def replaced(text: str, values: Mapping[str, str], absent: str | None = None) -> tuple[str, bool]:
    """A text with the values of variables, and whether one is not known; `absent` stands for such, else its name."""
    unknown, room = False, _LONGEST

    def value(match: re.Match[str]) -> str:
        nonlocal unknown, room
        given = values.get(match[1] or match[2])
        if given is not None and len(given) <= room:
            room -= len(given)
            return given
        unknown = True
        return match[0] if absent is None else absent

    return _NAMED.sub(value, text), unknown
