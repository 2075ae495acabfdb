"""Launches whose blocks leave half of a wave empty."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import launched_blocks, listed_numbers
from cudamigrate.analysis.constant_values import WARP_NAME, Values, node_at
from cudamigrate.analysis.variable_mentions import Mentions
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.rulebase.architectures import any_wide

WORDS = (b"<<",)
_MOST = 16
"""Sizes of the blocks of one launch that are reported."""

_SIZES = re.compile(rb"(?:dim3)?\s*[({](?P<sizes>[^(){};]*)[)}]")
"""The sizes of a block: `dim3(32, 4)`, `{32}`; also behind a variable's name, where `dim3` is before that."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_MADE = re.compile(rb"\bdim3\s+(?P<name>\w+)\b(?=\s*=?\s*" + _SIZES.pattern + rb"(?P<end>))")
_DECLARED = re.compile(rb"\bdim3\s+(?P<name>\w+)\b")
_SET = re.compile(rb"\b(?P<name>[A-Za-z_]\w*)(?=\s*(?:\.\s*[xyz]\s*)?[-+*/]?=(?!=)(?P<end>))")
"""A variable for a block, with its sizes, and what sets one or a dimension of it."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Blocks of 32 threads, or 96 and so on, where waves of 64 lanes are aimed at and the number is seen.

    A launch of one block leaves all but one compute unit empty: half a wave more is no loss.
    """
    launches = [use for use in parsed.uses if use.kind == "launch" and use.name and len(use.args) > 1]
    if not launches or not any_wide(parsed.target.arch):
        return
    values = Values.of(parsed)
    for use in launches:
        grid = use.args[0]
        if parsed.hip(use.span.start) is not None or _threads(parsed, values, grid) == 1:
            continue
        block = use.args[1]
        threads = _threads(parsed, values, block) or _of_variables(parsed, values, block)
        halves = [one for one in ((threads,) if threads else _listed(parsed, values, block)) if _is_half(one)]
        if halves:
            place = parsed.named_use(use.name, block)
            said = " or ".join(filter(None, (", ".join(map(str, halves[:-1])), str(halves[-1]))))
            yield Hit("launch/half-wave", place, {"threads": said, "name": use.name})


def _is_half(threads: int) -> bool:
    return threads > 0 and threads % 64 == 32


def _threads(parsed: ParsedFile, values: Values, block: Span) -> int:
    """How many threads a block has, or blocks a grid; 0 where that is not seen."""
    spelled = parsed.data[block.start : block.end].strip()
    if any(_is_foreign(values, name) for name in _NAME.findall(spelled)):
        return 0
    known = values.constant(node_at(parsed, block.start, block.end))
    if known is not None:
        return known
    sizes = _SIZES.fullmatch(spelled)
    if sizes is None and _NAME.fullmatch(spelled):
        mentions = Mentions.of(parsed)
        made = mentions.before(_MADE, spelled, block.start)
        given = [
            *mentions.before(_DECLARED, spelled, block.start),
            *mentions.settings_before(_SET, spelled, block.start),
        ]
        once = len({one.start("name") for one in given}) == 1
        sizes = made[0] if once and len(made) == 1 else None
    product = 1
    if sizes is not None and any(_is_foreign(values, name) for name in _NAME.findall(sizes["sizes"])):
        return 0
    for word in sizes["sizes"].split(b",") if sizes is not None else [b"0"]:
        product *= values.spelled(word.strip()) or 0
    return product


def _of_variables(parsed: ParsedFile, values: Values, block: Span) -> int:
    """The threads of a block of one dimension, by variables that begin with a number and keep it."""
    if any(_is_foreign(values, name) for name in _NAME.findall(parsed.data, block.start, block.end)):
        return 0
    return launched_blocks.threads(parsed, node_at(parsed, block.start, block.end))


def _listed(parsed: ParsedFile, values: Values, block: Span) -> list[int]:
    """The numbers of threads that blocks of a launch have one after another, in order; none where too many are seen."""
    found = {1}
    for size in launched_blocks.sizes(parsed, node_at(parsed, block.start, block.end)):
        if any(_is_foreign(values, name) for name in _NAME.findall(text(size))):
            return []
        known = listed_numbers.numbers(parsed, size)
        found = {one * other for one in found for other in known}
    return sorted(found) if len(found) <= _MOST else []


def _is_foreign(values: Values, name: bytes) -> bool:
    """Whether a name is a warp's size from another file, which may say another number for AMD."""
    return WARP_NAME.fullmatch(name) is not None and values.constants().get(name) is None
