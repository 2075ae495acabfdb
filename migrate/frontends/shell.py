"""Shell and Slurm scripts -> ProjectFile: commands, variables, packages, images, paths and addresses."""

from __future__ import annotations

from cudamigrate.environment import built_packages, command_uses, fetched_code
from cudamigrate.model import SourceFile, Span
from cudamigrate.syntax import shell, tree_sitter_nodes, utf8
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import by_place, elsewhere

FILES = {
    ".sh": "shell",
    ".bash": "shell",
    ".zsh": "shell",
    ".ksh": "shell",
    ".slurm": "shell",
    ".sbatch": "shell",
    ".slm": "shell",
    ".pbs": "shell",
    ".lsf": "shell",
}
PART = "environment"
TRIGGER = command_uses.TRIGGER


def parse(source: SourceFile) -> ProjectFile:
    """Read the commands of a script."""
    if elsewhere(source.path, source.data):
        return ProjectFile(source)
    found = command_uses.UseCollector(source.data)
    whole = Span(utf8.start(source.data), len(source.data))
    read = shell.read(source.data, whole)
    command_uses.script(found, read)
    found.uses.extend(use for use in fetched_code.built([read]) if use.name != fetched_code.UNKNOWN)
    found.uses.extend(built_packages.uses([read]))
    return ProjectFile(source, found.all_uses(), None, requirements=by_place(found.requirements))


def broken(data: bytes) -> int:
    """How many bytes the shell grammar cannot place."""
    return tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("bash", data))
