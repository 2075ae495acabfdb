"""Other projects that a build or a script fetches: by whom a header is brought that the tree does not have.

CMake's FetchContent and ExternalProject, CPM and `git clone` name what they fetch. A header is of such a project where
the first folder of its path, or its own name where it has no folder, is called as the project or its repository.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.environment.fetched_code import OF_HOST
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Inventory, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake

_FETCHES = ("fetchcontent_declare", "externalproject_add", "cpmaddpackage", "cpmfindpackage")
_MAY_FETCH = re.compile(rb"(?i)\b(?:%s)\b" % "|".join(_FETCHES).encode())
_KEYS = ("GIT_REPOSITORY", "GITHUB_REPOSITORY", "GITLAB_REPOSITORY", "URL", "SVN_REPOSITORY", "HG_REPOSITORY")
_CLONE = re.compile(
    rb"(?m)^[^#\n]*?(?<![\w.-])git[ \t]+(?:-\S+[ \t]+)*clone\b[^\n;&|]*?"
    rb"(?P<address>(?:(?:https?|git|ssh)://|git@)[^\s\"';&|()]+)"
)
"""A command that clones a repository, in no comment."""
_REPOSITORY = re.compile(r"(?:.*?[/:])?(?P<whole>(?:[\w.-]+/)?(?P<name>[\w.-]+?))(?:\.git)?(?:[#@][^/]*)?/?")
"""The end of an address, or `gh:owner/name#1.0`."""
_ARCHIVE = re.compile(r"(?P<whole>[\w.-]+/(?P<name>[\w.-]+))/(?:archive|releases|-)/")
"""An archive of a forge: `https://github.com/owner/name/archive/v1.0.tar.gz`."""
_OF_BOTH = frozenset(("libeigen/eigen", "kokkos/kokkos", "LLNL/RAJA", "alpaka-group/alpaka"))
"""Libraries for GPUs of both vendors, by the files of their repositories, as of 2026-11."""
_SCRIPTS = ("shell", "make", "cmake", "docker")


class Dependency(NamedTuple):
    """A project that is fetched: the name that the build has for it, its repository, and where that is said.

    `repository` is its name with its owner, as far as the address tells; empty where it does not.
    """

    name: str
    repository: str
    path: str
    line: int


def declared(results: Sequence[FileResult], read: Read) -> dict[str, Dependency]:
    """The projects that files of a tree fetch, by their names and those of their repositories, in plain letters."""
    found = dict[str, Dependency]()
    for one in sorted(results, key=lambda one: one.path):
        named = asked(read, one.path, _fetched) if one.language in _SCRIPTS and one.skip is None else None
        for name, repository, line in named or ():
            made = Dependency(name, repository, one.path, line)
            for word in (name, repository.rpartition("/")[2]):
                if len(plain(word)) > 1:
                    found.setdefault(plain(word), made)
    return found


def of_header(name: str, known: Mapping[str, Dependency]) -> Dependency | None:
    """The project among those `known` that brings a header, as its path is spelled."""
    folder, slash, last = name.replace("\\", "/").partition("/")
    return known.get(plain(folder if slash else folder.partition(".")[0])) if last or folder else None


def needed(results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read) -> dict[str, int]:
    """The fetched projects whose headers files with CUDA include, with the number of these files.

    What the tree has itself is not theirs, nor what a build makes beside it: of a project of which one header is here,
    all are. What a rule knows has findings of its own, and libraries that are known to have no code for a GPU ask for
    no work.
    """
    known = of_gpus(declared(results, read))
    if not known:
        return {}
    paths = IncludePaths((*(entry.path for entry in inventory.entries), *inventory.passed_over))
    found, own = Counter[Dependency](), set[Dependency]()
    for one in results:
        names = asked(read, one.path, spelled_includes) if one.cuda and one.skip is None else None
        brought = {name: made for name in names or () if (made := of_header(name, known)) is not None}
        is_here = {name: bool(paths.nearest(one.path, name)) for name in brought}
        own.update(made for name, made in brought.items() if is_here[name])
        found.update({made for name, made in brought.items() if not is_here[name] and book.include(name) is None})
    return {made.name: count for made, count in found.most_common() if made not in own}


def of_gpus(known: Mapping[str, Dependency]) -> dict[str, Dependency]:
    """The projects without those that have no code for a GPU, or have it for both vendors."""
    return {word: one for word, one in known.items() if one.repository not in OF_HOST | _OF_BOTH}


def plain(name: str) -> str:
    """A name in small letters without its signs: `gpu-lite` and `GpuLite` are alike."""
    return "".join(filter(str.isalnum, name)).lower()


def _fetched(source: SourceFile) -> tuple[tuple[str, str, int], ...]:
    """What a file fetches: names, repositories, and lines."""
    data = source.data
    found = [(*_named(words), span) for words, span in _commands(data)] if _MAY_FETCH.search(data) else []
    for match in _CLONE.finditer(data) if b"clone" in data else ():
        repository = _repository(match["address"].decode("utf-8", "replace"))
        found.append((repository.rpartition("/")[2], repository, match.start()))
    return tuple((name, repository, data.count(b"\n", 0, at) + 1) for name, repository, at in found if name)


def _commands(data: bytes) -> Iterator[tuple[list[str], int]]:
    """The words of CMake's commands that fetch a project, with their places."""
    for command in cmake.read(data):
        if command.name in _FETCHES and command.args:
            yield command.words(), command.span.start


def _named(words: Sequence[str]) -> tuple[str, str]:
    """The name that a command gives to a project, and its repository."""
    given = {key: value for key, value in itertools.pairwise(words) if key in (*_KEYS, "NAME")}
    address = next((given[key] for key in _KEYS if key in given), words[0] if len(words) == 1 else "")
    repository = _repository(address)
    name = given.get("NAME", "" if words[0] in given or len(words) == 1 else words[0])
    return name or repository.rpartition("/")[2], repository


def _repository(address: str) -> str:
    """The repository that an address leads to, with its owner: `owner/name`."""
    match = _ARCHIVE.search(address) or _REPOSITORY.fullmatch(address)
    return match["whole"] if match is not None else ""
