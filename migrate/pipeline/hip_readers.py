"""Which files of a tree read HIP's headers after the conversion, when the host's compiler compiles them.

HIP's headers ask which platform they are for: hipcc says it, the host's compiler does not.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cudamigrate.cuda.code_files import copied
from cudamigrate.cuda.host_branches import host_reads
from cudamigrate.cuda.include_paths import STANDARD, IncludePaths
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline import copied_headers
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included, lexed

_HEADER = re.compile(rb"\bhip[\w/.+-]*\.(?:h|hpp)\b")


@dataclass(slots=True)
class HipReaders:
    """The files of a repository by path, and those whose text has HIP's headers after the conversion."""

    results: Mapping[str, FileResult]
    read: Read
    with_header: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    paths: IncludePaths = field(default_factory=lambda: IncludePaths(()))
    _known: dict[tuple[str, frozenset[bytes]], _Head] = field(default_factory=dict)
    _reads: dict[tuple[int, frozenset[bytes]], dict[str, bool]] = field(default_factory=dict)
    _copies: dict[str, str] | None = None
    _copied: IncludePaths = field(default_factory=lambda: IncludePaths(()))

    def __post_init__(self) -> None:
        found = ((path, _places(one)) for path, one in self.results.items() if one.findings and _is_code(one))
        self.with_header = {path: places for path, places in found if places}
        if self.with_header:  # else nothing is asked, and the paths of a large tree take a lot
            self.paths = IncludePaths(path for path, one in self.results.items() if _is_code(one))

    def reads_header(self, path: str, build: bytes, undefined: frozenset[bytes] = frozenset()) -> bool:
        """Whether the host's compiler reads one of HIP's headers in a file, or in what it includes.

        Of files that a build copies to a header's name, those count that the text of the `build` file names. What needs
        a macro that is `undefined` is not read.
        """

        known = self._reads.setdefault((hash(build), undefined), {})
        seen, left = {path}, [path]
        while left:
            one = left.pop()
            if known.get(one, self._head(one, undefined).has_header):
                known[path] = True
                return True
            if one not in known:
                inside = self._head(one, undefined).included
                more = {other for other in inside if not copied(other) or posixpath.basename(other).encode() in build}
                left += more - seen
                seen |= more
        known.update(dict.fromkeys(seen, False))
        return False

    def closure(self, path: str) -> set[str]:
        """The files of the tree that the host's compiler reads with one, itself among them."""
        seen, left = {path}, [path]
        while left:
            more = {other for other in self._head(left.pop()).included if not copied(other)} - seen
            left += more
            seen |= more
        return seen

    def _head(self, path: str, undefined: frozenset[bytes] = frozenset()) -> _Head:
        if (path, undefined) not in self._known:
            source = self.read(path)
            named, places = included(source) if source is not None else (), self.with_header.get(path, ())
            parts = branches(lexed(source), ()) if source is not None and (named or places) else []
            own = [one for one in named if one[1] or one[0] not in STANDARD]
            found = [self._meant(path, name) for name, _, at in own if host_reads(parts, at.start, undefined)]
            inside = tuple(one[0] for one in found if len(one) == 1)
            self._known[path, undefined] = _Head(inside, any(host_reads(parts, at, undefined) for at in places))
        return self._known[path, undefined]

    def _meant(self, path: str, name: str) -> list[str]:
        """The files that an include may mean: the nearest of the tree, else one that a Makefile copies to its place."""
        found = self.paths.nearest(path, name)
        if found or "/" not in name:
            return found
        if self._copies is None:
            makefiles = [one for one, result in self.results.items() if result.language == "make"]
            texts = {one: source.data for one in makefiles if (source := self.read(one)) is not None}
            self._copies = copied_headers.copies(texts, self.paths.paths)
            self._copied = IncludePaths(self._copies)
        return [self._copies[one] for one in self._copied.nearest(path, name)]


class _Head(NamedTuple):
    """What the host's compiler reads of a file: the files of the tree that it includes, and whether HIP's headers."""

    included: tuple[str, ...]
    has_header: bool


def any_header(results: Iterable[FileResult]) -> bool:
    """Whether the text of any file has HIP's headers after the conversion."""
    return any(_places(one) for one in results if one.findings and one.skip is None and _is_code(one))


def _is_code(result: FileResult) -> bool:
    """Whether a file is code of both vendors: what a port has nothing of, it leaves to CUDA."""
    return result.language in ("cuda", "cxx") and not result.absent


def _places(result: FileResult) -> tuple[int, ...]:
    return tuple(at for finding in result.findings for at in _headers(finding))


def _headers(finding: Finding) -> Iterator[int]:
    """Where a safe fix includes one of HIP's headers, for whatever compiler."""
    for edit in finding.fix.edits if finding.fix is not None and finding.fix.safety == "safe" else ():
        added = b"include" in edit.replacement or "include" in finding.excerpt
        if added and _HEADER.search(edit.replacement) and b"__HIPCC__" not in edit.replacement:
            yield edit.span.start
