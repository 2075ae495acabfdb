"""What a scan finds out while workers read files: the process that waits for them needs it later anyway.

It rests on the files alone. Where no worker is started, as where earlier runs have all results, it is found out later.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cudamigrate import parallel
from cudamigrate.model import Inventory
from cudamigrate.pipeline.inspect_tree import find_families_ahead
from cudamigrate.pipeline.read_again import ReadAgain
from cudamigrate.pipeline.spool import MANY
from cudamigrate.rulebase.code_rules import Rulebook


def during_survey(root: Path, inventory: Inventory, book: Rulebook) -> None:
    """While the workers look for a port: what files are inspected with."""
    parallel.meanwhile(partial(_prepare_inspection, root, inventory, book))


def during_inspection(inventory: Inventory, read: ReadAgain) -> None:
    """While the workers inspect the files: the passes over their results, and what these read of the files."""
    parallel.meanwhile(partial(_read_for_passes, inventory, read))


def _prepare_inspection(root: Path, inventory: Inventory, book: Rulebook) -> Iterator[None]:
    """The families of build files, and what workers would each import and compile for their first file."""
    find_families_ahead(root, inventory)
    yield
    if any(entry.language in ("cuda", "cxx") for entry in inventory.entries):
        from cudamigrate.warp import cross_file_facts, graph, logical_warp_edits  # noqa: F401  # once for all workers

        yield
        if len(inventory.entries) <= MANY:
            from cudamigrate.pipeline import first_file

            first_file.read(root, book)


def _read_for_passes(inventory: Inventory, read: ReadAgain) -> Iterator[None]:
    """The imports of the passes, which are slow, and what these read."""
    from cudamigrate.pipeline import together

    yield
    if len(inventory.entries) <= MANY:
        yield from together.read_ahead([entry.path for entry in inventory.entries], read)
