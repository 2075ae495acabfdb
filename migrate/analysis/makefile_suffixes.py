"""Old suffix rules of Makefiles: `.cu.o:` makes any `.o` of the `.cu` of its name, `.cu:` a program of it.

Source: GNU make's manual, "Old-Fashioned Suffix Rules": the suffixes are those that `.SUFFIXES` names, beside make's
own.
"""

from __future__ import annotations

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.makefile import Line

_TARGET = re.compile(rb"[ ]*(\.[\w+-]+)(\.[\w+-]+)?[ \t]*::?(?!=)")
_OWN = frozenset(b".out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .s .S .mod .def .h .info .sh .elc .el".split())
"""Suffixes that make knows by itself, without those of texts."""
_DECLARED = b".SUFFIXES"


def made(variables: Variables, file: Makefile, rule: Line | None) -> tuple[str, str] | None:
    """What a suffix rule makes and takes, by pattern: `*.o` and `*.cu`; None for any other rule."""
    match = _TARGET.match(file.data, rule.value.start, rule.value.end) if rule is not None else None
    if match is None or match[1] == _DECLARED:
        return None
    source, target = match[1], match[2] or b""
    if not {source, target} - {b""} <= _OWN | _declared(variables):
        return None
    return f"*{target.decode()}", f"*{source.decode()}"


def _declared(variables: Variables) -> frozenset[bytes]:
    """What `.SUFFIXES` names, also through variables; worked out once."""
    if variables.suffixes is not None:
        return variables.suffixes
    found = set[bytes]()
    for file in variables.files:
        for line in file.lines if _DECLARED in file.data else ():
            if line.kind == "rule" and file.text(line.value).lstrip().startswith(_DECLARED):
                start = file.data.index(b":", line.value.start) + 1
                found.update(b" ".join(variables.texts(file, Span(start, line.value.end))).split())
    variables.suffixes = frozenset(found)
    return variables.suffixes
