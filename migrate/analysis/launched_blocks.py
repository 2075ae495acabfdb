"""In which blocks a file launches kernels: between brackets, by functions of the runtime, by a configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values, node_at, plain_words
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import elements

_DIRECT = (b"cudaLaunchKernel", b"cudaLaunchCooperativeKernel")
_CONFIGURED = (b"cudaLaunchKernelEx", b"cudaLaunchKernelExC")
"""Functions that are given a kernel, the grid and the block; and those that are given a configuration and a kernel."""
_ASKS = re.compile(rb"cuda(?:Occupancy|FuncSet|FuncGet)\w+")
"""Functions that are given a kernel and launch nothing: `cudaOccupancyMaxActiveBlocksPerMultiprocessor`."""
_MEMBER = b"blockDim"
_VARIABLES = tree_sitter_nodes.Kinds("cuda", "declaration")
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "pointer_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
_CONFIGURATION = b"cudaLaunchConfig_t"
_LISTS = ("argument_list", "initializer_list", "parameter_list")
Size = int | Node
"""A number of threads, 0 where it is not seen, or what constants of other files may make one."""
_DEPTH = 4
"""Variables that are followed, one given another."""
_UNSEEN: tuple[Size, Size] = (0, 0)


class Block(NamedTuple):
    """A launch of a kernel, with the width and height of its blocks.

    Where a function makes the configuration, `maker` is its name and `given` what its arguments are as blocks.
    """

    kernel: str
    width: Size
    height: Size
    maker: str = ""
    given: tuple[tuple[Size, Size], ...] = ()

    @property
    def shape(self) -> tuple[int, int] | None:
        """Width and height where the file shows both."""
        width, height = self.width, self.height
        return (width, height) if isinstance(width, int) and isinstance(height, int) and width and height else None


def blocks(parsed: ParsedFile) -> tuple[Block, ...]:
    """The launches of a file, as far as it names their kernels."""
    return parsed.once(_blocks)


def _blocks(parsed: ParsedFile) -> tuple[Block, ...]:
    found = []
    for use in parsed.uses:
        if use.kind == "launch" and use.name:
            node = node_at(parsed, use.args[1].start, use.args[1].end) if len(use.args) > 1 else None
            shape = _UNSEEN if node is None else _Variables(parsed, node).shape(node)
            found.append(Block(_plain(use.name.encode()), *shape))
    for call in CALLS.below(parsed.tree.root_node) if b"cudaLaunch" in parsed.data else ():
        name, given = text(call.child_by_field_name("function")), elements(call.child_by_field_name("arguments"))
        variables = _Variables(parsed, call)
        if name in _DIRECT and len(given) > 2:
            found.append(Block(_kernel(given[0]), *variables.shape(given[2])))
        elif name in _CONFIGURED and len(given) > 1:
            found.append(_of_configuration(_kernel(given[1]), variables, text(given[0]).strip(b"&* ")))
    return tuple(dict.fromkeys(found))


def threads(parsed: ParsedFile, node: Node | None) -> int:
    """How many threads a block of one dimension has, through variables that nothing changes; 0 where not seen."""
    variables = _Variables(parsed, node) if node is not None else None
    if variables is None or not variables.is_line(node):
        return 0
    width, _ = variables.shape(node)
    return width if isinstance(width, int) else 0


def lines(parsed: ParsedFile) -> frozenset[str]:
    """The kernels of a file which it launches in blocks of one dimension, and names for nothing else."""
    apart, seen, places = set[str](), set[str](), list[int]()
    for use in parsed.uses:
        if use.kind == "launch" and use.name:
            places.append(use.span.start)
            node = node_at(parsed, use.args[1].start, use.args[1].end) if len(use.args) > 1 else None
            is_line = node is not None and _Variables(parsed, node).is_line(node)
            (seen if is_line else apart).add(_plain(use.name.encode()))
    heads = [(one.start_byte, one.end_byte) for one in _told(parsed, seen, apart)]
    heads += [(one.span.start, one.body.start) for one in parsed.functions if one.name in seen]
    names = frozenset(name.encode() for name in seen - apart)
    for at in parsed.lexed.words(names) if names else ():
        token = parsed.lexed.token(at)
        if token is not None and not any(start <= at < end for start, end in heads):
            behind = (parsed.data[token.end : place].strip() for place in places if place > at)
            apart |= set() if _is_launched(next(behind, b";")) else {parsed.lexed.text(token).decode("latin-1")}
    return frozenset(seen - apart)


def _told(parsed: ParsedFile, seen: set[str], apart: set[str]) -> Iterator[Node]:
    """The arguments of functions that launch a kernel, in blocks of one dimension or not, or ask for what it needs."""
    for call in CALLS.below(parsed.tree.root_node):
        name, given = text(call.child_by_field_name("function")), elements(call.child_by_field_name("arguments"))
        if name in _DIRECT and len(given) > 2:
            (seen if _Variables(parsed, call).is_line(given[2]) else apart).add(_kernel(given[0]))
            yield given[0]
        elif _ASKS.fullmatch(name):
            yield from given


def _is_launched(between: bytes) -> bool:
    """Whether nothing but a template's arguments is between a name and the brackets of a launch."""
    return not between or (between[:1] == b"<" and between[-1:] == b">" and b";" not in between)


def _of_configuration(kernel: str, variables: _Variables, name: bytes) -> Block:
    made = variables.configured(name)
    maker = "" if made is None else _plain(text(made.child_by_field_name("function")))
    if made is None or maker in ("", "dim3"):
        return Block(kernel, *variables.shape(made))
    shapes = tuple(variables.shape(one) for one in elements(made.child_by_field_name("arguments")))
    return Block(kernel, *_UNSEEN, maker, shapes)


def makers(parsed: ParsedFile) -> tuple[tuple[str, int], ...]:
    """The functions of a file that return a configuration, each with which parameter is the block in it."""
    nodes = _FUNCTIONS.below(parsed.tree.root_node) if _CONFIGURATION in parsed.data else ()
    found = ((_name(one), _block_of(parsed, one)) for one in nodes)
    return tuple((name, at) for name, at in found if name and at >= 0)


def _name(function: Node) -> str:
    """The plain name of a function that returns a configuration; empty for another one."""
    declarator = function.child_by_field_name("declarator")
    returns = text(function.child_by_field_name("type")).split()[-1:] == [_CONFIGURATION]
    plain = returns and declarator is not None and declarator.type == "function_declarator"
    return _plain(text(declarator.child_by_field_name("declarator"))) if plain and declarator is not None else ""


def _block_of(parsed: ParsedFile, function: Node) -> int:
    """The number of the parameter that is the block of the configuration which a function returns; -1 for none."""
    results = _RETURNS.within(parsed.tree.root_node, function)
    value = results[0].named_children[0] if len(results) == 1 and results[0].named_child_count else None
    if value is None or value.type != "identifier":
        return -1
    variables = _Variables(parsed, value)
    block = text(variables.configured(text(value)))
    declarator = function.child_by_field_name("declarator")
    listed = elements(declarator.child_by_field_name("parameters")) if declarator is not None else []
    names = [text(_NAMES.below(one)[-1]) if _NAMES.below(one) else b"" for one in listed]
    own = block in names and not variables.changes(block) and not variables.is_lent(block)
    return names.index(block) if own else -1


def _kernel(node: Node) -> str:
    """The name of the kernel that a launch is given, behind casts."""
    while node.type in ("cast_expression", "pointer_expression", "parenthesized_expression", "call_expression"):
        node = (elements(node.child_by_field_name("arguments")) or node.named_children)[-1]
    return _plain(text(node))


def _plain(spelled: bytes) -> str:
    return spelled.partition(b"<")[0].strip().rpartition(b"::")[2].decode("latin-1")


class _Variables:
    """The variables of the function around a launch: blocks and configurations."""

    def __init__(self, parsed: ParsedFile, launch: Node) -> None:
        self.values, self.start = Values.of(parsed), launch.start_byte
        self.function = next(_FUNCTIONS.around(parsed.tree.root_node, launch), None)
        self.names = _named(parsed, self.function)

    def configured(self, name: bytes) -> Node | None:
        """What the block of a configuration is, where that is set once."""
        sets = [(at, node) for at, node in self.changes(name) if at.partition(b".")[0] in (name, _MEMBER)]
        if sets:
            return sets[0][1] if len(sets) == 1 and sets[0][0] == _MEMBER else None
        made = self._value(name)
        if made is not None and made.type == "call_expression":
            return made
        listed = elements(made) if made is not None and made.type in _LISTS else []
        return listed[1] if len(listed) > 1 else None

    def shape(self, node: Node | None) -> tuple[Size, Size]:
        """Width and height of a block."""
        if node is None:
            return _UNSEEN
        if node.type == "identifier" and (value := self._value(text(node))) is not None:
            return _UNSEEN if self.changes(text(node)) or self.is_lent(text(node)) else self.shape(value)
        if node.type == "call_expression" and text(node.child_by_field_name("function")) == b"dim3":
            return self.shape(node.child_by_field_name("arguments"))
        if node.type == "compound_literal_expression":
            return self.shape(node.child_by_field_name("value"))
        if node.type in _LISTS:
            sizes = [*map(self._size, elements(node)), 1, 1]
            return sizes[0], sizes[1]
        return self._size(node), 1

    def is_line(self, node: Node | None) -> bool:
        """Whether a block is seen to have one dimension: a number of threads, or a `dim3` with ones behind it."""
        if node is None or integer_types.of(self.values, node) is not None:
            return node is not None
        if node.type == "identifier":
            fixed = not self.changes(text(node)) and not self.is_lent(text(node))
            return fixed and self.is_line(self._value(text(node)))
        if node.type == "call_expression" and text(node.child_by_field_name("function")) == b"dim3":
            return self.is_line(node.child_by_field_name("arguments"))
        if node.type == "compound_literal_expression":
            return self.is_line(node.child_by_field_name("value"))
        if node.type == "parameter_declaration":  # `dim3 block(n);` reads as a function's
            named = self.values.locals(self.start).get(text(node), [])
            return all(not one.rank and plain_words(one.words) for one in named) and bool(named or self._size(node))
        if node.type not in _LISTS:
            return isinstance(known := self._size(node), int) and known > 0
        sizes = elements(node)
        return self.is_line(sizes[0] if sizes else None) and all(self._size(one) == 1 for one in sizes[1:])

    def _only_value(self, name: bytes) -> Node | None:
        """What a local variable begins with that nothing changes and nothing has the address of."""
        value = self._value(name) if name in self.values.locals(self.start) else None
        fixed = value is not None and value.type not in _LISTS and not self.changes(name) and not self.is_lent(name)
        return value if fixed else None

    def _size(self, node: Node, depth: int = _DEPTH) -> Size:
        own = self.values.locals(node.start_byte).keys() | set(_template_numbers(self.function))
        known = self.values.constant(node)
        if known is None and node.type == "parameter_declaration" and text(node) not in own:
            known = self.values.spelled(text(node))  # `dim3 block(WIDTH, HEIGHT);` reads as a function's parameters
        if known is not None:
            return known
        if (begins := self._only_value(text(node))) is not None and depth:
            return self._size(begins, depth - 1)
        return 0 if self._is_method() or any(text(one) in own for one in _NAMES.below(node)) else node

    def _is_method(self) -> bool:
        """Whether the function is one of a class, whose members have names too."""
        around = [] if self.function is None else tree_sitter_nodes.ancestors(self.function)
        declarator = None if self.function is None else self.function.child_by_field_name("declarator")
        spelled = text(declarator).partition(b"(")[0]
        return b"::" in spelled or any(one.type in ("struct_specifier", "class_specifier") for one in around)

    def _value(self, name: bytes) -> Node | None:
        """What a variable begins with; `dim3 block(width, height);` reads as the declaration of a function."""
        found = self.names.declared.get(name, ())
        value = found[0].child_by_field_name("value") if len(found) == 1 else None
        return value or (found[0].child_by_field_name("parameters") if len(found) == 1 else None)

    def changes(self, name: bytes) -> Sequence[tuple[bytes, Node]]:
        """What a variable and its members are assigned later: the member, or the variable itself."""
        return self.names.changed.get(name, ())

    def is_lent(self, name: bytes) -> bool:
        """Whether something has the address of a variable."""
        return name in self.names.lent


@dataclass(slots=True)
class _Named:
    """The variables of one function by name: their declarators, what is assigned to them, and which are pointed to."""

    declared: dict[bytes, list[Node]] = field(default_factory=dict)
    changed: dict[bytes, list[tuple[bytes, Node]]] = field(default_factory=dict)
    lent: set[bytes] = field(default_factory=set)


def _named(parsed: ParsedFile, function: Node | None) -> _Named:
    """The variables of a function, which is gone through once for all its launches; none where there is none."""
    if function is None:
        return _Named()
    known = parsed.once(_functions)
    made = known.get(function.start_byte)
    if made is None:
        made = known[function.start_byte] = _read(parsed.tree.root_node, function)
    return made


def _functions(_parsed: ParsedFile) -> dict[int, _Named]:
    """The functions that were gone through, by where they begin."""
    return {}


def _read(root: Node, function: Node) -> _Named:
    made = _Named()
    for node in _VARIABLES.within(root, function):
        for one in node.children_by_field_name("declarator"):
            made.declared.setdefault(text(one.child_by_field_name("declarator") or one), []).append(one)
    for one in _CHANGES.within(root, function):
        if one.type == "pointer_expression":
            made.lent.add(text(one.child_by_field_name("argument")))
            continue
        target = one.child_by_field_name("left") or one.child_by_field_name("argument")
        name, _, member = b"".join(text(target).split()).partition(b".")
        made.changed.setdefault(name, []).append((member or name, one.named_children[-1]))
    return made


def _template_numbers(function: Node | None) -> list[bytes]:
    """The names that the templates around a function are given."""
    around = [] if function is None else tree_sitter_nodes.ancestors(function)
    listed = [one.child_by_field_name("parameters") for one in around if one.type == "template_declaration"]
    return [text(one) for each in listed if each is not None for one in _NAMES.below(each)]
