"""Whether an expression looks at an object, or at what a pointer in the object points to: `s.flags[i]`.

Members are those that the classes of the file declare; of a name that is a pointer in one and not in another, and of
classes in other files, nothing is said.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes

_FIELDS = tree_sitter_nodes.Kinds("cuda", "field_declaration")
_NAMES = tree_sitter_nodes.Kinds("cuda", "field_identifier")
_DEREFERENCES = ("subscript_expression", "pointer_expression")


def leads_on(parsed: ParsedFile, name: Node) -> bool:
    """Whether what is looked at by the name of an object is where a pointer in the object points to."""
    pointers, through, at = parsed.once(_pointers), False, name
    while (around := at.parent) is not None and around.child_by_field_name("argument") == at:
        if around.type == "field_expression":
            if through and text(around.child_by_field_name("operator")) == b"->":
                return True
            through = text(around.child_by_field_name("field")) in pointers
        elif around.type in _DEREFERENCES:
            return through and text(around.child_by_field_name("operator")) != b"&"
        at = around
    return False


def _pointers(parsed: ParsedFile) -> frozenset[bytes]:
    """The members that classes of a file declare as pointers, and none as anything else."""
    pointers, others = set[bytes](), set[bytes]()
    for field in _FIELDS.below(parsed.tree.root_node):
        for one in field.children_by_field_name("declarator"):
            held = one.child_by_field_name("declarator") if one.type == "pointer_declarator" else None
            is_pointer = held is not None and held.type in ("field_identifier", "pointer_declarator")
            names = [one] if one.type == "field_identifier" else _NAMES.below(one)
            (pointers if is_pointer else others).update(map(text, names))
    return frozenset(pointers - others)
