"""Constants of 32 named after the warp, masks of all its lanes, numbers of warps."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.warp.lane_code import facts, has_lane_words
from cudamigrate.warp.lane_constants import constants, quotients
from cudamigrate.warp.lane_words import LANE_WORDS

WORDS = LANE_WORDS


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Macros, constants and enumerators; silent where the file gives the name another value for HIP."""
    if not has_lane_words(parsed) or facts(parsed).native:
        return
    for span in sorted({*constants(parsed), *quotients(parsed)}):
        use = parsed.named_use("32", span)
        yield Hit("warp/hardcoded-size", use)
