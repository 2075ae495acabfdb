"""The declaration of a structure ahead of its header -> that of HIP's `typedef`, whose tag the use is named by."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Write the tag before the type's name, which its own rule renames."""
    return [Edit(use.span, f"typedef struct {use.name}".encode())]
