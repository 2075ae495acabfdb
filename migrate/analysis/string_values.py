"""Which expressions are texts: literals, and variables and parameters that a file gives one, through casts too."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes

_LITERALS = ("string_literal", "concatenated_string", "raw_string_literal")
_CASTS = (b"static_cast", b"reinterpret_cast", b"const_cast")
_GIVEN = tree_sitter_nodes.Kinds("cuda", "init_declarator", "assignment_expression")
_OF_GPU = (b"__constant__", b"__device__", b"__managed__", b"__shared__")
_ROUTINES = ("function_definition", "lambda_expression")
_DEPTH = 6


class StringValues:
    """Answers for one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.values = parsed, Values.of(parsed)
        self._given: dict[bytes, list[tuple[int, Node]]] | None = None

    def is_text(self, node: Node | None, depth: int = _DEPTH) -> bool:
        """Whether an expression of the host is a text by all that is seen to be given to it.

        A variable of the GPU's own is none, whatever it begins with: it is the variable.
        """
        while node is not None and node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        if node is None or depth == 0:
            return False
        if node.type in _LITERALS:
            return True
        if node.type == "identifier":
            found = [self.is_text(one, depth - 1) for one in self._values(node)]
            return bool(found) and all(found)
        if node.type == "conditional_expression":
            arms = (node.child_by_field_name(part) for part in ("consequence", "alternative"))
            return all(self.is_text(one, depth - 1) for one in arms)
        return self.is_text(_cast(node), depth - 1)

    def _values(self, name: Node) -> Iterator[Node]:
        """What a file gives a variable: of the function around where it is declared there, or else of the file."""
        spelled, offset = text(name), name.start_byte
        local = spelled in self.values.locals(offset)
        given = self.values.given(name) if local else []
        yield from given
        routine = _routine(name) if local else 0
        for start, value in self._by_name().get(spelled, ()):
            if start == routine or not local:
                yield value

    def _by_name(self) -> dict[bytes, list[tuple[int, Node]]]:
        """What variables are given, by their names, with the beginning of the function that does it; 0 for none."""
        if self._given is None:
            self._given = {}
            for one in _GIVEN.below(self.parsed.tree.root_node):
                left = one.child_by_field_name("declarator") or one.child_by_field_name("left")
                value = one.child_by_field_name("value") or one.child_by_field_name("right")
                while left is not None and left.type in ("pointer_declarator", "array_declarator"):
                    left = left.child_by_field_name("declarator")
                around = text(one.parent).partition(b"=")[0]
                if left is not None and value is not None and not any(word in around for word in _OF_GPU):
                    self._given.setdefault(text(left), []).append((_routine(one), value))
        return self._given


def _cast(node: Node) -> Node | None:
    """What a cast is of; None for anything else."""
    if node.type == "cast_expression":
        return node.child_by_field_name("value")
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    is_cast = function is not None and text(function).partition(b"<")[0].strip() in _CASTS
    return listed.named_children[0] if is_cast and listed is not None and listed.named_child_count == 1 else None


def _routine(node: Node) -> int:
    """Where the outermost function around a place begins; 0 for none."""
    around = [one.start_byte for one in tree_sitter_nodes.ancestors(node) if one.type in _ROUTINES]
    return around[-1] if around else 0
