"""What device code asks of the runtime: clocks, output, and memory of a heap."""

from __future__ import annotations

from collections.abc import Iterator

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
_RULES = {b"clock64": "device-clock", b"clock": "device-clock", b"printf": "device-output"}


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls in functions that run on the device; in those that run on both sides they may be the host's.

    What output costs, a function pays once: its first call stands for all.
    """
    yield from _qualified(parsed)
    prints = set[int]()
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
        if rule == "device-output":
            if function.span.start in prints:
                continue
            prints.add(function.span.start)
        if rule == "device-clock" and _is_delay(parsed, start):
            rule = "clock-delay"
        yield Hit(f"launch/{rule}", Use("call", name, span, extent, (), "device", "syntax"), {"name": name})


def _qualified(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of `std::` functions that device code has without the namespace; also where the host compiles them too."""
    for match in parsed.lexed.on_lines(_QUALIFIED, b"std"):
        function = parsed.function(match.start("name"))
        inside = function is not None and function.scope == "device" and match.start() >= function.body.start
        if inside and parsed.hip(match.start()) is None:
            name = match["name"].decode()
            span, extent = Span(*match.span("std")), Span(match.start("std"), match.end("name"))
            yield Hit("launch/std-function", Use("name", name, span, extent, (), "device", "syntax"), {"name": name})


def _is_delay(parsed: ParsedFile, offset: int) -> bool:
    """Whether a clock is read in the condition of a loop."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type in ("while_statement", "do_statement", "for_statement"):
            condition = around.child_by_field_name("condition")
            return condition is not None and condition.start_byte <= offset < condition.end_byte
    return False
