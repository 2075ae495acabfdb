"""What a change adds: the lines of each file that are new, from git's index, a branch or a patch.

A line that the change takes out somewhere and puts in elsewhere was moved: it is not new, whatever blanks and trailing
remark it has.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from cudamigrate.errors import InputError
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.project import git, git_folder
from cudamigrate.project.file_access import read_settings

_DIFF = (
    "--raw", "--patch", "--unified=0", "--no-abbrev", "--find-renames", "--diff-filter=ADMTR", "--no-ext-diff",
    "--no-textconv", "--no-color", "--ignore-submodules", "--relative", "--src-prefix=a/", "--dst-prefix=b/", "-z",
)  # fmt: skip
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_BINARY = re.compile(rb'Binary files (/dev/null|"?a/.*) and (/dev/null|"?b/.*) differ\0?\r?')
"""The line of a patch in place of the lines of a file that is binary, or that `.gitattributes` calls so."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NAMED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


@dataclass(slots=True)
class Change:
    """One file of a change: `old` is its path before, empty for a new file; lines are numbers from 1 of the new file.

    `blob` and `old_blob` are the names that git gives the contents, empty where a patch does not tell. `hidden` says
    that the lines are not in the patch, as the repository calls the file binary: see `shown`.
    """

    path: str
    old: str = ""
    blob: str = ""
    old_blob: str = ""
    added: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()
    text: list[tuple[int, bytes]] = field(default_factory=list)
    removed: list[bytes] = field(default_factory=list)
    hidden: bool = False


def staged(root: Path) -> dict[str, Change]:
    """The files below `root` that the next commit changes. Of a merge, only what no parent has is new.

    Raises InputError where git cannot tell.
    """
    top = git.work_tree(root)
    if top is None:
        raise InputError(f"Staged files cannot be read: {root} is not in a git repository.")
    try:
        index = git.hook_index(root)
        found = _listed_changes(root, ["--cached"], index)
        for parent in _merged(top):
            found = _without_parents(found, _listed_changes(root, ["--cached", parent], index))
    except git.GitError as error:
        raise InputError(f"Staged files cannot be read in {root}: {error}.") from None
    return found


def since(root: Path, reference: str) -> dict[str, Change]:
    """The files below `root` that differ from where this branch left `reference`, in commits and in the work tree.

    Raises InputError for a reference that is not known.
    """
    try:
        base = git.git(root, "rev-parse", "--verify", "-q", "--end-of-options", f"{reference}^{{commit}}")
    except git.GitError:
        raise InputError(
            f"`{reference}` is not a commit that git knows here. In a shallow clone, fetch it first."
        ) from None
    with suppress(git.GitError):  # histories without a common commit are compared as they are
        base = git.git(root, "merge-base", base.decode().strip(), "HEAD")
    try:
        return _listed_changes(root, [base.decode().strip()], "")
    except git.GitError as error:
        raise InputError(f"The changes since {reference} cannot be read: {error}.") from None


def patch(data: bytes) -> dict[str, Change]:
    """The files that a unified diff changes; what it says before and between them is passed over."""
    found = _without_moved(_parsed(data))
    return {path: change for path, change in found.items() if change.path}


def _listed_changes(root: Path, words: Sequence[str], index: str) -> dict[str, Change]:
    """The changes as git lists them: records of all files, then one patch of all."""
    printed = git.git(root, "diff", *_DIFF, *words, index=index, files="--cached" not in words)
    found, end = _records(printed)
    changes = _parsed(printed[end:])
    for path, change in changes.items():
        if path in found:
            found[path].text, found[path].removed, found[path].hidden = change.text, change.removed, change.hidden
    return _without_moved(found, [line for path, one in changes.items() if path not in found for line in one.removed])


def _records(printed: bytes) -> tuple[dict[str, Change], int]:
    """The files that the records before a patch name, and the offset at which the patch begins."""
    found: dict[str, Change] = {}
    at = 0
    while printed.startswith(b":", at):
        end = printed.index(b"\0", at)
        _, mode, before, after, status = printed[at:end].decode("ascii").split(" ")
        names = []
        for _ in range(2 if status[0] == "R" else 1):
            at, end = end + 1, printed.index(b"\0", end + 1)
            names.append(os.fsdecode(printed[at:end]))
        at = end + 1
        if mode.startswith("100") and git.is_utf8(names[-1]):
            old = "" if status == "A" else names[0]
            found[names[-1]] = Change(names[-1], old, after.strip("0") and after, before.strip("0") and before)
    return found, at


def _parsed(data: bytes) -> dict[str, Change]:
    found: dict[str, Change] = {}
    change, old, number = Change(""), "", 0
    left = [0, 0]  # lines of the hunk to come: of the old file, and of the new one
    lines, at = data.split(b"\n"), 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if left[1] and line[:1] in (b"+", b" "):
            if line[:1] == b"+":
                change.text.append((number, line[1:]))
            else:
                left[0] -= 1
            number, left[1] = number + 1, left[1] - 1
        elif left[0] and line[:1] == b"-":
            change.removed.append(line[1:])
            left[0] -= 1
        elif (hunk := _HUNK.match(line)) is not None:
            number, left = int(hunk[2]), [int(count if count is not None else 1) for count in (hunk[1], hunk[3])]
            if not left[0]:  # all lines are new ones: those of a new file are many
                block = lines[at : at + left[1]]
                change.text += [(number + place, one[1:]) for place, one in enumerate(block)]
                at, left = at + len(block), [0, 0]
        elif (binary := _BINARY.fullmatch(line)) is not None:
            change = Change(_path(binary[2]), _path(binary[1]), hidden=True)
            found[change.path or f"\0{change.old}"] = change
        elif line.startswith(b"--- "):
            old = _path(line[4:])
        elif line.startswith(b"+++ "):
            change = Change(_path(line[4:]), old)
            found[change.path or f"\0{old}"] = change
    return found


def _path(word: bytes) -> str:
    """The path in a `---` or `+++` line, empty for a file that is not there."""
    word = word.rstrip(b"\r").partition(b"\t")[0].rstrip(b"\0")
    if word.startswith(b'"') and word.endswith(b'"'):
        word = _ESCAPE.sub(_unescaped, word[1:-1])
    if word == b"/dev/null":
        return ""
    spelled = word.partition(b"/")[2] if word[:2] in (b"a/", b"b/") else word
    return spelled.decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8)]) if len(match[1]) == 3 else _NAMED.get(match[1], match[1])


def shown(change: Change, before: bytes, after: bytes) -> Change:
    """A hidden change with its lines: those of the file that are not among the lines it had."""
    had = Counter(before.split(b"\n"))
    text = list[tuple[int, bytes]]()
    for number, line in enumerate(after.split(b"\n"), 1):
        if had[line] > 0:
            had[line] -= 1
        else:
            text.append((number, line))
    return replace(change, text=text, added=frozenset(number for number, _ in text), hidden=False)


def _without_moved(found: dict[str, Change], gone: Sequence[bytes] = ()) -> dict[str, Change]:
    """The changes with their new lines distinguished from moved ones."""
    taken = Counter(_plain(line) for line in gone)
    for change in found.values():
        taken.update(_plain(line) for line in change.removed)
    for change in found.values():
        moved = frozenset(_moved(change.text, taken)) if taken else frozenset[int]()
        change.moved = moved
        change.added = frozenset(number for number, _ in change.text) - moved
    return found


def _moved(lines: Sequence[tuple[int, bytes]], taken: Counter[bytes]) -> Iterator[int]:
    for number, line in lines:
        text = _plain(line)
        if text and taken[text] > 0:
            taken[text] -= 1
            yield number


def _plain(line: bytes) -> bytes:
    """A line without blanks around it and without a trailing `//` remark."""
    code, mark, _ = line.partition(b"//")
    if mark and code.strip() and code.count(b'"') % 2 == 0 and not code.endswith(b":"):
        line = code
    return b" ".join(line.split())


def _merged(top: Path) -> list[str]:
    """The commits that are being merged, none outside a merge; git would take other words of that file as options."""
    try:
        said = read_settings(git_folder.directory(top) / "MERGE_HEAD").decode("ascii").split()
    except (OSError, ValueError):
        return []
    return [word for word in said if _COMMIT.fullmatch(word)]


def _without_parents(found: dict[str, Change], other: dict[str, Change]) -> dict[str, Change]:
    """Of the lines that are new against one parent, those that are new against another too."""
    return {
        path: replace(change, added=change.added & other[path].added) for path, change in found.items() if path in other
    }
