"""What functions said of the texts of a tree in earlier runs, by the digests of the texts.

The passes over a whole tree ask every file of code what it includes, and every script whether it names an extension:
all but a few are what they were. An answer is plain values alone, and rests on nothing but the file's path, its
language and its bytes, so that it holds as long as these are the same.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cudamigrate.model import SourceFile
from cudamigrate.pipeline.cached_work import Cache, digest, loaded, program
from cudamigrate.pipeline.result_store import Store

Ask = Callable[[SourceFile], Any]
"""A function of a module, which is known again by its name."""
Answer = tuple[str, str, tuple[bytes, Any]]
"""The name of a function, a path, and what stands for its bytes with what was said of them."""
NEVER = object()
"""In the place of an answer: nobody has asked."""
_GONE = b""


class TextFacts:
    """The answers for the files of one tree. `content` gives the digest of a file's bytes, empty where it has none."""

    never = NEVER

    @classmethod
    def of(cls, cache: Cache, root: Path) -> TextFacts | None:
        """Those that are kept of a tree; None where nothing is."""
        if cache.store is None or not cache.knows_contents:
            return None
        key = digest(b"facts of texts\0" + program() + os.fsencode(os.path.realpath(root)))
        return cls(cache.store, key, cache.content)

    def __init__(self, store: Store, key: bytes, content: Callable[[str], bytes]) -> None:
        self._store, self._key, self._content = store, key, content
        self._known: dict[str, dict[str, tuple[bytes, Any]]] | None = None
        self._is_new = False
        self._watched: list[Answer] | None = None

    def answer(self, ask: Ask, path: str, language: str) -> Any:
        """What `ask` said of a file that has not changed, else `NEVER`."""
        found = self._of(ask).get(path)
        return found[1] if found is not None and found[0] == self._mark(path, language) != _GONE else NEVER

    def record(self, ask: Ask, source: SourceFile, answer: Any) -> None:
        """Keep an answer; none on bytes that are others than those which the run has seen before."""
        mark = self._mark(source.path, source.language)
        if mark != _GONE and digest(source.data) == self._content(source.path):
            self._of(ask)[source.path] = mark, answer
            self._is_new = True
            if self._watched is not None:
                self._watched.append((_name(ask), source.path, (mark, answer)))

    def watched(self) -> list[Answer]:
        """A list of what is recorded from now on."""
        self._watched = []
        return self._watched

    def learn(self, answers: Iterable[Answer]) -> None:
        """Record what another process did, of the same texts."""
        for name, path, answer in answers:
            self._named(name)[path] = answer
            self._is_new = True

    def keep(self) -> None:
        """Write what is new, if anything is, and forget files that are gone."""
        if self._is_new and self._known is not None:
            kept = {
                name: {path: one for path, one in answers.items() if self._content(path)}
                for name, answers in self._known.items()
            }
            self._store.put({self._key: pickle.dumps(kept, 5)})
            self._is_new = False

    def _of(self, ask: Ask) -> dict[str, tuple[bytes, Any]]:
        return self._named(_name(ask))

    def _named(self, name: str) -> dict[str, tuple[bytes, Any]]:
        if self._known is None:
            stored = self._store.get([self._key]).get(self._key)
            found = loaded(stored) if stored is not None else None
            self._known = found[0] if found is not None and isinstance(found[0], dict) else {}
        return self._known.setdefault(name, {})

    def _mark(self, path: str, language: str) -> bytes:
        """What stands for the bytes of a file and for how it is read; nothing where it cannot be read."""
        content = self._content(path)
        return content + language.encode() if content else _GONE


def _name(ask: Ask) -> str:
    return f"{ask.__module__}.{ask.__qualname__}"
