"""Atomic operations of the project's own whose types other files name: `void atomicMin(F32 *at, F32 value)`.

That it is HIP's function too, a file shows alone where the types are its own. Here a file is read again as if it
declared the names of floating-point types that all files of the tree declare alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.shifted_types import typed
from cudamigrate.rulebase.code_rules import Rulebook

_DETECTOR = "own_atomic"
_RULES = ("memory/own-atomic", "memory/own-atomic-result")
_FLOATING = re.compile(rb"float|double")
_DEFINED = re.compile(rb"\w\s+atomic[A-Z][A-Za-z]+\s*\(\s*(\w+)\s*\*")
"""What may be the head of such a definition: `void atomicMin(F32 *`."""


def with_own_atomics(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each such definition that only all files together show, and its fix."""
    asking = {one.path: source for one in results if (source := _asking(one, read)) is not None}
    types = typed(asking, results, read, _FLOATING) if asking else {}
    changed = []
    for result in results:
        ahead = types.get(result.path, b"")
        known = {one.span for one in result.findings if one.rule in _RULES}
        more = _findings(asking[result.path], ahead, book, port) if ahead else ()
        changed.append(engine.with_more(result, [one for one in more if one.span not in known]))
    return changed


def _asking(result: FileResult, read: Read) -> SourceFile | None:
    """The source of a CUDA file that defines such an operation for a type that it gives no name of C++'s."""
    source = read(result.path) if result.cuda and result.skip is None else None
    if source is None or b"atomic" not in source.data:
        return None
    return source if any(_FLOATING.fullmatch(kind) is None for kind in _DEFINED.findall(source.data)) else None


def _findings(source: SourceFile, ahead: bytes, book: Rulebook, port: PortFacts) -> Iterator[Finding]:
    """The definitions of a file that is read behind what others declare, at their places in it."""
    found = list(behind_declarations.hits(_DETECTOR, source, ahead, port.marks))
    alone = cuda.parse(source, frozenset(), port.marks) if found else None
    for hit in found:
        rule = book.rules.get(hit.rule)
        if alone is not None and rule is not None and not rule.silent:
            yield engine.finding_in(alone, hit, rule)
