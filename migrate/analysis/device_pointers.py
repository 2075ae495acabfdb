"""Arithmetic with device pointers of the driver API: integers for CUDA, pointers to void for HIP."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda import declarations
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes

OFFSET, STEP = "memory/device-pointer-offset", "memory/device-pointer-step"
NUMBER = "memory/device-pointer-number"
CAST, MAKE = "memory/device-pointer-cast", "memory/device-pointer-made"
TYPE = "CUdeviceptr"
_BEFORE = re.compile(rb"\breinterpret_cast\s*<\s*\Z")
_MADE = re.compile(rb"\bstatic_cast\s*<\s*(?:const\s+)?\Z")
_BEHIND = re.compile(rb"\s*>\s*\(\s*(?P<name>[A-Za-z_]\w*)\s*\)")
_POINTER = re.compile(rb"(?:\s|const\b)*[*&]")
_LONGEST = 60
_ARITHMETIC = ("binary_expression", "unary_expression", "parenthesized_expression")
_INTEGERS = re.compile(
    rb"(?:std::)?(?:u?int64_t|u?intptr_t|size_t)|unsigned long(?: long)?(?: int)?|long long(?: unsigned)?(?: int)?"
)
"""Types that hold an address as a number."""
_NAMED, _POINTERS = (
    re.compile(rb"[A-Za-z_][\w: ]*"),
    re.compile(rb"CUdeviceptr(?:_v[12])?|hipDeviceptr_t|void|bool|u?intptr_t"),
)
"""The name of a type, and those that take a pointer, or are one."""
_OF_INTEGERS = frozenset(b"unsigned long int std uint64_t int64_t uintptr_t intptr_t size_t".split())
_WIDE = _OF_INTEGERS - {b"unsigned", b"int", b"std"}
_SUMS = frozenset(("+", "-"))
_SIGNS = _SUMS | frozenset(("&", "|", "^", "~", "%", "/", "*", "<<", ">>"))
_CASTS = ("cast_expression", "call_expression")
_PLAIN = frozenset(
    (b"int", b"long", b"unsigned", b"auto", b"unsigned long", b"unsigned long long", b"long long", b"bool")
)


def _judged(parsed: ParsedFile, node: Node) -> str:
    """The rule for an operand that is a device pointer: what `+` and `-` count in bytes, all else in whole numbers.

    Empty where it is no operand, or where what has the result may want a pointer.
    """
    signs, at = list[str](), node
    while (outer := at.parent) is not None and outer.type in _ARITHMETIC:
        sign = outer.child_by_field_name("operator")
        if sign is not None and sign.type not in _SIGNS:
            break
        signs += [] if sign is None else [sign.type]
        at = outer
    if not signs:
        return NUMBER if _is_kept_as_number(at) else ""
    kind = _wanted(parsed, at)
    if kind == "number" or not _SUMS.issuperset(signs):
        return NUMBER if kind else ""
    return OFFSET


def _is_kept_as_number(node: Node) -> bool:
    """Whether a device pointer as it is becomes an integer: by a cast, or as the first value of a variable."""
    outer = node.parent
    if outer is None:
        return False
    if outer.type == "return_statement":
        return _returns_number(outer)
    if outer.type == "cast_expression":
        return _is_narrow(b" ".join(declarations.text(outer.child_by_field_name("type")).split()))
    if outer.type == "init_declarator" and outer.parent is not None and outer.child_by_field_name("value") == node:
        plain = outer.child_by_field_name("declarator")
        kind = b" ".join(declarations.text(outer.parent.child_by_field_name("type")).split())
        return plain is not None and plain.type == "identifier" and _INTEGERS.fullmatch(kind) is not None
    if outer.type == "argument_list" and outer.parent is not None and len(outer.named_children) == 1:
        named = declarations.text(outer.parent.child_by_field_name("function"))
        to = b" ".join(named.partition(b"<")[2].removesuffix(b">").split())
        return named.startswith(b"static_cast") and _INTEGERS.fullmatch(to) is not None
    return _is_assigned(outer, node)


def _returns_number(node: Node) -> bool:
    """Whether a statement returns from a function that gives an integer of an address's width."""
    made = ("function_definition", "lambda_expression")
    function = next((one for one in tree_sitter_nodes.ancestors(node) if one.type in made), None)
    if function is None or function.type != "function_definition":
        return False
    plain = function.child_by_field_name("declarator")
    kind = b" ".join(declarations.text(function.child_by_field_name("type")).split())
    return plain is not None and plain.type == "function_declarator" and _INTEGERS.fullmatch(kind) is not None


def _is_narrow(kind: bytes) -> bool:
    """Whether a type by its name, and no pointer to it, may be an integer that an address does not fit in.

    C++ casts no pointer to one, and every integer. What a name that is not known here means, a cast to an integer
    before it changes nothing of: CUDA's device pointer is one.
    """
    return _NAMED.fullmatch(kind) is not None and not (_INTEGERS.fullmatch(kind) or _POINTERS.fullmatch(kind))


def _is_assigned(outer: Node, value: Node) -> bool:
    """Whether an expression gives a value to a variable of the function that is an integer of an address's width."""
    to, sign = outer.child_by_field_name("left"), outer.child_by_field_name("operator")
    function = next((one for one in tree_sitter_nodes.ancestors(outer) if one.type == "function_definition"), None)
    if outer.type != "assignment_expression" or outer.child_by_field_name("right") != value or function is None:
        return False
    if to is None or to.type != "identifier" or sign is None or sign.type != "=":
        return False
    kinds = [local for name, local in declarations.declared(function) if name == declarations.text(to)]
    return bool(kinds) and all(
        one.rank == 0 and one.words <= _OF_INTEGERS and not _WIDE.isdisjoint(one.words) for one in kinds
    )


def _wanted(parsed: ParsedFile, node: Node) -> str:
    """What has a result: a `number`, a `cast` that takes pointers too, or empty for anything else."""
    outer = node.parent
    if outer is None:
        return ""
    if outer.type == "cast_expression":
        return "cast"
    if outer.type == "argument_list" and outer.parent is not None:
        named = declarations.text(outer.parent.child_by_field_name("function"))
        is_number = named.startswith(b"static_cast") and b"*" not in named
        return "number" if is_number else "cast" if named.startswith(b"reinterpret_cast") else ""
    if outer.type == "init_declarator" and outer.parent is not None:
        kind = declarations.text(outer.parent.child_by_field_name("type"))
        plain = outer.child_by_field_name("declarator")
        is_plain = plain is not None and plain.type == "identifier"
        return "number" if is_plain and (kind in _PLAIN or kind.endswith(b"_t")) and b"deviceptr" not in kind else ""
    if outer.type == "assignment_expression":
        return "number" if _is_assigned(outer, node) else ""
    sides = [outer.child_by_field_name(name) for name in ("left", "right")]
    compares = outer.type == "binary_expression" and any(
        one is not None and one.type == "number_literal" for one in sides
    )
    return "number" if compares or outer.type in ("condition_clause", "subscript_argument_list") else ""


def converted(parsed: ParsedFile, start: int) -> Hit | None:
    """The hit where the type that begins here is what an operand of a calculation is cast to, and no pointer to it."""
    if _POINTER.match(parsed.data, start + len(TYPE)) is not None:
        return None
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + len(TYPE))
    made = next((one for one in tree_sitter_nodes.ancestors(node) if one.type in _CASTS), None) if node else None
    if made is None or not any(one.start_byte >= start + len(TYPE) for one in made.named_children):
        return None
    rule = _judged(parsed, made)
    text = " ".join(declarations.text(made).decode("utf-8", "replace").split())
    use = parsed.named_use(text, Span(made.start_byte, made.end_byte), "syntax")
    return Hit(rule, use, {"pointer": text}) if rule else None


def moved(parsed: ParsedFile, start: int, stop: int) -> Hit | None:
    """The hit where these bytes, a device pointer, are an operand of `+` or `-`, or step by `+=`, as the tree says."""
    around = parsed.nodes_around(start, stop)
    if len(around) < 2 or (around[-1].start_byte, around[-1].end_byte) != (start, stop):
        return None
    outer = around[-2]
    sign = outer.child_by_field_name("operator")
    text = parsed.data[start:stop].decode("utf-8", "replace")
    use = parsed.named_use(text, Span(start, stop), "syntax")
    if sign is None or sign.type == "=":
        return Hit(NUMBER, use, {"pointer": text}) if _is_kept_as_number(around[-1]) else None
    if outer.type == "binary_expression" and (rule := _judged(parsed, around[-1])):
        return Hit(rule, use, {"pointer": text})
    steps = outer.type == "assignment_expression" and sign.type in ("+=", "-=")
    is_left = outer.child_by_field_name("left") == around[-1]
    return Hit(STEP, use, {"pointer": text}) if steps and is_left else None


def as_operand(parsed: ParsedFile, span: Span) -> bytes:
    """The cast by which a device pointer counts bytes in a sum or a difference.

    What is taken away from something that is no device pointer has to stay a number.
    """
    around = parsed.nodes_around(span.start, span.end)
    outer = around[-2] if len(around) > 1 else None
    sign = outer.child_by_field_name("operator") if outer is not None else None
    left = outer.child_by_field_name("left") if outer is not None else None
    if sign is None or left is None or sign.type != "-" or left.end_byte > span.start:
        return b"(char *)"
    name = parsed.data[left.start_byte : left.end_byte]
    declared = re.search(rb"\bCUdeviceptr\b[^;(){}]*\b" + re.escape(name) + rb"\b", parsed.data)
    return b"(char *)" if declared is not None else b"(size_t)"


def made(parsed: ParsedFile, named: Span) -> Hit | None:
    """The hit where these bytes, the type of device pointers, are what a number is converted to by `static_cast`.

    C++ makes no pointer of a number so; a cast as in C takes numbers and pointers.
    """
    before = _MADE.search(parsed.data, max(0, named.start - _LONGEST), named.start)
    closing = parsed.lexed.token(named.end)
    opening = parsed.lexed.after(closing)
    if before is None or closing is None or opening is None or parsed.lexed.text(closing) != b">":
        return None
    end = parsed.lexed.closing(opening.start) if parsed.lexed.text(opening) == b"(" else -1
    if end < 0 or b"const" in before[0]:
        return None
    span = Span(before.start(), end + 1)
    use = parsed.named_use(parsed.data[opening.start + 1 : end].decode("utf-8", "replace").strip(), span, "syntax")
    return Hit(MAKE, use, {"pointer": use.name})


def cast(parsed: ParsedFile, named: Span) -> Hit | None:
    """The hit where these bytes, the type of device pointers, are what a pointer to const is reinterpreted as.

    To make an integer of the address is no matter of const; a pointer to void keeps it.
    """
    before = _BEFORE.search(parsed.data, max(0, named.start - _LONGEST), named.start)
    behind = _BEHIND.match(parsed.data, named.end)
    around = parsed.nodes_around(named.start, named.end)
    function = next((one for one in reversed(around) if one.type == "function_definition"), None)
    if before is None or behind is None or function is None:
        return None
    kinds = [local for name, local in declarations.declared(function) if name == behind["name"]]
    if not kinds or any(local.rank != 1 or b"const" not in local.qualifiers for local in kinds):
        return None
    span = Span(before.start(), behind.end())
    use = parsed.named_use(behind["name"].decode("latin-1"), span, "syntax")
    return Hit(CAST, use, {"pointer": use.name})
