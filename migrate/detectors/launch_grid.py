"""Grids of more threads than HIP launches: it counts threads where CUDA counts blocks."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.type_sizes import Amounts
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"axGrid", b"MAX_GRID_DIM_X", b"<<")

_MOST = 1 << 32
"""Threads in one dimension that HIP does not reach."""
_LIMIT = re.compile(
    rb"\b(?:maxGridSize\s*\[\s*0\s*\]|(?:cudaDevAttr|hipDeviceAttribute)MaxGridDimX\b|CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X\b)"
)
"""The largest grid in x, asked of the device: `maxGridSize[0]`, `cudaDevAttrMaxGridDimX`. Other dimensions differ."""
_TEXT = re.compile(rb'"(?:[^"\\\n]|\\.)*"')
_STREAMED = re.compile(rb"<<\s*(?:[A-Za-z_]\w*(?:\[\w*\])?(?:\.|->|::))*\Z")
"""A value that goes into a stream as it is: `<< prop.`."""
_WORDED = re.compile(rb'"\w+"\s*,\s*\Z')
"""A name before a constant, as a table or a binding has it: `.value("MAX_GRID_DIM_X", `."""
_DIMENSIONS = re.compile(rb"(?:dim3\s*)?[({]\s*(?P<x>[^,(){}\s][^,(){}]*?)\s*(?:,[^{}]*)?[)}]", re.S)
"""A grid as written, with its x: `dim3(n, 1, 1)`, `{n}`. The x has no commas or brackets, so it is a plain value."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Launches whose first dimension is seen to be too large, and bounds taken from CUDA's limit on blocks."""
    for match in parsed.lexed.matches(_LIMIT, b"axGrid", b"MAX_GRID_DIM_X"):
        if parsed.scope(match.start()) != "host" or _is_shown(parsed, match.start()):
            continue
        span = Span(*match.span())
        yield Hit("launch/grid-limit", Use("name", "", span, span, (), "host", parsed.certainty(span.start)))
    launches = [use for use in parsed.uses if use.kind == "launch" and len(use.args) > 1]
    amounts = Amounts(parsed) if launches else None
    for use in launches:
        if amounts is None or not any(48 <= byte < 58 for byte in parsed.data[use.args[0].start : use.args[1].end]):
            continue
        blocks, threads = (_first(parsed, amounts, span) for span in use.args[:2])
        if blocks is not None and threads is not None and blocks * threads >= _MOST:
            yield Hit("launch/grid-too-large", use, {"threads": str(blocks * threads)})


def _is_shown(parsed: ParsedFile, at: int) -> bool:
    """Whether a value is only shown, or a constant bound: after a format in the same call, streamed, after its name."""
    before = parsed.data[parsed.data.rfind(b";", 0, at) + 1 : at]
    if _STREAMED.search(before) is not None or _WORDED.search(before) is not None:
        return True
    formats = [text.end() for text in _TEXT.finditer(before) if b"%" in text[0] or b"{" in text[0]]
    return bool(formats) and _is_level(before[formats[-1] :])


def _is_level(between: bytes) -> bool:
    """Whether no bracket closes that opened before, nor one opens that is still open."""
    depth = 0
    for byte in between:
        depth += (byte in b"([{") - (byte in b")]}")
        if depth < 0:
            return False
    return depth == 0


def _first(parsed: ParsedFile, amounts: Amounts, span: Span) -> int | None:
    """The first dimension of a grid or a block, as far as it is a constant."""
    spelled = parsed.data[span.start : span.end]
    made = _DIMENSIONS.fullmatch(spelled)
    return amounts.of(spelled if made is None else made["x"], span.start)
