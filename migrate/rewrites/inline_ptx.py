"""Put HIP code in the place of an asm statement.

What lanes do together changes with the warp-level code around it or not at all; see
`migrate/warp/logical_warp_edits.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.ptx import translate
from cudamigrate.warp.lane_code import facts


def group(parsed: ParsedFile, use: Use) -> tuple[str, tuple[str, ...]]:
    """The function whose warp-level code changes together; nothing for an instruction that concerns one lane."""
    found = translate.translation(parsed, use)
    unit = facts(parsed).unit(use.span.start) if found is not None and found.rule in translate.OF_A_WARP else None
    return ("", ()) if unit is None else (f"lanes at {unit.span.start}", unit.borrowed)


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The statement's translation, and the headers that it needs."""
    found = translate.translation(parsed, use)
    if found is None or not found.edits:
        return []
    made = list(found.edits)
    present = [include.path for include in parsed.includes if not include.conditional]
    for header in found.runtime:
        if not any(path == header or path.endswith(f"/{header}") for path in present):
            made.append(addition(parsed, header))
    made += [addition(parsed, header) for header in found.standard if header not in present and not found.runtime]
    return made
