"""Paths -> SourceFile.

Result: an `Inventory` of the files to read and of all that was left out, and, file by file, a `SourceFile` or the
`Skip` that says why not.

Names decide first: files of no known language are only counted; `exclude` removes; vendored folders are counted, not
entered, unless `include` names the file. Then the file system: links, special files and large files are skipped. The
content is looked at last, by `read`. A link is never read: the file it leads to is read under its own name.
"""

from __future__ import annotations

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.errors import InputError
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import LOOKED_AT, FileEntry, Inventory, Skip, SourceFile
from cudamigrate.project import file_kinds, git, vendored_folders
from cudamigrate.project.file_access import DEEPEST, is_apple_double, is_below, read_regular
from cudamigrate.project.file_listing import Listing, globs, listing

_GROWTH = 10_000_000
"""Bytes that a file may have grown to since it was listed; a listed size above that is the limit itself."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def languages(suffixes: Mapping[str, str]) -> Callable[[str], str]:
    """A function from a path to its language, empty where the name is of none.

    Keys of `suffixes` are suffixes (`.cu`, `.cu.in`), whole names (`Makefile`) or globs of names (`*require*.txt`); a
    glob with a slash is one of the end of a path (`requirements/*.txt`).
    A whole name counts before a glob, a glob before a suffix, and a longer suffix before a shorter one. A suffix that
    is not known as written is tried in small letters.
    """
    return _languages(tuple(suffixes.items()))


@lru_cache(maxsize=16)
def _languages(named: tuple[tuple[str, str], ...]) -> Callable[[str], str]:
    """The same, made once for the same names: every tree and every file that is read by itself asks for it."""
    suffixes = dict(named)
    ends = {key: language for key, language in suffixes.items() if key.startswith(".") and "*" not in key}
    patterns = [
        (re.compile(translate(f"*/{key}" if "/" in key else key)), "/" in key, language)
        for key, language in suffixes.items()
        if "*" in key
    ]

    of_names = re.compile("|".join(translate(key) for key in suffixes if "*" in key and "/" not in key) or "(?!)")
    of_paths = re.compile("|".join(translate(f"*/{key}") for key in suffixes if "*" in key and "/" in key) or "(?!)")

    def language(path: str) -> str:
        name = path.rpartition("/")[2]
        if name in suffixes and not name.startswith("."):
            return suffixes[name]
        if of_names.match(name) or of_paths.match(f"/{path}"):  # most are of none, which is seen at once
            return next(found for glob, whole, found in patterns if glob.match(f"/{path}" if whole else name))
        at = name.find(".", 1)
        while at > 0:
            end = name[at:]
            if end in ends or end.lower() in ends:
                return ends.get(end) or ends[end.lower()]
            at = name.find(".", at + 1)
        return ""

    return language


def discover(root: Path, config: Config, suffixes: Mapping[str, str]) -> Inventory:
    """Everything to read below `root`, a folder, or the one file that `root` is. Raises InputError if there is none."""
    if not os.path.lexists(root):
        raise InputError(f"{root} does not exist.")
    if not root.is_dir():
        return discover_files(root.parent, [root], config, suffixes)
    search = _Search(root, config, suffixes)
    search.folder("", listing(root))
    return search.inventory()


def discover_files(root: Path, paths: Sequence[Path], config: Config, suffixes: Mapping[str, str]) -> Inventory:
    """What to read among `paths`, which lie below `root`; a folder stands for what `discover` finds in it.

    A file that is named is taken also where it is vendored or ignored by git; `exclude` holds, and a file of no known
    language is passed over. Raises InputError for a path that does not exist or lies outside `root`.
    """
    search = _Search(root, config, suffixes)
    base = os.path.abspath(root)
    for path in paths:
        if not os.path.lexists(path):
            raise InputError(f"{path} does not exist.")
        inside = _relative(os.path.abspath(path), base)
        if inside is None:
            raise InputError(f"{path} is outside {root}.")
        if path.is_dir() and not path.is_symlink():
            search.folder("" if inside == "." else inside, listing(path))
        else:
            search.file(inside)
    return search.inventory()


def with_included(
    inventory: Inventory, includes: Iterable[tuple[str, str]], config: Config, suffixes: Mapping[str, str]
) -> Inventory:
    """The inventory with the files that code includes and whose endings say nothing; the same one where there are none.

    `includes` are files of the inventory, each with the path in quotes that it includes. That is looked for in the
    folder of the file and in those around it, as far up as the root.
    """
    root, language = Path(inventory.root), languages(suffixes)
    wanted = {near(root, path, name) for path, name in includes if not language(name)} - {""}
    return with_languages(inventory, dict.fromkeys(wanted, "cxx"), config, suffixes)


def with_languages(
    inventory: Inventory, chosen: Mapping[str, str], config: Config, suffixes: Mapping[str, str]
) -> Inventory:
    """The inventory with files whose names say nothing, each in its language in `chosen`; or as it is.

    A file that its name makes one of the build's, and that is code, takes the place of that.
    """
    search = _Search(Path(inventory.root), config, suffixes)
    search.language = lambda path: chosen.get(path, "")
    known = {entry.path: entry for entry in inventory.entries}
    code = {path for path, entry in known.items() if entry.language in _CODE}
    search.folder("", Listing(files=sorted(chosen.keys() - code)))
    if not search.entries:
        return inventory
    entries = sorted((known | search.entries).values(), key=lambda entry: entry.path)
    return replace(inventory, entries=tuple(entries), other=inventory.other - len(search.entries.keys() - known.keys()))


def with_own(inventory: Inventory, paths: Iterable[str], config: Config, suffixes: Mapping[str, str]) -> Inventory:
    """The inventory with some files of vendored folders, code or scripts, which then count as the project's own."""
    search = _Search(Path(inventory.root), config, suffixes)
    wanted = set(paths)
    for path in wanted:
        search.file(path)
    entries = sorted((*inventory.entries, *search.entries.values()), key=lambda entry: entry.path)
    vendored = Counter(inventory.vendored)
    for path in wanted:
        home = max((one for one in vendored if path.startswith(f"{one}/")), key=len, default="")
        vendored.subtract([home] if home else [])
    return replace(
        inventory,
        entries=tuple(entries),
        skipped=tuple(sorted({*inventory.skipped, *search.skipped}, key=lambda skip: (skip.path, skip.kind))),
        vendored={home: count for home, count in sorted(vendored.items()) if count},
        scripts=tuple(one for one in inventory.scripts if one not in wanted),
        passed_over=tuple(one for one in inventory.passed_over if one not in wanted),
    )


def near(root: Path, path: str, name: str) -> str:
    """The file that the file `path` spells as `name`, in its folder or one around it; empty where there is none."""
    while path:
        path = path.rpartition("/")[0]
        found = os.path.normpath(f"{path}/{name}" if path else name).replace(os.sep, "/")
        if not found.startswith(("../", "/")) and is_below(root, found) and os.path.isfile(root / found):
            return found
    return ""


def select(root: Path, paths: Iterable[str], config: Config, suffixes: Mapping[str, str]) -> list[tuple[str, str]]:
    """The relative `paths` that a scan of `root` would read, each with its language, judged by name alone."""
    search = _Search(root, config, suffixes)
    chosen, _ = search.chosen(list(paths), "")
    return sorted(chosen)


_CODE = ("cuda", "cxx")


@dataclass(slots=True)
class _Search:
    """One search for files; the lists grow as folders and files are added."""

    root: Path
    config: Config
    suffixes: Mapping[str, str]
    entries: dict[str, FileEntry] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    vendored: Counter[str] = field(default_factory=Counter)
    submodules: list[str] = field(default_factory=list)
    ignored: int = 0
    other: int = 0
    configuring: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    naming: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    others: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    language: Callable[[str], str] = field(init=False)
    _below: str = field(init=False)

    def __post_init__(self) -> None:
        self.language = languages(self.suffixes)
        self._below = os.path.join(self.root, "")

    def folder(self, prefix: str, found: Listing) -> None:
        """Add what a listing of the folder `prefix` holds."""
        under = f"{prefix}/" if prefix else ""
        self.skipped += [Skip(under + skip.path if skip.path != "." else prefix or ".", skip.kind, skip.reason)
                         for skip in found.skipped]  # fmt: skip
        chosen, vendored = self.chosen([under + path for path in found.files], prefix)
        self.vendored.update(vendored)
        for path, language in chosen:
            self._add(path, language)
        self.skipped += filter(None, (self._folder_link(under + path) for path in found.links))
        for path in sorted(found.submodules):
            self._submodule(under + path)

    def file(self, path: str) -> None:
        """Add one file by its relative path, wherever it is."""
        language = self.language(path)
        if not language:
            if file_kinds.PLAIN.match(path.rpartition("/")[2]):
                self.naming.append(path)
                self.other += 1
            return
        if globs(self.config.exclude).match_file(self._glob_prefix() + path):
            self.ignored += 1
        else:
            self._add(path, language)

    def inventory(self) -> Inventory:
        """What was found, in the order of the paths."""
        self.skipped += [self._link(path) for path in sorted(set(self.links))]
        return Inventory(
            root=str(self.root),
            entries=tuple(self.entries[path] for path in sorted(self.entries)),
            skipped=tuple(sorted(set(self.skipped), key=lambda skip: (skip.path, skip.kind))),
            vendored=dict(sorted(self.vendored.items())),
            submodules=tuple(sorted(set(self.submodules))),
            ignored=self.ignored,
            other=self.other,
            configuring=tuple(sorted(self.configuring)),
            passed_over=tuple(sorted(self.passed_over)),
            scripts=tuple(sorted(vendored_folders.without_code(self.scripts, (*self.passed_over, *self._code())))),
            naming=tuple(sorted(self.naming)),
            modules=tuple(sorted(self.modules)),
            unnamed=tuple(sorted(self.unnamed)),
            languages={name: len(paths) for name, paths in sorted(self.others.items())},
            bound=dict(self.others),
        )

    def chosen(self, paths: list[str], base: str) -> tuple[list[tuple[str, str]], Counter[str]]:
        """The paths to read, each with its language, and how many each vendored folder below `base` holds."""
        at = self._glob_prefix()
        include = globs(self.config.include) if self.config.include else None
        exclude = globs(self.config.exclude)
        vendored_in = vendored_folders.outermost(self.config, paths, at, base)
        chosen: list[tuple[str, str]] = []
        vendored: Counter[str] = Counter()
        for path in paths:
            language = self.language(path)
            name = file_kinds.LANGUAGES.get(os.path.splitext(path)[1])
            if name and language in ("", LOOKED_AT.get(name)) and not vendored_in(path.rpartition("/")[0]):
                self.others[name].append(path)
            if not language:
                self.other += 1
                if path.endswith(file_kinds.CONFIGURING) and not vendored_in(path.rpartition("/")[0]):
                    self.configuring.append(path)
                elif path.endswith(file_kinds.MODULES):
                    self.modules.append(path)
                elif path.endswith(file_kinds.NAMING) or file_kinds.PLAIN.match(path.rpartition("/")[2]):
                    self.naming.append(path)
                if self._is_unnamed(path) and not vendored_in(path.rpartition("/")[0]):
                    self.unnamed.append(path)
            elif exclude.match_file(at + path) or (include and not include.match_file(at + path)):
                self.ignored += 1
            elif (home := vendored_in(path.rpartition("/")[0])) and not include:
                vendored[home] += 1
                (self.passed_over if language in _CODE else self.scripts).append(path)
            else:
                chosen.append((path, language))
        return chosen, vendored

    def _is_unnamed(self, path: str) -> bool:
        """Whether a file of no language has an ending of code before its last one: `kernels.cu.tmpl`."""
        stem, dot, _ = path.rpartition("/")[2].rpartition(".")
        return bool(dot) and "." in stem[1:] and self.language(stem) in _CODE

    def _code(self) -> Iterator[str]:
        return (path for path, entry in self.entries.items() if entry.language in _CODE)

    def _glob_prefix(self) -> str:
        """The scanned folder as globs see it: relative to the configuration file's folder, with a slash."""
        inside = _relative(os.path.abspath(self.root), self.config.folder) if self.config.folder else None
        return "" if inside in (None, ".") else f"{inside}/"

    def _add(self, path: str, language: str) -> None:
        """Look at the file itself, and take it or say why not."""
        if not git.is_utf8(path):
            name = os.fsencode(path).decode("utf-8", "backslashreplace")
            self.skipped.append(Skip(name, "unreadable", "unreadable name: not UTF-8"))
            return
        if path.count("/") > DEEPEST:
            self.skipped.append(Skip(path, "limit", f"is in more than {DEEPEST} folders"))
            return
        try:
            status = os.lstat(self._below + path)
        except (FileNotFoundError, NotADirectoryError):
            return  # tracked, and deleted in the work tree
        except OSError as error:
            self.skipped.append(Skip(path, "unreadable", f"cannot be read: {error.strerror}"))
            return
        limit = self.config.max_file_size
        if stat.S_ISLNK(status.st_mode):
            self.links.append(path)
        elif not stat.S_ISREG(status.st_mode):
            self.skipped.append(Skip(path, "unreadable", "not a regular file"))
        elif status.st_size > limit:
            reason = f"{status.st_size:,} bytes, more than the {limit:,} of `max-file-size`"
            self.skipped.append(Skip(path, "too-large", reason))
        elif not is_apple_double(self.root, path):
            self.entries[path] = FileEntry(path, language, status.st_size)

    def _link(self, path: str) -> Skip:
        """Why a link that has a source file's name is not read itself."""
        real = os.path.realpath(self.root / path)
        inside = _relative(real, os.path.realpath(self.root))
        if os.path.islink(real):
            reason = "link leads back to itself"
        elif not os.path.exists(real):
            reason = "link leads nowhere"
        elif inside is None:
            reason = "link leaves the scanned folder"
        elif inside in self.entries:
            if self.language(path) == "cuda":  # nvcc gets the same text under the link's name
                self.entries[inside] = replace(self.entries[inside], language="cuda")
            reason = f"link to `{inside}`, which is read under that name"
        else:
            reason = f"link to `{inside}`, which is not read"
        return Skip(path, "link", reason)

    def _folder_link(self, path: str) -> Skip | None:
        """A notice for a link to a folder outside the root; inside it the folder is found under its own name."""
        real = os.path.realpath(self.root / path)
        if self.language(path) or not os.path.isdir(real) or _relative(real, os.path.realpath(self.root)) is not None:
            return None
        return Skip(path, "link", "link to a folder outside the scanned one")

    def _submodule(self, path: str) -> None:
        self.submodules.append(path)
        if not self.config.submodules:
            return
        folder = self.root / path
        if not is_below(self.root, f"{path}/"):
            self.skipped.append(Skip(path, "submodule", "the folder of this submodule is a link, or lies elsewhere"))
        elif folder.is_dir() and any(folder.iterdir()):
            self.folder(path, listing(folder))
        else:
            self.skipped.append(Skip(path, "submodule", "submodule is not checked out"))


def _relative(path: str, base: str) -> str | None:
    """`path` relative to `base` in POSIX form, None where it is not inside; both are absolute."""
    try:
        return Path(path).relative_to(base).as_posix()
    except ValueError:
        return None


def read(root: Path, entry: FileEntry) -> SourceFile | Skip:
    """The bytes of a file that discovery chose, or why they are not source text.

    A file that became a link, something special or larger since it was chosen is not read.
    """
    try:
        data = read_regular(root, entry.path, max(entry.size, _GROWTH))
    except OSError as error:
        return Skip(entry.path, "unreadable", f"cannot be read: {error.strerror}")
    return source(entry.path, data, entry.language)


def source(path: str, data: bytes, language: str) -> SourceFile | Skip:
    """A file's bytes as a SourceFile, unless they are not text in a byte encoding."""
    if data.startswith(_UTF16):
        return Skip(path, "encoding", "UTF-16 or UTF-32 text; convert it to UTF-8")
    if b"\0" in data:
        return Skip(path, "binary", "binary data: it holds NUL bytes")
    return SourceFile(path, data, language)
