"""A call that CUDA 13 gives a place in memory, and CUDA before it a device's number: HIP has a function for each."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.declarations import declared
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use

_TYPES = frozenset((b"cudaMemLocation", b"CUmemLocation", b"hipMemLocation"))
_NAME = re.compile(rb"[A-Za-z_]\w*")
_MADE = re.compile(rb"\(?\s*(?:struct\s+)?(?:cudaMemLocation|CUmemLocation|hipMemLocation)\b")
"""A place that is made for the call: `cudaMemLocation{...}`, `(cudaMemLocation){...}`."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit, of the name: the first of the words, or the second where the last argument is a place.

    It is one by the type of the variable that it is, as far as the function around declares it.
    """
    last = parsed.data[use.args[-1].start : use.args[-1].end].strip() if use.args else b""
    is_place = _MADE.match(last) is not None or _is_declared(parsed, use, last)
    return [Edit(use.span, words[is_place].encode())]


def _is_declared(parsed: ParsedFile, use: Use, name: bytes) -> bool:
    function = parsed.function(use.span.start)
    root = parsed.tree.root_node
    if function is None or _NAME.fullmatch(name) is None:
        return False
    node = root.descendant_for_byte_range(function.span.start, function.span.end - 1)
    known = dict(declared(node, root)) if node is not None else {}
    return name in known and not _TYPES.isdisjoint(known[name].words)
