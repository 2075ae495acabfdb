"""The warp size that Python asks a device for: 64 on many AMD GPUs, where the kernels count 32 lanes.

Asked of device properties of PyTorch and CuPy, and of devices of PyCUDA, Numba and CUDA Python, by a member, a key or
the number of an attribute. A size that is only printed, described in a table or compared with 32 is no hit. A file that
compares it with 64 knows AMD's waves, and one of Triton's kernels asks for Triton, whose warps are the GPU's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import arguments, enclosing
from cudamigrate.python_source.value_flow import Bindings, Flow
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile

_SIZES = frozenset(("warp_size", "warpSize", "WarpSize", "WARP_SIZE"))
_WORTH = tuple(one.encode() for one in sorted(_SIZES))
_DEVICES = frozenset(
    (
        "torch.cuda.get_device_properties",
        *("cupy.cuda.runtime.getDeviceProperties", "cupy_backends.cuda.api.runtime.getDeviceProperties"),
        *("cupy.cuda.Device", "cupy.cuda.device.Device"),
        *("numba.cuda.get_current_device", "numba.cuda.select_device", "numba.cuda.current_context", "numba.cuda.gpus"),
        *("pycuda.driver.Device", "pycuda.driver.Context.get_device", "pycuda.autoinit.device"),
        *("pycuda.tools.DeviceData", "pycuda.tools.get_default_device"),
        *("cuda.core.Device", "cuda.core.experimental.Device"),
        *("cuda.bindings.runtime.cudaGetDeviceProperties", "cuda.cudart.cudaGetDeviceProperties"),
    )
)
"""What gives a device or its properties."""
_HOLDERS = (b"attributes", b"properties", b"device")
"""Members of a device that hold what it has: `Device().attributes`, `current_context().device`."""
_ATTRIBUTE = re.compile(r"(?:.*\.)?(?:device_attribute\.WARP_SIZE|cudaDevAttrWarpSize|CU_DEVICE_ATTRIBUTE_WARP_SIZE)")
"""The attribute that a query is given: PyCUDA's, the runtime's or the driver's."""
_PRINTS = frozenset(
    (
        *("print", "pprint", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "write"),
        *("echo", "secho", "skip", "fail"),
    )
)
"""Functions and methods that show what they are given."""
_MADE = re.compile(rb"-D|#\s*define\b|__global__|__device__|constexpr\b")
"""What is in a text that something compiles, or is compiled with."""
_KEEPING = (b"int", b"str", b"float", b"max", b"min", b"sum", b"divmod", b"round", b"abs")
_THROUGH = frozenset(
    (
        *("binary_operator", "unary_operator", "boolean_operator", "parenthesized_expression", "expression_list"),
        *(
            "tuple",
            "list",
            "conditional_expression",
            "named_expression",
            "keyword_argument",
            "list_splat",
            "dictionary",
        ),
        *("list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension", "set"),
        *("interpolation", "concatenated_string", "await", "dictionary_splat"),
    )
)
"""Expressions that go where the value in them goes."""
_COUNTS = frozenset(("bit_length", "bit_count"))
"""Methods of a number that give another one made of it."""
_BINDINGS = ("assignment", "augmented_assignment")
_DECIDING = frozenset(("return_statement", "yield", "lambda", "subscript", "slice"))
_LONG = 60
"""Characters of a query that a message has."""
_ATTRIBUTES = tree_sitter_nodes.Kinds("python", "attribute")
_QUERIES = tree_sitter_nodes.Kinds("python", "attribute", "subscript", "call")
_VALUES = tree_sitter_nodes.Kinds("python", "identifier", "attribute", "call")
_ELEMENTS = tree_sitter_nodes.Kinds("python", "subscript", "call")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each query whose result goes to something but a text for people, in code that is not for one vendor."""
    read = program.of(parsed)
    if read is None or not any(word in read.py.text for word in _WORTH) or _is_tritons(parsed, read):
        return
    text = Bindings(read.py)
    found = [one for one in _queries(read, text) if read.open(one.start_byte)]
    peers = Flow(text, found)
    if not found or any(_is_compared(text, one, b"64") for one in _places(text, found, peers)):
        return
    for query in found:
        if any(_decides(text, one) for one in _places(text, [query], Flow(text, [query], peers, _COUNTS))):
            span = read.py.place(query)
            name = " ".join(read.py.raw(query).decode("utf-8", "replace").split())
            name = name if len(name) <= _LONG else f"{name[:_LONG]}..."
            yield Hit("python/queried-warp-size", Use("name", name, span, span, certainty="syntax"), {"name": name})


def _is_tritons(parsed: ProjectFile, read: Program) -> bool:
    """Whether a file has to do with Triton, and has no CUDA C++ of its own."""
    bound = (one.full.partition(".")[0] for found in read.names.bindings.values() for one in found)
    return not parsed.embedded and not read.opaque and "triton" in bound


def _queries(read: Program, text: Bindings) -> Iterator[Node]:
    """The expressions that give a size: the member or the element, or the call that is given the attribute."""
    asked = [one for one in read.uses if one.kind == "name" and _ATTRIBUTE.fullmatch(one.name)]
    numbers = [node for one in asked if (node := next(read.found(one.span), None)) is not None]
    yield from filter(None, (enclosing(one, "call") for one in numbers))
    devices = Flow(text, list(_devices(read)))
    held = [one for one in _ATTRIBUTES.below(text.root) if text.py.raw(_last(one)) in _HOLDERS]
    holders = [one for one in held if devices.carries(one.child_by_field_name("object"))]
    owners = Flow(text, [*_devices(read), *holders])
    for node in _QUERIES.below(text.root):
        owner = _asked(text, node)
        if owner is not None and owners.carries(owner):
            yield node


def _devices(read: Program) -> Iterator[Node]:
    """The calls and names that give a device or its properties."""
    for use in read.uses:
        if use.name in _DEVICES:
            kinds = ("call",) if use.kind == "call" else ("attribute", "identifier")
            yield from (node for kind in kinds if (node := read.first(use.extent, kind)) is not None)


def _asked(text: Bindings, node: Node) -> Node | None:
    """The object that an expression asks for a size, as a member or under a key; None for any other expression."""
    if node.type == "attribute":
        return node.child_by_field_name("object") if text.py.raw(_last(node)).decode() in _SIZES else None
    if node.type == "subscript":
        return node.child_by_field_name("value") if _is_size(text, node.child_by_field_name("subscript")) else None
    given, (method, object_) = arguments(node), text.method(node)
    if method == "get" and given and _is_size(text, given[0]):
        return object_
    function = node.child_by_field_name("function")
    by_name = function is not None and text.py.raw(function) == b"getattr"
    return given[0] if by_name and len(given) > 1 and _is_size(text, given[1]) else None


def _is_size(text: Bindings, key: Node | None) -> bool:
    return key is not None and key.type == "string" and plain(text.py, key) in _SIZES


def _last(attribute: Node) -> Node:
    return attribute.child_by_field_name("attribute") or attribute


def _places(text: Bindings, sources: Iterable[Node], flow: Flow) -> list[Node]:
    """Where the value is used: what gives it, and the names and calls that have it.

    Of a table that has it under a key only where all of the table is given to a function.
    """
    having = (one for one in _VALUES.below(text.root) if flow.carries(one))
    kept = [one for one in having if not _is_table(text, one) or _is_spread(one)]
    return [*sources, *kept, *(one for one in _ELEMENTS.below(text.root) if _is_of_table(text, one, flow))]


def _is_table(text: Bindings, node: Node) -> bool:
    """Whether a name has only tables that are written out."""
    return bool(_tables(text, node))


def _tables(text: Bindings, node: Node) -> list[Node]:
    """The tables that a name has, where it has nothing else."""
    values = text.py.values(text.py.raw(node)) if node.type == "identifier" else []
    return values if all(one.type == "dictionary" for one in values) else []


def _is_of_table(text: Bindings, node: Node, flow: Flow) -> bool:
    """Whether an element is looked up in a table that has the value under that key: `sizes["x"]`, `sizes.get("x")`."""
    method, owner = text.method(node) if node.type == "call" else ("get", node.child_by_field_name("value"))
    given = arguments(node) if node.type == "call" else node.children_by_field_name("subscript")
    key = plain(text.py, given[0]) if method == "get" and given else None
    if key is None or owner is None:
        return False
    pairs = (one for table in _tables(text, owner) for one in table.named_children if one.type == "pair")
    return any(_is_under(text, one, key) and flow.carries(one.child_by_field_name("value")) for one in pairs)


def _is_under(text: Bindings, pair: Node, key: str) -> bool:
    own = pair.child_by_field_name("key")
    return own is not None and plain(text.py, own) == key


def _is_spread(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "dictionary_splat"


def _decides(text: Bindings, node: Node) -> bool:
    """Whether what has the size goes to something that counts with it."""
    around = node.parent
    while around is not None and around.type in _THROUGH | {"pair", "string", "argument_list", "call"}:
        if around.type == "call":
            return not _is_shown(text, around) and node.type == "argument_list" and not _is_kept(text, around)
        if around.type == "argument_list" and _is_kept(text, around.parent):
            node, around = around.parent or around, (around.parent or around).parent
            continue
        if around.type == "string" and not _MADE.search(text.py.raw(around)):
            return False
        if _is_format(text, around, node):
            return False
        node, around = around, around.parent
    if around is None:
        return False
    if around.type == "comparison_operator":
        return not any(_is_compared(text, node, number) for number in (b"32", b"64"))
    if around.type == "subscript":
        return node == around.child_by_field_name("subscript")
    if around.type in _BINDINGS:
        return _is_kept_for_others(text, around, node)
    return around.type in _DECIDING and node.type not in ("dictionary", "string")


def _is_kept_for_others(text: Bindings, binding: Node, value: Node) -> bool:
    """Whether a value is bound to more than a variable: to a member, an element of one, an attribute of a class.

    So it is where a module binds it to a name that it does not read: other files do.
    """
    target = binding.child_by_field_name("left")
    if target is None or target == value:
        return False
    if any(map(_is_member, [target, *target.named_children])):
        return True
    if binding.parent is not None and binding.parent.type == "assignment":
        return _is_kept_for_others(text, binding.parent, binding)
    around = enclosing(binding, "class_definition", "function_definition", "lambda")
    return around.type == "class_definition" if around is not None else _is_unread(text, target)


def _is_unread(text: Bindings, name: Node) -> bool:
    """Whether a text has a name in one place only."""
    if name.type != "identifier":
        return False
    return len(re.findall(rb"(?<!\w)%b(?!\w)" % re.escape(text.py.raw(name)), text.py.text)) == 1


def _is_member(target: Node) -> bool:
    """Whether something is a member of an object, or is put under a key of one."""
    while target.type == "subscript" and (held := target.child_by_field_name("value")) is not None:
        target = held
    return target.type == "attribute"


def _is_kept(text: Bindings, call: Node | None) -> bool:
    """Whether a call is of a function of Python's that makes a value of the one it is given."""
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and text.py.raw(function) in _KEEPING


def _is_shown(text: Bindings, call: Node) -> bool:
    """Whether a call shows what it is given: prints it, logs it, fills a text, or makes an error of it."""
    function = call.child_by_field_name("function")
    method, object_ = text.method(call)
    if object_ is not None and method == "format":
        return not _MADE.search(text.py.raw(object_))
    name = method or (text.py.raw(function).decode("utf-8", "replace") if function is not None else "")
    return name in _PRINTS or (call.parent is not None and call.parent.type == "raise_statement")


def _is_format(text: Bindings, around: Node, value: Node) -> bool:
    """Whether a text is filled in by `%`, and is for people."""
    left, sign = around.child_by_field_name("left"), around.child_by_field_name("operator")
    if around.type != "binary_operator" or left is None or sign is None or left == value:
        return False
    is_text = left.type in ("string", "concatenated_string") and text.py.raw(sign) == b"%"
    return is_text and not _MADE.search(text.py.raw(left))


def _is_compared(text: Bindings, node: Node, number: bytes) -> bool:
    """Whether a value is compared with a number that is written beside it."""
    around = node.parent
    return (
        around is not None
        and around.type == "comparison_operator"
        and any(text.py.raw(one) == number for one in around.named_children)
    )
