"""Headers for files that are included inside of a scope go to the files that include them, at file scope.

nvcc reads its runtime header before the first line, so that a `.cu` file may be included in `extern "C" {` or in a
namespace. A header that a fix adds to such a file, or puts in the place of one of CUDA's, would be read in that scope.
So the files reached from such an include get no header: the files outside that include them get it, before all other
includes. A file outside that includes them at file scope gets only what they had to give up: one of CUDA's headers that
became one of HIP's is still there, under the conditions that it had. What only compilers for GPUs get in there, only
they get outside. Where no file outside can be changed, the fix is
withdrawn, and its finding says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from cudamigrate.cuda.enclosed_includes import enclosed_includes
from cudamigrate.cuda.host_branches import host_reads
from cudamigrate.cuda.include_insertion import OWN_HEADERS, PORTABLE_HEADER, addition, is_addition, newline
from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import branches, include_guard
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/enclosed-include"
_HEADER = re.compile(rb'[\w./+-]*\w\.(?:hpp|h)(?=[>"\s]|$)')
_FIRST = "hip/hip_runtime.h"
_NOT_FIXED = (
    " Not fixed: the file is included inside of a scope, and the header must be included before that, at file scope."
)
_OURS = frozenset((*OWN_HEADERS, PORTABLE_HEADER))


def with_enclosing_includers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with the headers that fixes add moved out of scopes in which their files are included."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not any(result.enclosed for result in results):
        return list(results)
    tree = _Tree({result.path: result for result in results if result.skip is None}, read)
    tree.follow()
    made = dict[str, tuple[Finding, ...]]()
    placed, left = set[str](), set[str]()
    for path, starts in tree.outside():
        inside = tree.inside(starts)
        headers = tree.wanted(path, starts)
        if headers:
            added = _added(tree, path, starts, headers, rule)
            made[path] = added or ()
            (left if added is None else placed).update(inside)
    placed -= left
    return [
        engine.with_more(one if one.path not in tree.reached else _judged(one, placed), made.get(one.path, ()))
        for one in results
    ]


@dataclass(slots=True)
class _Tree:
    """The files of a repository, and those `reached` from includes inside of scopes."""

    results: Mapping[str, FileResult]
    read: Read
    reached: set[str] = field(default_factory=set)
    _paths: IncludePaths | None = None
    _named: dict[str, list[str]] = field(default_factory=dict)
    _guarded: dict[str, bool] = field(default_factory=dict)

    def follow(self) -> None:
        """Find the files that are reached."""
        self._paths = IncludePaths(self.results)
        for path, result in self.results.items():
            targets = self._targets(path, result.enclosed)
            if targets:
                before = self._read_before(path)
                self.reached.update(self._below(targets, before))

    def inside(self, starts: Sequence[str]) -> set[str]:
        """The files reached from some that are reached."""
        return self._below(starts, frozenset()) & self.reached

    def outside(self) -> Iterator[tuple[str, list[str]]]:
        """The files that are not reached and have includes in a scope, or include files that are reached: those."""
        names = {path.rpartition("/")[2] for path in self.reached}
        for path, result in sorted(self.results.items()):
            if path not in self.reached and result.language in ("cuda", "cxx"):
                listed = [name for name in self._of(path) if name.rpartition("/")[2] in names]
                targets = [one for one in self._targets(path, listed) if one in self.reached]
                if targets or result.enclosed:
                    yield path, targets

    def wanted(self, path: str, starts: Sequence[str]) -> list[str]:
        """The headers that a file outside needs: all that fixes write into its scopes, and what others gave up."""
        enclosed = self.inside(self._targets(path, self.results[path].enclosed))
        found: dict[str, None] = {}
        for one in sorted(self.inside(starts)):
            found |= dict.fromkeys(self.headers(one, _everywhere if one in enclosed else _is_addition))
        return list(found | dict.fromkeys(self.headers(path, _is_enclosed)))

    def headers(self, path: str, counts: Callable[[bytes, Edit], bool]) -> Iterator[str]:
        """The headers that fixes write into a file, of the edits that count."""
        source = self.read(path)
        if source is None:
            return
        for finding in self.results[path].findings:
            for edit in finding.fix.edits if finding.fix is not None else ():
                if counts(source.data, edit):
                    yield from _headers(source.data, edit)

    def only_for_gpus(self, path: str, starts: Sequence[str]) -> frozenset[str]:
        """The headers that a file outside needs only in branches which the host's compiler does not read."""
        source = self.read(path)
        parts = branches(lexed(source), ()) if source is not None else []

        def read_by_host(data: bytes, edit: Edit) -> bool:
            return _is_enclosed(data, edit) and host_reads(parts, edit.span.start)

        inside = self.inside(starts) | self.inside(self._targets(path, self.results[path].enclosed))
        for_all = {name for one in inside for name in self.headers(one, _everywhere)}
        return frozenset(self.headers(path, _is_enclosed)) - for_all - set(self.headers(path, read_by_host))

    def _targets(self, path: str, names: Sequence[str]) -> list[str]:
        """The files of the tree that includes in `path` mean, itself left out."""
        assert self._paths is not None
        found = [one for name in names if len(near := self._paths.nearest(path, name)) == 1 for one in near]
        return [one for one in dict.fromkeys(found) if one != path]

    def _of(self, path: str) -> list[str]:
        """What the includes of a file spell."""
        if path not in self._named:
            source = self.read(path)
            self._named[path] = [name for name, _, _ in included(source)] if source is not None else []
        return self._named[path]

    def _is_guarded(self, path: str) -> bool:
        """Whether reading a file again declares nothing."""
        if path not in self._guarded:
            source = self.read(path)
            once = source is not None and b"#pragma once" in source.data
            self._guarded[path] = once or (source is not None and include_guard(lexed(source)) is not None)
        return self._guarded[path]

    def _read_before(self, path: str) -> frozenset[str]:
        """The file itself and the headers with a guard that it reads at file scope before those in a scope."""
        source = self.read(path)
        data = source.data if source is not None else b""
        first = next(iter(_enclosed(data)), 0)
        before = included(source) if source is not None else ()
        early = self._targets(path, [name for name, _, place in before if place.start < first])
        return frozenset((path, *filter(self._is_guarded, self._below(early, frozenset((path,))))))

    def _below(self, starts: Sequence[str], without: frozenset[str]) -> set[str]:
        """The files, and all that they include, `without` some and what is included by those alone."""
        seen = {one for one in starts if one not in without}
        waiting = sorted(seen)
        while waiting:
            path = waiting.pop()
            new = [one for one in self._targets(path, self._of(path)) if one not in seen and one not in without]
            seen.update(new)
            waiting += new
        return seen


def _headers(data: bytes, edit: Edit) -> list[str]:
    """The headers that an edit makes a file include: by a line of its own, or in the place of another."""
    line = data[data.rfind(b"\n", 0, edit.span.start) + 1 : edit.span.start].lstrip()
    if not _adds(edit) and not (line.startswith(b"#") and b"include" in line):
        return []
    found = [match[0].decode() for match in _HEADER.finditer(edit.replacement)]
    return [name if (name := one.rpartition("/")[2]) in _OURS else one for one in found]


def _adds(edit: Edit) -> bool:
    return edit.span.start == edit.span.end and is_addition(edit)


def _everywhere(_data: bytes, _edit: Edit) -> bool:
    return True


def _is_addition(_data: bytes, edit: Edit) -> bool:
    return _adds(edit)


def _is_enclosed(data: bytes, edit: Edit) -> bool:
    """Whether an edit writes into an include in a scope."""
    line = data.rfind(b"\n", 0, edit.span.start) + 1
    return not _adds(edit) and any(line <= start <= edit.span.start for start in _enclosed(data))


@lru_cache(maxsize=2)
def _enclosed(data: bytes) -> tuple[int, ...]:
    """Where the includes in a scope of a text are: each edit of a file asks."""
    return tuple(one.start for one in enclosed_includes(data))


def _added(
    tree: _Tree, path: str, starts: Sequence[str], headers: Sequence[str], rule: Rule
) -> tuple[Finding, ...] | None:
    """The finding that adds headers to a file outside of the scope, if it lacks any; None where it cannot be read."""
    source = tree.read(path)
    if source is None:
        return None
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    if parsed.problems:
        return None
    inner = set(_enclosed(source.data))
    has = {one.path for one in parsed.includes if not one.conditional and one.line.start not in inner}
    has.update(tree.headers(path, lambda data, edit: not _is_enclosed(data, edit)))
    missing = [name for name in headers if name not in has]
    names = {one.rpartition("/")[2] for one in starts}
    place = next(
        (one for one in parsed.includes if one.path.rpartition("/")[2] in names or one.line.start in inner), None
    )
    if not missing or place is None:
        return ()
    use = Use("name", place.path, place.span, place.span, (), "unknown", "token")
    words = {"name": place.path, "headers": ", ".join(f"`<{name}>`" for name in missing)}
    found = engine.finding_in(parsed, Hit(RULE, use, words), rule)
    edits = _additions(parsed, missing, tree.only_for_gpus(path, starts), place.line.start)
    return (replace(found, fix=Fix(tuple(edits), "safe")),)


def _additions(parsed: ParsedFile, headers: Sequence[str], for_gpus: Set[str], first: int) -> list[Edit]:
    """The edits that include headers, one for each place, none behind `first`; HIP's runtime header is the first."""
    lines: dict[Span, bytes] = {}
    for name in sorted(headers, key=lambda name: name != _FIRST):
        edit, end = addition(parsed, name), newline(parsed.data)
        line, before = edit.replacement.strip(), b"" if edit.replacement.startswith(b"#") else end
        if edit.span.start > first:  # what is included there reads it
            edit, before = replace(edit, span=Span(first, first)), b""
        around = (b"#ifdef __HIPCC__" + end, end + b"#endif") if name in for_gpus else (b"", b"")
        lines[edit.span] = lines.get(edit.span, b"") + before + line.join(around) + (b"" if before else end)
    return [Edit(span, text) for span, text in lines.items()]


def _judged(result: FileResult, placed: set[str]) -> FileResult:
    """A file that is reached: its fixes add no header, and say so where no other file has it."""
    kept = (_judged_finding(finding, result.path in placed) for finding in result.findings)
    return replace(result, findings=tuple(one for one in kept if one is not None))


def _judged_finding(finding: Finding, placed: bool) -> Finding | None:
    fix = finding.fix
    rest = tuple(edit for edit in fix.edits if not _adds(edit)) if fix is not None else ()
    if fix is None or len(rest) == len(fix.edits):
        return finding
    if not placed:
        return replace(finding, fix=None, support="manual", effort="small", message=finding.message + _NOT_FIXED)
    return replace(finding, fix=replace(fix, edits=rest)) if rest else None
