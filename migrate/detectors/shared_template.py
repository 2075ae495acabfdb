"""Dynamic shared memory declared with a type that a template leaves open, or with a size."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import CLASSES

WORDS = (b"extern",)

_ARRAY = re.compile(
    rb"\bextern\s+(?:__align__\s*\(\s*\w+\s*\)\s*)?__shared__\s+(?:(?:__align__|alignas)\s*\([\w()\s]+\)\s*)?"
    rb"(?P<type>[A-Za-z_]\w*)\s+(?P<name>[A-Za-z_]\w*)\s*\[\s*\]\s*;"
)
"""`extern __shared__ T data[];`, its alignment before or after `__shared__`. Only a type of one word may be open."""
_SIZED = re.compile(
    rb"\bextern\s+(?:__align__\s*\(\s*\w+\s*\)\s*)?__shared__\s+(?:(?:__align__|alignas)\s*\([\w()\s]+\)\s*)?"
    rb"[A-Za-z_][\w:<>]*(?:\s+[A-Za-z_]\w*)*?\s+(?P<name>[A-Za-z_]\w*)\s*\[(?P<size>[^\][;]*[^\][;\s][^\][;]*)\]"
)
"""`extern __shared__ float tile[32][33];` up to its first size."""
_NONE = (b"0", b"1")
"""Sizes that stand for none: what a kernel has is what its launch gives."""
_BYTES = 2
"""Which argument of a launch is the dynamic shared memory."""
_PARAMETER = re.compile(rb"\b(?:typename|class)\s+(\w+)")
_NEAR = 600
_USED = tree_sitter_nodes.Kinds("cuda", "template_function", "template_type")
_CHOSEN = b"scalar_t"
"""What PyTorch's macros call each of the types that they make a kernel for."""
_CLASSES = tree_sitter_nodes.Kinds("cuda", *CLASSES)
_HAS_ARRAY = re.compile(rb"\bextern\b[^;{}]*\b__shared__\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`extern __shared__ T name[];` where the function around is a template over `T`; sizes in such declarations.

    Of one type both compilers take it, so that the file must show two: code that nvcc builds has them in other files.
    """
    yield from _sized(parsed)
    for match in parsed.lexed.matches(_ARRAY, b"extern"):
        function = parsed.function(match.start())
        if function is None or parsed.hip(match.start()) is not None:
            continue
        before = parsed.data[max(0, function.span.start - _NEAR) : function.body.start]
        template = before.rfind(b"template")
        if template < 0 or re.search(rb"[;}]", before[template : -(function.body.start - function.span.start)]):
            continue
        named = _PARAMETER.findall(before[template:])
        if match["type"] not in named or _is_specialised(parsed, match.start()):
            continue
        if not _has_types(parsed, function, match.start(), named.index(match["type"])):
            continue
        name, span = match["name"].decode(), Span(match.start(), match.end())
        use = Use("name", name, span, span, (), "device", "syntax")
        yield Hit("memory/template-shared-array", use, {"name": name, "type": match["type"].decode()})


def _has_types(parsed: ParsedFile, function: Function, at: int, number: int) -> bool:
    """Whether a file gives a template several types as one of its parameters, or a type that is chosen at run time."""
    node = parsed.tree.root_node.descendant_for_byte_range(at, at + 1)
    around = tree_sitter_nodes.ancestors(node) if node is not None else ()
    owner = next((text(one.child_by_field_name("name")) for one in around if one.type in CLASSES), b"")
    name = owner or function.name.encode()
    found = set[bytes]()
    for used in _USED.below(parsed.tree.root_node):
        given = tree_sitter_nodes.elements(used.child_by_field_name("arguments"))
        if text(used.child_by_field_name("name")) == name and number < len(given):
            found.add(text(given[number]))
    return len(found) > 1 or _CHOSEN in found


def _is_specialised(parsed: ParsedFile, at: int) -> bool:
    """Whether the class around a place has a specialisation in the file with an array of another name.

    That is how types are kept apart: what is left to the template itself is one type at most, or nvcc refuses it too.
    """
    node = parsed.tree.root_node.descendant_for_byte_range(at, at + 1)
    around = tree_sitter_nodes.ancestors(node) if node is not None else ()
    own = next((one.child_by_field_name("name") for one in around if one.type in CLASSES), None)
    classes = ((one, one.child_by_field_name("name")) for one in _CLASSES.below(parsed.tree.root_node))
    return own is not None and any(
        name.type == "template_type"
        and text(name.child_by_field_name("name")) == text(own)
        and _HAS_ARRAY.search(text(one))
        for one, name in classes
        if name is not None
    )


def _sized(parsed: ParsedFile) -> Iterator[Hit]:
    """What clang refuses in arrays with a size that are also `extern`: that word, or the first size."""
    found = [match for match in parsed.lexed.matches(_SIZED, b"extern") if parsed.hip(match.start()) is None]
    for match in found:
        start, size = match.start(), Span(*match.span("size"))
        function = parsed.function(start)
        alone = sum(parsed.function(one.start()) is function for one in found) == 1
        is_dynamic = alone and (parsed.data[size.start : size.end].strip() in _NONE or _is_given(parsed, function))
        span = size if is_dynamic else Span(start, start + len(b"extern"))
        name = match["name"].decode()
        use = Use("name", name, span, span, (), "device", "syntax")
        yield Hit("memory/sized-shared-array", use, {"name": name, "word": "size" if is_dynamic else "word `extern`"})


def _is_given(parsed: ParsedFile, function: Function | None) -> bool:
    """Whether the file launches a kernel with dynamic shared memory; of one that is no kernel, whether it does any."""
    launches = [one for one in parsed.uses if one.kind == "launch" and len(one.args) > _BYTES]
    asked = ((one, one.args[_BYTES]) for one in launches)
    given = [one for one, span in asked if parsed.data[span.start : span.end].strip() not in (b"0", b"NULL")]
    is_kernel = function is not None and any(one.name == function.name for one in parsed.uses if one.kind == "launch")
    return any(not is_kernel or (function is not None and one.name == function.name) for one in given)
