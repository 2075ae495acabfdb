"""Conversions -> a unified diff.

Result: a patch that `git apply` and `patch -p1` turn into exactly the converted bytes, whatever their line ends and
encoding. Its headers are the traditional ones, without `diff --git`: git takes names below that line as relative to the
work tree's root, and the patch is to work in the scanned folder.

Lines are matched here and not by difflib, which takes minutes on long files with many equal lines. Lines that occur
once on both sides are the fixed points; between them the best match is looked for, within limits. So the patch is
always right and nearly always short.
"""

from __future__ import annotations

import os
import shlex
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from cudamigrate.errors import TargetError
from cudamigrate.lazy_re import re
from cudamigrate.model import Commit, Conversion
from cudamigrate.project.file_access import write_whole
from cudamigrate.project.owned_folders import refuse_unwritable
from cudamigrate.wording import count_of

CONTEXT = 3
"""Unchanged lines around a change."""

_SEARCHED = 500
"""How many lines may differ in a stretch without fixed points for the best match to be looked for."""
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f"}
_ESCAPES["\r"] = "\\r"
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")

Lines = list[bytes]


@dataclass(frozen=True, slots=True)
class Change:
    """Lines `start` to `end` of the old file give way to lines `new_start` to `new_end` of the new; from 0."""

    start: int
    end: int
    new_start: int
    new_end: int


def write(
    root: Path,
    conversions: Sequence[Conversion],
    extra: Mapping[str, bytes],
    place: str,
    force: bool = False,
    commits: Sequence[Commit] = (),
) -> str:
    """Write the patch to the file `place` in one step; an existing file is replaced only with `force`."""
    refuse(root, place, force)
    file = Path(place)
    try:
        write_whole(file, unified(conversions, extra, root))
    except OSError as error:
        raise TargetError(f"{file} cannot be written: {error.strerror}.") from None
    count = count_of(len(conversions), "file")
    return f"Patch of {count} in {file}; in {root}, run: git apply {shlex.quote(os.path.abspath(file))}"


def refuse(root: Path, place: str, force: bool) -> None:
    """Raise TargetError where no patch can be written; `root` does not matter."""
    file = Path(place)
    if place == "-":
        raise TargetError("--patch writes a file: name one, such as hip.patch; --diff prints the changes.")
    if file.is_dir():
        raise TargetError(f"{file} is a folder; name a file for the patch.")
    if (file.is_file() or file.is_symlink()) and not force:
        raise TargetError(f"{file} exists; --force replaces it.")
    if not file.parent.is_dir():
        raise TargetError(f"{file} cannot be written: {file.parent} is not a folder.")
    refuse_unwritable(file, place)


def unified(conversions: Sequence[Conversion], extra: Mapping[str, bytes], root: Path | None = None) -> bytes:
    """The patch as bytes, sorted by path. A file of `extra` that already is in `root` is changed, not created."""
    pairs: dict[str, tuple[bytes | None, bytes]] = {path: (_present(root, path), data) for path, data in extra.items()}
    pairs.update((conversion.path, (conversion.before, conversion.after)) for conversion in conversions)
    pieces: list[bytes] = []
    for path, (before, after) in sorted(pairs.items()):
        if before != after:
            pieces.append(b"--- " + (b"/dev/null" if before is None else _name("a", path)) + b"\n")
            pieces.append(b"+++ " + _name("b", path) + b"\n")
            pieces += _hunks(lines(before or b""), lines(after))
    return b"".join(pieces)


def _present(root: Path | None, path: str) -> bytes | None:
    if root is None or not (root / path).is_file():
        return None
    try:
        return (root / path).read_bytes()
    except OSError as error:
        raise TargetError(f"{path} cannot be read: {error.strerror}.") from None


def _name(side: str, path: str) -> bytes:
    """A path as git writes it: in quotes where it must be, and a tab after one with spaces."""
    text = f"{side}/{path}"
    escaped = "".join(_ESCAPES.get(char) or (f"\\{ord(char):03o}" if _is_control(char) else char) for char in text)
    if escaped != text:
        return f'"{escaped}"'.encode()
    return f"{text}\t".encode() if " " in text else text.encode()


def _is_control(char: str) -> bool:
    return char < " " or char == "\x7f"


def lines(data: bytes) -> Lines:
    """Lines with their LF; a lone CR does not end a line."""
    return _LINE.findall(data)


def _hunks(old: Lines, new: Lines) -> Iterator[bytes]:
    """The pieces of a patch between two files."""
    group: list[Change] = []
    for change in changes(old, new):
        if group and change.start - group[-1].end > 2 * CONTEXT:
            yield from _hunk(old, new, group)
            group = []
        group.append(change)
    if group:
        yield from _hunk(old, new, group)


def _hunk(old: Lines, new: Lines, group: list[Change]) -> Iterator[bytes]:
    start, end = max(0, group[0].start - CONTEXT), min(len(old), group[-1].end + CONTEXT)
    new_start = group[0].new_start - (group[0].start - start)
    new_end = group[-1].new_end + (end - group[-1].end)
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n".encode()
    at = start
    for change in group:
        yield from _marked(b" ", old[at : change.start])
        yield from _marked(b"-", old[change.start : change.end])
        yield from _marked(b"+", new[change.new_start : change.new_end])
        at = change.end
    yield from _marked(b" ", old[at:end])


def _range(start: int, end: int) -> str:
    """Line numbers count from 1; an empty range names the line before it."""
    return f"{start + 1 if end > start else start},{end - start}"


def _marked(mark: bytes, lines: Lines) -> Iterator[bytes]:
    for line in lines:
        yield mark + line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"


def changes(old: Lines, new: Lines) -> list[Change]:
    """How `old` becomes `new`, in order, no two touching."""
    found: list[Change] = []
    start = new_start = 0
    for at, new_at, length in [*_matches(old, new), (len(old), len(new), 0)]:
        if at > start or new_at > new_start:
            found.append(Change(start, at, new_start, new_at))
        start, new_start = at + length, new_at + length
    return found


def _matches(old: Lines, new: Lines) -> list[tuple[int, int, int]]:
    """Stretches of equal lines: where they start on either side, and how many lines they have."""
    found: list[tuple[int, int, int]] = []
    pending = [(0, len(old), 0, len(new))]
    while pending:
        start, end, new_start, new_end = pending.pop()
        head = _equal_ahead(old, new, (start, end, new_start, new_end))
        found.append((start, new_start, head))
        start, new_start = start + head, new_start + head
        tail = 0
        while end - tail > start and new_end - tail > new_start and old[end - tail - 1] == new[new_end - tail - 1]:
            tail += 1
        end, new_end = end - tail, new_end - tail
        found.append((end, new_end, tail))
        if start == end or new_start == new_end:
            continue
        anchors = _anchors(old[start:end], new[new_start:new_end])
        if not anchors:
            inner = _inner_matches(old[start:end], new[new_start:new_end])
            found += [(start + at, new_start + new_at, length) for at, new_at, length in inner]
            continue
        edges = [(0, 0), *anchors, (end - start, new_end - new_start)]
        pending += [
            (start + at, start + to, new_start + new_at, new_start + new_to)
            for (at, new_at), (to, new_to) in pairwise(edges)
        ]
    return sorted(match for match in found if match[2])


def _equal_ahead(old: Lines, new: Lines, within: tuple[int, int, int, int]) -> int:
    start, end, new_start, new_end = within
    count, most = 0, min(end - start, new_end - new_start)
    while count < most and old[start + count] == new[new_start + count]:
        count += 1
    return count


def _anchors(old: Lines, new: Lines) -> list[tuple[int, int]]:
    """The longest rising run of lines that occur once in `old` and once in `new`."""
    counts, new_counts = Counter(old), Counter(new)
    places = {line: at for at, line in enumerate(new) if new_counts[line] == 1}
    pairs = [(at, places[line]) for at, line in enumerate(old) if counts[line] == 1 and line in places]
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        height = bisect_left(tops, place)
        before.append(ends[height - 1] if height else -1)
        tops[height : height + 1] = [place]
        ends[height : height + 1] = [number]
    run: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]


def _inner_matches(old: Lines, new: Lines) -> list[tuple[int, int, int]]:
    """Equal lines where none occurs once on both sides: the best there are if the sides are alike, else by place."""
    found = _searched(old, new)
    if found is not None or len(old) != len(new):
        return found or []
    return [(at, at, 1) for at, line in enumerate(old) if line == new[at]]


def _searched(old: Lines, new: Lines) -> list[tuple[int, int, int]] | None:
    """The most equal lines, by Myers' greedy search; None where the sides differ in more than `_SEARCHED` lines."""
    furthest = {1: 0}  # by diagonal, the line of `old` reached; a diagonal is how far `old` is ahead of `new`
    history: list[dict[int, int]] = []
    for steps in range(min(len(old) + len(new), _SEARCHED) + 1):
        history.append(furthest.copy())
        for diagonal in range(-steps, steps + 1, 2):
            at, _ = _step(furthest, steps, diagonal)
            while at < len(old) and at - diagonal < len(new) and old[at] == new[at - diagonal]:
                at += 1
            furthest[diagonal] = at
            if at >= len(old) and at - diagonal >= len(new):
                return _traced(history, at, diagonal)
    return None


def _step(furthest: Mapping[int, int], steps: int, diagonal: int) -> tuple[int, int]:
    """Where one more line, added or taken away, leads on `diagonal`, and the diagonal it comes from."""
    if diagonal == -steps or (diagonal != steps and furthest[diagonal - 1] < furthest[diagonal + 1]):
        return furthest[diagonal + 1], diagonal + 1
    return furthest[diagonal - 1] + 1, diagonal - 1


def _traced(history: Sequence[Mapping[int, int]], at: int, diagonal: int) -> list[tuple[int, int, int]]:
    """The stretches of equal lines on the way to `at`, from the last to the first."""
    found: list[tuple[int, int, int]] = []
    for steps in range(len(history) - 1, -1, -1):
        start, origin = _step(history[steps], steps, diagonal)
        if at > start:
            found.append((start, start - diagonal, at - start))
        at, diagonal = history[steps][origin], origin
    return found
