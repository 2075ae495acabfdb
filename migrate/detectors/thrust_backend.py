"""Thrust's CUDA backend by the name that `using namespace thrust` leaves it: `cuda::par` for `thrust::cuda::par`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"thrust",)

_USING = re.compile(rb"\busing\s+namespace\s+(?:::\s*)?thrust\s*;")
"""The directive that makes members of `thrust` known without it; not `using namespace thrust::placeholders`."""
_BACKEND = re.compile(rb"(?<![\w:])cuda(?=\s*::\s*(?:par|par_nosync|tag|execution_policy|vector|pointer|reference)\b)")
"""The backend's namespace before one of its members, none of which libcu++'s namespace `cuda` has."""
_OWN = re.compile(rb"\bnamespace\s+(?:\w+\s*::\s*)*cuda\b")
"""A namespace of this name in the file itself: `namespace cuda {`, or an alias for another."""

_BRACE = re.compile(rb"\{")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each use that the directive reaches: behind it, in the block that holds it or one inside; all, of a header's."""
    reached = [_reached(parsed, match.start()) for match in parsed.lexed.matches(_USING, b"thrust")]
    reached += [(0, len(parsed.data)) for one in parsed.opened if _USING.fullmatch(one)]
    if not reached or any(parsed.lexed.matches(_OWN, b"namespace")):
        return
    for match in parsed.lexed.matches(_BACKEND, b"cuda"):
        span = Span(*match.span())
        if any(start <= span.start < end for start, end in reached):
            yield Hit(
                "library/thrust-backend",
                parsed.named_use("cuda", span, "syntax"),
            )


def _reached(parsed: ParsedFile, start: int) -> tuple[int, int]:
    """From the directive to the end of the block or namespace around it, by its braces, or of the file.

    The syntax tree may end a block early, where a lambda in it is marked for the device.
    """
    braces = (match.start() for match in parsed.lexed.matches(_BRACE, b"{") if match.start() < start)
    around = [end for end in map(parsed.lexed.closing, braces) if end > start]
    return start, min(around, default=len(parsed.data))
