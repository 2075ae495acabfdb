"""The types that a type's name stands for in a file: through `typedef` and `using`, of classes too.

A name is looked for from its place outwards. `typename Lanes<T>::quad` stands for what any specialisation of `Lanes` in
the file calls `quad`, so that a name may have several meanings. What other files declare is not seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_ALIASES = tree_sitter_nodes.Kinds("cuda", "alias_declaration", "type_definition")
_CLASSES = ("struct_specifier", "class_specifier")
_SCOPES = (*_CLASSES, "compound_statement", "declaration_list", "translation_unit")
_MEMBER = re.compile(rb"(?:typename\s+)?(?:\w+\s*::\s*)*(\w+)\s*(?:<.*>)?\s*::\s*(?:template\s+)?(\w+)", re.S)
"""A type of a class by the class's name: `typename Lanes<T>::quad`."""
_QUALIFIERS = (b"const", b"volatile", b"typename")
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class _Aliases:
    """What names stand for: by the scope that declares them, and by the name of the class that does."""

    scopes: Mapping[tuple[int, bytes], Sequence[tuple[bytes, Node]]]
    members: Mapping[tuple[bytes, bytes], Sequence[tuple[bytes, Node]]]


def meanings(parsed: ParsedFile, spelled: bytes, place: Node) -> Iterator[bytes]:
    """The types that a spelling at a place stands for, without `const`: itself where the file gives it no other."""
    yield from dict.fromkeys(_followed(parsed.once(_aliases), spelled, place, _DEPTH))


def _followed(aliases: _Aliases, spelled: bytes, place: Node, depth: int) -> Iterator[bytes]:
    name = b" ".join(word for word in spelled.split() if word not in _QUALIFIERS)
    further = _declared(aliases, name, place) if depth else ()
    if not further:
        yield name
    for one, where in further:
        yield from _followed(aliases, one, where, depth - 1)


def _declared(aliases: _Aliases, name: bytes, place: Node) -> Sequence[tuple[bytes, Node]]:
    member = _MEMBER.fullmatch(name)
    if member is not None:
        return aliases.members.get((member[1], member[2]), ())
    around = (aliases.scopes.get((one.id, name)) for one in tree_sitter_nodes.ancestors(place))
    return next((found for one in around if (found := _others(one, place))), ())


def _others(found: Sequence[tuple[bytes, Node]] | None, place: Node) -> list[tuple[bytes, Node]]:
    """Without the declaration that is followed: `using four = four;` in a class names the one outside of it."""
    return [one for one in found or () if one[1].id != place.id]


def _aliases(parsed: ParsedFile) -> _Aliases:
    scopes, members = (
        defaultdict[tuple[int, bytes], list[tuple[bytes, Node]]](list),
        dict[tuple[bytes, bytes], list[tuple[bytes, Node]]](),
    )
    for node in _ALIASES.below(parsed.tree.root_node):
        name, spelled = (
            text(node.child_by_field_name("name") or node.child_by_field_name("declarator")),
            text(node.child_by_field_name("type")),
        )
        scope = next((one for one in tree_sitter_nodes.ancestors(node) if one.type in _SCOPES), None)
        if scope is None or not spelled:
            continue
        scopes[scope.id, name].append((spelled, node))
        if scope.type in _CLASSES:
            owner = text(scope.child_by_field_name("name")).partition(b"<")[0].strip()
            members.setdefault((owner, name), []).append((spelled, node))
    return _Aliases(scopes, members)
