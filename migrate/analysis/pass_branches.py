"""Code in a branch for the device pass of nvcc, which no compiler for AMD comes to until the test lets it in."""

from __future__ import annotations

from cudamigrate.cuda.conditions import question
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch

_PASS = b"__CUDA_ARCH__"


def until_opened(parsed: ParsedFile, directive: Directive | None) -> str:
    """In words, to be put behind what is compiled: the innermost such test around a directive; empty for none."""
    around = [] if directive is None else parsed.branches_around(directive.start)
    closed = next((one for one in reversed(around) if _is_closed(one)), None)
    return f" once the test in line {parsed.source.position(closed.chain).line} lets AMD in" if closed else ""


def _is_closed(branch: Branch) -> bool:
    """Whether a branch is for the device pass, where `__CUDA_ARCH__` is defined; by its test, or as the other one."""
    *before, last = branch.conditions or (b"",)
    return _answers(last) == (False, True) or any(_answers(one) == (True, False) for one in before)


def _answers(condition: bytes) -> tuple[bool | None, bool | None]:
    """What a test of the pass alone is where the macro is not defined, and on the newest GPU."""
    asked = question(condition) if _PASS in condition else None
    return (None, None) if asked is None or asked.macros else (asked.undefined, asked.newest)
