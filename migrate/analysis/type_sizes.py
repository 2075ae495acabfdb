"""How many bytes: what constant expressions and types are worth.

Result: numbers, or None where the file alone does not show them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import integer_literals, tree_sitter_nodes

_TYPES = {
    1: b"bool char int8_t uint8_t uchar byte __nv_fp8_e4m3 __nv_fp8_e5m2 __nv_fp8_storage_t",
    2: b"short ushort int16_t uint16_t half __half nv_bfloat16 __nv_bfloat16 bfloat16 char2 uchar2",
    4: b"int unsigned uint int32_t uint32_t float half2 __half2 nv_bfloat162 __nv_bfloat162 short2 ushort2 char4"
    b" uchar4",
    8: b"long ulong int64_t uint64_t size_t double float2 int2 uint2 short4 ushort4 intptr_t uintptr_t"
    b" cuComplex cuFloatComplex",
    12: b"float3 int3 uint3",
    16: b"float4 int4 uint4 double2 longlong2 ulonglong2 long2 ulong2 cuDoubleComplex",
    32: b"double4 longlong4 ulonglong4",
}
_SIZES = {name: size for size, names in _TYPES.items() for name in names.split()}
_WORDS = frozenset(b"const volatile static constexpr inline signed unsigned struct typename std".split())
_TOKEN = re.compile(
    rb"\s*(?:(?P<number>0[xX][\da-fA-F']+|\d[\d']*)[uUlLzZ]*(?![\w.])|(?P<name>[A-Za-z_][\w:]*)"
    rb"|(?P<real>\d+(?:\.\d*)?(?:[eE]\+?\d+)?)[fF]?(?![\w.])|(?P<sign><<|>>|[-+*/%(),<>]))"
)
"""A token of a size: a number without its suffix (`32u`, `1'024`, `1e3`), a name (`std::max`), a sign."""
_SIGN = re.compile(rb"[/%]")
_LARGEST = 2.0**53
_CASTS = frozenset(
    (b"static_cast", b"size_t", b"std::size_t", b"int", b"unsigned", b"uint32_t", b"int32_t", b"int64_t")
)
_PICKS = {b"max": max, b"std::max": max, b"min": min, b"std::min": min}
_LEVELS = ((b"<<", b">>"), (b"+", b"-"), (b"*", b"/", b"%"))
_BLOCKS = ("compound_statement", "for_statement", "while_statement", "if_statement", "switch_statement")
_DEPTH = 12
_NOTHING: Mapping[bytes, int] = MappingProxyType({})


def type_size(spelling: bytes) -> int | None:
    """Bytes of a type by its name; None for what is not a plain number, a small vector or a pointer."""
    if spelling.rstrip().endswith(b"*"):
        return 8
    words = [word for word in re.findall(rb"\w+", spelling) if word not in _WORDS - {b"unsigned"}]
    plain = [word for word in words if word != b"unsigned"] or words[:1]
    if plain == [b"long", b"long"] or plain in ([b"long", b"int"], [b"long", b"long", b"int"]):
        return 8
    if plain == [b"short", b"int"]:
        return 2
    return _SIZES.get(plain[0]) if len(plain) == 1 else None


class Amounts:
    """Constant expressions of one file; `given` are variables that are taken for numbers, `types` sizes of types."""

    def __init__(
        self, parsed: ParsedFile, given: Mapping[bytes, int] = _NOTHING, types: Mapping[bytes, int] = _NOTHING
    ) -> None:
        self.values, self._given, self._types = Values.of(parsed), given, types

    def of(self, spelling: bytes, offset: int, depth: int = _DEPTH) -> int | None:
        """The number that an expression at an offset stands for."""
        if depth == 0:
            return None
        tokens = _tokens(spelling)
        if tokens is None:
            return None
        reader = _Reader(self, tokens, offset, depth)
        value = reader.sum(0)
        return value if reader.at == len(tokens) else None

    def named(self, name: bytes, offset: int, depth: int) -> int | None:
        """The number that a constant or a constant local variable stands for."""
        if name in self._given:
            return self._given[name]
        found = self.values.locals(offset).get(name)
        if found:
            local, block = _seen(found, offset)
            if local is None or local.value is None or local.rank:
                return None
            kept = local.qualifiers & {b"const", b"constexpr"} or not self._changes(name, offset, block)
            return self.of(text(local.value), offset, depth - 1) if kept else None
        known = self.values.constants()
        last = name.rpartition(b"::")[2]
        if last in known:
            body = known[last]
            return None if body is None else self.of(body, offset, depth - 1)
        return self.values.spelled(name)

    def alias(self, name: bytes, depth: int = _DEPTH) -> int | None:
        """The bytes of a type that the file gives a name, `using real = float;`, if it is the same wherever it does."""
        if name in self._types:
            return self._types[name]
        word = re.escape(name)
        pattern = rb"\busing\s+" + word + rb"\s*=\s*([^;{}]+);|\btypedef\s+([^;{}(]+?)\s*\b" + word + rb"\s*;"
        matches = self.values.parsed.lexed.matches(re.compile(pattern), name)
        sizes = {self._of_type(match[1] or match[2], depth - 1) for match in matches}
        return sizes.pop() if len(sizes) == 1 else None

    def _of_type(self, spelled: bytes, depth: int) -> int | None:
        size, name = type_size(spelled), spelled.strip()
        plain = re.fullmatch(rb"[A-Za-z_]\w*", name) is not None
        return self.alias(name, depth) if size is None and plain and depth > 0 else size

    def _changes(self, name: bytes, offset: int, block: Node | None) -> bool:
        """Whether a local variable is given another value, or its address is taken, in its block or its function."""
        parsed = self.values.parsed
        function = parsed.function(offset)
        body = parsed.data if function is None else parsed.data[function.span.start : function.span.end]
        body = text(block) if block is not None else body
        word = re.escape(name)
        changed = (
            rb"\b"
            + word
            + rb"\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|(?:\+\+|--|&)\s*"
            + word
            + rb"\b|\b"
            + word
            + rb"\s*(?:\+\+|--)"
        )
        return len(re.findall(changed, body)) > 1


def _seen(found: Sequence[Local], offset: int) -> tuple[Local | None, Node | None]:
    """The local variable that a name is at an offset, and its block where several of the function have the name.

    None where one of these has no value, and where none of their blocks holds the offset.
    """
    if len(found) == 1:
        return found[0], None
    seen: list[tuple[int, Local, Node]] = []
    for one in found:
        if one.value is None:
            return None, None
        block = next((node for node in tree_sitter_nodes.ancestors(one.value) if node.type in _BLOCKS), None)
        if block is not None and block.start_byte <= offset < block.end_byte and one.value.end_byte <= offset:
            seen.append((block.start_byte, one, block))
    if not seen:
        return None, None
    _, local, block = max(seen, key=lambda each: each[0])
    return local, block


def _tokens(spelling: bytes) -> list[bytes] | None:
    found, at = [], 0
    spelling = spelling.strip()
    while at < len(spelling):
        match = _TOKEN.match(spelling, at)
        if match is None:
            return None
        token = match[match.lastgroup or 0]
        if match.lastgroup == "real":
            if (whole := _whole(token)) is None or not {b"/", b"%"}.isdisjoint(_SIGN.findall(spelling)):
                return None
            token = whole
        found.append(token)
        at = match.end()
    return found or None


def _whole(spelled: bytes) -> bytes | None:
    """The digits of a floating-point number that is whole and small: `1e3`; what it divides need not be."""
    value = float(spelled)
    return b"%d" % int(value) if value < _LARGEST and value.is_integer() else None


class _Reader:
    """Reads one expression; a part that is not known makes all of it unknown."""

    def __init__(self, amounts: Amounts, tokens: list[bytes], offset: int, depth: int) -> None:
        self.amounts, self.tokens, self.offset, self.depth, self.at = amounts, tokens, offset, depth, 0

    def next(self) -> bytes:
        return self.tokens[self.at] if self.at < len(self.tokens) else b""

    def take(self) -> bytes:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else b""

    def sum(self, level: int) -> int | None:
        """Operators of one level and those that bind tighter."""
        if level == len(_LEVELS):
            return self.leaf()
        left = self.sum(level + 1)
        while self.next() in _LEVELS[level]:
            sign = self.take()
            left = _combined(left, sign, self.sum(level + 1))
        return left

    def leaf(self) -> int | None:
        word = self.take()
        if word == b"(":
            return self._in_brackets()
        if word == b"-":
            value = self.leaf()
            return None if value is None else -value
        if word[:1].isdigit():
            return integer_literals.value(word)
        if word == b"sizeof":
            return self._sizeof()
        if word in _PICKS or word in _CASTS:
            return self._called(word)
        return self.amounts.named(word, self.offset, self.depth) if word[:1].isalpha() or word[:1] == b"_" else None

    def _in_brackets(self) -> int | None:
        """An expression in brackets, or what follows a cast."""
        inside = self.tokens[self.at : self.at + 1]
        if inside and inside[0] in _SIZES and self.tokens[self.at + 1 : self.at + 2] == [b")"]:
            self.at += 2
            return self.leaf()
        value = self.sum(0)
        return value if self.take() == b")" else None

    def _sizeof(self) -> int | None:
        if self.take() != b"(":
            return None
        words = []
        while self.next() not in (b")", b""):
            words.append(self.take())
        self.take()
        spelled = b" ".join(words)
        size = type_size(spelled)
        if size is None and len(words) == 1:
            found = self.amounts.values.locals(self.offset).get(words[0], ())
            if len(found) == 1 and found[0].rank == 0:
                size = type_size(b" ".join(sorted(found[0].words)))
            size = self.amounts.alias(words[0], self.depth) if size is None and not found else size
        return size

    def _called(self, word: bytes) -> int | None:
        """`static_cast<T>(x)`, `size_t(x)`, `std::max(a, b)`: a cast keeps its number."""
        if self.next() == b"<":
            while self.next() not in (b">", b""):
                self.take()
            self.take()
        if self.take() != b"(":
            return None
        values = [self.sum(0)]
        while self.next() == b",":
            self.take()
            values.append(self.sum(0))
        if self.take() != b")" or None in values:
            return None
        known = [value for value in values if value is not None]
        return _PICKS[word](known) if word in _PICKS else known[0] if len(known) == 1 else None


def _combined(left: int | None, sign: bytes, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    if sign in (b"<<", b">>"):
        return None if not 0 <= right < 64 else left << right if sign == b"<<" else left >> right
    if sign in (b"/", b"%"):
        return None if left < 0 or right <= 0 else left // right if sign == b"/" else left % right
    return left + right if sign == b"+" else left - right if sign == b"-" else left * right
