"""The wave size that the host asks the GPU for, where device code keeps groups of 32 lanes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tree_sitter import Node

from cudamigrate.analysis import builtin_wave
from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.device_properties import (
    PROPERTIES,
    derived,
    is_of_open_type,
    is_of_unseen_type,
    is_property,
    owners,
)
from cudamigrate.analysis.member_arguments import FUNCTION_MACRO, called, defined, names_member
from cudamigrate.analysis.printed_values import is_printed
from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.shadowed_names import declares_the_driver
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.library_waves import keeps_wave

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
_QUERY = re.compile(rb"\w+GetAttribute\w*\s*\(")
"""The call of a query: `cudaDeviceGetAttribute(`, `cuDeviceGetAttribute(`."""
_PASTED = re.compile(rb"\b(?:(?:cuda|hip)DevAttr|hipDeviceAttribute|CU_DEVICE_ATTRIBUTE_)\s*##\s*(?P<parameter>\w+)")
"""An attribute that a macro makes of an argument: `cudaDevAttr##what`."""
_ENDING = re.compile(rb"\b(?:WarpSize|WARP_SIZE)\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Reads of `warpSize` in device properties, and queries of the attribute; what is only printed stays silent.

    A pointer to the member, or a macro that is given its name, reads it too: where, is not followed.

    A file that is written for AMD, and code that HIP alone compiles, ask for what they use.
    """
    if is_native(parsed) or declares_the_driver(parsed):
        return
    yield from _reads(parsed)
    for match in parsed.lexed.matches(_NAMED, b"DeviceProp", b"CUdevprop"):
        if _concerns(parsed, match.start()):
            yield _hit(parsed, Span(*match.span()))
    for match in parsed.lexed.matches(_PLAIN, b"warpSize"):
        if _is_argument(parsed, match.start()) and _is_for_macro(parsed, match.start()):
            yield _hit(parsed, Span(*match.span()))
    for match in parsed.lexed.matches(_ATTRIBUTE, b"WarpSize", b"_WARP_SIZE"):
        directive = parsed.lexed.directive_at(match.start())
        if _concerns(parsed, match.start()) and (directive is None or _is_asked_by(parsed, directive)):
            yield _hit(parsed, Span(*match.span()))
    yield from _pasted(parsed)


def _is_asked_by(parsed: ParsedFile, directive: Directive) -> bool:
    """Whether a macro queries the attribute itself; one that is another name for it asks nothing."""
    return directive.name == "define" and _QUERY.search(parsed.data, directive.rest, directive.end) is not None


def _pasted(parsed: ParsedFile) -> Iterator[Hit]:
    """Ends of the attribute's name that a macro of the file puts behind its beginning: `ATTRIBUTE(n, WarpSize)`."""
    macros = parsed.once(_pasting)
    for match in parsed.lexed.matches(_ENDING, b"WarpSize", b"WARP_SIZE") if macros else ():
        found = called(parsed, match.start())
        if found is not None and found in macros and _concerns(parsed, match.start()):
            yield _hit(parsed, Span(*match.span()))


def _pasting(parsed: ParsedFile) -> frozenset[tuple[bytes, int]]:
    """The macros of a file that make an attribute of an argument, with the number of that argument."""
    found = set[tuple[bytes, int]]()
    for one in parsed.lexed.directives:
        macro = FUNCTION_MACRO.match(one.argument(parsed.data)) if one.name == "define" else None
        if macro is None:
            continue
        names = [name.strip() for name in macro["parameters"].split(b",")]
        given = (pasted["parameter"] for pasted in _PASTED.finditer(macro["body"]))
        found |= {(macro["name"], names.index(name)) for name in given if name in names}
    return frozenset(found)


def _reads(parsed: ParsedFile) -> Iterator[Hit]:
    """Reads of the member, of objects and within classes that are made from properties."""
    classes = derived(parsed)
    property_owners = owners(parsed, (*PROPERTIES, *classes))
    for match in parsed.lexed.matches(_MEMBER, b"warpSize"):
        start = match.start("field")
        known = is_property(parsed, match.start(), property_owners) or _is_open(parsed, start)
        if known and _concerns(parsed, start) and not _is_asked_for_zero(parsed, start):
            yield _hit(parsed, _member(parsed, Span(*match.span("field"))))
    for match in parsed.lexed.matches(_PLAIN, b"warpSize") if classes else ():
        if parsed.scope(match.start()) == "host" and _is_inherited(parsed, match.start(), classes):
            yield _hit(parsed, Span(*match.span()))


def _access(parsed: ParsedFile, start: int) -> Node | None:
    """The expression that reads a member at a place."""
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    around = None if node is None else node.parent
    return around if around is not None and around.type == "field_expression" else None


def _is_open(parsed: ParsedFile, start: int) -> bool:
    """Whether the object is of a type that may be that of properties: a template's, `auto`, or of another file."""
    access = _access(parsed, start)
    return access is not None and (is_of_open_type(parsed, access) or is_of_unseen_type(parsed, access))


def _is_asked_for_zero(parsed: ParsedFile, start: int) -> bool:
    """Whether a size is only asked whether it is there at all: no GPU has 0, and any other is the same to the code."""
    access = _access(parsed, start)
    if access is None:
        return False
    around = next(
        (one for one in tree_sitter_nodes.ancestors(access) if one.type != "parenthesized_expression"), access
    )
    sign = text(around.child_by_field_name("operator"))
    if around.type == "binary_expression" and sign in (b"==", b"!=", b">", b"<="):
        return text(around.child_by_field_name("right")) == b"0"
    chosen = around.parent is not None and around.parent.type == "switch_statement"
    return (around.type == "condition_clause" and not chosen) or (around.type == "unary_expression" and sign == b"!")


def _is_inherited(parsed: ParsedFile, start: int, classes: Collection[str]) -> bool:
    """Whether a name stands in a class that is made from device properties, or in a function of one."""
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    around = [] if node is None else list(tree_sitter_nodes.ancestors(node))
    owners = {
        text(one.child_by_field_name("name")) for one in around if one.type in ("struct_specifier", "class_specifier")
    }
    heads = b" ".join(
        text(one.child_by_field_name("declarator")) for one in around if one.type == "function_definition"
    )
    found = any(one.encode() in owners or re.search(rb"\b%s\s*::" % one.encode(), heads) for one in classes)
    return found and builtin_wave.meaning(parsed, start) != "own"


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
    if parsed.hip(start) is not None or parsed.scope(start) == "device" or keeps_wave(parsed, start):
        return False
    return not is_printed(parsed, start)


def _member(parsed: ParsedFile, field: Span) -> Span:
    """The whole access: `devices[0].warpSize`, where the tree shows it."""
    node = parsed.tree.root_node.descendant_for_byte_range(field.start, field.end - 1)
    around = None if node is None else node.parent
    if around is None or around.type != "field_expression" or around.end_byte != field.end:
        return field
    return Span(around.start_byte, around.end_byte)


def _hit(parsed: ParsedFile, span: Span) -> Hit:
    name = parsed.data[span.start : span.end].decode("utf-8", "replace")
    use = parsed.named_use(name, span)
    return Hit("warp/queried-size", use, {"name": name})
