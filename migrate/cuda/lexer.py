"""C++ source bytes -> what is code, tokens and directives.

Result: where comments and literals stand, and preprocessor directives. Tokens are read where someone asks for them: a
file is mostly looked through for a few names. Nothing here fails: what cannot be read is a token of one character. This
is the truth on what is a comment, a string or code; structure comes from the tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cudamigrate.cuda.literals import literals
from cudamigrate.cuda.words import PartsOfWords, begun, every_word, longest_word, vocabulary, whole_words
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import utf8

WORD, NUMBER, STRING, CHAR, PUNCT = range(1, 6)

_TOKEN = re.compile(
    rb"""(?:\s|\\\r?\n)*(?:
      (?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    | (?P<punct>::|->|\#\#|&&|\|\||==|!=|<=|>=|<<|[^\s])
    )""",
    re.VERBOSE,
)
"""A token after blanks: a word, a number (`1'000.5e-3f`), an operator. No `>>`: it may close two template lists."""
_KINDS = {1: WORD, 2: NUMBER, 3: PUNCT}
_SOUGHT = 64
"""Words that are looked for one by one; whoever asks for more has all words of the file read once."""
_BEFORE_HASH = re.compile(utf8.MARK + rb"[ \t\f\v]*(?:/\*[^\n]*?\*/[ \t]*)?")
"""What may precede `#` on the line of a directive: a byte order mark, blanks and one comment (`/* a */ #if`)."""
_BRACKET = re.compile(rb"[()\[\]{}]")
_PASSED = 20_000
"""Brackets that are passed on the way to closing ones until all of a file are paired, as where calls nest deeply."""
_SEPARATOR = re.compile(rb"[(\[{,<]")
_ANGLE = re.compile(rb"[<>()\[\]{};=&|]")
_DIRECTIVE = re.compile(
    rb"""\#[ \t]*(?P<name>\w*)(?:
        \\\r?\n | /\*.*?(?:\*/|\Z) | //[^\n\\]*(?:\\(?:\r?\n|.)?[^\n\\]*)*
      | "(?:[^"\\\n]|\\(?:\r\n|.))*" | '(?:[^'\\\n]|\\.)+' | [^\n]
    )*""",
    re.VERBOSE | re.DOTALL,
)
"""A directive to the end of its last line: it goes on after a backslash, and within a comment of several lines."""
_INCLUDE = re.compile(rb'#[ \t]*(?:include|include_next|import)[ \t]*([<"])([^>"\n]+)[>"]')
"""The mark and path of a header: `#include <a.h>`, `#include_next "a.h"`, `#import "a.h"`."""
CONTINUED = re.compile(rb"\\\r?\n")
COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
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
        """What is after the directive's name, with continuations joined and comments taken out."""
        return COMMENT.sub(b" ", CONTINUED.sub(b" ", data[self.rest : self.end])).strip()


@dataclass(slots=True)
class Lexed:
    """A file with its comments and literals distinguished from code; places are byte offsets.

    `starts` and `ends` are the ranges of comments and literals, in order.
    """

    data: bytes
    starts: list[int]
    ends: list[int]
    directives: list[Directive]
    _texts: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)
    _passed: int = field(default=0, repr=False, compare=False)
    _pairs: dict[int, int] = field(default_factory=dict, repr=False, compare=False)
    _opened: dict[int, int] = field(default_factory=dict, repr=False, compare=False)
    _index: dict[bytes, list[int]] = field(default_factory=dict, repr=False, compare=False)
    _spellings: frozenset[bytes] | None = field(default=None, repr=False, compare=False)
    _ordered: list[bytes] = field(default_factory=list, repr=False, compare=False)
    _begun: list[int] = field(default_factory=list, repr=False, compare=False)

    def is_code(self, offset: int) -> bool:
        """False in comments and literals."""
        at = bisect_right(self.starts, offset) - 1
        return at < 0 or offset >= self.ends[at]

    def words(self, wanted: frozenset[bytes], prefixes: tuple[bytes, ...] = ()) -> list[int]:
        """Where the identifiers in `wanted`, and those that begin with one of `prefixes`, are in code."""
        known = self.spellings & wanted if len(wanted) < len(self.spellings) else wanted & self.spellings
        known = known.union(*map(self._beginning_with, prefixes))
        return [start for start in sorted(at for word in known for at in self.places(word)) if self.is_code(start)]

    def places(self, word: bytes) -> Sequence[int]:
        """Where a word is, in comments and literals too."""
        if word not in self.spellings:
            return ()
        if word not in self._index:
            if len(self._index) < _SOUGHT:
                self._index[word] = whole_words(self.data, word)
            else:
                self._index.update(every_word(self.data))
        return self._index[word]

    @property
    def spellings(self) -> frozenset[bytes]:
        """Every word once, numbers and those in comments and literals among them."""
        if self._spellings is None:
            self._spellings = frozenset(vocabulary(self.data))
        return self._spellings

    def _beginning_with(self, prefix: bytes) -> Iterator[bytes]:
        """The words that begin in one way."""
        if not self._ordered:
            self._ordered.extend(sorted(self.spellings))
        for at in range(bisect_left(self._ordered, prefix), len(self._ordered)):
            if not self._ordered[at].startswith(prefix):
                break
            yield self._ordered[at]

    @property
    def vocabulary(self) -> bytes:
        """Every word once, one on a line: a tenth of the text to look through for what lies within a word."""
        return self._made("vocabulary", lambda: b"\n".join(self.spellings))

    def holds(self, part: bytes, any_case: bool = False) -> bool:
        """Whether `part` is in the text, in comments and literals too; in small letters, where case does not count."""
        word = longest_word(part)
        text = self._made("words", self.vocabulary.lower) if any_case else self.vocabulary
        if word not in text:
            return False
        return word == part or part in (self.lowered if any_case else self.data)

    def held(self, parts: PartsOfWords) -> set[bytes]:
        """Those of some texts that `holds` finds, which are many and asked of each file."""
        return parts.held(self.spellings, self.data)

    def matches(self, pattern: re.Pattern[bytes], *needles: bytes) -> Iterator[re.Match[bytes]]:
        """Matches of `pattern` that begin in code, so never in a comment or inside a literal.

        Every match holds one of `needles`: most files hold none, and that is found out much faster.
        """
        if needles and not any(map(self.holds, needles)):
            return
        for match in pattern.finditer(self.data):
            if self.is_code(match.start()):
                yield match

    def starting(self, pattern: re.Pattern[bytes], *words: bytes) -> Iterator[re.Match[bytes]]:
        """`matches` of a pattern whose matches all begin with one of `words`, which are found much faster."""
        for match in begun(self.data, pattern, filter(self.holds, words)):
            if self.is_code(match.start()):
                yield match

    def on_lines(self, pattern: re.Pattern[bytes], *needles: bytes) -> Iterator[re.Match[bytes]]:
        """Matches of `pattern` that begin in code and lie on one line, which holds one of `needles` in any case.

        For patterns that begin with anything, which are slow to look for in a whole file.
        """
        data, lower, lines = self.data, self.lowered, set[int]()
        for needle in needles:
            if not self.holds(needle, any_case=True):  # the words are a tenth of the text
                continue
            at = lower.find(needle)
            while at >= 0:
                lines.add(data.rfind(b"\n", 0, at) + 1)
                end = data.find(b"\n", at)
                at = lower.find(needle, end) if end >= 0 else -1
        for start in sorted(lines):
            end = data.find(b"\n", start)
            for match in pattern.finditer(data, start, len(data) if end < 0 else end):
                if self.is_code(match.start()):
                    yield match

    @property
    def lowered(self) -> bytes:
        """The bytes in small letters."""
        return self._made("text", self.data.lower)

    def _made(self, name: str, make: Callable[[], bytes]) -> bytes:
        """A text that is made when it is first asked for."""
        if name not in self._texts:
            self._texts[name] = make()
        return self._texts[name]

    def token(self, offset: int) -> Token | None:
        """The first token at or after `offset`, or None at the end of the file; a byte-order mark is none."""
        offset = offset or utf8.start(self.data)
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
        if opening in self._pairs:
            return self._pairs[opening]
        depth, found = 0, -1
        for at, opens in _brackets(self, opening):
            self._passed += 1
            depth += 1 if opens else -1
            if not opens and depth == 0:
                found = at
                break
        if self._passed > _PASSED and not self._pairs:
            self._pairs.update(_pairs(self))
        return found

    def opening(self, closing: int) -> int:
        """Offset of the bracket that the one at `closing` closes, or -1."""
        if not self._opened:
            self._pairs = self._pairs or _pairs(self)
            self._opened = {-1: -1, **{end: start for start, end in self._pairs.items() if end >= 0}}
        return self._opened.get(closing, -1)

    def arguments(self, opening: int, closing: int) -> list[tuple[int, int]]:
        """Byte ranges of the comma-separated arguments between two brackets, blanks and comments trimmed.

        Commas inside round, square and curly brackets do not separate; those in template argument lists do not
        either where the angle brackets balance before the next bracket closes.
        """
        ranges: list[tuple[int, int]] = []
        first, at = opening + 1, opening + 1
        angles: dict[int, int] | None = None
        while (match := _SEPARATOR.search(self.data, at, closing)) is not None:
            place, at = match.start(), match.end()
            if not self.is_code(place):
                continue
            if match[0] == b",":
                ranges.append((first, place))
                first = at
            elif match[0] == b"<":
                angles = dict(self._angles(place, closing)) if angles is None else angles
                at = max(at, angles.get(place, -1))
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

        Only what can be in template arguments may be between: no `;`, `&&`, `||`, comparison by `==` or
        unbalanced bracket.
        """
        return next((close for start, close in self._angles(opening, limit) if start == opening), -1)

    def _angles(self, first: int, limit: int) -> Iterator[tuple[int, int]]:
        """Each `<` from `first` to `limit` with the `>` that closes it, -1 where that is known not to come."""
        opened, at = list[int](), first
        while (match := _ANGLE.search(self.data, at, limit)) is not None:
            place, byte, at = match.start(), match[0], match.end()
            if not self.is_code(place):
                continue
            if byte in b"([{":
                at = self.closing(place) + 1
                if at <= 0:
                    return
            elif byte == b">":
                if opened and self.data[place - 1 : place] != b"-":
                    yield opened.pop(), place
            elif byte in b")]};" or self.data[at : at + 1] in (byte, b"="):
                yield from ((start, -1) for start in (*opened, place))
                opened.clear()
            elif byte == b"<":
                opened.append(place)

    def directive_at(self, offset: int) -> Directive | None:
        """The directive whose bytes hold `offset`, or None."""
        if len(self._begun) != len(self.directives):
            self._begun[:] = [directive.start for directive in self.directives]
        at = bisect_right(self._begun, offset) - 1
        return self.directives[at] if at >= 0 and offset < self.directives[at].end else None


def _brackets(lexed: Lexed, first: int) -> Iterator[tuple[int, bool]]:
    """Where brackets of code are from a place on, each with whether it opens."""
    starts, ends = lexed.starts, lexed.ends
    following, last = max(0, bisect_right(starts, first) - 1), len(starts)
    for match in _BRACKET.finditer(lexed.data, first):
        at = match.start()
        while following < last and ends[following] <= at:
            following += 1
        if following == last or starts[following] > at:
            yield at, match[0] in b"([{"


def _pairs(lexed: Lexed) -> dict[int, int]:
    """Where each bracket of code is closed, -1 for those that are not."""
    found, opened = dict[int, int](), list[int]()
    for at, opens in _brackets(lexed, 0):
        if opens:
            found[at] = -1
            opened.append(at)
        elif opened:
            found[opened.pop()] = at
    return found


def _hashes(data: bytes) -> Iterator[int]:
    """Each `#` that only blanks, and one comment at most, are before on its line."""
    at = data.find(b"#")
    while at >= 0:
        if data[at - 1 : at] in (b"", b"\n") or _BEFORE_HASH.fullmatch(data, data.rfind(b"\n", 0, at) + 1, at):
            yield at
            at = data.find(b"\n", at)
        at = data.find(b"#", at + 1) if at >= 0 else -1


def lex(data: bytes) -> Lexed:
    """Find the comments, literals and directives of `data`."""
    spans = literals(data)
    lexed = Lexed(data, [start for start, _ in spans], [end for _, end in spans], [])
    until = 0
    for start in _hashes(data):
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
    if (match := _INCLUDE.match(data, directive.start)) is None:
        return None
    return match[2].decode("utf-8", "replace").strip(), match.start(1), match.end()
