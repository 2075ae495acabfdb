"""Scalar video instructions: arithmetic on bytes, halves or words, with more bits than a word between the steps."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.ptx.parser import Arg
from cudamigrate.ptx.values import CTYPES, UnsupportedError, bare, cast, closed, width
from cudamigrate.ptx.writer import Step, Writer

_SIGNS = {"vadd": "+", "vsub": "-"}
_PARTS = {"b0": ("8", 0), "b1": ("8", 8), "b2": ("8", 16), "b3": ("8", 24), "h0": ("16", 0), "h1": ("16", 16)}


def selected(writer: Writer, arg: Arg, kind: str) -> str:
    """An operand, or the byte or half of it that is named, read as signed or not."""
    if not arg.part:
        return writer.source(arg, kind)
    bits, start = _PARTS[arg.part]
    text = writer.source(replace(arg, part=""), "u32")
    return cast(f"{closed(text)} >> {start}" if start else text, f"{kind[0]}{bits}")


def video(writer: Writer, step: Step) -> None:
    """`vadd`, `vsub`, `vmin`, `vmax`, `vabsdiff`, `vshl`, `vshr`, with a second operation or a merge."""
    words, (target, first, second, *rest) = set(step.instruction.modifiers), step.instruction.args
    kind, name = step.types[0], step.instruction.name
    one, other = selected(writer, first, step.types[1]), selected(writer, second, step.types[2])
    joined = next((word for word in ("add", "min", "max") if word in words), "")
    if bool(rest) != bool(joined or target.part) or (joined and target.part):
        raise UnsupportedError("a video instruction with a third source of another kind")
    if name in _SIGNS:
        wide = f"static_cast<long long>({bare(one)}) {_SIGNS[name]} {other}"
    else:
        function = f"video_{name[1:]}" + (f"<{str('wrap' in words).lower()}>" if name in ("vshl", "vshr") else "")
        wide = f"cudamigrate::{function}({one}, {other})"
    narrow = f"{kind[0]}{_PARTS[target.part][0]}" if target.part else kind
    if "sat" in words:
        wide = f"cudamigrate::saturated<{CTYPES[narrow]}>({wide})"
    if target.part:
        size, start = _PARTS[target.part]
        field = f"unsigned({wide})"
        wide = f"cudamigrate::insert_bits<unsigned>({field}, {writer.source(rest[0], 'u32')}, {start}u, {size}u)"
    elif joined == "add":
        wide = f"unsigned({wide}) + {writer.source(rest[0], 'u32')}"
    elif joined:
        wide = f"cudamigrate::video_{joined}({wide}, {writer.source(rest[0], kind)})"
    bits = bool(target.part) or joined == "add"
    text = wide if bits or ("sat" in words and not rest) else cast(wide, kind)
    writer.assign(replace(target, part=""), text, "u32" if bits else kind)


def multiply_add(writer: Writer, step: Step) -> None:
    """`vmad`: the result is signed where one of the sources is."""
    words, (target, first, second, third) = set(step.instruction.modifiers), step.instruction.args
    minus = first.minus != second.minus
    if minus or third.minus:
        _negated(writer, step, minus)
        return
    first, second = replace(first, minus=False), replace(second, minus=False)
    signed = "s" in (step.types[1][0], step.types[2][0])
    shift = next((word[3:] for word in ("shr7", "shr15") if word in words), "0")
    given = f"{str(signed).lower()}, {shift}, {str('sat' in words).lower()}"
    one, other = selected(writer, first, step.types[1]), selected(writer, second, step.types[2])
    writer.assign(target, f"cudamigrate::video_mad<{given}>({one}, {other}, {writer.source(third, 'u32')})", "u32")


def _negated(writer: Writer, step: Step, minus: bool) -> None:
    """`vmad` with the product or the last source taken away: the low 32 bits are the same for signed and unsigned."""
    target, first, second, third = (replace(arg, minus=False) for arg in step.instruction.args)
    if (step.instruction.args[3].minus and minus) or set(step.instruction.modifiers) & {"sat", "shr7", "shr15"}:
        raise UnsupportedError("a video instruction with signs before its operands")
    factors = [
        selected(writer, arg, kind) if (kind, arg.part) == ("u32", "") else cast(selected(writer, arg, kind), "u32")
        for arg, kind in ((first, step.types[1]), (second, step.types[2]))
    ]
    product = " * ".join(map(closed, factors))
    last = closed(writer.source(third, "u32"))
    writer.assign(target, f"{last} - {product}" if minus else f"{product} - {last}", "u32")


def compare(writer: Writer, step: Step) -> None:
    """`vset`: 1 or 0."""
    target, first, second, *rest = step.instruction.args
    joined = next((word for word in ("add", "min", "max") if word in step.instruction.modifiers), "")
    if bool(rest) != bool(joined or target.part) or (joined and target.part):
        raise UnsupportedError("a video instruction with a third source of another kind")
    signs = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    sign = next(sign for word, sign in signs.items() if word in step.instruction.modifiers)
    one, other = selected(writer, first, step.types[0]), selected(writer, second, step.types[1])
    wide = step.types[0][0] != step.types[1][0] or width(step.types[0]) != 32
    one, other = (f"static_cast<long long>({bare(text)})" if wide else text for text in (one, other))
    text = f"{one} {sign} {other} ? 1u : 0u"
    if target.part:
        size, start = _PARTS[target.part]
        third = writer.source(rest[0], "u32")
        text = f"cudamigrate::insert_bits<unsigned>({text}, {third}, {start}u, {size}u)"
    elif joined == "add":
        text = f"({text}) + {writer.source(rest[0], 'u32')}"
    elif joined:
        text = f"unsigned(cudamigrate::video_{joined}({text}, {writer.source(rest[0], 'u32')}))"
    writer.assign(replace(target, part=""), text, "u32")
