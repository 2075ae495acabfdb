"""Products of matrices by a warp, and what loads, stores and turns their fragments.

Each becomes a function of `cudamigrate_mma.h`, `cudamigrate_sparse.h` or `cudamigrate_wmma.h`, which takes and gives
registers as PTX lays fragments over the lanes. Shapes, types and numbers of registers are those of the PTX ISA
(sections on `mma`, `mma.sp`, `wmma`, `ldmatrix`, `stmatrix`).
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
_SUMS = {
    "f32": ("float", "f32"),
    "f16": ("cudamigrate::element_f16", "u32"),
    "s32": ("int", "s32"),
    "f64": ("double", "f64"),
}
"""For each type of the result what it is called in C++, and the PTX type of its registers."""


def product(writer: Writer, step: Step) -> None:
    """`mma`: of 8 or 16 rows by 8 columns, of a sparse matrix too, and the four small products of sm_70."""
    rows, columns, depth = _size(step)
    result, left, right, third = _types(step)
    if result != third:
        raise UnsupportedError("a product whose result has another type than what is added")
    name, _ = _SUMS[result]
    sparse = is_sparse(step)
    if (rows, depth, left) == (8, 4, "f16"):
        counts = (2, 2, 4 if result == "f16" else 8)
        layouts = [word for word in step.instruction.modifiers if word in ("row", "col")]
        sides = ", ".join(str(word == wanted).lower() for word, wanted in zip(layouts, ("row", "col"), strict=True))
        call = f"mma_m8n8k4<{sides}, {name}>"
    else:
        counts = (
            _registers(rows * depth, left) // (2 if sparse else 1),
            _registers(depth * columns, right),
            rows // (8 if result == "f16" else 4),
        )
        call = f"mma_{'sp' if sparse else 'sync'}<{_shape_of(step, left, right)}, {name}{_saturated(step)}>"
    _call(writer, step, call, counts, (left, right, result))


def is_sparse(step: Step) -> bool:
    """Whether half of the first matrix is not there: `mma.sp` with its metadata."""
    return any(word == "sp" or word.startswith("sp::") for word in step.instruction.modifiers)


def fragment_product(writer: Writer, step: Step) -> None:
    """`wmma.mma`, whose result may have another type than what is added."""
    rows, columns, depth = _size(step)
    kinds = [word for word in step.instruction.modifiers if word in _BITS or word in _SUMS]
    result, left, right, third = kinds if len(kinds) == 4 else (kinds[0], "f16", "f16", kinds[-1])
    counts = (
        _in_fragment(rows * depth, left),
        _in_fragment(depth * columns, right),
        rows * columns // 32 // (2 if third == "f16" else 1),
    )
    call = f"wmma_multiply<{_shape_of(step, left, right)}, {_SUMS[result][0]}, {_SUMS[third][0]}{_saturated(step)}>"
    _call(writer, step, call, counts, (left, right, third), result)


def _call(
    writer: Writer,
    step: Step,
    call: str,
    counts: tuple[int, int, int],
    kinds: tuple[str, str, str],
    result: str = "",
) -> None:
    """The line with the call, and those that give its results to their operands."""
    args = step.instruction.args
    words = ["f64" if kind == "f64" else "u32" for kind in kinds[:2]]
    types = (*words, _SUMS[kinds[2]][1])
    given = [_braced(writer, arg, count, kind) for arg, count, kind in zip(args[1:4], counts, types, strict=True)]
    given += [writer.source(arg, "u32") for arg in args[4:]]
    made = writer.fresh("product")
    writer.line(f"const auto {made} = cudamigrate::{call}({', '.join(given)})")
    result = result or kinds[2]
    elements = counts[2] * (2 if kinds[2] == "f16" else 1)
    _unpack(writer, args[0], elements // (2 if result == "f16" else 1), made, _SUMS[result][1])


def _size(step: Step) -> tuple[int, int, int]:
    """Rows, columns and the length of the products."""
    found = [_SHAPE.fullmatch(word) for word in step.instruction.modifiers]
    sizes = [(int(one[1]), int(one[2]), int(one[3])) for one in found if one is not None]
    if len(sizes) != 1:
        raise UnsupportedError("a product without a shape")
    return sizes[0]


def _shape_of(step: Step, left: str, right: str) -> str:
    """The beginning of the arguments of a template."""
    return ", ".join([*(str(one) for one in _size(step)), _spelled(step, left), _spelled(step, right)])


def _saturated(step: Step) -> str:
    return ", true" if "satfinite" in step.instruction.modifiers else ""


def _in_fragment(elements: int, kind: str) -> int:
    """Registers of a fragment of `wmma`: halves are held more than once where they are few."""
    return 8 if kind == "f16" else _registers(elements, kind)


_USES = {"a": "matrix_a", "b": "matrix_b", "c": "accumulator", "d": "accumulator"}


def fragment_load(writer: Writer, step: Step) -> None:
    """`wmma.load` of one of the three matrices."""
    rows, columns, depth = _size(step)
    use, kind, leading = _fragment(writer, step, step.instruction.args[2:])
    if use in "ab":
        count = _in_fragment(depth * (rows if use == "a" else columns), kind)
        name, stored = _spelled(step, kind), "f64" if kind == "f64" else "u32"
    else:
        count = rows * columns // 32 // (2 if kind == "f16" else 1)
        name, stored = _SUMS[kind]
    form = f"cudamigrate::wmma::{_USES[use]}, {rows}, {columns}, {depth}, {name}, {_in_rows(step)}"
    made = writer.fresh("loaded")
    pointer = _memory(writer, step, step.instruction.args[1], "const void")
    writer.line(f"const auto {made} = cudamigrate::wmma_load<{form}>({pointer}, {leading})")
    _unpack(writer, step.instruction.args[0], count, made, stored)


def fragment_store(writer: Writer, step: Step) -> None:
    """`wmma.store` of a result."""
    rows, columns, depth = _size(step)
    target, words = step.instruction.args[:2]
    _, kind, leading = _fragment(writer, step, step.instruction.args[2:])
    name, stored = _SUMS[kind]
    given = _braced(writer, words, rows * columns // 32 // (2 if kind == "f16" else 1), stored)
    form = f"{rows}, {columns}, {depth}, {name}, {_in_rows(step)}"
    writer.line(f"cudamigrate::wmma_store<{form}>({_memory(writer, step, target, 'void')}, {given}, {leading})")


def _fragment(writer: Writer, step: Step, stride: Sequence[Arg]) -> tuple[str, str, str]:
    """Which matrix, the type of its elements, and how many of them are from one row or column to the next."""
    words = step.instruction.modifiers
    use, kind = words[1], words[-1]
    rows, columns, depth = _size(step)
    if kind not in (_BITS if use in ("a", "b") else _SUMS) or use not in _USES:
        raise UnsupportedError("a fragment without its matrix and its type")
    if stride:
        return use, kind, writer.source(stride[0], "u32")
    lines = {"a": (depth, rows), "b": (columns, depth)}.get(use, (columns, rows))
    return use, kind, str(lines[0 if "row" in words else 1])


def _in_rows(step: Step) -> str:
    if ("row" in step.instruction.modifiers) == ("col" in step.instruction.modifiers):
        raise UnsupportedError("a matrix without its layout")
    return str("row" in step.instruction.modifiers).lower()


def _memory(writer: Writer, step: Step, arg: Arg, pointed: str) -> str:
    return writer.pointer(arg, pointed, memory.is_shared(set(step.instruction.modifiers)))


def _types(step: Step) -> tuple[str, str, str, str]:
    """Types of the result, of both factors and of what is added."""
    found = [word for word in step.instruction.modifiers if word in _BITS or word in _SUMS]
    if len(found) != 4 or not all(one in _SUMS for one in (found[0], found[3])):
        raise UnsupportedError("a product without its four types")
    return found[0], found[1], found[2], found[3]


def _spelled(step: Step, kind: str) -> str:
    if kind != "b1":
        return f"cudamigrate::element_{kind}"
    return f"cudamigrate::element_b1_{'and' if 'and' in step.instruction.modifiers else 'xor'}"


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
        return f"cudamigrate::shared_address({writer.pointer(arg, 'const void', shared=False)})"
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
