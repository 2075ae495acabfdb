"""The versions in a kernel's attributes, which are no compute capability on AMD."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.device_properties import is_property, owners
from cudamigrate.analysis.printed_values import is_printed
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"ptxVersion", b"binaryVersion")

_ATTRIBUTES = ("cudaFuncAttributes", "hipFuncAttributes")
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<field>ptxVersion|binaryVersion)\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Reads through a variable that this file declares as attributes of a kernel, but not what is only printed."""
    held = owners(parsed, _ATTRIBUTES)
    for match in parsed.lexed.matches(_MEMBER) if held else ():
        span = Span(*match.span("field"))
        if is_property(parsed, match.start(), held) and not is_printed(parsed, span.start):
            name = match["field"].decode()
            use = parsed.named_use(name, span)
            yield Hit("memory/kernel-version", use, {"name": name})
