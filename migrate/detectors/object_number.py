"""Texture and surface objects used as the integers that they are for CUDA; for HIP they are pointers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_TYPES = {
    b"cudaTextureObject_t": "hipTextureObject_t",
    b"cudaSurfaceObject_t": "hipSurfaceObject_t",
    b"CUtexObject": "hipTextureObject_t",
    b"CUsurfObject": "hipSurfaceObject_t",
}
WORDS = tuple(_TYPES)
_DECLARED = re.compile(rb"\b(?P<type>%b)\s+(?:const\s+)?(?P<name>[A-Za-z_]\w*)\s*[;=,)({]" % b"|".join(_TYPES))
"""A variable, member or parameter of such a type: `cudaTextureObject_t tex = 0;`, `cudaTextureObject_t tex)`."""
_CAST = re.compile(rb"\bstatic_cast\s*<\s*(?P<type>%b)\s*>" % b"|".join(_TYPES))
_INTEGERS = re.compile(
    rb"(?:unsigned|signed|long|int|short|u?int(?:64|32)_t|size_t|std::u?int64_t|std::size_t|uintptr_t|\s)+"
)
_INTEGER = "unsigned long long"
"""What an object is for CUDA."""
_NUMBER = re.compile(rb"[-+~(\s]*(?P<digits>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*)[)\s]*")
_ZERO = re.compile(rb"0+[xX]?0*[uUlL]*")
_ORDER, _EQUAL = ("<", ">", "<=", ">="), ("==", "!=")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Numbers that become an object or are compared with one, and objects that become an integer without a cast."""
    for match in parsed.lexed.starting(_CAST, b"static_cast"):
        opening = parsed.lexed.token(match.end())
        opens = opening is not None and parsed.lexed.text(opening) == b"("
        closing = parsed.lexed.closing(opening.start) if opening is not None and opens else -1
        if opening is not None and closing >= 0 and _is_number(parsed.data[opening.start + 1 : closing], zero=True):
            word = Span(match.start(), match.start() + len(b"static_cast"))
            yield _hit(parsed, word, "reinterpret_cast")
    seen: set[int] = set()
    everywhere: set[bytes] = set()
    for match in parsed.lexed.starting(_DECLARED, *_TYPES):
        name, function = match["name"], parsed.function(match.start())
        if name in everywhere:
            continue  # all that is behind has been seen
        if function is None:
            everywhere.add(name)
        for start in _mentions(parsed, name, match.start("name"), function.span.end if function is not None else None):
            if start not in seen:
                seen.add(start)
                yield from _of_mention(parsed, start, start + len(name), _TYPES[match["type"]])


def _mentions(parsed: ParsedFile, name: bytes, start: int, end: int | None) -> Iterator[int]:
    """Where a variable is named in a range of code: no member of that name."""
    places = parsed.lexed.places(name)
    last = len(places) if end is None else bisect_left(places, end)
    for at in places[bisect_left(places, start) : last]:
        if parsed.data[at - 1 : at] not in (b".", b">") and parsed.lexed.is_code(at):
            yield at


def _of_mention(parsed: ParsedFile, start: int, end: int, kind: str) -> Iterator[Hit]:
    around = parsed.nodes_around(start, end)
    if len(around) < 3 or (around[-1].start_byte, around[-1].end_byte) != (start, end):
        return
    own, outer = around[-1], around[-2]
    if outer.type == "binary_expression":
        sign = outer.child_by_field_name("operator")
        other = _other(outer, own, "left", "right")
        ordered = sign is not None and sign.type in _ORDER
        equal = sign is not None and sign.type in _EQUAL
        if other is not None and (ordered or equal) and _is_number(other.text or b"", zero=ordered):
            yield _hit(parsed, _span(other), kind)
    elif outer.type == "assignment_expression" and outer.child_by_field_name("left") == own:
        yield from _of_value(parsed, outer.child_by_field_name("right"), kind)
    elif outer.type == "init_declarator" and outer.child_by_field_name("declarator") == own:
        yield from _of_value(parsed, outer.child_by_field_name("value"), kind)
    elif outer.type == "init_declarator" and outer.child_by_field_name("value") == own:
        declared, name = around[-3].child_by_field_name("type"), outer.child_by_field_name("declarator")
        words = declared.text if declared is not None and name is not None and name.type == "identifier" else None
        if words and _INTEGERS.fullmatch(words):
            yield _hit(parsed, _span(own), _INTEGER)


def _of_value(parsed: ParsedFile, value: Node | None, kind: str) -> Iterator[Hit]:
    if value is not None and value.type != "initializer_list" and _is_number(value.text or b""):
        yield _hit(parsed, _span(value), kind)


def _other(outer: Node, own: Node, *fields: str) -> Node | None:
    """The other operand."""
    sides = (outer.child_by_field_name(field) for field in fields)
    return next((one for one in sides if one is not None and one != own), None)


def _is_number(text: bytes, zero: bool = False) -> bool:
    """Whether a text is an integer literal, other than 0 where that is not asked for: 0 is a null pointer too."""
    found = _NUMBER.fullmatch(text)
    return found is not None and (zero or _ZERO.fullmatch(found["digits"]) is None or b"~" in text)


def _span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def _hit(parsed: ParsedFile, span: Span, to: str) -> Hit:
    """The hit, whose use is named by the type that a cast gives."""
    use = parsed.named_use(to, span, "syntax")
    return Hit("texture/object-number", use, {"type": to})
