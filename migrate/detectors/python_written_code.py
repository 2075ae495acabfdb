"""CUDA C++ that a Python script puts together from strings and writes to files, which are compiled later."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, vendors
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.written_files import CODE, WrittenFiles
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.wording import count_of

_NAME = re.compile(
    rb"\bcuda[A-Z][a-z]\w*|\b__(?:shfl|ballot|any|all|match_any|match_all|reduce_\w+|syncwarp)\w*(?=\s*\()|"
    + CODE.pattern
)
_HIP = re.compile(rb"\bhip[A-Z][a-z]\w*|\bhip/hip_")
_WRITES = re.compile(rb"\.(?:write|writelines|write_text)\Z")
_ADDS = re.compile(rb"\.(?:write|writelines|write_text|append|join)\Z")
_PARTS = ("concatenated_string", "parenthesized_expression", "binary_operator", "generator_expression",
          "list_comprehension")  # fmt: skip
_IS_CODE = re.compile(rb";|#[ \t]*include\b")
_HOLDS = ("assignment", "return_statement", "list", "tuple", "conditional_expression")
_CALL = re.compile(rb"(?:\A[\"']|[^\w`'\"])(cuda[A-Z][a-z]\w*)\s*\(\s*(?!\))")
"""A call with what it is given, which a function of a code generator fills in: `cudaMalloc((void**) &`."""
_SEVERAL = 2
"""So many different names a file must have where nothing shows what it writes: one may be in a text about an error."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """One hit in a file, at the first of several names; none where PyTorch builds, or the script knows HIP's names."""
    read = program.of(parsed)
    if read is None or vendors.builds(parsed) or _HIP.search(read.py.text):
        return
    made = [one for one in read.py.kind("string") if read.open(one.start_byte) and _is_made(read, one)]
    made = [one for one in made if not _is_read(parsed, read, one)]
    coded = [one for one in made if CODE.search(read.py.raw(one))]
    if not coded or not (
        WrittenFiles(read.py).takes(coded)
        or _writes_several(parsed, read, coded)
        or _gives_several(parsed, read, coded)
    ):
        return
    found = [(one, match) for one in made for match in _NAME.finditer(read.py.raw(one))]
    node, first = found[0]
    span = read.py.span(node.start_byte + first.start(), node.start_byte + first.end())
    words = {"count": count_of(len(found), "CUDA name")}
    yield Hit("python/written-code", Use("name", first[0].decode(), span, span), words)


def _writes_several(parsed: ProjectFile, read: Program, coded: list[Node]) -> bool:
    """Whether a script writes anything, and has several names in its texts, none of which it compiles as it runs."""
    names = {match[0] for one in coded for match in CODE.finditer(read.py.raw(one))}
    writes = any(_WRITES.search(_called(read, call)) for call in read.py.kind("call"))
    return writes and not parsed.embedded and len(names) >= _SEVERAL


def _gives_several(parsed: ProjectFile, read: Program, coded: list[Node]) -> bool:
    """Whether functions of a script return calls of several names that they fill in: another script writes them."""
    names = set[bytes]()
    for one in coded:
        call = _CALL.search(read.py.raw(one))
        if call is not None and _is_filled_result(read, one):
            names.add(call[1])
    return not parsed.embedded and len(names) >= _SEVERAL


def _is_filled_result(read: Program, node: Node) -> bool:
    """Whether a text is a part of a statement that a function returns, with more than texts put into it."""
    around, filled = node.parent, False
    while around is not None and (around.type in _PARTS or _fills_in(read, around)):
        filled = filled or around.type in ("attribute", "call", "binary_operator")
        around = around.parent
    if not filled or around is None or around.type != "return_statement":
        return False
    return b";" in read.py.raw(around)


def _is_read(parsed: ProjectFile, read: Program, node: Node) -> bool:
    """Whether a text is in source that is read as code."""
    place = read.py.place(node)
    return any(part.span.start < place.end and place.start < part.span.end for part in parsed.embedded)


def _called(read: Program, call: Node) -> bytes:
    function = call.child_by_field_name("function")
    return b"" if function is None else read.py.raw(function)


def _fills_in(read: Program, around: Node) -> bool:
    """Whether a string's method makes a text of it: `"cudaFree({});".format(name)`, by the call or its function."""
    call = around if around.type == "call" else around.parent
    called = _called(read, call) if call is not None and call.type == "call" else b""
    return around.type in ("attribute", "call") and called.endswith((b".format", b".replace"))


def _is_made(read: Program, node: Node) -> bool:
    """Whether a string is joined with others, written, or held as text of several parts; no key, message or pattern."""
    joined, around = _IS_CODE.search(read.py.raw(node)) is not None, node.parent
    if _NAME.search(read.py.raw(node)) is None:
        return False
    while around is not None and (around.type in _PARTS or _fills_in(read, around)):
        joined = joined or around.type == "binary_operator"
        around = around.parent
    if around is None or around.type == "augmented_assignment":
        return around is not None
    call = around.parent if around.type == "argument_list" else around  # a generator is the call's own child
    if call is not None and call.type == "call":
        return _ADDS.search(_called(read, call)) is not None
    return joined and around.type in _HOLDS
