"""Variables of CMake for CUDA that a build is given from outside, in the forms of CMake, pip and scikit-build-core.

`-DUSE_CUDA=ON` is CMake's own, in the value of `CMAKE_ARGS` too; scikit-build-core takes `cmake.define.USE_CUDA=ON`
as a setting of pip's, and `USE_CUDA=ON;OTHER=1` in SKBUILD_CMAKE_DEFINE. Source: scikit-build-core's documentation,
"Configuration".
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_TO_SOMETHING = rb"(?=(?::\w+)?[ \t]*=[ \t]*[\"']?(?!(?i:off|0|false|no)\b))"
"""Before a value that does not turn the variable off."""
_OPTION = re.compile(
    rb"(?:-D|(?<=-D )|(?<=-D [\"'])|(?<=-D[\"'])|(?<=cmake\.define\.))(?P<set>\w*CUDA\w*)"
    rb"(?=(?::\w+)?=(?!(?i:off|0|false|no)\b))"
)
"""`-DUSE_CUDA` before `=ON` or `:BOOL=ON`, or `USE_CUDA` behind `-D`, also in quotes; an option that turns CUDA off is
no use of it (lookahead)."""
_DEFINED = re.compile(rb"(?:(?<=[;\"'])|(?<![\w;]))(?P<set>\w*CUDA\w*)" + _TO_SOMETHING)
_LISTS = frozenset(("SKBUILD_CMAKE_DEFINE",))
"""Variables of the environment whose value is a list of variables of CMake."""
_KEY = re.compile(r"(?:.*\.)?cmake\.define\.(\w*CUDA\w*)")
_OFF = re.compile(rb"[\"']?(?:off|0|false|no|)[\"']?", re.IGNORECASE)


def of(data: bytes, span: Span) -> Iterator[tuple[str, Span]]:
    """The variables in a text, each by the name `-DNAME`, with its place."""
    for match in _OPTION.finditer(data, span.start, span.end):
        yield f"-D{match['set'].decode('latin-1')}", Span(*match.span())


def of_variable(data: bytes, name: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Those in the value of a variable of the environment that is a list of them; none for another."""
    for match in _DEFINED.finditer(data, span.start, span.end) if name in _LISTS else ():
        yield f"-D{match['set'].decode('latin-1')}", Span(*match.span())


def of_key(path: str, value: bytes) -> str:
    """The variable that a dotted key of scikit-build-core's sets; empty for another key, or to turn it off."""
    match = _KEY.fullmatch(path)
    return f"-D{match[1]}" if match is not None and _OFF.fullmatch(value) is None else ""
