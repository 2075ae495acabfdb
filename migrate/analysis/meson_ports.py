"""What of a Meson file is for CUDA alone, beside a branch for HIP: `if use_rocm` ... `else`.

A variable is HIP's switch where a branch that asks for it alone links HIP's runtime or finds HIP. The other branches of
every conditional that begins by asking for it are never entered in a build for HIP.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, SpanIndex

_LINE = re.compile(rb"^[ \t]*(?P<word>if|elif|else|endif)\b(?P<asked>[^\n#]*)", re.MULTILINE)
"""The lines that open a branch or close a conditional."""
_NAME = re.compile(rb"\s*(?P<name>[A-Za-z_]\w*)\s*")
_FOR_HIP = re.compile(rb"^[^#\n]*(?:-lamdhip64|'amdhip64'|dependency\(\s*'hip\w*'|'hip::)", re.MULTILINE)
"""What only a build for HIP asks for, outside of remarks."""

_Chain = list[tuple[bytes, Span]]


def of_cuda(data: bytes) -> SpanIndex[None]:
    """The branches that a build for HIP never enters."""
    chains = _chains(data) if b"hip" in data else []
    switches = {name for name, span in (chain[0] for chain in chains) if name and _is_hips(data, span)}
    found = [span for chain in chains if chain[0][0] in switches for _, span in chain[1:]]
    return SpanIndex([(span, None) for span in sorted(found)])


def _is_hips(data: bytes, span: Span) -> bool:
    return _FOR_HIP.search(data, span.start, span.end) is not None


def _chains(data: bytes) -> list[_Chain]:
    """The conditionals that are closed, each branch with the variable that it asks for alone, if it does."""
    found, opened = list[_Chain](), list[_Chain]()
    for match in _LINE.finditer(data):
        word = match["word"]
        if word != b"if" and opened:
            name, span = opened[-1][-1]
            opened[-1][-1] = (name, Span(span.start, match.start()))
        asked = _NAME.fullmatch(match["asked"])
        branch = (asked["name"] if asked is not None else b"", Span(match.end(), match.end()))
        if word == b"if":
            opened.append([branch])
        elif word == b"endif" and opened:
            found.append(opened.pop())
        elif opened:
            opened[-1].append(branch)
    return found
