"""The build files of a tree, and the sources that none of them names."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cudamigrate.compilation import bazel_flags, chosen_makefiles, meson_flags, visual_studio_sources
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import cmake

PROJECT = re.compile(r"^[ \t]*project[ \t]*\(", re.IGNORECASE | re.MULTILINE)
"""The command that begins a project of CMake, and so a root: `project(name)`; a subfolder has none."""
_COLLECTS = re.compile(
    r"\*\.(?:cu|cpp|cxx|cc|c|hip)\b|\bGLOB(?:_RECURSE)?\b|\bglob\b|\bwildcard\b|aux_source_directory|listdir|walk\("
    r"|\+\s*[\"']\.(?:\w+\.)*(?:cu|cpp|cxx|cc|c|hip)[\"']"
)
"""How build files take sources by patterns: `*.cu`, `file(GLOB`, `$(wildcard`, `os.walk(`, or put
their names together: `name + ".t.cc"`. A rule of make's for `%.o` is none: the objects are named elsewhere."""
_SETTINGS = (bazel_flags.NAME, *bazel_flags.TOPS, meson_flags.NAME)
"""Files read for how sources are compiled, not for which: a `.bazelrc` names none, other systems' are `others`."""
_SOURCES = (".cu", ".cuh", ".cpp", ".cxx", ".cc", ".c", ".h", ".hh", ".hpp", ".hxx", ".inl", ".hip")
_WORD = re.compile(r"[\w.+-]+")
_DEPTH = 12
"""How many folders deep build files are looked for."""


def of(root: Path, ends: tuple[str, ...] = (".cmake",)) -> Iterator[Path]:
    """Build files of the project's own and those with one of some endings, outermost folders first."""
    wanted = {"compile_commands.json", "setup.py", "CMakeLists.txt", *chosen_makefiles.PLAIN}
    level = [root]
    for _ in range(_DEPTH):
        below: list[Path] = []
        for folder in level:
            try:
                entries = sorted(folder.iterdir())
            except OSError:
                continue
            yield from (entry for entry in entries if entry.name in _SETTINGS and entry.is_file())
            files = (entry for entry in entries if entry.name in wanted or entry.suffix in ends)
            found = [entry for entry in files if entry.is_file()]
            yield from found
            if wanted.isdisjoint(entry.name for entry in found) or any(
                one.name in chosen_makefiles.PLAIN for one in found
            ):
                yield from chosen_makefiles.of_folder(entries, text)
            below += [
                entry
                for entry in entries
                if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith((".", "third", "extern"))
            ]
        level = below


def text(path: Path) -> str:
    """The text of a file, empty where it cannot be read."""
    try:
        return read_linked(path).decode("utf-8", "replace")
    except OSError:
        return ""


def unlisted(root: Path, paths: Sequence[str], others: Iterable[str] = ()) -> frozenset[str]:
    """Which of the files no build file of the tree names; none where there is none, or one collects such sources.

    `others` are paths of build files whose systems are not followed: they may name sources too.
    """
    ends = (".cmake", *visual_studio_sources.ENDINGS)
    builds_named = (path for path in of(root, ends) if path.name not in _SETTINGS)
    files = [*builds_named, *(root / other for other in others)] if paths else []
    texts = [(path, text(path)) for path in files]
    builds = any(
        chosen_makefiles.COMPILES.search(text) or PROJECT.search(text) or "ext_modules" in text for _, text in texts
    )
    if not builds:
        return frozenset()
    read = [_Names.of(root, path, text) for path, text in texts]
    return frozenset(path for path in paths if not any(one.may_mean(path) for one in read))


class _Names(NamedTuple):
    """What a build file says of sources: its text without patterns that CMake looks for, and those patterns.

    `folder` is its own in the tree.
    """

    folder: str
    text: str
    patterns: tuple[str, ...]

    @classmethod
    def of(cls, root: Path, path: Path, text: str) -> _Names:
        """The same of a build file."""
        folder = posixpath.relpath(path.parent.as_posix(), root.as_posix())
        if path.name != "CMakeLists.txt" and path.suffix != ".cmake":
            return cls(folder, text, ())
        data, patterns = text.encode(), list[str]()
        for command in reversed(cmake.read(data)):
            words = command.words()
            if command.name == "file" and words and words[0] in ("GLOB", "GLOB_RECURSE"):
                patterns += words[2:]
                data = data[: command.span.start] + data[command.span.end :]
        return cls(folder, data.decode("utf-8", "replace"), tuple(patterns))

    def may_mean(self, path: str) -> bool:
        """Whether a source is named, or may be by a pattern or by a name that is put together."""
        return (
            _COLLECTS.search(self.text) is not None
            or any(self._fits(pattern, path) for pattern in self.patterns)
            or any(_is_name_of(word[0], path) for word in _WORD.finditer(self.text))
        )

    def _fits(self, pattern: str, path: str) -> bool:
        """Whether a pattern may find a source; of a folder that begins with a variable nothing is known."""
        last = posixpath.basename(pattern)
        name = "*" if "$" in last else last
        if not fnmatch.fnmatchcase(posixpath.basename(path), name):
            return False
        folder = posixpath.normpath(posixpath.join(self.folder, posixpath.dirname(pattern)))
        return "$" in pattern or any(sign in folder for sign in "*?[") or f"{path}/".startswith(_below(folder))


def _below(folder: str) -> str:
    return "" if folder == "." else f"{folder}/"


def _is_name_of(word: str, path: str) -> bool:
    """Whether a word of a build file means a source: its name, or that without the ending or with that of an object.

    A longer name, or that of another source or header, means that one.
    """
    name, stem = posixpath.basename(path), Path(path).stem
    if stem not in word:
        return False
    others = word.endswith(_SOURCES) and word != name and not word.endswith(name)
    return not others and re.search(rf"(?<![A-Za-z0-9_]){re.escape(stem)}(?![A-Za-z0-9_])", word) is not None
