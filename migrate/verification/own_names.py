"""Whether a name that a complaint asks for is one that the tree declares, as the lines that clang points at show."""

from __future__ import annotations

import os
from collections.abc import Callable

from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic

_CALLED = re.compile(r"no matching (?:function|constructor)")
"""How clang begins to say that a name is declared, and that no declaration takes what it is given."""
_BEFORE = r"[\w>*&\]](?<!return)(?<!else)(?<!throw)[ \t*&]+"
"""What is before the name in the line of its declaration: a type."""


def declares(data: bytes, name: str) -> bool:
    """Whether a text has a declaration of a function of that name, in whatever branch of a conditional."""
    pattern = rb"^[^\n=;(){}#]*[\w>*&](?<!return)(?<!else)(?<!throw)[ \t*&]+%b[ \t]*\(" % re.escape(name.encode())
    return re.search(pattern, data, re.MULTILINE) is not None


def is_own(text: Callable[[str], bytes], entry: Diagnostic, name: str) -> bool:
    """Whether a complaint about a call points at a declaration of the called `name` in a file of the tree.

    `text` gives the bytes of a file of the tree.
    """
    if not _CALLED.match(entry.message):
        return False
    declared = re.compile(rf"(?:^|{_BEFORE}){re.escape(name)}[ \t]*(?:<[^()]*>[ \t]*)?\(")
    for place in entry.notes:
        if place.path and not os.path.isabs(place.path) and place != entry.place:
            line = text(place.path).decode("utf-8", "replace").splitlines()[place.line - 1 : place.line]
            if line and declared.search(line[0].strip()):
                return True
    return False
