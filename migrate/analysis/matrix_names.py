"""Warp matrix functions by names without their namespace, or by another name for it.

`using namespace nvcuda::wmma;` may be in a header. The names with their namespace are a rule's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import opened_namespaces
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

_NAMES = frozenset(b"fragment fill_fragment load_matrix_sync store_matrix_sync mma_sync".split())
_OPENED = re.compile(
    rb"\busing\s+namespace\s+(?:::\s*)?(?P<outer>nvcuda)\s*(?:::\s*(?P<inner>wmma)\s*)?;"
    rb"|\busing\s+namespace\s+(?P<bare>wmma)\s*;"
    rb"|\bnamespace\s+(?P<alias>\w+)\s*=\s*(?:::\s*)?(?:nvcuda\s*::\s*)?wmma\s*;"
    rb"|\busing\s+(?:::\s*)?(?:nvcuda\s*::\s*)?wmma\s*::\s*(?P<name>\w+)\s*;"
)
"""How its names go without `nvcuda::wmma::`, with a namespace of another name, or one by one."""
_DECLARED = re.compile(rb"\b(?:class|struct)\s+(\w+)|\busing\s+(\w+)\s*=")
_MEMBER = (b".", b"->")


def uses(parsed: ParsedFile) -> Iterator[Use]:
    """Each such name where it is used."""
    found = list(opened_namespaces.matches(parsed, _OPENED))
    bare = {one["name"] for one in found if one["name"]} & _NAMES
    if any(one["inner"] or (one["bare"] and any(other["outer"] for other in found)) for one in found):
        bare |= _NAMES
    own = {one[1] or one[2] for one in parsed.lexed.starting(_DECLARED, b"class", b"struct", b"using")}
    bare -= own | {function.name.encode() for function in parsed.functions}
    aliases = {one["alias"] for one in found if one["alias"]} - {b"wmma"}
    for at in parsed.lexed.words(_NAMES) if bare or aliases else ():
        span = _used(parsed, at, bare, aliases)
        if span is not None and parsed.hip(at) is None:
            yield parsed.named_use(parsed.data[span.start : span.end].decode(), span)


def _used(parsed: ParsedFile, at: int, bare: set[bytes], aliases: set[bytes]) -> Span | None:
    """The name at a place with what qualifies it, where it is one of those."""
    tokens = parsed.lexed
    token, before = tokens.token(at), tokens.before(at)
    following = tokens.text(tokens.after(token))
    if token is None or tokens.directive_at(at) is not None or following not in (b"<", b"("):
        return None
    sign = tokens.text(before)
    if before is None or sign != b"::":
        return Span(at, token.end) if tokens.text(token) in bare and sign not in _MEMBER else None
    owner = tokens.before(before.start)
    if owner is None or tokens.text(owner) not in aliases or tokens.text(tokens.before(owner.start)) == b"::":
        return None
    return Span(owner.start, token.end)
