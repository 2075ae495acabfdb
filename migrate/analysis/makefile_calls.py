"""What a Makefile's command gets from around it: a loop of the shell, and Makefiles that call make in its folder.

The calls are read from recipes, `make -C cuda` or `$(MAKE) --directory=cuda`; what a called Makefile gets is what the
caller exports. Nothing is run.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_LOOP = re.compile(rb"(?<![\w$-])for[ \t]+(\w+)[ \t]+in[ \t]+([^;\n]+);")
_CALL = re.compile(
    rb"(?:\$[({]MAKE[)}]|(?<![\w./-])g?make)(?![\w.-])[^;&|\n]*?[ \t](?:-C|--directory)[ \t=]*([\w./-]+)"
)
_EXPORTS = re.compile(rb"^[ \t]*export\b(?:[ \t]+([\w ]*\w))?", re.MULTILINE)


def looped(file: Makefile, line: Line, part: Span) -> Span | None:
    """The words over which a loop of the shell runs that is before a command in its line; None without one.

    The command must name the loop's variable: `for f in $(SRC); do $(CXX) -c $$f; done`.
    """
    text = file.text(part)
    for match in reversed(list(_LOOP.finditer(file.data, line.value.start, part.start))):
        if re.search(rb"\$\$(?:\{" + match[1] + rb"\}|" + match[1] + rb"(?!\w))", text):
            return Span(*match.span(2))
    return None


class Callers:
    """The Makefiles of a tree, by path, that call make in the folder of others."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._of: dict[str, list[str]] = {}
        for path, data in texts.items():
            for folder in _called(path, data):
                self._of.setdefault(folder, []).append(path)

    def exported(self, path: str) -> dict[str, list[bytes]]:
        """The values of the variables that the callers of a Makefile export, by name; a caller of a caller counts."""
        found: dict[str, list[bytes]] = {}
        seen, left = {path}, [path]
        while left:
            for other in self._of.get(posixpath.dirname(left.pop()), ()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
                    for name, value in _exports(self._texts[other]):
                        found.setdefault(name, []).append(value)
        return found


def _called(path: str, data: bytes) -> frozenset[str]:
    """The folders in which a Makefile calls make."""
    home = posixpath.dirname(path)
    names = (match.decode("utf-8", "replace") for match in _CALL.findall(data))
    return frozenset(posixpath.normpath(posixpath.join(home, name)) for name in names)


def _exports(data: bytes) -> Sequence[tuple[str, bytes]]:
    """The variables that a Makefile exports, each with a value: `export CXX`, `export A = b`, or bare `export`."""
    said = [match[1] for match in _EXPORTS.finditer(data)]
    names = {name.decode() for one in said if one for name in one.split()}
    lines = (line for line in makefile.read(data) if line.kind == "assignment")
    every = None in said
    return [
        (line.name, data[line.value.start : line.value.end])
        for line in lines
        if every or line.name in names or data[line.span.start : line.value.start].lstrip().startswith(b"export")
    ]
