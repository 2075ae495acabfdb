"""One build file -> what it shows of a HIP port: where HIP is set up, and which macros are set with it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from cudamigrate.analysis import (
    build_choices,
    cmake_flow,
    port_bazel,
    port_branches,
    port_builders,
    port_cargo,
    port_hipify,
    port_make,
    port_probes,
    port_projects,
    port_python,
)
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.port_facts import BuildMacro, BuildSource, FileEvidence
from cudamigrate.syntax import cmake

BUILD_LANGUAGES = ("cmake", "make", "shell", "python", "bazel", "autotools", "cargo")
_WORDS = (
    b"hip", b"rocm", b"HIP", b"ROCM", b"CUDAExtension", b"cpp_extension", b"add_subdirectory", b"FATAL_ERROR",
    b"rocprofiler", b"roctracer", b"hsa-runtime", b"rccl", b"RCCL", b"amd_comgr", b"amd_smi",
)  # fmt: skip
_SHAPES = {b"-D": re.compile(rb"-D\w"), b"try_": re.compile(rb"\btry_")}
"""What makes a build file worth a look, beside `miopen` in any case: names of HIP and of AMD's libraries, any `-D`
option, PyTorch's `CUDAExtension`, `try_run`, `add_subdirectory`, what a build refuses."""
_PACKAGES = re.compile(
    r"(?i)hip|hip(?:blas|fft|rand|sparse|solver|cub|blaslt)|roc(?:blas|fft|rand|sparse|prim|thrust|wmma|tracer)"
    r"|rocprofiler(?:-sdk(?:-roctx)?)?|hsa-runtime64|amd_comgr|rccl|miopen|(?:rocm|amd)_smi"
)
"""The name of a package in `find_package`, in any case and in full: `hip`, `hipblas`, `rocthrust`, `rccl`."""
_LIBRARIES = re.compile(r"(?:hip|roc)::\w+")
_DEFINES = ("add_definitions", "add_compile_definitions", "target_compile_definitions")
_GIVEN_IF = re.compile(r"\$<\$<BOOL:\$\{(?P<variable>\w+)\}>:(?P<values>[^<>$]*)>")
"""What CMake gives where a variable is true: `$<$<BOOL:${USE_HIP}>:LIB_GPU LIB_HIP>`."""
_HIPS = ("hip", "rocm")
_CUDAS = ("cuda",)
"""What a variable that chooses a GPU's language or vendor is compared with, in small letters."""
_FOR_ALL = ("add_definitions", "add_compile_definitions", "add_compile_options")
_HOST_FLAGS = re.compile(r"CMAKE_(?:C|CXX)_FLAGS\w*")
_VALUE = re.compile(r"\$\{(\w+)\}")
_VISIBILITY = ("PUBLIC", "PRIVATE", "INTERFACE")


def of(source: SourceFile) -> FileEvidence | None:
    """What a build file shows; None where it shows nothing, or cannot be read."""
    if source.language == "cargo":
        return port_cargo.of(source)
    chooses = source.language == "cmake" and build_choices.CONCERNS.search(source.data)
    names = source.language == "python" and port_builders.may(source.data)
    if not chooses and not names and not _concerns(source.data):
        return None
    if source.language == "python" and not names and not port_python.builds(source.data):
        return None
    text = source.data.decode("utf-8", "replace")
    if source.language == "cmake":
        found = _cmake(source)
    elif source.language == "python":
        found = port_python.of(source, text)
    elif source.language == "bazel":
        found = port_bazel.of(source.path, text)
    else:
        found = port_make.of(source, text)
    shown = found.macros or found.build or found.hipifies or found.sources or found.extension or found.asks_build
    more = found.hipified or found.probes or found.folders or found.requires or found.choices or found.project
    return found if shown or more or found.builders or found.languages or found.for_hip else None


def _concerns(data: bytes) -> bool:
    """A quick first look at a build file; finds of plain bytes are many times faster than a pattern of all of them."""
    return (
        any(word in data for word in _WORDS)
        or any(begin in data and shape.search(data) for begin, shape in _SHAPES.items())
        or b"miopen" in data.lower()
    )


@dataclass(slots=True)
class _Block:
    """A branch of an `if` in CMake: the variables it needs, and what it sets up.

    `chosen`: it is for HIP by name, `native`: for CUDA by name, where the same variable may name HIP.

    `everywhere` are macros, with the line, that all sources of the folder get.

    `listed` has what is done to lists of sources: the operation, the list and the source; `gone` has what is taken out
    of one, with the line. `cleared` are variables that it turns off, or did before.
    """

    needs: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    at: tuple[int, str] | None = None
    hip: bool = False
    language: bool = False
    cuda: bool = False
    nvidia: bool = False
    amd: bool = False
    chosen: bool = False
    native: bool = False
    macros: list[tuple[str, int, bool]] = field(default_factory=list)
    everywhere: set[tuple[str, int]] = field(default_factory=set)
    sizes: list[tuple[str, int, str]] = field(default_factory=list)
    sources: list[tuple[str, int]] = field(default_factory=list)
    listed: list[tuple[str, str, str]] = field(default_factory=list)
    gone: set[tuple[str, int]] = field(default_factory=set)
    folders: list[tuple[str, int]] = field(default_factory=list)
    inner: list[_Block] = field(default_factory=list)
    lacks: tuple[str, str] = ("", "")
    fails: bool = False
    assigned: list[str] = field(default_factory=list)
    cleared: set[str] = field(default_factory=set)

    @property
    def sets_up(self) -> bool:
        """Whether it, or a block in it, sets up HIP."""
        return self.hip or any(block.sets_up for block in self.inner)

    @property
    def turns_on(self) -> bool:
        """Whether it sets up HIP by itself: a block in it that needs a variable of its own is that one's."""
        return self.hip or any(block.turns_on for block in self.inner if len(block.needs) != 1)

    @property
    def sets_up_cuda(self) -> bool:
        """The same for CUDA."""
        return self.cuda or any(block.sets_up_cuda for block in self.inner)

    @property
    def turns_on_cuda(self) -> bool:
        """Whether it sets up CUDA by itself: a block in it that needs a variable of its own is that one's."""
        return self.cuda or any(block.turns_on_cuda for block in self.inner if len(block.needs) != 1)


def _blocks(commands: Sequence[cmake.Command], source: SourceFile) -> _Block:
    """The file as a block, with those in it."""
    outer = _Block()
    stack = [outer]
    languages = _languages(commands)
    choosing = frozenset(name for command in commands for name in port_branches.compared(command, _HIPS))
    for command in commands:
        last = _Block()
        if command.name in ("endif", "elseif", "else") and len(stack) > 1:
            last = stack.pop()
        if command.name in ("if", "elseif", "else"):
            block = _branch(command, last, choosing)
            stack[-1].inner.append(block)
            stack.append(block)
        else:
            _add(stack[-1], command, source.position(command.span.start).line, source)
            _choose(stack[-1], command, languages, source)
    return outer


def _cmake(source: SourceFile) -> FileEvidence:
    commands = list(cmake.read(source.data))
    outer = _blocks(commands, source)
    gathered = _Gathered.of(outer)
    renamed = port_hipify.of_cmake(commands, lambda command: _shown(command, source))
    return FileEvidence(
        source.path,
        macros=tuple(gathered.macros),
        build=_first(outer),
        hipifies=renamed.line,
        hipified=renamed.sources,
        switches=tuple(sorted(gathered.switches | gathered.options)),
        options=tuple(sorted(gathered.options - gathered.switches)),
        cuda_switches=tuple(sorted(gathered.cuda_switches)),
        requires=tuple(sorted(gathered.requires)),
        sources=tuple(gathered.sources),
        folders=tuple(gathered.folders),
        for_hip=tuple(sorted({word for command in commands for word in _with_language(command)})),
        languages=tuple(sorted({name for command in commands for name in _set_to_hip(command)})),
        asks_build=_asked(commands, source),
        probes=port_probes.named(commands),
        cuda=outer.cuda and not outer.sets_up,
        to_host=tuple(sorted({name for command in commands for name in _to_host(command)})),
        choices=build_choices.of(commands),
        project=port_projects.kind(commands, _first(outer) is not None),
    )


def _asked(commands: Sequence[cmake.Command], source: SourceFile) -> tuple[int, str] | None:
    """The first condition on a variable for HIP that something depends on."""
    conditions = (one for one in commands if cmake.asks(one, cmake.HIP_WORD))
    return next((_shown(one, source) for one in conditions if cmake.chooses(commands, one)), None)


def _branch(command: cmake.Command, last: _Block, choosing: Set[str]) -> _Block:
    """The block that a condition begins; `last` is the one before it, `choosing` are variables that may name HIP."""
    needs, either = (
        (port_branches.needs(command), port_branches.either(command))
        if command.name != "else"
        else (port_branches.OTHER, ())
    )
    block = _Block(
        needs, either, nvidia=port_branches.is_for_nvidia(command), chosen=bool(port_branches.demanded(command, _HIPS))
    )
    block.native = not choosing.isdisjoint(port_branches.demanded(command, _CUDAS))
    block.amd, block.lacks = command.name == "else" and last.nvidia, port_branches.lacks(command)
    return block


def _shown(command: cmake.Command, source: SourceFile) -> tuple[int, str]:
    """The line of a command, and its text."""
    line = source.position(command.span.start).line
    return line, source.line(line).strip()[:100]


def _to_host(command: cmake.Command) -> list[str]:
    """The variables whose value is given to the compiler of the host: `set(CMAKE_CXX_FLAGS "${FLAGS_OF_HIP}")`."""
    words = command.words()
    given = command.name in _FOR_ALL or any(_HOST_FLAGS.fullmatch(word) for word in words[:2])
    return [] if not given else [name for word in words for name in _VALUE.findall(word)]


def _languages(commands: Sequence[cmake.Command]) -> frozenset[str]:
    """The variables that hold languages: `project(p LANGUAGES CXX ${GPU_LANGUAGE})`."""
    enabling = (one for one in commands if one.name in ("project", "enable_language"))
    return frozenset(
        word[2:-1] for one in enabling for word in one.words()[one.name == "project" :] if word[:2] == "${"
    )


def _choose(block: _Block, command: cmake.Command, languages: frozenset[str], source: SourceFile) -> None:
    """Take what a variable for languages is set to as what the block sets up."""
    words = command.words()
    if command.name == "set" and words and words[0] in languages:
        block.cuda = block.cuda or "CUDA" in words[1:]
        if "HIP" in words[1:]:
            block.hip, block.at = True, block.at or _shown(command, source)


def _with_language(command: cmake.Command) -> set[str]:
    """The sources that a command gives the language HIP; `*` where variables name them.

    Where a variable holds the language, it is before the source, as in `${LANGUAGE_OF_GPU} a.cu`.
    """
    words = command.words()
    sets = command.name in ("set_source_files_properties", "set_property")
    language = next((word for name, word in itertools.pairwise(words) if sets and name == "LANGUAGE"), "")
    held = _VALUE.fullmatch(language) is not None
    if language != "HIP" and not held:
        return set()
    named = {word for word in words if cmake_flow.SOURCE.fullmatch(word)} or {"*"}
    return {f"{language} {name}" for name in named} if held else named


def _set_to_hip(command: cmake.Command) -> list[str]:
    """The variable that a command sets to HIP, as for `LANGUAGE ${NAME}`."""
    words = command.words()
    return words[:1] if command.name == "set" and words[1:2] == ["HIP"] else []


def with_languages(evidence: Sequence[FileEvidence]) -> list[FileEvidence]:
    """The evidence, where sources that get their language from a variable are HIP's if some file sets it to that."""
    known = {f"${{{name}}}" for one in evidence for name in one.languages}

    def given(name: str) -> str:
        variable, blank, source = name.partition(" ")
        return name if not blank else source if variable in known else ""

    return [
        replace(one, for_hip=tuple(sorted({given(name) for name in one.for_hip} - {""}))) if one.for_hip else one
        for one in evidence
    ]


def _add(block: _Block, command: cmake.Command, line: int, source: SourceFile) -> None:
    words = command.words()
    changes = cmake_flow.list_changes(command)
    block.listed += changes
    block.gone.update((name, line) for operation, _, name in changes if operation == "REMOVE_ITEM")
    if _enables(command):
        block.hip = True
        block.language = block.language or command.name == "enable_language"
        block.at = block.at or (line, source.line(line).strip()[:100])
    block.cuda = block.cuda or cmake.enables(command, "CUDA") or (command.name == "list" and "CUDA" in words[2:])
    block.cuda = block.cuda or command.name == "rapids_cuda_init_architectures"
    block.fails = block.fails or (command.name == "message" and words[:1] in (["FATAL_ERROR"], ["SEND_ERROR"]))
    if command.name == "set" and words:
        block.assigned.append(words[0])
    if command.name == "add_subdirectory" and words:
        block.folders.append((words[0], line))
    if command.name not in ("configure_file", "install", "message"):
        block.sources += [(word, line) for word in words if cmake_flow.SOURCE.fullmatch(word)]
    if command.name in _DEFINES:
        given = words[command.name.startswith("target_") :]
        names = (word.removeprefix("-D").partition("=")[0] for word in given if word not in _VISIBILITY)
        own = [(name, line) for name in names if re.fullmatch(r"[A-Za-z_]\w*", name)]
        block.macros += [(*one, False) for one in own]
        block.everywhere.update(own if command.name in _FOR_ALL else ())
        for match in _GIVEN_IF.finditer(" ".join(given)):
            found = re.findall(r"(?<![\w=-])(?:-D)?([A-Za-z_]\w*)", match["values"])
            inner = _Block((match["variable"],), macros=[(name, line, False) for name in found])
            block.inner.append(inner)
    elif command.name == "set" and len(words) > 1:
        _set(block, words[0], words[1].upper(), line)
    elif command.name == "list" and len(words) > 2 and "DEFINITIONS" in words[1]:
        block.macros += [(word, line, False) for word in words[2:] if re.fullmatch(r"[A-Z_]\w*", word)]


def _set(block: _Block, name: str, value: str, line: int) -> None:
    if value in ("ON", "1", "TRUE", "YES", "Y"):
        block.macros.append((name, line, True))
    elif value in ("OFF", "0", "FALSE", "NO", "N"):
        block.cleared.add(name)
    elif value in ("32", "64"):
        block.sizes.append((name, line, value))


def _enables(command: cmake.Command) -> bool:
    words = command.words()
    if command.name == "find_package" and words:
        return _PACKAGES.fullmatch(words[0]) is not None
    if command.name == "list" and len(words) > 2:
        return words[0] == "APPEND" and "HIP" in words[2:]
    links = command.name == "target_link_libraries" and any(_LIBRARIES.fullmatch(word) for word in words)
    return links or cmake.enables(command, "HIP")


@dataclass(slots=True)
class _Gathered:
    """What the blocks of a file come to."""

    macros: list[BuildMacro] = field(default_factory=list)
    sources: list[BuildSource] = field(default_factory=list)
    folders: list[BuildSource] = field(default_factory=list)
    switches: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    """Variables that turn on more of HIP's, in what is for HIP anyway."""
    cuda_switches: set[str] = field(default_factory=set)
    requires: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, outer: _Block) -> _Gathered:
        """What the outermost block of a file, and all in it, come to."""
        found = cls()
        found.collect(outer, hip=False, cuda=False, needs=(), depth=0)
        return found

    def collect(
        self, block: _Block, hip: bool, cuda: bool, needs: tuple[str, ...], depth: int, either: tuple[str, ...] = ()
    ) -> None:
        """Add a block. One that sets up HIP, and not CUDA too, is for HIP with all that is in it; likewise CUDA.

        What HIP sets where it compiles for NVIDIA is CUDA's, whatever is around it.
        """
        inside = hip
        hip = (hip or block.chosen or (block.hip and not block.cuda)) and not (block.nvidia or block.native)
        cuda = cuda or (block.cuda and not block.hip and depth > 0) or block.nvidia or block.native
        needs, either = (*needs, *block.needs), block.either or either
        if len(block.needs) == 1 and block.turns_on and not block.sets_up_cuda:
            (self.options if inside else self.switches).update(block.needs)
        elif len(block.needs) == 1 and block.turns_on_cuda and not block.sets_up:
            self.cuda_switches.update(block.needs)
        sure = not depth or block.language or block.amd
        for name, line, variable in block.macros:
            now_and_then = variable and name in block.cleared  # as in a loop over what there is
            asked = (*needs, *port_branches.OTHER) if now_and_then else needs
            certain = sure and not now_and_then
            made = BuildMacro(name, line, hip, certain, asked, variable and not block.nvidia, cuda, either)
            self.macros.append(replace(made, everywhere=not variable and (name, line) in block.everywhere))
        self.macros += [
            BuildMacro(name, line, hip, sure, needs, variable=True, cuda=cuda, either=either, value=value)
            for name, line, value in block.sizes
        ]
        for name, line in block.sources:
            gone, instead = (name, line) in block.gone, cmake_flow.replaced(block.listed, name)
            self.sources.append(BuildSource(name, line, hip, cuda, needs, gone, instead, either))
        self.folders += [BuildSource(name, line, hip, cuda, needs) for name, line in block.folders]
        for inner in block.inner:
            name, lacking = inner.lacks
            own = [name] if name else list(block.needs[-1:]) + block.assigned if len(block.needs) == 1 else []
            self.requires |= {(one, lacking) for one in own if inner.fails and lacking}
            self.collect(inner, hip, cuda, needs, depth + 1, either)


def _first(block: _Block) -> tuple[int, str] | None:
    return block.at or next((found for inner in block.inner if (found := _first(inner))), None)
