"""Variables of device code that are named by a string, or that another file defines."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.analysis.string_values import StringValues
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_SYMBOL = {
    "cudaMemcpyToSymbol": 0, "cudaMemcpyToSymbolAsync": 0, "cudaMemcpyFromSymbol": 1, "cudaMemcpyFromSymbolAsync": 1,
    "cudaGetSymbolAddress": 1, "cudaGetSymbolSize": 1,
}  # fmt: skip
"""Which argument is the variable."""
_EXTERNAL = re.compile(
    rb"\bextern\b\s*(?P<where>__(?:constant|device)__)\s+(?:[\w:]+\s+)*?[\w:]+\s*[&*]?\s*"
    rb"(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*;"
)
"""A device variable of another file: `extern __constant__ const float table[16];`. A list of values would define it."""
_FUNCTION = re.compile(
    rb"\bextern\s+(?:\"C\"\s+)?(?:__host__\s+)?__device__\s+[^;{}()=]*?\b(?P<name>[A-Za-z_]\w*)\s*\([^;{}]*\)\s*;"
)
"""A device function of another file: `extern "C" __device__ float f(float);`. A body instead of `;` would define it."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Strings for variables in calls that copy to them, and declarations of what is elsewhere."""
    for use in parsed.uses:
        at = _SYMBOL.get(use.name)
        if at is None or use.kind != "call" or len(use.args) <= at:
            continue
        span = use.args[at]
        text = parsed.source.text(span)
        node = node_at(parsed, span.start, span.end)
        if text.startswith('"') or parsed.once(StringValues).is_text(node):
            yield Hit("memory/symbol-by-name", Use("name", text, span, span, (), use.scope, use.certainty))
    if b"extern" not in parsed.data:
        return
    for match in parsed.lexed.starting(_EXTERNAL, b"extern"):
        span, name = Span(*match.span("name")), match["name"].decode()
        use = parsed.named_use(name, span)
        yield Hit("memory/external-variable", use, {"name": name})
    # A declaration inside a function names what is meant never to link; two underscores are the compiler's own.
    defined = {function.name for function in parsed.functions}
    for match in parsed.lexed.matches(_FUNCTION, b"__device__"):
        name = match["name"].decode()
        if name not in defined and parsed.function(match.start()) is None and not name.startswith("__"):
            span = Span(*match.span("name"))
            use = parsed.named_use(name, span)
            yield Hit("memory/external-function", use, {"name": name})
