"""Files of unknown endings that code includes: read as the code that they are, and what all show together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cudamigrate.analysis import build_choices
from cudamigrate.config import Config
from cudamigrate.cuda import opened_namespaces
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Inventory
from cudamigrate.model.port_facts import FileEvidence, PortFacts
from cudamigrate.pipeline import copied_sources, port_survey
from cudamigrate.pipeline.cached_work import Cache
from cudamigrate.project import discovery


def surveyed(
    root: Path, inventory: Inventory, config: Config, cache: Cache
) -> tuple[Inventory, PortFacts, dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    """The files to read, those that code includes among them, the port that they show, what the build must have chosen
    to compile a file at all, and by file the marks for what it sees of others."""
    inventory = copied_sources.added(root, inventory, config)
    while True:
        shown = port_survey.evidence(root, inventory, config.hip_guards, config.jobs, cache)
        included = ((one.path, name) for one in shown for name in one.unknown)
        wider = discovery.with_included(inventory, included, config, known_files())
        if wider is inventory:
            inventory = copied_sources.with_unread(root, inventory)
            port = _port(root, inventory, config, cache, shown)
            choices = build_choices.conditions(shown, {entry.path for entry in inventory.entries})
            return inventory, port, choices, _marks(inventory, port, shown)
        inventory = wider


def _marks(inventory: Inventory, port: PortFacts, shown: Sequence[FileEvidence]) -> dict[str, tuple[str, ...]]:
    """By file, the marks for the constants of a port and the directives for namespaces that it sees in others."""
    opens = {one.path: one.opens for one in shown if one.opens}
    included = {one.path: one.includes for one in shown}
    marks = opened_namespaces.seen(opens, {entry.path: included.get(entry.path, ()) for entry in inventory.entries})
    for path, waves in port.seen_waves.items() if port.is_port else ():
        marks[path] = (*waves, *marks.get(path, ()))
    return marks


def _port(root: Path, inventory: Inventory, config: Config, cache: Cache, shown: Sequence[FileEvidence]) -> PortFacts:
    """The port that the files show; of a few files that were asked for, the one that the whole repository shows.

    Which build a file is for, and whether HIP has a side of its own, is written in the files around it.
    """
    if not config.include:
        return port_survey.survey(root, inventory, config.hip_guards, config.jobs, cache, shown)
    whole = discovery.discover(root, replace(config, include=()), known_files())
    known = {entry.path for entry in whole.entries}
    more = tuple(entry for entry in inventory.entries if entry.path not in known)
    whole = copied_sources.added(root, replace(whole, entries=(*whole.entries, *more)), config)
    return port_survey.survey(root, whole, config.hip_guards, config.jobs)
