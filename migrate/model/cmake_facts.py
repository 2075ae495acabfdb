"""What the CMake files of a tree say of one of them: plain data, worked out once for all files."""

from __future__ import annotations

from collections.abc import Mapping

from cudamigrate.lazy_dataclasses import dataclass, field

Endings = Mapping[str, frozenset[str]]
"""How the words that variables may hold end, by the variable's name: the last three letters, `.cu`."""


@dataclass(frozen=True, slots=True)
class OptionFunction:
    """A function of the project's that gives its arguments to a compiler: whether that is `nvcc` alone, and how many
    arguments it `declared`, which no call can do without."""

    nvcc: bool
    declared: int


@dataclass(frozen=True, slots=True)
class CMakeFacts:
    """What other files say of a CMake file.

    `held` are the variables that it uses and others fill. `given` is what the functions and macros that it defines are
    called with, by their names in small letters. `wrappers` are those of the tree that make targets of their arguments.
    `cuda` says that it is a project of which some file uses CUDA, `lacks` that HIP can be enabled nowhere but there;
    `searches` that the file looks for CUDA where HIP has to be enabled for what the project builds, and `finds` that
    another file does whose packages it sees. `builds` says that its project builds by FindCUDA. `packages` are those of
    ROCm that hold the parts of CCCL which sources include. `folders` are those, as the file writes them, whose sources
    `aux_source_directory` collects and that have some which end in `.cu`. `left` is the path of a file that is left for
    CUDA and enters this one, itself or through others; else empty. `compiles` says that commands of FindCUDA's compile
    in its project. `ignores` says that its project builds by FindCUDA and that no file enables the language CUDA, so
    that nothing compiles by what is given to that. `toolkits` are variables that it uses, and that other files set
    to the folder of CUDA's toolkit. `unnamed` says that it is a project which compiles kernels, and where nothing says
    how much they are optimised. `by_language` says that the language CUDA is enabled in its project, and that neither
    that project nor one around or in it reads the options of FindCUDA. `compilers` are variables which the file names,
    that the files of the tree set to nvcc, and by which they only compile; `nvccs` are the others that are set to it.
    `options` are the functions that the file calls and that give what they are called with to a compiler, by their
    names in small letters. `minimum` says that the release it demands holds for a file which it enters, which enables
    the language CUDA and demands none itself.
    """

    held: Endings = field(default_factory=dict)
    given: Mapping[str, Endings] = field(default_factory=dict)
    wrappers: frozenset[str] = frozenset()
    cuda: bool = False
    searches: bool = False
    lacks: bool = False
    packages: frozenset[str] = frozenset()
    finds: bool = False
    builds: bool = False
    folders: frozenset[str] = frozenset()
    left: str = ""
    compiles: bool = False
    ignores: bool = False
    toolkits: frozenset[str] = frozenset()
    unnamed: bool = False
    by_language: bool = False
    minimum: bool = False
    compilers: frozenset[str] = frozenset()
    nvccs: frozenset[str] = frozenset()
    options: Mapping[str, OptionFunction] = field(default_factory=dict)
