"""C++ that GPUs have no runtime for: exceptions, types at run time, functions of the host's library."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import host_library
from cudamigrate.cuda.function_sides import is_on_both_sides
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"throw", b"try", b"typeid", b"std::")

_WORD = re.compile(rb"\b(?:throw\b(?!\s*\()|throw\s*\([^)]|try\s*\{|typeid\s*\()")
"""`throw x`, `throw (x)`, `try {`, `typeid(`. An empty `throw()` only says of a function that it throws nothing."""
_INLINE = re.compile(rb"\b(?:inline|constexpr|consteval|__forceinline__|__inline__|template)\b|INLINE")
"""What lets a function be compiled only where it is called: `inline`, `template`, a macro such as `MY_INLINE`."""
_LATE = frozenset(("template_declaration", "field_declaration_list"))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Words and names in functions that run on the device.

    `throw` and `try` count in functions for both sides too where the device gets a copy in any case. Names of the
    library do not, for such a function may be called by the host only: who calls it, all files together show.
    """
    for match in parsed.lexed.starting(_WORD, b"throw", b"try", b"typeid"):
        function = _function(parsed, match.start())
        if function is None:
            continue
        both = b"__host__" in parsed.data[function.span.start : function.body.start]
        word = re.split(rb"[\s({]", match[0])[0]
        if both and (word == b"typeid" or _may_stay_away(parsed, function)):
            continue
        yield _hit("launch/device-exception" if word != b"typeid" else "launch/device-type", word, match.start())
    for match in host_library.objects(parsed.lexed):
        function = _function(parsed, match.start())
        if function is not None and not is_on_both_sides(parsed, function):
            yield _hit("launch/host-library-on-device", match[0], match.start())


def _function(parsed: ParsedFile, offset: int) -> Function | None:
    """The function around, where it is compiled for the device and its code is not kept from it."""
    function = parsed.function(offset)
    if function is None or function.scope != "device" or offset < function.body.start or parsed.hip(offset) is not None:
        return None
    if b"\n}" in parsed.data[function.body.start : offset]:
        return None  # the tree took several functions for one
    branch = parsed.conditional(offset)
    return None if branch is not None and branch.start > function.body.start else function


def _may_stay_away(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function is compiled only where it is called: inline ones, templates and members of classes."""
    if _INLINE.search(parsed.data, function.span.start, function.body.start) is not None:
        return True
    node = parsed.tree.root_node.descendant_for_byte_range(function.body.start, function.body.start + 1)
    return any(around.type in _LATE for around in tree_sitter_nodes.ancestors(node)) if node is not None else False


def _hit(rule: str, word: bytes, start: int) -> Hit:
    span, name = Span(start, start + len(word)), word.decode()
    return Hit(rule, Use("name", name, span, span, (), "device", "syntax"), {"name": name})
