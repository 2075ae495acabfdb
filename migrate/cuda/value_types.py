"""Names that code gives to types, and which of them are values and no pointers or references.

Read from the tokens, so that headers count without being parsed. A name that is declared twice is a value where it is
one each time, as `real_t` is float in one branch and double in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re

_WIDTHS = (b"8", b"16", b"32", b"64")
VALUES = frozenset(
    (
        *(b"bool", b"char", b"short", b"int", b"long", b"signed", b"unsigned", b"float", b"double", b"size_t"),
        *(b"uchar", b"ushort", b"uint", b"ulong", b"half", b"half2", b"__half", b"__half2"),
        *(b"nv_bfloat16", b"nv_bfloat162", b"__nv_bfloat16", b"__nv_bfloat162"),
        *(b"cuComplex", b"cuFloatComplex", b"cuDoubleComplex"),
        *(b"%bint%b_t" % (sign, width) for sign in (b"", b"u", b"u_") for width in _WIDTHS),
        *(
            b"%b%b%d" % (sign, kind, rank)
            for kind in (b"char", b"short", b"int", b"long", b"longlong", b"float", b"double")
            for sign in (b"", b"u")
            for rank in (1, 2, 3, 4)
        ),
    )
)
"""Types that are values whatever a file declares: those of C++ and `<cstdint>`, and CUDA's numbers and vectors."""
_TYPEDEF = re.compile(rb"\btypedef\s+([^;{}()]+?)(\w+)\s*;")
_BODY = re.compile(rb"\btypedef\s+(?:struct|class|union|enum)\b[^;{}()]*\{")
_NAME = re.compile(rb"\s*(\w+)\s*;")
_USING = re.compile(rb"\busing\s+(\w+)\s*=\s*([^;{}()]+);")
_CLASS = re.compile(
    rb"\b(?:struct|class|union|enum)\s+(?:class\s+)?(?:__\w+(?:\s*\([^()]*\))?\s+)*(\w+)\s*(?:final\s*)?[:{;]"
)
_TEMPLATE = re.compile(rb"\b(?:typename|class)\s+(\w+)\s*(?=[,>=])")
_WORDS = (b"struct", b"class", b"union", b"enum")
_QUALIFIERS = frozenset((b"const", b"volatile", b"std", b"::", b"typename", *_WORDS))
_OF_TYPE = re.compile(rb"\w+|\S")
_CLASS_TYPE = b"int"
"""What stands for a class where only that it is a value counts."""
_DEPTH = 6


def declared(tokens: Lexed) -> Iterator[tuple[bytes, bytes]]:
    """The names that a file gives to types, each with what it says of the type; the parameters of templates with `*`.

    These may be pointers.
    """
    yield from ((match[2], match[1]) for match in tokens.matches(_TYPEDEF, b"typedef"))
    yield from ((match[1], match[2]) for match in tokens.matches(_USING, b"using"))
    yield from ((match[1], _CLASS_TYPE) for match in tokens.matches(_CLASS, *_WORDS))
    yield from ((match[1], b"*") for match in tokens.matches(_TEMPLATE, b"typename", b"class"))
    for match in tokens.matches(_BODY, b"typedef"):
        closing = tokens.closing(match.end() - 1)
        name = _NAME.match(tokens.data, closing + 1) if closing > 0 else None
        if name is not None:
            yield name[1], _CLASS_TYPE


def named(listed: Iterable[tuple[bytes, bytes]]) -> frozenset[bytes]:
    """The names among those declared that are values each time."""
    meanings: dict[bytes, set[bytes]] = {}
    for name, spelled in listed:
        meanings.setdefault(name, set()).add(spelled)
    return frozenset(name for name in meanings if _is_value(name, meanings, _DEPTH))


def _is_value(name: bytes, meanings: dict[bytes, set[bytes]], depth: int) -> bool:
    if name in VALUES:
        return True
    found = meanings.get(name, ()) if depth else ()
    return bool(found) and all(_is_spelled(one, name, meanings, depth) for one in found)


def _is_spelled(spelled: bytes, name: bytes, meanings: dict[bytes, set[bytes]], depth: int) -> bool:
    words = [word for word in _OF_TYPE.findall(spelled.replace(b"::", b" ")) if word not in _QUALIFIERS]
    if words == [name]:
        return True  # `typedef struct node node;`
    return bool(words) and all(_is_value(word, meanings, depth - 1) for word in words)
