"""Repositories that scripts of the tree clone and whose headers its CUDA code includes: nothing of them is counted.

The include names the folder that the clone is put into: `git clone https://example.org/own/net`, `<net/layer.h>`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.environment import fetched_code
from cudamigrate.model import FileResult, Inventory, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph
from cudamigrate.syntax import shell

_CODE = ("cuda", "cxx")
_SCRIPTS = "shell"


def needed_clones(results: Sequence[FileResult], inventory: Inventory, read: Read) -> dict[str, int]:
    """The repositories, with the number of files that include their headers and that files with CUDA consist of.

    What the repository has itself is not theirs.
    """
    folders = dict(_cloned(inventory, read))
    if not folders:
        return {}
    entered = [entry.path for entry in inventory.entries]
    paths, found = IncludePaths((*entered, *inventory.passed_over)), Counter[str]()
    code = [one for one in results if one.language in _CODE and one.skip is None]
    graph = include_graph(read, [one.path for one in code])
    for path in sorted(graph.below(one.path for one in code if one.cuda)):
        foreign = (name for name in graph.spelled.get(path, ()) if not paths.nearest(path, name))
        parts = {part for name in foreign for part in name.split("/")[:-1]}
        found.update({folders[part] for part in parts & folders.keys()})
    return dict(found.most_common())


def _cloned(inventory: Inventory, read: Read) -> Iterator[tuple[str, str]]:
    """The folders that scripts put repositories into, with the names of these."""
    for entry in inventory.entries:
        source = read(entry.path) if entry.language == _SCRIPTS else None
        if source is not None and b"clone" in source.data:
            yield from fetched_code.cloned(shell.read(source.data, Span(0, len(source.data))))
