"""String literals of C++ as text."""

from __future__ import annotations

from cudamigrate.cuda.lexer import Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_RAW = re.compile(r'(?:u8|[uUL])?R?"([^\s()\\]{0,16})\((.*)\)\1"\Z', re.DOTALL)
"""A raw string, whose `R` may be outside of the token: `R"asm(text)asm"`; the same word, at most 16 long, ends it."""
_ESCAPE = re.compile(r"\\(?:\r?\n|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "v": " ", "f": " ", "0": ""}


def read(parsed: ParsedFile, token: Token) -> str:
    """What a literal holds, its escapes read."""
    text = parsed.source.text(Span(token.start, token.end))
    if parsed.data[token.start - 1 : token.start] == b"R":
        raw = _RAW.match(text)
        return raw[2] if raw is not None else text
    body = text.partition('"')[2].removesuffix('"')
    return _ESCAPE.sub(lambda match: "" if match[1] is None else _ESCAPES.get(match[1], match[1]), body)
