"""The wave size that the host asks the GPU for, where device code keeps groups of 32 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis import builtin_wave
from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.device_properties import is_property, owners
from cudamigrate.analysis.member_arguments import called, defined, names_member
from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"warpSize", b"WarpSize", b"WARP_SIZE")

_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<field>warpSize)\b(?!\s*(?:[!=]=\s*32\b|=(?!=)))")
"""The property `prop.warpSize`; not where it is compared with 32, nor where a value is given to it (lookahead)."""
_ATTRIBUTE = re.compile(
    rb"\b(?:(?:cuda|hip)DevAttrWarpSize|hipDeviceAttributeWarpSize|CU_DEVICE_ATTRIBUTE_WARP_SIZE)\b"
)
"""The attribute that asks for the warp size, in either runtime or the driver: `cudaDevAttrWarpSize`."""
_NAMED = re.compile(rb"\b(?:cudaDeviceProp|hipDeviceProp_t|CUdevprop)\s*::\s*warpSize\b")
"""The member by its class, as a pointer to it is made: `&cudaDeviceProp::warpSize`."""
_PLAIN = re.compile(rb"(?<![\w.:>])warpSize\b")
"""The name alone, as an argument of a macro that makes a member of it."""
_OUTPUT = frozenset((b"printf", b"fprintf", b"snprintf", b"std::printf", b"std::fprintf", b"puts", b"fmt::print"))
_STREAM = re.compile(rb"\s*(?:std::)?(?:cout|cerr|clog)\s*<<")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Reads of `warpSize` in device properties, and queries of the attribute; what is only printed stays silent.

    A pointer to the member, or a macro that is given its name, reads it too: where, is not followed.

    A file that is written for AMD, and code that HIP alone compiles, ask for what they use.
    """
    if is_native(parsed):
        return
    property_owners = owners(parsed)
    asks = bool(property_owners) or parsed.lexed.holds(b"DeviceProperties")
    for match in parsed.lexed.matches(_MEMBER) if asks else ():
        start = match.start("field")
        if _concerns(parsed, start) and is_property(parsed, match.start(), property_owners):
            yield _hit(parsed, _member(parsed, Span(*match.span("field"))))
    for match in parsed.lexed.matches(_NAMED, b"DeviceProp", b"CUdevprop"):
        if _concerns(parsed, match.start()):
            yield _hit(parsed, Span(*match.span()))
    for match in parsed.lexed.matches(_PLAIN, b"warpSize"):
        if _is_argument(parsed, match.start()) and _is_for_macro(parsed, match.start()):
            yield _hit(parsed, Span(*match.span()))
    for match in parsed.lexed.matches(_ATTRIBUTE, b"WarpSize", b"_WARP_SIZE"):
        if _concerns(parsed, match.start()) and parsed.lexed.directive_at(match.start()) is None:
            yield _hit(parsed, Span(*match.span()))


def _is_argument(parsed: ParsedFile, start: int) -> bool:
    """Whether a name may be one of the properties: of code for the host, or in the body of a macro for either side."""
    directive = parsed.lexed.directive_at(start)
    if directive is not None:
        return directive.name == "define" and parsed.hip(start) is None
    return _concerns(parsed, start)


def _is_for_macro(parsed: ParsedFile, start: int) -> bool:
    """Whether a name goes to a macro that makes a member of it, of device properties as far as can be seen.

    In code for the host nothing is called `warpSize`, but for what the project calls so: what is given it is a macro,
    of another file where this one has none.
    """
    if names_member(parsed, start):
        return parsed.lexed.holds(b"DeviceProp")
    macro, _ = called(parsed, start) or (b"", 0)
    if not macro or parsed.lexed.directive_at(start) is not None or parsed.scope(start) != "host":
        return False
    around = parsed.function(start)
    if around is None or "::" in around.name or parsed.source.language != "cuda":
        return False
    known = macro.decode() in CallGraph.of(parsed).named or macro in defined(parsed)
    return not known and builtin_wave.meaning(parsed, start) != "own"


def _concerns(parsed: ParsedFile, start: int) -> bool:
    return parsed.hip(start) is None and parsed.scope(start) != "device" and not _is_printed(parsed, start)


def _member(parsed: ParsedFile, field: Span) -> Span:
    """The whole access: `devices[0].warpSize`, where the tree shows it."""
    node = parsed.tree.root_node.descendant_for_byte_range(field.start, field.end - 1)
    around = None if node is None else node.parent
    if around is None or around.type != "field_expression" or around.end_byte != field.end:
        return field
    return Span(around.start_byte, around.end_byte)


def _is_printed(parsed: ParsedFile, start: int) -> bool:
    """Whether a value goes to a stream or to a function of the standard library that writes text, and nowhere else."""
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type == "call_expression":
            return text(around.child_by_field_name("function")) in _OUTPUT
        if around.type == "expression_statement":
            return _STREAM.match(text(around)) is not None and not _assigns(around)
        if around.type in ("declaration", "assignment_expression", "compound_statement"):
            return False
    return False


def _assigns(statement: Node) -> bool:
    return any(child.type == "assignment_expression" for child in statement.named_children)


def _hit(parsed: ParsedFile, span: Span) -> Hit:
    name = parsed.data[span.start : span.end].decode("utf-8", "replace")
    use = parsed.named_use(name, span)
    return Hit("warp/queried-size", use, {"name": name})
