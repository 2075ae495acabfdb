"""Arguments of a call by their names, with those of the dictionaries that it spreads: `load(**options)`.

Result: names and values. A dictionary is followed through variables, attributes, `update`, and functions of the file
that return one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.source import PySource, arguments, enclosing

_PASSED = ("binary_operator", "boolean_operator", "parenthesized_expression", "dictionary_splat")
"""What is put together of dictionaries, or marks one that is spread."""
_MADE = b"dict"
_SAME, _MORE = b".copy", b".update"
"""Methods of a dictionary that give its pairs on, and that add some."""

Named = tuple[str, Node]
"""The name of an argument, and its value."""


@dataclass(slots=True)
class NamedArguments:
    """Reads the calls of one text; what a text has for it is collected where a call first asks."""

    py: PySource
    _held: dict[bytes, list[Node]] = field(default_factory=dict)
    _is_read: bool = False

    def of(self, call: Node) -> Iterator[Named]:
        """The arguments of a call that have names."""
        for node in arguments(call):
            if node.type == "keyword_argument":
                yield from self._keyword(node)
            elif node.type == "dictionary_splat":
                yield from self._pairs(node)

    def value(self, call: Node, name: str) -> Iterator[Node]:
        """What a call may give one parameter by its name."""
        return (value for given, value in self.of(call) if given == name)

    def _keyword(self, node: Node) -> Iterator[Named]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            yield self.py.raw(name).decode("utf-8", "replace"), value

    def _pairs(self, node: Node) -> Iterator[Named]:
        """The pairs of all dictionaries that an expression may be, or be put together of."""
        waiting, through = [node], set[bytes]()
        while waiting:
            one = waiting.pop()
            for part in self._parts(one, through):
                if part.type == "pair":
                    key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
                    name = plain(self.py, key) if key is not None else None
                    if name and value is not None:
                        yield name, value
                elif part.type == "keyword_argument":
                    yield from self._keyword(part)
                else:
                    waiting.append(part)

    def _parts(self, node: Node, through: set[bytes]) -> list[Node]:
        """The pairs and the dictionaries that an expression is made of; a name in `through` was followed before."""
        if node.type == "dictionary" or node.type in _PASSED:
            return node.named_children
        if node.type == "conditional_expression" and node.named_child_count == 3:
            return [node.named_children[0], node.named_children[2]]
        if node.type == "call":
            return self._called(node, through)
        return self._behind(self.py.raw(node), through) if node.type in ("identifier", "attribute") else []

    def _called(self, call: Node, through: set[bytes]) -> list[Node]:
        """What `dict(...)`, `options.copy()` and functions of the file give."""
        function = call.child_by_field_name("function")
        called = self.py.raw(function) if function is not None else b""
        if called == _MADE:
            return arguments(call)
        if function is not None and called.endswith(_SAME):
            owner = function.child_by_field_name("object")
            return [owner] if owner is not None else []
        return self._behind(called.removeprefix(b"self.") + b"()", through)

    def _behind(self, name: bytes, through: set[bytes]) -> list[Node]:
        """The values of a variable, of an attribute or of a function that returns."""
        if name in through:
            return []
        through.add(name)
        if not self._is_read:
            self._is_read = True
            self._read()
        return self._held.get(name, [])

    def _read(self) -> None:
        """Collect what names are set to, what dictionaries get as well, and what functions return."""
        py = self.py
        for node in py.kind("assignment"):
            target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if target is not None and value is not None:
                self._held.setdefault(py.raw(target), []).append(value)
        for node in py.kind("call"):
            function = node.child_by_field_name("function")
            called = py.raw(function) if function is not None else b""
            if called.endswith(_MORE):
                self._held.setdefault(called.removesuffix(_MORE), []).extend(arguments(node))
        for name, returned in returns(py).items():
            self._held.setdefault(name + b"()", []).extend(returned)


def returns(py: PySource) -> dict[bytes, list[Node]]:
    """What the functions of the file return, by their names."""
    found: dict[bytes, list[Node]] = {}
    for node in py.kind("return"):
        around = enclosing(node, "function_definition")
        called = around.child_by_field_name("name") if around is not None else None
        if called is not None:
            found.setdefault(py.raw(called), []).extend(node.named_children)
    return found
