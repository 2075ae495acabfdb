"""Conditions that ask for AMD's platform by the macro of HIP before ROCm 6, which nothing defines since."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import CONDITIONS
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__HIP_PLATFORM_HCC__",)

_OLD = re.compile(rb"\b__HIP_PLATFORM_HCC__\b")
_TOO = re.compile(rb"\b(?:__HIP_PLATFORM_AMD__|__HIPCC__|__HIP__)\b")
"""What holds for AMD as well: a condition that asks for it too was written for newer releases."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such name, in files that do not define it themselves."""
    named = [one for one in parsed.lexed.directives if _OLD.search(parsed.data, one.start, one.end)]
    if any(one.name == "define" and _OLD.match(one.argument(parsed.data)) for one in named):
        return
    for directive in named:
        if directive.name in CONDITIONS and not _TOO.search(parsed.data, directive.start, directive.end):
            for match in _OLD.finditer(parsed.data, directive.start, directive.end):
                if parsed.lexed.is_code(match.start()):
                    span = Span(*match.span())
                    yield Hit(
                        "build/old-platform-macro",
                        Use("name", match[0].decode(), span, span, (), "macro", "token"),
                    )
