"""PTX that stays in converted code: a type check sees none of it, so that findings say where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.config import Config
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import Diagnostic, Place
from cudamigrate.pipeline import inspect_file
from cudamigrate.rulebase.code_rules import Rulebook

_UNSET = ("__CUDA_ARCH__", "__CUDACC__", "__NVCC__")
"""Macros that no compiler for AMD sets: code that needs one is not compiled, where nothing else sets it."""


def of(files: Mapping[str, SourceFile], book: Rulebook, config: Config) -> list[Diagnostic]:
    """Assembly for NVIDIA's GPUs in the text of files that AMD's compiler gets."""
    unset = [f"-{name}" for name in _UNSET if name not in config.defines and not _is_defined(name, files.values())]
    guards = (*config.hip_guards, *unset)
    return [diagnostic for source in files.values() for diagnostic in _left(source, book, guards)]


def _is_defined(name: str, files: Iterable[SourceFile]) -> bool:
    """Whether the project defines a macro of CUDA's compiler itself, as some ports do."""
    word = name.encode()
    return any(
        word in source.data and re.search(rb"#\s*define\s+%s\b" % word, source.data) is not None for source in files
    )


def _left(source: SourceFile, book: Rulebook, guards: Sequence[str]) -> Iterator[Diagnostic]:
    if b"asm" not in source.data:
        return
    for finding in inspect_file.inspect(source, book, guards).findings:
        if finding.group == "ptx" and finding.outcome == "compile-error":
            place = Place(source.path, finding.position.line, finding.position.column)
            yield Diagnostic("asm", place, f"PTX is left in device code: {finding.excerpt}", "device")
