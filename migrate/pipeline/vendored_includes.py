"""CUDA code in folders of other people's code that the project's own code includes: passed over, and needed.

A folder's name says whose code is in it, and nothing of whether the build reads it. What is included from there and
uses CUDA does not compile for AMD until it is converted too, or taken from a version that was.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.cuda.code_files import CUDA_INCLUDE, holds_cuda
from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.model.verification import PASSED_OVER
from cudamigrate.pipeline.cross_file import OF_PROGRAMS
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included
from cudamigrate.pipeline.toolkit_headers import rule_for, with_includes
from cudamigrate.project import discovery
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake

_HIP = re.compile(rb"\b(?:__HIP_PLATFORM_AMD__|__HIPCC__|USE_ROCM|hip[A-Z]\w+)\b")
"""A word of code that knows AMD itself."""
_BUILDS = ("cmake", "make", "meson", "python", "bazel")
_INCLUDING = ("include_directories", "target_include_directories")
_INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)')
_FOLDER = re.compile(rb"-I[ \t]*([^\s\"']+)")
"""An option that names a folder of headers."""


def with_vendored_includes(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read, aside: Read
) -> list[FileResult]:
    """The results, with a finding at each include of CUDA code that was passed over; `aside` reads what was."""
    results = with_includes(_without_own_samples(results, inventory), book, inventory, read)
    rule = book.rules.get(PASSED_OVER)
    if not inventory.passed_over or rule is None or rule.silent:
        return list(results)
    passed_over = dict.fromkeys(inventory.passed_over, False) | dict.fromkeys(inventory.toolkit, True)
    paths = IncludePaths((*(entry.path for entry in inventory.entries), *passed_over))
    words, uses = book.marks(), dict[str, bool]()
    made = []
    for result in results:
        source = read(result.path) if result.cuda and result.skip is None else None
        found: list[Finding] = []
        for name, span in _included(source, paths, passed_over, book) if source is not None else ():
            if name not in uses:
                uses[name] = _needs_conversion(aside(name), words)
            if uses[name] and source is not None:
                use = Use("name", name, span, span, (), "unknown", "token")
                found.append(engine.finding(source, Hit(PASSED_OVER, use, {"name": name}), rule))
        made.append(engine.with_more(result, found))
    return made


def _without_own_samples(results: Sequence[FileResult], inventory: Inventory) -> list[FileResult]:
    """The results without what is said of headers of NVIDIA's samples that the repository lacks, where it has them.

    They are in a folder of other people's code, or among the files that were not asked for.
    """
    own = {path.rpartition("/")[2] for path in inventory.passed_over}

    def is_there(finding: Finding) -> bool:
        named = _INCLUDE.match(finding.excerpt) if finding.rule in OF_PROGRAMS else None
        if named is None:
            return False
        root = Path(inventory.root)
        return named[1].rpartition("/")[2] in own or bool(discovery.near(root, finding.path, named[1]))

    made = []
    for result in results:
        kept = tuple(one for one in result.findings if not is_there(one))
        made.append(result if len(kept) == len(result.findings) else replace(result, findings=kept))
    return made


def needed_submodules(results: Sequence[FileResult], inventory: Inventory, read: Read) -> dict[str, int]:
    """Submodules that were not entered and whose headers files with CUDA include, with the number of these files.

    The include names the submodule's folder: `<tiny-cuda-nn/common.h>`. What the repository has itself is not its.
    Where a build looks for headers in the submodule, `include_directories(tiny-nn/src)`, the header may also be called
    after it, or be one of device code that nothing else can have. Where something is set up for CUDA and no file that
    was read has any, what uses it is in the submodules that a build enters, `add_subdirectory(ggml)`: those, with the
    number of files that enter them.
    """
    entered = {entry.path for entry in inventory.entries}
    left = [path for path in inventory.submodules if not any(one.startswith(f"{path}/") for one in entered)]
    folders = {path.rpartition("/")[2]: path for path in left}
    if not folders:
        return {}
    if not any(result.cuda for result in results):
        return _entered(results, frozenset(left), read) if any(result.findings for result in results) else {}
    paths, found = IncludePaths((*entered, *inventory.passed_over)), Counter[str]()
    searched = sorted(_searched(results, left, read))
    for result in results:
        source = read(result.path) if result.cuda and result.skip is None else None
        names = {name for name, _, _ in included(source)} if source is not None else set()
        foreign = [name for name in names if not paths.nearest(result.path, name)]
        mine = {folders[folder] for name in foreign if (folder := _folder(name, folders))}
        bare = [name for name in foreign if not _folder(name, folders)] if searched else []
        found.update(mine | {path for name in bare if (path := _by_search(name, searched))})
    return dict(found.most_common())


def _entered(results: Sequence[FileResult], left: Collection[str], read: Read) -> dict[str, int]:
    """The submodules of `left` that CMake files enter, with the number of these files."""
    found = Counter[str]()
    for result in results:
        source = read(result.path) if result.language == "cmake" else None
        commands = cmake.read(source.data) if source is not None and b"add_subdirectory" in source.data else ()
        home = posixpath.dirname(result.path)
        entered = (one.words()[0] for one in commands if one.name == "add_subdirectory" and one.args)
        found.update({posixpath.normpath(posixpath.join(home, path)) for path in entered} & set(left))
    return dict(found.most_common())


def _folder(name: str, folders: Collection[str]) -> str:
    """The folder of an include's path that is a submodule's, empty where none is."""
    return next((part for part in name.split("/")[:-1] if part in folders), "")


def _searched(results: Sequence[FileResult], left: Sequence[str], read: Read) -> set[str]:
    """The submodules of `left` that a build looks for headers in, by CMake's commands or an option `-I`."""
    found = set[str]()
    for result in results:
        source = read(result.path) if result.language in _BUILDS and left else None
        if source is None or not any(path.encode() in source.data for path in left):
            continue
        if result.language == "cmake":
            commands = (one for one in cmake.read(source.data) if one.name in _INCLUDING)
            texts = [text for command in commands for text in command.words()]
        else:
            texts = [match[1].decode("utf-8", "replace") for match in _FOLDER.finditer(source.data)]
        found.update(path for path in left if any(f"/{path}/" in f"/{text}/" for text in texts))
    return found


def _by_search(name: str, searched: Sequence[str]) -> str:
    """The submodule that a header is looked for in: one called alike, else the only one for device code."""
    called = _plain(name.rpartition("/")[2].partition(".")[0])
    alike = [path for path in searched if _plain(path.rpartition("/")[2]) == called]
    if alike:
        return alike[0]
    device = name.endswith(".cuh") and CUDA_INCLUDE.match(f'#include "{name}"'.encode()) is None
    return searched[0] if device and len(searched) == 1 else ""


def _plain(name: str) -> str:
    """A name in small letters without its signs: `slab_alloc` and `SlabAlloc` are alike."""
    return "".join(filter(str.isalnum, name)).lower()


def _included(
    source: SourceFile, paths: IncludePaths, passed_over: Mapping[str, bool], book: Rulebook
) -> Iterator[tuple[str, Span]]:
    """The files that were passed over and that a source includes, with the places; none that a rule replaces.

    `passed_over` says which are copies of NVIDIA's headers: those are replaced however they are spelled.
    """
    for name, _, place in included(source):
        found = paths.nearest(source.path, name)
        if len(found) != 1 or found[0] not in passed_over or book.include(name) is not None:
            continue
        if not passed_over[found[0]] or rule_for(found[0], name, book) is None:
            yield found[0], place


def _needs_conversion(source: SourceFile | None, words: frozenset[bytes]) -> bool:
    """Whether a file that was passed over uses CUDA, beyond asking for its compiler, and nothing in it knows AMD."""
    return source is not None and holds_cuda(source, words) and _HIP.search(source.data) is None
