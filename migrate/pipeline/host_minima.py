"""Minima in host code that are of the project's own functions, or of `std`, by what a header says that the file reads.

A detector sees one file. Which function `min(a, b)` means is known with the headers: one in the namespace around the
call hides the global one, as a macro does, and `using namespace std;` brings another.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph, spelled_includes

RULES = ("math/host-float-min-max", "math/host-min-max", "math/host-mixed-min-max")
_TYPE = rb"(?:const\s+)?[\w:]+(?:\s+[\w:]+)*(?:\s*<[^();{}]{0,80}>)?"
_OTHER = re.compile(
    rb"\busing\s+(?:namespace\s+std\s*;|std\s*::\s*(?P<used>min|max)\b)"
    rb"|#[ \t]*define[ \t]+(?P<macro>min|max)\b"
    rb"|\b(?P<own>min|max)\s*\(\s*" + _TYPE + rb"(?:\s+|\s*&\s*)\w+\s*,"
)
"""What gives the names another meaning: a directive or a declaration of `std`'s, a macro, a function's parameters."""


def without_other_minima(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, without such findings in files that read a header which gives the name another meaning."""
    if not any(one.rule in RULES for result in results for one in result.findings):
        return list(results)
    code = [one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None]
    graph, said = include_graph(read, code, spelled_includes, every=True), dict[str, frozenset[str]]()
    kept = []
    for result in results:
        found = [one for one in result.findings if one.rule in RULES]
        other = frozenset[str]()
        for path in graph.below((result.path,)) if found else ():
            if path not in said:
                said[path] = _said(path, read)
            other |= said[path] if path != result.path else frozenset()
        source = read(result.path) if other else None
        dropped = {one for one in found if source is not None and _called(source, one) in other}
        if dropped:
            result = replace(result, findings=tuple(one for one in result.findings if one not in dropped))
        kept.append(result)
    return kept


def _called(source: SourceFile, finding: Finding) -> str:
    """The name of the function that a finding is on."""
    return source.data[finding.span.start : finding.span.start + len("min")].decode("latin-1")


def _said(path: str, read: Read) -> frozenset[str]:
    """The names that a header gives another meaning."""
    source = read(path)
    found = set[str]()
    for match in _OTHER.finditer(source.data) if source is not None else ():
        name = match["used"] or match["macro"] or match["own"]
        found |= {name.decode()} if name else {"min", "max"}
    return frozenset(found)
