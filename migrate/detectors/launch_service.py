"""What device code asks of the runtime: clocks, output, and memory of a heap."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

_CALL = re.compile(rb"(?<![\w.>:])(?:::|std::)?(?P<name>clock64|clock|printf|malloc)\s*\(")
"""A call of the runtime in device code: `printf(`, `std::malloc(`; not a member (`a.malloc(`) or another scope's.
`free` says nothing that the allocation does not."""
_QUALIFIED = re.compile(rb"(?<![\w:.>])(?:::\s*)?(?P<std>std\s*::\s*)(?P<name>printf|malloc|free|abort|clock)\s*\(")
"""A call by its name of the standard library. HIP declares these five for device code in the global namespace alone."""
WORDS = (b"clock", b"printf", b"malloc", b"free")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier")
_GIVEN = {"init_declarator": "declarator", "assignment_expression": "left"}
"""What gives a variable a value, with the field that holds the variable."""
_DECLARED = ("init_declarator", "declaration")
_RULES = {b"clock64": "device-clock", b"clock": "device-clock", b"printf": "device-output"}


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls in functions that run on the device; in those that run on both sides they may be the host's.

    What output costs, a function pays once: the first of its calls under the fewest conditions stands for all.
    """
    yield from _qualified(parsed)
    prints: dict[int, tuple[int, Hit]] = {}
    for match in parsed.lexed.on_lines(_CALL, *WORDS):
        start = match.start("name")
        function = parsed.function(start)
        if function is None or function.scope != "device" or start < function.body.start:
            continue
        if b"__host__" in parsed.data[function.span.start : function.body.start]:
            continue
        closing = parsed.lexed.closing(match.end() - 1)
        if closing < 0 or (match["name"] == b"clock" and parsed.data[match.end() : closing].strip()):
            continue
        name = match["name"].decode()
        span, extent = Span(start, match.end("name")), Span(start, closing + 1)
        rule = _RULES.get(match["name"], "device-heap")
        if rule == "device-clock":
            if _is_unread(parsed, start) or _is_seed(parsed, start):
                continue
            rule = "clock-delay" if _condition(parsed, start) is not None else rule
        words = {"name": name, **(_waits(parsed, start) if rule == "clock-delay" else {})}
        hit = Hit(f"launch/{rule}", Use("call", name, span, extent, (), "device", "syntax"), words)
        if rule != "device-output":
            yield hit
            continue
        under = len(parsed.branches_around(start))
        if under < prints.get(function.span.start, (under + 1, hit))[0]:
            prints[function.span.start] = under, hit
    yield from (hit for _, hit in prints.values())


def _qualified(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of `std::` functions that device code has without the namespace; also where the host compiles them too."""
    for match in parsed.lexed.on_lines(_QUALIFIED, b"std"):
        function = parsed.function(match.start("name"))
        inside = function is not None and function.scope == "device" and match.start() >= function.body.start
        if inside and parsed.hip(match.start()) is None:
            name = match["name"].decode()
            span, extent = Span(*match.span("std")), Span(match.start("std"), match.end("name"))
            yield Hit("launch/std-function", Use("name", name, span, extent, (), "device", "syntax"), {"name": name})


def _is_seed(parsed: ParsedFile, offset: int) -> bool:
    """Whether a clock is only the seed of a generator of cuRAND's, for which any rate will do."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    given = (
        next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "argument_list"), None) if node else None
    )
    call = given.parent if given is not None else None
    function = call.child_by_field_name("function") if call is not None else None
    if given is None or function is None or function.text != b"curand_init" or not given.named_children:
        return False
    seed = given.named_children[0]
    return seed.start_byte <= offset < seed.end_byte and all(one.name != "curand_init" for one in parsed.functions)


def _is_unread(parsed: ParsedFile, offset: int) -> bool:
    """Whether a clock is all that a variable of the function is given, which nothing reads."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    around = list(tree_sitter_nodes.ancestors(node)) if node is not None else []
    given = next((one for one in around if one.type != "call_expression"), None)
    function = next((one for one in around if one.type == "function_definition"), None)
    if given is None or function is None or given.type not in _GIVEN:
        return False
    variable = given.child_by_field_name(_GIVEN[given.type])
    if variable is None or variable.type != "identifier":
        return False
    named = [one for one in _NAMES.below(function) if one.text == variable.text]
    return any(one.parent is not None and one.parent.type in _DECLARED for one in named) and not any(map(_reads, named))


def _reads(name: Node) -> bool:
    """Whether a name may read the variable: it neither declares it nor gives it a value alone."""
    outer = name.parent
    if outer is None or outer.type not in (*_GIVEN, *_DECLARED):
        return True
    field = "left" if outer.type == "assignment_expression" else "declarator"
    is_given = name in outer.children_by_field_name(field)
    sign = outer.child_by_field_name("operator")
    is_plain = sign is None or sign.type == "="
    is_statement = outer.type != "assignment_expression" or (
        outer.parent is not None and outer.parent.type == "expression_statement"
    )
    return not (is_given and is_plain and is_statement)


def _waits(parsed: ParsedFile, offset: int) -> dict[str, str]:
    """In words whether a loop waits for the clock alone, or for something else and gives up by the clock."""
    condition = _condition(parsed, offset)
    inside = parsed.lexed.tokens(condition.start_byte, condition.end_byte) if condition is not None else ()
    limits = any(parsed.lexed.text(one) in (b"&&", b"and") for one in inside)
    if limits:
        return {"waits": "gives up by", "time": "its time limit"}
    return {"waits": "waits by", "time": "the delay"}


def _condition(parsed: ParsedFile, offset: int) -> Node | None:
    """The condition of a loop in which a clock is read."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type in ("while_statement", "do_statement", "for_statement"):
            condition = around.child_by_field_name("condition")
            is_read = condition is not None and condition.start_byte <= offset < condition.end_byte
            return condition if is_read else None
    return None
