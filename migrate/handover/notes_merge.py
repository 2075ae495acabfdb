"""Notes as they were made, as a person changed them, and as they are made now -> the notes to keep.

Result: the new notes with the boxes that were ticked, without the lines that were taken out, and with what was written
after the line that it followed. Nothing that a person wrote is lost: what has no place any more stands at the end.
Items are compared without their line numbers, which move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from cudamigrate.lazy_re import re

_BOX = re.compile(r"^- \[[ xX]\] ")
_LINES = re.compile(r":[\d, ]+`")
_TICKED = ("- [x] ", "- [X] ")
_REST = ("", "## Notes kept", "")

Key = tuple[str, int]
"""A line without its box and line numbers, and how many such lines stand before it."""


def merged(base: bytes, mine: bytes, new: bytes) -> bytes:
    """The notes `new` with what turned `base` into `mine`."""
    old, edited, lines = (data.decode("utf-8", "surrogateescape").splitlines() for data in (base, mine, new))
    if old == edited:
        return new
    gone, added = _edits(old, edited)
    ticked = {_bare(line) for line in edited if line.startswith(_TICKED)}
    kept: list[str] = list(added.pop(None, ()))
    for line, key in zip(lines, _keys(lines), strict=True):
        if key not in gone:
            kept.append(line.replace("- [ ] ", "- [x] ", 1) if _bare(line) in ticked and _BOX.match(line) else line)
        kept += added.pop(key, ())
    rest = [line for written in added.values() for line in written]
    return "".join(f"{line}\n" for line in [*kept, *(_REST if rest else ()), *rest]).encode("utf-8", "surrogateescape")


def _edits(old: Sequence[str], edited: Sequence[str]) -> tuple[set[Key], dict[Key | None, list[str]]]:
    """The lines that were taken out, and those that were written, by the line of the old notes that they follow."""
    keys, bare = _keys(old), [_bare(line) for line in edited]
    gone: set[Key] = set()
    added: dict[Key | None, list[str]] = {}
    for kind, start, end, first, last in SequenceMatcher(
        None, [key[0] for key in keys], bare, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            continue
        gone.update(key for key in keys[start:end] if key[0])
        if first < last:
            anchor = next((keys[at] for at in range(start - 1, -1, -1) if keys[at][0]), None)
            added.setdefault(anchor, []).extend(edited[first:last])
    return gone, added


def _keys(lines: Sequence[str]) -> list[Key]:
    return list(_numbered([_bare(line) for line in lines]))


def _numbered(words: Sequence[str]) -> Iterator[Key]:
    seen: Counter[str] = Counter()
    for word in words:
        yield word, seen[word]
        seen[word] += 1


def _bare(line: str) -> str:
    match = _BOX.match(line)
    return _LINES.sub("`", line[match.end() :]) if match else line
