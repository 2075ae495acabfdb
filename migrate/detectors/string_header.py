"""C's functions on strings and memory without their header: nvcc includes it by itself, and HIP did before ROCm 7."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.foreign_headers import TEXT, is_foreign
from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_CALL = re.compile(
    rb"(?<![\w.>:])(?:::)?(?P<name>mem(?:set|cpy|move|cmp|chr)|str(?:len|n?cmp|n?cpy|n?cat|r?chr|str|dup|tok))"
    rb"(?=[ \t]*\()"
)
"""A call of C's functions on memory and text: `memcpy(`, `::strlen(`; no member, and not `std::memcpy(`."""
WORDS = tuple(
    b"memset memcpy memmove memcmp memchr strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr"
    b" strstr strdup strtok".split()
)
_DEFINED = re.compile(rb"(\w+)(?:\([^)]*\))?(.*)", re.DOTALL)
"""What a macro is called, and its body."""
_WORD = re.compile(rb"\w+")
_LEADING = frozenset((b"return", b"else", b"do", b"case"))
_RUNTIME = "hip/hip_runtime.h"
"""A conversion adds it to files that others include after their own headers: alone, it says nothing of those."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such call of the host in a CUDA file whose includes are all known not to bring the header."""
    if not parsed.is_for_nvcc:
        return
    if all(include.path == _RUNTIME for include in parsed.includes):
        return
    if any(not _is_known(include.path, include.quoted) for include in parsed.includes):
        return
    first = min((*_calls(parsed), *_expansions(parsed)), default=None)
    if first is not None:
        span, name = first
        yield Hit("build/string-header", Use("name", name, span, span, (), "host", "syntax"), {"name": name})


def _calls(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The first call in code of the host, with the function."""
    for match in parsed.lexed.matches(_CALL):
        before = parsed.lexed.before(match.start())
        if before is not None and before.kind == WORD and parsed.lexed.text(before) not in _LEADING:
            continue
        if _is_hosts(parsed, match.start("name")):
            yield Span(*match.span("name")), match["name"].decode()
            return


def _expansions(parsed: ParsedFile) -> Iterator[tuple[Span, str]]:
    """The first macro in code of the host that calls such a function, itself or through other macros of the file."""
    bodies = {}
    for directive in parsed.lexed.directives:
        found = _DEFINED.match(directive.argument(parsed.data)) if directive.name == "define" else None
        if found is not None:
            bodies[found[1]] = found[2]
    called = {name: call["name"] for name, body in bodies.items() if (call := _CALL.search(body)) is not None}
    while more := {
        name: called[word]
        for name, body in bodies.items()
        if name not in called
        for word in _WORD.findall(body)
        if word in called
    }:
        called |= more
    if not called:
        return
    named = re.compile(rb"\b(?:%b)\b" % b"|".join(map(re.escape, sorted(called))))
    for match in parsed.lexed.matches(named):
        if _is_hosts(parsed, match.start()):
            yield Span(*match.span()), called[match[0]].decode()
            return


def _is_hosts(parsed: ParsedFile, at: int) -> bool:
    """Whether a place is code of the host that no conditional leaves out."""
    return parsed.scope(at) == "host" and parsed.hip(at) is None and parsed.conditional(at) is None


def _is_known(path: str, quoted: bool) -> bool:
    """Whether a header is one of the C++ library or of CUDA, and not the one that is looked for."""
    return path not in TEXT and not quoted and is_foreign(path)
