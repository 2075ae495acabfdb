"""Errors about what HIP lacks -> the rule that says what to do, where no finding of a scan does.

`verify` judges a tree as it is, and looks for nothing. That a header of CUDA's is still included, or a name of CUDA's
not declared, is what a rule knows all the same. What no file of the tree
declares, or none that the code includes, is no matter of the build's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, FileResult, Rule, SourceFile
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Verdict
from cudamigrate.pipeline.read_again import spelled_includes
from cudamigrate.project import discovery
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.verification import absent_names

_WORDS = re.compile(r"\{\w+\}")


def told(verdict: Verdict, book: Rulebook) -> Verdict:
    """The verdict, its errors about headers and names of CUDA's as foreseen by their rules."""
    return replace(verdict, diagnostics=tuple(_told(entry, book) for entry in verdict.diagnostics))


def with_absent(verdicts: Sequence[Verdict], root: Path, files: Sequence[FileResult]) -> list[Verdict]:
    """The verdicts, what no file of the tree declares, or none that a unit includes, named as that."""
    code, read = [*cuda.FILES.values()], ((file, _read(root, file)) for file in files)
    texts = ((file.path, file.language, one.data) for file, one in read if one is not None)

    @cache
    def graph() -> IncludeGraph:
        sources = ((file.path, _read(root, file)) for file in files if file.language in code)
        return IncludeGraph({path: spelled_includes(one) for path, one in sources if one is not None}, every=True)

    return absent_names.advised(verdicts, texts, code, lambda path: graph().below((path,)))


def _read(root: Path, file: FileResult) -> SourceFile | None:
    found = discovery.read(root, FileEntry(file.path, file.language, file.size))
    return found if isinstance(found, SourceFile) else None


def _told(entry: Diagnostic, book: Rulebook) -> Diagnostic:
    name, rule = _rule(entry, book) if entry.kind == "error" and not entry.foreseen else ("", None)
    if rule is None or rule.outcome != "compile-error":
        return entry
    advice = rule.message.replace("{name}", name)
    return entry if _WORDS.search(advice) else replace(entry, rule=rule.id, foreseen=True, advice=advice)


def _rule(entry: Diagnostic, book: Rulebook) -> tuple[str, Rule | None]:
    """What an error is about, a header or a name, and the rule for it."""
    if entry.header:
        return entry.header, book.include(entry.header)
    match = UNDECLARED.match(entry.message)
    return (match[1], book.names.get(match[1]) or book.family(match[1])) if match is not None else ("", None)
