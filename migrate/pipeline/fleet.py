"""Many repositories scanned one after the other: a list of them -> their reports, and a portfolio of all.

One that cannot be read does not end the run. A run that was cut off goes on where it stopped: a repository whose report
is there, made of the same content by the same program with the same settings, is not scanned again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.errors import InputError, MigrateError
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Report
from cudamigrate.pipeline import run
from cudamigrate.pipeline.cached_work import program
from cudamigrate.project import fleet_sources, revisions
from cudamigrate.project.file_access import read_linked, write_whole
from cudamigrate.project.fleet_sources import FleetSource
from cudamigrate.reporting import load_json, portfolio, portfolio_page
from cudamigrate.reporting.portfolio import Portfolio, Row
from cudamigrate.reporting.summary import days
from cudamigrate.shipped_data import stamp

_STATE = "fleet.json"
Notify = Callable[[str], None]
"""Called with a line for each repository that is done."""
Render = Callable[[Report], Iterable[str]]


def scan(
    path: Path, output: Path, settings: Callable[[Path], Config], renders: Mapping[str, Render], notify: Notify
) -> Portfolio:
    """Scan the repositories that `path` lists, and write a report for each into `output`.

    `settings` gives the configuration for a folder, `renders` the formats by the ending of their files, JSON among
    them. Raises InputError where the list or the folder cannot be used.
    """
    sources = fleet_sources.listed(path, output)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None
    state = _state(output / _STATE)
    rows = []
    for number, source in enumerate(sources, 1):
        row, key = _one(source, output, settings, renders, state.get(source.name, ""))
        rows.append(row)
        state[source.name] = key
        write_whole(output / _STATE, json.dumps(state, indent=1).encode())
        notify(f"{number} of {len(sources)}: {source.name}: {row.error or f'{days(row.days[1])} engineer-days'}")
    return portfolio.of(rows, run.tool_version())


def _one(
    source: FleetSource, output: Path, settings: Callable[[Path], Config], renders: Mapping[str, Render], known: str
) -> tuple[Row, str]:
    """The row of one repository, and the key of what it was made from; empty where it is to be read again."""
    kept = output / f"{source.name}.json"
    try:
        with fleet_sources.opened(source) as folder:
            config = settings(folder)
            if source.gpu_hours:
                config = replace(config, gpu_hours=source.gpu_hours)
            key = _key(source, folder, config)
            if key and key == known and all((output / f"{source.name}.{end}").is_file() for end in renders):
                old = load_json.load(kept)
                return portfolio.row(source.name, source.shown, old, kept.name, _held(folder, old)), key
            report = run.scan(folder, config)
            held = _held(folder, report)
        for end, render in renders.items():
            pieces = (piece.encode("utf-8", "surrogateescape") for piece in render(report))
            write_whole(output / f"{source.name}.{end}", pieces)
        return portfolio.row(source.name, source.shown, load_json.load(kept), kept.name, held), key
    except (MigrateError, OSError) as error:
        return Row(source.name, source.shown, error=str(error) or type(error).__name__), ""


def _held(folder: Path, report: Report) -> tuple[str, ...]:
    """The names of the folders of other people's code: submodules, vendored folders, and the folders in these."""
    found = {path.rstrip("/") for path in (*report.submodules, *report.vendored)}
    for path in report.vendored:
        with suppress(OSError), os.scandir(folder / path) as inside:
            found.update(one.name for one in inside if one.is_dir(follow_symlinks=False))
    return tuple(sorted({path.rpartition("/")[2] for path in found}))


def _key(source: FleetSource, folder: Path, config: Config) -> str:
    """What a report rests on; empty where that is not known without reading all files."""
    if source.is_archive:
        content = stamp(Path(source.place))
    else:
        seen = revisions.repository(folder)
        content = seen.commit if not seen.dirty else ""
    if not content:
        return ""
    said = repr((source.place, content, replace(config, jobs=0, cache=True, scheduler="", folder="")))
    return blake2b(said.encode(errors="backslashreplace") + program(), digest_size=20).hexdigest()


def _state(file: Path) -> dict[str, str]:
    """The keys of the repositories that are done, by name."""
    try:
        found = json.loads(read_linked(file))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(name): str(key) for name, key in found.items()} if isinstance(found, dict) else {}


def write(made: Portfolio, output: Path) -> Sequence[Path]:
    """Write the portfolio beside the reports as JSON, Markdown and HTML; returns the files."""
    files = {
        "portfolio.json": portfolio.render_json(made),
        "portfolio.md": portfolio.render_markdown(made),
        "portfolio.html": portfolio_page.render(made),
    }
    for name, text in files.items():
        write_whole(output / name, text.encode("utf-8", "surrogateescape"))
    return [output / name for name in files]
