"""Whether a function's code suits the host too, as its own text shows: it calls nothing, and names its own alone."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax.tree_sitter_nodes import Kinds

_DOING = Kinds("cuda", "call_expression", "gnu_asm_expression", "new_expression", "lambda_expression", "ERROR")
_NAMES = Kinds("cuda", "identifier", "qualified_identifier", parts=True)
_DEVICE_PASS = (b"defined(__CUDA_ARCH__)", b"__CUDA_ARCH__", b"defined(__HIP_DEVICE_COMPILE__)")
"""Conditions that hold in the device's pass alone."""


def suits_host(parsed: ParsedFile, function: Node) -> bool:
    """Whether all that a function's definition does outside of the device's pass is done with its own variables."""
    body = function.child_by_field_name("body")
    if body is None:
        return False
    own = {name for name, _ in declared(function)}
    for node in (*_DOING.below(body), *_NAMES.below(body)):
        if (node.type == "identifier" and text(node) in own) or parsed.lexed.directive_at(node.start_byte) is not None:
            continue
        if not _is_for_device(parsed, node.start_byte):
            return False
    return True


def _is_for_device(parsed: ParsedFile, offset: int) -> bool:
    """Whether a place is in a branch that the device's pass alone compiles."""
    around = parsed.branches_around(offset)
    return any(len(one.conditions) == 1 and one.conditions[0] in _DEVICE_PASS for one in around)
