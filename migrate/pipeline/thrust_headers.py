"""Uses of Thrust whose header a file may read by way of the project's own: findings that the tree shows to be none.

A header of Thrust's is needed where what a file reads includes some of Thrust's or CUB's, and not the one in question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.cuda.foreign_headers import is_foreign
from cudamigrate.cuda.include_paths import IncludePaths, closure
from cudamigrate.lazy_dataclasses import replace
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
    paths = include_paths(read, (one.path for one in results))
    return [_kept(one, paths, read) if _found(one) else one for one in results]


def _found(result: FileResult) -> bool:
    return any(finding.rule == RULE for finding in result.findings)


def _kept(result: FileResult, paths: IncludePaths, read: Read) -> FileResult:
    own = asked(read, result.path, _spelled) or ()
    if not any(quoted for _, quoted in own):
        return result  # the detector has seen all there is

    def targets(path: str) -> Iterator[str]:
        for name, _ in asked(read, path, _spelled) or ():
            found = paths.nearest(path, name)
            yield from found if len(found) == 1 else ()

    inside = closure((result.path,), targets)
    names = {one for path in inside for one in asked(read, path, _spelled) or ()}
    unknown = any(quoted and not is_foreign(name) and not _is_among(name, inside) for name, quoted in names)
    brought = {name for name, _ in names}
    brings = any(name.startswith(_BRINGS) for name in brought)

    def is_needed(finding: Finding) -> bool:
        return finding.rule != RULE or (
            brings and not unknown and not any(f"<{n}>" in finding.message for n in brought)
        )

    return replace(result, findings=tuple(filter(is_needed, result.findings)))


def _is_among(name: str, paths: Iterable[str]) -> bool:
    """Whether an include in quotes may mean one of some files."""
    ending = "/" + name.removeprefix("./").rpartition("../")[2]
    return any(f"/{path}".endswith(ending) for path in paths)


def _spelled(source: SourceFile) -> _Included:
    """The includes of a source, each with whether it is in quotes."""
    return tuple((name, quoted) for name, quoted, *_ in included(source))
