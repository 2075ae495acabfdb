"""CUDA's vector types with fewer values in braces than they have components: the others are zero for CUDA alone.

HIP's types have constructors: one value is refused behind `=`, and elsewhere stands for all components.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"{",)

_TYPE = re.compile(rb"\b(?P<type>(?:u?(?:char|short|int|long(?:long)?)|float|double)(?P<size>[2-4]))\b(?=\s*[\w{])")
_KINDS = (b"char", b"short", b"int", b"long", b"float", b"double")
_DECLARED = re.compile(rb"\s*(?:const\b\s*)?[A-Za-z_]\w*\s*(?P<many>(?:\[[^\]{};]*\]\s*)*)(?:=\s*)?(?P<open>[{=;,(])")
"""A variable or an array of the type, up to its value: ` a = {`, ` b{`, ` c[2] = {`, ` d,`."""
_SCALAR = re.compile(rb"[-+]?(?:0[xX][0-9a-fA-F]+|\d[\w.]*|\.\d\w*)|[\w.\[\]()>-]+\.[xyzw]")
"""What is a number and no vector: a literal, or a component."""
_MOST = 16
"""Variables of one declaration that are looked at."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each pair of braces with a part of the values."""
    if not any(kind in parsed.data for kind in _KINDS):
        return
    for match in parsed.lexed.on_lines(_TYPE, *_KINDS):
        before = parsed.lexed.text(parsed.lexed.before(match.start()))
        if before in (b"struct", b"class", b"union", b"enum", b"::", b".", b"->"):
            continue
        for opening in _openings(parsed, match.end()):
            if (use := _partial(parsed, match, opening)) is not None:
                yield Hit("memory/partial-vector", use, {"name": use.name, "size": match["size"].decode()})


def _openings(parsed: ParsedFile, at: int) -> Iterator[int]:
    """Where the braces open that give values to vectors of the type before `at`."""
    data = parsed.data
    while data[at : at + 1].isspace():
        at += 1
    if data[at : at + 1] == b"{":
        yield at
        return
    for _ in range(_MOST):
        declared = _DECLARED.match(data, at)
        if declared is None or declared["open"] in (b";", b"("):
            return
        end = declared.start("open")
        if declared["open"] == b"{":
            yield from _of_elements(parsed, end) if declared["many"] else (end,)
            end = parsed.lexed.closing(end) + 1
            while end > 0 and data[end : end + 1].isspace():
                end += 1
        if end <= 0 or data[end : end + 1] != b",":
            return
        at = end + 1


def _of_elements(parsed: ParsedFile, opening: int) -> Iterator[int]:
    """Where the braces of an array's elements open."""
    for one in parsed.arguments(opening, parsed.lexed.closing(opening)):
        if parsed.data[one.start : one.start + 1] == b"{":
            yield one.start


def _partial(parsed: ParsedFile, match: re.Match[bytes], opening: int) -> Use | None:
    """The braces, where they hold some values and not all."""
    closing = parsed.lexed.closing(opening)
    values = parsed.arguments(opening, closing)
    texts = [parsed.data[one.start : one.end] for one in values]
    if not texts or not all(texts) or len(texts) >= int(match["size"]):
        return None
    if any(text.startswith((b".", b"{")) or b"..." in text or b"#" in text or b";" in text for text in texts):
        return None
    if len(texts) == 1 and _SCALAR.fullmatch(texts[0]) is None:
        return None  # it may be a vector
    whole = Span(opening, closing + 1)
    name = match["type"].decode()
    return Use("name", name, whole, whole, values, parsed.scope(opening), parsed.certainty(opening))
