"""Names that newer releases of a package lack, where the code has nothing in their place.

`try: memoize = cupy.util.memoize` with `except AttributeError: memoize = cupy.memoize` has: what gets the
name's value gets another where the name is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, source
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile

_RULES = dict.fromkeys(
    (
        "cupy.cuda.compile_with_cache",
        "cupy.cuda.compiler.compile_with_cache",
        "cupy.util.memoize",
        "cupy.util.clear_memo",
        "import cupy.util",
    ),
    "python/cupy-removed",
)
"""The names, and `import NAME` for modules, each with its rule."""
_CAUGHT = frozenset((b"AttributeError", b"ImportError", b"ModuleNotFoundError", b"Exception", b"BaseException"))
"""What a missing name or module raises, and what is around that."""
_BINDING = ("assignment", "import_statement", "import_from_statement")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each use of such a name without another in its place."""
    read = program.of(parsed)
    for use in read.uses if read is not None else ():
        if use.name in _RULES and read is not None and not _has_other(read, use):
            yield Hit(_RULES[use.name], use)


def _has_other(read: Program, use: Use) -> bool:
    """Whether a handler of what the missing name raises binds what the name is bound to."""
    node = next(iter(read.found(use.span)), None)
    bound = source.enclosing(node, *_BINDING) if node is not None else None
    around = source.enclosing(bound, "try_statement", "function_definition", "lambda") if bound is not None else None
    body = around.child_by_field_name("body") if around is not None and around.type == "try_statement" else None
    if around is None or bound is None or body is None or not body.start_byte <= bound.start_byte < body.end_byte:
        return False
    wanted = _bound(read, bound)
    handlers = [one for one in around.named_children if one.type == "except_clause" and _catches(read, one)]
    return bool(wanted) and any(wanted <= _all_bound(read, one) for one in handlers)


def _catches(read: Program, handler: Node) -> bool:
    """Whether a handler is for what a missing name raises, or for all."""
    block = handler.named_children[-1]
    said = read.py.text[handler.start_byte : block.start_byte].removeprefix(b"except")
    words = said.replace(b"(", b" ").replace(b")", b" ").replace(b",", b" ").replace(b":", b" ").split()
    return not words or not _CAUGHT.isdisjoint(words)


def _all_bound(read: Program, handler: Node) -> set[bytes]:
    """The names that the statements of a handler bind, whatever is so."""
    statements = handler.named_children[-1].named_children
    nodes = [one.named_children[0] if one.type == "expression_statement" else one for one in statements]
    return {name for node in nodes if node.type in _BINDING for name in _bound(read, node)}


def _bound(read: Program, node: Node) -> set[bytes]:
    """The names that an assignment or an import binds."""
    if node.type == "assignment":
        target = node.child_by_field_name("left")
        return {read.py.raw(target)} if target is not None else set()
    found = (child.child_by_field_name("alias") or child for child in node.children_by_field_name("name"))
    whole = node.type == "import_statement"
    return {read.py.raw(one).partition(b".")[0] if whole else read.py.raw(one) for one in found}
