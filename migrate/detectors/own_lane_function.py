"""Functions of the project's own under names of CUDA's lane functions, for classes of its own."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_code import NAMES, VOTES, facts, has_lane_words
from cudamigrate.warp.tree_queries import CLASSES

WORDS = (b"__shfl", b"__match", b"__reduce")

_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_CLASSES = tree_sitter_nodes.Kinds("cuda", *CLASSES)
_EXCHANGES = NAMES - VOTES - {"__syncwarp"}


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Definitions that take a class of the file by value or reference; calls are converted as those of CUDA's are.

    For numbers and vectors such a function is what older releases of CUDA lacked, and does what CUDA's does.
    """
    if not has_lane_words(parsed) or facts(parsed).native:
        return
    root = parsed.tree.root_node
    classes: set[bytes] | None = None
    for node in _FUNCTIONS.below(root):
        declared = node.child_by_field_name("declarator")
        while declared is not None and declared.type in ("pointer_declarator", "reference_declarator"):
            declared = declared.named_children[-1]
        name = None if declared is None else declared.child_by_field_name("declarator")
        if name is None or name.type != "identifier" or text(name).decode("latin-1") not in _EXCHANGES:
            continue
        classes = classes or {text(one.child_by_field_name("name")) for one in _CLASSES.below(root)} - {b""}
        listed = tree_sitter_nodes.elements(declared.child_by_field_name("parameters") if declared else None)
        kinds = [text(one.child_by_field_name("type")) for one in listed]
        own = next((kind for kind in kinds if kind in classes), b"")
        if own and parsed.hip(node.start_byte) is None:
            use = parsed.named_use(text(name).decode(), Span(name.start_byte, name.end_byte))
            yield Hit("warp/own-lane-function", use, {"name": use.name, "type": own.decode("latin-1")})
