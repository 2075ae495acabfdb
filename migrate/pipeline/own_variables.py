"""Variables of CMake under names like `CMAKE_CUDA_FLAGS` that a project sets and reads itself: they are its own.

CMake reads and sets those that it documents for each language, or for CUDA alone. One that it does not know means what
the project's files make of it, in a build for HIP too.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import cmake

_RULE = "build/cmake-other-variable"
_SETS = ("set", "list", "string", "option", "file", "get_filename_component")
_OF_CMAKE = re.compile(
    r"CMAKE_CUDA_(?:ANDROID|ARCHITECTURES|ARCHIVE|BYTE_ORDER|CLANG_TIDY|COMPILER|COMPILE_(?:FEATURES|OBJECT|OPTIONS)"
    r"|CPPCHECK|CPPLINT|CREATE|CUBIN|DEVICE|EXTENSIONS|FATBIN|FLAGS|HOST|ICSTAT|IGNORE|IMPLICIT|INCLUDE|KNOWN|LIBRARY"
    r"|LINK|OPTIX|OUTPUT|PLATFORM|PTX|RESOLVE|RUNTIME|SEPARABLE|SIMULATE|SIZEOF|SOURCE|STANDARD|TOOLKIT|USE_|USING"
    r"|VISIBILITY|\d\d_|\d\d$)"
)
"""How the names begin that CMake gives a meaning. Source: CMake documentation, `cmake-variables(7)`, "Variables for
languages"; its module `CMakeCUDAInformation`."""
_READ = re.compile(rb"\$\{(CMAKE_CUDA_\w+)\}")


def without_own_variables(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on variables that are the project's own."""
    asked = {one.name for result in results for one in result.findings if one.rule == _RULE}
    asked = {name for name in asked if name and _OF_CMAKE.match(name) is None}
    own = asked & _set_and_read(results, read) if asked else asked
    if not own:
        return list(results)
    kept = []
    for result in results:
        left = tuple(one for one in result.findings if one.rule != _RULE or one.name not in own)
        kept.append(result if len(left) == len(result.findings) else replace(result, findings=left))
    return kept


def _set_and_read(results: Sequence[FileResult], read: Read) -> set[str]:
    """The variables that the CMake files set, and whose value they take."""
    given, taken = set[str](), set[str]()
    for result in results:
        source = read(result.path) if result.language == "cmake" else None
        if source is None or b"CMAKE_CUDA_" not in source.data:
            continue
        taken.update(match[1].decode() for match in _READ.finditer(source.data))
        for command in cmake.read(source.data):
            if command.name in _SETS:
                given.update(word.text for word in command.args[:2])
    return given & taken
