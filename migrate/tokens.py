"""C++ source bytes -> tokens, directives and conditional branches.

Comes in: bytes of any quality. Goes out: every token outside comments with its byte range, preprocessor directives,
and for each conditional branch whether it is compiled for HIP only, for everything but HIP, or for both.
The lexer never fails: what it cannot read becomes single-character tokens. It is the truth on what is a comment, a
string or code; structure comes from the syntax tree.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

WORD, NUMBER, STRING, CHAR, PUNCT = range(1, 6)

_TOKEN = re.compile(
    rb"""
      //[^\n\\]*(?:\\(?:\r?\n|.)?[^\n\\]*)*  |  /\*.*?(?:\*/|\Z)
    | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)")
    | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|.))*(?:"|(?=\n)|\Z))
    | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
    | (?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    | (?P<punct>::|->|\#\#|&&|\|\||==|!=|<=|>=|<<|[^\s\w\\])
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {"raw": STRING, "string": STRING, "char": CHAR, "word": WORD, "number": NUMBER, "punct": PUNCT}
_KIND_BY_INDEX = [0] * (_TOKEN.groups + 1)
for _name, _index in _TOKEN.groupindex.items():
    _KIND_BY_INDEX[_index] = _KINDS.get(_name, STRING)

_DIRECTIVE = re.compile(
    rb"""\#[ \t]*(?P<name>\w*)(?:
        \\\r?\n | /\*.*?(?:\*/|\Z) | //[^\n\\]*(?:\\(?:\r?\n|.)?[^\n\\]*)*
      | "(?:[^"\\\n]|\\(?:\r\n|.))*" | '(?:[^'\\\n]|\\.)+' | [^\n]
    )*""",
    re.VERBOSE | re.DOTALL,
)
_INCLUDE = re.compile(rb'#[ \t]*(?:include|include_next|import)[ \t]*([<"])([^>"\n]+)[>"]')
_CONTINUED = re.compile(rb"\\\r?\n")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Token(NamedTuple):
    """A token: its kind (`WORD`, `NUMBER`, `STRING`, `CHAR`, `PUNCT`) and byte range."""

    kind: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Directive:
    """A preprocessor directive from its `#` to the end of its last continued line, line end excluded."""

    name: str
    start: int
    end: int
    rest: int

    def argument(self, data: bytes) -> bytes:
        """What stands after the directive's name, with continuations joined and comments taken out."""
        return _COMMENT.sub(b" ", _CONTINUED.sub(b" ", data[self.rest : self.end])).strip()


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a conditional. `hip` is True where it is compiled only for HIP, False where never, else None.

    `start` and `end` enclose the lines between two directives; `depth` counts the conditionals around it, an
    include guard not counted.
    """

    start: int
    end: int
    depth: int
    hip: bool | None
    condition: str


@dataclass(slots=True)
class Lexed:
    """Tokens of a file in order. `hits` are indices of the words that the caller asked for."""

    data: bytes
    tokens: list[Token]
    directives: list[Directive]
    hits: list[int]
    _starts: list[int] = field(default_factory=list)

    def starts(self) -> list[int]:
        """Start offsets of all tokens, for bisecting."""
        if not self._starts:
            self._starts.extend(token[1] for token in self.tokens)
        return self._starts

    def index(self, offset: int) -> int:
        """Index of the token that starts at `offset`, or -1 where none does (comments, inside of strings)."""
        starts = self.starts()
        at = bisect_right(starts, offset) - 1
        return at if at >= 0 and starts[at] == offset else -1

    def text(self, index: int) -> bytes:
        """Bytes of token `index`; empty outside the file, so that neighbours need no bounds check."""
        if 0 <= index < len(self.tokens):
            _, start, end = self.tokens[index]
            return self.data[start:end]
        return b""

    def matches(self, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        """Matches of `pattern` that begin at a token, so never in a comment or inside a literal."""
        for match in pattern.finditer(self.data):
            if self.index(match.start()) >= 0:
                yield match

    def closing(self, index: int) -> int:
        """Index of the bracket that closes the one at `index` (round, square or curly), or -1."""
        depth = 0
        for at in range(index, len(self.tokens)):
            kind, start, end = self.tokens[at]
            if kind != PUNCT or end - start != 1:
                continue
            byte = self.data[start]
            if byte in b"([{":
                depth += 1
            elif byte in b")]}":
                depth -= 1
                if depth == 0:
                    return at
        return -1

    def arguments(self, opening: int, closing: int) -> list[tuple[int, int]]:
        """Byte ranges of the comma-separated arguments between two bracket tokens, blanks trimmed.

        Commas inside round, square and curly brackets do not separate; those in template argument lists do not
        either where the angle brackets balance before the next bracket closes.
        """
        ranges: list[tuple[int, int]] = []
        first, at = opening + 1, opening + 1
        while at < closing:
            text = self.text(at)
            if text in (b"(", b"[", b"{"):
                at = self.closing(at)
                if at < 0:
                    return []
            elif text == b"<":
                at = max(at, self.angle_closing(at, closing))
            elif text == b",":
                ranges.append((first, at))
                first = at + 1
            at += 1
        if first < closing or ranges:
            ranges.append((first, closing))
        return [(self.tokens[a].start, self.tokens[b - 1].end) for a, b in ranges if a < b]

    def angle_closing(self, index: int, limit: int) -> int:
        """Index of the `>` that closes template arguments opened at `index` before `limit`, or -1.

        Only what can stand in template arguments may be between: no `;`, `&&`, `||` or unbalanced bracket.
        """
        depth, at = 0, index
        while at < limit:
            text = self.text(at)
            if text == b"<":
                depth += 1
            elif text == b">":
                depth -= 1
                if depth == 0:
                    return at
            elif text in (b"(", b"[", b"{"):
                at = self.closing(at)
                if at < 0:
                    return -1
            elif text in (b";", b"&&", b"||", b"<<", b"<=", b">=", b"==", b")", b"]", b"}"):
                return -1
            at += 1
        return -1

    def directive_at(self, offset: int) -> Directive | None:
        """The directive whose bytes hold `offset`, or None."""
        at = bisect_right(self.directives, offset, key=lambda directive: directive.start) - 1
        if at >= 0 and offset < self.directives[at].end:
            return self.directives[at]
        return None


def lex(data: bytes, words: frozenset[bytes] = frozenset()) -> Lexed:
    """Split `data` into tokens; `words` are those whose indices the caller wants in `hits`."""
    tokens: list[Token] = []
    hits: list[int] = []
    directives: list[Directive] = []
    until = 0
    make, kinds = Token._make, _KIND_BY_INDEX
    append = tokens.append
    for match in _TOKEN.finditer(data):
        index = match.lastindex
        if index is None:
            continue
        start, end = match.span()
        kind = kinds[index]
        if kind == WORD:
            if match[0] in words:
                hits.append(len(tokens))
        elif kind == PUNCT and start >= until and data[start] == 35 and _first_on_line(data, start):
            directive = _DIRECTIVE.match(data, start)
            if directive is not None:
                until = directive.end()
                name = directive["name"].decode("latin-1")
                directives.append(Directive(name, start, until, directive.end("name")))
        append(make((kind, start, end)))
    return Lexed(data, tokens, directives, hits)


def _first_on_line(data: bytes, start: int) -> bool:
    line = data[data.rfind(b"\n", 0, start) + 1 : start]
    return not _COMMENT.sub(b"", line).strip(b" \t\r\f\v\xef\xbb\xbf")


def include_path(data: bytes, directive: Directive) -> tuple[str, int, int] | None:
    """Path of an include directive and the byte range of its delimited form, or None where it is a macro."""
    match = _INCLUDE.match(data, directive.start)
    if match is None:
        return None
    return match[2].decode("utf-8", "replace").strip(), match.start(1), match.end()


def include_guard(lexed: Lexed) -> tuple[Directive, Directive] | None:
    """The `#ifndef` and `#endif` of a guard that encloses the whole file, or None."""
    conditionals = ("if", "ifdef", "ifndef")
    tokens, directives = lexed.tokens, lexed.directives
    opening = next((d for d in directives if d.name != "pragma"), None)
    if opening is None or opening.name not in ("ifndef", "if"):
        return None
    if any(lexed.directive_at(token.start) is None for token in tokens[: _first_index(lexed, opening.start)]):
        return None
    following = directives[directives.index(opening) + 1] if len(directives) > directives.index(opening) + 1 else None
    name = opening.argument(lexed.data).replace(b"!", b"").replace(b"defined", b"").strip(b" ()")
    if following is None or following.name != "define" or following.argument(lexed.data).split()[:1] != [name]:
        return None
    depth = 0
    for directive in directives[directives.index(opening) :]:
        if directive.name in conditionals:
            depth += 1
        elif directive.name == "endif":
            depth -= 1
            if depth == 0:
                alone = not any(token.start >= directive.end for token in tokens)
                return (opening, directive) if alone else None
        elif depth == 1 and directive.name in ("else", "elif"):
            return None
    return None


def _first_index(lexed: Lexed, offset: int) -> int:
    return bisect_right(lexed.starts(), offset - 1)


def branches(lexed: Lexed, guards: Iterable[bytes]) -> list[Branch]:
    """All conditional branches of a file in order of their start; `guards` are the macros that mark HIP."""
    names = frozenset(guards)
    guard = include_guard(lexed)
    result: list[Branch] = []
    stack: list[tuple[list[bytes], int]] = []
    for directive in lexed.directives:
        if guard is not None and directive in guard:
            continue
        if directive.name in ("if", "ifdef", "ifndef"):
            stack.append(([_condition(lexed.data, directive)], directive.end))
        elif directive.name in ("elif", "else", "elifdef", "elifndef") and stack:
            conditions, start = stack[-1]
            result.append(_branch(conditions, start, directive.start, len(stack), names))
            conditions.append(_condition(lexed.data, directive))
            stack[-1] = (conditions, directive.end)
        elif directive.name == "endif" and stack:
            conditions, start = stack.pop()
            result.append(_branch(conditions, start, directive.start, len(stack) + 1, names))
    for depth, (conditions, start) in enumerate(stack, 1):
        result.append(_branch(conditions, start, len(lexed.data), depth, names))
    return sorted(result, key=lambda branch: (branch.start, -branch.end))


def _condition(data: bytes, directive: Directive) -> bytes:
    argument = directive.argument(data)
    if directive.name in ("ifdef", "elifdef"):
        return b"defined(" + argument + b")"
    if directive.name in ("ifndef", "elifndef"):
        return b"!defined(" + argument + b")"
    return b"1" if directive.name == "else" else argument


def _branch(conditions: Sequence[bytes], start: int, end: int, depth: int, guards: frozenset[bytes]) -> Branch:
    """A branch is compiled when all conditions before its own are false and its own is true."""
    active = {}
    for hip in (True, False):
        values = [_Condition(text, guards, hip).value() for text in conditions]
        before = [None if value is None else not value for value in values[:-1]]
        active[hip] = False if values[-1] is False or False in before else None
    kind = None if active[True] is active[False] else active[False] is False
    return Branch(start, end, depth, kind, conditions[-1].decode("latin-1"))


class _Condition:
    """Three-valued value of a preprocessor condition when only the HIP macros are known."""

    _PARTS = re.compile(rb"defined|\w+|&&|\|\||==|!=|<=|>=|[()!<>+\-*/%?:,]")

    def __init__(self, text: bytes, guards: frozenset[bytes], hip: bool) -> None:
        self.parts = self._PARTS.findall(text)
        self.guards, self.hip, self.at = guards, hip, 0

    def value(self) -> bool | None:
        """True, False, or None where other macros decide."""
        result = self._either()
        return result if self.at >= len(self.parts) else None

    def _next(self) -> bytes:
        part = self.parts[self.at] if self.at < len(self.parts) else b""
        self.at += 1
        return part

    def _peek(self) -> bytes:
        return self.parts[self.at] if self.at < len(self.parts) else b""

    def _either(self) -> bool | None:
        values = [self._both()]
        while self._peek() == b"||":
            self._next()
            values.append(self._both())
        return True if True in values else (None if None in values else False)

    def _both(self) -> bool | None:
        values = [self._compared()]
        while self._peek() == b"&&":
            self._next()
            values.append(self._compared())
        return False if False in values else (None if None in values else True)

    def _compared(self) -> bool | None:
        value = self._single()
        compared = False
        while self._peek() not in (b"", b"&&", b"||", b")"):
            compared = True
            self._next()
        if not compared:
            return value
        # An undefined guard counts as 0, so `GUARD >= 5` is false without HIP; with HIP its value is not known.
        return False if value is False and not self.hip else None

    def _single(self) -> bool | None:
        part = self._next()
        if part == b"!":
            value = self._single()
            return None if value is None else not value
        if part == b"(":
            value = self._either()
            self._next()
            return value
        if part == b"defined":
            name = self._next()
            if name == b"(":
                name = self._next()
                self._next()
            return self.hip if name in self.guards else None
        if part in self.guards:
            return self.hip
        if part.isdigit():
            return part.strip(b"0") != b""
        return None
