"""Loads, stores, atomic operations and copies."""

from __future__ import annotations

from typing import NamedTuple

from cudamigrate.ptx.parser import Arg
from cudamigrate.ptx.values import CTYPES, UnsupportedError, closed, read, width
from cudamigrate.ptx.writer import Step, Writer

_SCOPES = {"cta": "WORKGROUP", "cluster": "AGENT", "gpu": "AGENT", "sys": "SYSTEM"}
_VECTORS = {
    "unsigned char": "uchar",
    "signed char": "char",
    "unsigned short": "ushort",
    "short": "short",
    "unsigned": "uint",
    "int": "int",
    "unsigned long long": "ulonglong",
    "long long": "longlong",
    "float": "float",
    "double": "double",
}
_PLAIN_ATOMICS = {"add": "Add", "min": "Min", "max": "Max", "and": "And", "or": "Or", "xor": "Xor", "exch": "Exch"}
_FETCH = frozenset(("add", "min", "max", "and", "or", "xor"))


def is_shared(words: set[str]) -> bool:
    """Whether an access names shared memory; that of another block has no equivalent."""
    if "shared::cluster" in words:
        raise UnsupportedError("shared memory of another block")
    return bool(words & {"shared", "shared::cta"})


def _element(kind: str) -> str:
    """The C++ type that lies in memory; halves and what has no sign are bits."""
    return CTYPES[f"u{width(kind)}"] if kind[0] == "b" or kind in ("f16", "f16x2") else CTYPES[kind]


def _kept(kind: str) -> str:
    """The PTX type of what was loaded."""
    return f"u{width(kind)}" if kind[0] == "b" or kind in ("f16", "f16x2") else kind


def _order(words: set[str]) -> str:
    return next((word for word in ("relaxed", "acquire", "release", "acq_rel") if word in words), "")


def _scope(words: set[str]) -> str:
    return next((f"__HIP_MEMORY_SCOPE_{name}" for word, name in _SCOPES.items() if word in words), "")


def policy(step: Step) -> tuple[str, str]:
    """Order and scope of a load or store that must be seen by others: `volatile`, or an order; empty for a plain one.

    `.cg` of one value works at the cache that all blocks share, which is what an access of the GPU's scope does.
    """
    words = set(step.instruction.modifiers)
    order = _order(words)
    if order:
        return order.upper(), _scope(words) or "__HIP_MEMORY_SCOPE_AGENT"
    if words & {"volatile", "mmio"}:
        return "volatile", ""
    if words & {"cv", "wt"}:
        return "RELAXED", "__HIP_MEMORY_SCOPE_SYSTEM"
    if "cg" in words and not words & {"v2", "v4", "v8"} and not is_shared(words):
        return "RELAXED", "__HIP_MEMORY_SCOPE_AGENT"
    return "", ""


class _Access(NamedTuple):
    """How a load or store reaches memory: its PTX type, whether it is shared memory, and its order and scope.

    `order` is empty for a plain access, `volatile`, or the name of an order of atomic operations.
    """

    kind: str
    shared: bool
    order: str
    scope: str

    @property
    def is_atomic(self) -> bool:
        """Whether the access has an order among others."""
        return self.order not in ("", "volatile")


def _access(step: Step) -> _Access:
    kind = step.types[-1]
    access = _Access(kind, is_shared(set(step.instruction.modifiers)), *policy(step))
    if kind == "b128" and access.order:
        raise UnsupportedError("an ordered access of 128 bits")
    return access


def _items(arg: Arg) -> tuple[Arg, ...]:
    return arg.items if arg.kind == "vector" else (arg,)


def load(writer: Writer, step: Step) -> None:
    """`ld`: one value or a vector; `.b8` and other narrow types are widened as the type says."""
    access, items = _access(step), _items(step.instruction.args[0])
    place = step.instruction.args[1]
    if len(items) == 1 or access.order:
        _load_each(writer, items, place, access)
    else:
        _load_vector(writer, items, place, access)
    lasts = not {"nc", "const", "param"}.isdisjoint(
        step.instruction.modifiers
    )  # nothing changes it while the kernel runs
    _keep_order(writer, access.order, again=writer.statement.volatile and not lasts)


def _load_each(writer: Writer, items: tuple[Arg, ...], place: Arg, access: _Access) -> None:
    kind, size = access.kind, width(access.kind) // 8
    element = CTYPES[f"u{width(kind)}"] if access.is_atomic else _element(kind)
    kept = f"u{width(kind)}" if access.is_atomic else _kept(kind)
    pointed = f"const volatile {element}" if access.order == "volatile" else f"const {element}"
    texts = []
    if any(item.kind == "register" and item in place.items for item in items[:-1]):
        raise UnsupportedError("several values loaded one by one, of which one replaces their address")
    for number in range(len(items)):
        at = Arg("address", items=place.items, offset=place.offset + number * size)
        pointer = writer.pointer(at, element if access.is_atomic else pointed, access.shared)
        atomic_load = f"__hip_atomic_load({pointer}, __ATOMIC_{access.order}, {access.scope})"
        texts.append(atomic_load if access.is_atomic else f"*{pointer}")
    if kind[0] == "s" and kept[0] == "u":
        texts = [f"static_cast<{CTYPES[kind]}>({text})" for text in texts]
    for item, text in zip(items, texts, strict=True):
        writer.assign(item, text, kept)


def _load_vector(writer: Writer, items: tuple[Arg, ...], place: Arg, access: _Access) -> None:
    kind = access.kind
    element, kept = _element(kind), _kept(kind)
    texts = []
    for first in range(0, len(items), 4):
        part = items[first : first + 4]
        vector = _vector(element, len(part))
        at = Arg("address", items=place.items, offset=place.offset + first * width(kind) // 8)
        name = writer.fresh("loaded")
        writer.line(f"const {vector} {name} = *{writer.pointer(at, f'const {vector}', access.shared)}")
        texts += [f"{name}.{letter}" for letter in "xyzw"[: len(part)]]
    for item, text in zip(items, texts, strict=True):
        writer.assign(item, text, kept)


def _vector(element: str, count: int) -> str:
    """HIP's type for several values."""
    if element not in _VECTORS:
        raise UnsupportedError("a vector of values of 128 bits")
    return f"{_VECTORS[element]}{count}"


def store(writer: Writer, step: Step) -> None:
    """`st`: one value or a vector."""
    args, access = step.instruction.args, _access(step)
    kind, items = access.kind, _items(args[1])
    kept, element, size = _kept(kind), _element(kind), width(kind) // 8
    if len(items) == 1 or access.order:
        for number, item in enumerate(items):
            at = Arg("address", items=args[0].items, offset=args[0].offset + number * size)
            _store_one(writer, at, item, access)
    else:
        for first in range(0, len(items), 4):
            part = items[first : first + 4]
            vector = _vector(element, len(part))
            at = Arg("address", items=args[0].items, offset=args[0].offset + first * size)
            values = ", ".join(writer.source(item, kept) for item in part)
            writer.line(f"*{writer.pointer(at, vector, access.shared)} = make_{vector}({values})")
    _keep_order(writer, access.order)


def _store_one(writer: Writer, at: Arg, item: Arg, access: _Access) -> None:
    kind = access.kind
    if not access.is_atomic:
        pointed = f"volatile {_element(kind)}" if access.order else _element(kind)
        writer.line(f"*{writer.pointer(at, pointed, access.shared)} = {writer.source(item, _kept(kind))}")
        return
    bits = f"u{width(kind)}"
    pointer = writer.pointer(at, CTYPES[bits], access.shared)
    value = writer.source(item, bits)
    writer.line(f"__hip_atomic_store({pointer}, {value}, __ATOMIC_{access.order}, {access.scope})")


def _keep_order(writer: Writer, order: str, again: bool = False) -> None:
    """A plain access whose statement clobbers memory stays where it is among the others.

    So does a load that must be made `again` each time, as a volatile statement's: another warp may have stored a value
    since, and a loop that waits for it would never see it.
    """
    if not order and (again or "memory" in writer.statement.clobbers):
        writer.line('asm volatile("" ::: "memory")')


def atomic(writer: Writer, step: Step) -> None:
    """`atom` and `red`: relaxed and of the GPU's scope by HIP's functions, else by those with order and scope."""
    instruction = step.instruction
    words, args = set(instruction.modifiers), list(instruction.args)
    result = args.pop(0) if instruction.name == "atom" else Arg("sink")
    operation = next((word for word in instruction.modifiers if word in (*_PLAIN_ATOMICS, "cas", "inc", "dec")), "")
    if "L2::cache_hint" in words:
        args = args[:-1]
    items = _items(args[1])
    results = _items(result) if result.kind == "vector" else (result,) * len(items)
    if len(results) != len(items) or (len(items) > 1 and result.kind not in ("sink", "vector")):
        raise UnsupportedError("an atomic operation on a vector that returns another one")
    for number, item in enumerate(items):
        kind = step.types[-1]
        at = Arg("address", items=args[0].items, offset=args[0].offset + number * width(kind) // 8)
        _atomic_one(writer, words, operation, kind, at, [item, *args[2:]], results[number])


def _atomic_one(
    writer: Writer, words: set[str], operation: str, kind: str, at: Arg, given: list[Arg], result: Arg
) -> None:
    order, scope, shared = _order(words) or "relaxed", _scope(words), is_shared(words)
    if kind in ("f16x2", "bf16x2", "f16", "bf16"):
        _atomic_short(
            writer, operation, kind, writer.pointer(at, CTYPES[f"u{width(kind)}"], shared), given[0], words, result
        )
        return
    if kind == "b16":
        values = ", ".join(writer.source(arg, "u16") for arg in given)
        call = f"cudamigrate::atomic_cas_16({writer.pointer(at, CTYPES['u16'], shared)}, {values})"
        _between_fences(writer, order, scope, call, result, "u16")
        return
    as_type = "u64" if kind == "s64" and operation == "add" else kind if kind[0] != "b" else f"u{width(kind)}"
    if as_type not in ("u32", "s32", "u64", "s64", "f32", "f64") or (as_type[0] == "f" and operation != "add"):
        raise UnsupportedError(f"the atomic operation `{operation}` on `{kind}`")
    pointer = writer.pointer(at, CTYPES[as_type], shared)
    values = ", ".join(writer.source(arg, as_type) for arg in given)
    device = scope in ("", "__HIP_MEMORY_SCOPE_AGENT")
    if operation in ("cas", "inc", "dec"):
        _fenced(writer, operation, order, scope, f"({pointer}, {values})", result, as_type)
    elif order == "relaxed" and device and as_type != "s64":
        _finish(writer, result, f"atomic{_PLAIN_ATOMICS[operation]}({pointer}, {values})", as_type)
    else:
        name = f"fetch_{operation}" if operation in _FETCH else "exchange"
        ending = f"__ATOMIC_{order.upper()}, {scope or '__HIP_MEMORY_SCOPE_AGENT'}"
        _finish(writer, result, f"__hip_atomic_{name}({pointer}, {values}, {ending})", as_type)


def _fenced(writer: Writer, operation: str, order: str, scope: str, call: str, result: Arg, kind: str) -> None:
    """HIP's functions for these are relaxed: fences before and after give the order."""
    ending = "_system" if scope.endswith("SYSTEM") else ""
    if ending and operation != "cas":
        raise UnsupportedError(f"the atomic operation `{operation}` of system scope")
    name = {"cas": "atomicCAS", "inc": "atomicInc", "dec": "atomicDec"}[operation]
    _between_fences(writer, order, scope, f"{name}{ending}{call}", result, kind)


def _atomic_short(
    writer: Writer, operation: str, kind: str, pointer: str, given: Arg, words: set[str], result: Arg
) -> None:
    """Halves and bfloat16 numbers, by a loop that exchanges the word they lie in."""
    order, scope, bits = _order(words) or "relaxed", _scope(words), f"u{width(kind)}"
    if operation == "add":
        name = f"atomic_add_{kind}"
    elif operation in ("min", "max") and kind.endswith("x2"):
        name = f"atomic_pick<cudamigrate::{kind}_{operation}>"
    else:
        raise UnsupportedError(f"the atomic operation `{operation}` on `{kind}`")
    if scope.endswith("SYSTEM"):
        raise UnsupportedError(f"an atomic operation of system scope on `{kind}`")
    _between_fences(writer, order, scope, f"cudamigrate::{name}({pointer}, {writer.source(given, bits)})", result, bits)


def _between_fences(writer: Writer, order: str, scope: str, call: str, result: Arg, kind: str) -> None:
    ending = "_system" if scope.endswith("SYSTEM") else ""
    fence = {"__HIP_MEMORY_SCOPE_WORKGROUP": "_block"}.get(scope, ending)
    if order in ("release", "acq_rel"):
        writer.line(f"__threadfence{fence}()")
    _finish(writer, result, call, kind)
    if order in ("acquire", "acq_rel"):
        writer.line(f"__threadfence{fence}()")


def _finish(writer: Writer, result: Arg, text: str, kind: str) -> None:
    if result.kind == "sink":
        writer.line(text)
    else:
        writer.assign(result, text, kind)


def async_copy(writer: Writer, step: Step) -> None:
    """`cp.async`: the copy is made at once, which the instruction allows; groups then have nothing to wait for."""
    words, args = set(step.instruction.modifiers), list(step.instruction.args)
    if "L2::cache_hint" in words:
        args = args[:-1]
    if len(args) not in (3, 4):
        raise UnsupportedError("a copy with a predicate to ignore its source beside a size")
    size = writer.constant(args[2])
    if size is None and args[2].kind != "place":
        raise UnsupportedError("a copy of unknown size")
    if size is not None and size not in (4, 8, 16):
        raise UnsupportedError(f"a copy of {size} bytes")
    bytes_ = str(size) if size is not None else writer.value(args[2]).text
    target = writer.pointer(args[0], "void", shared=True)
    origin = writer.pointer(args[1], "const void", shared=False)
    part = ""
    if len(args) == 4:
        chosen = writer.value(args[3])
        part = f", {read(chosen, 'u32') if chosen.kind != 'pred' else f'{closed(chosen.text)} ? 0u : {bytes_}u'}"
    writer.line(f"cudamigrate::copy_to_shared<{bytes_}>({target}, {origin}{part})")


def prefetch(writer: Writer, step: Step) -> None:
    """`prefetch`: a hint on both sides."""
    if step.instruction.args[0].kind != "address":
        raise UnsupportedError("a prefetch without an address")
    writer.line(f"__builtin_prefetch({writer.pointer(step.instruction.args[0], 'const void', shared=False)})")
