"""Warp sizes chosen by macros of the GPU compiled for, which host code does not have."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__GFX", b"__gfx", b"__AMDGCN")

_ASKS = re.compile(rb"__(?:GFX\d+|gfx[0-9a-f]+|AMDGCN_WAVEFRONT_SIZE|AMDGCN_WAVEFRONT_SIZE__|AMDGCN)_*")
"""A macro about the GPU compiled for: `__GFX9__`, `__gfx90a__`, `__AMDGCN_WAVEFRONT_SIZE__`."""
_NAMED = re.compile(
    rb"(?:#[ \t]*define[ \t]+|\bconstexpr\s+[\w:\s]*?)(?P<name>\w*(?:[wW]arp|WARP|[wW]ave|WAVE)\w*)[ \t]*=?[ \t(]*"
    rb"(?:32|64|__AMDGCN_WAVEFRONT_SIZE)"
)
"""A warp size given by name: `#define WARP_SIZE 64`, `constexpr int kWarp = (32`; lazy up to the name."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Conditions that give a warp size by such a macro, where host code of the same file or a launch uses that size."""
    reported: set[bytes] = set()
    for number, directive in enumerate(parsed.lexed.directives):
        macro = _ASKS.search(parsed.data, directive.start, directive.end)
        if macro is None or directive.name not in ("if", "ifdef", "elif"):
            continue
        name = next((one for one in _given(parsed, number) if one not in reported and _host_uses(parsed, one)), b"")
        if name:
            reported.add(name)
            span = Span(*macro.span())
            words = {"name": name.decode(), "macro": macro[0].decode()}
            yield Hit("warp/host-size", Use("name", words["macro"], span, span, (), "macro", "token"), words)


def _given(parsed: ParsedFile, number: int) -> list[bytes]:
    """Names after the warp that the branches of a conditional give a size."""
    depth, end = 1, len(parsed.data)
    for directive in parsed.lexed.directives[number + 1 :]:
        depth += directive.name in ("if", "ifdef", "ifndef")
        depth -= directive.name == "endif"
        if depth == 0:
            end = directive.start
            break
    start = parsed.lexed.directives[number].end
    return [match["name"] for match in _NAMED.finditer(parsed.data, start, end) if parsed.lexed.is_code(match.start())]


def _host_uses(parsed: ParsedFile, name: bytes) -> bool:
    """Whether host code says a name, or a launch of a kernel does."""
    launches = [use.extent for use in parsed.uses if use.kind == "launch"]
    for match in parsed.lexed.matches(re.compile(rb"\b" + re.escape(name) + rb"\b")):
        if parsed.lexed.directive_at(match.start()) is None and parsed.scope(match.start()) == "host":
            return True
        if any(launch.start <= match.start() < launch.end for launch in launches):
            return True
    return False
