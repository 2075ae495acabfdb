"""A source file, places in it, and the names of CUDA that it uses or defines."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model.vocabulary import Certainty, Scope, UseKind


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of byte offsets in the original file."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """True when the two ranges share a byte, or one is an insertion strictly inside the other."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place as an editor shows it: line and column count from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as read: `path` is relative to the scanned root, in POSIX form; `data` is never changed.

    `above` counts the lines of the file before `data`, where `data` is a part of it: places are in lines of the file.
    """

    path: str
    data: bytes
    language: str
    above: int = 0
    _starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    _last: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    """The place that was asked for last: the start of its line, its offset and its column."""

    def text(self, span: Span) -> str:
        """The characters of `span`; bytes that are not UTF-8 are read as Latin-1."""
        raw = self.data[span.start : span.end]
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    def brief(self, span: Span, most: int) -> str:
        """The first characters of `span`, each run of blanks and line ends as one blank.

        No more is read than is shown: calls in calls, a thousand deep, each hold all that is in them.
        """
        size = 8 * most
        while True:
            end = min(span.end, span.start + size)
            while end < span.end and self.data[end] & 0xC0 == 0x80:
                end += 1
            words = " ".join(self.text(Span(span.start, end)).split())
            if end == span.end or len(words) > most:
                return words[:most]
            size *= 4

    def line_starts(self) -> list[int]:
        """Byte offset of the first byte of each line of `data` (LF, CRLF; a lone CR does not end a line)."""
        if not self._starts:
            lengths = map((1).__add__, map(len, self.data.split(b"\n")))  # no function of Python's: files have many
            self._starts.extend(accumulate(lengths, initial=0))
            self._starts.pop()
        return self._starts

    def position(self, offset: int) -> Position:
        """Line and column of a byte offset; a leading byte-order mark takes no column."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        start = starts[line - 1]
        if line == 1 and not self.above and self.data.startswith(b"\xef\xbb\xbf"):
            start = min(3, offset)
        return Position(self.above + line, self._column(start, offset))

    def _column(self, start: int, offset: int) -> int:
        """The column of an offset in a line; from the last one on, where only ASCII is between: lines may be long."""
        known, last, column = self._last or (-1, 0, 0)
        if known == start and last <= offset and (between := self.data[last:offset]).isascii():
            column += len(between)
        else:
            column = len(self.text(Span(start, offset))) + 1
        self._last[:] = start, offset, column
        return column

    def line(self, number: int) -> str:
        """Text of line `number` (from 1) without its line end."""
        starts, number = self.line_starts(), number - self.above
        end = starts[number] if number < len(starts) else len(self.data)
        return self.text(Span(starts[number - 1], end)).rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Use:
    """One occurrence of something CUDA.

    `name` is the name as rules spell it (qualified names with `::`); `span` covers the token to rename, `extent`
    the whole construct (a call with its arguments), `args` the arguments of a call or launch. `enclosing` is the
    `::`-joined namespace and class path around the use.
    """

    kind: UseKind
    name: str
    span: Span
    extent: Span
    args: tuple[Span, ...] = ()
    scope: Scope = "unknown"
    certainty: Certainty = "token"
    enclosing: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """A CUDA-like name that the repository itself defines; `enclosing` is its namespace or class, empty if global.

    `fallback` marks a definition that only some builds see: it stands in for CUDA's own where CUDA is absent.
    `for_hip` marks one in a branch for HIP, which gives CUDA's own name a meaning where that branch is read. `alone`
    marks one of a file that takes the place of CUDA's headers, and that no file reads beside these. `takes` is how many
    arguments an overload of CUDA's function takes, at least and at most, that CUDA has none of: other calls are CUDA's.
    `is_value` marks a variable, a member, an enumerator, or a function by the name of a type: no `name::` and no
    `struct name` can mean it.
    """

    name: str
    enclosing: str
    fallback: bool = False
    for_hip: bool = False
    alone: bool = False
    takes: tuple[int, int] | None = None
    is_value: bool = False
