"""Which files that a HIP port has nothing of are one gap together."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model.report import FileResult

_HEADER = re.compile(r"\.(?:h|hh|hpp|hxx|cuh|inc|inl)$")
_PLACE = re.compile(r":\d+$")


def together(files: Sequence[FileResult]) -> list[list[FileResult]]:
    """The absent files with findings, those together that are one gap: a source, and headers that go with it.

    What belongs to a folder, a path with a slash at its end, is one gap as a whole; so are the sources that one command
    of a build names for CUDA, `path:line`.
    """
    groups: dict[str, list[FileResult]] = {}
    for one in files:
        if one.absent and one.findings:
            groups.setdefault(one.belongs or one.path, []).append(one)
    found = []
    for key, members in groups.items():
        if key.endswith("/") or _PLACE.search(key):
            found.append(members)
            continue
        sources = [one for one in members if not _HEADER.search(one.path)] or members[:1]
        headers = [one for one in members if one not in sources]
        found += [[source, *(headers if source is sources[0] else ())] for source in sources]
    return found


def gaps(files: Sequence[FileResult]) -> int:
    """How many findings a reader has to see: absent files that belong together are one, what is fine is none."""
    listed = (finding for one in files if not one.absent for finding in one.findings)
    return len(together(files)) + sum(finding.resolution != "fine" for finding in listed)
