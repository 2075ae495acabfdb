"""Options that nvcc passes on to the host's compiler, as clang takes them, which compiles for host and device."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.project_file import ProjectFile

ALL_ERRORS = ("-Werror", "-Wno-error=unused-result")
"""All warnings as errors, without the one of a call of HIP whose result nobody looks at: CUDA's have no such mark."""

_PASSED = re.compile(r"-W[alp],\S+|[^,\s]+")
"""One option for the host's compiler: commas part them, but not what one passes on to the linker: `-Wl,-rpath,/a`."""
_LOOSE = {"-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-ffinite-math-only", "-fassociative-math"}
"""What nvcc passes on loosens the arithmetic of the host alone; clang would take it for the device too."""
_EXACT = ("-Xarch_device", "-fno-fast-math")
"""Takes all of these back for the device, wherever on the line it stands after them."""
_GCC = {"-export-dynamic": "-rdynamic"}
"""Options that GCC alone has, and what clang calls them."""


def parted(value: str) -> list[str]:
    """The single options of an argument of nvcc's `-Xcompiler`."""
    return [str(part) for part in _PASSED.findall(value.replace('\\"', "").replace('"', ""))]


def for_clang(option: str) -> Sequence[str]:
    """What one option is where one compiler reads all."""
    option = _GCC.get(option, option)
    return ("-Xarch_host", option) if option in _LOOSE else ALL_ERRORS if option == "-Werror" else (option,)


def after(parsed: ProjectFile, span: Span) -> Sequence[str]:
    """What follows options of a Makefile where a variable among them holds one that loosens arithmetic."""
    if parsed.source.language != "make" or b"$" not in parsed.data[span.start : span.end]:
        return ()
    variables = makefile_variables.of(parsed)
    held = b" ".join(variables.texts(variables.files[0], span)[1:]).decode("utf-8", "replace")
    return () if _LOOSE.isdisjoint(held.split()) else _EXACT
