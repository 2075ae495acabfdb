"""Files that the passes over a whole tree read again: text, tokens and includes are kept for the next pass.

A dozen passes follow includes, or look for what other files declare, and each asks the same files. What is kept is
bounded: files that come first are kept and later ones are read each time, so that memory does not grow with the tree.
The passes take any function that reads a path; what such a function gives is read and tokenized each time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cudamigrate.cuda.include_paths import IncludeGraph, IncludePaths, spelled
from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.model import FileEntry, Inventory, SourceFile, Span
from cudamigrate.pipeline.spool import MANY
from cudamigrate.project import discovery

if TYPE_CHECKING:  # one who checks a few files keeps nothing
    from cudamigrate.pipeline.text_facts import Answer, TextFacts

Result = TypeVar("Result")
_path = attrgetter("path")

BOUND, BOUND_OF_MANY = 16_000_000, 4_000_000
"""Bytes that are kept at most, what is known of the texts included; of a tree of very many files, which take more."""
_GRAPHS = 3
"""Graphs of includes that are kept: most passes ask for those of all code."""
_Asked = tuple[frozenset[str], Callable[[SourceFile], tuple[str, ...]], bool]
"""The files of a graph of includes, what is asked of each, and whether all files are taken that an include may mean."""
_EACH = 2_000
"""Bytes that a file takes beside its text."""


class _Kept(SourceFile):
    """A source with what was found out about its text; a copy that is made by `replace` knows nothing yet."""

    __slots__ = ("included", "known", "lexed")
    lexed: Lexed | None
    included: tuple[tuple[str, bool, Span], ...] | None
    known: dict[Callable[[SourceFile], Any], Any]


class ReadAgain:
    """Reads the files of an inventory by path; None for a file that is no longer there, or cannot be read."""

    def __init__(self, inventory: Inventory, bound: int = 0, facts: TextFacts | None = None) -> None:
        self._root, self._entries, self._facts = Path(inventory.root), inventory.entries, facts
        self._left = bound or (BOUND if len(self._entries) <= MANY else BOUND_OF_MANY)
        self._held: dict[str, _Kept] = {}
        self.include_paths = IncludePaths(())
        self.graphs: dict[_Asked, IncludeGraph] = {}

    def __call__(self, path: str) -> SourceFile | None:
        """The source of one file."""
        held = self._held.get(path)
        if held is not None:
            return held
        entry = self._entry(path)
        return None if entry is None else self._read(entry)

    def asked(self, path: str, ask: Callable[[SourceFile], Result]) -> Result | None:
        """What `ask` says of a file; None for one that is no longer there, or cannot be read."""
        known: SourceFile | FileEntry | None = self._held.get(path) or self._entry(path)
        if known is None:
            return None
        facts = self._facts
        if facts is not None and (kept := facts.answer(ask, path, known.language)) is not facts.never:
            return cast("Result", kept)
        source = known if isinstance(known, SourceFile) else self._read(known)
        if source is None:
            return None
        answer = once(source, ask)
        if facts is not None:
            facts.record(ask, source, answer)
        return answer

    def keep(self) -> None:
        """Keep what was answered for other runs."""
        if self._facts is not None:
            self._facts.keep()

    def watched(self) -> list[Answer]:
        """A list that has from now on what is answered for the first time: what another process is to learn."""
        return self._facts.watched() if self._facts is not None else []

    def learn(self, answers: Iterable[Answer]) -> None:
        """Take what another process was answered, whose list `watched` gave."""
        if self._facts is not None:
            self._facts.learn(answers)

    def _entry(self, path: str) -> FileEntry | None:
        at = bisect_left(self._entries, path, key=_path)
        entry = self._entries[at] if at < len(self._entries) else None
        return entry if entry is not None and entry.path == path else None

    def _read(self, entry: FileEntry) -> SourceFile | None:
        source = discovery.read(self._root, entry)
        if not isinstance(source, SourceFile):
            return None
        size = len(source.data) + _EACH
        if size > self._left:
            return source
        self._left -= size
        kept = self._held[entry.path] = _Kept(source.path, source.data, source.language)
        object.__setattr__(kept, "lexed", None)
        object.__setattr__(kept, "included", None)
        object.__setattr__(kept, "known", {})
        return kept


def lexed(source: SourceFile) -> Lexed:
    """The tokens of a source, which are looked for once where it is kept."""
    known = getattr(source, "lexed", None)
    if known is None:
        if not isinstance(source, _Kept):
            return _last_lexed(source.data)
        known = lex(source.data)
        object.__setattr__(source, "lexed", known)
    return known


@lru_cache(maxsize=1)
def _last_lexed(data: bytes) -> Lexed:
    """The tokens of a source that is not kept: what asks for them at each of its uses asks for the same ones."""
    return lex(data)


def included(source: SourceFile) -> tuple[tuple[str, bool, Span], ...]:
    """The headers that a source includes, as `include_paths.spelled` has them."""
    known = getattr(source, "included", None)
    if known is None:
        known = tuple(spelled(source.data))
        if isinstance(source, _Kept):
            object.__setattr__(source, "included", known)
    return known


def once(source: SourceFile, ask: Callable[[SourceFile], Result]) -> Result:
    """What some function says of a source, little as it must be: asked once where the source is kept."""
    known = getattr(source, "known", None)  # a copy of one that is kept has none
    if known is None:
        return ask(source)
    if ask not in known:
        known[ask] = ask(source)
    found: Result = known[ask]
    return found


def asked(read: Callable[[str], SourceFile | None], path: str, ask: Callable[[SourceFile], Result]) -> Result | None:
    """What `ask` says of the file that `read` gives for a path; None where it gives none.

    `ask` is a function of a module, and its answer is plain values that rest on nothing but the source: where `read` is
    a `ReadAgain`, what was answered in earlier runs is not asked again, and the file not even read.
    """
    if isinstance(read, ReadAgain):
        return read.asked(path, ask)
    source = read(path)
    return None if source is None else ask(source)


def spelled_includes(source: SourceFile) -> tuple[str, ...]:
    """The headers that a source includes, as it spells them: what `asked` can be asked."""
    return tuple(name for name, *_ in included(source))


def include_graph(
    read: Callable[[str], SourceFile | None],
    paths: Iterable[str],
    ask: Callable[[SourceFile], tuple[str, ...]] = spelled_includes,
    every: bool = False,
) -> IncludeGraph:
    """What files include of each other; `ask` says what counts. What can no longer be read is left out.

    It is kept for other passes as `include_paths` are.
    """
    wanted = frozenset(paths)
    graphs = read.graphs if isinstance(read, ReadAgain) and len(wanted) <= MANY else {}
    found = graphs.get((wanted, ask, every))
    if found is None:
        named = ((path, asked(read, path, ask)) for path in sorted(wanted))
        found = IncludeGraph({path: names for path, names in named if names is not None}, every=every)
        for key in [*graphs][: len(graphs) - _GRAPHS + 1]:
            del graphs[key]
        graphs[wanted, ask, every] = found
    return found


def include_paths(read: Callable[[str], SourceFile | None], paths: Iterable[str]) -> IncludePaths:
    """The paths to ask what an include means: the same ones as long as the passes over a tree ask for the same.

    Those of very many files are kept for no other pass: they take more than all else that is kept.
    """
    wanted = frozenset(paths)
    if not isinstance(read, ReadAgain) or len(wanted) > MANY:
        return IncludePaths(wanted)
    if read.include_paths.paths != wanted:
        read.include_paths = IncludePaths(wanted)
    return read.include_paths
