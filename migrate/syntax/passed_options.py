"""Options that nvcc passes on to the host's compiler -> the options of a compiler that reads all of them itself."""

from __future__ import annotations

from cudamigrate.lazy_re import re

_PASSED = re.compile(r"-W[alp],\S+|[^,\s]+")
"""One option for the host's compiler: commas part them, but not what one passes on to the linker: `-Wl,-rpath,/a`."""
_LOOSE = {"-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-ffinite-math-only", "-fassociative-math"}
"""What nvcc passes on loosens the arithmetic of the host alone; clang would take it for the device too."""
ALL_ERRORS = ("-Werror", "-Wno-error=unused-result")
"""All warnings as errors, without the one of a call of HIP whose result nobody looks at: CUDA's have no such mark."""
_GCC = {"-export-dynamic": "-rdynamic"}
"""Options that GCC alone has, and what clang calls them."""


def parted(value: str) -> list[str]:
    """The single options that commas join; none where a function of make has commas of its own."""
    text = value.replace('\\"', "").replace('"', "")
    return [] if re.search(r"\$[({][^(){}]*,", text) else _PASSED.findall(text)


def for_clang(option: str) -> list[str]:
    """What one option is where one compiler reads all."""
    option = _GCC.get(option, option)
    if option in _LOOSE:
        return ["-Xarch_host", option]
    return list(ALL_ERRORS) if option == "-Werror" else [option]
