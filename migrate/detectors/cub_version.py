"""Versions of CUB in directives: HIP defines none, and a condition takes the path for the oldest."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"CUB_VERSION", b"CUB_MAJOR_VERSION", b"CUB_MINOR_VERSION", b"CUB_SUBMINOR_VERSION", b"CUB_PATCH_NUMBER")

INSTEAD = True
"""What is found here is not reported by the rule for the name as well."""
_VERSION = re.compile(rb"(?<!\w)CUB_(?:(?:MAJOR_|MINOR_|SUBMINOR_)?VERSION|PATCH_NUMBER)(?!\w)")
_DIRECTIVES = ("if", "elif", "ifdef", "ifndef", "define")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such name in a condition, or in a macro that stands for it; in code it does not compile."""
    for match in parsed.lexed.matches(_VERSION, b"CUB_"):
        directive = parsed.lexed.directive_at(match.start())
        if directive is None or directive.name not in _DIRECTIVES or parsed.hip(match.start()) is not None:
            continue
        is_own = directive.name == "define" and parsed.data[directive.rest : match.start()].strip() == b""
        if directive.name == "define" and not is_own:
            continue
        use = parsed.named_use(match[0].decode(), Span(*match.span()), "token")
        yield Hit("build/cub-version", use, {"name": use.name})
