"""CMake: command lines that call nvcc, by its name or in a variable, and what the calls make.

A call that makes an object or a program of a source is hipcc's, or clang's; one that asks for a release, or makes PTX
or machine code, is none. Source: NVIDIA, "CUDA Compiler Driver NVCC", "Compilation Phases" and command options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import takewhile

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Argument, Command

_RUNS = ("add_custom_command", "add_custom_target", "execute_process")
_NVCC = re.compile(r"(?:\S*/)?nvcc|\$\{(?:CMAKE_CUDA_COMPILER|CUDA_NVCC_EXECUTABLE|CUDAToolkit_NVCC_EXECUTABLE)\}")
"""nvcc by its name, or in the variable in which CMake, FindCUDA or FindCUDAToolkit has it."""
_BY_NAME = re.compile(r"(?:\S*/)?nvcc")
_MAKES = frozenset(("-c", "--compile", "-dc", "--device-c", "-o", "--output-file"))
_ELSE = (
    "ptx", "cubin", "fatbin", "optix-ir", "dlink", "device-link", "lib", "E", "preprocess", "M", "MM", "V", "h", "cuda",
    "generate-dependencies", "version", "help", "dryrun", "run", "dlto", "link-time-opt",
)  # fmt: skip
_MAKES_ELSE = frozenset(f"{dashes}{name}" for dashes in ("-", "--") for name in _ELSE)
"""Options by which nvcc makes something else, or only says something."""
_REFERENCE = re.compile(r"\$\{(\w+)\}")
_WORD = re.compile(r"[\s;]+")
OF_LANGUAGE = "${CMAKE_CUDA_COMPILER}"
"""The compiler that becomes the one of the language HIP."""
_NOT_BY_NAME = frozenset(("-x", "-fatbin", "--fatbin", "-cubin", "--cubin"))
_KEYWORD = re.compile(r"[A-Z][A-Z_]{3,}")
"""What ends a command line in a command of CMake's: `DEPENDS`, `COMMENT`."""


def options(command: Command, held: Set[str] = frozenset()) -> Iterator[list[Span]]:
    """The words that nvcc gets in each command line which calls it, in commands that run programs.

    `held` are variables of the project's own that hold nvcc.
    """
    return ([one.span for one in given] for _, given in _calls(command, held))


def places(command: Command, held: Set[str] = frozenset()) -> Iterator[tuple[Span, list[str]]]:
    """Where each of these command lines names the compiler, and the texts of its words."""
    return ((compiler.span, [one.text for one in given]) for compiler, given in _calls(command, held))


def by_path(command: Command) -> Iterator[tuple[Argument, list[str]]]:
    """The paths by which these command lines call nvcc, not by its name alone, and the texts of the words."""
    calls = ((compiler, given) for compiler, given in _calls(command) if compiler.text.endswith("/nvcc"))
    return ((compiler, [one.text for one in given]) for compiler, given in calls)


def is_compilation(words: Sequence[str], held: Mapping[str, Sequence[str]]) -> bool:
    """Whether nvcc makes an object or a program, by what it is given; not PTX, a file of machine code or a text.

    `held` are the words of variables, which may be among those that it is given.
    """
    given = set(words)
    waiting, seen = list(words), set[str]()
    while waiting:
        for name in _REFERENCE.findall(waiting.pop()):
            more = [part for word in held.get(name, ()) for part in _WORD.split(word)] if name not in seen else []
            seen.add(name)
            given.update(more)
            waiting += more
    return not _MAKES.isdisjoint(given) and _MAKES_ELSE.isdisjoint(given)


def is_for_nvcc_itself(command: Command, offset: int, others: Set[str], held: Mapping[str, Sequence[str]]) -> bool:
    """Whether a word is given to nvcc in a call that stays as it is: for more than a compilation, or by a variable of
    the toolkit's or of the project's own (`others`)."""
    return any(
        not (compiler.text == OF_LANGUAGE or (_BY_NAME.fullmatch(compiler.text) and _compiles(given, held)))
        and any(one.span.start <= offset < one.span.end for one in given)
        for compiler, given in _calls(command, others)
    )


def _compiles(given: Sequence[Argument], held: Mapping[str, Sequence[str]]) -> bool:
    return is_compilation([one.text for one in given], held)


def sources_for_clang(command: Command) -> Iterator[Span]:
    """The first source that ends in `.cu` of each call of the compiler of the language, which is clang for HIP.

    clang takes it for CUDA's by its name. What is made machine code of, or comes behind `-x`, is apart.
    """
    for compiler, given in _calls(command):
        if compiler.text == OF_LANGUAGE and _NOT_BY_NAME.isdisjoint(one.text for one in given):
            yield from [one.span for one in given if one.text.endswith(".cu")][:1]


def _calls(command: Command, held: Set[str] = frozenset()) -> Iterator[tuple[Argument, list[Argument]]]:
    """How nvcc is called in each command line, and the words that it gets."""
    words = command.words() if command.name in _RUNS else []
    for number, word in enumerate(words):
        if word != "COMMAND" or number + 1 >= len(words):
            continue
        called = words[number + 1]
        if not _NVCC.fullmatch(called) and not (called[:2] == "${" and called[2:-1] in held):
            continue
        given = command.args[number + 3 if words[number + 2 : number + 3] == ["ARGS"] else number + 2 :]
        own = takewhile(lambda one: one.quoted or not _KEYWORD.fullmatch(one.text), given)
        yield command.args[number + 1], list(own)
