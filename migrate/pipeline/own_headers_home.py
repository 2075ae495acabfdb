"""Where the headers of our own go: to the root of the tree, or into the folder of headers that its users are given.

Who uses a library of headers names its folder to the compiler, copies it or installs it, and gets nothing else of the
tree. What is in it must not include a file from outside. Such a folder is one that builds name for includes, and of
which they compile no file that needs our headers. Beside headers that are installed one by one, ours are too. Projects
that are beside each other in a tree, and take nothing from outside of their folders, have ours each.
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Iterator, Mapping, Set
from functools import partial
from pathlib import Path

from cudamigrate.cuda.include_insertion import OWN_HEADERS, PORTABLE_HEADER
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileEntry, Finding, Report, Skip, Style
from cudamigrate.pipeline import installed_headers, separate_projects, template_includes
from cudamigrate.project import discovery
from cudamigrate.syntax import cmake

_BUILDS = ("make", "cmake", "shell")
_CODE = ("cuda", "cxx")
_HERE = (
    rb"(?:\$[({](?:CURDIR|CMAKE_(?:CURRENT_)?(?:SOURCE|LIST)_DIR|PROJECT_SOURCE_DIR|\w+_SOURCE_DIR)[)}]/)?"
    rb"(?:\$<(?:BUILD|INSTALL)_INTERFACE:(?:\$[({]\w+[)}]/)?)?"
)
_FOLDER = rb"(?P<folder>[\w.][\w./+-]*)"
_OPTION = re.compile(rb"-I[ \t]*\"?" + _HERE + _FOLDER)
"""A folder for includes as an option for a compiler: `-I../include`."""
_ARGUMENT = re.compile(_HERE + _FOLDER + rb">?\Z")
"""A folder as an argument of CMake's: `include`, `${PROJECT_SOURCE_DIR}/include`, `$<BUILD_INTERFACE:include>`."""
_OF_TREE = re.compile(rb"\$\{(?:CMAKE|PROJECT|\w+)_SOURCE_DIR\}")
"""A variable for the folder that the whole project is in, or the whole tree."""
_KEYWORD = re.compile(r"[A-Z_]+")
_ADDS = ("include_directories", "target_include_directories")
_WORDS = re.compile(rb"[\w.*+-]+")
_UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c")
_OURS = [one.encode() for one in (*OWN_HEADERS, PORTABLE_HEADER)]
_INCLUDE = re.compile(rb'"(?:\.\./)*(%s)"' % b"|".join(map(re.escape, _OURS)))
"""A header of ours as an include names it: of one that took another's place the edit has no more than that."""


def homed(report: Report, packaged: str = "") -> tuple[Report, Mapping[str, str]]:
    """The report whose fixes include our headers from where they will be, and that folder, empty for the root.

    Folders are by those of separate projects; by an empty one where there is one folder for the whole tree.
    `packaged` is the folder of a package that must hold them. In portable style these headers are included by the one
    of names, which is there, beside headers that are changed and installed one by one, or at the root.
    """
    if report.style is None:
        return report, {"": ""}
    using = {one.path for one in report.findings if _includes_ours(one)}
    made, homes = _at_home(report, report.style, using, packaged)
    texts = dict(build_texts(report)) if using else {}
    return template_includes.placed(made, texts, using, partial(of, homes)), homes


def _at_home(report: Report, style: Style, using: Set[str], packaged: str) -> tuple[Report, Mapping[str, str]]:
    """The report whose fixes include our headers by relative paths, and the folders of these."""
    if style.name == "portable" and not packaged:
        homes = _homes_of_names(report, style)
    else:
        homes = {"": packaged} if packaged or not using else _homes(report, using)
    if not any(homes.values()):
        return report, homes
    findings = tuple(_moved(one, of(homes, one.path)) for one in report.findings)
    moved = {id(old): new for old, new in zip(report.findings, findings, strict=True)}
    files = tuple(
        replace(file, findings=tuple(moved.get(id(one)) or _moved(one, of(homes, one.path)) for one in file.findings))
        if file.path in using
        else file
        for file in report.files
    )
    return replace(report, findings=findings, files=files), homes


def of(homes: Mapping[str, str], path: str) -> str:
    """The folder of our headers for the file at `path`."""
    return next((home for project, home in homes.items() if not project or path.startswith(f"{project}/")), "")


def _includes_ours(finding: Finding) -> bool:
    return finding.fix is not None and any(_INCLUDE.search(edit.replacement) for edit in finding.fix.edits)


def _moved(finding: Finding, home: str) -> Finding:
    """A finding whose fix includes our headers from a folder."""
    fix = finding.fix
    if fix is None or not _includes_ours(finding):
        return finding
    return replace(finding, fix=replace(fix, edits=tuple(moved(one, finding.path, home) for one in fix.edits)))


def moved(edit: Edit, path: str, home: str) -> Edit:
    """An edit of the file at `path` that includes our headers from a folder."""
    up = posixpath.relpath(home or ".", posixpath.dirname(path) or ".")
    before = b"" if up == "." else f"{up}/".encode()

    def there(match: re.Match[bytes]) -> bytes:
        return b'"' + before + match[1] + b'"'

    return replace(edit, replacement=_INCLUDE.sub(there, edit.replacement))


def _homes(report: Report, using: Set[str]) -> dict[str, str]:
    """The folders of our headers by those of separate projects, or the one for the whole tree."""
    texts = dict(build_texts(report))
    projects = separate_projects.around(using, texts, _sources(report, using))
    found = dict[str, str]()
    for project, inside in projects.items():
        own = _home(_below(project, texts), inside)
        found |= {folder or project: home or project for folder, home in own.items()}
    return found or _home(texts, using)


def _homes_of_names(report: Report, style: Style) -> dict[str, str]:
    """The folders of the header of names, which every changed file of code may need.

    What an earlier run has put somewhere stays there. PyTorch's build of an extension has the whole tree before it.
    """
    changed = {one.path for one in report.findings if one.fix is not None}
    texts = dict(build_texts(report))
    earlier = {one.path for one in report.files if posixpath.basename(one.path) == PORTABLE_HEADER}
    installed = _installed(texts, changed, "")
    if len(installed) > 1:
        return installed
    packaged = installed[""]
    if packaged or style.extension or PORTABLE_HEADER in earlier:
        return {"": packaged}
    code = {file.path for file in report.files if file.path in changed and file.language in _CODE}
    projects = separate_projects.around(code | earlier, texts, _sources(report, code))
    there = {one: min(map(posixpath.dirname, earlier & inside), default="") for one, inside in projects.items()}
    found = {
        one: there[one] or _installed(_below(one, texts), inside, "")[""] or one for one, inside in projects.items()
    }
    return found or {"": min(map(posixpath.dirname, earlier), default="")}


def _below(folder: str, texts: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: text for path, text in texts.items() if path.startswith(f"{folder}/")}


def _sources(report: Report, paths: Set[str]) -> dict[str, bytes]:
    """The texts of some files of a report's tree."""
    root, entries = Path(report.repository.root), (one for one in report.files if one.path in paths)
    found = (discovery.read(root, FileEntry(one.path, one.language, one.size)) for one in entries)
    return {one.path: one.data for one in found if not isinstance(one, Skip)}


def _home(texts: Mapping[str, bytes], using: Set[str]) -> dict[str, str]:
    """The one folder of headers that users are given and files of which need our headers: the part with all of these.

    Some take a part alone, as `include/lib` is. What is installed so that it leaves that folder has one of its own, by
    the folder that it is in; the empty one is of all others.
    """
    named = {folder for path, text in texts.items() for folder in _folders(path, text)}
    words = frozenset(word for text in texts.values() for word in _WORDS.findall(text))
    given = {one for one in named if one and _is_given(one, using, words)}
    outer = {one for one in given if not any(one.startswith(f"{other}/") for other in given)}
    inside = [posixpath.dirname(path) for path in using for one in outer if path.startswith(f"{one}/")]
    return _installed(texts, using, posixpath.commonpath(inside) if len(outer) == 1 else "")


def _installed(texts: Mapping[str, bytes], using: Set[str], home: str) -> dict[str, str]:
    """The folders of our headers where files in need of them are installed, with the one of all others, `home`."""
    found = installed_headers.homes(texts, using, home)
    if not home and len({*found.values()}) == 1:
        return {"": next(iter(found.values()))}
    return {"": home} if {*found.values()} <= {home} else {**found, "": home}


def build_texts(report: Report) -> Iterator[tuple[str, bytes]]:
    """The build files of a report's tree, each with its path."""
    root = Path(report.repository.root)
    for file in report.files:
        if file.language in _BUILDS:
            source = discovery.read(root, FileEntry(file.path, file.language, file.size))
            if not isinstance(source, Skip):
                yield file.path, source.data


def _folders(path: str, text: bytes) -> Iterator[str]:
    """The folders of the tree that a build file names for includes, or installs."""
    named = [("", match["folder"].decode()) for match in _OPTION.finditer(text)]
    for word in _arguments(text) if path.endswith(("CMakeLists.txt", ".cmake")) else ():
        match = _ARGUMENT.match(word)
        if match is not None:
            root = "/" if _OF_TREE.search(word) is not None else ""
            named += [(one, match["folder"].decode()) for one in {root, ""}]
    for root, name in named:
        folder = posixpath.normpath(posixpath.join("" if root else posixpath.dirname(path), name))
        if folder != "." and not folder.startswith(".."):
            yield folder


def _arguments(text: bytes) -> Iterator[bytes]:
    """The arguments of CMake's commands that name folders for includes, or folders that are installed."""
    for command in cmake.read(text):
        words = command.words()
        if command.name == "install":
            first = words.index("DIRECTORY") + 1 if "DIRECTORY" in words else len(words)
            yield from (one.encode() for one in itertools.takewhile(lambda one: not _is_keyword(one), words[first:]))
        elif command.name in _ADDS:
            yield from (one.encode() for one in words)


def _is_keyword(word: str) -> bool:
    return _KEYWORD.fullmatch(word) is not None


def _is_given(folder: str, using: Set[str], words: Set[bytes]) -> bool:
    """Whether files of a folder need our headers, and no build compiles one of them, by its name or by a pattern."""
    inside = [path for path in using if path.startswith(f"{folder}/")]
    units = [path for path in inside if path.endswith(_UNITS)]
    patterns = {word for word in words if b"*" in word}
    compiled = any(posixpath.basename(path).encode() in words for path in units)
    taken = any(word.endswith(posixpath.splitext(path)[1].encode()) for path in units for word in patterns)
    return bool(inside) and not compiled and not taken
