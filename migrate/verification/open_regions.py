"""Names that a file declares only where the build gives a macro, of which it is not known whether it does.

That such a name is missing is no error of the code: the build may give the macro.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic, Unit

_MISSING = re.compile(
    r"(?:no member named|use of undeclared identifier|unknown type name|no type named|no template named) '(\w+)'"
)
"""How clang says that a name is not declared, with the name: `no member named 'scale' in namespace 'fp8'`."""
_CONDITION = re.compile(rb"[ \t]*#[ \t]*(if|elif|else|endif)(.*)")
"""A directive of a conditional, with what it asks: `#ifdef FAST`, `# if defined(FAST)`."""
_OF_HIP = frozenset(("__HIP_PLATFORM_AMD__", "__HIPCC__", "__HIP__"))
"""Macros that a compiler for HIP gives itself, whatever the build says."""
_WORD = re.compile(rb"\w+")


def judged(
    entries: Sequence[Diagnostic], some: Set[str], unit: Unit, read: Iterable[str], text: Callable[[str], bytes]
) -> list[Diagnostic]:
    """The complaints about a unit; an error about a name that a file has in a region of a macro may be none.

    `some` are macros that builds may give, `read` the absolute paths that the unit read; `text` gives the bytes of one
    of the tree.
    """
    known = {define.partition("=")[0] for define in unit.flags.defines}
    open_ = some - (known if unit.host or unit.language != "hip" else known | _OF_HIP)
    if not open_:
        return list(entries)
    macros = frozenset(name.encode() for name in open_)
    paths = [os.path.relpath(path, unit.root) for path in read if path.startswith(unit.root + os.sep)]
    return [_judged(entry, macros, paths, text) for entry in entries]


def _judged(
    entry: Diagnostic, macros: frozenset[bytes], paths: Iterable[str], text: Callable[[str], bytes]
) -> Diagnostic:
    missing = _MISSING.match(entry.message) if entry.kind == "error" else None
    if missing is None:
        return entry
    name = missing[1].encode()
    for path in paths:
        data = text(path)
        macro = next(_around(data, name, macros), b"") if name in data and any(word in data for word in macros) else b""
        if macro:
            return replace(entry, kind="stand-in", header=f"the value of {macro.decode()}, which the build gives")
    return entry


def _around(data: bytes, name: bytes, macros: frozenset[bytes]) -> Iterator[bytes]:
    """For each line that has a name, the macro that a condition around it asks for; the same for its other branches."""
    asked: list[frozenset[bytes]] = []
    for line in data.splitlines():
        directive = _CONDITION.match(line)
        if directive is None:
            if name in line and name in _WORD.findall(line):
                yield from (macro for words in asked for macro in sorted(words))
        elif directive[1] == b"if":
            asked.append(macros.intersection(_WORD.findall(directive[2])))
        elif directive[1] == b"endif":
            asked = asked[:-1]
        elif asked:
            asked[-1] |= macros.intersection(_WORD.findall(directive[2]))
