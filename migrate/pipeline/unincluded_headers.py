"""Headers that no source of the repository includes, itself or through others: nothing that is built has them.

Copies of the samples' headers are such. They are still converted, as a source may come to include them; what is left to
do in them stops no build.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph, spelled_includes

_CODE = ("cuda", "cxx")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".ipp", ".tpp")


def with_unincluded(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results; of headers with something to do manually, it is said whether no source includes them."""
    asked = {one.path for one in results if _is_header(one.path) and _is_open(one)}
    code = [one.path for one in results if one.language in _CODE]
    sources = [path for path in code if not _is_header(path)]
    if not asked or not sources:
        return list(results)
    graph = include_graph(read, code, spelled_includes, every=True)
    alone = asked.difference(graph.below(sources))
    return [replace(one, unincluded=True) if one.path in alone else one for one in results]


def _is_header(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _HEADERS


def _is_open(result: FileResult) -> bool:
    """Whether a file of code has a finding that `apply` does not settle."""
    return result.language in _CODE and any(one.resolution == "manual" for one in result.findings)
