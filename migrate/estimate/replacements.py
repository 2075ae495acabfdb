"""Files and what they define -> the CUDA libraries that a repository itself is, where AMD has an equivalent of them.

Such a library is replaced, not ported. A name is no evidence of it: its public headers are here, or its functions are
defined here, and most of the native code is the library's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from cudamigrate.estimate.category import NATIVE
from cudamigrate.estimate.survey import Survey, is_aside
from cudamigrate.estimate.tables import Entry, table
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.estimate import Evidence, Replacement

SHARE = 0.5
"""Lines of native code, tests and examples apart, from which on a repository is the library that it holds."""
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".cc.in", ".cu.in")
Found = tuple[Entry, list[str], list[Evidence]]
"""A library, the folders that hold it, and the places that show it."""


def of(held: Sequence[Found]) -> tuple[Replacement, ...]:
    """The equivalents of the libraries that a repository is, where AMD has them."""
    return tuple(
        Replacement(
            entry["name"],
            entry["amd"],
            bool(entry["same"]),
            tuple(places[:3]),
            table("frameworks").source(entry),
            str(entry.get("limits", "")),
        )
        for entry, _, places in held
        if "amd" in entry
    )


def others(findings: Sequence[Finding], held: Sequence[Found]) -> Sequence[Finding]:
    """Findings without those on names of the libraries that the repository itself is."""
    patterns = [pattern for entry, _, _ in held for pattern in entry.get("rules", ())]
    if not patterns:
        return findings
    return [one for one in findings if not any(fnmatchcase(one.rule, pattern) for pattern in patterns)]


def libraries(files: Sequence[FileResult], seen: Survey) -> list[Found]:
    """The libraries that make up most of a repository, in the order of the table; empty for all other repositories."""
    native = [file for file in files if file.language in NATIVE and not is_aside(file.path)]
    named: dict[str, list[str]] = {}
    for file in native:
        named.setdefault(file.path.rpartition("/")[2], []).append(file.path)
    found: list[Found] = []
    for entry in table("frameworks").all("library"):
        homes, places = _headers(entry, named, seen) if "headers" in entry else _functions(entry, seen)
        if places:
            found.append((entry, homes, places))
    held = sum(file.lines for file in native if any(_under(file.path, home) for _, homes, _ in found for home in homes))
    return found if found and held >= SHARE * sum(file.lines for file in native) else []


def _headers(entry: Entry, named: Mapping[str, Sequence[str]], seen: Survey) -> tuple[list[str], list[Evidence]]:
    """Where all public headers of a library are: their folders, or the component around them where it is compiled.

    `named` has the paths of files by their last parts.
    """
    homes, places = set(), []
    for header in entry["headers"]:
        near = named.get(header.rpartition("/")[2], ())
        mine = sorted(path for path in near if f"/{path}".endswith(f"/{header}"))
        if not mine:
            return [], []
        places.append(Evidence(mine[0], 1, header))
        for path in mine:
            root = path[: len(path) - len(header)]
            if not entry.get("compiled"):
                homes.add(root + header.partition("/")[0])
            elif root.endswith("include/"):
                homes.add("" if seen.home(path) == "." else seen.home(path))
    return sorted(homes), places if homes else []


def _functions(entry: Entry, seen: Survey) -> tuple[list[str], list[Evidence]]:
    """Where the functions of a library are defined, if all of them are: the folders at the top that hold them.

    In sources: what a header defines under their names stands in for the library where that is not there.
    """
    by_name = {
        name: [path for path in seen.defined.get(name, []) if path.endswith(_SOURCES)] for name in entry["functions"]
    }
    if not all(by_name.values()):
        return [], []
    places = [Evidence(paths[0], 1, name) for name, paths in by_name.items()]
    return sorted({place.path.partition("/")[0] if "/" in place.path else "" for place in places}), places


def _under(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")
