"""Code with PyTorch's own names for CUDA that no build of PyTorch's converts: that of a CMake project or a Makefile.

The paths of PyTorch's headers are renamed there. Whether the names of `at::cuda` stay is a matter of PyTorch's release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import torch_files
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/torch-plain-build"
_HEADERS = ("api/ATen/", "api/c10/")


def with_plain_builds(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at the first such name of each file whose include of PyTorch's becomes HIP's."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or port.is_port or port.hipify or port.extensions:
        return list(results)
    if not any(one.language in ("cmake", "make", "bazel", "meson") and one.skip is None for one in results):
        return list(results)  # what builds it is not seen
    return [engine.with_more(one, list(_named(one, book, port, read))) if _renames(one) else one for one in results]


def _renames(result: FileResult) -> bool:
    return any(one.rule.startswith(_HEADERS) and one.fix is not None for one in result.findings)


def _named(result: FileResult, book: Rulebook, port: PortFacts, read: Read) -> Iterator[Finding]:
    source = read(result.path)
    if source is not None:
        yield from torch_files.names(source, book, port.marks, RULE, with_includes=False)
