"""CMake projects whose only language was CUDA, and that look for a package of ROCm's after the conversion.

The configuration of the package `hip`, which those of ROCm's libraries ask for, looks for the system's threads, and
CMake's module for these stops where neither C nor C++ is enabled. CUDA's toolkit asks for them only where one is.
A language is seen in the folder that enables it and in those below. Source: FindThreads.cmake, FindCUDAToolkit.cmake;
`hip-config.cmake` of HIP 5.2 and `hip-config-amd.cmake` of ROCm's clr. The older ones name the compiler of C++ as well.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate import edits as writing
from cudamigrate.analysis.cmake_endings import Surroundings, placed
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_dataclasses import replace as replaced
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-host-language"
_PACKAGE = re.compile(r"hip\w*|roc(?:blas|fft|prim|rand|solver|sparse|thrust)|rccl")
"""The package of HIP's runtime, and those of libraries, whose configurations ask for it."""
_SEARCHES = (*cmake.SEARCHES, "find_dependency")
_HOST = frozenset(("C", "CXX"))
_TELLING = ("project", "enable_language")
_VALUED = ("VERSION", "COMPAT_VERSION", "DESCRIPTION", "HOMEPAGE_URL", "SPDX_LICENSE")
"""Words of `project` that a value follows; with one of them `LANGUAGES` is before the languages."""
_CALLED = ("function", "macro")


def with_host_languages(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding where a search that the conversion writes finds neither language enabled."""
    rule = book.rules.get(RULE)
    files = [one for one in results if one.language == "cmake" and one.skip is None]
    if rule is None or rule.silent or not any(one.fix is not None for each in files for one in each.findings):
        return list(results)
    tree = _Tree([_File.of(one, source) for one in files if (source := read(one.path)) is not None])
    made: dict[str, list[Finding]] = {}
    for file in tree.files.values():
        for path, finding in _findings(tree, file, rule):
            made.setdefault(path, []).append(finding)
    return [engine.with_new(one, made.get(one.path, ())) for one in results]


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is and as safe fixes make it, with the commands of both."""

    source: SourceFile
    old: Sequence[Command]
    new: Sequence[Command]
    offsets: writing.Offsets

    @classmethod
    def of(cls, result: FileResult, source: SourceFile) -> _File:
        """What becomes of a file by its result."""
        fixes = [one.fix for one in result.findings if one.fix is not None and one.fix.safety == "safe"]
        made = writing.apply(source.data, fixes)
        return cls(source, cmake.read(source.data), cmake.read(made.data), writing.Offsets(made.applied))

    def before(self, command: Command) -> Command | None:
        """The command of the file as it is that became another; None for one that the conversion adds."""
        at = self.offsets.origin(command.at.start)
        return next((one for one in self.old if one.at.start == at and one.name == command.name), None)

    def search(self) -> Command | None:
        """The first search for a package of ROCm's, where the file as it is has none."""
        if any(map(_searches, self.old)):
            return None
        return next(filter(_searches, self.new), None)


class _Tree:
    """The CMake files of a tree by path."""

    def __init__(self, files: Sequence[_File]) -> None:
        self.files: Mapping[str, _File] = {one.source.path: one for one in files}

    @cached_property
    def _around(self) -> Surroundings:
        return Surroundings({path: list(placed(path, one.new)) for path, one in self.files.items()})

    def outer(self, path: str) -> list[str]:
        """The files in whose scope a file is: not those of folders that enter it nowhere."""
        found = sorted(self._around.outer(path) - {path})
        return [one for one in found if self._including(one, path) or self._enters(one, path)]

    def _including(self, outer: str, path: str) -> bool:
        return any(scope.path == outer for scope in self._around.includers(path))

    def _enters(self, outer: str, path: str) -> bool:
        """Whether a file names a folder on the way to another, or one by a variable."""
        steps = {*posixpath.dirname(path).split("/")} - {*posixpath.dirname(outer).split("/")}
        entered = (one.words()[:1] for one in self.files[outer].new if one.name in ("add_subdirectory", "subdirs"))
        return any("$" in word or not steps.isdisjoint(word.split("/")) for words in entered for word in words)

    def scripts(self) -> Iterator[Command]:
        """The commands of files that others may include."""
        for path, one in self.files.items():
            yield from one.new if not path.endswith("CMakeLists.txt") else ()


def _searches(command: Command) -> bool:
    return command.name in _SEARCHES and any(map(_PACKAGE.fullmatch, command.words()[:1]))


def _named(command: Command) -> list[str] | None:
    """The languages that a command names; None where it names none, and CMake enables C and C++."""
    words = command.words()[command.name == "project" :]
    if command.name == "project" and ("LANGUAGES" in words or not set(_VALUED).isdisjoint(words)):
        words = words[words.index("LANGUAGES") + 1 :] if "LANGUAGES" in words else []
        ends = [at for at, word in enumerate(words) if word in _VALUED]
        words = words[: ends[0]] if ends else words
    return words or None


def _may_enable(command: Command) -> bool:
    """Whether a command enables C or C++, or may do so by a variable."""
    if command.name not in _TELLING:
        return False
    named = _named(command)
    return named is None or not _HOST.isdisjoint(named) or any("$" in word for word in named)


def _findings(tree: _Tree, file: _File, rule: Rule) -> Iterator[tuple[str, Finding]]:
    """What is to be said for the search of one file, with the path of the file that gets it."""
    path, search = file.source.path, file.search()
    if search is None:
        return
    own = [one for one in file.new if one.span.start < search.span.start and one.name in _TELLING]
    outer = [(one, command) for one in tree.outer(path) for command in tree.files[one].new if command.name in _TELLING]
    telling = [*own, *(command for _, command in outer)]
    if not any(one.name == "project" for one in telling):
        return  # part of a project that is not here, or of one whose languages CMake chooses
    if any(map(_may_enable, (*telling, *tree.scripts()))):
        return
    heads = [(path, one) for one in reversed(own)] + outer
    for home, command in heads:
        named = _named(command) or []
        if command.name == "project" and "HIP" in named and (old := tree.files[home].before(command)) is not None:
            yield home, _in_project(tree.files[home].source, old, search, rule)
            return
    made = _in_front(file, own, search, rule)
    if made is not None:
        yield path, made


def _in_project(source: SourceFile, command: Command, search: Command, rule: Rule) -> Finding:
    """The finding for a project that names its languages: C++ becomes the first."""
    keyword = next((one for one in command.args if one.text == "LANGUAGES"), command.args[0])
    at = keyword.outer.end
    return _finding(source, command, search, rule, Edit(Span(at, at), b" CXX"))


def _in_front(file: _File, own: Sequence[Command], search: Command, rule: Rule) -> Finding | None:
    """The finding for a file that enables HIP by itself, or only looks for it: the line goes in front of that."""
    inside, names = cmake.branches(file.new), {one.span: one.name for one in file.new}
    around = inside[search.span]
    ahead = [
        one for one in own if one.name == "enable_language" and inside[one.span] == around[: len(inside[one.span])]
    ]
    first = next((one for one in ahead if "HIP" in one.words()), search)
    if any(names[one] in _CALLED for one in inside[first.span]):
        return None
    old = file.before(first) or file.before(search)
    if old is None:
        return None
    data = file.source.data
    line = b"enable_language(CXX)" + cmake.line_end(data) + cmake.indent(data, old.span.start)
    return _finding(file.source, old, search, rule, Edit(Span(old.span.start, old.span.start), line))


def _finding(source: SourceFile, command: Command, search: Command, rule: Rule, edit: Edit) -> Finding:
    use = Use("name", command.name, command.at, command.span, certainty="syntax")
    made = engine.finding(source, Hit(RULE, use, {"package": search.words()[0]}), rule)
    return replaced(made, fix=Fix((edit,), rule.safety))
