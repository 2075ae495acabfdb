"""Options in variables of Makefiles that a compiler of the host gets as well as nvcc.

GCC takes some of nvcc's options for others of its own, `-lineinfo` for a library and `-use_fast_math` for a symbol, and
stops at those of clang's that replace them.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax.project_file import ProjectFile

_CLANGS = re.compile(
    r"-f(?:no-)?(?:gpu|hip|cuda)-|--offload-|-Xarch_|-Rpass|-gline-tables-only|-m(?:no-)?unsafe-fp-atomics|-mllvm"
)
"""Options that GCC does not know, as they begin."""
_OF_BOTH = {"-gline-tables-only": "-g1"}
"""Options that clang has by GCC's name, too. Source: clang's command line reference; GCC's manual, `-g1`."""


def for_both(parsed: ProjectFile, use: Use, new: Sequence[str] | None) -> list[str] | None:
    """The options in place of one, as all compilers take them that get it; None where one of these knows none such."""
    if new is None or parsed.source.language != "make" or not any(map(_CLANGS.match, new)):
        return None if new is None else list(new)
    if not _goes_to_host(parsed, use.span.start):
        return list(new)
    common = [_OF_BOTH.get(one, one) for one in new]
    return None if any(map(_CLANGS.match, common)) else common


def _goes_to_host(parsed: ProjectFile, offset: int) -> bool:
    """Whether what a variable is given at an offset reaches a command whose compiler can only be the host's."""
    own = parsed.once(makefile_variables.of).files[0]
    line = next((one for one in own.lines if one.span.start <= offset < one.span.end), None)
    return line is not None and line.kind == "assignment" and line.name in parsed.once(_of_host)


def _of_host(parsed: ProjectFile) -> set[str]:
    """The variables that commands of the host's compilers refer to, themselves or through others."""
    variables = parsed.once(makefile_variables.of)
    found = set[str]()
    for file, command, _ in variables.commands():
        if variables.compiler(file, command) == {"host"}:
            found.update(makefile_variables.read_by(file, command))
    makefile_variables.follow_on(variables, found)
    return found
