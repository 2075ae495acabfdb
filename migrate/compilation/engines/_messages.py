"""What the engines' messages have in common: both speak clang's words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic, Place

_MISSING = re.compile(r"^'([^']+)' file not found")
_SIDE = re.compile(r"call to (__\w+__) function from (__\w+__(?: __\w+__)?) function")
"""Why a function that is there is no candidate: it is for the other side."""
_CANDIDATE = re.compile(r"candidate |'[^']+' declared here\Z")
_INSTANTIATED = "in instantiation of "
_EXPANDED = "expanded from macro "
_HANDLES = re.compile(
    r"(?:no known conversion from|cannot convert argument of incomplete type) '(hip\w+)[^']*'(?: \(aka '[^']*'\))?"
    r" to '(hip\w+)[^']*'"
)
"""The same where an argument is of another type of HIP's than the parameter: `hipSurfaceObject_t *`."""


def side(note: str) -> str:
    """Why a candidate is none, in brackets for the end of a message: the sides of a call, or two types of HIP's.

    Empty where a note says nothing of either.
    """
    found = _SIDE.search(note)
    if found:
        return f" ({found[0]})"
    kinds = _HANDLES.search(note)
    return f" (no known conversion from '{kinds[1]}' to '{kinds[2]}')" if kinds and kinds[1] != kinds[2] else ""


def leading(notes: Iterable[tuple[str, Place]]) -> tuple[Place, ...]:
    """The places of an error's notes, without the macros of headers outside that a template is instantiated in.

    Such a macro says where the template got its arguments; the error is in the template, and in what it calls.
    """
    found, inside = list[Place](), False
    for text, place in notes:
        inside = text.startswith(_INSTANTIATED) or (inside and text.startswith(_EXPANDED))
        if not (inside and text.startswith(_EXPANDED) and os.path.isabs(place.path)):
            found.append(place)
    return tuple(found)


def why(notes: Sequence[str]) -> tuple[str, ...]:
    """What the notes of an error say, where each is about a candidate or the function that is called."""
    return tuple(notes) if all(map(_CANDIDATE.match, notes)) else ()


def in_order(found: Iterable[tuple[Diagnostic, bool]]) -> Iterator[Diagnostic]:
    """What one pass says in its order, each with whether it is of syntax.

    Errors are marked with what they have to do with headers that are missing.
    """
    missing = first = False
    for one, of_syntax in found:
        if one.kind == "missing-header":
            missing = True
        elif one.kind == "error":
            apart: Literal["", "before", "syntax"] = "" if first or not of_syntax else "syntax"
            one, first = replace(one, apart=apart if missing else "before"), True
        yield one


def missing(message: str) -> str:
    """The header that a message says is not there, empty where it says something else."""
    found = _MISSING.match(message)
    return found[1] if found else ""


@lru_cache(maxsize=4096)
def relative(path: str, root: str) -> str:
    """`path` as seen from `root`, or as it is where it lies elsewhere."""
    if not path:
        return ""
    clean = os.path.normpath(path)
    return os.path.relpath(clean, root).replace(os.sep, "/") if clean.startswith(root.rstrip("/") + "/") else clean
