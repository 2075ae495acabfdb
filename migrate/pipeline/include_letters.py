"""Includes whose letters are of another case than the file's name: Windows finds such a file, Linux does not.

A header is meant where nothing in the tree is spelled as the include has it, and one file of the project's own is but
for the case of letters.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.include_paths import IncludePaths, nearest
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, included
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/include-letters"
_SEPARATORS = "build/include-backslash"
"""The finding on backslashes in a path, whose change is part of this one's."""


def with_include_letters(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with a finding at each such include of a file with CUDA."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    tree, done = _Tree([entry.path for entry in inventory.entries], inventory.passed_over), list[FileResult]()
    for result in results:
        names = asked(read, result.path, _quoted) if result.cuda and result.skip is None else None
        source = read(result.path) if names and any(map(tree.differs, names)) else None
        made = list[Finding]()
        for name, span, path in _meant(source, tree) if source is not None else ():
            use = Use("name", name, span, span, (), "unknown", "syntax")
            found = engine.finding(source, Hit(RULE, use, {"path": path}), rule) if source is not None else None
            if found is not None:
                made.append(replace(found, fix=Fix((Edit(span, path.encode()),), rule.safety)))
        done.append(_with(result, made) if made else result)
    return done


def _with(result: FileResult, made: Sequence[Finding]) -> FileResult:
    """A result with these findings, which change separators too."""
    spans = {one.span for one in made}
    kept = tuple(one for one in result.findings if one.rule != _SEPARATORS or one.span not in spans)
    return engine.with_more(replace(result, findings=kept), made)


def _quoted(source: SourceFile) -> tuple[str, ...]:
    return tuple(name for name, quoted, _ in included(source) if quoted)


def _meant(source: SourceFile, tree: _Tree) -> Iterator[tuple[str, Span, str]]:
    """The includes of a source, each with its place and the path that it has to spell."""
    for name, quoted, span in included(source):
        if quoted and tree.differs(name):
            path = tree.spelled(source.path, name)
            if path:
                yield name, span, path


class _Tree:
    """The files of a repository, to be asked with letters of any case."""

    def __init__(self, own: Sequence[str], others: Iterable[str]) -> None:
        self._own, self._others = own, others

    @cached_property
    def _exact(self) -> IncludePaths:
        return IncludePaths([*self._own, *self._others])

    @cached_property
    def _lower(self) -> IncludePaths:
        return IncludePaths(self._known)

    @cached_property
    def _known(self) -> Mapping[str, list[str]]:
        """The files by their paths in small letters."""
        known: dict[str, list[str]] = defaultdict(list)
        for path in self._own:
            known[path.lower()].append(path)
        return known

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(path.rpartition("/")[2] for path in self._known)

    def differs(self, name: str) -> bool:
        """Whether an include may mean a file of the tree, and none has a path as it spells it."""
        last = name.replace("\\", "/").rpartition("/")[2]
        return last.lower() in self._names and not self._exact.ending(name)

    def spelled(self, path: str, name: str) -> str:
        """What an include in `path` has to spell; empty where no file is meant, or several may be."""
        plain = name.replace("\\\\", "/").replace("\\", "/")
        folders = plain.split("/")
        up = next((at for at, folder in enumerate(folders) if folder not in (".", "..")), len(folders))
        rest = "/".join(folders[up:])
        below = self._lower.possible(path.lower(), plain.lower())
        found = [one for each in nearest(path.lower(), below) for one in self._known.get(each, ())]
        if len(found) != 1 or posixpath.normpath(rest) != rest:
            return ""
        return "/".join([*folders[:up], *found[0].split("/")[-len(folders[up:]) :]])
