"""CUDA C++ that a Python script puts together from strings and writes to files, which are compiled later."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, vendors
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.wording import count_of

_NAME = re.compile(rb"\bcuda[A-Z][a-z]\w*")
_CODE = re.compile(rb"\bcuda[A-Z][a-z]\w*(?:(?=\s*\()|_t\b)")
"""A name of CUDA's runtime as code has it: called, or a type. Another word may be a key or part of a message."""
_HIP = re.compile(rb"\bhip[A-Z][a-z]\w*")
_WRITES = re.compile(rb"\.(?:write|writelines|write_text)\Z")
_ADDS = re.compile(rb"\.(?:write|writelines|write_text|append|join)\Z")
_PARTS = ("concatenated_string", "parenthesized_expression", "binary_operator")
_HOLDS = ("assignment", "return_statement", "list", "tuple", "conditional_expression")
_SEVERAL = 2
"""So many different names a file must have: one may be in a text about an error."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """One hit in a file, at the first of several names; none where PyTorch builds, or the script knows HIP's names."""
    read = program.of(parsed)
    if read is None or parsed.embedded or vendors.builds(parsed) or _HIP.search(read.py.text):
        return
    if not any(_WRITES.search(_called(read, call)) for call in read.py.kind("call")):
        return
    made = [one for one in read.py.kind("string") if read.open(one.start_byte) and _is_made(read, one)]
    if len({match[0] for one in made for match in _CODE.finditer(read.py.raw(one))}) < _SEVERAL:
        return
    found = [(one, match) for one in made for match in _NAME.finditer(read.py.raw(one))]
    node, first = found[0]
    span = read.py.span(node.start_byte + first.start(), node.start_byte + first.end())
    words = {"count": count_of(len(found), "CUDA name")}
    yield Hit("python/written-code", Use("name", first[0].decode(), span, span), words)


def _called(read: Program, call: Node) -> bytes:
    function = call.child_by_field_name("function")
    return b"" if function is None else read.py.raw(function)


def _is_made(read: Program, node: Node) -> bool:
    """Whether a string is joined with others, written, or held as text of several parts; no key, message or pattern."""
    joined, around = b";" in read.py.raw(node), node.parent
    if _NAME.search(read.py.raw(node)) is None:
        return False
    while around is not None and around.type in _PARTS:
        joined = joined or around.type == "binary_operator"
        around = around.parent
    if around is None or around.type == "augmented_assignment":
        return around is not None
    if around.type == "argument_list" and around.parent is not None:
        return _ADDS.search(_called(read, around.parent)) is not None
    return joined and around.type in _HOLDS
