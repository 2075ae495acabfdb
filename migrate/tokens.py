"""C++ source bytes -> what is code, directives and conditional branches.

Comes in: bytes of any quality. Goes out: where comments and literals stand, preprocessor directives, and for each
conditional branch whether it is compiled for HIP only, for everything but HIP, or for both. Tokens are read where
someone asks for them: a file is mostly looked through for a few names. Nothing here fails: what cannot be read is a
token of one character. This is the truth on what is a comment, a string or code; structure comes from the tree.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WORD, NUMBER, STRING, CHAR, PUNCT = range(1, 6)

_LITERAL = re.compile(
    rb"""//[^\n\\]*(?:\\(?:\r?\n|.)?[^\n\\]*)*|/\*.*?(?:\*/|\Z)"""
    rb"""|"(?<=[^\w]R")([^\s()\\]{0,16})\(.*?\)\1"|"(?<=[8uUL]R")([^\s()\\]{0,16})\(.*?\)\2\""""
    rb"""|"(?:[^"\\\n]|\\(?:\r\n|.))*(?:"|(?=\n)|\Z)|'(?:(?<![0-9]')|(?<=u8'))(?:[^'\\\n]|\\.)+'""",
    re.DOTALL,
)
"""Comments and literals; each alternative begins with one fixed byte, which is what makes the search quick."""
_TOKEN = re.compile(
    rb"""(?:\s|\\\r?\n)*(?:
      (?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    | (?P<punct>::|->|\#\#|&&|\|\||==|!=|<=|>=|<<|[^\s])
    )""",
    re.VERBOSE,
)
_KINDS = {1: WORD, 2: NUMBER, 3: PUNCT}
_WORD = re.compile(rb"[A-Za-z_]\w*")
_HASH = re.compile(rb"(?:^|(?<=\n))(?:\xef\xbb\xbf)?[ \t\f\v]*(?:/\*[^\n]*?\*/[ \t]*)?\#")
_BRACKET = re.compile(rb"[()\[\]{}]")
_SEPARATOR = re.compile(rb"[(\[{,<]")
_ANGLE = re.compile(rb"[<>()\[\]{};=&|]")
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
_IN_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
_PAIRS = (b"::", b"->", b"##", b"&&", b"||", b"==", b"!=", b"<=", b">=", b"<<")


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
    """A file with its comments and literals told apart from code; places are byte offsets.

    `starts` and `ends` are the ranges of comments and literals, in order.
    """

    data: bytes
    starts: list[int]
    ends: list[int]
    directives: list[Directive]

    def is_code(self, offset: int) -> bool:
        """False in comments and literals."""
        at = bisect_right(self.starts, offset) - 1
        return at < 0 or offset >= self.ends[at]

    def words(self, wanted: frozenset[bytes]) -> list[int]:
        """Where the identifiers in `wanted` stand in code."""
        found = [match.start() for match in _WORD.finditer(self.data) if match[0] in wanted]
        return [start for start in found if self.is_code(start)]

    def matches(self, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        """Matches of `pattern` that begin in code, so never in a comment or inside a literal."""
        for match in pattern.finditer(self.data):
            if self.is_code(match.start()):
                yield match

    def token(self, offset: int) -> Token | None:
        """The first token at or after `offset`, or None at the end of the file; a byte-order mark is none."""
        if offset == 0 and self.data.startswith(b"\xef\xbb\xbf"):
            offset = 3
        while True:
            match = _TOKEN.match(self.data, offset)
            if match is None or match.lastindex is None:
                return None
            start = match.start(match.lastindex)
            at = bisect_right(self.starts, start) - 1
            if at < 0 or start >= self.ends[at]:
                return Token(_KINDS[match.lastindex], start, match.end())
            if self.data[start] != 47:
                return Token(CHAR if self.data[start] == 39 else STRING, start, self.ends[at])
            offset = self.ends[at]

    def before(self, offset: int) -> Token | None:
        """The last token that ends at or before `offset`, or None at the start of the file."""
        data = self.data
        while offset > 0:
            byte = data[offset - 1]
            at = bisect_right(self.starts, offset - 1) - 1
            if at >= 0 and offset - 1 < self.ends[at]:
                start = self.starts[at]
                if data[start] != 47:
                    return Token(CHAR if data[start] == 39 else STRING, start, self.ends[at])
                offset = start
            elif byte in b" \t\r\n\f\v" or (byte == 92 and data[offset : offset + 1] in (b"\n", b"\r")):
                offset -= 1
            elif byte in _IN_WORD or byte >= 128:
                start = offset - 1
                while start > 0 and (data[start - 1] in _IN_WORD or data[start - 1] >= 128):
                    start -= 1
                return Token(NUMBER if data[start] in b"0123456789" else WORD, start, offset)
            else:
                wide = data[offset - 2 : offset] in _PAIRS
                return Token(PUNCT, offset - (2 if wide else 1), offset)
        return None

    def text(self, token: Token | None) -> bytes:
        """Bytes of a token; empty for None, so that neighbours need no check."""
        return b"" if token is None else self.data[token.start : token.end]

    def after(self, token: Token | None) -> Token | None:
        """The token that follows."""
        return None if token is None else self.token(token.end)

    def tokens(self, start: int, end: int) -> Iterator[Token]:
        """The tokens that begin in a range."""
        token = self.token(start)
        while token is not None and token.start < end:
            yield token
            token = self.token(token.end)

    def closing(self, opening: int) -> int:
        """Offset of the bracket that closes the one at `opening` (round, square or curly), or -1."""
        depth = 0
        for match in _BRACKET.finditer(self.data, opening):
            if not self.is_code(match.start()):
                continue
            if match[0] in b"([{":
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    return match.start()
        return -1

    def arguments(self, opening: int, closing: int) -> list[tuple[int, int]]:
        """Byte ranges of the comma-separated arguments between two brackets, blanks and comments trimmed.

        Commas inside round, square and curly brackets do not separate; those in template argument lists do not
        either where the angle brackets balance before the next bracket closes.
        """
        ranges: list[tuple[int, int]] = []
        first, at = opening + 1, opening + 1
        while (match := _SEPARATOR.search(self.data, at, closing)) is not None:
            place, at = match.start(), match.end()
            if not self.is_code(place):
                continue
            if match[0] == b",":
                ranges.append((first, place))
                first = at
            elif match[0] == b"<":
                at = max(at, self.angle_closing(place, closing))
            else:
                at = self.closing(place) + 1
                if at <= 0:
                    return []
        ranges.append((first, closing))
        trimmed = [self._trimmed(start, end) for start, end in ranges]
        return [(start, end) for start, end in trimmed if start < end]

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        token, last = self.token(start), self.before(end)
        if token is None or last is None or token.start >= end:
            return end, end
        return token.start, last.end

    def angle_closing(self, opening: int, limit: int) -> int:
        """Offset of the `>` that closes template arguments opened at `opening` before `limit`, or -1.

        Only what can stand in template arguments may be between: no `;`, `&&`, `||`, comparison by `==` or
        unbalanced bracket.
        """
        depth, at = 0, opening
        while (match := _ANGLE.search(self.data, at, limit)) is not None:
            place, byte, at = match.start(), match[0], match.end()
            if not self.is_code(place):
                continue
            if byte in b"([{":
                at = self.closing(place) + 1
                if at <= 0:
                    return -1
            elif byte == b">":
                depth -= self.data[place - 1 : place] != b"-"
                if depth == 0:
                    return place
            elif byte in b")]};" or self.data[at : at + 1] in (byte, b"="):
                return -1
            else:
                depth += byte == b"<"
        return -1

    def directive_at(self, offset: int) -> Directive | None:
        """The directive whose bytes hold `offset`, or None."""
        at = bisect_right(self.directives, offset, key=lambda directive: directive.start) - 1
        if at >= 0 and offset < self.directives[at].end:
            return self.directives[at]
        return None


def lex(data: bytes) -> Lexed:
    """Find the comments, literals and directives of `data`."""
    spans = [match.span() for match in _LITERAL.finditer(data)]
    lexed = Lexed(data, [start for start, _ in spans], [end for _, end in spans], [])
    until = 0
    for match in _HASH.finditer(data):
        start = match.end() - 1
        if start < until or not lexed.is_code(start):
            continue
        directive = _DIRECTIVE.match(data, start)
        if directive is not None:
            until = directive.end()
            name = directive["name"].decode("latin-1")
            lexed.directives.append(Directive(name, start, until, directive.end("name")))
    return lexed


def include_path(data: bytes, directive: Directive) -> tuple[str, int, int] | None:
    """Path of an include directive and the byte range of its delimited form, or None where it is a macro."""
    match = _INCLUDE.match(data, directive.start)
    if match is None:
        return None
    return match[2].decode("utf-8", "replace").strip(), match.start(1), match.end()


def include_guard(lexed: Lexed) -> tuple[Directive, Directive] | None:
    """The `#ifndef` and `#endif` of a guard that encloses the whole file, or None."""
    directives = [directive for directive in lexed.directives if directive.name != "pragma"]
    if len(directives) < 3 or directives[0].name not in ("ifndef", "if"):
        return None
    opening, define = directives[:2]
    first = lexed.token(0)
    before = lexed.directives[0].start if first is not None else 0
    if first is None or first.start < min(before, opening.start):
        return None
    name = opening.argument(lexed.data).replace(b"!", b"").replace(b"defined", b"").strip(b" ()")
    if define.name != "define" or define.argument(lexed.data).split()[:1] != [name]:
        return None
    depth = 0
    for directive in directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            depth += 1
        elif directive.name == "endif":
            depth -= 1
            if depth == 0:
                return None if lexed.token(directive.end) is not None else (opening, directive)
        elif depth == 1 and directive.name in ("else", "elif", "elifdef", "elifndef"):
            return None
    return None


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
