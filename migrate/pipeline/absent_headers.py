"""Headers of device code that files include and that the tree does not have: CUDA code of another project.

Only nvcc's own kind of header, `.cuh`, says by its ending that it is for CUDA; of others nothing is known. What CUDA,
PyTorch and CuPy bring, what the build makes of a template, and what is in a submodule that was never fetched is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Finding, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.pipeline import fetched_dependencies
from cudamigrate.pipeline.fetched_dependencies import Dependency
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, included, spelled_includes
from cudamigrate.pipeline.vendored_includes import needed_submodules
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/absent-cuda-header"
_ENDING = ".cuh"
BROUGHT = ("ATen/", "c10/", "torch/", "caffe2/", "THC", "cub/", "hipcub/", "thrust/", "cuda/", "cooperative_groups/",
            "cupy/")  # fmt: skip
"""Folders of headers that CUDA, PyTorch and CuPy bring, CuPy's builds for ROCm the same as for CUDA."""


def with_absent_headers(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with a finding where a folder of such headers is first included."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    known = [entry.path for entry in inventory.entries] + [*inventory.passed_over, *inventory.configuring]
    paths, seen, made = IncludePaths(known), set[str](), dict[str, list[Finding]]()
    made_of = {path.rpartition("/")[2].removesuffix(".in") for path in known if path.endswith(".in")}
    absent = cache(lambda: needed_submodules(results, inventory, read))
    fetched = cache(lambda: fetched_dependencies.declared(results, read))

    def is_of_submodule(folder: str) -> bool:
        return any(folder in path.split("/") for path in absent())

    for result in sorted(results, key=lambda one: one.path):
        names = asked(read, result.path, spelled_includes) if result.cuda and result.skip is None else None
        source = read(result.path) if any(map(_is_in_folder, names or ())) else None
        if source is None:
            continue
        said = _told(source, result)
        for name, span in _foreign(source, paths, result.path, made_of):
            folder = name.partition("/")[0]
            if folder in seen | said or book.include(name) is not None or is_of_submodule(folder):
                continue
            seen.add(folder)
            use = Use("name", name, span, span, (), "unknown", "syntax")
            words = {"name": name, "from": _from(name, fetched())}
            made.setdefault(result.path, []).append(engine.finding(source, Hit(RULE, use, words), rule))
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _foreign(source: SourceFile, paths: IncludePaths, path: str, made: Collection[str]) -> Iterator[tuple[str, Span]]:
    """The headers of device code in a folder that a file includes, and that neither the tree nor its build has."""
    for name, _, span in included(source):
        known = name.startswith((*BROUGHT, ".", "/")) or name.rpartition("/")[2] in made
        if _is_in_folder(name) and not known and not paths.nearest(path, name):
            yield name, span


def _is_in_folder(name: str) -> bool:
    return name.endswith(_ENDING) and "/" in name


def _told(source: SourceFile, result: FileResult) -> set[str]:
    """The folders of headers that findings of a file are on: one says what is to be said of the library."""
    spans = [finding.span for finding in result.findings]
    named = ((name, span) for name, _, span in included(source))
    return {
        name.partition("/")[0]
        for name, span in named
        if any(one.start < span.end and span.start < one.end for one in spans)
    }


def _from(name: str, known: Mapping[str, Dependency]) -> str:
    """Where a build or a script fetches what brings a header; empty where none is seen to."""
    found = fetched_dependencies.of_header(name, known)
    return f" {found.path}:{found.line} fetches it." if found is not None else ""
