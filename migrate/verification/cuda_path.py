"""Is what CUDA compiles the same before and after a change? Token by token, with CUDA's own headers.

Each changed file is compared as every build for CUDA sees it: what only HIP's macros choose is left out. Then each
unit that reads a changed file is preprocessed before and after, for the host and for a device, and the tokens of all
files of the tree that it reads are compared in the order of inclusion. Equal tokens, directives among them, after the
same conditionals give equal output of the preprocessor: macros are defined by the same tokens.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from cudamigrate import parallel
from cudamigrate.compilation import build_flags, include_closure, skipped_ranges
from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.engines import clang
from cudamigrate.cuda.lexer import lex
from cudamigrate.errors import CompilerCrashError
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import CudaPath, Difference, Flags, Place, Side, Toolchain, Unit
from cudamigrate.portable import cuda_side
from cudamigrate.project.scratch import scratch
from cudamigrate.verification import preambles
from cudamigrate.verification import run as verification

_CONDITIONAL = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"))
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Change:
    """A tree and what was changed in it: files before and after, by path, and new files.

    `units` are the files that a compiler may be given, `marks` the guards for HIP, `extra` how files compile where
    build files do not say it, `budget` the seconds that preprocessing may take, 0 for as long as it needs.
    """

    root: str
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    units: Sequence[str]
    marks: Sequence[str]
    added: Mapping[str, bytes] = field(default_factory=dict)
    extra: Flags = field(default_factory=lambda: Flags(""))
    budget: float = 0.0


def compare(change: Change, jobs: int = 0, progress: Callable[[int, int], None] | None = None) -> CudaPath:
    """The verdict on a change."""
    textual = tuple(_by_text(change))
    result = CudaPath(len(change.after), differences=textual)
    chosen = clang.find_original()
    if isinstance(chosen, str):
        return replace(result, absent=chosen)
    seen = {one.after.path for one in textual}
    done = _preprocessed(change, chosen, jobs, progress)
    read = {path for one in done for path in one.read}
    found = {one.after.path: one for item in done for one in item.differences if one.after.path not in seen}
    return replace(
        result,
        units=sum(not one.left for one in done),
        passes=sum(one.passes for one in done),
        toolchain=chosen.title,
        differences=(*textual, *found.values()),
        left=tuple(dict.fromkeys((*(one.path for one in done if one.left), *sorted(set(change.after) - read)))),
    )


def _by_text(change: Change) -> Iterator[Difference]:
    for path, after in sorted(change.after.items()):
        before = change.before[path]
        found = cuda_side.first_difference(before, after, change.marks)
        if found is not None:
            yield _difference(path, before, after, found, "")


def _difference(path: str, before: bytes, after: bytes, places: tuple[int, int], side: Side | str) -> Difference:
    was, now = SourceFile(path, before, ""), SourceFile(path, after, "")
    here, there = was.position(min(places[0], len(before))), now.position(min(places[1], len(after)))
    return Difference(
        Place(path, here.line, here.column),
        Place(path, there.line, there.column),
        before[places[0] :].split(b"\n")[0].decode("utf-8", "replace")[:_SHOWN],
        after[places[1] :].split(b"\n")[0].decode("utf-8", "replace")[:_SHOWN],
        side,  # type: ignore[arg-type]
    )


@dataclass(frozen=True, slots=True)
class _Done:
    """What the passes over one unit show; `read` are the changed files that they saw."""

    path: str
    passes: int = 0
    read: frozenset[str] = frozenset()
    differences: tuple[Difference, ...] = ()
    left: bool = False


def _preprocessed(
    change: Change, chosen: Toolchain, jobs: int, progress: Callable[[int, int], None] | None
) -> list[_Done]:
    """Every unit that reads a changed file, then the changed files that none of them reads."""
    root = Path(change.root)
    until = time.time() + change.budget if change.budget else 0.0
    tree = _tree(change, chosen)
    was, now = _as_read(tree, change.before), _as_read(tree, {**change.after, **change.added})
    done: list[_Done] = []
    with ExitStack() as stack:
        blank = tree.blanked()
        old = stack.enter_context(verification.overlay(root, {**blank, **change.before}))
        new = stack.enter_context(verification.overlay(root, {**blank, **change.after, **change.added}))

        def judged(paths: Sequence[str]) -> list[_Done]:
            units = [
                Unit(path, change.root, _for_cuda(tree.flags(path), change), chosen.arch, language="cuda")
                for path in paths
            ]
            several = [replace(unit, overlay=overlay) for overlay in (old, new) for unit in units]
            kept = preambles.Kept(stack.enter_context(scratch()))
            of = partial(_tree_of, old=old, was=was, now=now)
            ready = preambles.prepared(several, chosen, of, kept, jobs, skipped_ranges.precompile, change.marks)
            pairs = list(zip(ready[: len(units)], ready[len(units) :], strict=True))
            work = partial(_compared, change=change, chosen=chosen, until=until, known={})
            found = []
            for one in parallel.run(work, pairs, jobs, batch=1, lost=_lost):
                found.append(one)
                if progress is not None:
                    progress(len(found), len(pairs))
            return found

        done = judged(sorted(path for path in change.units if _reads(tree, path, change)))
        seen = {path for one in done for path in one.read}
        done += judged(sorted(set(change.after) - seen)) if not any(one.left for one in done) else []
    return [one for one in done if one.read or one.left]


def _tree(change: Change, chosen: Toolchain) -> include_closure.IncludeResolver:
    """The tree as it is after the change."""
    root = Path(change.root)
    return include_closure.IncludeResolver(
        root=change.root,
        project=build_flags.read(root),
        system=(*chosen.headers, *machine.SYSTEM, *machine.standard_library()),
        read=partial(verification.read_file, root, change.after),
        language="cuda",
        extra=change.extra,
        paths=include_closure.headers(root) | frozenset(change.after) | frozenset(change.added),
    )


def _tree_of(
    unit: Unit, old: str, was: include_closure.IncludeResolver, now: include_closure.IncludeResolver
) -> include_closure.IncludeResolver:
    """The tree that a unit is of: that before the change where its overlay is."""
    return was if unit.overlay == old else now


def _as_read(tree: include_closure.IncludeResolver, files: Mapping[str, bytes]) -> include_closure.IncludeResolver:
    """The tree with these files as they are given."""
    read = partial(verification.read_file, Path(tree.root), files)
    return replace(tree, read=read, paths=tree.paths | files.keys(), _index=None, _found={})


def _for_cuda(flags: Flags, change: Change) -> Flags:
    """The flags without macros that mark HIP: build files may set them, where they build for HIP."""
    defines = tuple(one for one in flags.defines if one.partition("=")[0] not in change.marks)
    return replace(flags, defines=defines)


def _reads(tree: include_closure.IncludeResolver, path: str, change: Change) -> bool:
    """Whether a unit is, or includes, a file that was changed."""
    return not change.after.keys().isdisjoint(tree.closure(path))


def _lost(pair: tuple[Unit, Unit], _: str) -> _Done:
    """A unit whose passes ended their process, for whatever reason: it was not compared."""
    return _Done(pair[0].path, left=True)


_Known = dict[tuple[str, skipped_ranges.Skipped, skipped_ranges.Skipped], tuple[int, int] | None]
"""Where a file differs first, by what is skipped of it before and after: most units see the same of a header."""


def _compared(pair: tuple[Unit, Unit], change: Change, chosen: Toolchain, until: float, known: _Known) -> _Done:
    """A unit before and after, in each pass, up to the first token that differs."""
    path = pair[0].path
    if until and time.time() > until:
        return _Done(path, left=True)
    number, read = 0, set[str]()
    for side, _, options in clang.passes(pair[0]):
        try:
            one, other = (skipped_ranges.of(unit, chosen, options, number) for unit in pair)
        except CompilerCrashError:
            return _Done(path, left=True)
        number += 1
        read |= {path for path in other if path in change.after}
        found = _first(one, other, change, side, known)
        if found is not None:
            return _Done(path, number, frozenset(read), (found,))
    return _Done(path, number, frozenset(read))


def _first(
    one: skipped_ranges.Ranges, other: skipped_ranges.Ranges, change: Change, side: Side, known: _Known
) -> Difference | None:
    """The first token in which two passes differ, in files that were changed; new files count for nothing."""
    kept = [path for path in other if path not in change.added]
    if list(one) != kept:
        path = next((a for a, b in zip([*one, ""], [*kept, ""], strict=False) if a != b), "")
        blank = Place(path, 1, 1)
        return Difference(blank, blank, f"{len(one)} files are read", f"{len(kept)} files are read", side)
    for path in kept:
        if path in change.after:
            before, after = change.before[path], change.after[path]
            seen = path, one[path], other[path]
            if seen not in known:
                known[seen] = _unequal(_tokens(before, one[path]), _tokens(after, other[path]), before, after)
            if (places := known[seen]) is not None:
                return _difference(path, before, after, places, side)
    return None


def _unequal(
    one: Sequence[tuple[bytes, int]], other: Sequence[tuple[bytes, int]], before: bytes, after: bytes
) -> tuple[int, int] | None:
    for (text, here), (changed, there) in zip(one, other, strict=False):
        if text != changed:
            return here, there
    if len(one) == len(other):
        return None
    at = min(len(one), len(other))
    return (
        one[at][1] if at < len(one) else len(before),
        other[at][1] if at < len(other) else len(after),
    )


def _tokens(data: bytes, skipped: Sequence[tuple[int, int]]) -> list[tuple[bytes, int]]:
    """The tokens of a file that a pass compiles, with directives other than conditionals."""
    lexed, starts = lex(data), [start for start, _ in skipped]
    ends = {one.start: one.end for one in lexed.directives if one.name in _CONDITIONAL}
    found, token = list[tuple[bytes, int]](), lexed.token(0)
    while token is not None:
        if token.start in ends:
            token = lexed.token(ends[token.start])
            continue
        at = bisect_right(starts, token.start) - 1
        if at < 0 or token.start >= skipped[at][1]:
            found.extend((text, token.start) for text in cuda_side.parts(lexed.text(token)))
        token = lexed.token(token.end)
    return found
