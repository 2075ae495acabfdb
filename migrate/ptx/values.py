"""PTX values as C++ expressions: what an operand is, how it is read as a PTX type, how a result is stored.

A register of PTX holds bits; the instruction says how to read them. In C++ an operand has a type of its own, of which
only the size is known, or that it is a float: its constraint says that much.
"""

from __future__ import annotations

import ast
import operator
import struct
from collections.abc import Callable

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax import python_tree

CTYPES = {
    "pred": "bool",
    "b8": "unsigned char",
    "u8": "unsigned char",
    "s8": "signed char",
    "b16": "unsigned short",
    "u16": "unsigned short",
    "s16": "short",
    "bf16": "unsigned short",
    "f16": "__half",
    "u4": "unsigned char",
    "s4": "signed char",
    "u16x2": "unsigned",
    "s16x2": "unsigned",
    "b32": "unsigned",
    "u32": "unsigned",
    "s32": "int",
    "bf16x2": "unsigned",
    "f16x2": "__half2",
    "f32": "float",
    "b64": "unsigned long long",
    "u64": "unsigned long long",
    "s64": "long long",
    "f32x2": "float2",
    "f64": "double",
    "b128": "unsigned __int128",
    "u128": "unsigned __int128",
}
"""The C++ type of each PTX type; bfloat16 stays bits, because HIP's type for it differs between releases."""
CONSTRAINTS = {"h": "x16", "r": "x32", "l": "x64", "f": "f32", "d": "f64", "q": "x128", "n": "const"}
"""What the constraint of an operand tells: `x` is an integer whose sign is not known, and for 64 bits or a pointer."""
_PLAIN = re.compile(r"[A-Za-z_\ue000-\uf8ff]\w*(?:(?:\.|->|::)\w+|\[\w+\])*|[\d.]+\w*|\([A-Za-z_]\w*\) ?[A-Za-z_]\w*")
"""What needs no brackets: `a.b[i]`, `1.0f`, `(int) x`; a place of an operand is one private-use character."""
_LEADING = re.compile(r"((?<![\w>])\(|(?<=\()\{|(?<=, )\{)(unsigned|int|short|float|double|bool)\(")
"""A cast that begins an expression or an argument: `(int(`, `({float(`, `, {int(`; not the bracket of a call."""
_CALL = re.compile(r"(?:[\w:]+|static_cast<[\w ]+>|[\w:]+<[\w: ]+>)\(")
"""The beginning of a call or a cast: `f(`, `ns::f<int>(`, `static_cast<unsigned int>(`."""
_BIT_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}


class UnsupportedError(Exception):
    """The instruction, or this form of it, has no translation; the message says which."""


@dataclass(frozen=True, slots=True)
class Value:
    """A C++ expression and what is known of it: a key of `CTYPES`, or `x16`, `x32`, `x64`, `const`, `number`."""

    text: str
    kind: str


def width(kind: str) -> int:
    """Bits of a PTX type; 0 for none."""
    if kind in ("pred", "const", "number"):
        return 0
    digits = re.findall(r"\d+", kind)
    if not digits:
        return 0
    return int(digits[0]) * (int(digits[1]) if len(digits) > 1 else 1)


def storage(kind: str) -> str:
    """How a register that PTX declares is kept in C++: floats and predicates as such, all else as unsigned bits."""
    if kind in ("pred", "f32", "f64"):
        return kind
    if kind not in CTYPES:
        raise UnsupportedError(f"a register of type `{kind}`")
    return f"u{width(kind)}"


def is_closed(text: str) -> bool:
    """Whether an expression can be in any other without brackets."""
    if _PLAIN.fullmatch(text):
        return True
    opening = _CALL.match(text)
    start = opening.end() - 1 if opening is not None else 0
    if text[start : start + 1] != "(" or not text.endswith(")"):
        return False
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at == len(text) - 1
    return False


def closed(text: str) -> str:
    """The expression, in brackets where it needs them."""
    return text if is_closed(text) else f"({text})"


def bare(text: str) -> str:
    """The expression without brackets around the whole of it."""
    while text.startswith("(") and is_closed(text) and not re.match(r"\([\w ]+\**\)", text):
        text = text[1:-1]
    return text


def unambiguous(text: str) -> str:
    """The text with `(unsigned(a) & b)` written with a `static_cast`.

    In brackets or braces a cast in the form of a call reads like the declaration of a function, which trips simple
    parsers.
    """
    return _LEADING.sub(r"\1static_cast<\2>(", text)


def cast(text: str, kind: str) -> str:
    """A C++ cast to the type of `kind`, of an arithmetic expression."""
    wanted = CTYPES[kind]
    return f"{wanted}({bare(text)})" if wanted.isalpha() else f"static_cast<{wanted}>({bare(text)})"


def read(value: Value, kind: str) -> str:
    """The expression for `value` read as a PTX type; `b16` and `b32` leave open whether it is signed, and `x64`
    also whether it is a pointer.
    """
    if value.kind == "number":
        return literal(value.text, kind)
    if kind == "pred" or value.kind == "pred":
        if kind != value.kind:
            raise UnsupportedError("a predicate used as a number")
        return value.text
    if kind in ("f32", "f64"):
        return _as_float(value, kind)
    if kind == "f16":
        return f"__ushort_as_half({bare(read(value, 'u16'))})"
    if kind == "f16x2":
        return f"cudamigrate::bits<__half2>({bare(read(value, 'u32' if value.kind == 'const' else 'b32'))})"
    if kind == "f32x2":
        return f"cudamigrate::bits<float2>({bare(read(value, 'x64'))})"
    if kind == "x64":
        return value.text if value.kind == kind else read(value, "u64")
    if value.kind in ("f32", "f64"):
        return _as_bits(value, kind)
    return _as_integer(value, kind)


def _as_float(value: Value, kind: str) -> str:
    if value.kind == kind:
        return value.text
    if value.kind in ("f32", "f64"):
        raise UnsupportedError(f"a register of type `{value.kind}` read as `{kind}`")
    if kind == "f32":
        return f"__uint_as_float({bare(value.text)})"
    return f"__longlong_as_double({bare(value.text)})"


def _as_bits(value: Value, kind: str) -> str:
    if width(value.kind) != width(kind):
        raise UnsupportedError(f"a register of type `{value.kind}` read as `{kind}`")
    if kind == "s32":
        return f"__float_as_int({bare(value.text)})"
    if kind == "s64":
        return f"__double_as_longlong({bare(value.text)})"
    if width(kind) == 32:
        return f"__float_as_uint({bare(value.text)})"
    return f"static_cast<unsigned long long>(__double_as_longlong({bare(value.text)}))"


def _as_integer(value: Value, kind: str) -> str:
    have = width(value.kind)
    if have and have < width(kind):
        raise UnsupportedError(f"a register of {have} bits read as `{kind}`")
    open_ = kind[0] == "b" and kind != "bf16" and value.kind != "x64"  # of 64 bits it may be a pointer
    if CTYPES.get(value.kind) == CTYPES[kind] or (open_ and have == width(kind)):
        return value.text
    if value.kind == "x64":
        pointer = f"({CTYPES['u64' if kind == 'b64' else kind]})({bare(value.text)})"
        return pointer if have == width(kind) else cast(f"(unsigned long long)({bare(value.text)})", kind)
    return cast(value.text, kind)


def store(kind: str, text: str, given: str) -> str:
    """The expression that puts a result of PTX type `given` into something of kind `kind`."""
    if given == "pred" or kind == "pred":
        if given != kind:
            raise UnsupportedError("a predicate used as a number")
        return bare(text)
    if given == "f16":
        text, given = f"__half_as_ushort({bare(text)})", "u16"
    elif given == "f16x2":
        text, given = f"cudamigrate::bits<unsigned>({bare(text)})", "u32"
    elif given == "f32x2":
        text, given = f"cudamigrate::bits<unsigned long long>({bare(text)})", "u64"
    if kind in ("f32", "f64") or given in ("f32", "f64"):
        return _store_float(kind, text, given)
    if 0 < width(kind) < width(given):
        raise UnsupportedError(f"a result of type `{given}` for a register of {width(kind)} bits")
    return bare(text)


def _store_float(kind: str, text: str, given: str) -> str:
    if kind == given:
        return bare(text)
    if width(kind) != width(given):
        raise UnsupportedError(f"a result of type `{given}` for a register of {width(kind)} bits")
    names = {"f32": "__uint_as_float", "f64": "__longlong_as_double"}
    back = {"f32": "__float_as_uint", "f64": "__double_as_longlong"}
    return f"{names[kind] if kind in names else back[given]}({bare(text)})"


def integer(text: str) -> int | None:
    """The value of an integer as PTX or C++ spells it, or None."""
    match = re.fullmatch(r"\(?(-?)(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)?", text.strip())
    if match is None:
        return None
    digits = match[2]
    octal = digits.startswith("0") and digits[:2].lower() != "0x"
    if octal and re.search("[89]", digits):
        return None
    value = int(digits, 8 if octal else 0)
    return -value if match[1] else value


def evaluated(text: str) -> int | None:
    """The value of bit operations on integer literals, such as `(0xf0 & 0xcc) | 0xaa`; None for anything else."""
    if not re.fullmatch(r"[\dxXa-fA-FuU&|^~()\s]+", text):
        return None
    try:
        tree = python_tree.parse_expression(re.sub(r"(?<=[0-9a-fA-F])[uU]+\b", "", text.strip()))
    except (SyntaxError, ValueError):
        return None
    return _bits(tree.body)


def _bits(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        inside = _bits(node.operand)
        return None if inside is None else ~inside
    if isinstance(node, ast.BinOp) and type(node.op) in _BIT_OPERATIONS:
        left, right = _bits(node.left), _bits(node.right)
        return None if left is None or right is None else _BIT_OPERATIONS[type(node.op)](left, right)
    return None


def literal(text: str, kind: str) -> str:
    """A PTX number as a C++ literal of a PTX type."""
    if kind in ("f32", "f64"):
        return _float(text, kind)
    value = integer(text)
    if kind == "pred" and value is not None:
        return "true" if value else "false"
    if value is None:
        raise UnsupportedError(f"the number `{text}` as `{kind}`")
    if kind in ("f16", "f16x2", "f32x2"):
        return read(Value(f"0x{value:x}u", "const"), kind)
    bits = width(kind)
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise UnsupportedError(f"the number `{text}` in {bits} bits")
    if kind[0] == "s":
        value = value - (1 << bits) if value >> (bits - 1) == 1 else value
        if value == -(1 << (bits - 1)) and bits >= 32:
            return cast(literal(str(value), f"u{bits}"), kind)
        return closed(f"{value}{'ll' if bits == 64 else ''}")
    value %= 1 << bits
    digits = f"0x{value:x}" if text.lower().lstrip("-").startswith("0x") or value > 0xFFFF else str(value)
    return f"{digits}{'ull' if bits == 64 else 'u'}"


def _float(text: str, kind: str) -> str:
    if text[:2].lower() in ("0f", "0d"):
        code, size = (">f", 4) if text[1] in "fF" else (">d", 8)
        digits = text[2:]
        if len(digits) != 2 * size:
            raise UnsupportedError(f"the number `{text}`")
        number = struct.unpack(code, bytes.fromhex(digits))[0]
        if number - number != 0 or (kind == "f64") != (size == 8):
            if (kind == "f64") == (size == 8):
                return f"__uint_as_float(0x{digits}u)" if size == 4 else f"__longlong_as_double(0x{digits}ll)"
            raise UnsupportedError(f"the number `{text}` as `{kind}`")
    elif "." in text:
        number = float(text)
    else:
        raise UnsupportedError(f"the number `{text}` as `{kind}`")
    shown = repr(number) if kind == "f64" else _shortest(number)
    return closed(f"{shown}f" if kind == "f32" else shown)


def _shortest(number: float) -> str:
    """The fewest digits that give the same 32-bit float."""
    wanted = struct.pack(">f", number)
    for digits in range(1, 10):
        shown = f"{number:.{digits}g}"
        if struct.pack(">f", float(shown)) == wanted:
            return shown if "." in shown or "e" in shown else f"{shown}.0"
    return repr(number)
