"""Builds the tables of the default target into a wheel, so that the first run is as quick as the others.

The build tool runs this from a checkout. An editable installation gets none: its rules change.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_TABLES = (
    "releases",
    "gpus",
    "frameworks",
    "effort",
    "performance",
    "both-vendors",
    "argument-counts",
    "matrix-products",
)


class CustomBuildHook(BuildHookInterface[Any]):
    """The hook by the name that the build tool looks for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the tables to what goes into the wheel."""
        if version == "editable":
            return
        folder = Path(self.directory) / "compiled"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as place:  # a source archive has no link by the package's name
            Path(place, "cudamigrate").symlink_to(Path(self.root, "migrate"), target_is_directory=True)
            sys.path.insert(0, place)
            made = sorted(written(folder))
        for path in made:
            build_data["force_include"][str(path)] = f"cudamigrate/_rules/compiled/{path.name}"


def written(folder: Path) -> list[Path]:
    """The files written to a folder: of the default target, all that a run would otherwise make and keep."""
    from cudamigrate import frontends, shipped_data
    from cudamigrate.config import Config
    from cudamigrate.pipeline import rule_base
    from cudamigrate.ptx import table as ptx
    from cudamigrate.rulebase import compiled
    from cudamigrate.warp import sources

    goal = rule_base.target(Config())
    code = rule_base.packed_code(goal)
    values = {
        "code": (compiled.key("code", goal), code),
        "project": (compiled.key("project", goal), rule_base.packed_project(goal)),
        "marks": (compiled.key("marks", goal), compiled.unpack_code(code, goal, ()).marks()),
        "front-ends": ("", frontends.listed()),
        "warp-facts": ("", sources.tables()),
        "ptx": ("joined", ptx.contents()),
    }
    values |= {f"table-{name}": (name, shipped_data.table(name)) for name in _TABLES}
    for kind, (key, made) in values.items():
        shipped_data.keep(folder / f"{kind}.marshal", key, made)
    return [folder / f"{kind}.marshal" for kind in values]
