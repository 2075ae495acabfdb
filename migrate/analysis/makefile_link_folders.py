"""Links by a host compiler that find CUDA's libraries in folders where ROCm has none of its own.

NVIDIA's driver has `libcuda` in the system's folder, and some packages of the toolkit the rest: a command that links
them needs no `-L`. Others spell out where the toolkit is on some machine. hipcc looks into ROCm's folder by itself;
another compiler is given it.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_folders, makefile_links, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.project_file import use_at

USE = "library of the system's folders"
"""The name of the use that stands for the first library of CUDA's in such a link."""
_LIBRARY = re.compile(rb"-l[ \t]*(?:cu|nv|nccl)")
_FOLDER = re.compile(rb"(?<![\w-])(?:-L[ \t]*(?!/[\w./+-]*(?=[\s\"']|\Z))|--library-path|-B|--sysroot)|LIBRARY_PATH")
"""What a link has for folders of libraries, but for `-L` with a path that is spelled out."""
_SPELLED = re.compile(rb"(?<![\w-])-L[ \t]*(/[\w./+-]*)")
_OF_GPUS = re.compile(rb"rocm|hip|/(?:usr/local|opt)/cuda", re.IGNORECASE)
"""In a path: ROCm's folder, or one of CUDA's that becomes ROCm's."""
_CONVERTED = re.compile(makefile_folders.ABOVE_LIBRARIES)
_UNREAD = re.compile(rb"\$[({](?:shell|call|foreach|eval)\b|`|@\w+@|\$\$\(")
"""What other programs or other text put into a command, which may be a folder."""


def uses(variables: Variables, file: Makefile) -> Iterator[Use]:
    """The first libraries of CUDA's in links by a host compiler that name no folder of ROCm's; those in `file`."""
    if not any(_LIBRARY.search(one.data) for one in variables.files):
        return
    found = {
        place for one in makefile_links.programs(variables) for place in _place(variables, one) if place[0] is file
    }
    yield from (use_at(USE, span.start, span.end) for _, span in sorted(found, key=lambda one: one[1]))


def _place(variables: Variables, one: makefile_links.Program) -> Iterator[tuple[Makefile, Span]]:
    """Where a command is given the first of these libraries, in itself or in a variable that it refers to."""
    if not _LIBRARY.search(one.text) or _FOLDER.search(one.text) or _UNREAD.search(one.text):
        return
    if any(_OF_GPUS.search(folder) for folder in _SPELLED.findall(one.text)):
        return
    if variables.compiler(one.file, one.span) != {"host"}:
        return
    places = [(one.file, one.span)]
    names = list(makefile_variables.references(one.file, one.span))
    for name in names:
        for file, line in variables.given(name):
            places.append((file, line.value))
            names += [more for more in makefile_variables.references(file, line.value) if more not in names]
    if any(_CONVERTED.search(file.data, span.start, span.end) for file, span in places):
        return
    libraries = ((file, word) for file, span in places for word in _libraries(file, span))
    yield from [first] if (first := next(libraries, None)) is not None else []


def _libraries(file: Makefile, span: Span) -> Iterator[Span]:
    for segment in makefile.segments(file.data, span.start, span.end):
        yield from (use.span for use in compiler_options.uses(segment.words) if compiler_options.is_library(use))
