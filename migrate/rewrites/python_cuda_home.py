"""A test for CUDA's folder that decides whether PyTorch builds an extension asks for ROCm's folder as well.

PyTorch for ROCm has None in `CUDA_HOME`, so that such a test leaves the extension out without a word. Nothing is
changed in a file that uses the folder itself, which is None behind the test too, and in one that knows ROCm. Source:
torch/utils/cpp_extension.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import enclosing
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.tree_sitter_nodes import ancestors

_MODULE = b"torch.utils.cpp_extension"
_KNOWS_ROCM = re.compile(rb"\bROCM_HOME\b|\bIS_HIP_EXTENSION\b")
"""What a file has that asks for ROCm's folder already, with a meaning of its own."""
_COMPARED = re.compile(rb"\s*(?:is(\s+not)?|(==)|(!=))\s*None\s*\Z")
"""What follows the folder in a test: `is None`, `is not None`, `== None`."""
_ALONE = ("if_statement", "elif_clause", "parenthesized_expression", "assignment", "return_statement", "argument_list")
"""What is around a condition that needs no brackets of its own."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty."""
    read = program.of(parsed)
    node = next(read.found(use.span), None) if read is not None else None
    if read is None or node is None or not _is_gated(read, use):
        return []
    py, name = read.py, read.py.raw(node)
    test, other = _test(read, node), _other(name)
    if test is None:
        return []
    if test.type != "comparison_operator":
        return [*_imports(read), *py.edits(test.start_byte, test.end_byte, f"({name.decode()} or {other})")]
    rest = py.text[node.end_byte : test.end_byte].decode("utf-8", "replace")
    how = _COMPARED.match(rest.encode())
    joint = "or" if how is not None and (how[1] or how[3]) else "and"
    made = f"{name.decode()}{rest} {joint} {other}{rest}"
    alone = test.parent is not None and test.parent.type in _ALONE
    return [*_imports(read), *py.edits(test.start_byte, test.end_byte, made if alone else f"({made})")]


def _other(name: bytes) -> str:
    """ROCm's folder, from the module that CUDA's is from: `ROCM_HOME`, `cpp_extension.ROCM_HOME`."""
    module, dot, _ = name.rpartition(b".")
    return f"{(module + dot).decode('utf-8', 'replace')}ROCM_HOME"


def _is_gated(read: Program, use: Use) -> bool:
    """Whether the file makes an extension, knows nothing of ROCm, and only asks whether the folder is there."""
    py = read.py
    if b"CUDAExtension" not in py.text or py.starts or _KNOWS_ROCM.search(py.text):
        return False
    if any(hip for *_, hip in read.guards.ranges) or py.values(b"CUDA_HOME"):
        return False
    same = (one for one in read.uses if one.name == use.name)
    return all(_is_harmless(read, next(read.found(one.span), None)) for one in same)


def _is_harmless(read: Program, node: Node | None) -> bool:
    """Whether a use takes no folder that is None: it asks for it, or prints it."""
    if node is None:
        return False
    call = enclosing(node, "call")
    while call is not None:
        function = call.child_by_field_name("function")
        if function is not None and read.py.raw(function) == b"print":
            return True
        call = enclosing(call, "call")
    return _test(read, node) is not None


def _test(read: Program, node: Node) -> Node | None:
    """What asks whether the folder is there: a comparison with None, or the name where only its truth counts."""
    around = node.parent
    if around is not None and around.type == "comparison_operator":
        rest = read.py.text[node.end_byte : around.end_byte]
        return around if around.start_byte == node.start_byte and _COMPARED.match(rest) else None
    inner = node
    for around in ancestors(node):
        if around.type == "not_operator":
            return node
        if around.type not in ("boolean_operator", "parenthesized_expression"):
            return node if _is_condition(around, inner) else None
        inner = around
    return None


def _is_condition(around: Node, inner: Node) -> bool:
    """Whether only the truth of what is in a node counts there."""
    if around.type in ("if_statement", "elif_clause"):
        return around.child_by_field_name("condition") == inner
    return around.type == "conditional_expression" and around.named_children[1] == inner


def _imports(read: Program) -> list[Edit]:
    """Each import that names CUDA's folder names ROCm's as well."""
    return [edit for place in _named(read) for edit in read.py.edits(place.end, place.end, ", ROCM_HOME")]


def _named(read: Program) -> Iterator[Span]:
    for node in read.py.kind("import"):
        module = node.child_by_field_name("module_name")
        if module is not None and read.py.raw(module) == _MODULE:
            for child in node.children_by_field_name("name"):
                if read.py.raw(child).split()[0] == b"CUDA_HOME":
                    yield Span(child.start_byte, child.end_byte)
