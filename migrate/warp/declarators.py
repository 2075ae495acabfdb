"""What declarations and assignments name, as the graph of a repository keeps it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.launched_blocks import Size, blocks
from cudamigrate.cuda import branch_macros
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Block, Expression
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import called, expression, is_number, type_name, word
from cudamigrate.warp.object_members import PARTS, part_of_vector
from cudamigrate.warp.tree_queries import OBJECTS

_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_CONTINUES = tree_sitter_nodes.Kinds("cuda", "continue_statement")
_VARIABLES = tree_sitter_nodes.Kinds("cuda", "declaration")
_REACHES = tree_sitter_nodes.Kinds(
    "cuda", "lambda_expression", "pointer_expression", "gnu_asm_expression", "init_declarator", "labeled_statement"
)
_FIELDS = tree_sitter_nodes.Kinds("cuda", "declaration", "field_declaration")
_ENUMERATORS = tree_sitter_nodes.Kinds("cuda", "enumerator_list")
_CONSTANTS = (b"const", b"constexpr")
_BODIES = ("compound_statement", "function_definition")
_INSIDE = tree_sitter_nodes.Kinds("cuda", *_BODIES)
_CLASSES = tree_sitter_nodes.Kinds("cuda", *OBJECTS)
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_declaration")
_MEMORY = b"m"
_LONGEST = 60
_SIGNS = frozenset("!<>=+-*/%&|^~[,")


def owner_and_name(root: Node, node: Node, head: bytes) -> tuple[str, str]:
    """The class and the name of a function."""
    before, _, name = head.rpartition(b"::")
    own = (name or head).lstrip(b"*& \t\r\n").rstrip().decode("latin-1")
    own = f"{own}()" if own == "operator" else own  # the text before the first bracket is all of any other name
    own = f"operator{sign}" if (sign := own.removeprefix("operator").strip())[:1] in _SIGNS and sign != own else own
    owner = before.rpartition(b"::")[2].partition(b"<")[0].strip(b"*& \t\r\n").decode("latin-1")
    if not owner:
        around = next(_CLASSES.around(root, node), None)
        owner = "" if around is None else class_name(around)
    return owner, own


def class_name(node: Node) -> str:
    """The plain name of a class; of one without a name that of the type it is defined as: `typedef struct {} T;`."""
    name = node.child_by_field_name("name")
    if name is None and node.parent is not None and node.parent.type == "type_definition":
        name = node.parent.child_by_field_name("declarator")
    return called(word(name))


def parameters(declarator: Node | None) -> list[Node]:
    """The parameters of a function: none of `f(void)`."""
    while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
        declarator = declarator.named_children[-1] if declarator.named_children else None
    listed = None if declarator is None else declarator.child_by_field_name("parameters")
    found = tree_sitter_nodes.elements(listed)
    return [] if len(found) == 1 and text(found[0]) == b"void" else found


def plain(declarator: Node) -> str:
    """The name that a declarator declares."""
    node: Node | None = declarator
    while node is not None and node.type not in ("identifier", "field_identifier"):
        inner = node.child_by_field_name("declarator")
        node = inner if inner is not None else (node.named_children[0] if node.named_children else None)
    return word(node)


def template_numbers(root: Node, node: Node) -> Iterator[str]:
    """The names of the numbers that templates around a function are given."""
    for around in _TEMPLATES.around(root, node):
        listed = around.child_by_field_name("parameters")
        for one in listed.named_children if listed is not None else ():
            if one.type in ("parameter_declaration", "optional_parameter_declaration"):
                yield word(one.child_by_field_name("declarator"))


def taken(node: Node) -> list[str]:
    """The variable whose address is taken, or all that an assembly statement names."""
    if node.type == "pointer_expression":
        inner = node.child_by_field_name("argument")
        taken = inner is not None and inner.type == "identifier" and text(node)[:1] == b"&"
        return [word(inner)] if taken else []
    return [word(one) for one in _NAMES.below(node)]


def continues(loop: Node) -> bool:
    """Whether a turn of a loop may be cut short."""
    return next(iter(_CONTINUES.below(loop)), None) is not None


def reached(function: Node, root: Node) -> Iterator[str]:
    """The variables that something else than their name may change or read; where code jumps, all of them.

    `root` is that of the tree.
    """
    for node in _REACHES.within(root, function):
        held = node.child_by_field_name("declarator")
        if node.type == "labeled_statement":
            yield from map(word, _NAMES.below(function))
        elif node.type == "pointer_expression":
            yield from taken(node)
        elif node.type == "gnu_asm_expression" and not _names_an_address(node):
            continue  # what it writes is a register's value, and an assignment behind it makes another one
        elif node != function and (node.type != "init_declarator" or (held is not None and "reference" in held.type)):
            yield from map(word, _NAMES.below(node))


def first_value(value: Node, kind: str, read: Callable[[Node], Expression]) -> Expression:
    """The first value of a variable; arguments in brackets are a constructor's, or the value of a number."""
    if value.type in ("argument_list", "initializer_list"):
        items = tuple(read(one) for one in value.named_children if one.type != "comment")
        if is_number(kind) or kind == "auto":
            return items[0] if len(items) == 1 else ("c", called(kind), items, None)
        return made_of(type_name(kind), items)
    return read(value)


def made_of(kind: str, items: tuple[Expression, ...]) -> Expression:
    """What a type makes of arguments; of one alone it may be a number of another name."""
    return ("b", kind, *items) if len(items) == 1 and not kind[:1].isupper() else ("c", kind, items, None)


def in_array(declarator: Node, made: Expression) -> Expression:
    """The first value of an array of objects, each item as what braces make: `Part parts[2] = {{1, 2}, {3, 4}};`."""
    held: Node | None = declarator
    while held is not None and held.type not in ("array_declarator", "identifier"):
        held = held.child_by_field_name("declarator")
    if held is None or held.type != "array_declarator" or made[0] not in ("b", "c"):
        return made
    items = made[2:] if made[0] == "b" else made[2]
    return ("a", *(("b", made[1], *one[1:]) if one[0] == "a" else one for one in items))


def bindings(declarator: Node) -> list[str]:
    """The names of a structured binding but the first: `auto [first, last] = range();`."""
    inner = declarator.child_by_field_name("declarator")
    bound = inner is not None and inner.type == "structured_binding_declarator"
    return [word(one) for one in inner.named_children[1:]] if inner is not None and bound else []


def constructed(declarator: Node) -> list[str] | None:
    """The variables that an object is made from which reads as a function's declaration: `Range r(first, last);`."""
    listed = declarator.child_by_field_name("parameters") if declarator.type == "function_declarator" else None
    given = listed.named_children if listed is not None else []
    plain = all(one.type == "parameter_declaration" and one.named_child_count == 1 for one in given)
    kinds = [one.child_by_field_name("type") for one in given] if plain else []
    names = [word(one) for one in kinds if one is not None and one.type == "type_identifier"]
    return names if names and len(names) == len(given) else None


def made_from(declarator: Node, declaration: Node) -> list[Node] | None:
    """What a variable is made from: the arguments in brackets or braces; none where its class alone is named."""
    value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
    if value is not None and value.type in ("argument_list", "initializer_list"):
        return tree_sitter_nodes.elements(value)
    kind = declaration.child_by_field_name("type") if declarator.type == "identifier" else None
    named = kind is not None and kind.type in ("type_identifier", "qualified_identifier", "template_type")
    return [] if named else None


def _names_an_address(assembly: Node) -> bool:
    """Whether an assembly statement has an operand in memory, which it may keep the address of."""
    listed = (assembly.child_by_field_name(part) for part in ("output_operands", "input_operands"))
    operands = [one for each in listed if each is not None for one in each.children_by_field_name("operand")]
    return any(_MEMORY in text(one.child_by_field_name("constraint")).strip(b'"') for one in operands)


def is_read_only(parameter: Node) -> bool:
    """`const T *p`: what it points to is not written through it."""
    inner = parameter.child_by_field_name("declarator")
    qualifiers = {text(one) for one in parameter.named_children if one.type == "type_qualifier"}
    if inner is None or inner.type != "pointer_declarator" or b"const" not in qualifiers or b"volatile" in qualifiers:
        return False
    pointed = inner.child_by_field_name("declarator")
    return pointed is not None and pointed.type == "identifier"


def is_reference(parameter: Node) -> bool:
    """`T &v`: another name for the caller's variable, which can be written through it."""
    inner = parameter.child_by_field_name("declarator")
    constant = any(one.type == "type_qualifier" and text(one) == b"const" for one in parameter.named_children)
    return inner is not None and inner.type == "reference_declarator" and not constant


def is_lent(parameter: Node) -> bool:
    """`bool &found`, `const int &lane`: a reference to what nobody is said to change meanwhile, as `volatile` does."""
    inner = parameter.child_by_field_name("declarator")
    qualified = any(one.type == "type_qualifier" and text(one) == b"volatile" for one in parameter.named_children)
    return inner is not None and inner.type == "reference_declarator" and not qualified


def target(node: Node) -> str:
    """The variable that an assignment changes, a member as `object.member`; `*` for memory."""
    if node.type == "field_expression":
        owner = node.child_by_field_name("argument")
        plain = owner is not None and owner.type in ("identifier", "this")
        return f"{word(owner)}.{word(node.child_by_field_name('field'))}" if plain else "*"
    return word(node) if node.type == "identifier" else "*"


def stored_in(left: Node) -> str:
    """The variable whose element, or what it points to, an assignment changes: `v[i]`, `*p`, `v[i].x`.

    Not what a member points to: `object.rows[i]` is no part of the object.
    """
    node: Node | None = left
    while node is not None and node.type == "field_expression" and text(node.child_by_field_name("operator")) == b".":
        node = node.child_by_field_name("argument")
    while node is not None and node.type in ("subscript_expression", "pointer_expression"):
        node = node.child_by_field_name("argument")
    return word(node) if node is not None and node.type == "identifier" else ""


def names_memory(declarator: Node, initial: Expression, known: Container[str]) -> bool:
    """Whether a variable is another name for a place in memory, so that what threads store there all may read.

    `known` are variables that are such places.
    """
    inner = declarator.child_by_field_name("declarator")
    meant = initial[2] if initial[:2] == ("o", "cast") else initial
    is_place = initial[0] in ("m", "i") or (meant[0] == "v" and meant[1] in known)
    return inner is not None and inner.type == "reference_declarator" and is_place


def is_value(declarator: Node | None) -> bool:
    """Whether a declarator is of a value or an array of values, not of a pointer, a reference or a function."""
    while declarator is not None and declarator.type in ("init_declarator", "array_declarator"):
        declarator = declarator.child_by_field_name("declarator")
    return declarator is not None and declarator.type in ("identifier", "field_identifier")


def bases(node: Node) -> Iterator[str]:
    """The classes that a class is derived from."""
    listed = next((one for one in node.named_children if one.type == "base_class_clause"), None)
    for one in listed.named_children if listed is not None else ():
        if one.type in ("type_identifier", "qualified_identifier", "template_type"):
            yield called(word(one))


def memory_macros(parsed: ParsedFile) -> Iterator[str]:
    """Macros that stand for a place in memory: `#define total (shared[3])`, `#define count state->count`."""
    for directive in parsed.lexed.directives:
        if directive.name == "define":
            name, _, body = directive.argument(parsed.data).partition(b" ")
            if (b"(" not in name and body.rstrip().endswith((b"]", b"])"))) or b"->" in body:
                yield name.decode("latin-1")


def constants(parsed: ParsedFile) -> dict[str, int]:
    """The constants of a file with their numbers."""
    values = Values.of(parsed)
    known = {name: values.spelled(name) for name in values.constants()}
    for name, numbers in _declared_numbers(parsed, values).items():
        known.setdefault(name, numbers.pop() if len(numbers) == 1 else None)
    for node in _VARIABLES.below(parsed.tree.root_node):
        kind, fixed = called(word(node.child_by_field_name("type"))), is_constexpr(node)
        for one in node.children_by_field_name("declarator") if fixed else ():
            listed = tree_sitter_nodes.elements(one.child_by_field_name("value"))
            for field in PARTS:
                if (at := part_of_vector(kind, field, len(listed))) >= 0:
                    known[f"{plain(one)}.{field}".encode("latin-1")] = values.constant(listed[at])
    return {name.decode("latin-1"): number for name, number in known.items() if number is not None}


def _declared_numbers(parsed: ParsedFile, values: Values) -> dict[bytes, set[int | None]]:
    """The numbers of enumerators, and of constants outside of functions, any declarator of theirs."""
    found: dict[bytes, set[int | None]] = {}
    for node in _ENUMERATORS.below(parsed.tree.root_node):
        last: int | None = -1
        for one in node.named_children:
            value = one.child_by_field_name("value")
            number = None if last is None else last + 1
            if value is not None:
                number = values.constant(value)
                if number is None and value.type == "identifier" and len(known := found.get(text(value), ())) == 1:
                    number = next(iter(known))
            if one.type == "enumerator":
                found.setdefault(text(one.child_by_field_name("name")), set()).add(number)
                last = number
    for node in _FIELDS.below(parsed.tree.root_node):
        held, is_const = b"", any(text(one) in _CONSTANTS for one in node.named_children)
        around = node.parent if is_const else None
        for at, one in enumerate(node.children if around is not None and around.type != "compound_statement" else ()):
            if (field := node.field_name_for_child(at)) == "declarator":
                held = plain(one).encode("latin-1")
            value = one.child_by_field_name("value") if field == "declarator" else one
            if held and value is not None and field in ("declarator", "default_value"):
                inner = value.named_children[0] if value.type == "initializer_list" and value.named_children else value
                found.setdefault(held, set()).add(values.constant(inner))
    return found


def tables(parsed: ParsedFile) -> Iterator[tuple[str, Expression]]:
    """The variables outside of functions, and members of classes, that are given what names anything."""
    for node in _FIELDS.below(parsed.tree.root_node):
        if node.type == "declaration" and any(True for _ in _INSIDE.around(parsed.tree.root_node, node)):
            continue
        for one in node.children_by_field_name("declarator"):
            value = one.child_by_field_name("value") or node.child_by_field_name("default_value")
            if value is not None and any(_NAMES.below(value)):
                yield plain(one), expression(value)


def is_constexpr(function: Node) -> bool:
    """Whether device code may call a function that says nothing of where it runs."""
    return any(text(one) == b"constexpr" for one in function.named_children if one.type == "type_qualifier")


def launched_blocks(parsed: ParsedFile) -> tuple[Block, ...]:
    """The kernels that a file launches, with the width and height of a block; `("n", 0)` for what is not seen."""
    shapes = ((one, tuple((_size(wide), _size(high)) for wide, high in one.given)) for one in blocks(parsed))
    made = (
        Block(one.kernel, _size(one.width), _size(one.height), one.dimensions, one.maker, given, one.constants)
        for one, given in shapes
    )
    return tuple(dict.fromkeys(made))


def _size(size: Size) -> Expression:
    return ("n", size) if isinstance(size, int) else expression(size)


def captures(function: Node) -> Iterator[tuple[Node, Node]]:
    """The variables that a lambda makes of its own, with their values: `[lane = threadIdx.x % 32]`."""
    listed = function.child_by_field_name("captures")
    for one in listed.named_children if listed is not None else ():
        name, value = one.child_by_field_name("left"), one.child_by_field_name("right")
        if one.type == "lambda_capture_initializer" and name is not None and value is not None:
            yield name, value


def is_lambda(declarator: Node) -> bool:
    """Whether a variable is given a lambda."""
    value = declarator.child_by_field_name("value")
    return value is not None and value.type == "lambda_expression"


def precedes(assignment: Node) -> bool:
    """Whether all that follows in a block, or in a `for` that begins with it, comes by an assignment."""
    statement = assignment.parent
    while statement is not None and statement.type == "comma_expression":
        assignment, statement = statement, statement.parent
    if statement is not None and statement.type == "expression_statement" and statement.parent is not None:
        return statement.parent.type == "compound_statement"
    return statement is not None and statement.child_by_field_name("initializer") == assignment


def shown(test: Node, data: bytes) -> str:
    """The text of a condition as a report shows it; `data` is that of its file."""
    spelled = " ".join(branch_macros.spelled(data, test.start_byte, text(test)).decode("latin-1").split()).strip()
    spelled = spelled[1:-1] if spelled.startswith("(") and spelled.endswith(")") else spelled
    return spelled if len(spelled) <= _LONGEST else spelled[: _LONGEST - 3] + "..."


_TILE = re.compile(rb"\b(?:tiled_partition|thread_block_tile)\s*<\s*(\w+)")


def tile_size(declaration: Node, declarator: Node, values: Values) -> int:
    """How many threads the tile has that a variable is declared to hold; 0 where it is none, or that is not seen."""
    value = declarator.child_by_field_name("value")
    spelled = text(declaration.child_by_field_name("type")) + b" " + (text(value) if value is not None else b"")
    found = _TILE.search(spelled) if b"tile" in spelled else None
    if found is None:
        return 0
    return int(found[1]) if found[1].isdigit() else values.spelled(found[1]) or 0


def enumerations(parsed: ParsedFile) -> Iterator[str]:
    """The names of a file's types of numbers with names."""
    for node in _ENUMERATORS.below(parsed.tree.root_node):
        name = node.parent.child_by_field_name("name") if node.parent is not None else None
        if name is not None:
            yield word(name)
