"""What `check` does: the findings of new lines, less what somebody chose not to be reported.

Files come from git's index, from a branch, from a patch, or by name. A finding is new where its line is, and where a
change elsewhere in the file brought it about: then the file as it was has no such finding.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate import parallel
from cudamigrate.config import Config
from cudamigrate.errors import InputError
from cudamigrate.frontends import files_for, is_cuda, project_front_end
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import FileResult, Finding, Skip, SourceFile, Target
from cudamigrate.pipeline import rule_base
from cudamigrate.pipeline.own_names import defined, is_own
from cudamigrate.pipeline.repository_facts import Waves, around
from cudamigrate.project import changes, discovery, git, revisions
from cudamigrate.project.changes import Change
from cudamigrate.suppression import comments, selectors
from cudamigrate.suppression.comments import Remark

if TYPE_CHECKING:
    from cudamigrate.pipeline.seen_headers import SeenHeaders
    from cudamigrate.suppression.baseline import Matcher

_GLOB = "*?["
_CODE = ("cuda", "cxx")
_MUCH = 2_000_000
"""Bytes of source from which on other processes save more time than they cost."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What to check: `files` by name, folder or glob; lines new in the index, since a commit or by a patch; or all."""

    files: tuple[str, ...] = ()
    since: str = ""
    patch: bytes | None = None
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A file to check: `change` says which of its lines are new, None where all are; `before` gives what it was."""

    source: SourceFile
    change: Change | None = None
    before: Callable[[], bytes | None] = lambda: None


@dataclass(slots=True)
class Checked:
    """What a check found: problems by place, with the sources they are in, and what was left out.

    `shared` tells that the repository's sources are for both vendors: a fix for AMD alone is none.
    """

    problems: list[Finding] = field(default_factory=list)
    sources: dict[str, SourceFile] = field(default_factory=dict)
    results: list[FileResult] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    files: int = 0
    old: int = 0
    suppressed: int = 0
    known: int = 0
    others: dict[str, list[Finding]] = field(default_factory=dict)
    shared: bool = False

    def failing(self, config: Config) -> list[Finding]:
        """The problems that make the check fail."""
        return [one for one in self.problems if not config.fail_on or one.outcome in config.fail_on]


def check(items: Iterable[Item | Skip], config: Config, root: Path | None = None) -> Checked:
    """The problems in the files: findings whose outcome on AMD the configuration lists, and nobody suppressed.

    `root` is the folder that paths are relative to, where the repository's HIP port is to be asked: what it answers is
    no problem.
    """
    done, goal = Checked(), rule_base.target(config)
    listed = list(items)
    read = [item for item in listed if isinstance(item, Item) and not _is_plain(item.source, goal, config)]
    known = around(root if read else None, config)
    done.shared = known.shared
    sources = [item.source for item in read]
    seen = _headers(root, sources, config)
    waves = known.waves if seen is None else seen.with_directives(known.waves)
    judge = _Judge(config, _matcher(config), selectors.chosen(config), waves, seen)
    inspected = _all_inspected(sources, known.config, waves)
    inspected = inspected if seen is None else seen.with_work(list(inspected))
    results = dict(zip(map(id, read), inspected, strict=True))
    for item in listed:
        if isinstance(item, Skip):
            done.skipped.append(item)
            continue
        done.files += 1
        result = results.get(id(item))
        if result is not None:
            done.results.append(result)
            if result.skip is not None:
                done.skipped.append(result.skip)
            judge.add(done, item, _relevant(known.answered(item.source, result), item.source))
        elif comments.MARK in item.source.data:
            judge.add(done, item, [])
    return done


def _headers(root: Path | None, sources: Sequence[SourceFile], config: Config) -> SeenHeaders | None:
    """The headers that the files include; None where none of them is code."""
    if not any(source.language in _CODE for source in sources):
        return None
    from cudamigrate.pipeline.seen_headers import SeenHeaders  # build files do without

    return SeenHeaders.of(root, sources, rule_base.code_rules(rule_base.target(config), config.rules))


def _all_inspected(sources: Sequence[SourceFile], config: Config, waves: Waves) -> Iterable[FileResult]:
    """What the files show, in processes where there is enough to read."""
    inspected = partial(_inspected, config=config, waves=waves)
    weight = sum(len(source.data) for source in sources)
    if weight < _MUCH:
        return parallel.few(inspected, sources, lost=_lost)
    return parallel.run(inspected, sources, config.jobs, lost=_lost)


def _lost(source: SourceFile, reason: str) -> FileResult:
    """The result of a file that ended its worker."""
    skip = Skip(source.path, "limit", reason)
    return FileResult(source.path, source.language, 0, len(source.data), cuda=False, skip=skip)


def _matcher(config: Config) -> Matcher | None:
    """What knows the findings of the baseline; None where none is given."""
    if not config.baseline:
        return None
    from cudamigrate.suppression import baseline

    return baseline.Matcher(baseline.load(Path(config.baseline)), os.path.lexists)


def _is_plain(source: SourceFile, goal: Target, config: Config) -> bool:
    """Whether a file has nothing to do with CUDA, as far as that shows without reading rules."""
    front = project_front_end(source.language)
    if front is not None:
        return front.TRIGGER.search(source.data) is None
    return source.language != "cuda" and not is_cuda(source, rule_base.marks(goal, config.rules))


def _inspected(source: SourceFile, config: Config, waves: Waves) -> FileResult:
    from cudamigrate.pipeline.inspect_file import inspect  # a plain file does without

    book = rule_base.code_rules(rule_base.target(config), config.rules)
    return inspect(source, book, (*config.hip_guards, *waves.get(source.path, ())), facts=False)


def _relevant(result: FileResult, source: SourceFile) -> list[Finding]:
    """The findings of a file on what it does not define itself."""
    own = defined([result])
    return [finding for finding in result.findings if not is_own(finding, own, source)]


@dataclass(slots=True)
class _Judge:
    """Decides which findings are problems: by the configuration, comments, the baseline and the lines that are new."""

    config: Config
    known: Matcher | None
    is_chosen: Callable[[Finding, str], bool]
    waves: Waves
    seen: SeenHeaders | None

    def add(self, done: Checked, item: Item, findings: list[Finding]) -> None:
        """Add the problems of one file, and count what is none."""
        source, config = item.source, self.config
        kept, suppressed, remarks = comments.apply(source, findings)
        added = item.change.added if item.change is not None else None
        done.remarks.extend(one for one in remarks if added is None or one.line in added)
        done.suppressed += len(suppressed)
        path = _configured_path(source.path, config) if config.per_file_ignores else source.path
        matter = [one for one in kept if one.outcome in config.outcomes and self.is_chosen(one, path)]
        new = matter if item.change is None else self._new(item, matter)
        done.old += len(matter) - len(new)
        problems = self.known.new(new) if self.known is not None else new
        done.known += len(new) - len(problems)
        if problems:
            from cudamigrate.pipeline import both_vendors  # most files have no problem

            ordered = sorted(findings, key=lambda one: one.span.start)
            done.problems.extend(both_vendors.said(one, source, ordered) for one in problems)
            done.sources[source.path] = source
            ids = {id(one) for one in problems}
            done.others[source.path] = [one for one in findings if id(one) not in ids]

    def _new(self, item: Item, findings: list[Finding]) -> list[Finding]:
        """The findings that the change brings: on new lines, or on old ones that had none."""
        change = item.change
        assert change is not None
        here = [one for one in findings if one.position.line in change.added]
        ids = {id(one) for one in here}
        elsewhere = [one for one in findings if id(one) not in ids and one.position.line not in change.moved]
        elsewhere = [one for one in elsewhere if one.group != "api"]  # the name alone makes those
        if not elsewhere or not change.added or not change.old:
            return here
        data = item.before()
        if data is None:
            return here
        old = SourceFile(item.source.path, data, item.source.language)
        was = _inspected(old, self.config, self.waves)
        was = was if self.seen is None else self.seen.with_work([was], old)[0]
        had = Counter((one.rule, one.excerpt, _written(one)) for one in was.findings)
        ids.update(id(one) for one in elsewhere if not _taken(had, one))
        return [one for one in findings if id(one) in ids]


def _configured_path(path: str, config: Config) -> str:
    """A path as the globs of the configuration mean it."""
    if not config.folder:
        return path
    return os.path.relpath(os.path.abspath(path), config.folder).replace(os.sep, "/")


def _written(finding: Finding) -> tuple[bytes, ...]:
    """What the fix of a finding writes; nothing where it has none."""
    return tuple(edit.replacement for edit in finding.fix.edits) if finding.fix is not None else ()


def _taken(had: Counter[tuple[str, str, tuple[bytes, ...]]], finding: Finding) -> bool:
    """Whether the file had the finding before; one that lost its fix, or now needs another, is new."""
    for written in {_written(finding), ()}:
        if had[finding.rule, finding.excerpt, written] > 0:
            had[finding.rule, finding.excerpt, written] -= 1
            return True
    return False


def items(root: Path, request: CheckRequest, config: Config) -> Iterator[Item | Skip]:
    """The files to check, in order. Raises InputError for a file or commit that is not there."""
    if request.patch is not None:
        found = _below(root, changes.patch(request.patch))
        return _in_folder(root, _picked(found, request.files), config)
    if request.since:
        found = changes.since(root, request.since)
        return _in_folder(root, _picked(found, request.files), config)
    if request.everything or (request.files and git.work_tree(root) is None):
        return _whole(root, request.files, config)
    return _staged(root, request.files, config)


def _below(root: Path, found: Mapping[str, Change]) -> dict[str, Change]:
    """The files of a patch, which counts from the top of the work tree, as paths below `root`."""
    top = git.work_tree(root)
    inside = "." if top is None else Path(os.path.relpath(root.resolve(), top)).as_posix()
    if inside == ".":
        return dict(found)
    return {path[len(inside) + 1 :]: one for path, one in found.items() if path.startswith(f"{inside}/")}


def _picked(found: Mapping[str, Change], files: Sequence[str]) -> dict[str, Change]:
    """Of the changed files, those that were named, or are in a folder or match a glob that was."""
    if not files:
        return dict(found)
    names = {os.path.normpath(name).replace(os.sep, "/") for name in files}
    folders = tuple(f"{name}/" for name in names)
    patterns = [name for name in files if any(mark in name for mark in _GLOB)]
    matched = _matching(patterns, found)
    return {
        path: change
        for path, change in found.items()
        if path in names or path.startswith(folders) or "." in names or path in matched
    }


def _matching(patterns: Sequence[str], paths: Iterable[str]) -> set[str]:
    if not patterns:
        return set()
    from cudamigrate.project.file_listing import globs  # few name globs

    spec = globs(patterns)
    return {path for path in paths if spec.match_file(path)}


def _in_folder(root: Path, found: Mapping[str, Change], config: Config) -> Iterator[Item | Skip]:
    """Changed files as they are in the folder."""
    for path, language in discovery.select(root, list(found), config, files_for(found)):
        change = found[path]
        for source in _read(root, [root / path], config, language):
            yield source if isinstance(source, Skip) else _item(source, change, _before(root, change, ""))


def _item(source: SourceFile, change: Change, before: Callable[[], bytes | None]) -> Item:
    """A changed file; where git takes text for binary, as a repository can ask, its lines are compared here."""
    if change.hidden:
        change = changes.shown(change, before() or b"", source.data)
    return Item(source, change, before)


def _before(root: Path, change: Change, index: str) -> Callable[[], bytes | None]:
    def read() -> bytes | None:
        if not change.old_blob:
            return None
        try:
            return git.blobs(root, [change.old_blob], index)[change.old_blob]
        except git.GitError:
            return None

    return read


def _read(root: Path, files: Sequence[Path], config: Config, language: str = "") -> Iterator[SourceFile | Skip]:
    """Files and folders by name, whole; paths are as the user wrote them."""
    for file in files:
        inside = Path(os.path.abspath(file)).is_relative_to(os.path.abspath(root))
        known = files_for([file.name]) if language or not file.is_dir() else files_for(["?"])
        base = root if inside else file if file.is_dir() else file.parent
        inventory = discovery.discover_files(base, [file], config, known)
        yield from inventory.skipped
        for entry in inventory.entries:
            source = discovery.read(Path(inventory.root), entry)
            yield source if inside or isinstance(source, Skip) else _outside(base, source)


def _outside(base: Path, source: SourceFile) -> SourceFile:
    return SourceFile((base / source.path).as_posix(), source.data, source.language)


def _whole(root: Path, files: Sequence[str], config: Config) -> Iterator[Item | Skip]:
    """Whole files: those named, or where none are, those that are staged."""
    if files:
        yield from (one if isinstance(one, Skip) else Item(one) for one in _read(root, _existing(root, files), config))
        return
    staged = dict(revisions.staged(root, config.max_file_size))
    for path, language in discovery.select(root, list(staged), config, files_for(staged)):
        made = _of_index(path, staged[path], language, config)
        yield made if isinstance(made, Skip) else Item(made)


def _existing(root: Path, files: Sequence[str]) -> list[Path]:
    """The files and folders named, globs resolved. Raises InputError for one that is not there."""
    found = []
    for name in files:
        if os.path.lexists(name):
            found.append(Path(name))
        elif any(mark in name for mark in _GLOB):
            from cudamigrate.project.file_listing import listing

            matched = sorted(_matching([name], listing(root).files))
            if not matched:
                raise InputError(f"{name} matches no file")
            found.extend(root / path for path in matched)
        else:
            raise InputError(f"{name} is not a file; name files, or none to check what is staged")
    return found


def _of_index(path: str, data: bytes | None, language: str, config: Config) -> SourceFile | Skip:
    if data is None:
        return Skip(path, "too-large", f"more than the {config.max_file_size:,} bytes of `max-file-size`")
    return discovery.source(path, data, language)


def _staged(root: Path, files: Sequence[str], config: Config) -> Iterator[Item | Skip]:
    """Files of the index with the lines that the next commit adds; a file that git does not track is new as a whole."""
    found = changes.staged(root)
    picked = _picked(found, files)
    chosen = discovery.select(root, list(picked), config, files_for(picked))
    index = git.hook_index(root)
    blobs = [picked[path].blob for path, _ in chosen if picked[path].added or picked[path].hidden]
    try:
        contents = git.blobs(root, blobs, index, config.max_file_size)
    except git.GitError as error:
        raise InputError(f"Staged files cannot be read in {root}: {error}.") from None
    for path, language in chosen:
        change = picked[path]
        if change.added or change.hidden:
            made = _of_index(path, contents.get(change.blob), language, config)
            yield made if isinstance(made, Skip) else _item(made, change, _before(root, change, index))
    yield from _untracked(root, [name for name in files if name not in found], config)


def _untracked(root: Path, files: Sequence[str], config: Config) -> Iterator[Item | Skip]:
    """Files that were named and that git does not track, whole."""
    plain = [name for name in files if not any(mark in name for mark in _GLOB) and not os.path.isdir(name)]
    named = _existing(root, plain)
    if not named:
        return
    try:
        tracked = set(git.words(git.git(root, "ls-files", "-z", "--", *plain)))
    except git.GitError:
        tracked = set()  # a file outside this repository is in none of its lists
    new = [path for path in named if os.path.normpath(path).replace(os.sep, "/") not in tracked]
    yield from (one if isinstance(one, Skip) else Item(one) for one in _read(root, new, config))
