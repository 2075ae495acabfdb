"""`__restrict__` ahead of a type that other files declare as a value: `const __restrict__ real_t *p`.

What a name of a type stands for, a file shows alone where it declares it. Here a file is read again behind the names
that are values in all files that are read together with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda import value_types
from cudamigrate.cuda.words import vocabulary
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Rule, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _DETECTOR = "build/restricted-value", "restricted_value"
_ASKED = re.compile(rb"[(,;{}]\s*(?:(?:const|volatile)\s+)*__restrict(?:__)?\s+(?:(?:const|volatile)\s+)*[A-Za-z_]"
                    rb"|[A-Za-z_]\w*\s+(?:const\s+)?__restrict(?:__)?\s*\*")  # fmt: skip
"""The word ahead of a type, and between a type and its star."""


def with_restricted_values(
    results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read
) -> list[FileResult]:
    """The results, with a finding at each such word that only the files read together with one show, and its fix."""
    rule = book.rules.get(RULE)
    asking = {one.path for one in results if one.cuda and one.skip is None and asked(read, one.path, _asks)}
    if rule is None or rule.silent or not asking:
        return list(results)
    graph = include_graph(read, (one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None))
    changed = []
    for result in results:
        source = read(result.path) if result.path in asking else None
        together = graph.together([result.path]) if source is not None else ()
        headers = sorted(path for path in together if path != result.path)
        more = [] if source is None else _findings(source, headers, rule, port.marks, read)
        changed.append(engine.with_new(result, more))
    return changed


def _asks(source: SourceFile) -> bool:
    return b"__restrict" in source.data and _ASKED.search(source.data) is not None


def _declared(source: SourceFile) -> tuple[tuple[bytes, bytes], ...]:
    """The names that a file gives to types, as plain values."""
    return tuple(dict.fromkeys(value_types.declared(lexed(source))))


def _findings(
    source: SourceFile, headers: Sequence[str], rule: Rule, marks: Sequence[str], read: Read
) -> list[Finding]:
    own = _declared(source)
    listed = [one for path in headers for one in asked(read, path, _declared) or ()]
    parameters = {name for name, spelled in own if spelled == b"*"}
    values = value_types.named((*own, *(one for one in listed if one[1] != b"*"))) - parameters
    ahead = b"".join(b"struct %b;\n" % name for name in sorted(values & vocabulary(source.data)))
    found = list(behind_declarations.hits(_DETECTOR, source, ahead, marks)) if ahead else []
    alone = cuda.parse(source, frozenset(), marks) if found else None
    return [engine.finding_in(alone, one, rule) for one in found] if alone is not None else []
