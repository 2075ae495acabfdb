"""A repository that is a library of NVIDIA's itself does not use it: what it says of its own headers is no finding.

It is the library where most of what its files include of the library's folder are files of its own: a header among them
that is not there is one that its build makes. A target that its build files make is its own as well. Vendored copies
are not read, so that who has one in a vendored folder uses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake

_CODE = ("cuda", "cxx")
_LINKED = "build/cmake-link-"
_FEWEST = 4
"""Headers of a library that a repository has at least where it is the library: one or two are copies."""
_SHOWN = re.compile(r"[<\"](\w+)/|\b(\w+)\s*::|^(\w+)/")
"""A header in a folder, or a name in a namespace: `<nvbench/a.cuh>`, `nvbench::main`, `nvbench/a.cuh`."""


def without_own_library(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings that have no fix on libraries which the repository itself is."""
    asked = {_library(one) for result in results for one in result.findings if _is_of_library(one)}
    if not asked:
        return list(results)
    own = _own(asked, results, read)
    made = frozenset(_made(results, read)) if any(map(_links, results)) else frozenset[str]()
    return [_without(result, own, made) for result in results]


def without_own_interface(results: Sequence[FileResult], book: Rulebook, paths: frozenset[str]) -> list[FileResult]:
    """The results without findings on names of a library whose own headers are among the `paths` of the repository.

    The repository is the library then, and has the names, whatever macros they are pasted by. Names that the library
    has from elsewhere have rules of another library.
    """
    rules = {one.rule for result in results for one in result.findings}  # few, of many findings
    lacking = {name for rule in rules if (name := _library_lacking(rule, book))}
    own = {name for name in lacking if _has_headers(name, book, paths)}
    if not own:
        return list(results)
    return [_without_names(result, book, own) for result in results]


def _library_lacking(name: str, book: Rulebook) -> str:
    """The library of a rule on a name that has no equivalent; empty for any other rule."""
    rule = book.rules.get(name) if name.startswith("api/") else None
    return rule.library if rule is not None and rule.support == "none" else ""


def _has_headers(library: str, book: Rulebook, paths: frozenset[str]) -> bool:
    """Whether most of the headers that the rules know of a library, and no less than a few, are in the repository."""
    known = {name for name, rule in book.includes.items() if rule.library == library}
    ends = {"/".join(path.split("/")[-parts:]) for path in paths for parts in (1, 2, 3)}
    there = len(known & ends)
    return there >= _FEWEST and 2 * there > len(known)


def _without_names(result: FileResult, book: Rulebook, own: Set[str]) -> FileResult:
    kept = tuple(one for one in result.findings if _library_lacking(one.rule, book) not in own or one.fix is not None)
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


def _is_of_library(finding: Finding) -> bool:
    """Whether a finding says that a library has no equivalent, and changes nothing."""
    return (finding.group == "library" or finding.rule.startswith(_LINKED)) and finding.fix is None


def _links(result: FileResult) -> bool:
    return any(finding.rule.startswith(_LINKED) for finding in result.findings)


def _library(finding: Finding) -> str:
    """The folder of headers or the namespace that a finding names: that of `nvbench/a.cuh`, and of `nvbench::main`."""
    shown = _SHOWN.search(finding.name or finding.excerpt)
    return (shown[1] or shown[2] or shown[3]) if shown is not None else ""


def _own(folders: Iterable[str], results: Sequence[FileResult], read: Read) -> frozenset[str]:
    """The folders of headers among those that the repository has itself."""
    wanted = {f"{name}/" for name in folders}
    paths = [f"/{result.path}" for result in results]
    spelled: dict[str, set[str]] = {}
    for result in results:
        for name in (asked(read, result.path, spelled_includes) or ()) if result.language in _CODE else ():
            folder = name.partition("/")[0]
            if f"{folder}/" in wanted and name != folder:
                spelled.setdefault(folder, set()).add(name)
    there = {folder: {path for path in paths if f"/{folder}/" in path} for folder in spelled}
    return frozenset(
        folder
        for folder, names in spelled.items()
        if 2 * sum(any(path.endswith(f"/{name}") for path in there[folder]) for name in names) > len(names)
    )


def _made(results: Sequence[FileResult], read: Read) -> Iterator[str]:
    """The targets that the build files of a repository make under a name of their own: `add_library(a::b ALIAS b)`."""
    for result in results:
        source = read(result.path) if result.language == "cmake" else None
        for command in cmake.read(source.data) if source is not None else ():
            if command.name == "add_library" and command.args:
                yield command.args[0].text


def _without(result: FileResult, own: frozenset[str], made: frozenset[str]) -> FileResult:
    kept = tuple(
        one for one in result.findings if not (_is_of_library(one) and (_library(one) in own or one.name in made))
    )
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)
