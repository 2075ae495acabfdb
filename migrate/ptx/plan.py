"""Which registers of an asm statement need a variable, and when its operands are read and written.

Sets the writer's tables and `read_at` of each step.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from cudamigrate.ptx import memory
from cudamigrate.ptx.parser import Arg
from cudamigrate.ptx.values import CONSTRAINTS, CTYPES, UnsupportedError, read, storage
from cudamigrate.ptx.writer import Step, Writer

_PURE = frozenset(("convert", "move", "logic", "shift", "permute", "set_predicate", "set_value"))
_BEYOND = frozenset(("memory.toml", "control.toml", "lanes.toml", "matrix.toml"))
"""Tables of instructions that do something outside their registers."""
_ADDRESSES = frozenset(
    ("cvta", "isspacep", "prefetch", "prefetchu", "createpolicy", "activemask", "applypriority", "pmevent")
)


def plan(writer: Writer, steps: list[Step]) -> None:
    """Which registers need no variable, and which operands get their value only at the end.

    A register that is set once, from what does not change, and read once is written where it is read. An operand that
    is written before another is read gets its value last: the two may be the same variable.
    """
    defined, used = Counter[str](), Counter[str]()
    guarded: set[str] = set()
    pure: set[str] = set()
    for step in steps:
        for arg in _written(step):
            if arg.kind == "register":
                defined[arg.text] += 1
                guarded.update([arg.text] if step.instruction.guard is not None else [])
                if step.instruction.args[0].kind == "register" and _is_pure(step):
                    pure.add(arg.text)
        used.update(arg.text for arg in _reads(step) if arg.kind == "register")
    once = {name for name, count in defined.items() if count == 1 and name not in guarded}
    writer.single, writer.defined = frozenset(once), frozenset(defined)
    used_once = {name for name in once & (pure - _unsteady(writer, steps, once)) if used[name] == 1}
    writer.inlined = frozenset(used_once)
    readers = {arg.text: at for at, step in enumerate(steps) for arg in _reads(step) if arg.kind == "register"}
    for at in reversed(range(len(steps))):
        targets = [arg.text for arg in _written(steps[at]) if arg.kind == "register" and arg.text in writer.inlined]
        steps[at].read_at = max([at, *(steps[readers[name]].read_at for name in targets if name in readers)])
    _delay(writer, steps)


def _unsteady(writer: Writer, steps: list[Step], once: set[str]) -> set[str]:
    """Registers that are made from something that is set again: another register, or an operand that is written."""
    places = {writer.operand(arg.text)[0] for step in steps for arg in _written(step) if arg.kind == "place"}
    found = set[str]()
    for step in steps:
        for arg in _reads(step):
            register = arg.kind == "register" and arg.text in writer.listing.registers and arg.text not in once
            if register or (arg.kind == "place" and writer.operand(arg.text)[0] in places):
                found.update(one.text for one in _written(step) if one.kind == "register")
    return found


def _delay(writer: Writer, steps: list[Step]) -> None:
    first: dict[int, float] = {}
    for at, step in enumerate(steps):
        several = len(_written(step)) > 1
        for arg in _written(step):
            if arg.kind == "place":
                first.setdefault(writer.operand(arg.text)[0], at - 0.5 if several and _is_stepwise(step) else at)
    seen = _read_late(writer, steps)
    for number, written in first.items():
        late = (
            (number in seen and writer.statement.operands[number].read)
            or any(
                step.read_at > written and arg.kind == "place" and _varies(writer, arg, number)
                for step in steps
                for arg in _reads(step)
            )
            or any(_touches_memory(step) for step in steps[int(written) + 1 :])
        )
        if late:
            operand = writer.statement.operands[number]
            kind = CONSTRAINTS.get(operand.constraint, "")
            if kind in ("", "const"):
                raise UnsupportedError("an output of another kind")
            kept = storage("b" + kind[1:]) if kind[0] == "x" else kind
            value = writer.value(Arg("place", str(number)))
            name = writer.fresh("result")
            if operand.read:
                writer.declared.append(f"{CTYPES[kept]} {name} = {read(value, kept)}")
            else:
                writer.pending.add(name)
            writer.results[number] = name


def early(writer: Writer, steps: list[Step]) -> set[int]:
    """Sources in memory that have to be read before all else."""
    return {at for at in _read_late(writer, steps) if not writer.statement.operands[at].written}


def _read_late(writer: Writer, steps: list[Step]) -> set[int]:
    """Operands in memory that are read after the statement has written to memory, or let others write to it."""
    first = next(
        (at for at, step in enumerate(steps) if _touches_memory(step) and not _is_plain_load(step)), len(steps)
    )
    late = [arg for step in steps if step.read_at > first for arg in _reads(step) if arg.kind == "place"]
    read = {writer.operand(arg.text)[0] for arg in late}
    texts = {at: writer.statement.operands[at].text for at in read}
    return {at for at in read if texts[at] in writer.parameters or not re.fullmatch(r"[\w.]+|&\w+", texts[at])}


def _touches_memory(step: Step) -> bool:
    """Whether memory is read or written, or waited for; addresses and hints are none of that."""
    return step.row.origin in _BEYOND and step.instruction.name not in _ADDRESSES


def _is_plain_load(step: Step) -> bool:
    return step.row.build == "load" and not memory.policy(step)[0]


def _varies(writer: Writer, arg: Arg, number: int) -> bool:
    other, operand = writer.operand(arg.text)
    return other != number and operand.read and operand.constraint not in ("n", "C")


def _is_pure(step: Step) -> bool:
    """Whether the instruction can be worked out later as well; a clock cannot be read later."""
    if any(arg.kind == "register" and arg.text.startswith("clock") for arg in _reads(step)):
        return False
    return not step.row.rule and (step.row.build in _PURE or bool(step.row.hip))


def _is_stepwise(step: Step) -> bool:
    """Whether several results are stored one after the other, with sources read in between."""
    ordered = step.row.build == "load" and bool(memory.policy(step)[0])
    return ordered or step.row.build in ("set_predicate", "shuffle")


def _written(step: Step) -> tuple[Arg, ...]:
    if not step.row.operands or not step.row.operands[0].startswith("d"):
        return ()
    return _flat(step.instruction.args[:1])


def _reads(step: Step) -> tuple[Arg, ...]:
    guard = (step.instruction.guard,) if step.instruction.guard is not None else ()
    skipped = 1 if _written(step) else 0
    return (*_flat(step.instruction.args[skipped:]), *guard)


def _flat(args: Iterable[Arg]) -> tuple[Arg, ...]:
    found: list[Arg] = []
    for arg in args:
        found.extend(_flat(arg.items) if arg.items else [arg])
    return tuple(found)
