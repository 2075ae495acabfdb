"""Which files of a converted tree are type-checked: those with code for GPUs, and all that read what was converted.

So are sources with what HIP lacks, which are left as they are.

A source for the host that names nothing of CUDA's is compiled all the same: what it includes may have become HIP's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileEntry, FileResult, SourceFile
from cudamigrate.pipeline import Applied
from cudamigrate.pipeline.read_again import spelled_includes
from cudamigrate.project import discovery


def is_unit(path: str) -> bool:
    """Whether a file is compiled by itself, by its ending; others are headers."""
    return PurePosixPath(path).suffix.lower() in cuda.UNITS


def of(applied: Applied, root: Path, converted: Mapping[str, bytes]) -> dict[str, SourceFile]:
    """The files by path, with their `converted` bytes, in the order of the report."""
    found, spelled = dict[str, SourceFile | None](), dict[str, tuple[str, ...]]()
    for result in applied.report.files:
        if result.language not in cuda.FILES.values() or result.path in applied.for_cuda:
            continue
        source = discovery.read(root, FileEntry(result.path, result.language, result.size))
        if isinstance(source, SourceFile):
            source = replace(source, data=converted.get(result.path, source.data))
            spelled[result.path] = spelled_includes(source)
            counts = result.path in converted or cuda.is_gpu(source) or _is_stopped(result)
            found[result.path] = source if counts else None
    readers = IncludeGraph(spelled).above(path for path in converted if not is_unit(path))
    languages = {result.path: result.language for result in applied.report.files}
    for path in found:
        if found[path] is None and path in readers and is_unit(path):
            source = discovery.read(root, FileEntry(path, languages[path], 0))
            found[path] = source if isinstance(source, SourceFile) else None
    return {path: source for path, source in found.items() if source is not None}


def turn(files: Mapping[str, SourceFile], changed: Collection[str], path: str) -> int:
    """When a file is judged, the lower the earlier: what a change may break most comes before the time is over.

    Changed files with kernels or their launches come first, then other changed ones, GPU code that keeps its text, and
    at last code for the host that only reads what changed.
    """
    source = files[path]
    if path in changed:
        return 0 if cuda.has_kernels(source) else 1
    return 2 if cuda.is_gpu(source) else 3


def _is_stopped(result: FileResult) -> bool:
    """Whether a file that is compiled by itself has what HIP lacks, with no fix: one that calls NVML has no kernels."""
    found = (one for one in result.findings if one.group == "api" and one.fix is None)
    return is_unit(result.path) and any(one.outcome == "compile-error" for one in found)
