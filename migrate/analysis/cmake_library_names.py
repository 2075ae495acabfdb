"""CMake: libraries of CUDA's by their bare names, in lists that are linked and in calls that look for files.

A name that a static library has stands for nothing else, wherever a list holds it; `cublas` may be a project's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_left
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.library_files import OF_ALONE

LINKS = ("target_link_libraries", "link_libraries")
LISTED, PASSED = "listed library", "passed library"
"""The names of the uses that stand for a library in a list of which it is not seen that it is linked, and for one whose
file a command of the project's looks for."""
FOUND = re.compile(
    r"(?:lib)?(?P<library>cu(?:dart|da|blas|blasLt|fft|rand|sparse|solver|dnn)|nccl|nvrtc|(?:nvtx3/)?nvToolsExt|nvidia-ml"
    rf"|nvcc|culibos|{OF_ALONE})(?:_static)?(?:\.h)?"
)
"""A library, header or program of CUDA that is looked for by name: `cudart`, `libcublas`, `nccl.h`, `nvcc`."""
_OF_SDK = re.compile(r"(?:lib)?(?P<library>cutil|shrutil|cudpp)(?:_x86_64|_i386|64|32)?D?(?:\.h|\.a)?")
"""The libraries of NVIDIA's old SDK by the names of their files: `cutil_x86_64D`; some are looked for by a header."""
_OF_HEADERS = re.compile(r"(?P<library>cub|thrust)/[\w/]+\.(?:cuh|h)")
"""A header of a library that is headers alone, by its path in their folder: `cub/cub.cuh`, `thrust/version.h`."""
_ASKING = frozenset(
    ["find_library", "if", "elseif", "message", "mark_as_advanced", "find_package_handle_standard_args", "unset"],
)
"""Commands that set a variable, ask for it or show it."""
_KEYWORDS = frozenset(("NAMES", "HINTS", "PATHS", "PATH_SUFFIXES", "DOC", "REQUIRED", "NO_DEFAULT_PATH"))
"""Words with which a command that looks for files has no bare list of folders."""
_STATIC = re.compile(r"cu(?:dart|blas|blasLt|fft|rand|sparse|solver|dnn)_static|culibos")
_SEARCHES = re.compile(r"(?!find_library$)\w*find_?librar(?:y|ies)\w*")
"""A command of the project's that looks for a library's file, by its name: `cuda_find_library`."""
_WORD = re.compile(r"[^;]+")


def searched(text: str) -> str:
    """The library that a word of a search for files is looked for by, static or not; empty where it is none."""
    if (old := _OF_SDK.fullmatch(text) or _OF_HEADERS.fullmatch(text)) is not None:
        return old["library"]
    return text.replace("_static", "") if FOUND.fullmatch(text) is not None else ""


def with_folder(command: Command, folder: str) -> Edit:
    """What makes a command that looks for files look in one more folder, behind all others that it lists."""
    words = command.words()
    last = len(words) - 1
    if "PATHS" in words:
        behind = range(words.index("PATHS") + 1, len(words))
        last = next((at - 1 for at in behind if words[at] in _KEYWORDS), last)
    keyword = "" if _KEYWORDS.isdisjoint(words) or "PATHS" in words else "PATHS "
    end = Span(command.args[last].outer.end, command.args[last].outer.end)
    return Edit(end, f" {keyword}{folder}".encode())


def without_found(uses: Sequence[Use], found: Sequence[Command]) -> list[Use]:
    """The uses without those of a variable that a search for files sets, where it is set or asked for.

    What the search looks for becomes ROCm's library, and the variable holds it: `if(NOT CUDA_LIBRARIES)` stays right.
    """
    sets = {one.args[0].text for one in found if one.name == "find_library" and _is_of_libraries(one)}
    asking = {one.span for one in found if one.name in _ASKING} if sets else set[Span]()
    return [use for use in uses if use.name not in sets or use.extent not in asking]


def _is_of_libraries(command: Command) -> bool:
    """Whether a search looks for libraries of CUDA's alone, by `NAMES`."""
    words = command.words()
    if "NAMES" not in words or cmake_left.found_library(command) is not None:
        return False
    names = words[words.index("NAMES") + 1 :]
    end = next((at for at, word in enumerate(names) if word in _KEYWORDS), len(names))
    return bool(names[:end]) and all(map(searched, names[:end]))


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The name, place and command of each library in the values of variables, and in calls of the project's own."""
    links = (one for one in found if one.name in LINKS)
    held = {word[2:-1] for one in links for word in one.words() if word.startswith("${") and word.endswith("}")}
    for command in found:
        name, values = _filled(command)
        for text, span in (part for one in values for part in _parts(one)):
            if name in held and FOUND.fullmatch(text) and not text.startswith("lib"):
                yield f"link {text}", span, command
            elif _STATIC.fullmatch(text):
                yield LISTED, span, command
        for one in command.args[1:] if _passes(command) else ():
            if FOUND.fullmatch(one.text):
                yield PASSED, one.span, command


def _passes(command: Command) -> bool:
    """Whether a command looks for a library's file, and is none that the conversion knows by the library."""
    return _SEARCHES.fullmatch(command.name) is not None and cmake_left.found_library(command) is None


def _filled(command: Command) -> tuple[str, Sequence[Argument]]:
    """The variable that a command gives words, and the words."""
    if command.name == "set" and command.args:
        return command.args[0].text, command.args[1:]
    adds = command.name == "list" and command.words()[:1] in (["APPEND"], ["PREPEND"]) and len(command.args) > 2
    return (command.args[1].text, command.args[2:]) if adds else ("", ())


def _parts(argument: Argument) -> Iterator[tuple[str, Span]]:
    """The words of an argument, of which one may be a list: `a;b`."""
    for match in _WORD.finditer(argument.text):
        first = argument.span.start + len(argument.text[: match.start()].encode())
        yield match[0], Span(first, first + len(match[0].encode()))
