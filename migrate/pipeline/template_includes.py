"""Templates that CMake fills in: what they include of ours is found from where the file that it makes of one is.

`configure_file(gen/a.cu.in ${CMAKE_BINARY_DIR}/a.cu)` compiles a file in the folder of what is built, from which a path
that is relative to `gen` leads nowhere. CMake writes its own variables there: the include begins with the folder
of the project. So it is with one that a function of the project's is given, where such a function fills in what it is
given. A file that is copied as it is (`COPYONLY`) keeps the relative path, and so does one that is made beside
its template.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Report
from cudamigrate.syntax import cmake

_LISTS = "CMakeLists.txt"
_OWN_COMMANDS = ("configure_file", "install", "file", "message", "add_library", "add_executable", "target_sources")
"""Commands of CMake's that name a file and do not hand it to a function of the project's."""
_VARIABLE = re.compile(r"(\$\{\w+\}|@\w+@)")
_SOURCE = re.compile(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR|CMAKE_SOURCE_DIR|\w+_SOURCE_DIR)\}/")
"""How the path of a file in the folder of the sources begins."""
_PROJECT = re.compile(rb"^[ \t]*project[ \t]*\(", re.MULTILINE | re.IGNORECASE)
_INCLUDE = re.compile(rb'(#\s*include\s*)"(?:[\w.+-]+/)*(cudamigrate_\w+\.h)"')


def placed(report: Report, texts: Mapping[str, bytes], using: Set[str], home: Callable[[str], str]) -> Report:
    """The report, with the includes of ours in such templates named from the folder of a CMake file.

    `texts` are the build files, `using` the files that include ours, and `home` gives the folder of ours for a file.
    """
    found = projects(texts, using)
    if not found:
        return report
    before = {path: _before(folder, home(path)) for path, folder in found.items()}
    moved = {id(one): _named(one, before[one.path]) if one.path in before else one for one in report.findings}
    files = tuple(_of_file(file, before[file.path], moved) if file.path in before else file for file in report.files)
    return replace(report, findings=tuple(moved[id(one)] for one in report.findings), files=files)


def _of_file(file: FileResult, before: bytes, moved: Mapping[int, Finding]) -> FileResult:
    return replace(file, findings=tuple(moved.get(id(one)) or _named(one, before) for one in file.findings))


def projects(texts: Mapping[str, bytes], using: Set[str]) -> dict[str, str]:
    """The templates among some files, each with the folder of the project that fills it in."""
    return dict(_templates(texts, using))


def named(edit: Edit, project: str, home: str) -> Edit:
    """An edit that includes ours from a template which a project fills in, with the include from that project."""
    return _edit(edit, _before(project, home))


def _edit(edit: Edit, before: bytes) -> Edit:
    return Edit(edit.span, _INCLUDE.sub(lambda match: match[1] + b'"' + before + match[2] + b'"', edit.replacement))


def _before(project: str, home: str) -> bytes:
    return f"@PROJECT_SOURCE_DIR@/{_from(project, home)}".encode()


def _from(folder: str, home: str) -> str:
    """The way from one folder to another, with a slash behind it; empty where they are the same."""
    way = posixpath.relpath(home or ".", folder or ".")
    return "" if way == "." else f"{way}/"


def _named(finding: Finding, before: bytes) -> Finding:
    fix = finding.fix
    if fix is None or not any(_INCLUDE.search(edit.replacement) for edit in fix.edits):
        return finding

    return replace(finding, fix=replace(fix, edits=tuple(_edit(one, before) for one in fix.edits)))


def _templates(texts: Mapping[str, bytes], using: Set[str]) -> Iterator[tuple[str, str]]:
    """The templates among some files, each with the folder of the project that fills it in; none that several do."""
    found: dict[str, set[str]] = {}
    projects = {
        posixpath.dirname(path)
        for path, text in texts.items()
        if posixpath.basename(path) == _LISTS and _PROJECT.search(text) is not None
    }
    scripts = {path: text for path, text in sorted(texts.items()) if path.endswith((_LISTS, ".cmake"))}
    filling = {path: text for path, text in scripts.items() if b"configure_file" in text.lower()}
    named = [(path, _filled(path, text, using)) for path, text in filling.items()]
    if any(map(_fills_what_is_given, filling.values())):
        named += [(path, _given(path, text, using)) for path, text in scripts.items() if b".in" in text]
    for path, templates in named:
        project = _project(posixpath.dirname(path), projects)
        if project is not None:
            for template in templates:
                found.setdefault(template, set()).add(project)
    yield from ((template, next(iter(places))) for template, places in found.items() if len(places) == 1)


def _project(folder: str, projects: Set[str]) -> str | None:
    """The innermost folder around one that has the CMake file of a project; None without any."""
    while folder and folder not in projects:
        folder = posixpath.dirname(folder)
    return folder if folder in projects else None


def _filled(path: str, text: bytes, using: Set[str]) -> Iterator[str]:
    """The templates that a CMake file fills in elsewhere."""
    folder = posixpath.dirname(path)
    for command in cmake.read(text):
        words = command.words() if command.name == "configure_file" else []
        if len(words) > 1 and "COPYONLY" not in words:
            yield from (one for one in _meant(words[0], folder, using) if not _is_beside(words[1], one, folder))


def _fills_what_is_given(text: bytes) -> bool:
    """Whether a CMake file fills in a template whose name is all in a variable, into the folder of what is built."""
    found = (command.words() for command in cmake.read(text) if command.name == "configure_file")
    plain = (words for words in found if len(words) > 1 and "COPYONLY" not in words and not _SOURCE.match(words[1]))
    return any(_VARIABLE.fullmatch(words[0]) for words in plain)


def _given(path: str, text: bytes, using: Set[str]) -> Iterator[str]:
    """The templates that a CMake file names for what fills them in."""
    for command in cmake.read(text):
        if command.name not in _OWN_COMMANDS:
            named = (word for word in command.words() if word.endswith(".in") and "$" not in _SOURCE.sub("", word))
            yield from (one for word in named for one in _meant(word, posixpath.dirname(path), using))


def _meant(word: str, folder: str, using: Set[str]) -> list[str]:
    """The files that a word means: by its place from the folder, else by the end of a path behind variables."""
    plain = _SOURCE.sub("", word, count=1)
    if "$" not in plain and "@" not in plain:
        there = posixpath.normpath(posixpath.join(folder, plain))
        if there in using:
            return [there]
    spelled = plain.rpartition("}/")[2]
    pattern = "".join("[^/]*" if _VARIABLE.fullmatch(one) else re.escape(one) for one in _VARIABLE.split(spelled))
    return [path for path in sorted(using) if re.search(f"(?:^|/){pattern}$", path)] if pattern.strip("[^/]*") else []


def _is_beside(word: str, template: str, folder: str) -> bool:
    """Whether what is made of a template is in the folder of the sources, and beside it."""
    begin = _SOURCE.match(word)
    if begin is None:
        return False
    there = posixpath.dirname(posixpath.normpath(posixpath.join(folder, word[begin.end() :])))
    return there == posixpath.dirname(template)
