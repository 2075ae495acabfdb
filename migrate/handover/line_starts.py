"""Where in a file a line can be inserted that is a comment, by the kind of the file.

Result: line numbers, counted from 1, and a check that a file says the same with comments in it. Where a kind of file
has forms that are not followed here, fewer lines are allowed, never more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

from cudamigrate.cuda.lexer import lex
from cudamigrate.frontends import parses_worse
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.syntax import cmake_lexer, tree_sitter_nodes

STARTS: Mapping[str, str] = {
    "cuda": "//",
    "cxx": "//",
    "python": "#",
    "cmake": "#",
    "make": "#",
    "shell": "#",
    "docker": "#",
    "yaml": "#",
    "conda": "#",
    "toml": "#",
    "requirements": "#",
}
"""What begins a comment, by language; no other language gets comments."""
_GRAMMARS = {"python": "python", "shell": "bash", "yaml": "yaml", "conda": "yaml", "toml": "toml"}
"""Languages whose tokens a grammar tells; those of CMake are read by a lexer of its own."""
_CODE = ("cuda", "cxx")
_WHOLE = ("string", "raw_string", "block_scalar", "heredoc_redirect")
"""Nodes that are read as one token."""
_COMMENTS = ("comment", "line_comment")
_OPENED, _CLOSED = re.compile(rb"[ \t]*define\b"), re.compile(rb"[ \t]*endef\b")
"""Lines of a Makefile between which text is literal."""


def comments_at(source: SourceFile) -> frozenset[int]:
    """The lines above which a comment can be inserted."""
    starts, last = source.line_starts(), len(source.data)
    found = (number for number in _between(source) if starts[number - 1] < last)
    return frozenset(number for number in found if not _continued(source.data, starts[number - 1]))


def _between(source: SourceFile) -> Iterable[int]:
    """The lines that begin between tokens."""
    if source.language in _CODE:
        return _code(source)
    if source.language == "cmake" or source.language in _GRAMMARS:
        return _outside_tokens(source)
    if source.language == "make":
        return _makefile(source)
    heredocs = source.language == "docker" and b"<<" in source.data
    return () if heredocs or source.language not in STARTS else range(1, len(source.line_starts()) + 1)


def _continued(data: bytes, start: int) -> bool:
    """Whether the line before goes on."""
    return data[max(0, start - 3) : start].rstrip(b"\r\n").endswith(b"\\")


def _code(source: SourceFile) -> Iterator[int]:
    """C++: not within a comment, a literal or a directive of several lines."""
    lexed = lex(source.data)
    for number, start in enumerate(source.line_starts(), 1):
        directive = lexed.directive_at(start)
        inside = directive is not None and directive.start < start
        if not inside and not _within(lexed.starts, lexed.ends, start):
            yield number


def _outside_tokens(source: SourceFile) -> Iterator[int]:
    """Not within a token, nor in what the grammar does not know."""
    tokens = [(start, end) for start, end, _ in _leaves(source.language, source.data) if end > start]
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    for number, start in enumerate(source.line_starts(), 1):
        if not _within(starts, ends, start):
            yield number


def _within(starts: list[int], ends: list[int], offset: int) -> bool:
    at = bisect_left(starts, offset) - 1  # what begins at the offset is not around it
    return at >= 0 and offset < ends[at]


def _makefile(source: SourceFile) -> Iterator[int]:
    """Makefiles: not between `define` and `endef`."""
    inside = False
    for number, start in enumerate(source.line_starts(), 1):
        if not inside:
            yield number
        inside = (inside or _OPENED.match(source.data, start) is not None) and not _CLOSED.match(source.data, start)


def _leaves(language: str, data: bytes) -> Iterator[tuple[int, int, str]]:
    """Start, end and type of every token but comments, in order; an error counts as one token."""
    if language == "cmake":
        return ((one.start, one.end, one.kind) for one in cmake_lexer.tokens(data) if one.kind != "comment")
    return _leaves_of_tree(_GRAMMARS[language], data)


def _leaves_of_tree(grammar: str, data: bytes) -> Iterator[tuple[int, int, str]]:
    cursor = tree_sitter_nodes.parse(grammar, data).walk()
    while True:
        node = cursor.node
        assert node is not None
        whole = node.is_error or node.type in _WHOLE
        if not whole and node.type not in _COMMENTS and cursor.goto_first_child():
            continue
        if node.type not in _COMMENTS:
            yield node.start_byte, node.end_byte, node.type
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def same_code(source: SourceFile, after: bytes) -> bool:
    """Whether a file with comments added says the same as before."""
    if source.language in _CODE:
        return _tokens(source.data) == _tokens(after)
    if source.language != "cmake" and source.language not in _GRAMMARS:
        return not parses_worse(source.language, source.data, after)
    before, now = (
        [(data[a:b], kind) for a, b, kind in _leaves(source.language, data)] for data in (source.data, after)
    )
    return before == now


def _tokens(data: bytes) -> list[bytes]:
    """What a compiler reads: words and literals, directives unchanged."""
    lexed, code = lex(data), bytearray(data)
    literals = []
    for start, end in zip(lexed.starts, lexed.ends, strict=True):
        if not data.startswith((b"//", b"/*"), start):
            literals.append(data[start:end])
        code[start:end] = bytes(32 if byte != 10 else 10 for byte in data[start:end])
    return [*bytes(code).split(), *literals]
