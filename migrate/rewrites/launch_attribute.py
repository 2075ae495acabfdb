"""Leave programmatic stream serialization out of a launch whose only attribute it is: HIP keeps the stream's order.

The statements that set the attribute go, and the launch is given none. The array stays, as does what names it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.cuda.removed_statements import removed
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_SET = re.compile(
    rb"(\w+)\s*\[\s*0\s*\]\s*\.\s*(?:id\s*=\s*cudaLaunchAttributeProgrammaticStreamSerialization"
    rb"|val\s*\.\s*programmaticStreamSerializationAllowed\s*=\s*[\w.]+)\s*;"
)
"""A statement that sets the attribute or its value: `a[0].id = ...;`, `a[0].val.programmatic... = 1;`."""
_ONE = re.compile(rb"\w+\s*\[\s*1\s*\]\s*;")
"""The rest of the declaration of an array of one attribute: `a[1];`."""
_LISTED = re.compile(rb"\w+\s*,\s*(1)\s*,?\s*\}")
"""The array with its length at the end of the values of a launch's settings: `a, 1 }`."""
_ASSIGNED = re.compile(rb"(\w+)\s*\.\s*attrs\s*=\s*\Z")
"""What is before the array where it is given to a variable: `config.attrs = `."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty. No edits where the array has more attributes, or where a use of it is not understood."""
    function = parsed.function(use.span.start)
    if function is None:
        return []
    sets = list(_SET.finditer(parsed.data, function.body.start, function.body.end))
    array = next((one[1] for one in sets if one.start() <= use.span.start < one.end()), b"")
    sets = [one for one in sets if one[1] == array and parsed.lexed.is_code(one.start())]
    before = {parsed.lexed.text(parsed.lexed.before(one.start())) for one in sets}
    if (
        not array
        or len(sets) != 2
        or not before <= {b";", b"{", b"}"}
        or sets[0][0].split(b"=")[0] == sets[1][0].split(b"=")[0]
    ):
        return []
    known = {one.start() for one in sets}
    counts, declared = list[Span](), 0
    for at in parsed.lexed.words(frozenset((array,))):
        member = parsed.lexed.text(parsed.lexed.before(at)) in (b".", b"->")
        if not function.body.start <= at < function.body.end or at in known or member:
            continue
        if _ONE.match(parsed.data, at):
            declared += 1
            continue
        count = _count(parsed, function, at)
        if count is None:
            return []
        counts.append(count)
    if declared != 1 or len(counts) != 1:
        return []
    return [*(removed(parsed, Span(*one.span())) for one in sets), Edit(counts[0], b"0")]


def _count(parsed: ParsedFile, function: Function, at: int) -> Span | None:
    """Where the number of attributes is that a launch is given with the array at a place; None where that is not 1."""
    listed = _LISTED.match(parsed.data, at)
    if listed is not None:
        return Span(*listed.span(1))
    owner = _ASSIGNED.search(parsed.data, max(function.body.start, at - 200), at)
    if owner is None:
        return None
    pattern = re.compile(rb"\b%s\s*\.\s*numAttrs\s*=\s*([^;]*);" % re.escape(owner[1]))
    found = list(pattern.finditer(parsed.data, function.body.start, function.body.end))
    return Span(*found[0].span(1)) if len(found) == 1 and found[0][1] == b"1" else None
