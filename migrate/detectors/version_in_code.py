"""`CUDART_VERSION` and kin outside of directives: HIP does not define them, so that the code does not compile."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"CUDART_VERSION", b"CUDA_VERSION")

INSTEAD = True
"""What is found here is not reported by the rule for the name as well."""
_VERSION = re.compile(rb"(?<![\w.:])(?:CUDART_VERSION|CUDA_VERSION)(?!\w)")
"""The macro as a value in code: not a member or another scope's (`a.CUDA_VERSION`), nor a part of a name."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each use that the preprocessor does not read as 0, unless the file defines the macro."""
    own = {definition.name for definition in parsed.definitions}
    for match in parsed.lexed.matches(_VERSION, b"CUDART_VERSION", b"CUDA_VERSION"):
        span = Span(*match.span())
        if parsed.lexed.directive_at(span.start) is not None or match[0].decode() in own:
            continue
        use = parsed.named_use(match[0].decode(), span, "token")
        yield Hit("build/version-in-code", use, {"name": use.name})
