"""Where a value of a Python text goes: through variables, texts, containers and functions, to what tests it.

Comes from the nodes that give the value. A name has it in the scope that assigns it; a function gives it where it
returns it, and takes it by its parameters. What another file takes is not followed. A comparison's result is no such
value: the decision is made there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from cudamigrate.python_source.source import PySource, arguments, enclosing, parameters
from cudamigrate.syntax import tree_sitter_nodes

_ASSIGNMENTS = tree_sitter_nodes.Kinds("python", "assignment", "augmented_assignment", "named_expression", "as_pattern")
_FUNCTIONS = tree_sitter_nodes.Kinds("python", "function_definition")
_DEFAULTS = tree_sitter_nodes.Kinds("python", "default_parameter", "typed_default_parameter")
_GLOBALS = tree_sitter_nodes.Kinds("python", "global_statement")
_LOOPS = tree_sitter_nodes.Kinds("python", "for_statement", "for_in_clause")
_CALLS = tree_sitter_nodes.Kinds("python", "call")
_RETURNS = tree_sitter_nodes.Kinds("python", "return_statement", "yield")
_COMPARISONS = tree_sitter_nodes.Kinds("python", "comparison_operator", "match_statement", "subscript")
_SCOPES = ("function_definition", "lambda", "module")
_WHOLES = frozenset(
    (
        *("binary_operator", "unary_operator", "boolean_operator", "parenthesized_expression", "expression_list"),
        *("tuple", "list", "set", "list_comprehension", "set_comprehension", "generator_expression", "list_splat"),
        *("dictionary", "dictionary_comprehension", "pair", "keyword_argument", "interpolation", "concatenated_string"),
        *("string", "await", "argument_list"),
    )
)
"""Expressions that have the value where a part of them has it."""
_KEEPING = frozenset(
    (
        *("int", "str", "float", "repr", "divmod", "max", "min", "sum", "next", "iter", "map", "zip", "enumerate"),
        *("tuple", "list", "set", "dict", "sorted", "reversed"),
    )
)
"""Functions of Python's whose result is made of what they are given; `len` is not among them."""
_METHODS = frozenset(
    (
        *("join", "format", "replace", "split", "strip", "lstrip", "rstrip", "lower", "upper"),
        *("copy", "items", "values", "keys", "pop", "get", "index"),
    )
)
"""Methods whose result is made of their object or their arguments."""
_ADDING = frozenset(("append", "extend", "add", "insert", "update", "appendleft"))
_STARTS = frozenset(("startswith", "endswith"))
_PROPERTIES = (b"property", b"cached_property", b"functools.cached_property")
_EMPTY = (b"{}", b"[]", b"dict()", b"set()", b"list()", b"OrderedDict()", b"collections.OrderedDict()")
_ROUNDS = 8
"""Steps from name to name that are followed."""
_DEEPEST = 60
"""Expressions in expressions, and values of names in them, that are followed."""


class Bindings:
    """What the names of a text are bound to, and the functions that it defines: what each `Flow` in it goes by."""

    def __init__(self, py: PySource) -> None:
        self.py, self.root = py, py.tree.root_node
        named: dict[bytes, list[Node]] = {}
        for one in _FUNCTIONS.below(self.root):
            named.setdefault(py.raw(_field(one, "name")), []).append(one)
        self._defined = {name: found[0] for name, found in named.items() if len(found) == 1}
        self._global = {
            (self.scope(one).start_byte + 1, py.raw(name))
            for one in _GLOBALS.below(self.root)
            for name in one.named_children
        }
        """The names that functions bind in the module: those of their `global` statements."""
        self.pairs = [*self._assigned(), *self._looped(), *self._called(), *self._defaulted()]
        self.of: dict[tuple[int, bytes], list[tuple[Node, Node]]] = {}
        for target, value in self.pairs:
            for key, name in self.keys(target):
                self.of.setdefault(key, []).append((name, value))
        for found in self.of.values():
            found.sort(key=lambda one: one[0].start_byte)

    def keys(self, target: Node) -> Iterator[tuple[tuple[int, bytes], Node]]:
        """The names that something is bound to, each in its scope; members of objects are of no scope."""
        waiting = [target]
        while waiting:
            one = waiting.pop()
            if one.type == "identifier":
                key = self.scope(one).start_byte + 1, self.py.raw(one)
                yield ((self.root.start_byte + 1, key[1]) if key in self._global else key), one
            elif one.type == "attribute":
                yield (0, self.py.raw(one)), one
            elif one.type == "subscript":
                waiting += [value] if (value := one.child_by_field_name("value")) is not None else []
            else:
                waiting += one.named_children

    def scope(self, node: Node) -> Node:
        """The function around a node, else the whole text."""
        return enclosing(node, *_SCOPES) or self.root

    def method(self, call: Node) -> tuple[str, Node | None]:
        """The name of the method that is called, and its object; empty for a function."""
        function = _field(call, "function")
        if function.type != "attribute":
            return "", None
        return self.py.raw(_last(function)).decode("utf-8", "replace"), function.child_by_field_name("object")

    def _assigned(self) -> Iterator[tuple[Node, Node]]:
        for node in _ASSIGNMENTS.below(self.root):
            target = node.child_by_field_name("left") or node.child_by_field_name("name")
            value = node.child_by_field_name("right") or node.child_by_field_name("value")
            if node.type == "as_pattern":
                target, value = node.child_by_field_name("alias"), node.named_children[0]
            if target is not None and value is not None:
                yield from _matched(target, value)

    def _looped(self) -> Iterator[tuple[Node, Node]]:
        """The targets of loops, each with what it is taken from: `for i, a in enumerate(all)`."""
        for node in _LOOPS.below(self.root):
            target, value = _field(node, "left"), _field(node, "right")
            called = value.child_by_field_name("function")
            name, given = self.py.raw(called) if called is not None else b"", arguments(value)
            targets = target.named_children
            if name == b"enumerate" and len(targets) == 2 and given:
                yield targets[1], given[0]
            elif name == b"zip" and len(targets) == len(given):
                yield from zip(targets, given, strict=True)
            else:
                yield target, value

    def _called(self) -> Iterator[tuple[Node, Node]]:
        """What is put into containers, and what functions of the text are given."""
        for node in _CALLS.below(self.root):
            method, object_ = self.method(node)
            if method in _ADDING and object_ is not None:
                yield from ((object_, value) for value in arguments(node))
            own = object_ is None or self.py.raw(object_) in (b"self", b"cls")
            name = method.encode() if method else self.py.raw(_field(node, "function"))
            function = self._defined.get(name) if own else None
            if function is not None:
                yield from self._passed(function, node, 1 if method else 0)

    def _defaulted(self) -> Iterator[tuple[Node, Node]]:
        """The parameters of functions, each with the value that it has where a call gives none."""
        for node in _DEFAULTS.below(self.root):
            yield _field(node, "name"), _field(node, "value")

    def _passed(self, function: Node, call: Node, first: int) -> Iterator[tuple[Node, Node]]:
        """The parameters of a function, each with what a call gives it; none behind what is spread."""
        listed = function.child_by_field_name("parameters")
        names = list(parameters(listed)) if listed is not None else []
        for place, given in enumerate(arguments(call), first):
            if given.type in ("list_splat", "dictionary_splat"):
                return
            if given.type == "keyword_argument":
                name = self.py.raw(_field(given, "name"))
                yield from ((one, _field(given, "value")) for one in names if self.py.raw(one) == name)
            elif place < len(names):
                yield names[place], given


class Flow:
    """What has the value that some nodes of a text give.

    `peers` is where values of the same kind go; `made_by` are functions and methods whose result counts as the value of
    their arguments, beside those of Python's that keep it.
    """

    def __init__(
        self, text: Bindings, sources: Iterable[Node], peers: Flow | None = None, made_by: frozenset[str] = frozenset()
    ) -> None:
        self._text, self._py, self._root = text, text.py, text.root
        self._sources, self._peers, self._made_by = frozenset(sources), peers or self, made_by
        self._names: set[tuple[int, bytes]] = set()
        self._functions: set[bytes] = set()
        self._properties: set[bytes] = set()
        self._answers: dict[int, bool] = {}
        self._depth = 0
        for _ in range(_ROUNDS if self._sources else 0):
            before = len(self._names), len(self._functions)
            self._learn()
            self._answers.clear()
            if before == (len(self._names), len(self._functions)):
                break

    def carries(self, node: Node | None) -> bool:
        """Whether an expression has the value, or is made of it; not where that is too deep to be seen."""
        if node is None or node in self._sources:
            return node is not None
        if node.id not in self._answers and self._depth < _DEEPEST:
            self._depth += 1
            self._answers[node.id] = self._is_made(node)
            self._depth -= 1
        return self._answers.get(node.id, False)

    def _is_made(self, node: Node) -> bool:
        if node.type == "identifier":
            return self._is_named(node)
        if node.type == "attribute":
            return self._py.raw(_last(node)) in self._properties or (0, self._py.raw(node)) in self._names
        if node.type == "subscript":
            return self.carries(node.child_by_field_name("value"))
        if node.type == "call":
            return self._is_given_by(node)
        if node.type == "conditional_expression" and len(node.named_children) == 3:
            return self.carries(node.named_children[0]) or self.carries(node.named_children[2])
        if node.type in ("named_expression", "assignment"):  # the value of `a = b = c` is an assignment
            return self.carries(node.child_by_field_name("value") or node.child_by_field_name("right"))
        return node.type in _WHOLES and any(map(self.carries, _parts(node)))

    def tests(self) -> Iterator[Node]:
        """What decides by the value: comparisons, `match`, beginnings of texts, tables whose keys are written."""
        for node in _COMPARISONS.below(self._root):
            if node.type == "comparison_operator":
                if self._compares(node):
                    yield node
            elif node.type == "match_statement":
                if self.carries(node.child_by_field_name("subject")):
                    yield node
            elif self._looks_up(node.child_by_field_name("value"), node.child_by_field_name("subscript")):
                yield node
        for node in _CALLS.below(self._root):
            method, object_ = self._text.method(node)
            given = arguments(node)
            starts = method in _STARTS and self.carries(object_)
            if starts or (method == "get" and given and self._looks_up(object_, given[0])):
                yield node

    def _compares(self, node: Node) -> bool:
        """Whether a comparison is of the value with another: the same of two devices says the same on all."""
        signs = [self._py.raw(child) for child in node.children if not child.is_named]
        operands = node.named_children
        if any(sign.startswith(b"is") for sign in signs) or any(one.type == "none" for one in operands):
            return False
        kept = any(sign.endswith(b"in") for sign in signs) and self._is_filled_later(operands[-1])
        return any(map(self.carries, operands)) and not all(map(self._peers.carries, operands)) and not kept

    def _looks_up(self, table: Node | None, key: Node | None) -> bool:
        """Whether the value is looked up in a table whose keys the text has."""
        if table is None or key is None or not self.carries(key):
            return False
        values = self._py.values(self._py.raw(table)) if table.type == "identifier" else [table]
        return any(one.type == "dictionary" and one.named_child_count > 0 for one in values)

    def _is_filled_later(self, node: Node) -> bool:
        """Whether a container starts without anything, as a cache does: it is asked for what was seen before."""
        values = self._py.values(self._py.raw(node)) if node.type == "identifier" else []
        return bool(values) and all(self._py.raw(one) in _EMPTY for one in values)

    def _learn(self) -> None:
        """One step: what is bound to an expression that has the value, and what returns one."""
        for target, value in self._text.pairs:
            if self.carries(value):
                self._names.update(key for key, _ in self._text.keys(target))
        for node in _RETURNS.below(self._root):
            function = enclosing(node, "function_definition", "lambda")
            if function is not None and function.type != "lambda" and any(map(self.carries, node.named_children)):
                name = self._py.raw(_field(function, "name"))
                self._functions.add(name)
                if _is_property(self._py, function):
                    self._properties.add(name)

    def _is_named(self, node: Node) -> bool:
        """Whether a name has the value where it is used: by the scope that binds it, and what it was given last."""
        name, scope = self._py.raw(node), self._text.scope(node)
        own = scope
        while (key := (scope.start_byte + 1, name)) not in self._text.of and scope != self._root:
            if name in self._parameters(scope):
                return False
            scope = self._text.scope(scope)
        if key not in self._names or scope != own:  # a function may be called at any time
            return key in self._names
        last = self._last(self._text.of[key], node)
        return last is None or not _replaces(last[0], node) or self.carries(last[1])

    def _last(self, given: Sequence[tuple[Node, Node]], use: Node) -> tuple[Node, Node] | None:
        """What a name was given last before a use, which may be in the value of the next."""
        at = bisect_left(given, use.start_byte, key=lambda one: one[0].start_byte)
        while at > 0:
            at -= 1
            _, value = given[at]
            if not value.start_byte <= use.start_byte < value.end_byte:
                return given[at]
        return None

    def _parameters(self, scope: Node) -> set[bytes]:
        listed = scope.child_by_field_name("parameters")
        return {self._py.raw(one) for one in parameters(listed)} if listed is not None else set()

    def _is_given_by(self, call: Node) -> bool:
        """Whether a call gives the value: of a function of the text, or of one that makes its result of it."""
        function = _field(call, "function")
        name = self._py.raw(function)
        if function.type == "identifier":
            keeps = name.decode("utf-8", "replace") in _KEEPING | self._made_by
            return name in self._functions or (keeps and any(map(self.carries, arguments(call))))
        method, object_ = self._text.method(call)
        if object_ is not None and self._py.raw(object_) in (b"self", b"cls"):
            return method.encode() in self._functions
        return method in _METHODS | self._made_by and (self.carries(object_) or any(map(self.carries, arguments(call))))


def _matched(target: Node, value: Node) -> Iterator[tuple[Node, Node]]:
    """The parts of an assignment: `a, b = c, d` gives each its own."""
    targets, values = target.named_children, value.named_children
    each = target.type in ("pattern_list", "tuple_pattern") and value.type in ("expression_list", "tuple")
    if each and len(targets) == len(values):
        yield from zip(targets, values, strict=True)
    else:
        yield target, value


def _replaces(bound: Node, use: Node) -> bool:
    """Whether what a name was given last is what it has at a use: each way there goes through it.

    What is put into a container, or into a part of one, leaves what was in it before.
    """
    statement = bound.parent
    while statement is not None and statement.type in ("pattern_list", "tuple_pattern"):
        statement = statement.parent
    if statement is None or statement.type != "assignment":
        return False
    block = enclosing(statement, "block", "module")
    return block is not None and block.start_byte <= use.start_byte < block.end_byte


def _parts(node: Node) -> list[Node]:
    """The parts of an expression that may have the value; of a text only what it interpolates."""
    if node.type == "string":
        return [child for child in node.named_children if child.type == "interpolation"]
    return [child for child in node.named_children if child.type not in ("for_in_clause", "if_clause", "comment")]


def _field(node: Node, name: str) -> Node:
    """A part of a node, the node itself where it has none of that name."""
    return node.child_by_field_name(name) or node


def _last(attribute: Node) -> Node:
    return _field(attribute, "attribute")


def _is_property(py: PySource, function: Node) -> bool:
    """Whether a method is read as an attribute."""
    around = function.parent
    decorators = around.named_children if around is not None and around.type == "decorated_definition" else []
    return any(py.raw(one).lstrip(b"@").strip() in _PROPERTIES for one in decorators)
