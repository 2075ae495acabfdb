"""`lop3`: any function of three bits, from its table of eight results to the shortest expression."""

from __future__ import annotations

from functools import cache

from cudamigrate.ptx.parser import Arg
from cudamigrate.ptx.values import UnsupportedError, closed
from cudamigrate.ptx.writer import Step, Writer

JOINED = {"and": "&&", "or": "||", "xor": "!="}
_INPUTS = {"a": 0xF0, "b": 0xCC, "c": 0xAA}


@cache
def shortest(wanted: int) -> object:
    """The formula with the fewest operations whose table is `wanted`: 0xF0, 0xCC and 0xAA stand for a, b and c.

    A formula is an operand, `("a",)`, or an operation on formulas: `("~", formula)`, `("&", formula, formula)`.
    """
    known: dict[int, object] = {table: (name,) for name, table in _INPUTS.items()}
    levels: list[list[int]] = [list(known)]
    known[0x00], known[0xFF] = ("0",), ("~0",)
    while wanted not in known:
        cost, found = len(levels), list[int]()
        candidates: list[tuple[int, object]] = [(~table & 0xFF, ("~", known[table])) for table in levels[-1]]
        for low in range((cost + 1) // 2):
            for one in levels[low]:
                for other in levels[cost - 1 - low]:
                    pair = (known[one], known[other])
                    candidates += [
                        (one & other, ("&", *pair)),
                        (one | other, ("|", *pair)),
                        (one ^ other, ("^", *pair)),
                    ]
        for table, formula in candidates:
            if table not in known:
                known[table] = formula
                found.append(table)
        levels.append(found)
    return known[wanted]


def spelled(formula: object, inputs: dict[str, str], inside: str = "") -> str:
    """A formula in C++."""
    assert isinstance(formula, tuple)
    operation = formula[0]
    if len(formula) == 1:
        return inputs.get(operation, {"0": "0u", "~0": "0xffffffffu"}.get(operation, ""))
    if operation == "~":
        return f"~{spelled(formula[1], inputs, '~')}"
    text = f" {operation} ".join(spelled(part, inputs, operation) for part in formula[1:])
    return f"({text})" if inside and inside != operation else text


def logic(writer: Writer, step: Step) -> None:
    """`lop3.b32`; a table that is not known here is left to a template of the runtime header."""
    joined = next((sign for word, sign in JOINED.items() if word in step.instruction.modifiers), "")
    target, *sources, table = step.instruction.args[:5]
    if (target.kind == "pair") != bool(joined):
        raise UnsupportedError("`lop3` with a predicate and no operation for it")
    if joined:
        target, predicate = target.items
        name, other = writer.fresh("bits"), writer.source(step.instruction.args[5], "pred")
        writer.line(f"const unsigned {name} = {_formula(writer, sources, table)}")
        writer.assign(target, name, "u32")
        writer.assign(predicate, f"({name} != 0u) {joined} {closed(other)}", "pred")
        return
    writer.assign(target, _formula(writer, sources, table), "u32")


def _formula(writer: Writer, sources: list[Arg], table: Arg) -> str:
    known = writer.constant(table)
    if known is None:
        texts = ", ".join(writer.source(arg, "u32") for arg in sources)
        return f"cudamigrate::lop3<{writer.value(table).text}>({texts})"
    texts_by_name = {name: writer.source(arg, "b32") for name, arg in zip("abc", sources, strict=True)}
    constants = [arg.kind == "place" and writer.value(arg).kind == "const" for arg in sources]
    if any(constants):
        texts_by_name = {name: writer.source(arg, "u32") for name, arg in zip("abc", sources, strict=True)}
    return spelled(shortest(known & 0xFF), texts_by_name)
