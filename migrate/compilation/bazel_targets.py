"""A workspace of Bazel's -> the options that its targets give their sources. Nothing is run.

`copts` and `local_defines` are those of a target, `defines` and `includes` of all that depend on it, too. What `select`
or a condition gives, or a function of another repository, is that of some builds. Source: Bazel, "C/C++ Rules"
(`cc_library`: `copts`, `defines`, `includes`, `local_defines`); rules_cuda, `cuda_library`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from cudamigrate.compilation import sure_options
from cudamigrate.compilation.bazel_flags import TOPS
from cudamigrate.compilation.build_settings import Settings
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import bazel, starlark
from cudamigrate.syntax.build_words import UNKNOWN, Word

_NAMES = ("BUILD.bazel", "BUILD")
"""The file of a package; where both are there, the first is."""
_OPTIONS = (*bazel.COPTS, "nvcc_copts", "cuda_copts")
_FILES = ("srcs", "hdrs", "textual_hdrs")
_VARIABLE = re.compile(r"\$\([^)]*\)|\$\{[^}]*\}")
"""What Bazel itself fills in: `$(BINDIR)`, `$(location :a)`."""
_MOST, _DEPTH = 4_000, 12
"""So many packages are read, so many folders deep."""

_Given = tuple[Word, str]


@dataclass(frozen=True, slots=True)
class _Target:
    """A target's files, the options for them and those for what depends on it, and the labels that it depends on."""

    build: str
    files: tuple[str, ...]
    own: tuple[_Given, ...]
    passed: tuple[_Given, ...]
    depends: tuple[str, ...]


def is_top(path: Path) -> bool:
    """Whether a file makes its folder the top of a workspace, and is the first there that does."""
    return path.name in TOPS and path == next(path.parent / name for name in TOPS if (path.parent / name).is_file())


def read(top: Path, root: Path) -> dict[str, Settings]:
    """What targets give their files, by absolute paths, in the workspace at `top` of the tree below `root`.

    A workspace that CMake builds as well gives macros of some builds. Raises RecursionError where a file nests deep.
    """
    targets = dict[str, _Target]()
    for folder, data in _packages(top):
        targets.update(_targets(top, folder, data))
    by_file: dict[str, list[Settings]] = {}
    for label, target in targets.items():
        options = (*target.own, *(one for other in _reached(label, targets) for one in targets[other].passed))
        found = sure_options.settings(options)
        found.sources = [os.path.relpath(target.build, root)]
        for path in target.files:
            by_file.setdefault(path, []).append(found)
    whole = {path: sure_options.together(listed) for path, listed in by_file.items()}
    other = (top / "CMakeLists.txt").is_file()
    return {path: _of_some_builds(one) if other else one for path, one in whole.items() if _says(one)}


def _says(found: Settings) -> bool:
    return replace(found, sources=[]) != Settings()


def _of_some_builds(found: Settings) -> Settings:
    return Settings(some=found.some | found.names | found.open, sources=found.sources)


def _packages(top: Path) -> Iterator[tuple[Path, bytes]]:
    """The folders of the workspace that have a file of a package, with its bytes; other workspaces in it are not."""
    level, left = [top], _MOST
    for _ in range(_DEPTH):
        below: list[Path] = []
        for folder in level:
            try:
                entries = sorted(folder.iterdir())
            except OSError:
                continue
            names = {entry.name for entry in entries}
            if folder != top and not names.isdisjoint(TOPS):
                continue
            name = next((one for one in _NAMES if one in names and (folder / one).is_file()), "")
            if name and left:
                left -= 1
                yield folder / name, _bytes(folder / name)
            below += [
                one
                for one in entries
                if not one.name.startswith((".", "bazel-")) and one.is_dir() and not one.is_symlink()
            ]
        level = below


def _bytes(path: Path) -> bytes:
    try:
        return read_linked(path)
    except OSError:
        return b""


def _targets(top: Path, path: Path, data: bytes) -> Iterator[tuple[str, _Target]]:
    """The targets of a package by their labels."""
    package = path.parent.relative_to(top).as_posix().removeprefix(".")
    files = starlark.Files(partial(_text, top), partial(_globbed, path.parent))
    for call in starlark.calls(data.decode("utf-8", "replace"), package, files):
        names = [word.text for word in call.named.get("name", ()) if UNKNOWN not in word.text]
        if len(names) == 1:
            yield f"//{package}:{names[0]}", _target(call, top, path, package)


def _target(call: starlark.Call, top: Path, path: Path, package: str) -> _Target:
    folder = str(path.parent)
    listed = {key: _sure(call, key) for key in (*_OPTIONS, "local_defines", "defines", "includes", *_FILES, "deps")}
    own = [word for key in _OPTIONS for one in listed[key] for word in _split(one)]
    local = [_prefixed("-D", word) for one in listed["local_defines"] for word in _split(one)]
    passed = [_prefixed("-D", word) for one in listed["defines"] for word in _split(one)]
    folders = [_prefixed("-I", word) for word in listed["includes"]]
    labels = [starlark.absolute(word.text, package) for key in _FILES for word in listed[key]]
    return _Target(
        str(path),
        tuple(str(_file(top, one)) for one in labels if one.startswith("//")),
        tuple((word, str(top)) for word in (*own, *local)),
        (*((word, str(top)) for word in passed), *((word, folder) for word in folders)),
        tuple(starlark.absolute(word.text, package) for word in listed["deps"]),
    )


def _sure(call: starlark.Call, key: str) -> list[Word]:
    return [Word(word.text, word.sure and call.sure) for word in call.named.get(key, ())]


def _split(word: Word) -> list[Word]:
    """The words of an option, which Bazel parts as a shell does; what it fills in is not known."""
    try:
        parts = shlex.split(_VARIABLE.sub(UNKNOWN, word.text))
    except ValueError:
        return [Word(UNKNOWN, word.sure)]
    return [Word(one, word.sure) for one in parts]


def _prefixed(option: str, word: Word) -> Word:
    return Word(option + word.text, word.sure)


def _text(top: Path, label: str) -> str:
    """The text of the file that a label of the workspace names."""
    return "" if label.startswith("@") else _bytes(_file(top, label)).decode("utf-8", "replace")


def _file(top: Path, label: str) -> Path:
    place, _, name = label.removeprefix("//").partition(":")
    return top / place / name


def _globbed(folder: Path, include: Sequence[str], exclude: Sequence[str]) -> list[str]:
    """The files below a folder that patterns name, relative to it; those of packages in it are theirs."""
    deep = any("/" in one or "**" in one for one in include)
    return bazel.fitting(_below(folder, deep), include, exclude)


def _below(folder: Path, deep: bool) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        if place != str(folder) and not {*names}.isdisjoint(_NAMES):
            folders.clear()
            continue
        yield from (os.path.relpath(os.path.join(place, name), folder) for name in sorted(names))
        if not deep:
            return


def _reached(label: str, targets: Mapping[str, _Target]) -> Iterable[str]:
    """The label of a target and of all that it depends on, each once."""
    seen, todo = {label: None}, [label]
    while todo:
        for one in targets[todo.pop()].depends:
            if one in targets and one not in seen:
                seen[one] = None
                todo.append(one)
    return seen
