"""A tree of sources -> the programs in it, and how each is built for the emulation."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path, PurePosixPath

from cudamigrate.compilation import build_flags
from cudamigrate.cuda import lexer
from cudamigrate.emulation import build, first_header, host_sources
from cudamigrate.emulation.first_header import FirstHeader
from cudamigrate.model.verification import Flags
from cudamigrate.project.file_access import walk

_UNITS = frozenset({".cu", ".cpp", ".cc", ".cxx", ".c", ".hip", ".C"})
_SOURCES = _UNITS | {".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".tpp", ".ipp", ".impl"}
_SKIPPED = frozenset({".git", "build", "node_modules", "__pycache__"})
_MOST_OTHERS = 60
"""Units beside the one with `main` that are tried where it does not link alone."""
_DATA_BYTES = 4 << 20


@dataclass(slots=True)
class Tree:
    """A tree copied to where it may be built, with its texts made C++ for the host.

    `sources` are the files as they were, by their path in the tree, `data` the paths of the others that were copied;
    `flags` tells how one is compiled. `first` are precompiled headers that sources may begin with.
    """

    root: Path
    copy: Path
    side: build.Side
    sources: dict[str, Path] = field(default_factory=dict)
    data: list[str] = field(default_factory=list)
    extra: Flags = field(default_factory=lambda: Flags(""))
    first: list[FirstHeader] = field(default_factory=list)
    _project: build_flags.Project | None = None
    _mains: list[str] | None = None
    _built: dict[tuple[str, int], str] = field(default_factory=dict)

    def flags(self, path: str) -> Flags:
        """The options that build files give for a file, with folders of the copy."""
        if self._project is None:
            self._project = build_flags.read(self.root)
        settings = self._project.settings(str(self.root / path))
        inside = [os.path.relpath(folder, self.root) for folder in settings.includes]
        includes = [str(self.copy / folder) for folder in inside if not folder.startswith("..")]
        standard = self.extra.standard or max(settings.standards, default="")
        folders = (*self.extra.includes, *includes, str(self.copy), str(self.copy / "include"))
        return Flags(standard, (*self.extra.defines, *settings.defines), folders, ", ".join(settings.sources))


def copied(root: Path, copy: Path, side: build.Side, extra: Flags, changed: Mapping[str, bytes] | None = None) -> Tree:
    """Copy the sources of a tree; `changed` are files that are not as on disk, or not there.

    A file alone finds the headers of its folder where they are.
    """
    folder = root.parent if root.is_file() else root
    extra = replace(extra, includes=(*extra.includes, str(folder))) if root.is_file() else extra
    tree = Tree(folder, copy, side, extra=extra)
    originals = copy.parent / f"{copy.name}.sources"
    given = dict(changed or {})
    for path in (*_files(root), *(path for path in given if not (folder / path).exists())):
        data = given[path] if path in given else (folder / path).read_bytes()
        is_source = PurePosixPath(path).suffix in _SOURCES
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(host_sources.for_host(data, path) if is_source else data)
        if is_source:
            kept = originals / path
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(data)
            tree.sources[path] = kept
        else:
            tree.data.append(path)
    return tree


def data_files(tree: Tree, main: str) -> list[str]:
    """The files that a program may read: those in its folder, and elsewhere those whose names its source has."""
    folder, text = PurePosixPath(main).parent, tree.sources[main].read_bytes()
    found, room = [], _DATA_BYTES * 4
    for path in sorted(tree.data, key=lambda path: (PurePosixPath(path).parent != folder, path)):
        place = PurePosixPath(path)
        size = (tree.copy / path).stat().st_size
        if (folder in place.parents or place.name.encode() in text) and size <= room:
            found.append(path)
            room -= size
    return found


def _files(root: Path) -> list[str]:
    """The files of a tree that a build may read, smaller ones only where they are no sources."""
    if root.is_file():
        return [root.name]
    found = []
    for folder, folders, names in walk(root):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            is_source = path.suffix in _SOURCES
            if path.is_file() and not path.is_symlink() and (is_source or path.stat().st_size <= _DATA_BYTES):
                found.append(path.relative_to(root).as_posix())
    return found


def mains(tree: Tree) -> list[str]:
    """The files that define `main`."""
    if tree._mains is None:
        units = (path for path in sorted(tree.sources) if PurePosixPath(path).suffix in _UNITS)
        tree._mains = [path for path in units if _has_main(tree, path)]
    return tree._mains


def _has_main(tree: Tree, path: str) -> bool:
    lexed = lexer.lex(tree.sources[path].read_bytes())
    for place in lexed.words(frozenset({b"main"})):
        opening = lexed.after(lexed.token(place))
        if opening is None or lexed.text(opening) != b"(" or lexed.text(lexed.before(place)) not in (b"int", b"auto"):
            continue
        close = lexed.closing(opening.start)
        following = lexed.text(lexed.token(close + 1)) if close >= 0 else b""
        if following in (b"{", b"try", b"->"):
            return True
    return False


def program(tree: Tree, main: str, wave: int, chosen: build.Compiler) -> Path:
    """Build the program whose `main` is in a file, for wavefronts of that width. Raises BuildError."""
    target = tree.copy.parent / f"{tree.copy.name}.bin" / f"{main.replace('/', '_')}.{wave}"
    target.parent.mkdir(exist_ok=True)
    first = _object(tree, main, wave, chosen)
    try:
        build.link(chosen, [first], target)
    except build.BuildError as error:
        if "undefined" not in str(error):
            raise
        build.link(chosen, [first, _archive(tree, main, wave, chosen)], target)
    return target


def precompile(tree: Tree, paths: Iterable[str], waves: Iterable[int], chosen: build.Compiler) -> None:
    """Read the first header once where enough of some sources, which are built for each of the widths, begin alike."""
    counted = Counter(tree.flags(path).standard for path in paths)
    wanted = [standard for standard, count in counted.items() if count >= first_header.FEWEST]
    for standard, wave in product(wanted, waves):
        words = build.options(chosen, tree.side, Flags(standard), wave)
        folder = tree.copy.parent / f"{tree.copy.name}.first-{len(tree.first)}"
        made = first_header.made(chosen, words, folder)
        tree.first.extend([made] if made is not None else [])


def options(tree: Tree, flags: Flags, wave: int, chosen: build.Compiler, source: Path) -> list[str]:
    """The options by which a source of a tree is compiled, with the precompiled header that fits."""
    words = build.options(chosen, tree.side, flags, wave)
    plain = tuple(build.options(chosen, tree.side, Flags(flags.standard), wave))
    fitting = (one for one in tree.first if one.words == plain and one.fits(flags.includes, source))
    first = next(fitting, None)
    return words if first is None else first.given(words)


def _object(tree: Tree, path: str, wave: int, chosen: build.Compiler) -> str:
    known = tree._built.get((path, wave))
    if known is not None:
        return known
    target = tree.copy.parent / f"{tree.copy.name}.obj" / f"{path.replace('/', '_')}.{wave}.o"
    target.parent.mkdir(exist_ok=True)
    words = options(tree, tree.flags(path), wave, chosen, tree.copy / path)
    build.compile_unit(chosen, words, tree.copy / path, target)
    tree._built[path, wave] = str(target)
    return str(target)


def _archive(tree: Tree, main: str, wave: int, chosen: build.Compiler) -> str:
    """The other units of the tree that compile, from which the linker takes what it needs; the nearest first."""
    folder = PurePosixPath(main).parent
    apart = {main, *mains(tree)}
    others = [path for path in tree.sources if PurePosixPath(path).suffix in _UNITS and path not in apart]
    others.sort(key=lambda path: (PurePosixPath(path).parent != folder, path))
    objects = []
    for path in others[:_MOST_OTHERS]:
        try:
            objects.append(_object(tree, path, wave, chosen))
        except build.BuildError:
            continue  # what the program needs of it stays undefined, and is reported then
    target = Path(objects[0] if objects else tree.copy).parent / f"lib{main.replace('/', '_')}.{wave}.a"
    target.unlink(missing_ok=True)
    subprocess.run(["ar", "rcs", str(target), *objects], capture_output=True, check=False)
    return str(target)


def wants_wave(tree: Tree, paths: Iterable[str] | None = None) -> bool:
    """Whether sources ask for the width of wavefronts while they are compiled, so that each width is another build."""
    wanted: Sequence[str] = list(paths) if paths is not None else list(tree.sources)
    return any(build.wants_wave(tree.sources[path].read_bytes()) for path in wanted)
