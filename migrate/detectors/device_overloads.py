"""Device-wide functions of CUB that are named without a call where the type has to be deduced.

Which functions of hipCUB have an overload of the same template parameters is from its headers `hipcub/device/`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.warp.library_names import names, qualified

WORDS = (b"Device",)

_CLASSES = (
    *("DeviceAdjacentDifference", "DeviceHistogram", "DeviceMergeSort", "DevicePartition", "DeviceRadixSort"),
    *("DeviceReduce", "DeviceRunLengthEncode", "DeviceScan", "DeviceSegmentedRadixSort", "DeviceSegmentedReduce"),
    *("DeviceSegmentedSort", "DeviceSelect", "DeviceSpmv"),
)
"""Those whose functions took `debug_synchronous`; DeviceCopy, DeviceFor, DeviceMemcpy and DeviceMerge never did."""
_NAMED = re.compile(
    rb"\b(?P<class>%b)\s*::\s*(?:SubtractLeft(?:Copy)?|SubtractRight(?:Copy)?|(?:Multi)?Histogram(?:Even|Range)"
    rb"|(?:Stable)?Sort(?:Pairs|Keys)(?:Descending|Copy)?|Flagged|If|Reduce(?:ByKey)?|Sum|(?:Arg)?M(?:in|ax)|Encode"
    rb"|NonTrivialRuns|(?:In|Ex)clusive(?:Sum|Scan)(?:ByKey)?|Unique(?:ByKey)?|CsrMV)(?=\s*<)"
    % "|".join(_CLASSES).encode()
)
"""One of their functions with template arguments. `DeviceSelect::FlaggedIf` is newer than the argument."""
_FARTHEST = 4000
"""Bytes that template arguments may take."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such function that `auto` or `decltype` has to deduce a type from: `auto f = cub::DeviceReduce::Sum<...>;`.

    Where the type is written, it chooses one of the overloads; as an argument, the parameter may have one.
    """
    lexed = parsed.lexed
    owners, bare = names(parsed, _CLASSES)
    for match in lexed.matches(_NAMED, b"Device"):
        start = qualified(parsed, match.start(), owners, bare, match["class"])
        if start < 0 or parsed.hip(start) is False:
            continue
        opening = lexed.token(match.end())
        closing = -1 if opening is None else lexed.angle_closing(opening.start, opening.start + _FARTHEST)
        if closing < 0:
            continue
        after = lexed.text(lexed.token(closing + 1))
        if (after in (b";", b",") and _is_deduced(parsed, start)) or (after == b")" and _is_asked(parsed, start)):
            use = parsed.named_use(parsed.data[start : match.end()].decode("latin-1"), Span(start, closing + 1))
            yield Hit("library/cub-function-value", use, {"name": match["class"].decode()})


def _is_deduced(parsed: ParsedFile, start: int) -> bool:
    """Whether a value initialises a variable whose declaration says `auto`: `const auto *f =`."""
    lexed = parsed.lexed
    sign = lexed.before(start)
    if sign is None or lexed.text(sign) != b"=":
        return False
    before = _before(parsed, _before(parsed, sign))
    while lexed.text(before) in (b"*", b"&", b"&&", b"const"):
        before = _before(parsed, before)
    return lexed.text(before) == b"auto"


def _is_asked(parsed: ParsedFile, start: int) -> bool:
    """Whether a value is all that `decltype` is asked of, `&` before it or none."""
    before = parsed.lexed.before(start)
    if parsed.lexed.text(before) == b"&":
        before = _before(parsed, before)
    return parsed.lexed.text(before) == b"(" and parsed.lexed.text(_before(parsed, before)) == b"decltype"


def _before(parsed: ParsedFile, token: Token | None) -> Token | None:
    return None if token is None else parsed.lexed.before(token.start)
