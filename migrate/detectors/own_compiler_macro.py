"""Definitions of nvcc's macros by the project, as for an editor: HIP's headers take them for NVIDIA's platform."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.editor_macros import EDITORS
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__CUDACC__", b"__NVCC__")

_MACROS = frozenset(WORDS)
_EDITORS = re.compile(EDITORS)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each run of such definitions, line below line, that a compiler for HIP may see."""
    run: list[Directive] = []
    for one in parsed.lexed.directives:
        if run and (not _is_own(parsed, one) or parsed.data[run[-1].end : one.start].strip()):
            yield _hit(parsed, run)
            run = []
        if _is_own(parsed, one):
            run.append(one)
    if run:
        yield _hit(parsed, run)


def _is_own(parsed: ParsedFile, directive: Directive) -> bool:
    """Whether a directive defines one of the macros where AMD compiles too, in no code for HIP or an editor alone."""
    if directive.name != "define" or _macro(parsed, directive) not in _MACROS:
        return False
    if parsed.hip(directive.start) is not None or parsed.is_dead(directive.start):
        return False
    around = parsed.branches_around(directive.start)
    return not any(_EDITORS.search(one) for branch in around for one in branch.conditions)


def _macro(parsed: ParsedFile, directive: Directive) -> bytes:
    return directive.argument(parsed.data).split()[0] if directive.argument(parsed.data) else b""


def _hit(parsed: ParsedFile, run: list[Directive]) -> Hit:
    """The hit for a run, at the name that it defines first."""
    name = _macro(parsed, run[0])
    at = parsed.data.index(name, run[0].start)
    span, whole = Span(at, at + len(name)), Span(run[0].start, run[-1].end)
    use = Use("name", name.decode(), span, whole, (), "macro", "token")
    return Hit("build/own-compiler-macro", use, {"name": use.name})
