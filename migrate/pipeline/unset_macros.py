"""Which macros nothing in a repository sets: no build, script or documentation names them, and code only asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cudamigrate.analysis import port_reach
from cudamigrate.model import FileEntry, Inventory
from cudamigrate.model.port_facts import BuildNames, FileEvidence
from cudamigrate.pipeline.cached_work import Cache
from cudamigrate.pipeline.port_passes import Mentions, Spoken

_CODE = ("cuda", "cxx")
_OF_PROJECTS = frozenset(("GGML_USE_HIP", "MMCV_WITH_HIP"))
"""Macros that mark HIP because a project's own build sets them: in a file that another project copied, they do not."""


def guards(
    root: Path,
    inventory: Inventory,
    entries: Sequence[FileEntry],
    found: Sequence[FileEvidence],
    jobs: int,
    cache: Cache,
) -> frozenset[str]:
    """The guards of well-known projects that conditions ask for here and nothing sets, as in a file copied from one.

    Where no build file is seen, nobody knows what is set.
    """
    wanted = _OF_PROJECTS & frozenset[str]().union(*(one.asked for one in found))
    if not wanted or all(entry.language in _CODE for entry in entries):
        return frozenset()
    wanted -= frozenset[str]().union(*(one.macros for one in spoken(wanted, root, inventory, entries, jobs, cache)))
    return unset(wanted, root, [entry for entry in entries if entry.language in _CODE], jobs, cache)


def spoken(
    macros: frozenset[str], root: Path, inventory: Inventory, entries: Sequence[FileEntry], jobs: int, cache: Cache
) -> list[BuildNames]:
    """What all files that build, configure or document name of the sources of a tree, and of some macros."""
    made = [path for path in inventory.naming if path.rpartition("/")[2].lower().startswith("make")]
    others = [entry for entry in entries if entry.language not in _CODE]
    others += [FileEntry(path, "cmake", 0) for path in (*inventory.configuring, *made)]
    texts = (*(path for path in inventory.naming if path not in made), *inventory.passed_over) if macros else ()
    paths = [entry.path for entry in entries]
    asked = Spoken(root, port_reach.stems(paths), port_reach.folders(paths), macros)
    every = cache.run(asked, [*others, *(FileEntry(path, "text", 0) for path in texts)], jobs, 64)
    return [one for one in every if one is not None]


def unset(wanted: frozenset[str], root: Path, code: Sequence[FileEntry], jobs: int, cache: Cache) -> frozenset[str]:
    """Those of some macros, which nothing else names, that no code names elsewhere than in conditions."""
    named = (one for one in cache.run(Mentions(root, wanted), code if wanted else [], jobs, 64) if one is not None)
    return wanted - frozenset[str]().union(*named)
