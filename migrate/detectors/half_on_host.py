"""Arithmetic on half precision in host code: HIP declares it for device code only before ROCm 7.0."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"half",)

_RULE = "build/half-on-host"
_TYPES = frozenset((b"__half", b"half", b"__half2", b"half2", b"nv_half", b"nv_half2", b"__nv_half", b"__nv_half2"))
_MAKING = frozenset((b"__float2half", b"__float2half_rn", b"__float2half2_rn", b"__floats2half2_rn", b"__halves2half2"))
"""Functions of the host too that return a number of half precision."""
_CALL = re.compile(
    rb"(?<![\w.>:])__h(?:add|sub|mul|div|fma|neg|abs|max|min|eq|ne|lt|le|gt|ge|isnan|isinf)(?:u|_sat|_nan)?(?=[ \t]*\()"
    rb"|(?<![\w.>:])h(?:ceil|cos|exp|exp2|exp10|floor|log|log2|log10|rcp|rint|rsqrt|sin|sqrt|trunc)(?=[ \t]*\()"
    rb"|(?<![\w.>:])__(?:(?:u?int|u?short|u?ll)2half|half2(?:u?int|u?short|u?ll))_r[nduz](?=[ \t]*\()"
    rb"|(?<![\w.>:])__(?:half_as_u?short|u?short_as_half)(?=[ \t]*\()"
)
"""Functions that `amd_hip_fp16.h` declares for the device alone: `__hadd(`, `hsqrt(`, `__int2half_rn(`; no member."""
_SIGNS = frozenset((b"+", b"-", b"*", b"/", b"==", b"!=", b"<", b">", b"<=", b">="))
_ASSIGNING = frozenset((b"+=", b"-=", b"*=", b"/="))
_WRAPPING = ("pointer_declarator", "array_declarator")
_DECLARING = ("declaration", "parameter_declaration")
_NODES = tree_sitter_nodes.Kinds(
    "cuda", "binary_expression", "assignment_expression", "update_expression", "unary_expression", *_DECLARING
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls, and operators whose operands the function itself declares with such a type, in functions of the host."""
    hosts = [function for function in parsed.functions if function.scope == "host"]
    if not hosts:
        return
    own = {definition.name for definition in parsed.definitions}
    for match in parsed.lexed.matches(_CALL, b"half", b"__h", b"h"):
        name, span = match[0].decode(), Span(*match.span())
        if parsed.scope(span.start) == "host" and parsed.hip(span.start) is None and name not in own:
            yield Hit(_RULE, Use("name", name, span, span, (), "host", "syntax"), {"name": f"{name}()"})
    for function in hosts:
        if any(kind in parsed.data[function.span.start : function.span.end] for kind in _TYPES):
            yield from _operators(parsed, function)


def _operators(parsed: ParsedFile, function: Function) -> Iterator[Hit]:
    root = parsed.tree.root_node.descendant_for_byte_range(function.span.start, function.span.end - 1)
    nodes = _NODES.below(root) if root is not None else []
    nodes = [node for node in nodes if function.span.start <= node.start_byte < function.span.end]
    depths = dict(pair for node in nodes if node.type in _DECLARING for pair in _declared(node))
    for node in nodes:
        sign = node.child_by_field_name("operator")
        if node.type in _DECLARING or sign is None or not _applies(node, sign.text or b"", depths):
            continue
        span = Span(sign.start_byte, sign.end_byte)
        if parsed.hip(span.start) is None:
            name = (sign.text or b"").decode()
            yield Hit(_RULE, Use("name", name, span, span, (), "host", "syntax"), {"name": f"operator{name}"})


def _declared(node: Node) -> Iterator[tuple[bytes, int]]:
    """Variables that a declaration makes of the types, and how many times each is a pointer or an array."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.text not in _TYPES:
        return
    for child in node.children_by_field_name("declarator"):
        depth, inner = 0, child
        while inner.type != "identifier":
            depth += inner.type in _WRAPPING
            below = inner.child_by_field_name("declarator") or next(
                (one for one in inner.named_children if one.type in (*_WRAPPING, "identifier")), None
            )
            if below is None or inner.type == "function_declarator":
                break
            inner = below
        else:
            yield inner.text or b"", depth


def _applies(node: Node, sign: bytes, depths: dict[bytes, int]) -> bool:
    """Whether an operator is one of half precision: two numbers of it, or what it changes is one."""
    if node.type == "binary_expression":
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return sign in _SIGNS and all(_is_half(side, depths) for side in sides)
    if node.type == "assignment_expression":
        return sign in _ASSIGNING and _is_half(node.child_by_field_name("left"), depths)
    return (sign == b"-" or node.type == "update_expression") and _is_half(node.child_by_field_name("argument"), depths)


def _is_half(node: Node | None, depths: dict[bytes, int], depth: int = 0) -> bool:
    """Whether an expression is a number of half precision, as far as the declarations of its function tell."""
    if node is None:
        return False
    if node.type == "identifier":
        return depths.get(node.text or b"") == depth
    if node.type == "parenthesized_expression":
        return _is_half(node.named_children[0] if node.named_children else None, depths, depth)
    if node.type in ("subscript_expression", "pointer_expression") and b"&" not in (node.text or b"")[:1]:
        return _is_half(node.child_by_field_name("argument"), depths, depth + 1)
    if node.type == "call_expression":
        called = node.child_by_field_name("function")
        return not depth and called is not None and called.text in _MAKING
    sign = node.child_by_field_name("operator")
    return node.type == "binary_expression" and sign is not None and _applies(node, sign.text or b"", depths)
