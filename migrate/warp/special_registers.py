"""Assembly statements that read one of PTX's special registers into a variable, which C++ spells otherwise.

Source: PTX ISA, "Special Registers". `%warpid` may change while a thread runs, but not within a warp.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Expression
from cudamigrate.syntax import integer_literals, tree_sitter_nodes
from cudamigrate.warp.expressions import expression
from cudamigrate.warp.tree_queries import identifiers

_READ = re.compile(rb"\s*mov\.[us]32\s+%0\s*,\s*%{1,2}(?:(laneid|warpid)|(n?tid|n?ctaid)\.([xyz]))\s*;?\s*")
"""One statement that moves a register into the first operand: `mov.u32 %0, %tid.x;`, with one percent sign or two."""
_SPELLED = {b"tid": b"threadIdx", b"ntid": b"blockDim", b"ctaid": b"blockIdx", b"nctaid": b"gridDim"}
_STORES = re.compile(rb"(?<![\w.])(?:st|red|atom)\.")
"""Instructions that write memory; `.shared.` and `.const.` are no such."""
_TEXTS = ("string_literal", "concatenated_string")
STATEMENTS = tree_sitter_nodes.Kinds("cuda", "gnu_asm_expression")
_OUTPUTS = tree_sitter_nodes.Kinds("cuda", "gnu_asm_output_operand")


def written(statement: Node) -> set[bytes]:
    """The variables that a statement of assembly writes."""
    return {name for one in _OUTPUTS.below(statement) for name in identifiers(one)}


def writes_memory(statement: Node) -> bool:
    """Whether a statement of assembly stores to memory, or changes it."""
    return _STORES.search(text(statement)) is not None


def read(statement: Node) -> tuple[bytes, bytes] | None:
    """The variable and what it gets, `threadIdx.x` or the register's name, where a statement does nothing else."""
    code = next((one for one in statement.named_children if one.type in _TEXTS), None)
    match = _READ.fullmatch(text(code).strip(b'"')) if code is not None else None
    outputs = _OUTPUTS.below(statement) if match is not None else []
    variable = outputs[0].named_children[-1] if len(outputs) == 1 else None
    if match is None or variable is None or variable.type != "identifier":
        return None
    return text(variable), match[1] or _SPELLED[match[2]] + b"." + match[3]


_PER_LANE = re.compile(rb"%(?:laneid|tid\b|lanemask)|\belect\.|\bmatch\.")


def made_by_assembly(statement: Node) -> Iterator[tuple[str, Expression]]:
    """The variables that assembly writes, each with what it may depend on: all that the statement reads."""
    listed = statement.child_by_field_name("input_operands")
    inputs = [one.child_by_field_name("value") for one in listed.named_children] if listed is not None else []
    parts = [expression(one) for one in inputs]
    if _PER_LANE.search(text(statement).replace(b"%%", b"%")):
        parts.append(("c", "__lane_id", (), None))
    for one in _OUTPUTS.below(statement):
        value = one.child_by_field_name("value")
        if value is not None and value.type == "identifier":
            again = text(one.child_by_field_name("constraint")).startswith(b'"+')
            name = text(value).decode("latin-1")
            yield name, ("o", "?", *parts, *((("v", name),) if again else ()))


_MEETING = re.compile(rb"(?<![\w.])(bar(?:rier)?)\.((?:warp\.|cta\.)?)(?:sync|red\.\w+)[.\w]*\s*([^;\"]*)")
_FIRST_OPERAND = re.compile(rb"%{1,2}(\d+)\Z")


def meetings_of(statement: Node) -> Iterator[Expression]:
    """The calls that assembly's barriers come to: of a warp with the mask, of the block, or of one warp of a block.

    A count of 32 threads is one warp. What has another count is not converted, and another rule's.
    """
    for match in _MEETING.finditer(text(statement)):
        operands = [one.strip() for one in match[3].replace(b"\\n", b"").replace(b"\\t", b"").split(b",")]
        if match[2] == b"warp.":
            yield ("c", "__syncwarp", (_operand(statement, operands[0]),), None)
        elif b"red" in match[0].partition(b" ")[0] or len(operands) < 2:
            yield ("c", "__syncthreads", (), None)
        elif _operand(statement, operands[1]) == ("n", 32):
            yield ("c", "__syncwarp", (), None)


def _operand(statement: Node, spelled: bytes) -> Expression:
    """What an operand stands for: a number, or the value that the statement is given for it."""
    if (numbered := _FIRST_OPERAND.match(spelled)) is None:
        number = integer_literals.value(spelled)
        return ("o", "?") if number is None else ("n", number)
    listed = statement.child_by_field_name("input_operands")
    inputs = [one.child_by_field_name("value") for one in listed.named_children] if listed is not None else []
    at = int(numbered[1]) - len(_OUTPUTS.below(statement))
    return expression(inputs[at]) if 0 <= at < len(inputs) else ("o", "?")
