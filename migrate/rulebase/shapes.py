"""The shape of a rule file that a user wrote: each key holds the kind of value that it is read as."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

import msgspec

from cudamigrate.errors import RuleError

_Words = Union[str, list[str]]  # noqa: UP007 - evaluated when it is used, on Python 3.10 too
_Row = Union[str, list[str], dict[str, _Words]]  # noqa: UP007
_Rows = dict[str, _Row]


class _Example(msgspec.Struct):
    before: str = ""
    finds: list[str] = []
    after: Optional[str] = None  # noqa: UP045
    path: str = ""
    wave: str = ""


class _Rule(msgspec.Struct):
    name: str = ""
    names: _Words = ""
    message: str = ""
    title: str = ""
    notes: str = ""
    listed: str = ""
    detector: str = ""
    example: list[_Example] = []


class _Same(msgspec.Struct):
    names: list[str] = []
    since: dict[str, str] = {}


class _File(msgspec.Struct):
    library: str = ""
    group: str = ""
    target: str = ""
    languages: _Words = ""
    headers: _Rows = {}
    namespaces: _Rows = {}
    calls: _Rows = {}
    types: _Rows = {}
    constants: _Rows = {}
    macros: _Rows = {}
    same: _Same = msgspec.field(default_factory=_Same)
    rule: list[_Rule] = []


def check(path: Path, table: Mapping[str, Any]) -> None:
    """Raise RuleError where a key of the file holds what it cannot be read as."""
    try:
        msgspec.convert(table, _File)
    except msgspec.ValidationError as error:
        raise RuleError(f"{path}: {error}") from None
