"""Reads names out of AMD's Python bindings, whose declaration files (`cy*.pxd`) repeat the C headers they wrap."""

from __future__ import annotations

import re
from pathlib import Path

from tests.symbols.headers import Names

_WORD = r"([A-Za-z]\w*)"
_OPENING = re.compile(rf"^\s*(?:cdef|ctypedef) (?:packed )?(enum|struct|union)\b ?{_WORD}?\s*:")
_ALIAS = re.compile(rf"^\s*ctypedef .*?(?:\(\*\s*{_WORD}\)\s*\(.*|\b{_WORD})\s*$")
_FUNCTION = re.compile(rf"^\s*cdef [^(]*?\b{_WORD}\(")
_CONSTANT = re.compile(rf"^\s*cdef (?!extern)[\w *]+?[ *]{_WORD}\s*$")
_MEMBER = re.compile(rf"^\s+{_WORD}\s*(?:=.*)?$")
_IMPORTED = re.compile(rf"^from \S+ cimport \w+ as {_WORD}$")
_INTERNAL = re.compile(r"_(?:union|struct|enum)_\d+|^anon_|^bool_?$|^_")


def read(path: Path) -> Names:
    """The names that one file declares."""
    found: Names = {}
    inside = -1  # how deep the enumeration is indented that is being read, or -1
    for line in path.read_text(encoding="utf-8").splitlines():
        code = line.partition("#")[0].rstrip()
        if not code:
            continue
        depth = len(code) - len(code.lstrip())
        if inside >= 0 and depth > inside:
            if match := _MEMBER.match(code):
                found[match[1]] = "enum"
            continue
        inside = -1
        name, kind = _declared(code)
        if _OPENING.match(code) and kind == "enum":
            inside, kind = depth, "type"
        if name and not _INTERNAL.search(name):
            found.setdefault(name, kind)
    return {name: kind for name, kind in found.items() if not _INTERNAL.search(name) and name != "pass"}


def _declared(code: str) -> tuple[str, str]:
    if match := _OPENING.match(code):
        return match[2] or "", "enum" if match[1] == "enum" else "type"
    if match := _ALIAS.match(code):
        return match[1] or match[2], "type"
    if match := _FUNCTION.match(code):
        return match[1], "function"
    if match := _CONSTANT.match(code):
        return match[1], "macro"
    if match := _IMPORTED.match(code):
        return match[1], "type"
    return "", ""
