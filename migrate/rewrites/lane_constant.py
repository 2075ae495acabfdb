"""Write for a library's constant of the wave what it is in CUDA; code that is written for AMD's wave stays."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.warp.lane_code import facts
from cudamigrate.warp.library_waves import keeps_wave
from cudamigrate.warp.sources import constants


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The number in place of the name, and of its arguments where it is a macro or function that takes some."""
    value = constants().get(use.name)
    unit = facts(parsed).unit(use.span.start)
    if value is None or (unit is not None and (unit.whole or unit.blocked)):
        return []
    return [Edit(use.extent if use.kind == "call" else use.span, str(value).encode())]


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False where the number is for functions of the library that work on the wave of the GPU: there it is right."""
    return not keeps_wave(parsed, use.span.start)
