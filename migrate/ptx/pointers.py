"""Which outputs of an asm statement are pointers, or may be: these do not take a number as it is.

PTX keeps an address in a register of 64 bits; the constraint `l` leaves open whether C++ has a number there.
"""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.ptx import render
from cudamigrate.ptx.statement import Statement

_STARS = r"\*[\s*&]*(?:(?:const|__restrict__|__restrict)\b[\s*&]*)*"
_TYPE = r"\s*[\w:<>][\w:<>\s]*"
_OTHERS = r"(?:(?:[ *&]|const\b|__restrict(?:__)?\b)+\w+ ?(?:\[[^\]]*\] ?)*(?:=[^,;]*)?,)*\s*"
"""Variables declared before one of the same declaration: ` *a, *b = p, `."""
_DECLARATION = re.compile(f"{_TYPE}{_OTHERS}")
_NEAR = 8192
"""How many bytes above a statement are searched for the declarations of its outputs."""
_AHEAD = 200
"""How many characters before the star of a declaration are read for its type."""
_PLACE = re.compile(r"([A-Za-z_]\w*)(?:\s*\[[^\]]*\])*")
"""A variable, or an element of an array."""


def outputs(parsed: ParsedFile, read_: Statement) -> frozenset[int]:
    """Outputs that are declared as pointers among the function's parameters or not far above; also in a macro.

    What a macro's parameter stands for is not known: it may be a pointer.
    """
    start = read_.use.span.start
    wanted = {
        number: match[1]
        for number, one in enumerate(read_.operands)
        if one.written and one.constraint == "l" and (match := _PLACE.fullmatch(one.text)) is not None
    }
    if not wanted:
        return frozenset()
    directive = parsed.lexed.directive_at(start)
    if directive is not None:
        head = body = _text(parsed, max(directive.start, start - _NEAR), start)
    else:
        function = parsed.function(start)
        if function is None:
            return frozenset()
        head = _text(parsed, function.span.start, function.body.start)
        body = _text(parsed, max(function.body.start, start - _NEAR), start)
    open_ = render.parameters(parsed, start)
    return frozenset(
        number
        for number, name in wanted.items()
        if name in open_ or _declared(name, head, "(,") or _declared(name, body, ";{}")
    )


def _text(parsed: ParsedFile, start: int, end: int) -> str:
    """The source on one line, without the joints of lines that a macro has."""
    return re.sub(r"(?:\s|\\(?=\r?\n))+", " ", parsed.data[start:end].decode("latin-1"))


def _declared(name: str, text: str, marks: str) -> bool:
    """Whether a pointer of the name is declared behind one of the marks, by itself or after others."""
    for match in re.finditer(_STARS + name + r"\b", text):
        before = text[max(0, match.start() - _AHEAD) : match.start()]
        if re.search(f"[{marks}]", before) and _DECLARATION.fullmatch(re.split(f"[{marks}]", before)[-1]):
            return True
    return False
