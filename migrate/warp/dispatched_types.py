"""What a template's parameter stands for: what calls give it, and what PyTorch's `AT_DISPATCH_` macros choose.

A kernel is made for each type of such a choice: `scalar_t` is given to it, or follows from the arguments of a launch.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import template_instances
from cudamigrate.warp.element_types import pointee
from cudamigrate.warp.tree_queries import plain_name

_DISPATCH = re.compile(rb"\bAT_DISPATCH_(\w+)\s*\(")
_SIXTEEN_BITS = re.compile(rb"_AND_HALF|REDUCED_FLOATING|\b(?:at::|torch::)?(?:ScalarType::|k)(?:Half|BFloat16)\b")
_CHOSEN = b"scalar_t"
_POINTER = re.compile(
    rb"[\w:.>()-]*\b(?:data_ptr|data|const_data_ptr|mutable_data_ptr)<\s*(?:const\s+)?scalar_t\s*>\(\)"
)
"""Memory of the type that was chosen: `t.data_ptr<scalar_t>()`."""
_QUALIFIERS = (b"const", b"volatile")


def plain(spelled: bytes) -> bytes:
    """A type's one word without `const`, empty where it has more words."""
    words = [word for word in spelled.split() if word not in _QUALIFIERS]
    return words[0] if len(words) == 1 else b""


def stands_for_half(parsed: ParsedFile, place: Node, name: bytes) -> bool:
    """Whether the parameter `name` of the template around a place is a 16-bit float in a kernel made of it."""
    found = _parameter(parsed, place, name)
    return found is not None and _made(parsed, *found)


def given_types(parsed: ParsedFile, place: Node, name: bytes) -> Iterator[tuple[bytes, Node]]:
    """The types that calls and launches in the file give the parameter `name` of the template around a place.

    They say it, or it follows from a pointer that they hand over. Each comes with the call, where it is spelled.
    """
    found = _parameter(parsed, place, name)
    if found is None:
        return
    function, number, taken = found
    for call in CALLS.below(parsed.tree.root_node):
        called = call.child_by_field_name("function")
        if called is None or plain_name(called) != function.name.encode():
            continue
        said = template_instances.arguments(called)
        if number < len(said):
            yield said[number].encode("latin-1"), call
            continue
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        yield from ((pointee(given[at]), call) for at in taken if at < len(given))


def _parameter(parsed: ParsedFile, place: Node, name: bytes) -> tuple[Function, int, list[int]] | None:
    """The function template around a place, the number of its parameter `name`, and which arguments point to it."""
    around = next((one for one in tree_sitter_nodes.ancestors(place) if one.type == "template_declaration"), None)
    function = parsed.function(place.start_byte)
    listed = around.child_by_field_name("parameters") if around is not None else None
    if function is None or around is None or listed is None or not name:
        return None
    names = [text(one).split(b"=")[0].split()[-1:] for one in listed.named_children]
    return (function, names.index([name]), _taken(around, name)) if [name] in names else None


def _taken(template: Node, name: bytes) -> list[int]:
    """Which parameters of a function template are pointers to its type, from which the type follows."""
    found = list[int]()
    for at, one in enumerate(_parameters(template)):
        declarator = one.child_by_field_name("declarator")
        pointed = declarator is not None and declarator.type == "pointer_declarator"
        if pointed and plain(text(one.child_by_field_name("type"))) == name:
            found.append(at)
    return found


def _parameters(template: Node) -> Iterator[Node]:
    function = next((one for one in template.named_children if one.type == "function_definition"), None)
    declarator = function.child_by_field_name("declarator") if function is not None else None
    while declarator is not None and declarator.child_by_field_name("parameters") is None:
        declarator = declarator.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    yield from tree_sitter_nodes.elements(listed)


def _made(parsed: ParsedFile, function: Function, at: int, taken: list[int]) -> bool:
    """Whether a template is made for each type of a choice that has 16-bit floats, by its parameter at a place."""
    name = function.name.encode()
    used = re.compile(rb"\b%b\s*<\s*(?:[\w:]+\s*,\s*){%d}scalar_t\b" % (re.escape(name), at))
    for match in parsed.lexed.matches(_DISPATCH, b"AT_DISPATCH_"):
        end = parsed.lexed.closing(match.end() - 1)
        begun = parsed.data[match.start() : max(parsed.data.find(b"[", match.end(), end), match.end())]
        if end <= 0 or not _SIXTEEN_BITS.search(begun):
            continue
        if used.search(parsed.data, match.end(), end) or _follows(parsed, function.name, Span(match.end(), end), taken):
            return True
    return False


def _follows(parsed: ParsedFile, name: str, within: Span, taken: list[int]) -> bool:
    """Whether a launch in a choice gives a kernel memory of the type chosen, where it takes a pointer to its own."""
    for use in parsed.uses:
        if use.kind != "launch" or use.name != name or not within.start <= use.span.start < within.end:
            continue
        opening = parsed.lexed.token(use.extent.end)
        if opening is None or parsed.lexed.text(opening) != b"(":
            continue
        given = parsed.arguments(opening.start, parsed.lexed.closing(opening.start))
        if any(at < len(given) and _is_of_choice(parsed, given[at]) for at in taken):
            return True
    return False


def _is_of_choice(parsed: ParsedFile, given: Span) -> bool:
    if _POINTER.fullmatch(parsed.data[given.start : given.end].strip()):
        return True
    return plain(pointee(node_at(parsed, given.start, given.end))) == _CHOSEN
