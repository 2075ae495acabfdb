"""Names of warp matrix functions that no header for AMD has, by directives that leave out their namespaces.

Behind `using namespace nvcuda::wmma::experimental;` elements of one bit are `precision::b1`. With its whole namespace
such a name is found by its rule. Names are bare too in what is added to CUDA's namespace: `namespace nvcuda {`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import opened_namespaces
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

_WMMA, _EXPERIMENTAL = b"nvcuda::wmma", b"nvcuda::wmma::experimental"
_FULL = {
    b"bmma_sync": (_WMMA, _EXPERIMENTAL), b"helper_traits": (_WMMA,), b"__get_storage_value": (_WMMA,),
    b"bmmaBitOp": (_EXPERIMENTAL,), b"bmmaBitOpAND": (_EXPERIMENTAL,), b"bmmaBitOpXOR": (_EXPERIMENTAL,),
    b"bmmaAccumulateOp": (_EXPERIMENTAL,), b"bmmaAccumulateOpPOPC": (_EXPERIMENTAL,),
    b"b1": (_EXPERIMENTAL + b"::precision",), b"s4": (_EXPERIMENTAL + b"::precision",),
    b"u4": (_EXPERIMENTAL + b"::precision",),
}  # fmt: skip
"""In which namespaces `mma.h` has the names."""
_DIRECTIVE = re.compile(
    rb"\busing\s+namespace\s+(?:::\s*)?(?P<opened>(?:nvcuda|wmma)(?:\s*::\s*\w+)*)\s*;"
    rb"|\bnamespace\s+(?P<alias>\w+)\s*=\s*(?:::\s*)?(?P<meant>(?:nvcuda|wmma)(?:\s*::\s*\w+)*)\s*;"
    rb"|\busing\s+(?:::\s*)?(?P<name>(?:nvcuda|wmma)(?:\s*::\s*\w+)+)\s*;"
)
_REOPENED = re.compile(rb"\bnamespace\s+nvcuda\b[^;={}]*\{")
_BLANK = re.compile(rb"\s+")


def uses(parsed: ParsedFile) -> Iterator[Use]:
    """Such names where they are used, by their spelling there."""
    opened, aliases = _names(parsed)
    is_reopened = next(parsed.lexed.matches(_REOPENED, b"nvcuda"), None) is not None
    own = {function.name.encode() for function in parsed.functions} if is_reopened else set[bytes]()
    for at in parsed.lexed.words(frozenset(_FULL)) if opened or aliases or is_reopened else ():
        token = parsed.lexed.token(at)
        if token is None or parsed.lexed.directive_at(at) is not None or parsed.hip(at) is not None:
            continue
        start, owner = _owner(parsed, at)
        spelled = parsed.lexed.text(token)
        wanted = [space + b"::" + spelled for space in _FULL[spelled]]
        visible = opened | (_around(parsed, at) if is_reopened and spelled not in own else set())
        if start < 0 or owner.startswith(b"nvcuda::") or _meant(owner, spelled, visible, aliases).isdisjoint(wanted):
            continue
        place = Span(start, token.end)
        yield parsed.named_use(_BLANK.sub(b"", parsed.data[start : token.end]).decode("latin-1"), place)


def _names(parsed: ParsedFile) -> tuple[set[bytes], dict[bytes, bytes]]:
    """The namespaces whose names go bare, each in full, and what other names stand for, namespaces and members."""
    opened, aliases = set[bytes](), dict[bytes, bytes]()
    for one in opened_namespaces.matches(parsed, _DIRECTIVE):
        if one["opened"]:
            opened.add(_whole(one["opened"]))
        elif one["alias"]:
            aliases[one["alias"]] = _whole(one["meant"])
        else:
            aliases[_whole(one["name"]).rpartition(b"::")[2]] = _whole(one["name"])
    return opened, aliases


def _around(parsed: ParsedFile, at: int) -> set[bytes]:
    """The namespaces of CUDA's that a file opens around a place to add to them, each in full."""
    found, full = set[bytes](), b""
    for node in parsed.nodes_around(at, at):
        if node.type == "namespace_definition":
            name = _BLANK.sub(b"", text(node.child_by_field_name("name")))
            full = b"::".join(filter(None, (full, name)))
            found |= {full} if full.startswith(b"nvcuda") else set()
    return found


def _whole(space: bytes) -> bytes:
    spelled = _BLANK.sub(b"", space)
    return spelled if spelled.startswith(b"nvcuda") else b"nvcuda::" + spelled


def _owner(parsed: ParsedFile, at: int) -> tuple[int, bytes]:
    """Where a name begins with what qualifies it, and that; -1 for a member of an object."""
    lexed, parts, start = parsed.lexed, list[bytes](), at
    before = lexed.before(at)
    while before is not None and lexed.text(before) == b"::":
        owner = lexed.before(before.start)
        if owner is None or owner.kind != WORD:
            break
        parts.append(lexed.text(owner))
        start, before = owner.start, lexed.before(owner.start)
    if lexed.text(before) in (b".", b"->"):
        return -1, b""
    return start, b"::".join(reversed(parts))


def _meant(owner: bytes, name: bytes, opened: set[bytes], aliases: dict[bytes, bytes]) -> set[bytes]:
    """What a name may stand for in full."""
    spelled = owner + b"::" + name if owner else name
    first, sign, rest = spelled.partition(b"::")
    known = {aliases[first] + sign + rest} if first in aliases else set[bytes]()
    return known | {space + b"::" + spelled for space in opened}
