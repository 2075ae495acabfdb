"""The versions in a kernel's attributes, which are no compute capability on AMD."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.device_properties import is_property, owners
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"ptxVersion", b"binaryVersion")

_ATTRIBUTES = ("cudaFuncAttributes", "hipFuncAttributes")
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<field>ptxVersion|binaryVersion)\b")
_PRINTED = re.compile(rb"\w*printf|\w*print|format|to_string")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Reads through a variable that this file declares as attributes of a kernel, but not what is only printed."""
    held = owners(parsed, _ATTRIBUTES)
    for match in parsed.lexed.matches(_MEMBER) if held else ():
        span = Span(*match.span("field"))
        if is_property(parsed, match.start(), held) and not _is_printed(parsed, span):
            name = match["field"].decode()
            use = parsed.named_use(name, span)
            yield Hit("memory/kernel-version", use, {"name": name})


def _is_printed(parsed: ParsedFile, span: Span) -> bool:
    """Whether a value goes into a text and nowhere else: an argument of `printf`, what `<<` writes."""
    for node in reversed(parsed.nodes_around(span.start, span.end)):
        if node.type == "call_expression":
            called = node.child_by_field_name("function")
            return called is not None and _PRINTED.fullmatch((called.text or b"").rpartition(b"::")[2]) is not None
        if node.type == "binary_expression":
            return (node.child_by_field_name("operator") or node).type == "<<"
        if node.type.endswith("statement") or node.type == "declaration":
            return False
    return False
