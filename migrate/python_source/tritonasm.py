"""PTX in Triton's inline assembly: its instructions, and the plain Triton call that does the same as one of them.

Result: names of instructions, or the new call.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.python_source.literals import decoded
from cudamigrate.python_source.source import PySource, argument, arguments

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OPCODE = re.compile(r"(?:@!?[%$\w]+\s+)?([a-z][a-z0-9]*(?:(?:\.|::)[a-z0-9_]+)*)(?=\s|$)")
"""The opcode of a statement: `ex2.approx.f32`, `cp.async::bulk`. Its predicate, `@!p` or `@%p1`, comes before it."""
_FUNCTIONS = {
    "ex2": "exp2({x})",
    "rsqrt": "rsqrt({x})",
    "sqrt": "sqrt({x})",
}
"""Approximations whose Triton function NVIDIA's compiler turns into the same instruction."""
_ONE = re.compile(r"\s*([a-z0-9]+)\.approx(?:\.ftz)?\.f32\s+\$0\s*,\s*\$1\s*;?\s*")
"""A text that is one approximation and no more: `ex2.approx.ftz.f32 $0, $1;`."""


def instructions(asm: str) -> list[str]:
    """The instructions of a PTX text with their suffixes, in order; declarations and braces left out."""
    found = []
    for statement in re.split(r"[;{}]|\n", _COMMENT.sub(" ", asm)):
        statement = re.sub(r"^\s*[$%\w]+:(?!:)", "", statement).strip()
        match = _OPCODE.match(statement)
        if match is not None and not statement.startswith("."):
            found.append(match[1])
    return found


def plain_form(py: PySource, call: Node) -> tuple[str, Node] | None:
    """The function that does the same, with `{x}` for its argument, and the argument; None where there is none.

    Asked for: one 32-bit approximation of one value, and nothing else that the call says.
    """
    asm = decoded(py, argument(py, call, 0, "asm"))
    constraints = decoded(py, argument(py, call, 1, "constraints"))
    given = argument(py, call, 2, "args")
    dtype = argument(py, call, 3, "dtype")
    pack = argument(py, call, 5, "pack")
    if asm is None or constraints is None or given is None or dtype is None or len(arguments(call)) > 6:
        return None
    match = _ONE.fullmatch(asm.text.decode("latin-1"))
    plain = re.fullmatch(r"\s*=f\s*,\s*f\s*", constraints.text.decode("latin-1"))
    if match is None or plain is None or match[1] not in _FUNCTIONS:
        return None
    if given.type not in ("list", "tuple") or given.named_child_count != 1 or not py.raw(dtype).endswith(b"float32"):
        return None
    if pack is None or py.raw(pack) != b"1" or given.named_children[0].type not in ("identifier", "attribute"):
        return None
    return _FUNCTIONS[match[1]], given.named_children[0]
