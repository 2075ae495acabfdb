"""Packages that a repository is itself: what its own files import from it, or ask for, is no library of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Inventory
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax.python_requirements import normalised

_IMPORT = "import "
"""How the names of uses begin that stand for an imported module."""
_PROJECTS = frozenset(("setup.py", "setup.cfg", "pyproject.toml"))
_BELOW = ("", "src/", "python/", "lib/")
"""Where packages are below the folder of a project."""


def without_own_packages(results: Sequence[FileResult], inventory: Inventory, read: Read) -> Sequence[FileResult]:
    """The results without findings on modules and packages of Python that the repository itself is."""
    named = {
        finding.group: finding.name for result in results for finding in result.findings if _names_package(finding)
    }
    if not named:
        return results
    paths = [entry.path for entry in inventory.entries]
    roots = _roots(paths)
    own = {_IMPORT + module for module in _modules(paths, roots)}
    if "packages" in named:
        own.update(_distributions(paths, roots, read))
    return [_without(result, own) for result in results]


def _names_package(finding: Finding) -> bool:
    return finding.name.startswith(_IMPORT) or (finding.group == "packages" and finding.name != "")


def _without(result: FileResult, own: Set[str]) -> FileResult:
    """The result of a file without findings on what is the repository's own."""
    kept = tuple(one for one in result.findings if not (one.name in own and _names_package(one)))
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


def _roots(paths: Iterable[str]) -> frozenset[str]:
    """The folders that packages are imported from, each with a slash at its end but for the repository's own."""
    parts = (path.rpartition("/") for path in paths)
    projects = {""}.union(folder + slash for folder, slash, name in parts if name in _PROJECTS)
    return frozenset(project + below for project in projects for below in _BELOW)


def _modules(paths: Iterable[str], roots: frozenset[str]) -> Iterator[str]:
    """The modules of the repository by their full names."""
    for path in paths:
        if not path.endswith(".py"):
            continue
        module = path.removesuffix(".py").removesuffix("/__init__")
        for at, byte in enumerate(f"/{module}"):  # each folder above that packages are imported from
            if byte == "/" and module[:at] in roots:
                yield module[at:].replace("/", ".")


def _distributions(paths: Iterable[str], roots: frozenset[str], read: Read) -> Iterator[str]:
    """The names that the projects of the repository give themselves."""
    import tomli  # most repositories name no package of theirs

    for path in paths:
        folder, slash, name = path.rpartition("/")
        source = read(path) if name == "pyproject.toml" and folder + slash in roots else None
        if source is None:
            continue
        try:
            project = tomli.loads(source.data.decode()).get("project")
        except (ValueError, RecursionError):  # a broken file is reported elsewhere
            continue
        given = project.get("name") if isinstance(project, dict) else None
        if isinstance(given, str):
            yield normalised(given.encode())
