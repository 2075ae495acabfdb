"""What `check` reads of a repository around a few files: the headers that they include, of the work tree.

`scan` has read every file when it asks what one sees in others. Before a commit that takes too long, so headers are
followed from the files themselves: beside the including file, and by their names among those that git tracks. Who
includes a file is not asked.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from cudamigrate.cuda import opened_namespaces
from cudamigrate.cuda.code_files import FILES
from cudamigrate.cuda.include_paths import STANDARD, IncludePaths, closure, spelled
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.project import discovery, git
from cudamigrate.project.file_access import read_regular
from cudamigrate.rulebase.code_rules import Rulebook

_CODE = ("cuda", "cxx")
_SIDES = (b"__host__", b"__device__")
_SIGNS = "*?[]\\"
"""Signs that mean something in a pattern of git's: no header has one in its name."""
_MOST, _LARGEST = 300, 2_000_000
"""Headers that are read at most, and bytes of one."""
_FEW = 40
"""Names that git looks for; of more, all paths take it less time."""


@dataclass(slots=True)
class SeenHeaders:
    """Some files, by their paths from a folder, and the headers that they include, through others too."""

    top: Path
    inside: str
    book: Rulebook
    texts: dict[str, SourceFile]
    own: Sequence[str]
    _named: dict[str, list[str]] = field(default_factory=dict)
    _meant: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path | None, sources: Sequence[SourceFile], book: Rulebook) -> SeenHeaders:
        """What files see in the work tree of git around `root`; nothing without one."""
        top = git.work_tree(root) if root is not None else None
        texts = {one.path: one for one in sources if one.language in _CODE}
        found = cls(top or Path(), "", book, texts, tuple(texts))
        if root is None or top is None:
            return found
        found.inside = Path(os.path.relpath(root.resolve(), top)).as_posix()
        waiting = list(found.texts)
        while waiting and len(found.texts) < len(sources) + _MOST:
            waiting = found._follow(waiting)
        return found

    def with_directives(self, waves: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """The marks that hold for single files, with those of the directives for namespaces that headers give."""
        said = {one.path: opened_namespaces.declared(one.data) for one in self.texts.values()}
        if not any(said.values()):
            return dict(waves)
        found = dict(waves)
        for path in self.own:
            others = {directive for one in self._below(path) for directive in said.get(one, ()) if one != path}
            found[path] = (*waves.get(path, ()), *sorted(opened_namespaces.MARK + one for one in others))
        return found

    def with_work(self, results: Sequence[FileResult], old: SourceFile | None = None) -> list[FileResult]:
        """The results of files, with what is the host's work in functions for both sides; `old` is one as it was."""
        texts = self.texts if old is None else {**self.texts, old.path: old}
        if not all(any(side in one.data for one in texts.values()) for side in _SIDES):
            return list(results)
        from cudamigrate.pipeline.both_sided_work import with_both_sided_work  # a plain file does without

        own = {one.path for one in results}
        others = [
            FileResult(one.path, one.language, 0, len(one.data), cuda=False)
            for one in texts.values()
            if one.path not in own
        ]
        return with_both_sided_work([*results, *others], self.book, texts.get)[: len(results)]

    def _below(self, path: str) -> frozenset[str]:
        """A file, and the headers that it includes, through others too."""
        return closure([path], lambda one: self._meant.get(one, ()))

    def _follow(self, paths: Iterable[str]) -> list[str]:
        """The headers that files include themselves, read; those that are new."""
        asked = {
            path: [name for name, *_ in spelled(self.texts[path].data) if self._may_be_own(name)] for path in paths
        }
        places = {(path, name): self._beside(path, name) for path, names in asked.items() for name in names}
        missing = {posixpath.basename(name) for (_, name), place in places.items() if not place}
        missing = {name for name in missing if not any(sign in name for sign in _SIGNS)}
        self._look_for(sorted(missing - self._named.keys()))
        tracked = (one for name in missing for one in self._named.get(name, ()))
        known = IncludePaths(frozenset((*filter(None, places.values()), *self.texts, *tracked)))
        new = dict[str, None]()
        for path, names in asked.items():
            found = self._meant[path] = [one for name in names for one in known.nearest(path, name)]
            new.update((one, None) for one in found if one not in self.texts and self._read(one))
        return list(new)

    def _may_be_own(self, name: str) -> bool:
        """Whether an include may mean a file of the repository: it is no header of C, C++, CUDA or its libraries."""
        return "." in name and name not in STANDARD and self.book.include(name) is None

    def _beside(self, path: str, name: str) -> str:
        """The file that an include means from the folder of its file, empty if none."""
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), name.replace("\\", "/")))
        return found if (self.top / self.inside / found).is_file() else ""

    def _look_for(self, names: Sequence[str]) -> None:
        """Ask git for the files of some names, at any depth."""
        if not names:
            return
        self._named.update((name, []) for name in names)
        wanted = [f":(top,glob)**/{name}" for name in names] if len(names) <= _FEW else []
        try:
            printed = git.git(self.top, "ls-files", "-z", "--", *wanted, files=False)
        except git.GitError:
            return
        for path in git.words(printed):
            if (place := self._named.get(posixpath.basename(path))) is not None:
                place.append(posixpath.relpath(path, self.inside))

    def _read(self, path: str) -> bool:
        """Read a header of the work tree; False for one that is not there, or is no text."""
        place = posixpath.normpath(posixpath.join(self.inside, path))
        try:
            data = read_regular(self.top, place, _LARGEST)
        except OSError:
            return False
        found = discovery.source(path, data, FILES.get(PurePosixPath(path).suffix, "cxx"))
        if isinstance(found, SourceFile):
            self.texts[path] = found
        return isinstance(found, SourceFile)
