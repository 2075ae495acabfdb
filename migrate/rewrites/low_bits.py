"""Keep the five bits of a shuffle's distance or lane mask that CUDA looks at."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.warp.logical_warp_edits import five_bits


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The number itself where it is known, else the expression with `& 31`.

    The whole expression is replaced: another fix may add an argument right behind it.
    """
    node = node_at(parsed, use.span.start, use.span.end)
    made, written = parsed.data[use.span.start : use.span.end], use.span.start
    for edit in reversed(five_bits(use.span, node, Values.of(parsed).constant(node))):
        start, end = edit.span.start - written, edit.span.end - written
        made = made[:start] + edit.replacement + made[end:]
    return [Edit(use.span, made)]
