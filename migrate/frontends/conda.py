"""Files of conda's by their names -> ProjectFile: channels and packages, those for pip too."""

from __future__ import annotations

from cudamigrate.environment import conda_files
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import by_place, elsewhere

FILES = {
    "environment*.yml": "conda",
    "environment*.yaml": "conda",
    "*conda*.yml": "conda",
    "*conda*.yaml": "conda",
    "*_env.yml": "conda",
    "*_env.yaml": "conda",
}
PART = "packages"
TRIGGER = conda_files.TRIGGER


def parse(source: SourceFile) -> ProjectFile:
    """Read the channels and packages of a conda environment."""
    if elsewhere(source.path, source.data):
        return ProjectFile(source)
    asked = list(conda_files.packages(source.data, named=True))
    found = [one for one in asked if not isinstance(one, Use)]
    uses = [one if isinstance(one, Use) else one.use for one in asked]
    tree = conda_files.tree(source.data)
    return ProjectFile(source, sorted(uses, key=lambda use: use.span), tree, requirements=by_place(found))


def broken(data: bytes) -> int:
    """How many bytes the YAML grammar cannot place."""
    return tree_sitter_nodes.error_bytes(conda_files.tree(data))
