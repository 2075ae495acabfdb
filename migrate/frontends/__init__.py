"""Front ends: one module per language, each turning bytes into a `ParsedFile`.

A front end is a module with two names: `FILES`, which maps file suffixes to a language, and `parse`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from migrate.model import SourceFile
from migrate.parsed import ParsedFile


class FrontEnd(Protocol):
    """The names that each module of this package has."""

    FILES: Mapping[str, str]

    def parse(
        self, source: SourceFile, words: frozenset[bytes], guards: Iterable[str], prefixes: tuple[bytes, ...]
    ) -> ParsedFile:
        """Read `source`.

        `words` are the identifiers that rules know, `prefixes` what the names of families begin with, and `guards`
        the macros that mark HIP code.
        """
        ...
