"""Which macros compilers and headers of systems define, by `rules/predefined-macros.toml`; others are projects' own."""

from __future__ import annotations

from functools import cache

from cudamigrate.lazy_re import re
from cudamigrate.shipped_data import table

_RESERVED = "__"
"""How names begin that C and C++ keep for compilers and their headers; projects use them for switches all the same."""
_BY_FORM = re.compile(r"__(?:[a-z]\w*|\w*__)")
"""Those that are no project's by their form: `__linux`, `__cpp_concepts`, `__GNUC__`."""
_FAMILY = re.compile(r"__[A-Za-z0-9]+")


def is_predefined(name: str) -> bool:
    """Whether a macro is one of compilers or their headers; False for one that does not begin with two underscores."""
    if not name.startswith(_RESERVED):
        return False
    first = _FAMILY.match(name)
    return first is None or _BY_FORM.fullmatch(name) is not None or first[0] in _known() or name in _known()


@cache
def _known() -> frozenset[str]:
    found = table("predefined-macros")
    return frozenset(str(found["families"]).split()) | frozenset(str(found["names"]).split())
