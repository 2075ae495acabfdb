"""CMake files that are left for CUDA: those with a command that has no equivalent, and those that go with them.

A build is configured as one. Where a file still looks for CUDA, what it adds as a folder or includes is given CUDA's
variables and languages, so that converting it alone leaves a build which configures for neither. A file that calls such
a command may have the module from one that enters it, `find_package(CUDA)`, `include(cuda.cmake)`: that goes with it.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from cudamigrate.analysis import cmake_flow
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

_STUCK = (
    "cuda_compile",
    "cuda_compile_ptx",
    "cuda_compile_fatbin",
    "cuda_compile_cubin",
    "cuda_wrap_srcs",
    "cuda_link_separable_compilation_objects",
    "cuda_find_library_local_first",
    "cuda_find_library_local_first_with_path_ext",
    "cuda_find_helper_file",
    "cuda_get_sources_and_options",
    "cuda_compute_separable_compilation_object_file_name",
    "find_cuda_helper_libs",
)
"""Commands of FindCUDA's that nothing takes the place of; the module that defines them goes."""
_HELPS = "find_cuda_helper_libs"
_HELPED = frozenset(("cublas", "cufft", "curand", "cusolver", "cusparse"))
"""Libraries for which FindCUDA's command sets `CUDA_curand_LIBRARY`, and that have a target of ROCm's."""
_FINDS = ("cuda_find_library_local_first", "cuda_find_library_local_first_with_path_ext")
"""Commands of FindCUDA's that look for one library, and put its file into a variable of the cache."""
FOUND = frozenset(
    (
        *("cudart", "cudart_static", "cuda", "cublas", "cublasLt", "cufft", "curand", "cusolver", "cusparse", "nvrtc"),
        *("nvToolsExt", "cudadevrt", "culibos"),
    )
)
"""Libraries that have a target of ROCm's, or that HIP needs none of."""
_OF_TOOLKIT = "_cudatoolkit_"
"""How the commands begin that FindCUDAToolkit defines for itself, and that a file may call all the same."""


def stuck(found: Sequence[Command]) -> Command | None:
    """The first command of a file that has no equivalent, outside of what only Windows reads; None where all have."""
    held = [command for command in found if _is_stuck(command)]
    elsewhere = cmake_flow.for_windows(list(found)) if held else frozenset[Span]()
    return next((command for command in held if command.span not in elsewhere), None)


def _is_stuck(command: Command) -> bool:
    """Whether a command is of a module that goes, and has no equivalent: the file cannot be converted by itself."""
    if command.name.startswith("cuda_add_") and "OPTIONS" in command.words():
        return cmake.options_at(command) is None
    if is_helped(command) or found_library(command) is not None:
        return False
    known = command.name in _STUCK or command.name.startswith(_OF_TOOLKIT)
    return known and not cmake.is_plain_compile(command)


def is_helped(command: Command) -> bool:
    """Whether a command looks for libraries of CUDA that each have a target of ROCm's, which finds itself."""
    return command.name == _HELPS and bool(command.args) and _HELPED.issuperset(command.words())


def found_library(command: Command) -> Argument | None:
    """The library that a command looks for by FindCUDA, where ROCm has a target of it or it is not needed."""
    if command.name not in _FINDS or len(command.args) < 3 or command.args[1].text not in FOUND:
        return None
    return command.args[1]


def whole(read: Mapping[str, Sequence[Command]]) -> list[str]:
    """The files that are left for CUDA because of a command of theirs; files that build for HIP too are none."""
    return [path for path, found in sorted(read.items()) if stuck(found) is not None and cmake.ported(found) is None]


def entered(read: Mapping[str, Sequence[Command]], enters: Mapping[str, Set[str]]) -> dict[str, str]:
    """The files that go with a file left for CUDA, each with that file's path.

    Those are the files that it enters, itself or through others, and those through which it is entered from one that
    looks for CUDA, where it does not itself. `enters` are the files that each enters.
    Files that build for HIP too are not left.
    """
    first = whole(read)
    made = {path: path for path in first}
    for path in first:
        made |= {other: path for other in _giving(path, read, enters) if other not in made}
    left = list(made)
    while left:
        one = left.pop()
        for other in enters[one] - made.keys():
            made[other] = made[one]
            left.append(other)
    return {path: by for path, by in made.items() if path not in first}


def entering(
    read: Mapping[str, Sequence[Command]], folders: Callable[[Sequence[str], str], Iterable[str]]
) -> dict[str, set[str]]:
    """The files of the tree that each file enters, as a folder or as a script.

    `folders` gives the folders of the tree that words of a file may mean.
    """
    scripts = defaultdict[str, list[str]](list)
    for path in read:
        scripts[posixpath.basename(path).removesuffix(".cmake")].append(path)
    return {path: set(_enters(read[path], path, scripts, folders)) & read.keys() for path in read}


def _giving(path: str, read: Mapping[str, Sequence[Command]], enters: Mapping[str, Set[str]]) -> set[str]:
    """The files through which one that does not look for CUDA is entered from one that does."""
    found, left, gives = set[str](), [path], False
    while left:
        one = left.pop()
        if any(cmake.enables(command, "CUDA") for command in read[one]):
            gives = True
            continue
        above = {other for other, inner in enters.items() if one in inner and cmake.ported(read[other]) is None}
        left += above - found - {path}
        found |= above
    return found - {path} if gives else set()


def _enters(
    found: Sequence[Command],
    path: str,
    scripts: Mapping[str, Sequence[str]],
    folders: Callable[[Sequence[str], str], Iterable[str]],
) -> Iterable[str]:
    for command in found:
        word = command.words()[:1]
        if command.name == "add_subdirectory" and word:
            yield from (posixpath.join(folder, "CMakeLists.txt") for folder in folders(word, path))
        elif command.name == "include" and word:
            yield from scripts.get(posixpath.basename(word[0]).removesuffix(".cmake"), ())
