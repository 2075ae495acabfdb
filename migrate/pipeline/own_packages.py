"""Packages and libraries that a repository is itself: what its own files use of it is no library of others.

A package of Python is known by its folder, and a library of C++ by the header that an include names with its folder:
`<cuco/static_map.cuh>` is the repository's own where it has `include/cuco/static_map.cuh` outside of vendored folders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Inventory
from cudamigrate.pipeline.macros import library_rules
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax.python_requirements import normalised

_IMPORT = "import "
"""How the names of uses begin that stand for an imported module."""
_CLONE = "environment/built-clone"
_OWN_CLONE = (
    "This clones the repository itself, as its owner has it, and builds it for CUDA. "
    "Copy the converted code into the image instead."
)
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


def with_own_clones(results: Sequence[FileResult], inventory: Inventory, read: Read) -> Sequence[FileResult]:
    """The results, where what a script clones and builds is the repository itself, saying so."""
    asking = {one.path for one in results if any(finding.rule == _CLONE for finding in one.findings)}
    if not asking:
        return results
    paths = [entry.path for entry in inventory.entries]
    roots = _roots(paths)
    modules = {one.partition(".")[0] for one in _modules(paths, roots)}
    own = {normalised(one.encode()) for one in modules} | set(_distributions(paths, roots, read))
    return [_with_own_clones(one, own, read) if one.path in asking else one for one in results]


def _with_own_clones(result: FileResult, own: Set[str], read: Read) -> FileResult:
    source = read(result.path)
    made = [
        replace(one, message=_OWN_CLONE)
        if source is not None and one.rule == _CLONE and _cloned(source.text(one.span)) in own
        else one
        for one in result.findings
    ]
    return replace(result, findings=tuple(made))


def _cloned(address: str) -> str:
    """The name of the repository at an address, as packages are compared."""
    return normalised(address.rstrip("/").removesuffix(".git").rpartition("/")[2].encode())


def without_own_libraries(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> Sequence[FileResult]:
    """The results without findings on libraries of C++ that the repository itself is."""
    libraries = library_rules(book)
    held = ((result.path, [one for one in result.findings if one.rule in libraries]) for result in results)
    names = {one: name for path, found in held if found and (source := read(path)) is not None
             for one in found if (name := source.text(one.span).strip('<>"'))}  # fmt: skip
    headers = {name for name in names.values() if "/" in name}
    if not headers:
        return results
    found = {one for entry in inventory.entries for one in _ends(entry.path) if one in headers}
    folders = {name.partition("/")[0] for name in found}
    own = {
        one for one, name in names.items() if name in found or (name.endswith("::") and name[:-2].strip() in folders)
    }
    return [_less(result, lambda one: one.rule in libraries and one in own) for result in results]


def _ends(path: str) -> Iterator[str]:
    """The path from each of its folders on."""
    while path:
        yield path
        path = path.partition("/")[2]


def _less(result: FileResult, gone: Callable[[Finding], bool]) -> FileResult:
    """The result of a file without some of its findings."""
    kept = tuple(one for one in result.findings if not gone(one))
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


def _names_package(finding: Finding) -> bool:
    return finding.name.startswith(_IMPORT) or (finding.group == "packages" and finding.name != "")


def _without(result: FileResult, own: Set[str]) -> FileResult:
    """The result of a file without findings on what is the repository's own."""
    return _less(result, lambda one: one.name in own and _names_package(one))


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


def modules_of(inventory: Inventory) -> frozenset[str]:
    """The modules of Python that the repository itself is, by their full names."""
    paths = [entry.path for entry in inventory.entries]
    return frozenset(_modules(paths, _roots(paths)))


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
