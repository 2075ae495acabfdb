"""Writes the name listings of CUDA and HIP under `fixtures/symbols` from the wheels that `sources.toml` pins.

Usage: python -m tests.symbols.collect. Needs libclang (the `verify` extra), a C++ compiler's headers and a package
index; the result depends on the pinned versions only.
"""

from __future__ import annotations

import csv
import fnmatch
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import tomli

from tests.symbols import bindings, headers, wheels

FOLDER = Path(__file__).parents[2] / "fixtures" / "symbols"
Seen = dict[str, tuple[str, str, set[str]]]
"""Name -> library, kind, releases."""


def main() -> None:
    """Write both listings and print how many names each library has."""
    table = tomli.loads((FOLDER / "sources.toml").read_text(encoding="utf-8"))
    with ProcessPoolExecutor() as pool:
        listings = {"cuda": _cuda(table, pool), "hip": _hip(table, pool)}
    for name, seen in listings.items():
        _write(FOLDER / f"{name}.tsv", seen)
        _print(name, seen)
    _write_headers(table)


def _libraries(table: dict[str, Any], side: str) -> list[headers.Library]:
    return [_library(name, entry, table["decorations"]) for name, entry in table[f"{side}-library"].items()]


def _library(name: str, entry: dict[str, Any], decorations: list[str]) -> headers.Library:
    entry = {"name": name, **entry, "decorations": decorations}
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    if "defines" in given:
        given["defines"] = tuple(tuple(way) for way in given["defines"])
    return headers.Library(**given)


def _folders(table: dict[str, Any], side: str, release: str) -> tuple[Path, ...]:
    pinned = table[side][release].items()
    where = table["folders"]
    return tuple(wheels.folders(wheels.Wheel(name, version, where.get(name, "include")) for name, version in pinned))


def _cuda(table: dict[str, Any], pool: ProcessPoolExecutor) -> Seen:
    seen: Seen = {}
    for release in table["cuda"]:
        _read(seen, release, _libraries(table, "cuda"), _folders(table, "cuda", release), pool)
    return seen


def _hip(table: dict[str, Any], pool: ProcessPoolExecutor) -> Seen:
    """The newest release names the library and the kind of a name, as it does in the rules."""
    seen: Seen = {}
    for release in sorted(table["hip"], key=_numbers, reverse=True):
        folders = _folders(table, "hip", release)
        for path in sorted(path for folder in folders for path in folder.glob("cy*.pxd")):
            library = path.stem[2:].partition("_")[0]
            _add(seen, release, library, bindings.read(path))
        _read(seen, release, _libraries(table, "hip"), folders, pool)
    for release, entry in table["installed"].items():
        if Path(entry["folder"], entry["proof"]).is_file():
            libraries = [library for library in _libraries(table, "hip") if library.name in entry["libraries"]]
            _read(seen, release, libraries, (Path(entry["folder"]),), pool)
        else:
            print(f"{entry['folder']}/{entry['proof']} is missing: what the listing says of {release} stays")
            _keep(seen, release)
    return seen


def _keep(seen: Seen, release: str) -> None:
    """Names of a release as the present listing has them."""
    with (FOLDER / "hip.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if release in row["releases"].split(","):
                _add(seen, release, row["library"], {row["symbol"]: row["kind"]})


def _read(
    seen: Seen, release: str, libraries: Iterable[headers.Library], folders: tuple[Path, ...], pool: ProcessPoolExecutor
) -> None:
    """Add the names of a release; a name that several libraries declare is the first one's."""
    jobs = [job for library in libraries for job in headers.jobs(library, folders)]
    results = list(pool.map(headers.read, jobs))
    for library in dict.fromkeys(job.library for job in jobs):
        names = headers.merged(names for job, names in zip(jobs, results, strict=True) if job.library == library)
        _add(seen, release, library.name, names)


def _add(seen: Seen, release: str, library: str, names: headers.Names) -> None:
    for name, kind in names.items():
        if name not in seen:
            seen[name] = (library, kind, set())
        seen[name][2].add(release)


def _write(path: Path, seen: Seen) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        writer.writerow(("symbol", "library", "kind", "releases"))
        for name in sorted(seen):
            library, kind, releases = seen[name]
            writer.writerow((name, library, kind, ",".join(sorted(releases, key=_numbers))))


def _write_headers(table: dict[str, Any]) -> None:
    """CUDA's headers that code includes, by path, and the releases that have them."""
    found: dict[str, list[str]] = {}
    for release in table["cuda"]:
        folders = _folders(table, "cuda", release)
        for path in {path for folder in folders for path in headers.files(folder) if _included(path, table)}:
            found.setdefault(path, []).append(release)
    lines = [f"{path}\t{','.join(found[path])}\n" for path in sorted(found)]
    (FOLDER / "headers.tsv").write_text("header\treleases\n" + "".join(lines), encoding="utf-8")


def _included(path: str, table: dict[str, Any]) -> bool:
    inside = any(part.startswith("_") for part in path.split("/"))
    return not inside and not any(fnmatch.fnmatchcase(path, pattern) for pattern in table["internal-headers"])


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _print(title: str, seen: Seen) -> None:
    releases = sorted({release for _, _, found in seen.values() for release in found}, key=_numbers)
    counts = Counter((library, release) for library, _, found in seen.values() for release in found)
    print(f"{title:20}", *(f"{release:>8}" for release in releases))
    for name in sorted({library for library, _ in counts}):
        print(f"{name:20}", *(f"{counts[name, release]:8}" for release in releases))
    print(f"{'all names':20}", f"{len(seen):8}\n")


if __name__ == "__main__":
    main()
