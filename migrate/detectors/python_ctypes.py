"""What Python calls in CUDA's libraries through ctypes, and the structures that it declares for them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.loaded_libraries import FUNCTION, LoadedLibraries
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import argument, arguments, enclosing
from cudamigrate.syntax.project_file import ProjectFile

_PROPERTIES = re.compile(rb"cudaGetDeviceProperties(?:_v2)?")
_BY_ADDRESS = ("ctypes.byref", "ctypes.pointer", "ctypes.addressof")
_STRUCTURES = ("ctypes.Structure", "ctypes.LittleEndianStructure")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """The first use of each function, each library found by a part of its name, and the structures for properties."""
    read = program.of(parsed)
    if read is None or b"ctypes" not in read.py.text:
        return
    libraries, seen = LoadedLibraries(read), set[tuple[str, str]]()
    for call in read.py.kind("call"):
        loaded = libraries.of(call)
        if loaded is not None and _is_part(read, loaded.literal) and read.open(call.start_byte):
            key = "", str(loaded.literal.start_byte)
            span = read.py.place(loaded.literal)
            if key not in seen:
                yield Hit(
                    "python/cuda-library-loaded", Use("name", f'"{loaded.name}"', span, span, certainty="resolved")
                )
            seen.add(key)
    for place, name, owner in _symbols(read):
        loaded = libraries.of(owner) if read.open(place.start_byte) else None
        if loaded is None:
            continue
        text = name.decode("latin-1")
        if (loaded.name, text) not in seen:
            seen.add((loaded.name, text))
            use = Use("name", text, read.py.place(place), read.py.place(place), certainty="resolved")
            yield Hit("python/cuda-library-function", use, {"name": text, "library": loaded.name})
        if _PROPERTIES.fullmatch(name):
            yield from _layouts(read, place, seen)


def _is_part(read: Program, literal: Node) -> bool:
    """Whether a literal is what `find_library` takes, and not a file's name, which has a finding of its own."""
    return b"." not in read.py.raw(literal)


def _symbols(read: Program) -> Iterator[tuple[Node, bytes, Node]]:
    """The functions that are asked for by an attribute or by `getattr`: the place, the name, and what is asked."""
    found = list[Node]()
    nodes = [read.py.tree.root_node] if FUNCTION.search(read.py.text) else []
    while nodes:
        node = nodes.pop()
        nodes.extend(node.named_children)
        found += [node] if node.type == "attribute" else []
    for node in sorted(found, key=lambda one: one.start_byte):
        owner, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        if owner is not None and name is not None and FUNCTION.fullmatch(read.py.raw(name)):
            yield node, read.py.raw(name), owner
    for call in read.py.kind("call"):
        function = call.child_by_field_name("function")
        given = arguments(call) if function is not None and read.py.raw(function) == b"getattr" else []
        text = read.py.raw(given[1])[1:-1] if len(given) > 1 and given[1].type == "string" else b""
        if FUNCTION.fullmatch(text):
            yield given[1], text, given[0]


def _layouts(read: Program, place: Node, seen: set[tuple[str, str]]) -> Iterator[Hit]:
    """The structures of the file whose address a function is given for the properties of a device."""
    for call in _calls(read, place):
        address = argument(read.py, call, 0)
        inner = address
        if address is not None and address.type == "call":
            by_address = read.names.of(address.child_by_field_name("function")) in _BY_ADDRESS
            inner = argument(read.py, address, 0) if by_address else address
        for made in read.py.values(read.py.raw(inner)) if inner is not None else ():
            fields = _fields(read, made)
            if fields is None:
                continue
            name, span = fields[0], read.py.place(fields[1])
            if ("fields", name) not in seen:
                use = Use("name", name, span, span, certainty="resolved")
                yield Hit("python/ctypes-device-properties", use, {"name": name})
            seen.add(("fields", name))


def _calls(read: Program, place: Node) -> Iterator[Node]:
    """The calls of a function that is asked for at a place: there, or by the variable that it is given."""
    parent = place.parent
    if parent is not None and parent.type == "call" and parent.child_by_field_name("function") == place:
        yield parent
    if parent is not None and parent.type == "assignment":
        target = parent.child_by_field_name("left")
        held = read.py.raw(target) if target is not None else b""
        for call in read.py.kind("call"):
            function = call.child_by_field_name("function")
            if held and function is not None and read.py.raw(function) == held:
                yield call


def _fields(read: Program, made: Node) -> tuple[str, Node] | None:
    """The name of the structure of the file that an expression makes one of, and where its members are declared."""
    function = made.child_by_field_name("function") if made.type == "call" else None
    name = read.py.raw(function) if function is not None else b""
    for fields in read.py.kind("assignment"):
        target, around = fields.child_by_field_name("left"), enclosing(fields, "class_definition")
        named = around.child_by_field_name("name") if around is not None else None
        if target is None or around is None or named is None or read.py.raw(target) != b"_fields_":
            continue
        bases = around.child_by_field_name("superclasses")
        is_structure = any(read.names.of(one) in _STRUCTURES for one in (bases.named_children if bases else ()))
        if is_structure and read.py.raw(named) == name:
            return name.decode("utf-8", "replace"), target
    return None
