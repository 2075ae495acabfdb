"""Templates `T min(T, T)` and `T max(T, T)` of the project's own, in the global namespace: clang declares them for HIP.

CUDA has functions for each type of numbers, beside which a template of that form is another function.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.macro_namespaces import may_be_inside
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"min", b"max")

_TEMPLATE = re.compile(rb"template\s*<\s*(?:typename|class)\s+(\w+)\s*>")
_HEAD = re.compile(
    rb"(?P<result>\w+)\s+(?P<name>min|max)\s*\(\s*(?:const\s+)?(?P<first>\w+)(?:\s+const)?(?:\s+\w+)?\s*,"
    rb"\s*(?:const\s+)?(?P<second>\w+)(?:\s+const)?(?:\s+\w+)?\s*\)"
)
"""The head of such a function: `T min(const T a, const T b)`; a reference makes it another function."""
_INSIDE = ("namespace_definition", "class_specifier", "struct_specifier", "ERROR")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each definition for the device with one parameter for types that HIP compiles."""
    for function in parsed.functions:
        if function.name not in ("min", "max") or function.scope != "device":
            continue
        if parsed.hip(function.span.start) is False:
            continue
        around = parsed.nodes_around(function.span.start, function.span.start + 1)
        template = next((one for one in around if one.type == "template_declaration"), None)
        head = _HEAD.search(parsed.data, function.span.start, function.body.start)
        if template is None or head is None or any(one.type in _INSIDE for one in around):
            continue
        if may_be_inside(parsed, template.start_byte):
            continue
        given = _TEMPLATE.match(parsed.data, template.start_byte)
        if given is not None and {head["result"], head["first"], head["second"]} == {given[1]}:
            place, name = Span(head.start("name"), head.end()), head["name"].decode()
            use = Use("name", name, place, Span(template.start_byte, template.end_byte), (), "device", "syntax")
            yield Hit("math/own-min-max", use, {"name": name})
