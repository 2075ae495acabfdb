"""What a template cannot write: moves, comparisons, shifts, lane functions, barriers, carry chains.

A builder takes the writer and a step and adds lines. Its name is what a row calls under `build`.
"""

from __future__ import annotations

from collections.abc import Callable

from cudamigrate.ptx import convert, logic, matrix, memory, video
from cudamigrate.ptx.parser import Arg
from cudamigrate.ptx.values import CTYPES, UnsupportedError, Value, cast, closed, read, width
from cudamigrate.ptx.writer import Step, Writer

_COMPARED = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip
_UNORDERED = {"ltu": ">=", "leu": ">", "gtu": "<=", "geu": "<"}
"""True for a NaN as well: the opposite comparison, denied."""


def move(writer: Writer, step: Step) -> None:
    """`mov`, also from special registers, and as packing and unpacking of vectors."""
    target, source = step.instruction.args
    kind = step.types[-1]
    if kind == "pred" and "vector" in (source.kind, target.kind):
        raise UnsupportedError("a vector of predicates")
    if any(arg.kind == "vector" and f"u{width(kind) / len(arg.items):g}" not in CTYPES for arg in (source, target)):
        raise UnsupportedError(f"a value of {width(kind)} bits in parts of another size")
    if source.kind == "vector":
        parts = [writer.source(item, f"u{width(kind) // len(source.items)}") for item in source.items]
        writer.assign(target, _packed(parts, width(kind)), f"u{width(kind)}")
    elif target.kind == "vector":
        _unpack(writer, target.items, writer.value(source), kind)
    elif kind == "pred":
        writer.assign(target, writer.source(source, "pred"), "pred")
    else:
        value = writer.value(source)
        own = value.kind if value.kind in ("f32", "f64") and width(value.kind) == width(kind) else kind
        writer.assign(target, read(value, own), own)


def _packed(parts: list[str], bits: int) -> str:
    size = bits // len(parts)
    made = []
    for number in reversed(range(len(parts))):
        text = cast(parts[number], f"u{max(bits, 32)}")
        made.append(f"{text} << {number * size}" if number else text)
    return " | ".join(made)


def _unpack(writer: Writer, items: tuple[Arg, ...], value: Value, kind: str) -> None:
    bits = width(kind)
    size = bits // len(items)
    text = read(value, f"u{bits}")
    if len([item for item in items if item.kind != "sink"]) > 1:
        name = writer.fresh("packed")
        writer.line(f"const {CTYPES[f'u{bits}']} {name} = {text}")
        text = name
    for number, item in enumerate(items):
        shifted = f"{closed(text)} >> {number * size}" if number else text
        if item.kind != "sink":
            writer.assign(item, cast(shifted, f"u{size}"), f"u{size}")


def comparison(writer: Writer, step: Step) -> str:
    """The comparison of `setp` and `set` as an expression."""
    kind = step.types[-1]
    alike = "u16" if kind == "b16" else kind  # a short and an unsigned one are made int before they are compared
    first, second = (writer.source(arg, alike) for arg in step.instruction.args[1:3])
    if kind in ("f16", "bf16"):
        widen = "__half2float" if kind == "f16" else "cudamigrate::from_bf16"
        first, second = f"{widen}({first})", f"{widen}({second})"
        kind = "f32"
    return _compared(_comparison_of(step), kind, first, second)


def _comparison_of(step: Step) -> str:
    known = (*_COMPARED, *_UNORDERED, "equ", "neu", "num", "nan")
    for word in step.instruction.modifiers:
        if word in known:
            return word
    raise UnsupportedError("a comparison without its operation")


def _compared(name: str, kind: str, first: str, second: str) -> str:
    """A comparison of two expressions; those of floats know NaN."""
    if name in ("lo", "ls", "hi", "hs") and kind[0] not in "ub":
        raise UnsupportedError(f"the comparison `{name}` of `{kind}`")
    if kind[0] == "b" and name not in ("eq", "ne"):
        raise UnsupportedError(f"the comparison `{name}` of `{kind}`")
    if name in ("num", "nan"):
        return f"{first} == {first} && {second} == {second}" if name == "num" else (
            f"{first} != {first} || {second} != {second}"
        )  # fmt: skip
    if kind[0] != "f":
        return f"{first} {_COMPARED[name]} {second}" if name in _COMPARED else _refused(name, kind)
    if name in _UNORDERED:
        return f"!({first} {_UNORDERED[name]} {second})"
    if name == "neu":
        return f"!({first} == {second})"
    if name in ("ne", "equ"):
        differ = f"{first} < {second} || {first} > {second}"
        return differ if name == "ne" else f"!({differ})"
    return f"{first} {_COMPARED[name]} {second}"


def _refused(name: str, kind: str) -> str:
    raise UnsupportedError(f"the comparison `{name}` of `{kind}`")


def set_predicate(writer: Writer, step: Step) -> None:
    """`setp`, with a second predicate for the opposite, and one to combine with."""
    target, text = step.instruction.args[0], comparison(writer, step)
    joined = next((word for word in step.instruction.modifiers if word in logic.JOINED), "")
    others = [text, f"!({text})"]
    if joined:
        with_ = _before(writer, step.instruction.args[3], target)
        others = [f"{closed(one)} {logic.JOINED[joined]} {closed(with_)}" for one in others]
    elif len(step.instruction.args) != 3:
        raise UnsupportedError("a comparison with a predicate and no operation for it")
    places = target.items if target.kind == "pair" else (target,)
    for place, expression in zip(places, others, strict=False):
        writer.assign(place, expression, "pred")


def _before(writer: Writer, source: Arg, target: Arg) -> str:
    """A predicate as it is before the instruction; one that is its first result too is kept for the second."""
    text = writer.source(source, "pred")
    if target.kind != "pair" or target.items[0].text != source.text:
        return text
    name = writer.fresh("before")
    writer.line(f"const bool {name} = {text}")
    return name


def _combined(writer: Writer, step: Step, *texts: str) -> list[str]:
    """The results of comparisons, each combined with the predicate where the instruction has one: `set.lt.and`."""
    joined = next((word for word in step.instruction.modifiers if word in logic.JOINED), "")
    if len(step.instruction.args) != (4 if joined else 3):
        raise UnsupportedError("a comparison with a predicate and no operation for it, or the reverse")
    if not joined:
        return list(texts)
    with_ = closed(writer.source(step.instruction.args[3], "pred"))
    return [f"{closed(text)} {logic.JOINED[joined]} {with_}" for text in texts]


def set_value(writer: Writer, step: Step) -> None:
    """`set`: all ones or zero, or 1.0 and 0.0."""
    yes, no = ("1.0f", "0.0f") if step.types[0] == "f32" else ("0xffffffffu", "0u")
    text = comparison(writer, step)
    writer.assign(step.instruction.args[0], f"{closed(_combined(writer, step, text)[0])} ? {yes} : {no}", step.types[0])


def set_pair(writer: Writer, step: Step) -> None:
    """`set` on each half of packed numbers: all ones or zero, or 1.0 and 0.0, in the half of the result."""
    target, kind = step.types
    yes = {"f16x2": "0x3c00", "bf16x2": "0x3f80"}.get(target, "0xffff")
    halves = [_halves(writer, arg, kind) for arg in step.instruction.args[1:3]]
    compared = (_compared(_comparison_of(step), "f32", *pair) for pair in zip(*halves, strict=True))
    low, high = _combined(writer, step, *compared)
    text = f"(({low}) ? {yes}u : 0u) | (({high}) ? {yes}0000u : 0u)"
    writer.assign(step.instruction.args[0], text, "u32")


def _halves(writer: Writer, arg: Arg, kind: str) -> tuple[str, str]:
    """The two numbers of a pair as floats."""
    name = writer.fresh("pair")
    if kind == "f16x2":
        writer.line(f"const __half2 {name} = {writer.source(arg, 'f16x2')}")
        return f"__low2float({name})", f"__high2float({name})"
    writer.line(f"const unsigned {name} = {writer.source(arg, 'u32')}")
    return f"__uint_as_float({name} << 16)", f"__uint_as_float({name} & 0xffff0000u)"


def shift(writer: Writer, step: Step) -> None:
    """`shl` and `shr`: a distance beyond the width gives zero, or the sign."""
    left, kind = step.instruction.name == "shl", step.types[0]
    bits, signed = width(kind), kind[0] == "s" and step.instruction.name == "shr"
    target, value, distance = step.instruction.args
    text = writer.source(value, kind if signed else f"u{bits}")
    known = writer.constant(distance)
    sign = "<<" if left else ">>"
    given = kind if signed else f"u{bits}"
    if known is not None and known >= 0:
        if known >= bits:
            made = f"{text} >> {bits - 1}" if signed else "0"
        else:
            made = f"{text} {sign} {known}"
    else:
        by = writer.source(distance, "u32")
        made = f"{text} >> min({by}, {bits - 1}u)" if signed else f"{by} < {bits}u ? {text} {sign} {by} : 0"
    writer.assign(target, cast(made, given) if bits < 32 else made, given)


def permute(writer: Writer, step: Step) -> None:
    """`prmt`: HIP's function where the selector is known and copies no sign, else one that follows the instruction."""
    target, first, second, selector = step.instruction.args
    known = writer.constant(selector)
    plain = known is not None and not known & 0x8888
    name = "__byte_perm" if plain else "cudamigrate::prmt"
    texts = ", ".join(writer.source(arg, "u32") for arg in (first, second, selector))
    writer.assign(target, f"{name}({texts})", "u32")


def shuffle(writer: Writer, step: Step) -> None:
    """`shfl`: the last source but the mask holds how the warp is divided; where it is known HIP's form is written."""
    args = step.instruction.args
    mode = next((word for word in step.instruction.modifiers if word in ("idx", "up", "down", "bfly")), "")
    target, second = args[0].items if args[0].kind == "pair" else (args[0], Arg("sink"))
    mask = writer.source(args[4], "u32") if len(args) > 4 else "cudamigrate::activemask()"
    value = writer.value(args[1])
    own = value.kind if value.kind == "f32" else "u32"
    size = _division(mode, writer.constant(args[3]))
    if size and second.kind == "sink":
        by = writer.source(args[2], "u32" if mode in ("up", "down") else "s32")
        name = {"idx": "shfl_sync", "bfly": "shfl_xor_sync"}.get(mode, f"shfl_{mode}_sync")
        divided = f", {size}" if size != 32 else ""
        writer.assign(target, f"cudamigrate::{name}({mask}, {read(value, own)}, {by}{divided})", own)
        return
    lane, inside = writer.fresh("lane"), writer.fresh("inside")
    writer.line(f"bool {inside} = false")
    given = f"{writer.source(args[2], 'u32')}, {writer.source(args[3], 'u32')}, {inside}"
    writer.line(f"const int {lane} = cudamigrate::shuffle_lane<'{mode[0]}'>({given})")
    writer.assign(target, f"cudamigrate::shfl_sync({mask}, {read(value, own)}, {lane})", own)
    if second.kind != "sink":
        writer.assign(second, inside, "pred")


def _division(mode: str, clamp: int | None) -> int:
    """Into parts of how many lanes a shuffle divides the warp, 0 where that cannot be said as a width."""
    if clamp is None or clamp & ~0x1F1F or (clamp & 31) != (0 if mode == "up" else 31):
        return 0
    size = 32 - (clamp >> 8)
    whole = size == 32 or mode in ("idx", "up", "down")
    return size if whole and size & (size - 1) == 0 else 0


def match(writer: Writer, step: Step) -> None:
    """`match.any` and `match.all`."""
    target, value, mask = step.instruction.args
    given = f"{writer.source(mask, 'u32')}, {writer.source(value, 'u' + step.types[0][1:])}"
    if "any" in step.instruction.modifiers:
        writer.assign(target, f"cudamigrate::match_any_sync({given})", "u32")
        return
    name = writer.fresh("same")
    writer.line(f"int {name}")
    first, second = target.items if target.kind == "pair" else (target, None)
    call = f"cudamigrate::match_all_sync({given}, &{name})"
    if first.kind == "sink":
        writer.line(call)
    else:
        writer.assign(first, call, "u32")
    if second is not None:
        writer.assign(second, f"{name} != 0", "pred")


def elect(writer: Writer, step: Step) -> None:
    """`elect.sync`: the lowest of the mask's lanes, which the ISA leaves open."""
    target, mask = step.instruction.args
    if target.kind != "pair":
        raise UnsupportedError("an elected lane without a predicate")
    leader = writer.fresh("leader")
    writer.line(f"const unsigned {leader} = cudamigrate::elected({writer.source(mask, 'u32')})")
    writer.assign(target.items[0], leader, "u32")
    writer.assign(target.items[1], f"{leader} == cudamigrate::lane_id()", "pred")


def barrier(writer: Writer, step: Step) -> None:
    """`bar` and `barrier`: without a count for all threads of the block, whatever the number: `__syncthreads`.

    A block whose threads wait at two numbers without a count would hang on NVIDIA too. A count of 32 is one warp, which
    is there when it comes.
    """
    words, args = set(step.instruction.modifiers), list(step.instruction.args)
    if "warp" in words:
        writer.line(f"cudamigrate::syncwarp({writer.source(args[0], 'u32')})")
        return
    sources = args[1:] if "red" in words else args
    counted = len(sources) != (2 if "red" in words else 1)
    if counted and not words & {"arrive", "red"} and writer.constant(sources[1]) == 32:
        writer.line("cudamigrate::syncwarp(0xffffffffu)")
        return
    if counted or "arrive" in words:
        raise UnsupportedError("a barrier with a count of threads")
    if "red" not in words:
        writer.line("__syncthreads()")
        return
    given = writer.source(sources[1], "pred")
    name = next(word for word in ("popc", "and", "or") if word in words)
    text = f"__syncthreads_{'count' if name == 'popc' else name}({given})"
    writer.assign(args[0], text if name == "popc" else f"{text} != 0", "u32" if name == "popc" else "pred")


def carry(writer: Writer, step: Step) -> None:
    """`add.cc`, `addc` and their kin; the carry is the statement's own, or in a variable that others share."""
    instruction, kind = step.instruction, f"u{width(step.types[0])}"
    uses, sets = instruction.name.endswith("c"), "cc" in instruction.modifiers
    if uses and not writer.flag:
        raise UnsupportedError("a carry that another statement sets")
    if not writer.flag:
        writer.flag = writer.fresh("carry")
        writer.declared.append(f"bool {writer.flag} = false")
    target, *sources = instruction.args
    texts = [writer.source(arg, kind) for arg in sources]
    name = instruction.name.removesuffix("c") if uses else instruction.name
    if name == "mad":
        half = "hi" if "hi" in instruction.modifiers else "lo"
        factors = [writer.source(arg, step.types[0] if half == "hi" else kind) for arg in sources[:2]]
        texts, name = [_product(factors[0], factors[1], half, step.types[0]), texts[2]], "add"
    if sets:
        given = f"{texts[0]}, {texts[1]}, {writer.flag if uses else 'false'}, {writer.flag}"
        writer.assign(target, f"cudamigrate::{name}_carry({given})", kind)
    else:
        sign = "+" if name == "add" else "-"
        writer.assign(target, f"{texts[0]} {sign} {texts[1]} {sign} {writer.flag}", kind)


def _product(first: str, second: str, half: str, kind: str) -> str:
    if half == "lo":
        return closed(f"{first} * {second}")
    if width(kind) == 32:
        name = "__umulhi" if kind[0] == "u" else "__mulhi"
    else:
        name = "__umul64hi" if kind[0] == "u" else "__mul64hi"
    text = f"{name}({first}, {second})"
    return text if kind[0] == "u" else cast(text, f"u{width(kind)}")


def leave(writer: Writer, step: Step) -> None:
    """`exit` in a kernel."""
    if not writer.in_kernel:
        raise UnsupportedError("`exit` outside a kernel")
    writer.line("return")


BUILDERS: dict[str, Callable[[Writer, Step], None]] = {
    "async_copy": memory.async_copy,
    "atomic": memory.atomic,
    "barrier": barrier,
    "carry": carry,
    "convert": convert.convert,
    "convert_pair": convert.convert_pair,
    "convert_pair_short": convert.convert_pair_short,
    "elect": elect,
    "exit": leave,
    "fragment_load": matrix.fragment_load,
    "fragment_product": matrix.fragment_product,
    "fragment_store": matrix.fragment_store,
    "load": memory.load,
    "logic": logic.logic,
    "match": match,
    "matrix_load": matrix.load,
    "matrix_product": matrix.product,
    "matrix_store": matrix.store,
    "move": move,
    "pack": convert.pack,
    "permute": permute,
    "prefetch": memory.prefetch,
    "set_pair": set_pair,
    "set_predicate": set_predicate,
    "set_value": set_value,
    "shift": shift,
    "shuffle": shuffle,
    "store": memory.store,
    "video": video.video,
    "video_compare": video.compare,
    "video_mad": video.multiply_add,
}
