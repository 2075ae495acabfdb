"""The contract on doors for import-linter: what others import of a package, its `__init__.py` lists in `__all__`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class DoorContract(Contract):
    """A package is a room with a door.

    `plugins` are packages whose modules are found by file name. No module imports them by name but for those the
    package lists.
    """

    root = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Each import that enters a package by a module which the package does not list."""
        listed = exports(Path(self.root))
        broken = sorted(set(entries(graph, listed)))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports, and where the name would have to be listed."""
        for importer, imported, package in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}, which `__all__` of {package} does not list.")


def exports(root: Path) -> dict[str, frozenset[str]]:
    """The names in `__all__` of each package under a folder, by the package's dotted name."""
    return {
        ".".join(path.parent.relative_to(root.parent).parts): frozenset(_listed(path))
        for path in root.rglob("__init__.py")
    }


def _listed(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            yield from ast.literal_eval(node.value)


def entries(graph: ImportGraph, listed: dict[str, frozenset[str]]) -> Iterator[tuple[str, str, str]]:
    """Importer, imported module and package of every import that comes in beside the door."""
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            parts = imported.split(".")
            for depth in range(2, len(parts)):
                package = ".".join(parts[:depth])
                inside = importer == package or importer.startswith(f"{package}.")
                if not inside and parts[depth] not in listed.get(package, frozenset()):
                    yield importer, imported, package
