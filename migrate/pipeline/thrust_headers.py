"""Uses of Thrust whose header a file may read by way of the project's own: findings that the tree shows to be none.

A header of Thrust's is needed where what a file reads includes some of Thrust's or CUB's, and not the one in question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudamigrate.cuda.foreign_headers import is_foreign
from cudamigrate.cuda.include_paths import IncludePaths, closure
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_paths, included

RULE = "build/thrust-header"
_BRINGS = ("thrust/", "cub/")
_Included = tuple[tuple[str, bool], ...]


def without_brought(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on headers that a file reads, or may read by one that is not in the tree."""
    if not any(_found(one) for one in results):
        return list(results)
    tree = _Tree(include_paths(read, (one.path for one in results)), read)
    return [_kept(one, tree) if _found(one) else one for one in results]


def _found(result: FileResult) -> bool:
    return any(finding.rule == RULE for finding in result.findings)


@dataclass(slots=True)
class _Tree:
    """The files of a tree and what each includes: files with such findings mostly read the same headers."""

    paths: IncludePaths
    read: Read
    _spelled: dict[str, _Included] = field(default_factory=dict)
    _targets: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def spelled(self, path: str) -> _Included:
        """The includes of a file, each with whether it is in quotes."""
        if path not in self._spelled:
            self._spelled[path] = asked(self.read, path, _spelled) or ()
        return self._spelled[path]

    def targets(self, path: str) -> tuple[str, ...]:
        """The files of the tree that a file includes, as far as each is the only one that may be meant."""
        if path not in self._targets:
            found = (self.paths.nearest(path, name) for name, _ in self.spelled(path))
            self._targets[path] = tuple(one[0] for one in found if len(one) == 1)
        return self._targets[path]


def _kept(result: FileResult, tree: _Tree) -> FileResult:
    if not any(quoted for _, quoted in tree.spelled(result.path)):
        return result  # the detector has seen all there is
    inside = closure((result.path,), tree.targets)
    names = {one for path in inside for one in tree.spelled(path)}
    brought = {name for name, _ in names}
    is_sure = any(name.startswith(_BRINGS) for name in brought) and not any(
        quoted and not is_foreign(name) and not _is_among(name, inside) for name, quoted in names
    )

    def is_needed(finding: Finding) -> bool:
        return finding.rule != RULE or (is_sure and not any(f"<{name}>" in finding.message for name in brought))

    return replace(result, findings=tuple(filter(is_needed, result.findings)))


def _is_among(name: str, paths: Iterable[str]) -> bool:
    """Whether an include in quotes may mean one of some files."""
    ending = "/" + name.removeprefix("./").rpartition("../")[2]
    return any(f"/{path}".endswith(ending) for path in paths)


def _spelled(source: SourceFile) -> _Included:
    """The includes of a source, each with whether it is in quotes."""
    return tuple((name, quoted) for name, quoted, *_ in included(source))
