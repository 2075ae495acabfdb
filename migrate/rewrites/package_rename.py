"""Another package takes the place of a requirement: its new name, where it has the versions that are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import requirements
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_versions import allows


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the new name and the versions that it was published with.

    One of these must meet the specifiers, which stay as they are.
    """
    new, *published = words
    item = requirements(parsed).get(use.span.start)
    if item is None or parsed.hashed or item.extras.end:
        return []
    if item.version.end and not item.clauses:
        return []  # a variable or a form that is not known
    met = any(allows(item.clauses, version) for version in published)
    return [Edit(use.span, new.encode())] if met else []
