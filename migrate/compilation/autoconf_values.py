"""What configure puts into a header for a build with a GPU: values of the switches that its scripts set, never run.

A switch that configure sets where it finds CUDA, and to nothing or 0 elsewhere, is set in the build for AMD as well. Of
all else nobody knows the value before the machine is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.compilation import cmake_values
from cudamigrate.lazy_re import re

_SCRIPT = re.compile(r"configure\.(?:ac|in)|.*\.m4")
"""The names of scripts that configure is made from."""
_MADE = "configure"
_TOP = ("configure.ac", "configure.in")
_SUBSTITUTED = re.compile(r"\bAC_SUBST\(\s*\[?(\w+)\]?\s*,[ \t\n]*([^\s)]*(?:[ \t]+[^\s)]+)*)[ \t]*\)(?=[\s\])]|$)")
"""A variable with its value: `AC_SUBST([HAVE_CUDA], [1])`."""
_DEFINED = re.compile(r"\bAC_DEFINE(?:_UNQUOTED)?\(\s*\[?(\w+)\]?\s*(?:,\s*([^,()\n]*))?")
"""A macro with its value, which is 1 where there is none: `AC_DEFINE(HAVE_CUDA, 1, [...])`."""
_ASSIGNED = re.compile(r"(?<![\w$-])([A-Za-z_]\w*)=([^\s;()\[\]]*)")
"""An assignment of the shell: `HAVE_CUDA=1`."""
_REMARK = re.compile(r"(?m)(?:\bdnl\b|^\s*#).*$")


def scripts(paths: Iterable[str]) -> list[str]:
    """Of the files of a tree, those that configure is made from, or configure itself where they are not there."""
    listed = list(paths)
    found = [path for path in listed if _SCRIPT.fullmatch(path.rpartition("/")[2])]
    if any(path.rpartition("/")[2] in _TOP for path in found):
        return found
    return [path for path in listed if path.rpartition("/")[2] == _MADE]


def of_gpu_build(texts: Iterable[str]) -> dict[str, str]:
    """The switches of a GPU that scripts set, with the one value of each that turns it on."""
    given: dict[str, set[str]] = {}
    for text in texts:
        for name, value in _set_by(_REMARK.sub("", text)):
            if cmake_values.is_gpu_switch(name):
                given.setdefault(name, set()).add(value)
    found = {name: {value for value in values if cmake_values.is_true(value)} for name, values in given.items()}
    return {name: next(iter(on)) for name, on in found.items() if len(on) == 1 and "$" not in next(iter(on))}


def _set_by(text: str) -> Iterator[tuple[str, str]]:
    for pattern in (_SUBSTITUTED, _DEFINED, _ASSIGNED):
        for match in pattern.finditer(text):
            value = match[2] if match[2] is not None else "1"
            yield match[1], value.strip().strip("[]\"'").strip()
