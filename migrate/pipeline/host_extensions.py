"""Sources of PyTorch's `CppExtension`, of which its build for ROCm converts none: names of PyTorch's for CUDA in them.

`CUDAExtension` has its sources converted before they are compiled. What both build is converted for the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.compilation import torch_extensions
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import torch_files
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/torch-host-extension"


def with_host_extensions(
    results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read, paths: frozenset[str]
) -> list[FileResult]:
    """The results, with a finding in each such source that PyTorch's names for CUDA are in."""
    rule = book.rules.get(RULE)
    scripts = [one.path for one in results if one.language == "python" and one.skip is None]
    sources = frozenset(_sources(scripts, read, paths)) if rule is not None and not rule.silent else frozenset[str]()
    made = []
    for result in results:
        source = read(result.path) if result.path in sources and result.skip is None else None
        more = list(torch_files.names(source, book, port.marks, RULE)) if source is not None else []
        made.append(engine.with_more(replace(result, cuda=True), more) if more else result)
    return made


def _names_extensions(source: SourceFile) -> bool:
    return b"cpp_extension" in source.data


def _sources(scripts: Sequence[str], read: Read, paths: frozenset[str]) -> Iterator[str]:
    """The sources that an extension for the host alone is built of, and none that PyTorch converts."""
    plain, converted = set[str](), set[str]()
    for path in scripts:
        source = read(path) if asked(read, path, _names_extensions) else None
        if source is None:
            continue
        text = source.data.decode("utf-8", "replace")
        converted.update(name for build in torch_extensions.builds(path, text, paths) for name in build.sources)
        if "CppExtension" in text:
            made = torch_extensions.extensions(path, text, paths, "CppExtension")
            plain.update(name for one in made for name in one.sources)
    yield from plain - converted
