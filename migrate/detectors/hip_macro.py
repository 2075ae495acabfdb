"""Names of a project's own that HIP's headers have as macros: what is declared by them becomes a number there."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.foreign_headers import MACROS_OF_HIP
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span

WORDS = MACROS_OF_HIP

_NAMES = frozenset(MACROS_OF_HIP)
_DECLARES = frozenset(
    (
        *("init_declarator", "declaration", "field_declaration", "array_declarator", "function_declarator"),
        *("pointer_declarator", "reference_declarator", "parameter_declaration", "optional_parameter_declaration"),
    )
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first declaration of each such name, in a file that has no macro of that name itself."""
    own = {
        one.argument(parsed.data).split(b" ")[0] for one in parsed.lexed.directives if one.name in ("define", "undef")
    }
    found = set[bytes]()
    for at in parsed.lexed.words(_NAMES):
        node = parsed.tree.root_node.descendant_for_byte_range(at, at + 1)
        name = b"" if node is None else node.text or b""
        if node is None or node.parent is None or name in found or name in own:
            continue
        part = "name" if node.parent.type == "enumerator" else "declarator"
        if (part == "name" or node.parent.type in _DECLARES) and node in node.parent.children_by_field_name(part):
            found.add(name)
            yield Hit("build/hip-macro-name", parsed.named_use(name.decode(), Span(at, at + len(name))))
