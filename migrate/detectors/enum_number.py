"""Numbers, and variables of numbers, that become a choice which HIP numbers otherwise than CUDA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import integer_literals

_ATTRIBUTES = frozenset(
    b"cudaDeviceAttr hipDeviceAttribute_t CUdevice_attribute CUdevice_attribute_enum cudaDeviceP2PAttr"
    b" hipDeviceP2PAttr CUdevice_P2PAttribute CUdevice_P2PAttribute_enum".split()
)
"""Of which HIP numbers all in another way, but for 78, the priorities of streams."""
_PARTLY: Mapping[bytes, frozenset[int]] = {
    b"cudaSurfaceBoundaryMode": frozenset((1, 2)),
    b"CUmemorytype": frozenset((3, 4)),
    b"CUmemorytype_enum": frozenset((3, 4)),
    b"cudaJitOption": frozenset(range(30, 35)),
    b"CUjit_option": frozenset(range(30, 35)),
    b"CUjit_option_enum": frozenset(range(30, 35)),
    b"curandRngType": frozenset((100, 101, 121, 141, 142, 161, *range(200, 205))),
    b"curandRngType_t": frozenset((100, 101, 121, 141, 142, 161, *range(200, 205))),
    b"cusolverEigMode_t": frozenset((0, 1)),
    b"cusolverEigType_t": frozenset((1, 2, 3)),
}
"""Numbers of CUDA's that are another choice for HIP, or none. Source: headers of CUDA 13.0 and ROCm 7.1, compared, and
the documentation of cuRAND and cuSOLVER."""
_SAME_ATTRIBUTES = (0, 78)
"""No attribute for either, and the one that has one number in both."""
WORDS = (b"Attribute", *_ATTRIBUTES, *_PARTLY)

_TYPES = b"|".join(sorted((*_ATTRIBUTES, *_PARTLY), reverse=True))
_CAST = re.compile(
    rb"\(\s*(?:enum\s+)?(?P<old>" + _TYPES + rb")\s*\)\s*(?=[\w(~+-])"
    rb"|static_cast\s*<\s*(?:enum\s+)?(?P<new>" + _TYPES + rb")\s*>\s*(?=\()"
    rb"|(?<![\w:])(?P<call>" + _TYPES + rb")\s*(?=[({])"
)
"""A cast up to its operand: `(cudaDeviceAttr)`, `static_cast<cudaDeviceAttr>`, `cudaDeviceAttr` before a bracket."""
_OPERAND = re.compile(rb"[~+-]?\s*[\w:]+(?:(?:\.|->)\w+|\s*\[[^\[\];]*\])*")
_ASKING = re.compile(rb"\b(?:cuda|hip|cu)DeviceGet(?:P2P)?Attribute\s*(?=\()")
"""A call that asks for an attribute: `cudaDeviceGetAttribute(`; the bracket is only looked at, its place is needed."""
_NAMES = re.compile(rb"[A-Za-z_]\w*")
_CHOICES = re.compile(rb"(?:cudaDev|CU_|hipDev|HIP|cudaJit|hipJit|cudaBoundary|hipBoundary|CURAND_|CUSOLVER_)\w*")
"""How the names of these choices begin, for either vendor."""
_INTEGERS = frozenset(
    b"int unsigned signed long short char const size_t int32_t uint32_t int64_t uint64_t std : uint".split()
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Casts of numbers to such a type, and numbers that C passes for an attribute without a cast."""
    seen = set[int]()
    for match in parsed.lexed.matches(_CAST, *_ATTRIBUTES, *_PARTLY):
        operand = _operand(parsed, match)
        if operand is None:
            continue
        kind = match["old"] or match["new"] or match["call"]
        inner = operand if match["old"] else Span(operand.start + 1, operand.end - 1)
        if _is_renumbered(parsed, kind, parsed.data[inner.start : inner.end].strip(), inner.start):
            seen.add(match.start())
            rule = "memory/attribute-number" if kind in _ATTRIBUTES else "memory/enum-number"
            yield _hit(parsed, rule, Span(match.start(), operand.end), kind.decode())
    for match in parsed.lexed.matches(_ASKING, b"Attribute"):
        closing = parsed.lexed.closing(match.end())
        arguments = parsed.lexed.arguments(match.end(), closing) if closing > 0 else []
        if len(arguments) > 2 and arguments[1][0] not in seen:
            given = Span(*arguments[1])
            if _is_number(parsed, parsed.data[given.start : given.end], given.start):
                yield _hit(parsed, "memory/attribute-number", given, "cudaDeviceAttr")


def _operand(parsed: ParsedFile, match: re.Match[bytes]) -> Span | None:
    """What is cast, with the brackets around it; none for what only reads like a cast."""
    start = match.end()
    if parsed.data[start : start + 1] in (b"(", b"{"):
        closing = parsed.lexed.closing(start)
        return Span(start, closing + 1) if closing > start + 1 else None
    found = _OPERAND.match(parsed.data, start) if match["old"] else None
    return None if found is None else Span(*found.span())


def _is_renumbered(parsed: ParsedFile, kind: bytes, operand: bytes, offset: int) -> bool:
    """Whether a number becomes another choice: of variables and members that are no choice by name, it may."""
    words = _NAMES.findall(operand)
    if any(_CHOICES.fullmatch(word) for word in words):
        return False
    number = _value(parsed, operand, offset)
    if number is not None or kind in _PARTLY:
        return number not in _SAME_ATTRIBUTES if kind in _ATTRIBUTES else number in _PARTLY[kind]
    known = [local for word in words for local in Values.of(parsed).locals(offset).get(word, ())]
    return not any(local.words & (_ATTRIBUTES | _PARTLY.keys()) for local in known)


def _is_number(parsed: ParsedFile, argument: bytes, offset: int) -> bool:
    """Whether an argument is a number or a variable of one: C takes them for a choice without a cast."""
    if _value(parsed, argument, offset) is not None:
        return True
    known = Values.of(parsed).locals(offset).get(argument, []) if _NAMES.fullmatch(argument) else []
    return bool(known) and all(_INTEGERS.issuperset(one.words) and one.rank == 0 for one in known)


def _value(parsed: ParsedFile, operand: bytes, offset: int) -> int | None:
    bare = operand.strip(b"() \t\r\n")
    if (number := integer_literals.value(bare)) is not None:
        return number
    if not _NAMES.fullmatch(bare) or _CHOICES.fullmatch(bare) or bare in Values.of(parsed).locals(offset):
        return None  # the name of a choice is none of a warp's size, even where it ends so
    return Values.of(parsed).spelled(bare)


def _hit(parsed: ParsedFile, rule: str, span: Span, kind: str) -> Hit:
    return Hit(rule, parsed.named_use("", span), {"type": kind})
