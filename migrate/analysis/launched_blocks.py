"""In which blocks a file launches kernels: between brackets, by functions of the runtime, by a configuration."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values, node_at, plain_words
from cudamigrate.analysis.launch_variables import DIRECT, named
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import elements

_CONFIGURED = (b"cudaLaunchKernelEx", b"cudaLaunchKernelExC")
"""Functions that are given a configuration and a kernel."""
_MEMBER = b"blockDim"
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_argument_list")
_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
_CONFIGURATION = b"cudaLaunchConfig_t"
_LISTS = ("argument_list", "initializer_list", "parameter_list")
Size = int | Node
"""A number of threads, 0 where it is not seen, or what constants of other files may make one."""
_DEPTH = 4
"""Variables that are followed, one given another."""
_UNSEEN: tuple[Size, Size] = (0, 0)
_ALL = 3
"""The dimensions of a block of which nothing is seen."""
_MEMBERS = {b"x": 1, b"y": 2, b"z": 3}
_ASKING = (b"cudaFunc", b"cudaOccupancy")
"""How functions of the runtime begin that ask of a kernel, or set what it may have, and launch none."""


class Block(NamedTuple):
    """A launch of a kernel, with the width and height of its blocks.

    `dimensions` says that behind so many all are 1; it is 3 also where that is not seen, or where the file does more
    with the kernel's name than launch it. Where a function makes the configuration, `maker` is its name and `given`
    what its arguments are as blocks. `constants` are the numbers that the kernel's template is given, 0 for others.
    """

    kernel: str
    width: Size
    height: Size
    dimensions: int = _ALL
    maker: str = ""
    given: tuple[tuple[Size, Size], ...] = ()
    constants: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, int] | None:
        """Width and height where the file shows both."""
        width, height = self.width, self.height
        return (width, height) if isinstance(width, int) and isinstance(height, int) and width and height else None


def blocks(parsed: ParsedFile) -> tuple[Block, ...]:
    """The launches of a file, as far as it names their kernels."""
    return parsed.once(_blocks)


def _blocks(parsed: ParsedFile) -> tuple[Block, ...]:
    found = list(_launches(parsed))
    alone = frozenset(one.kernel for one in found) - _named_apart(parsed, {one.kernel for one in found})
    return tuple(dict.fromkeys(one if one.kernel in alone else one._replace(dimensions=_ALL) for one in found))


def _launches(parsed: ParsedFile) -> Iterator[Block]:
    for use in parsed.uses:
        if use.kind == "launch" and use.name:
            node = node_at(parsed, use.args[1].start, use.args[1].end) if len(use.args) > 1 else None
            kernel = _plain(use.name.encode())
            variables = None if node is None else _Variables(parsed, node)
            made = Block(kernel, *_UNSEEN) if variables is None else variables.block(kernel, node)
            yield made if variables is None else made._replace(constants=variables.constants(node))
    for call in CALLS.below(parsed.tree.root_node) if b"cudaLaunch" in parsed.data else ():
        name, given = text(call.child_by_field_name("function")), elements(call.child_by_field_name("arguments"))
        variables = _Variables(parsed, call)
        if name in DIRECT and len(given) > 2:
            yield variables.block(_kernel(given[0]), given[2])
        elif name in _CONFIGURED and len(given) > 1:
            yield _of_configuration(_kernel(given[1]), variables, text(given[0]).strip(b"&* "))


def threads(parsed: ParsedFile, node: Node | None) -> int:
    """How many threads a block of one dimension has, through variables that nothing changes; 0 where not seen."""
    variables = _Variables(parsed, node) if node is not None else None
    if variables is None or variables.dimensions(node) != 1:
        return 0
    width, _ = variables.shape(node)
    return width if isinstance(width, int) else 0


def sizes(parsed: ParsedFile, node: Node | None) -> list[Node]:
    """What the sizes of a block are made of, through a variable that nothing changes."""
    while node is not None and node.type not in _LISTS:
        if node.type == "call_expression" and text(node.child_by_field_name("function")) == b"dim3":
            node = node.child_by_field_name("arguments")
        elif node.type == "compound_literal_expression":
            node = node.child_by_field_name("value")
        elif node.type == "identifier" and (made := _Variables(parsed, node).block_of(text(node))) is not None:
            node = made
        else:
            return [node]
    return elements(node)


def lines(parsed: ParsedFile) -> frozenset[str]:
    """The kernels of a file which it launches in blocks of one dimension, and names for nothing else."""
    found: dict[str, int] = {}
    for one in blocks(parsed):
        found[one.kernel] = max(one.dimensions, found.get(one.kernel, 0))
    return frozenset(name for name, dimensions in found.items() if dimensions == 1)


def _named_apart(parsed: ParsedFile, kernels: set[str]) -> set[str]:
    """Those of some kernels that a file names for more than to declare, launch or ask about them."""
    heads = [(one.span.start, one.body.start) for one in parsed.functions if one.name in kernels]
    places = sorted(use.span.start for use in parsed.uses if use.kind == "launch" and use.name)
    names, apart = frozenset(name.encode() for name in kernels if name), set[str]()
    for at in parsed.lexed.words(names) if names else ():
        token = parsed.lexed.token(at)
        if token is None or any(start <= at < end for start, end in heads):
            continue
        after = bisect_right(places, at)
        behind = parsed.data[token.end : places[after]].strip() if after < len(places) else b";"
        if not _is_launched(behind) and not _is_only_named(parsed, at, token.end):
            apart.add(parsed.lexed.text(token).decode("latin-1"))
    return apart


def _is_only_named(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether a kernel's name is that of its declaration, or an argument of a function that launches or asks."""
    if parsed.lexed.text(parsed.lexed.before(start)) == b"void":
        return True
    node = node_at(parsed, start, end)
    call = None if node is None else next(CALLS.around(parsed.tree.root_node, node), None)
    name = b"" if call is None else text(call.child_by_field_name("function"))
    return name in (*DIRECT, *_CONFIGURED) or name.startswith(_ASKING)


def _is_launched(between: bytes) -> bool:
    """Whether nothing but a template's arguments is between a name and the brackets of a launch."""
    return not between or (between[:1] == b"<" and between[-1:] == b">" and b";" not in between)


def _of_configuration(kernel: str, variables: _Variables, name: bytes) -> Block:
    made = variables.configured(name)
    maker = "" if made is None else _plain(text(made.child_by_field_name("function")))
    if made is None or maker in ("", "dim3"):
        return variables.block(kernel, made)
    shapes = tuple(variables.shape(one) for one in elements(made.child_by_field_name("arguments")))
    return Block(kernel, *_UNSEEN, maker=maker, given=shapes)


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
        self.names = named(parsed, self.function)

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
        if node.type == "field_expression" and (value := self._member(node)) is not None:
            return self.shape(value)
        if node.type == "call_expression" and text(node.child_by_field_name("function")) == b"dim3":
            return self.shape(node.child_by_field_name("arguments"))
        if node.type == "compound_literal_expression":
            return self.shape(node.child_by_field_name("value"))
        if node.type in _LISTS:
            sizes = [*map(self._size, elements(node)), 1, 1]
            return sizes[0], sizes[1]
        size = self._size(node)
        return size, 1 if size or self.dimensions(node) == 1 else 0

    def _member(self, node: Node) -> Node | None:
        """What a member of a local variable is given: by the only assignment to it, which each launch comes behind."""
        name, _, member = b"".join(text(node).split()).partition(b".")
        sets = [(at, value) for at, value in self.changes(name) if at == name or _share(at, member)]
        declared = self.names.declared.get(name, ())
        kept = len(declared) == 1 and declared[0].type == "identifier" and name not in self.names.passed
        if not kept or self.is_lent(name) or len(sets) != 1 or sets[0][0] != member:
            return None
        change = sets[0][1].parent
        return sets[0][1] if change is not None and _is_set(change) and self._is_ahead(change) else None

    def _is_ahead(self, change: Node) -> bool:
        """Whether an assignment is a statement of a block that the launch is in, before it."""
        block = change.parent.parent if change.parent is not None else None
        around = block is not None and block.type == "compound_statement" and block.end_byte > self.start
        return around and change.end_byte <= self.start

    def block(self, kernel: str, node: Node | None) -> Block:
        """A launch of a kernel in blocks that a node gives."""
        return Block(kernel, *self.shape(node), self.dimensions(node))

    def constants(self, block: Node | None) -> tuple[int, ...]:
        """The numbers that a launch with brackets around a block gives the kernel's template; 0 for what is none."""
        launch = (
            None
            if block is None
            else next((one for one in tree_sitter_nodes.ancestors(block) if _is_launch(one)), None)
        )
        listed = [] if launch is None else _TEMPLATES.below(launch.children[0])
        return tuple(map(self._constant, elements(listed[0]))) if listed else ()

    def _constant(self, argument: Node) -> int:
        if argument.type != "type_descriptor":
            size = self._size(argument)
            return size if isinstance(size, int) else 0
        own = self.values.locals(self.start).keys() | set(_template_numbers(self.function))
        return 0 if self._is_method() or text(argument) in own else self.values.spelled(text(argument)) or 0

    def block_of(self, name: bytes) -> Node | None:
        """What a `dim3` of the function is made of, where it is made once and nothing changes it."""
        made, declared = self._value(name), self.names.declared.get(name, ())
        around = declared[0].parent if len(declared) == 1 else None
        is_block = around is not None and text(around.child_by_field_name("type")) == b"dim3"
        fixed = is_block and not self.changes(name) and not self.is_lent(name)
        return made if fixed and made is not None and made.type != "identifier" else None

    def dimensions(self, node: Node | None, depth: int = _DEPTH) -> int:
        """Behind how many dimensions of a block all are seen to be 1: a number of threads is a block of one."""
        if node is None or not depth:
            return _ALL
        if node.type == "identifier" and integer_types.of(self.values, node) is None:
            return self._dimensions_of(text(node), depth - 1)
        if node.type == "field_expression" and (value := self._member(node)) is not None:
            return self.dimensions(value, depth - 1)
        if node.type == "call_expression" and text(node.child_by_field_name("function")) == b"dim3":
            return self.dimensions(node.child_by_field_name("arguments"), depth)
        if node.type == "compound_literal_expression":
            return self.dimensions(node.child_by_field_name("value"), depth)
        if node.type not in _LISTS:
            return 1 if self._is_number(node) else _ALL
        sizes = elements(node)
        first = 1 if len(sizes) != 1 or self._is_number(sizes[0]) else self.dimensions(sizes[0], depth - 1)
        return max([first, *(at for at, one in enumerate(sizes, 1) if at > 1 and self._size(one) != 1)])

    def _is_number(self, node: Node) -> bool:
        """Whether what a block is made of is a number: `dim3 block(n);` reads as a function's parameter."""
        if node.type == "parameter_declaration":
            named = self.values.locals(self.start).get(text(node), [])
            return all(not one.rank and plain_words(one.words) for one in named) and bool(named or self._size(node))
        known = self._size(node)
        return integer_types.of(self.values, node) is not None or (isinstance(known, int) and known > 0)

    def _dimensions_of(self, name: bytes, depth: int) -> int:
        """The same of a variable of the function, over all that its declarations begin with and that it is given."""
        declared = self.names.declared.get(name, ())
        if not declared or self.is_lent(name) or name in self.names.passed:
            return _ALL
        found = []
        for one in declared:
            begins = one.child_by_field_name("value") or one.child_by_field_name("parameters")
            kind = text(one.parent.child_by_field_name("type")) if one.parent is not None else b""
            is_empty = begins is None and kind == b"dim3" and one.type == "identifier"
            found.append(1 if is_empty else self.dimensions(begins, depth))
        return max([*found, *(self._given(name, member, value, depth) for member, value in self.changes(name))])

    def _given(self, name: bytes, member: bytes, value: Node, depth: int) -> int:
        """What an assignment makes of a block: to one of its members, or to all of it."""
        is_plain = value.parent is not None and _is_set(value.parent)
        if member == name:
            return self.dimensions(value, depth) if is_plain else _ALL
        return 1 if is_plain and self._size(value) == 1 else _MEMBERS.get(member, _ALL)

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


def _share(one: bytes, other: bytes) -> bool:
    """Whether one of two members is the other, or a part of it: `block.x` of `block`."""
    short, long = sorted((one, other), key=len)
    return long == short or long.startswith(short + b".")


def _is_launch(call: Node) -> bool:
    """Whether a call is a launch with brackets."""
    return call.type == "call_expression" and any(one.type == "kernel_call_syntax" for one in call.children)


def _is_set(change: Node) -> bool:
    """Whether a change is an assignment and no operation on what was there."""
    return change.type == "assignment_expression" and text(change.child_by_field_name("operator")) == b"="


def _template_numbers(function: Node | None) -> list[bytes]:
    """The names that the templates around a function are given."""
    around = [] if function is None else tree_sitter_nodes.ancestors(function)
    listed = [one.child_by_field_name("parameters") for one in around if one.type == "template_declaration"]
    return [text(one) for each in listed if each is not None for one in _NAMES.below(each)]
