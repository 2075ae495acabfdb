"""Shuffles of cooperative groups whose value is no number: HIP's take what `__shfl` has an overload for."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.arithmetic_types import is_number, parameters
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, span

WORDS = (b"shfl",)
_SHUFFLES = (b"shfl", b"shfl_up", b"shfl_down", b"shfl_xor")
_CLASSES = tree_sitter_nodes.Kinds("cuda", "struct_specifier", "class_specifier", "union_specifier")
_ENUMERATIONS = tree_sitter_nodes.Kinds("cuda", "enum_specifier")
_SCOPE = re.compile(rb"(?<!\w)([A-Za-z_]\w*)\s*::\s*[A-Za-z_]")
_OF_LIBRARIES = frozenset(b"pair tuple complex array cuComplex cuFloatComplex cuDoubleComplex dim3".split())
"""Class types of the standard library, Thrust and CUDA by their last name."""
_VECTOR = re.compile(rb"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]")
"""CUDA's vector types, which are classes: `float4`, `ulonglong2`."""
_BESIDE = frozenset(b"const volatile typename struct class union std thrust cuda".split())
_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEPTH = 4


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Those whose value is shown to be an object, a pointer or of an enumeration, or depends on the template's use."""
    for call in CALLS.below(parsed.tree.root_node):
        kind, name = _shuffle(parsed, call)
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if not name or len(given) != 2 or parsed.hip(call.start_byte) is not None:
            continue
        values = parsed.once(Values)
        shown = "" if is_number(values, given[0]) else _shown(parsed, values, bare(given[0]))
        if shown:
            place = span(call)
            args = tuple(span(one) for one in given)
            scope, sure = parsed.scope(place.start), parsed.certainty(place.start)
            use = Use("call", f"{kind}.{name.decode()}", place, place, args, scope, sure)
            yield Hit("cooperative-groups/group-shuffle", use, {"name": name.decode(), "value": shown})


def _shuffle(parsed: ParsedFile, call: Node) -> tuple[str, bytes]:
    """The kind of group and the member, where a call is a shuffle of a known one."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return "", b""
    name = text(function.child_by_field_name("field"))
    group = function.child_by_field_name("argument")
    if name not in _SHUFFLES or group is None or group.type != "identifier":
        return "", b""
    kind = groups(parsed).kind(text(group), call.start_byte)
    return (kind, name) if kind in ("tile", "active") else ("", b"")


def _shown(parsed: ParsedFile, values: Values, value: Node | None, depth: int = _DEPTH) -> str:
    """What a value is in words, where it is shown to be no number or to depend on a template; empty elsewhere."""
    indexed = 0
    while value is not None and value.type == "subscript_expression":
        value, indexed = value.child_by_field_name("argument"), indexed + 1
    if value is None or value.type != "identifier" or not depth:
        return ""
    found = values.locals(value.start_byte).get(text(value), [])
    if len(found) != 1:
        return ""
    words = [word for word in found[0].words if _WORD.fullmatch(word) and word not in _BESIDE]
    if words == [b"auto"]:
        return _shown(parsed, values, bare(found[0].value), depth - 1) if not indexed else ""
    if found[0].rank > indexed:
        return "is a pointer"
    if found[0].rank != indexed:
        return ""
    own = parsed.once(_classes)
    kind = next((one for one in sorted(words) if one in own or one in _OF_LIBRARIES or _VECTOR.fullmatch(one)), None)
    if kind is not None and (len(words) == 1 or b"<" in found[0].words):
        return f"is an object of `{kind.decode()}`"
    alone = words[0] if len(words) == 1 and b"::" not in found[0].words else b""
    if alone not in parameters(value) and alone in parsed.once(_enumerations) | parsed.once(_scopes):
        return f"is of the class or enumeration `{alone.decode()}`"
    template = set(parameters(value)) & set(words)
    return "has a type that only the use of the template tells" if template and b"typename" in found[0].words else ""


def _enumerations(parsed: ParsedFile) -> frozenset[bytes]:
    """The enumerations that the file defines: HIP asks for an integer or floating-point type, and these are none."""
    named = (text(one.child_by_field_name("name")) for one in _ENUMERATIONS.below(parsed.tree.root_node))
    return frozenset(filter(None, named))


def _scopes(parsed: ParsedFile) -> frozenset[bytes]:
    """What qualifies other names, as `State` in `State::done`: a type that does so is a class or an enumeration."""
    return frozenset(match[1] for match in parsed.lexed.matches(_SCOPE, b"::"))


def _classes(parsed: ParsedFile) -> frozenset[bytes]:
    """The classes that the file defines."""
    named = (text(one.child_by_field_name("name")) for one in _CLASSES.below(parsed.tree.root_node))
    return frozenset(filter(None, named))
