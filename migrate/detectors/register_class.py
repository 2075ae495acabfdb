"""The storage class `register`, which C++17 took out of the language."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.words import ASM
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"register",)

_REGISTER = re.compile(rb"\bregister\b(?!\$)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each `register` before a type in a CUDA file, or in device code of any other file.

    A variable that is bound to a named machine register (`register int x asm("r0")`) needs the word. A C file that
    is no CUDA file may keep it.
    """
    for match in parsed.lexed.starting(_REGISTER, b"register"):
        start = match.start()
        if parsed.source.language != "cuda" and parsed.scope(start) != "device":
            continue
        if _declares(parsed, match):
            span = Span(start, match.end())
            use = parsed.named_use("register", span)
            yield Hit("build/register-class", use)


def _declares(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether a declaration follows: a type, up to the `=`, `,` or `;` after its name, without `asm`."""
    lexed, start = parsed.lexed, match.start()
    directive = lexed.directive_at(start)
    before = lexed.before(start)
    if directive is not None and (directive.name != "define" or lexed.text(before) == b"define"):
        return False
    token = lexed.token(match.end())
    if token is None or token.kind != WORD:
        return directive is not None and (token is None or token.start >= directive.end)
    while token is not None and lexed.text(token) not in (b"=", b",", b";", b")", b"{"):
        if lexed.text(token) in ASM:
            return False
        token = lexed.after(token)
    return True
