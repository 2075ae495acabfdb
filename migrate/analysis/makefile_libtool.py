"""Options that libtool has by the same name as nvcc, in what links programs of the host: `-Xcompiler -shared`.

Source: the manuals of libtool ("Link mode": `-Xcompiler FLAG`, `-Xlinker FLAG`) and of Automake ("Libtool Flags"),
whose own rules link by libtool with the `LDFLAGS` that a file gives.
"""

from __future__ import annotations

from collections.abc import Iterable

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.makefile import Line

_LIBTOOL = re.compile(rb"libtool\b|\$[({]LIBTOOL[)}]", re.IGNORECASE)
_LINKERS = re.compile(r"(?:\w+_)?LINK|(?:CC|CXX)(?:LD)?")
"""The variables that Automake's rules take the linking command from: `LINK`, `prog_LINK`, `CCLD`, `CXX`."""


def without_libtools(variables: Variables, file: Makefile, line: Line, part: Span, found: list[Use]) -> list[Use]:
    """The options without those that libtool gets, of a command or a value that is not for nvcc alone."""
    shared = [use for use in found if compiler_options.is_libtools(use)]
    if not shared or compiler_options.for_nvcc((use for use in found if use not in shared), file.data):
        return found
    if line.kind == "recipe":
        own = _LIBTOOL.search(file.text(part)) is not None and "nvcc" not in variables.compiler(file, part)
    else:
        own = line.name not in variables.nvcc and (_is_automakes(variables, file) or _is_linked(variables, line.name))
    return [use for use in found if use not in shared] if own else found


def _is_automakes(variables: Variables, file: Makefile) -> bool:
    """Whether Automake makes the rules that read a file's variables, none of which links by nvcc."""
    linkers = (name for name in variables.assigned if _LINKERS.fullmatch(name))
    return file.path.endswith(".am") and not any("nvcc" in variables.compilers(name) for name in linkers)


def _is_linked(variables: Variables, name: str) -> bool:
    """Whether a command that libtool runs reads a variable, itself or through others."""
    for file, part, _ in variables.commands():
        texts = variables.texts(file, part)
        by_libtool = any(map(_LIBTOOL.search, texts)) and "nvcc" not in variables.compiler(file, part)
        if by_libtool and name in _names(texts):
            return True
    return False


def _names(texts: Iterable[bytes]) -> set[str]:
    return {found[1].decode() for text in texts for found in re.finditer(rb"\$[({]([\w.-]+)[)}]", text)}
