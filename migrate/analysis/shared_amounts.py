"""Amounts of shared memory that come from the device itself: `prop.sharedMemPerBlockOptin`, through names.

Result: whether an expression is what the device says that it has, and what a variable of a file is given.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

_DEPTH = 3
"""How many variables and functions a value is followed through."""
_NAME = re.compile(rb"(?<![\w.>:])[A-Za-z_]\w*(?!\w)")
"""A name that is no member: `most`, not the `size` of `prop.size`."""
_PROPERTY = re.compile(rb"\bsharedMemPerBlock|\bmaxSharedMemory|DevAttrMaxSharedMemory|ATTRIBUTE_MAX_SHARED_MEMORY")
"""A size that the device is asked for: `prop.sharedMemPerBlockOptin`; any ending, thus no boundary after it."""
_GIVEN = re.compile(rb"\s*[={]([^;{}]*)[;}]")
"""What is behind the name of a variable that is given a value: ` = bytes + 4;`."""


def is_of_device(parsed: ParsedFile, value: bytes, depth: int = _DEPTH) -> bool:
    """Whether a value is made of what the device says that it has: asked for here, or what a name got by that."""
    if _PROPERTY.search(value) is not None:
        return True
    return depth > 0 and any(
        is_of_device(parsed, one, depth - 1) for name in set(_NAME.findall(value)) for one in given(parsed, name)
    )


def given(parsed: ParsedFile, name: bytes) -> list[bytes]:
    """What a variable of the file is given, by assignment or by a question, and what a function returns."""
    known = parsed.once(_known)
    if name not in known:
        known[name] = list(_found(parsed, name)) if parsed.lexed.places(name) else []
    return known[name]


def _known(_parsed: ParsedFile) -> dict[bytes, list[bytes]]:
    """What variables are given, as far as somebody asked."""
    return {}


def _found(parsed: ParsedFile, name: bytes) -> Iterator[bytes]:
    assigned = (_GIVEN.match(parsed.data, at + len(name)) for at in parsed.lexed.places(name))
    asked = re.finditer(rb"&\s*(?:\w+(?:\.|->))?%s\s*(,[^;()]*)\)" % re.escape(name), parsed.data)
    yield from (match[1] for match in (*assigned, *asked) if match is not None and parsed.lexed.is_code(match.start()))
    spelled = name.decode("latin-1")
    for function in parsed.functions:
        if function.name == spelled:
            yield from re.findall(rb"\breturn\b([^;]*);", parsed.data[function.body.start : function.body.end])
