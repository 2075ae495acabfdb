"""NVIDIA's compiler looked for and started as a process of its own, by C and C++ code that compiles kernels as it runs.

What the literals say is followed: a path that ends in the compiler, a command line in which it is the program, and the
first line that it prints about itself. Text that is printed for people is none of these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"nvcc",)
_PATH = re.compile(rb"(?:[^\s\"|;&<>]*[/\\])(?P<tool>nvcc(?:\.exe)?)|(?P<exe>nvcc\.exe)")
"""A literal that is a path to the compiler, or ends one: `/usr/local/cuda/bin/nvcc`, `\\\\nvcc.exe`."""
_COMMAND = re.compile(
    rb"(?:\A|[|;&(]|[A-Z_]\w*=\S*\s)\s*(?:\\?[\"'])?(?:[^\s\"|;&<>]*[/\\])?"
    rb"(?P<tool>nvcc(?:\.exe)?)(?:\\?[\"'])?(?=\s+(?:--?\w|%s))"
)
"""A command line that starts it: first, or behind what parts commands, with an option or a value behind it."""
_QUOTE = re.compile(rb'(?:u8|[uUL])?(?:"|(?P<raw>R"[^()\s\\]*\())')
"""How a literal begins: `"`, `L"`, `R"(`."""
_SAYS = re.compile(rb"(?P<tool>nvcc): NVIDIA")
"""What `nvcc --version` prints first."""
_STARTS = re.compile(
    rb"system|_?w?popen|exec[lv]p?e?|_?w?spawn[lv]p?e?|posix_spawnp?|CreateProcess[AW]?|ShellExecute\w*"
)
_ALONE = re.compile(rb"(?P<tool>nvcc(?:\.exe)?)(?=\s|\Z)")
"""The compiler as the first word of what a function that starts programs is given."""
_PRINTS = re.compile(
    rb"printf|v?fprintf|puts|fputs|perror|assert|log|warn|error|info|debug"
    rb"|(?:\w*_)?(?:LOG|WARN|ERROR|INFO|CHECK|ASSERT|DEBUG)\w*"
)
"""Functions and macros that print what they are given, or say it where a test fails."""
_STREAMS = frozenset((b"cout", b"cerr", b"clog"))
_MOST = 60
"""Tokens before a literal that are looked at for what it is given to."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each literal by which the compiler is looked for, asked or started."""
    lexed = parsed.lexed
    for start in lexed.places(WORDS[0]):
        literal = _literal(lexed, start)
        directive = lexed.directive_at(start)
        if literal is None or (directive is not None and directive.name == "include"):
            continue
        tool = _named(parsed.data[literal.start : literal.end], _given_to(lexed, literal.start))
        if tool is not None and literal.start + tool.start == start:
            span = Span(start, literal.start + tool.end)
            yield Hit("build/nvcc-started", parsed.named_use(parsed.data[start : span.end].decode(), span))


def _literal(lexed: Lexed, offset: int) -> Span | None:
    """The text of the literal around a place, without its quotes; None for a comment and for code."""
    at = bisect_right(lexed.starts, offset) - 1
    if at < 0 or offset >= lexed.ends[at]:
        return None
    quote = _QUOTE.match(lexed.data, lexed.starts[at], lexed.ends[at])
    if quote is None:
        return None
    closing = lexed.data.rfind(b")" if quote["raw"] else b'"', quote.end(), lexed.ends[at])
    return Span(quote.end(), closing) if quote.end() <= offset < closing else None


def _named(text: bytes, given: str) -> Span | None:
    """Where the text of a literal names the compiler as a program, by what it is given to."""
    whole = _PATH.fullmatch(text)
    if given == "print":
        return None
    if whole is not None:
        return Span(*whole.span("tool" if whole["tool"] else "exe"))
    match = _COMMAND.search(text) or _SAYS.match(text) or (_ALONE.match(text) if given == "start" else None)
    return Span(*match.span("tool")) if match is not None else None


def _given_to(lexed: Lexed, offset: int) -> str:
    """What a literal is given to: `start` for what starts programs, `print` for what prints it or throws it."""
    at = bisect_right(lexed.starts, offset) - 1
    depth, token = 0, lexed.before(lexed.starts[at])
    for _ in range(_MOST):
        text = lexed.text(token)
        if token is None or text in (b";", b"{", b"}"):
            return ""
        if text == b"throw" or text in _STREAMS:
            return "print"
        depth += (text == b")") - (text == b"(")
        token = lexed.before(token.start)
        if depth < 0:
            depth, name = 0, lexed.text(token)
            if _STARTS.fullmatch(name) or _PRINTS.fullmatch(name):
                return "start" if _STARTS.fullmatch(name) else "print"
    return ""
