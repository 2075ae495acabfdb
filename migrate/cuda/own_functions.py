"""Functions that a project declares under a name of CUDA's: its own, or an overload that shares the name's fate.

What is in a namespace is no function of CUDA's, nor is what takes another number of arguments than all that CUDA has of
that name, nor a function by the name of a type. Result: what a declarator declares, and how many arguments it takes.
"""

from __future__ import annotations

from functools import cache

from tree_sitter import Node

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.shipped_data import table
from cudamigrate.syntax import tree_sitter_nodes

Counts = tuple[int, int]
"""How many arguments a function takes: at least, and at most."""
_PLAIN, _WITH_DEFAULT = "parameter_declaration", "optional_parameter_declaration"

_INSIDE = ("compound_statement", "function_definition", "field_declaration_list")
"""What holds declarations of local names, and of members."""
_HOLDERS = ("field_declaration", "declaration", "function_definition", "compound_statement", "parameter_list")


@cache
def _of_cuda() -> dict[str, Counts]:
    """How many arguments functions of CUDA's runtime take."""
    return {name: (one["least"], one["most"]) for one in table("argument-counts")["functions"] for name in one["names"]}


def of_runtime() -> frozenset[bytes]:
    """The names of functions of CUDA's runtime."""
    return frozenset(name.encode() for name in _of_cuda())


@cache
def _tags() -> frozenset[bytes]:
    return frozenset(name.encode() for name in table("argument-counts")["tags"])


def is_type(name: str) -> bool:
    """Whether a name is the tag of a structure or an enumeration of CUDA's."""
    return name.encode() in _tags()


def hides_type(declarator: Node, name: bytes) -> bool:
    """Whether what declares a function at file level has the name of a type of CUDA's: that one is `enum name` then.

    No function stands in for a type, so that it is the project's own in whatever branch. `cudaError (*f)(int)` has the
    type's name where a function's may be.
    """
    node = holder(declarator) if name in _tags() else None
    if node is None or declarator.parent is None or declarator.parent.type == "function_declarator":
        return False
    around = {one.type for one in tree_sitter_nodes.ancestors(node)}
    has_type = node.child_by_field_name("type") is not None
    return has_type and around.isdisjoint(_INSIDE) and (node.type == "function_definition" or _declares(declarator))


def _declares(declarator: Node) -> bool:
    """Whether a declarator has parameters, or nothing, in its brackets: no values, as a variable has."""
    listed = tree_sitter_nodes.elements(declarator.child_by_field_name("parameters"))
    return all(one.type in (_PLAIN, _WITH_DEFAULT, "variadic_parameter_declaration") for one in listed)


def another(declarator: Node, name: str) -> Counts | None:
    """How many arguments a function takes, where CUDA has none of its name that takes as many."""
    cudas, taken = of_cuda(name), taken_by(declarator)
    if cudas is None or taken is None:
        return None
    return taken if taken[1] < cudas[0] or taken[0] > cudas[1] else None


def of_cuda(name: str) -> Counts | None:
    """How many arguments a function of CUDA's runtime takes; None for any other name."""
    return _of_cuda().get(name)


def taken_by(declarator: Node) -> Counts | None:
    """How many arguments a function takes; None where its list has anything but parameters."""
    listed = tree_sitter_nodes.elements(declarator.child_by_field_name("parameters"))
    if any(one.type not in (_PLAIN, _WITH_DEFAULT) for one in listed):
        return None
    if len(listed) == 1 and listed[0].text == b"void":
        listed = []
    return sum(one.type == _PLAIN for one in listed), len(listed)


def holder(declarator: Node) -> Node | None:
    """The definition, declaration or member that a declarator of a function is of; None where it is a parameter's."""
    found = next((one for one in tree_sitter_nodes.ancestors(declarator) if one.type in _HOLDERS), None)
    return found if found is not None and found.type in _HOLDERS[:3] else None


def is_prototype(declarator: Node, declaration: Node) -> bool:
    """Whether a declaration is outside of functions, has C++'s linkage, and declares nothing but functions.

    `Stream cudaThing(1);` is a variable.
    """
    around = {one.type for one in tree_sitter_nodes.ancestors(declaration)}
    return _declares(declarator) and around.isdisjoint(
        ("compound_statement", "linkage_specification", "function_definition")
    )


def given(lexed: Lexed, end: int) -> int:
    """How many arguments a call gives the function whose name ends at an offset; -1 where it is no call."""
    opening = lexed.token(end)
    if opening is not None and lexed.text(opening) == b"<":
        closed = lexed.angle_closing(opening.start, len(lexed.data))
        opening = lexed.token(closed + 1) if closed > 0 else None
    if opening is None or lexed.text(opening) != b"(":
        return -1
    closing = lexed.closing(opening.start)
    return len(lexed.arguments(opening.start, closing)) if closing > 0 else -1
