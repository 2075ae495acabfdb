"""Default arguments that a class template's member is given outside its class: nvcc takes them, clang refuses them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax.tree_sitter_nodes import Kinds

WORDS = (b"template",)

_DECLARATORS = Kinds("cuda", "function_declarator")
_TEMPLATES = Kinds("cuda", "template_declaration")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each parameter with a default in the definition of `A<T>::f` behind `template <typename T>`."""
    root = parsed.tree.root_node
    for declarator in _DECLARATORS.below(root):
        name, listed = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")
        if name is None or name.type != "qualified_identifier" or listed is None:
            continue
        if parsed.hip(declarator.start_byte) is not None or not _is_of_template(root, declarator, name):
            continue
        for one in listed.named_children:
            value = one.child_by_field_name("default_value")
            if one.type == "optional_parameter_declaration" and value is not None:
                span = Span(one.start_byte, one.end_byte)
                member = text(name).decode("utf-8", "replace")
                use = Use("name", text(one).decode("utf-8", "replace"), span, span, (), certainty="syntax")
                yield Hit("build/late-default-argument", use, {"name": member.rpartition("::")[2]})


def _is_of_template(root: Node, declarator: Node, name: Node | None) -> bool:
    """Whether a class in the name is given a parameter of the template around: `A<T>::f`, not `A<int>::f` or `f`."""
    around = next(_TEMPLATES.around(root, declarator), None)
    own = (
        frozenset(_WORD.findall(text(around.child_by_field_name("parameters")))) if around is not None else frozenset()
    )
    while name is not None and name.type == "qualified_identifier":
        scope, name = name.child_by_field_name("scope"), name.child_by_field_name("name")
        if scope is None or name is None or not _is_joined(name):
            return False
        if scope.type == "template_type" and not own.isdisjoint(_WORD.findall(text(scope))):
            return True
    return False


def _is_joined(name: Node) -> bool:
    """Whether `::` is before a name, and was not put there to read `std::vector<T> load(` behind words of macros."""
    before = name.prev_sibling
    return before is not None and before.type == "::" and not before.is_missing
