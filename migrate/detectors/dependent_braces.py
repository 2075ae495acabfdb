"""Variables of a template's type that begin as `{0}`, where the file names a vector of CUDA's for the type.

CUDA's vectors are plain structs, of which the braces set the first component. HIP's constructor from a number is
explicit: `T sum = {0};` does not compile for it. Empty braces are zero for numbers and for vectors of both.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"template",)

_BEGUN = re.compile(
    rb"(?<![\w.:<,])(?P<type>[A-Za-z_]\w*)\s+[A-Za-z_]\w*(?:\s*\[[^\[\]]*\])*\s*=\s*\{\s*"
    rb"(?P<zero>0(?:\.0*)?[fFuUlL]*)\s*\}\s*[;,]"
)
"""A variable of a type of one word, with one zero in braces: `T sum = {0};`."""
_KINDS = rb"(?:u?(?:char|short|int|long|longlong)|float|double)"
_VECTOR = re.compile(_KINDS + rb"[234]")
_NUMBER = re.compile(
    rb"(?:unsigned\s+|signed\s+)?(?:char|short|int|long(?:\s+long)?(?:\s+int)?)|unsigned|float|double|bool"
)
_TYPE_PARAMETERS = ("type_parameter_declaration", "optional_type_parameter_declaration")
_NAMED = ("identifier", "type_identifier", "field_identifier")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such zero. All arguments that the file spells for the type are numbers or vectors, and one is a vector."""
    known: dict[tuple[bytes, int], bool] = {}
    for match in parsed.lexed.matches(_BEGUN):
        span = Span(*match.span("zero"))
        if parsed.hip(span.start) is not None:
            continue
        for template in (
            one for one in parsed.nodes_around(span.start, span.end) if one.type == "template_declaration"
        ):
            at, name = _place(template, match["type"]), _name(template)
            if at < 0 or not name:
                continue
            if (name, at) not in known:
                known[name, at] = _is_vector(parsed, name, at)
            if known[name, at]:
                use = Use("name", match["type"].decode(), span, span, (), parsed.scope(span.start), "syntax")
                yield Hit("math/dependent-braces", use, {"type": use.name, "name": name.decode("utf-8", "replace")})
            break


def _place(template: Node, name: bytes) -> int:
    """Which of a template's parameters is a type of a name; -1 for none."""
    listed = template.child_by_field_name("parameters")
    for at, one in enumerate(listed.named_children if listed is not None else ()):
        if one.type in _TYPE_PARAMETERS and name in (text(part) for part in one.named_children[:1]):
            return at
    return -1


def _name(template: Node) -> bytes:
    """The name of the function or class that a template declares, empty where it has none of one word."""
    inner: Node | None = template.named_children[-1] if template.named_child_count else None
    while inner is not None and inner.type not in _NAMED:
        inner = inner.child_by_field_name("declarator") or inner.child_by_field_name("name")
    return text(inner)


def _is_vector(parsed: ParsedFile, name: bytes, at: int) -> bool:
    """Whether what the file gives for a template's parameter is numbers and vectors, and a vector once at least."""
    spelled = re.compile(rb"(?<!\w)" + re.escape(name) + rb"\s*<(?P<given>[^<>;(){}]+)>")
    given = [match["given"].split(b",") for match in parsed.lexed.matches(spelled, name)]
    types = [one[at].strip() for one in given if at < len(one)]
    plain = all(_VECTOR.fullmatch(one) or _NUMBER.fullmatch(one) for one in types)
    return plain and any(_VECTOR.fullmatch(one) for one in types)
