"""A source file -> all it includes, and the flags it compiles with.

Result: `Flags` for a file. Where the build files do not say which folder holds a header, the tree does: a file whose
path ends in what the include spells, the nearest one where there are several. A header of another project in the tree,
one that has a build of its own, is not taken, nor is one of two that are as near and differ.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cudamigrate.compilation import language_options
from cudamigrate.compilation.build_flags import Project
from cudamigrate.compilation.build_settings import Settings
from cudamigrate.compilation.host_sources import HostRule, has_gpu_code, host_rule, is_for_gpu, is_in_cpp
from cudamigrate.cuda import called_kernels
from cudamigrate.cuda.include_paths import IncludePaths, closure, nearest, shared_folder, spelled
from cudamigrate.lazy_re import re
from cudamigrate.model import release
from cudamigrate.model.verification import Flags, Language
from cudamigrate.project.file_access import walk

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".ipp", ".tcc", ".h++", ".cu", ".cpp", ".cc", ".hip")
_TORCH = ("torch/", "ATen/", "c10/", "caffe2/")
_TORCH_DEFINES = ("USE_ROCM=1", "HIPBLAS_V2", "TORCH_API_INCLUDE_EXTENSION_H", "TORCH_EXTENSION_NAME=extension")
"""What PyTorch's own build gives to both compilers on ROCm (torch/utils/cpp_extension.py, COMMON_HIP_FLAGS)."""
_HIPCC_DEFINES = (
    "CUDA_HAS_FP16=1",
    "__HIP_NO_HALF_OPERATORS__=1",
    "__HIP_NO_HALF_CONVERSIONS__=1",
    "HIP_ENABLE_WARP_SYNC_BUILTINS=1",
)
"""What it gives to hipcc as well, which gets the files that end in `.cu` (COMMON_HIPCC_FLAGS of the same file)."""
_SETUPTOOLS = "NDEBUG"
"""What Python's own build gave to its compiler, and setuptools to the host's for each extension (OPT and CFLAGS of
CPython's Makefile); what calls nvcc or hipcc in its place gives it no more than its own options (cpp_extension.py)."""
_MAIN = re.compile(rb"^[ \t]*int[ \t\n]+main[ \t]*\(", re.MULTILINE)
_STRICT, _EXTENDED = "c++", "gnu++"
"""How a standard begins without and with GNU's extensions."""
_OLDEST = "17"
"""The C++ standard where nothing says which: today's ROCm libraries need it."""
_WITH_TORCH, _SINCE = "20", (7, 1)
"""That of PyTorch's extensions, and the release of ROCm since which the newest PyTorch published for it is 2.12 or
later, whose build gives `-std=c++20`; since 2.14 its headers refuse less (torch/utils/cpp_extension.py, all.h)."""


@dataclass(slots=True)
class IncludeResolver:
    """The headers of a tree and how its files compile.

    `system` are the folders of headers that are not the tree's, `read` gives a file's bytes, converted where they are.
    `guards` are the macros that a project's own build sets for AMD, `extra` is what the user adds. `is_made` says of
    a header, as an include spells it, that the build makes it or brings it: no other of its name is guessed at.
    `rocm` is the release aimed at, for which a PyTorch was published.
    """

    root: str
    project: Project
    system: Sequence[str]
    read: Callable[[str], bytes]
    guards: frozenset[bytes] = frozenset()
    language: Language = "hip"
    extra: Flags = field(default_factory=lambda: Flags(""))
    paths: frozenset[str] = frozenset()
    is_made: Callable[[str], object] = lambda name: None
    rocm: str = ""
    _index: IncludePaths | None = None
    _found: dict[str, tuple[list[tuple[str, bool]], frozenset[bytes]]] = field(default_factory=dict)
    _outside: dict[str, bool] = field(default_factory=dict)
    _guessed: set[str] = field(default_factory=set)
    _chosen: dict[tuple[str, str], str] = field(default_factory=dict)
    """Files that were guessed at though others may be meant, by their folder and path: how the include spells each."""
    _relative: dict[str, str] = field(default_factory=dict)
    """Include folders, relative to the root: each is asked for every header."""
    _differs: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    def flags(self, path: str, for_host: bool = False) -> Flags:
        """How `path` compiles for AMD; `for_host`: the build gives it to the host's compiler."""
        settings = self.project.settings(os.path.join(self.root, path))
        folders = dict.fromkeys([*self.extra.includes, *settings.includes])
        words, torch, _ = self._walk(path, folders)
        defines = [*self.extra.defines, *settings.defines]
        torch = self.language == "hip" and (torch or os.path.join(self.root, path) in settings.torch)
        oldest = _WITH_TORCH if torch and release(self.rocm) >= _SINCE else _OLDEST
        if torch:
            apart = for_host or _MAIN.search(self.read(path)) is not None  # a program is no extension
            given = _TORCH_DEFINES if apart else (*_TORCH_DEFINES, *_HIPCC_DEFINES)
            defines += (one for one in given if one.partition("=")[0] not in settings.taken)
        by_python = for_host and settings.python and not settings.makes and self.host_rule(path) is None
        defines += [_SETUPTOOLS] if by_python and _SETUPTOOLS not in settings.taken else ()
        defines += sorted(word.decode() for word in words)
        named = {define.partition("=")[0]: define for define in reversed(defines)}
        source = ", ".join(settings.sources) or "the tree"
        host = self.host_rule(path)
        dialect = _dialect(settings, torch)
        seen = dialect + _newest(settings.standards, oldest) if host is None else _given(host.standard)
        standard = self.extra.standard or seen
        named_folders = {*self.extra.includes, *settings.includes}
        after = tuple(folder for folder in folders if folder not in named_folders)
        forced = tuple(filter(None, (self.forced(one, settings.includes) for one in settings.forced)))
        older = _older(settings.standards, oldest) if host is None and not self.extra.standard else ""
        older = older and f"{dialect}{older}"
        more = language_options.together([*settings.language])
        return Flags(standard, tuple(reversed(named.values())), tuple(folders), source, after, older, forced, more)

    def forced(self, name: str, folders: Iterable[str]) -> str:
        """The file that `-include` with an absolute path means, there or in an include folder; empty for none."""
        base = os.path.basename(name)
        found = (one for one in (name, *(os.path.join(folder, base) for folder in folders)))
        return next((one for one in found if os.path.relpath(one, self.root).replace(os.sep, "/") in self.paths), "")

    def absent(self, settings: Settings) -> list[str]:
        """The headers that options include before a file and that are none of the tree's, by absolute path."""
        return [one for one in dict.fromkeys(settings.forced) if not self.forced(one, settings.includes)]

    def host_rule(self, path: str) -> HostRule | None:
        """By which rule of the build the host's compiler gets a file; None where it is not known to."""
        whole = os.path.join(self.root, path)
        rule = host_rule(whole, self.project.settings(whole).hosts)
        data = self.read(path) if rule is not None else b""
        return rule if not has_gpu_code(data) or called_kernels.are_called(path, data) else None

    def is_for_gpu(self, path: str) -> bool:
        """Whether the build, or what the file has where that says nothing, gives a file to the compiler for GPUs."""
        whole = os.path.join(self.root, path)
        return is_for_gpu(whole, self.project.settings(whole).hosts, self.read(path))

    def is_in_cpp(self, path: str) -> bool:
        """Whether the build gives a file with the ending of C to a compiler of C++."""
        whole = os.path.join(self.root, path)
        return is_in_cpp(whole, self.project.settings(whole).hosts)

    def rules_outside(self, path: str) -> str:
        """The file, not in the tree, in which a build of the tree has the rule for a file with the ending of C."""
        return self.project.settings(os.path.join(self.root, path)).outside if path.endswith(".c") else ""

    def closure(self, path: str) -> frozenset[str]:
        """The file, and the files of the tree that it includes, through others too."""
        settings = self.project.settings(os.path.join(self.root, path))
        return self._walk(path, dict.fromkeys([*self.extra.includes, *settings.includes]))[2]

    def lacks(self, path: str) -> bool:
        """Whether a file, or one of the tree that it includes, includes a header that is nowhere, if only for some."""
        settings = self.project.settings(os.path.join(self.root, path))
        folders = dict.fromkeys([*self.extra.includes, *settings.includes])
        seen = self._walk(path, folders)[2]
        spelled = ((one, name, quoted) for one in seen for name, quoted in self._includes(one)[0])
        return any(not self.resolve(*one, folders) and not self.provides(one[1]) for one in spelled)

    def _walk(self, start: str, folders: dict[str, None]) -> tuple[frozenset[bytes], bool, frozenset[str]]:
        """Follow the includes from `start`, adding the folders they need.

        The words met, whether torch is used, and the files seen.
        """
        seen = closure((start,), lambda path: self._targets(path, folders))
        words = frozenset[bytes]().union(*(self._includes(path)[1] for path in seen))
        torch = any(name.startswith(_TORCH) for path in seen for name, _ in self._includes(path)[0])
        return words, torch, seen

    def _targets(self, path: str, folders: dict[str, None]) -> Iterator[str]:
        """The files of the tree that a file includes itself."""
        for name, quoted in self._includes(path)[0]:
            target = self.resolve(path, name, quoted, folders)
            if target:
                yield target

    def _includes(self, path: str) -> tuple[list[tuple[str, bool]], frozenset[bytes]]:
        if path not in self._found:
            data = self.read(path)
            named = [(name, quoted) for name, quoted, _ in spelled(data)]
            guards = frozenset(word for word in self.guards if word in data)
            self._found[path] = named, guards
        return self._found[path]

    def resolve(self, path: str, name: str, quoted: bool, folders: dict[str, None]) -> str:
        """The file of the tree that an include means, empty where it is none of the tree's."""
        beside = self._tree.beside(path, name) if quoted else ""
        if beside:
            return beside
        for folder in folders:
            inside = self._inside(folder, name)
            if inside in self.paths and not (folder in self._guessed and (self.provides(name) or self.is_made(name))):
                self._choose(path, name, folder, inside)
                return inside
        if self.provides(name) or ".." in name.split("/"):  # no folder makes a guess of `../b.h` come true
            return ""
        if self.is_made(name):
            return ""
        named = [found for found in self._tree.ending(name) if found != path and self._related(path, found)]
        best, *others = nearest(path, named) or self._told(path, name) or [""]
        if not best or any(self.read(other) != self.read(best) for other in others):
            return ""
        guessed = os.path.join(self.root, best[: -len(name)].rstrip("/")).rstrip("/")
        if guessed not in folders:
            folders[guessed] = None
            self._guessed.add(guessed)
        self._choose(path, name, guessed, best)
        return best

    def _told(self, path: str, name: str) -> list[str]:
        """The headers that an include may mean below a variable that nothing sets: `-I$(LIB_HOME)/build`.

        Or below a folder by its place on another machine, `-I/home/me/project/lib`: the tree is a copy of one there.
        What is at its top, and not in a folder, may be any folder's.
        """
        named = [found for found in self._tree.ending(name) if found != path]
        if not named:
            return []
        settings = self.project.settings(os.path.join(self.root, path))
        told = [one for one in named if any(f"/{one}".endswith(f"/{tail}/{name}") for tail in settings.tails)]
        return told or [one for one in named if _is_copied(one[: -len(name)].rstrip("/"), name, settings.distant)]

    def _inside(self, folder: str, name: str) -> str:
        """The path of a name in a folder, relative to the root."""
        if os.path.isabs(name):
            return os.path.relpath(name, self.root).replace(os.sep, "/")
        if folder not in self._relative:
            self._relative[folder] = os.path.relpath(folder, self.root)
        return os.path.normpath(os.path.join(self._relative[folder], name)).replace(os.sep, "/")

    def _choose(self, path: str, name: str, folder: str, chosen: str) -> None:
        """Remember a guess where another file of that name, which has another text, may be meant."""
        if folder not in self._guessed or (folder, chosen) in self._chosen:
            return
        asked = os.path.dirname(path), name, chosen
        if asked not in self._differs:
            others = [one for one in self._tree.ending(name) if one not in (path, chosen) and self._related(path, one)]
            self._differs[asked] = any(self.read(one) != self.read(chosen) for one in others)
        if self._differs[asked]:
            self._chosen[folder, chosen] = name

    def guesses(self, flags: Flags, read: Iterable[str]) -> list[str]:
        """Of the files that a unit with some flags read, those that were one of several which may be meant, as spelled.

        What a folder that the build names holds is no guess.
        """
        seen = frozenset(read)
        return sorted(name for (folder, path), name in self._chosen.items() if path in seen and folder in flags.after)

    @property
    def _tree(self) -> IncludePaths:
        if self._index is None:
            self._index = IncludePaths(self.paths)
        return self._index

    def included(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of the files that another file of the tree includes: text of its, and no translation units.

        A file that a compilation database names is compiled, whoever includes it.
        """
        wanted = frozenset(paths)
        names = {path.rpartition("/")[2] for path in wanted}
        found: set[str] = set()
        for path in sorted(self.paths):
            for name, quoted in self._includes(path)[0]:
                if name.rpartition("/")[2] in names:
                    target = self.resolve(path, name, quoted, dict.fromkeys(self._folders(path)))
                    found.update([target] if target != path else ())
        compiled = {os.path.relpath(path, self.root).replace(os.sep, "/") for path in self.project.files}
        return frozenset(found & wanted) - compiled

    def blanked(self) -> dict[str, bytes]:
        """Nothing for each file that is a pipe or device, which whoever reads it would wait for, or read for ever.

        Those are files of the tree, and those that an include names by a path that leads out of it: `/dev/random`.
        """
        root = Path(self.root)
        named = {path for path in self.paths if _is_special(root / path)}
        for path in self.paths - named:
            for name, _ in self._includes(path)[0]:
                if name.startswith(("/", "..")):
                    place = os.path.normpath(root / os.path.dirname(path) / name)
                    named.update([place] if _is_special(Path(place)) else ())
        return dict.fromkeys(named, b"")

    def _folders(self, path: str) -> tuple[str, ...]:
        return (*self.extra.includes, *self.project.settings(os.path.join(self.root, path)).includes)

    def _related(self, path: str, header: str) -> bool:
        """Whether a guess at a header is allowed: not where both files belong to builds of their own, side by side."""
        shared = shared_folder(path, header)
        return not (self._own_build(path, shared) and self._own_build(header, shared))

    def _own_build(self, path: str, shared: str) -> bool:
        """Whether a build begins in a folder of `path` below `shared`."""
        folder = os.path.dirname(path)
        while folder and folder != shared:
            if os.path.join(self.root, folder) in self.project.roots:
                return True
            folder = os.path.dirname(folder)
        return False

    def named(self, name: str) -> Sequence[str]:
        """The files of the tree that an include may mean, wherever they are."""
        return self._tree.ending(name)

    def holds(self, name: str) -> bool:
        """Whether the tree has a header that an include may mean, wherever it is."""
        return bool(self.named(name))

    def provides(self, name: str) -> bool:
        """True where the toolchain or the system has a header of that name."""
        if name not in self._outside:
            self._outside[name] = any(os.path.exists(os.path.join(folder, name)) for folder in self.system)
        return self._outside[name]


def headers(root: Path) -> frozenset[str]:
    """Relative paths of everything below `root` that can be included; as `files`."""
    return frozenset(path for path in files(root) if path.endswith(_HEADERS))


def files(root: Path) -> Iterator[str]:
    """Relative paths of all files below `root`, links to files too; hidden and linked folders are not entered."""
    for folder, inner, names in walk(root):
        inner[:] = [name for name in inner if not name.startswith(".")]
        base = os.path.relpath(folder, root).replace(os.sep, "/")
        yield from (name if base == "." else f"{base}/{name}" for name in names)


def _is_copied(folder: str, name: str, distant: Iterable[str]) -> bool:
    """Whether one of the folders of another machine may be a folder of the tree that holds a header."""
    return any(one.endswith(f"/{folder}") if folder else "/" in name for one in distant)


def _is_special(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


_DRAFTS = {"0x": "11", "1y": "14", "1z": "17", "2a": "20", "2b": "23"}
"""Standards by the names that they had before they were finished."""


def _given(standard: str) -> str:
    """The standard that the host's compiler is given, or that today's choose themselves."""
    dialect, _, year = standard.rpartition("+")
    return f"{dialect}+{_DRAFTS.get(year, year)}" if year else f"{_EXTENDED}{_OLDEST}"


def _dialect(settings: Settings, torch: bool) -> str:
    """How the standard begins by which a file is compiled: PyTorch's build gives one without GNU's extensions.

    Compilers have them where nobody names a standard, and CMake where nobody switches them off.
    """
    named = max(settings.standards, key=lambda name: int(_year(name) or 0), default="")
    strict = named in settings.strict or not settings.extensions if named else torch
    return _STRICT if strict else _EXTENDED


def _newest(standards: Iterable[str], oldest: str) -> str:
    """The newest of the standards seen, and never one that today's libraries refuse."""
    return max([*_finished(standards), oldest], key=int)


def _older(standards: Iterable[str], oldest: str) -> str:
    """The newest of the standards seen, where today's libraries refuse it; else empty."""
    newest = max(_finished(standards), key=int, default=oldest)
    return newest if int(newest) < int(oldest) else ""


def _finished(standards: Iterable[str]) -> list[str]:
    """Standards by the names of today; `98` is the oldest, and its number is not its age."""
    return list(filter(None, map(_year, standards)))


def _year(name: str) -> str:
    year = _DRAFTS.get(name, name)
    return year.replace("98", "03") if year.isdigit() else ""
