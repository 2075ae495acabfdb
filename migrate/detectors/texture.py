"""Textures and surfaces: references, fetches on GPUs without texture units, and forms of calls that HIP lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.residues import Residue, Residues

WORDS = (b"tex1D", b"tex2D", b"tex3D", b"texCubemap", b"surf1D", b"surf2D", b"surf3D", b"surfCubemap", b"texture<",
          b"surface<", b"texture <", b"surface <")  # fmt: skip
_REFERENCE = re.compile(
    rb"\btexture\s*<\s*(?:\w|::)[\w:\s]*(?:,\s*(?:[1-3]|(?:cuda|hip)TextureType\w+|0x\w+)"
    rb"(?:\s*,\s*(?:cuda|hip)ReadMode\w+)?)?\s*>\s*(?P<name>\w+)\s*[;,={]"
)
_SURFACE_REFERENCE = re.compile(rb"\bsurface\s*<\s*void\s*,\s*\w+\s*>\s*(?P<name>\w+)\s*[;,={]")
"""A reference to a surface: `surface<void, cudaSurfaceType2D> out;`; its first argument is `void` in all code."""
_CALL = re.compile(
    rb"(?<![\w.>:])(?:::)?(?P<name>(?:tex|surf)(?:1D|2D|3D|Cubemap)(?:Layered)?"
    rb"(?:Lod|Grad|fetch|gather|read|write)?)\s*(?P<type><[\w:\s,]*>)?\s*(?P<open>\()"
)
"""A fetch or a surface's call: `tex2D<float>(`, `surf2Dwrite(`; no member, and of no namespace but the global one."""
_FETCHES = {
    "tex1Dfetch": 2, "tex1D": 2, "tex2D": 3, "tex3D": 4, "tex1DLayered": 3, "tex2DLayered": 4, "tex1DLod": 3,
    "tex2DLod": 4, "tex3DLod": 5, "tex1DLayeredLod": 4, "tex2DLayeredLod": 5, "tex1DGrad": 4, "tex2DGrad": 5,
    "tex3DGrad": 6, "tex1DLayeredGrad": 5, "tex2DLayeredGrad": 6, "tex2Dgather": 4, "texCubemap": 4,
    "texCubemapLod": 5, "texCubemapLayered": 5, "texCubemapLayeredLod": 6, "texCubemapGrad": 6,
    "texCubemapLayeredGrad": 7,
}  # fmt: skip
"""How many arguments HIP's form of each fetch has, with the object."""
_SURFACES = {
    "surf1Dread": 3, "surf2Dread": 4, "surf3Dread": 5, "surf1DLayeredread": 4, "surf2DLayeredread": 5,
    "surfCubemapread": 5, "surfCubemapLayeredread": 6, "surf1Dwrite": 3, "surf2Dwrite": 4, "surf3Dwrite": 5,
    "surf1DLayeredwrite": 4, "surf2DLayeredwrite": 5, "surfCubemapwrite": 5, "surfCubemapLayeredwrite": 6,
}  # fmt: skip

_MEMBER = re.compile(rb"(?:\.|->)\s*[A-Za-z_]\w*\s*\Z")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """References where they are declared, and calls in device code or macros."""
    for pattern, rule in ((_REFERENCE, "texture/reference"), (_SURFACE_REFERENCE, "texture/surface-reference")):
        for match in parsed.lexed.matches(pattern):
            if parsed.lexed.text(parsed.lexed.before(match.start())) not in (b"::", b".", b"->"):
                span = Span(match.start(), match.end("name"))
                name = match["name"].decode()
                use = parsed.named_use(name, span, "token")
                yield Hit(rule, use, {"name": name})
    for match in parsed.lexed.matches(_CALL):
        yield from _of_call(parsed, match)


def _of_call(parsed: ParsedFile, match: re.Match[bytes]) -> Iterator[Hit]:
    name, start = match["name"].decode(), match.start("name")
    scope = parsed.scope(start)
    closing = parsed.lexed.closing(match.start("open"))
    if scope not in ("device", "macro") or closing < 0 or name not in _FETCHES | _SURFACES:
        return
    function = parsed.function(start)
    if function is not None and start < function.body.start:
        return
    args = parsed.arguments(match.start("open"), closing)
    use = Use("call", name, Span(start, match.end("name")), Span(start, closing + 1), args, scope, "syntax")
    part = _part(parsed, name, match["type"] is not None, args) if name in _SURFACES else None
    if part is not None:
        words = {"offset": str(part.offset % part.step), "step": str(part.step)}
        yield Hit("texture/surface-component", use, words)
    else:
        yield Hit("texture/fetch" if name in _FETCHES else "texture/surface-access", use)
    last = parsed.data[args[-1].start : args[-1].end] if args else b""
    if name in _FETCHES:
        if len(args) == _FETCHES[name] + 1 and match["type"] is not None and last.lstrip().startswith(b"&"):
            yield Hit("texture/resident-flag", use)
        return
    mode = b"BoundaryMode" in last
    plain = len(args) - mode
    if mode and plain == _SURFACES[name]:
        zero = last.strip() in (b"cudaBoundaryModeZero", b"hipBoundaryModeZero")
        yield Hit("texture/surface-zero" if zero else "texture/surface-boundary", use)
    elif name.endswith("read") and match["type"] is not None and plain == _SURFACES[name] - 1:
        yield Hit("texture/surface-value", use)


def _part(parsed: ParsedFile, name: str, returns: bool, args: Sequence[Span]) -> Residue | None:
    """What a first coordinate is that is inside of what it is a multiple of: byte 4 of each 16.

    Multiples of 8 bytes may be two texels of one value each, unless the value is a member of something.
    """
    at = 1 if returns and name.endswith("read") else 2
    node = node_at(parsed, *_stripped(parsed.data, args[at])) if at < len(args) else None
    found = parsed.once(Residues).of(node)
    if found.step not in (8, 16) or found.offset % found.step == 0:
        return None
    return found if found.step > 8 or _MEMBER.search(parsed.data[args[0].start : args[0].end]) is not None else None


def _stripped(data: bytes, span: Span) -> tuple[int, int]:
    """The place of an argument without the blanks around it."""
    text = data[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    return start, start + len(text.strip())
