"""Which sources of a build its host compiler gets, and by which C++ standard: what nvcc never sees is no device code.

Result: `HostRule`s, from the rules of a Makefile or from the languages of a CMake project, and the answer for one file.
Where rules differ about a file, or one names the compiler by what only a build knows, nothing is said of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.compilation.make_functions import UNKNOWN
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Command, enables

_FOR_GPU = re.compile(rb"__(?:global|device|constant|shared)__|<<<")
"""What makes a file with an ending of C or C++ one for the compiler of CUDA: a kernel, or its launch."""
_KERNELS, _BOTH = re.compile(rb"\b__global__\b|<<<"), re.compile(rb"__(?:CUDACC|NVCC|HIPCC|HIP)__")
"""A kernel or its launch, and what a file asks that compilers for the host and for GPUs both get."""
_NO_WORD = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+__global__", re.MULTILINE)
_REMARKS = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_SOURCES = (".cpp", ".cc", ".cxx", ".c++", ".C")
_IN_C = ".c"
_HOST = re.compile(
    r"(?:\S*/)?(?:[\w.]+-)*(?:g\+\+|gcc|c\+\+|cc|clang|clang\+\+|icp[cx]|ic[cx]|mpicxx|mpic\+\+|mpicc|CC)(?:-[\d.]+)?"
)
"""A compiler of the host by its name, with a folder, a machine and a release around it: `/usr/bin/x86_64-g++-12`."""
_OF_CPP = re.compile(r"(?:\S*/)?(?:[\w.]+-)*(?:g\+\+|c\+\+|clang\+\+|icpx|icpc|mpicxx|mpic\+\+|CC)(?:-[\d.]+)?")
"""A compiler of the host that takes every source for one in C++, whatever its ending."""
_NO_COMPILER = frozenset(
    [
        "[",
        ":",
        "cd",
        "chmod",
        "cp",
        "echo",
        "install",
        "ln",
        "mkdir",
        "mv",
        "printf",
        "rm",
        "rmdir",
        "test",
        "touch",
        "true",
    ]
)
"""Commands that compile nothing, alone in their line: what makes the folder of a target, or says what is done."""
_MAKES = re.compile(r"[@+-]*(?:\$[({]MAKE[)}]|g?make)(?!\S)")
"""A recipe as written that runs make, whose own rules say what it compiles."""
_MORE = re.compile(r"[;|&`]")
_DEFAULT = re.compile(r"[@+-]*\$[({](?:CXX|CC)[)}]")
"""A recipe that begins with a variable which make sets itself: `$(CXX) -c $<`."""
_STANDARD = re.compile(r"-std=((?:c|gnu)\+\+\w+)")
_GPU = re.compile(r"(?:\S*/)?(?:nvcc|hipcc)(?:-[\d.]+)?")
"""A compiler for GPUs by its name, with a folder and a release around it: `/usr/local/cuda/bin/nvcc`."""
_LANGUAGE = re.compile(r"(?:^|\s)--?x[ =]?(?:cu|cuda|hip)(?!\S)")
"""The option by which a compiler takes a source for one for GPUs: `-x cu`, `--x=cu`, `-xhip`."""
_OF_GPUS = frozenset(("CUDA", "HIP", "CUDA_SOURCE_PROPERTY_FORMAT"))
"""Values and properties by which CMake, or FindCUDA, gives a source to the compiler for GPUs."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_ENDS_IN = re.compile(r"\"?\\\\?\.(\w+)\$\"?")
"""A filter that leaves the sources with one ending: `\\.cu$`."""
_FILLS = ("file", "list", "foreach", "aux_source_directory", "string", "cmake_parse_arguments", "separate_arguments")
"""Commands that may fill a variable with what is not followed here."""
_CUDA = re.compile(r"-x=?|--x|--?cuda\S*|--offload\S*")
"""Options by which a compiler of the host compiles for a GPU after all."""


@dataclass(frozen=True, slots=True)
class HostRule:
    """What one rule of a build says of the sources below a folder whose paths there have a pattern: `src/%.cpp`.

    A pattern without a folder holds for all of them by their names; one that begins with `./` holds for the folder's
    own sources alone. `host` is whether the host's compiler gets them, `standard` the C++ standard that it is given,
    as in `-std=gnu++17`, empty where it is given none. `gpu` is whether the compiler for GPUs gets them; neither is
    true where that is not known. `cuda` says that it takes them for its own language, `cpp` that they are C++, whatever
    their ending. What a build for Windows says, `windows`, counts where no other says something of a file.
    """

    folder: str
    pattern: str
    host: bool
    standard: str = ""
    gpu: bool = False
    cuda: bool = False
    cpp: bool = False
    windows: bool = False

    def covers(self, path: str) -> bool:
        """Whether the absolute path of a source is among those."""
        if not path.startswith(self.folder.rstrip(os.sep) + os.sep):
            return False
        inside = os.path.relpath(path, self.folder).replace(os.sep, "/")
        if self.pattern.startswith("./") and "/" in inside:
            return False
        name = inside if "/" in self.pattern else inside.rpartition("/")[2]
        begin, percent, end = self.pattern.removeprefix("./").partition("%")
        whole = name.startswith(begin) and name.endswith(end) and len(name) > len(begin) + len(end)
        return whole if percent else name == self.pattern


def has_gpu_code(text: bytes) -> bool:
    """Whether a text has code that only a compiler for GPUs takes; a remark on such code is none."""
    return _FOR_GPU.search(text) is not None and _FOR_GPU.search(_REMARKS.sub(b"", text)) is not None


def is_compiler(word: str) -> bool:
    """Whether the first word of a command calls a compiler by its name, for GPUs or for the host."""
    return _GPU.fullmatch(word) is not None or _HOST.fullmatch(word) is not None


def is_default(recipe: str) -> bool:
    """Whether a recipe as written calls a compiler by a variable that make sets itself."""
    return _DEFAULT.match(recipe) is not None


def is_for_windows_alone(path: str, rules: Iterable[HostRule]) -> bool:
    """Whether all that says something of the source at an absolute path are builds for Windows."""
    found = [rule for rule in rules if rule.covers(path)]
    return bool(found) and all(rule.windows for rule in found)


def host_rule(path: str, rules: Iterable[HostRule]) -> HostRule | None:
    """The rule by which the host's compiler gets the source at an absolute path; None where it is not known to.

    The rules of the nearest folder with a build that says something of the file hold.
    """
    there = _nearest(path, rules)
    if not there or not all(rule.host for rule in there):
        return None
    return next((rule for rule in there if rule.standard), there[0])


def is_for_gpu(path: str, rules: Iterable[HostRule], text: bytes) -> bool:
    """Whether the compiler for GPUs gets the source at an absolute path, whatever a build by its ending would do.

    The rules that say something of the file decide; where there are none, a kernel or a launch in its `text` does, in
    no branch that asks for the compiler: a file with all of them in such branches the host's may read too.
    """
    there = _nearest(path, rules)
    there = [rule for rule in there if "%" not in rule.pattern] or there  # which make prefers to a pattern
    if any(rule.host or rule.gpu for rule in there):
        return all(rule.gpu for rule in there)
    return _has_kernel_anyhow(text)


def _has_kernel_anyhow(text: bytes) -> bool:
    """Whether a text has a kernel or a launch whatever compiles it, and does not itself make `__global__` nothing."""
    if _KERNELS.search(text) is None:
        return False
    tokens = lex(text)
    asking = [one for one in branches(tokens, ()) if any(map(_BOTH.search, one.conditions))]
    defined = _NO_WORD.search(text) is not None
    places = (match for match in _KERNELS.finditer(text) if tokens.is_code(match.start()))
    return any(
        (match[0] == b"<<<" or not defined) and not any(one.start <= match.start() < one.end for one in asking)
        for match in places
    )


def is_in_cpp(path: str, rules: Iterable[HostRule]) -> bool:
    """Whether the source at an absolute path, whose ending is that of C, is given to a compiler of C++ alone."""
    there = _nearest(path, rules, (_IN_C,))
    return bool(there) and all(rule.cpp for rule in there)


def _nearest(path: str, rules: Iterable[HostRule], endings: tuple[str, ...] = _SOURCES) -> list[HostRule]:
    """The rules about a source of the nearest folder with a build that says something of it."""
    found = [rule for rule in rules if rule.covers(path)] if path.endswith(endings) else []
    found = [rule for rule in found if not rule.windows] or found
    nearest = max((rule.folder for rule in found), key=len, default="")
    return [rule for rule in found if rule.folder == nearest]


def of_makefile(folder: str, recipes: Iterable[tuple[str, str, str]]) -> Iterator[HostRule]:
    """The rules of a Makefile in a folder: given the text of each rule, a recipe as written, and it expanded."""
    for rule, written, expanded in recipes:
        words = expanded.lstrip("@+-").split()
        is_other = _MAKES.match(written) is not None or not words or words[0].rpartition("/")[2] in _NO_COMPILER
        if is_other and _MORE.search(expanded) is None:
            continue
        sources = list(dict.fromkeys(_sources(rule, expanded)))
        if sources:
            yield from (_rule(*placed(folder, source), written, words) for source in sources)


def placed(folder: str, source: str) -> tuple[str, str]:
    """The folder of a rule and the pattern there: those of a source in a folder further out are its own."""
    if not source.startswith("../") or "%" in source:
        return folder, source.rpartition("/")[2] if ".." in source else source
    whole = os.path.normpath(os.path.join(folder, source))
    return os.path.dirname(whole), os.path.basename(whole)


def _rule(folder: str, source: str, written: str, words: Sequence[str]) -> HostRule:
    by_default = words[0].startswith("-") and is_default(written)
    plain = _HOST.fullmatch(words[0]) is not None or by_default
    host = plain and not any(_CUDA.fullmatch(word) for word in words) and UNKNOWN not in words[0]
    named = [match[1] for match in map(_STANDARD.fullmatch, words) if match is not None]
    cuda = _LANGUAGE.search(" ".join(words)) is not None
    gpu = cuda or _GPU.fullmatch(words[0]) is not None
    cpp = _OF_CPP.fullmatch(words[0]) is not None and not any(
        word.startswith(("-x", "-std=c1", "-std=c9")) for word in words
    )
    return HostRule(folder, source, host, named[-1] if named else "", gpu, cuda, cpp)


def _sources(rule: str, recipe: str) -> Iterator[str]:
    """The sources that a recipe compiles: of a suffix rule, of the prerequisites, and those that it names."""
    targets, _, prerequisites = rule.partition(":")
    suffix = re.fullmatch(r"(\.\w+(?:\+\+)?)\.\w+", targets.strip())
    words = [f"%{suffix[1]}"] if suffix is not None else []
    for word in (*words, *prerequisites.split(), *recipe.split()):
        name = word.replace(UNKNOWN, "%").strip("\"';").removeprefix("./")
        if name.endswith((*_SOURCES, _IN_C)):
            yield name.rpartition("/")[2] if name.count("%") > 1 else name


def of_cmake(
    folder: str, commands: Sequence[Command], standard: str, included: Sequence[Command] = ()
) -> Iterator[HostRule]:
    """The rules of a CMake file in a folder: a source of C++ is the GPU compiler's only where a property says so.

    Nothing is said of a folder in which that is asked of sources that a variable holds, unless the file fills it.
    `included` are the commands of the project's modules that the file includes, which may be what enables the language.
    """
    named = [word for command in commands for word in _given_to_gpu(command)]
    named = [word for name in dict.fromkeys(named) for word in _held(name, commands)] if named else []
    open_ = any("$" in word for word in named)
    own = {word.rpartition(".")[2] for word in named if "%" in word}
    if open_ or any(enables(command, "CUDA") or _has_hip(command) for command in (*commands, *included)):
        suffixes = (suffix for suffix in _SOURCES if suffix[1:] not in own)
        yield from (HostRule(folder, f"%{suffix}", not open_, standard) for suffix in suffixes)
    for word in dict.fromkeys(named):
        if word.endswith(_SOURCES) and "$" not in word:
            pattern = word if "%" in word else word.rpartition("/")[2]
            yield HostRule(folder, pattern, False, gpu=True, cuda=True)


def _given_to_gpu(command: Command) -> list[str]:
    """The sources that a command gives to the compiler for GPUs by a property."""
    words = command.words()
    if _OF_GPUS.isdisjoint(words):
        return []
    if command.name.startswith("set_source_files_prop"):
        return words[: words.index("PROPERTIES") if "PROPERTIES" in words else 0]
    of_sources = command.name == "set_property" and words[0] == "SOURCE" and "PROPERTY" in words
    return words[1 : words.index("PROPERTY")] if of_sources else []


def _held(word: str, commands: Sequence[Command]) -> list[str]:
    """The sources that a word stands for: itself, or what the file puts into the variable that it names.

    What a search in the folder itself finds is a pattern, `./%.cpp`, and so is what a filter leaves of a list, `%.cu`.
    Where anything else fills the variable, or a part is not known, the word stays as it is.
    """
    variable = _VARIABLE.fullmatch(word)
    if variable is None:
        return [word]
    found = list[str]()
    for command in commands:
        words = command.words()
        left = _ENDS_IN.fullmatch(words[4]) if words[:-1] == ["FILTER", variable[1], "INCLUDE", "REGEX"] else None
        if left is not None:
            found = [f"%.{left[1]}"]
        elif command.name == "set" and words[:1] == [variable[1]]:
            found += words[1:]
        elif command.name == "list" and words[:2] == ["APPEND", variable[1]]:
            found += words[2:]
        elif command.name == "file" and words[:2] == ["GLOB", variable[1]]:
            found += [_pattern(one) for one in words[2:] if one != "CONFIGURE_DEPENDS"]
        elif variable[1] in words[:4] and command.name in _FILLS:
            return [word]
    plain = found and not any("$" in one or "*" in one for one in found)
    return found if plain else [word]


def _pattern(word: str) -> str:
    """What a search finds: `*.cpp` in the folder itself is `./%.cpp`; any other pattern stays as it is."""
    name = word.removeprefix("${CMAKE_CURRENT_SOURCE_DIR}/").removeprefix("${CMAKE_CURRENT_LIST_DIR}/")
    return f"./{name.replace('*', '%')}" if name.count("*") == 1 and "/" not in name else word


def _has_hip(command: Command) -> bool:
    """Whether a command enables the language HIP: where only its package is looked for, hipcc may compile for C++."""
    return command.name in ("project", "enable_language") and enables(command, "HIP")
