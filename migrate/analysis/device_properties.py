"""Which accesses to a member are reads of CUDA's or HIP's device properties, as far as a file declares the object."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes

PROPERTIES = ("cudaDeviceProp", "hipDeviceProp_t", "CUdevprop")
"""The types of device properties."""
MENTIONED = re.compile(
    rb"cudaDeviceProp|hipDeviceProp|getCurrentDeviceProperties|getDeviceProperties|cudaGetDeviceProp|get_device_prop"
)
"""What a file holds whose `major` is a GPU's and no other version's: `cudaDeviceProp`, `getDeviceProperties`."""
_GIVEN = re.compile(rb"\b(?P<name>\w+)\s*=\s*(?:[\w:]+::)?get(?:Current)?DeviceProperties\s*\(")
"""A name set by a function for the properties, whose type may be `auto`: `prop = at::cuda::getDeviceProperties(`."""
_NAME = re.compile(rb"(?:^|,)[\s&*]*(?P<name>[A-Za-z_]\w*)")


_DERIVED = re.compile(
    rb"\b(?:struct|class)\s+(?P<name>\w+)\s*(?:final\s*)?:[^{};]*\b(?:cudaDeviceProp|hipDeviceProp_t|CUdevprop)\b[^{};]*\{"
)
"""A class whose objects are device properties: `struct Props : cudaDeviceProp {`."""
_ASSIGNED = re.compile(rb"(?:\.|->)\s*warpSize\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)")
"""Properties that are given a size: `device.warpSize = 8`."""
_TYPES = ("type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration")
_NO_TYPES = frozenset(b"return else new delete case goto throw co_return and or not const".split())
"""Words that may be before a name that is used, and declare nothing."""
_FUNCTIONS = ("function_definition", "lambda_expression")
_AROUND = ("subscript_expression", "call_expression", "parenthesized_expression", "pointer_expression")
"""What leads to an object: elements, results, addresses and what they are of."""
_AUTO = tree_sitter_nodes.Kinds("cuda", "init_declarator", "for_range_loop")
_CLASSES = tree_sitter_nodes.Kinds("cuda", "struct_specifier", "class_specifier")
_DEPTH = 6


def derived(parsed: ParsedFile) -> tuple[str, ...]:
    """The classes of a file that are made from device properties."""
    found = parsed.lexed.matches(_DERIVED, *(one.encode() for one in PROPERTIES))
    return tuple(match["name"].decode("latin-1") for match in found)


def is_of_open_type(parsed: ParsedFile, access: Node) -> bool:
    """Whether a member is read of an object whose type a template is given, or of an `auto` parameter."""
    owner = text(access.child_by_field_name("argument"))
    for around in tree_sitter_nodes.ancestors(access):
        head = around.child_by_field_name("parameters") if around.type == "template_declaration" else None
        types = [one for one in tree_sitter_nodes.elements(head) if one.type in _TYPES]
        if any(_declares(text(around), text(one.named_children[-1]), owner) for one in types if one.named_children):
            return True
        if around.type in _FUNCTIONS and _declares(text(around.child_by_field_name("declarator")), b"auto", owner):
            return True
    return False


def _declares(code: bytes, kind: bytes, name: bytes) -> bool:
    """Whether code has a variable of a type: `const P& p`, `P const *p`."""
    pattern = rb"\b%s\b[\s&*]*(?:const\b)?[\s&*]*\b%s\b" % (re.escape(kind), re.escape(name))
    return re.search(pattern, code) is not None


def is_of_unseen_type(parsed: ParsedFile, access: Node) -> bool:
    """Whether a member is read of what the file does not declare, or as `auto` alone: it may be device properties.

    An object, a member of a class of another file, or what a function gives. What `auto` is made of is followed.
    """
    return _are_properties(parsed, access.child_by_field_name("argument"), _DEPTH) is not False


def _are_properties(parsed: ParsedFile, owner: Node | None, depth: int) -> bool | None:
    """Whether an object is device properties, through copies, references and elements; None where that is open."""
    known = owners(parsed, (*PROPERTIES, *derived(parsed)))
    if owner is not None and is_property(parsed, owner.end_byte, known):
        return True
    while owner is not None and owner.type in _AROUND:
        inner = owner.child_by_field_name("argument") or owner.child_by_field_name("function")
        owner = inner or (owner.named_children[0] if owner.named_child_count else None)
    if owner is not None and owner.type == "field_expression":
        held, owner = owner.child_by_field_name("argument"), owner.child_by_field_name("field")
    else:
        held = None
    name = text(owner).rpartition(b"::")[2]
    if owner is None or depth == 0 or re.fullmatch(rb"[A-Za-z_]\w*", name) is None or name == b"this":
        return False
    scope = _range(parsed, owner.start_byte)
    types, elements = _declared_as(parsed, name, scope)
    if not types:
        elements |= _declared_as(parsed, text(held), scope)[1]  # `devices.back()`
    if any(one.encode() in elements for one in PROPERTIES):
        return True
    own = parsed.once(_classes)
    if not types:
        return False if name in own or not own.isdisjoint(elements) else None
    return _as_made(parsed, name, scope, depth) if types == {b"auto"} else False


def _declared_as(parsed: ParsedFile, name: bytes, scope: Span) -> tuple[set[bytes], set[bytes]]:
    """The types that a name is declared as, in a function or else in the file, and what templates there are given."""
    if re.fullmatch(rb"\w+", name) is None:
        return set(), set()
    declared = re.compile(
        rb"(?P<type>\w+)(?P<of>\s*<[^<>;{}]*>)?[\s&*]*(?:\bconst\b)?(?:[\s&*]+|\b\w+::)%s\s*[;=,:){(\[]" % name
    )
    found = [match for match in parsed.lexed.matches(declared, name) if match["type"] not in _NO_TYPES]
    found = [one for one in found if scope.start <= one.start() < scope.end] or found
    return {one["type"] for one in found}, {word for one in found for word in re.findall(rb"\w+", one["of"] or b"")}


def _as_made(parsed: ParsedFile, name: bytes, scope: Span, depth: int) -> bool | None:
    """Whether something that is `auto` is properties, by what it begins as, or what a loop takes it from."""
    found: set[bool | None] = set()
    for node in _AUTO.below(parsed.tree.root_node):
        words = re.findall(rb"\w+", text(node.child_by_field_name("declarator")))
        if words == [name] and scope.start <= node.start_byte < scope.end:
            value = node.child_by_field_name("value") or node.child_by_field_name("right")
            if value is not None and value.type == "compound_literal_expression":
                kind = text(value.child_by_field_name("type"))
                found.add(any(one in kind for one in map(str.encode, (*PROPERTIES, *derived(parsed)))))
            else:
                found.add(_are_properties(parsed, value, depth - 1) if value is not None else None)
    return found.pop() if len(found) == 1 else None


def _classes(parsed: ParsedFile) -> frozenset[bytes]:
    """The classes of a file that are no properties."""
    names = {text(one.child_by_field_name("name")) for one in _CLASSES.below(parsed.tree.root_node)}
    return frozenset(names).difference(one.encode() for one in derived(parsed))


def is_hardware_s(parsed: ParsedFile, access: Node) -> bool:
    """Whether a read of `warpSize` is what the runtime says of a GPU: of an object that is seen to be properties, in a
    file that gives none of them a size of its own."""
    known = _are_properties(parsed, access.child_by_field_name("argument"), _DEPTH) is True
    return known and not is_of_open_type(parsed, access) and not parsed.once(_gives_size)


def _gives_size(parsed: ParsedFile) -> bool:
    root = parsed.tree.root_node
    places = (match.start() for match in parsed.lexed.matches(_ASSIGNED, b"warpSize"))
    around = (root.descendant_for_byte_range(at, at + 1) for at in places)
    given = (one.parent for one in around if one is not None and one.parent is not None)
    return any(_are_properties(parsed, one.child_by_field_name("argument"), _DEPTH) is not False for one in given)


@cache
def _declared(types: tuple[str, ...]) -> re.Pattern[bytes]:
    """Names declared with a type: `cudaDeviceProp a, *b`; the `>` ends a template: `vector<cudaDeviceProp> all`."""
    return re.compile(rb"\b(?:%s)\b(?:\s*>)?(?:\s|[&*]|\bconst\b)*(?P<names>\w+[^;(){}]*)" % "|".join(types).encode())


def owners(parsed: ParsedFile, types: tuple[str, ...] = PROPERTIES) -> dict[bytes, list[Span]]:
    """Names of variables that hold device properties, each with the ranges in which they do, in order and apart.

    A variable of a function holds them there; any other, a member or a global, in the whole file. With other `types`
    the variables of those.
    """
    found: dict[bytes, list[Span]] = {}
    for match in parsed.lexed.starting(_declared(types), *(word.encode() for word in types)):
        for name in _NAME.finditer(match["names"]):
            found.setdefault(name["name"], []).append(_range(parsed, match.start()))
    for match in parsed.lexed.matches(_GIVEN, b"DeviceProperties") if types == PROPERTIES else ():
        found.setdefault(match["name"], []).append(_range(parsed, match.start()))
    return {name: _joined(spans) for name, spans in found.items()}


def _joined(spans: list[Span]) -> list[Span]:
    """The same ranges in order, those that overlap as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def _range(parsed: ParsedFile, offset: int) -> Span:
    function = parsed.function(offset)
    return Span(0, len(parsed.data)) if function is None else function.span


def is_property(parsed: ParsedFile, dot: int, property_owners: dict[bytes, list[Span]]) -> bool:
    """What is before the dot: a known variable, an element of one, or a call that gives device properties."""
    lexed, owner = parsed.lexed, parsed.lexed.before(dot)
    while owner is not None and lexed.text(owner) in (b"]", b")"):
        opening = lexed.opening(owner.start)
        owner = lexed.before(opening)
        if opening >= 0 and parsed.data[opening] == 40:  # a round bracket
            name = lexed.text(owner)
            return name in (b"getCurrentDeviceProperties", b"getDeviceProperties") or name in property_owners
    known = property_owners.get(lexed.text(owner), [])
    at = bisect_right(known, dot, key=lambda span: span.start) - 1
    return at >= 0 and dot < known[at].end
