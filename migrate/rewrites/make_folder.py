"""A Makefile's variable with CUDA's folder -> ROCm's, with a value for it where the file takes it from outside.

Who sets `CUDA_HOME` for make sets no `ROCM_PATH`: where no Makefile gives the variable a value, `/opt/rocm` is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_NAMES = r"(?:ROCM_PATH|CUDA_(?:PATH|HOME|ROOT|DIR|INSTALL_PATH|TOOLKIT_PATH|ROOT_DIR)|CUDAHOME|CUDADIR)"
_VARIABLE = re.compile(_NAMES)
_ASKED = re.compile(rb"\$[({](?:or|if|origin|strip)[ \t][^\n]*" + _NAMES.encode())
"""A call that says what is taken where the variable is empty: `$(or $(CUDA_HOME),/usr)`."""
_TESTED = re.compile(
    rb"\A\s*" + _NAMES.encode() + rb"\s*\Z"
    rb"|(?:\A|[(,\"'])\s*\$[({](?:strip[ \t]+\$[({])?" + _NAMES.encode() + rb"[)}]{1,2}\s*(?:[,\"']|\)\s*\Z)"
)
"""A condition on the variable itself, `ifdef CUDA_HOME` or `ifeq ($(CUDA_HOME),)`, and on no file below it."""
_CONFIGURED = (".am", ".in")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name, and a line before all others that gives it a value if nobody else does."""
    renamed = Edit(use.span, words[0].encode())
    variables = parsed.once(makefile_variables.of)
    if parsed.source.path.endswith(_CONFIGURED) or _is_given(variables):
        return [renamed]
    at = variables.files[0].lines[0].span.start
    end = b"\r\n" if b"\r\n" in parsed.data else b"\n"
    return [Edit(Span(at, at), f"{words[0]} ?= {words[1]}".encode() + end), renamed]


def _is_given(variables: Variables) -> bool:
    """Whether a Makefile sets the variable, or says what holds where nothing is set."""
    if any(map(_VARIABLE.fullmatch, variables.assigned)):
        return True
    asked = (file.text(line.value) for file in variables.files for line in file.lines if line.kind == "conditional")
    return any(map(_TESTED.search, asked)) or any(_ASKED.search(file.data) for file in variables.files)
