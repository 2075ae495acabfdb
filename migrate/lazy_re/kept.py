"""Patterns that an earlier process compiled, for the next one: compiling them takes longer than starting Python does.

What is kept is what the engine runs, under the pattern as a module writes it: numbers, which the engine checks when it
is given them. Patterns that are made while a program runs are not kept: they may hold what is in the files it reads.
"""

from __future__ import annotations

import marshal
import os
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

_LEAST = 8
"""New patterns for which the file is written again."""
_MOST = 10_000
"""Patterns in the file; there are a tenth as many."""
Asked = tuple[Any, int]
"""A pattern as a module writes it, text or bytes, and its flags."""
_VERSION = 4
"""The version of `marshal` that every Python reads which this runs on."""
_store: list[tuple[Callable[[], Any], Callable[[Any], None]]] = []
"""What reads the patterns of earlier processes, and what writes them; empty where none are kept."""
_known: dict[Asked, bytes] | None = None
_new: dict[Asked, Any] = {}


def pattern(asked: Asked) -> Any:
    """The compiled pattern of an earlier process; None where there is none."""
    row = _all().get(asked) if _store else None
    if row is None:
        return None
    try:
        text, flags, code, groups, names, numbers = marshal.loads(row)
        return _engine().compile(text, flags, array("I", code).tolist(), groups, names, numbers)
    except (ValueError, TypeError, EOFError, RuntimeError, OverflowError):  # no rows of ours
        return None


def add(asked: Asked, compiled: Any) -> None:
    """Remember a pattern that had to be compiled."""
    if _store:
        _new[asked] = compiled


def use_kept(read: Callable[[], Any], write: Callable[[Any], None]) -> None:
    """Let this process, and its copies, take patterns from earlier processes, and keep those that it compiles.

    `read` gives what was written last, None where nothing was; `write` may raise OSError.
    """
    if sys.implementation.name == "cpython" and array("I").itemsize == _engine().CODESIZE:
        _store[:] = [(read, write)]


def keep() -> None:
    """Keep the patterns that had to be compiled, for later processes. A cache that cannot be written is no failure."""
    global _known
    if len(_new) < _LEAST:
        return
    with suppress(OSError, MemoryError, AttributeError, ImportError):  # another Python may name its parts otherwise
        _known = None  # others may have written meanwhile
        rows = dict(_all()) if len(_all()) < _MOST else {}
        rows |= {asked: _row(asked, compiled) for asked, compiled in _new.items()}
        _store[0][1](rows)
    _new.clear()


def kept_for() -> str:
    """What tells patterns that the engine of this Python runs, as they are spelled here, from others."""
    status = os.stat(os.path.join(os.path.dirname(__file__), "quick_search.py"))
    return f"{sys.version} {_engine().MAGIC} {status.st_mtime_ns} {status.st_size}"


def _all() -> dict[Asked, bytes]:
    global _known
    if _known is None:
        found = None
        with suppress(OSError):
            found = _store[0][0]()
        _known = found if isinstance(found, dict) else {}
    return _known


def _row(asked: Asked, compiled: Any) -> bytes:
    """What the engine is given for a pattern."""
    modules = ("re._parser", "re._compiler") if sys.version_info >= (3, 11) else ("sre_parse", "sre_compile")
    parser, compiler = map(import_module, modules)
    tree = parser.parse(compiled.pattern, asked[1])
    code = array("I", compiler._code(tree, asked[1])).tobytes()
    names: dict[str, int] = dict(compiled.groupindex)
    numbers: list[str | None] = [None] * (compiled.groups + 1)
    for name, number in names.items():
        numbers[number] = name
    return marshal.dumps((compiled.pattern, compiled.flags, code, compiled.groups, names, tuple(numbers)), _VERSION)


def _engine() -> Any:
    return import_module("_sre")
