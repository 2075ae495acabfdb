"""A folder -> the names of the files in it that belong to the project.

Result: a `Listing` of relative POSIX paths: what git tracks or would offer to add, or, where git cannot be asked, every
file that no `.gitignore` excludes, and build files that one does. Nothing is opened but `.gitignore` and `.gitmodules`.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from re import compile as compiled
from typing import TYPE_CHECKING, Protocol

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Skip
from cudamigrate.project import git as plumbing
from cudamigrate.project.file_access import is_below, read_settings
from cudamigrate.project.glob_expressions import without_backtracking
from cudamigrate.project.owned_folders import OUTPUT_MARK
from cudamigrate.wording import count_of

if TYPE_CHECKING:
    from re import Pattern

    from pathspec import GitIgnoreSpec

PASSED_OVER = frozenset((".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox"))
"""Folders that a plain walk never enters; git's own listing needs no such list."""

BUILD_FILES = frozenset(
    ("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "Makefile.am", "configure.ac", "meson.build", "setup.py")
)
"""Names under which a build looks for its files; git keeps one that it tracks, whatever `.gitignore` says of it."""
_PARTS = (".mk", ".mak", ".make", ".m4", ".am", ".ac")
"""How files end that Makefiles include, and that configure scripts are made of; what is built is not named so."""
_CONFIGURED = frozenset(("CMakeCache.txt", "config.status", "Makefile.in", "cmake_install.cmake", "CMakeFiles"))
"""Files beside which a makefile may be one that was generated there; no tool generates a `CMakeLists.txt`."""
_INSTALLS, _OF_CMAKE = "cmake_install.cmake", "CMakeFiles"
_WRITTEN = frozenset((_INSTALLS, "CMakeCache.txt", "CTestTestfile.cmake", "Makefile", "build.ninja"))
"""What CMake writes into each folder of a build, beside `CMakeFiles`, in which it tries compilers."""
_CODE = (".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".hxx", ".inl")
_CHECKPOINTS = re.compile(r"(?:.*?/)?\.ipynb_checkpoints/")
"""The folder in which Jupyter keeps a copy of each file edited in it (`checkpoint_dir` of its FileCheckpoints)."""
_MANY = 2_000
"""Files and folders that are looked at in an ignored folder."""
_GENERATED = frozenset(("Makefile", "makefile", "GNUmakefile"))
_GATHERED = "aclocal.m4"
"""What aclocal makes of the macros of other files."""
_FOLDER = re.compile(r"[\w.-]+/")
_SUBMODULE_PATH = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(.+?)[ \t]*$", re.MULTILINE)
"""The folder of a submodule in `.gitmodules`, without blanks around it: `path = third_party/cutlass`."""


@dataclass(slots=True)
class Listing:
    """What a folder holds, unsorted: `links` are those of `files` that are known to be symbolic links.

    `submodules` are folders that are repositories of their own; nothing inside them is listed. `git` tells whether
    git made the listing.
    """

    files: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    submodules: list[str] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    git: bool = False


class Globs(Protocol):
    """Patterns in the language of `.gitignore`."""

    def verdict(self, path: str) -> bool | None:
        """True where the last pattern that matches takes the path, False where it frees it, None where none does.

        Of a path in folders that are entered one by one; a folder ends in a slash.
        """
        ...

    def match_file(self, path: str) -> bool:
        """Whether the patterns take the path."""
        ...


class _FolderNames:
    """Patterns that are all names of folders, such as `vendor/`: no expression is needed for them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)

    def verdict(self, path: str) -> bool | None:
        """True where the path lies in a folder of such a name."""
        return True if self._names and not self._names.isdisjoint(path.split("/")[:-1]) else None

    def match_file(self, path: str) -> bool:
        """Whether the patterns take the path."""
        return self.verdict(path) is True


class _Spec:
    """Patterns of any kind.

    Most paths match none, which one expression of all patterns tells many times faster than one after the other.
    """

    def __init__(self, spec: GitIgnoreSpec) -> None:
        self._spec = spec
        plain = []
        for pattern in spec.patterns:
            if pattern.regex is not None:
                pattern.regex = compiled(without_backtracking(pattern.regex.pattern))
                plain.append(pattern.regex.pattern.replace("(?P<ps_d>", "(?:"))
        self._any = re.compile("|".join(f"(?:{text})" for text in plain)) if plain else None

    def verdict(self, path: str) -> bool | None:
        """True where the last pattern that matches takes the path, False where it frees it, None where none does.

        The folders above it are taken for entered: what matches one of them only says nothing of the path.
        """
        if self._any is None or self._any.search(path) is None:
            return None
        for pattern in reversed(list(self._spec.patterns)):
            if pattern.regex is not None and _matches_itself(pattern.regex, path):
                return pattern.include
        return None

    def match_file(self, path: str) -> bool:
        """Whether the patterns take the path, or a folder above it."""
        return self._any is not None and self._any.search(path) is not None and self._spec.match_file(path)


def _matches_itself(pattern: Pattern[str], path: str) -> bool:
    """Whether an expression of `pathspec` matches the whole path; its group `ps_d` is the slash behind a folder."""
    is_marked = "ps_d" in pattern.groupindex
    return any(not is_marked or match.end("ps_d") in (-1, len(path)) for match in pattern.finditer(path))


Ignores = list[tuple[str, Globs]]
"""`.gitignore` files that hold for a folder, outermost first, each with the path prefix it stands for."""


def listing(root: Path) -> Listing:
    """The project's files below `root`, without the copies that Jupyter keeps and what CMake wrote for a build.

    Where git refuses (it is missing, the repository is damaged or belongs to someone else) the folder is walked, and
    a notice says so. A folder that the repository around it ignores as a whole is walked too.
    """
    return _without_configured(_without_checkpoints(_listed(root)))


def _listed(root: Path) -> Listing:
    top = plumbing.work_tree(root)
    if top is None:
        return _walked(root, None)
    try:
        found = _without_output(_listed_by_git(root))
    except plumbing.GitError as error:
        found = _walked(root, top)
        found.skipped.append(Skip(".", "git", f"{error}; the folder was read without git"))
        return found
    if found.files or found.submodules or top == root.resolve():
        return found
    return _walked(root, None)


def _listed_by_git(root: Path) -> Listing:
    """The listing as git makes it: the index, and untracked files that are not ignored."""
    found = Listing(git=True)
    seen: set[str] = set()
    for entry in plumbing.words(plumbing.git(root, "ls-files", "-z", "--stage")):
        head, _, path = entry.partition("\t")
        if path in seen:  # a file in conflict has up to three stages
            continue
        seen.add(path)
        mode = head[:6]
        (found.submodules if mode == "160000" else found.files).append(path)
        if mode == "120000":
            found.links.append(path)
    for path in plumbing.words(plumbing.git(root, "ls-files", "-z", "--others", "--exclude-standard")):
        if path.endswith("/"):
            found.submodules.append(path.rstrip("/"))
        else:
            found.files.append(path)
            if os.path.islink(root / path):
                found.links.append(path)
    return found


def _without_output(found: Listing) -> Listing:
    """The listing less the files of converted copies, which are named, but for one that is listed itself."""
    marked = tuple(path.removesuffix(OUTPUT_MARK) for path in found.files if path.endswith(f"/{OUTPUT_MARK}"))
    if marked:
        found.files = [path for path in found.files if not path.startswith(marked)]
        found.links = [path for path in found.links if not path.startswith(marked)]
        found.skipped += [_copy(path.rstrip("/")) for path in marked]
    return found


def _without_checkpoints(found: Listing) -> Listing:
    """The listing less the files in Jupyter's folders of copies; one with code is named, as git may track it."""
    inside = {path: match[0] for path in found.files if (match := _CHECKPOINTS.match(path)) is not None}
    if inside:
        found.files = [path for path in found.files if path not in inside]
        found.links = [path for path in found.links if path not in inside]
        named = sorted({folder for path, folder in inside.items() if path.endswith(_CODE)})
        reason = "it holds copies that Jupyter keeps of files edited in it, and nothing builds them; they were not read"
        found.skipped += [Skip(folder.rstrip("/"), "copy", reason) for folder in named]
    return found


def _without_configured(found: Listing) -> Listing:
    """The listing less what CMake wrote where a build was configured, as git may track it; a folder of code is named.

    A folder is one of a build by its `cmake_install.cmake`, which no project has of its own.
    """
    built = {posixpath.dirname(path) for path in found.files if posixpath.basename(path) == _INSTALLS}
    inside = {path for path in found.files if _is_configured(path, built)} if built else set[str]()
    if inside:
        found.files = [path for path in found.files if path not in inside]
        found.links = [path for path in found.links if path not in inside]
        named = {path[: path.index(_OF_CMAKE) + len(_OF_CMAKE)] for path in inside if path.endswith(_CODE)}
        reason = "CMake wrote it where a build was configured, and no build reads it from here; it was not read"
        found.skipped += [Skip(folder, "generated", reason) for folder in sorted(named)]
    return found


def _is_configured(path: str, built: Collection[str]) -> bool:
    folder, name = posixpath.split(path)
    if name in _WRITTEN and folder in built:
        return True
    around, held, _ = f"/{path}".partition(f"/{_OF_CMAKE}/")
    return bool(held) and around[1:] in built


def _copy(folder: str) -> Skip:
    return Skip(folder, "copy", f"it holds {OUTPUT_MARK}, as a converted copy of cudamigrate's does; it was not read")


def _walked(root: Path, top: Path | None) -> Listing:
    """The listing as the file system shows it; `top` is the root of the damaged work tree around `root`, if any."""
    found = Listing(submodules=declared_submodules(root))
    modules = frozenset(found.submodules)
    pending = [("", _outer_ignores(root.resolve(), top))]
    while pending:
        folder, ignores = pending.pop()
        try:
            with os.scandir(root / folder) as entries:
                children = list(entries)
        except OSError as error:
            found.skipped.append(Skip(folder or ".", "unreadable", f"folder cannot be listed: {error.strerror}"))
            continue
        names = {child.name for child in children}
        if folder and OUTPUT_MARK in names:
            found.skipped.append(_copy(folder))
            continue
        if ".gitignore" in names:
            ignores = [*ignores, *_ignores(root / folder / ".gitignore", folder)]
        first = len(found.files)
        pending.extend((path, ignores) for path in _taken_in(found, folder, children, ignores, modules))
        _take_build_files(found, folder, children, set(found.files[first:]))
    return found


def _take_build_files(found: Listing, folder: str, children: list[os.DirEntry[str]], taken: set[str]) -> None:
    """Add the build files that `.gitignore` excludes in a folder that is entered, or say that one was passed over.

    Where no index can be asked, as in an unpacked archive, such a file may well be one that git tracks.
    """
    is_configured = not _CONFIGURED.isdisjoint(child.name for child in children)
    for child in children:
        path = f"{folder}/{child.name}" if folder else child.name
        is_part = child.name.endswith(_PARTS) and child.name != _GATHERED
        known = is_part or child.name in BUILD_FILES
        if not known or path in taken or not child.is_file(follow_symlinks=False):
            continue
        if is_configured and (is_part or child.name in _GENERATED):
            reason = "excluded by `.gitignore`, and beside files of a configured build: taken for generated, not read"
            found.skipped.append(Skip(path, "ignored", reason))
        else:
            found.files.append(path)


def _taken_in(
    found: Listing, folder: str, children: Iterable[os.DirEntry[str]], ignores: Ignores, modules: frozenset[str]
) -> Iterator[str]:
    """Add the files among `children` to `found`, and give the folders to enter."""
    for child in children:
        path = f"{folder}/{child.name}" if folder else child.name
        is_folder = child.is_dir(follow_symlinks=False)
        if (is_folder and child.name in PASSED_OVER) or child.name == ".git" or path in modules:
            continue
        if _ignored(path + "/" if is_folder else path, ignores):
            if is_folder and (count := _code_in(child.path)):
                reason = f"excluded by `.gitignore`, and no git says that it is not the project's: {count} not read"
                found.skipped.append(Skip(path, "ignored", reason))
            continue
        if is_folder:
            yield path
            continue
        found.files.append(path)
        if child.is_symlink():
            found.links.append(path)


def _code_in(folder: str) -> str:
    """The files of code in an ignored folder, in words; empty where a build was configured there, or there are none.

    An unpacked archive has what git tracks alone, and git tracks ignored files that were added by force. Of a folder
    with very many files the first are looked at.
    """
    looked, count = 0, 0
    for _, folders, files in os.walk(folder):
        if not _CONFIGURED.isdisjoint((*files, *folders)):
            return ""
        folders[:] = [one for one in folders if one not in PASSED_OVER]
        count += sum(name.endswith(_CODE) for name in files)
        looked += len(files) + len(folders)
        if looked > _MANY:
            break
    return count_of(count, "file") + " of code" if count else ""


def _ignores(file: Path, folder: str) -> Ignores:
    try:
        lines = read_settings(file).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [(f"{folder}/" if folder else "", globs(lines))]


def _outer_ignores(root: Path, top: Path | None) -> Ignores:
    """`.gitignore` files between the work tree's root and `root`; a prefix with a leading NUL is to be added."""
    if top is None:
        return []
    between = [parent for parent in root.parents if parent == top or top in parent.parents]
    ignores: Ignores = []
    for parent in reversed(between):
        down = f"\0{root.relative_to(parent).as_posix()}/"
        ignores += [(down, spec) for _, spec in _ignores(parent / ".gitignore", "")]
    return ignores


def _ignored(path: str, ignores: Ignores) -> bool:
    """Whether the innermost file that has a say ignores `path`."""
    for prefix, spec in reversed(ignores):
        local = prefix[1:] + path if prefix.startswith("\0") else path[len(prefix) :]
        verdict = spec.verdict(local)
        if verdict is not None:
            return verdict
    return False


def declared_submodules(root: Path) -> list[str]:
    """The folders below `root` that `.gitmodules` has for submodules; none where there is no such file."""
    try:
        text = read_settings(root / ".gitmodules").decode("utf-8", "replace")
    except OSError:
        return []
    named = (path.strip('"').rstrip("/") for path in _SUBMODULE_PATH.findall(text))
    return [path for path in named if is_below(root, f"{path}/")]


def globs(lines: Iterable[str]) -> Globs:
    """Patterns in the language of `.gitignore`; a pattern that is not valid there matches nothing."""
    lines = list(lines)
    if all(_FOLDER.fullmatch(line) for line in lines):
        return _FolderNames(line[:-1] for line in lines)
    from pathspec import GitIgnoreSpec  # slow to import, and many projects need none

    try:
        return _Spec(GitIgnoreSpec.from_lines(lines))
    except ValueError:
        return _Spec(GitIgnoreSpec.from_lines([line for line in lines if _is_glob(line)]))


def _is_glob(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
