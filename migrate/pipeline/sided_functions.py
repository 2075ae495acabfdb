"""The sides that functions of a repository are compiled for, and who names whom, across files.

A qualifier may come from a macro of another file, or be in a branch of a conditional before the rest of the head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda.device_qualifiers import head_to_name
from cudamigrate.cuda.own_functions import of_runtime
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed

SIDES = frozenset((b"__host__", b"__device__", b"__global__"))
LOCAL = frozenset(b"inline static constexpr __inline__ __forceinline__ __inline".split())
BOTH = frozenset((b"__host__", b"__device__"))
_KNOWN = SIDES | LOCAL
_DEFINED = re.compile(rb"([A-Za-z_]\w*)(?![\w(])\s*(.*)", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(rb"[A-Z][A-Z0-9_]{2,}")
"""A word of a head that may be a macro, and make a function `static` or `inline`, or one for a side."""
_ENDS = frozenset((b";", b"{", b"}", b":"))
_LONGEST = 80
"""Tokens of a head before what the tree holds of it."""
_FILES = 400
"""Files that are parsed at most for who calls such functions."""


@dataclass(slots=True)
class SidedFiles:
    """The files with code, and the macros that qualify functions: `sides` and `words` resolve them in a head."""

    macros: Mapping[bytes, frozenset[bytes]]
    paths: Sequence[str]
    read: Read
    _parsed: dict[str, ParsedFile | None] = field(default_factory=dict)

    @classmethod
    def of(cls, paths: Sequence[str], read: Read) -> SidedFiles:
        """Those of some files, with the macros of all of them."""
        return cls(_macros(paths, read), paths, read)

    def parsed(self, path: str) -> ParsedFile | None:
        """A file read again; None for what is gone, and beyond the most that are read."""
        if path not in self._parsed and len(self._parsed) < _FILES:
            source = self.read(path)
            self._parsed[path] = None if source is None else cuda.parse(source, of_runtime())
        return self._parsed.get(path)

    def users(self, name: bytes) -> Iterator[tuple[ParsedFile, Function, frozenset[bytes]]]:
        """The functions that name another one behind their heads, each with its file and sides."""
        for path in self.paths:
            source = self.read(path)
            parsed = self.parsed(path) if source is not None and name in source.data else None
            for at in parsed.lexed.places(name) if parsed is not None else ():
                user = parsed.function(at) if parsed is not None and parsed.lexed.is_code(at) else None
                if parsed is None or user is None or at < user.body.start or plain(user) == name:
                    continue
                yield parsed, user, self.sides(parsed, user)

    def sides(self, parsed: ParsedFile, function: Function) -> frozenset[bytes]:
        """The sides that the head of a function names, in any branch, itself or by macros."""
        return self.words(parsed, function) & SIDES

    def words(self, parsed: ParsedFile, function: Function) -> frozenset[bytes]:
        """The words of the head of a function, and what macros among them say."""
        words = _head(parsed, function)
        return words.union(*(self.macros[word] for word in words & self.macros.keys()))

    def has_unknown(self, parsed: ParsedFile, function: Function) -> bool:
        """Whether a head has a word that may be a macro which no file defines: it may say anything."""
        return any(_MACRO.fullmatch(word) and word not in self.macros for word in self.words(parsed, function))


def _macros(paths: Iterable[str], read: Read) -> dict[bytes, frozenset[bytes]]:
    """The macros of all files that qualify functions, with what any definition names of sides and linkage."""
    found: dict[bytes, frozenset[bytes]] = {}
    for path in paths:
        for name, sides in asked(read, path, _qualifying) or ():
            found[name] = found.get(name, frozenset()).union(sides)
    return found


def _qualifying(source: SourceFile) -> tuple[tuple[bytes, tuple[bytes, ...]], ...]:
    """The macros of a file that qualify functions, as plain values."""
    if b"define" not in source.data or not any(side in source.data for side in SIDES):
        return ()
    lines = (line.argument(source.data) for line in lexed(source).directives if line.name == "define")
    made = ((match[1], set(_WORD.findall(match[2]))) for match in map(_DEFINED.match, lines) if match)
    return tuple((name, tuple(sorted(words & _KNOWN))) for name, words in made if words & SIDES)


def plain(function: Function) -> bytes:
    """A function's name without what it is a member of."""
    return function.name.rpartition("::")[2].encode("latin-1")


def _head(parsed: ParsedFile, function: Function) -> frozenset[bytes]:
    """The words of a head up to the name, those too that a conditional parts from it."""
    start, end = head_to_name(parsed.data, function)
    words, tokens = set(_WORD.findall(parsed.data, start, end)), parsed.lexed
    before = tokens.before(start)
    for _ in range(_LONGEST):
        text = tokens.text(before)
        line = tokens.directive_at(before.start) if before is not None else None
        if before is None or (line is None and text in _ENDS):
            break
        words |= {text} if line is None else set()
        before = tokens.before(before.start if line is None else line.start)
    return frozenset(words)
