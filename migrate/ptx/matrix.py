"""Products of matrices by a warp, and what loads, stores and turns their fragments.

Each becomes a function of `cudamigrate_mma.h`, which takes and gives registers as PTX lays fragments over the lanes.
Shapes, types and numbers of registers are those of the PTX ISA (sections on `mma`, `ldmatrix`, `stmatrix`).
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.ptx import memory
from cudamigrate.ptx.parser import Arg
from cudamigrate.ptx.values import UnsupportedError, literal, read, width
from cudamigrate.ptx.writer import Step, Writer

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_BITS = {
    "f16": 16,
    "bf16": 16,
    "tf32": 32,
    "f64": 64,
    "e4m3": 8,
    "e5m2": 8,
    "s8": 8,
    "u8": 8,
    "s4": 4,
    "u4": 4,
    "b1": 1,
}
"""How many bits an element of each type has."""
_SUMS = {"f32": ("float", "f32"), "f16": ("cudamigrate::f16", "u32"), "s32": ("int", "s32"), "f64": ("double", "f64")}
"""For each type of the result what it is called in C++, and the PTX type of its registers."""


def product(writer: Writer, step: Step) -> None:
    """`mma`: of 8 or 16 rows by 8 columns, and the four small products of sm_70."""
    shape = next((word for word in step.instruction.modifiers if _SHAPE.fullmatch(word)), "")
    rows, columns, depth = (int(part) for part in _SHAPE.findall(shape)[0])
    result, left, right, third = _types(step)
    if result != third:
        raise UnsupportedError("a product whose result has another type than what is added")
    name, kind = _SUMS[result]
    args = step.instruction.args
    if (rows, depth, left) == (8, 4, "f16"):
        counts = (2, 2, 4 if result == "f16" else 8)
        layouts = [word for word in step.instruction.modifiers if word in ("row", "col")]
        sides = ", ".join(str(word == wanted).lower() for word, wanted in zip(layouts, ("row", "col"), strict=True))
        call = f"cudamigrate::mma_m8n8k4<{sides}, {name}>"
    else:
        counts = (
            _registers(rows * depth, left),
            _registers(depth * columns, right),
            rows // (8 if result == "f16" else 4),
        )
        call = (
            f"cudamigrate::mma_sync<{rows}, {columns}, {depth}, {_spelled(step, left)}, {_spelled(step, right)}, {name}"
        )
        call += ", true>" if "satfinite" in step.instruction.modifiers else ">"
    word = "f64" if left == "f64" else "u32"
    given = [
        _braced(writer, arg, count, one) for arg, count, one in zip(args[1:4], counts, (word, word, kind), strict=True)
    ]
    made = writer.fresh("product")
    writer.line(f"const auto {made} = {call}({', '.join(given)})")
    _unpack(writer, args[0], counts[2], made, kind)


def _types(step: Step) -> tuple[str, str, str, str]:
    """Types of the result, of both factors and of what is added."""
    found = [word for word in step.instruction.modifiers if word in _BITS or word in _SUMS]
    if len(found) != 4 or not all(one in _SUMS for one in (found[0], found[3])):
        raise UnsupportedError("a product without its four types")
    return found[0], found[1], found[2], found[3]


def _spelled(step: Step, kind: str) -> str:
    if kind != "b1":
        return f"cudamigrate::{kind}"
    return f"cudamigrate::b1_{'and' if 'and' in step.instruction.modifiers else 'xor'}"


def _registers(elements: int, kind: str) -> int:
    """Registers of 32 bits, or of 64 for f64, that a lane holds of a matrix."""
    return elements * _BITS[kind] // 32 // max(32, _BITS[kind])


def _items(arg: Arg, count: int) -> Sequence[Arg]:
    items = arg.items if arg.kind == "vector" else (arg,)
    if len(items) != count:
        raise UnsupportedError(f"{len(items)} registers where the fragment has {count}")
    return items


def _braced(writer: Writer, arg: Arg, count: int, kind: str) -> str:
    return "{" + ", ".join(writer.source(item, kind) for item in _items(arg, count)) + "}"


def _unpack(writer: Writer, arg: Arg, count: int, made: str, kind: str) -> None:
    for number, item in enumerate(_items(arg, count)):
        writer.assign(item, f"{made}.value[{number}]", kind)


def _form(step: Step) -> tuple[int, str]:
    """How many matrices of 8 x 8, and the arguments of the template that say it."""
    words = step.instruction.modifiers
    count = next(int(word[1:]) for word in words if word in ("x1", "x2", "x4"))
    return count, f"<{count}, {str('trans' in words).lower()}>"


def _address(writer: Writer, step: Step, arg: Arg) -> str:
    """An address of shared memory as a number of 32 bits; one without a space is that of a pointer."""
    if not memory.is_shared(set(step.instruction.modifiers)):
        return f"cudamigrate::shared_address({writer.pointer(arg, 'const void', False)})"
    if arg.kind != "address" or not arg.items:
        raise UnsupportedError("an address without brackets")
    base = writer.value(arg.items[0])
    if width(base.kind) < 32:
        raise UnsupportedError("an address that is a number")
    text = read(base, "u32")
    return f"{text} + {literal(str(arg.offset), 'u32')}" if arg.offset else text


def load(writer: Writer, step: Step) -> None:
    """`ldmatrix` of 8 x 8 elements of 16 bits."""
    count, form = _form(step)
    made = writer.fresh("loaded")
    writer.line(f"const auto {made} = cudamigrate::ldmatrix{form}({_address(writer, step, step.instruction.args[1])})")
    _unpack(writer, step.instruction.args[0], count, made, "u32")


def store(writer: Writer, step: Step) -> None:
    """`stmatrix`, the other way."""
    count, form = _form(step)
    target, words = step.instruction.args
    given = _braced(writer, words, count, "u32")
    writer.line(f"cudamigrate::stmatrix{form}({_address(writer, step, target)}, {given})")
