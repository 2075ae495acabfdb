"""Options in the text of a shell, of configure scripts and of the m4 macros that make them.

There, an expansion is part of the word that it is in, blanks and quotes in it too: `-ccbin ${CC%% *}`,
`-ccbin $(command -v "$CXX" g++)`. Source: POSIX, Shell Command Language, 2.3 Token Recognition, rules 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options, utf8
from cudamigrate.syntax.compiler_options import Word

_ANY = rb"(?:\$\((?:[^()%b]|\((?:[^()%b]|\([^()%b]*\))*\))*\)|\$\{(?:[^{}%b]|\{[^{}%b]*\})*\}|`[^`%b]*`)"
EXPANSION = _ANY.replace(b"%b", rb"\n")
"""A parameter or a command that is expanded on one line, others in it: `${CC%% *}`, `$(which "$CC")`."""
_EXPANSION = re.compile(_ANY.replace(b"%b", b""))
_OPENS = re.compile(rb"\$[({]|`")
_PRINTS = re.compile(rb"(?<![\w./-])(?:echo|printf)(?![\w.-])")
"""What gives its own words as the command's value, so that options in it are for who reads the value."""
_SEPARATOR = re.compile(rb"[ \t\r\n;\"'\\]")
"""What parts words, or holds them together, where it is in no expansion."""


def uses(data: bytes, start: int, end: int, plain: bool = False) -> Iterator[Use]:
    """The options between two places of such a text; `plain` as for `compiler_options.uses`.

    Those that an expansion gives are among them, where it is no option's argument; what a command in it is given that
    only looks something up means a compiler for CUDA where it says so by itself.
    """
    found = list(compiler_options.uses(words(data, start, end), plain=plain))
    yield from found
    for inner in _EXPANSION.finditer(data, start, end):
        if any(use.extent.start <= inner.start() < use.extent.end for use in found):
            continue
        computed = not inner[0].startswith(b"${") and _PRINTS.search(inner[0]) is None
        opened = 1 if inner[0].startswith(b"`") else 2
        yield from uses(data, inner.start() + opened, inner.end() - 1, plain or computed)


def words(data: bytes, start: int, end: int) -> list[Word]:
    """The words between two places, each with the expansions in it; none from one on that is not closed there."""
    text = _EXPANSION.sub(lambda one: _SEPARATOR.sub(b"_", one[0]), data[start:end])
    unclosed = _OPENS.search(_EXPANSION.sub(lambda one: b"_" * len(one[0]), text))
    found = compiler_options.words(text, 0, unclosed.start() if unclosed else len(text))
    spans = (Span(one.span.start + start, one.span.end + start) for one in found)
    return [Word(utf8.text(data[one.start : one.end]), one) for one in spans]
