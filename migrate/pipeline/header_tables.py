"""Shifts by an element of a table that a header has: `__constant__ int by[2] = {0, 32};`, and `x >> by[i]` elsewhere.

What a file shifts by, it shows alone where the table is its own. Here a file is read again as if it declared the tables
that it names: those of the headers that it includes, through others too, where one of these alone has the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Rule, SourceFile, Step
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.warp.constant_tables import ConstantTables, Row

RULE, _DETECTOR = "warp/wide-shift", "wide_shift"
_SHIFT = re.compile(rb"<<|>>")
_ELEMENT = re.compile(rb"\b([A-Za-z_]\w*)\s*\[")
_DECLARED = re.compile(rb"\b(?:const|constexpr|__constant__)\b[^;={}()]{1,120}\][^;={}()]{0,40}=\s*\{")
"""What a table of numbers looks like: `const int by[2] = {`."""
_Table = tuple[str, str, int]
"""A table by its name, how it is declared with its numbers alone, and its line."""


def with_header_tables(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each shift that is too wide by an element of a header's table."""
    rule = book.rules.get(RULE)
    code = [one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None]
    tables = {path: every for path in code if (every := asked(read, path, tables_of))}
    if rule is None or rule.silent or not tables:
        return list(results)
    graph, changed = include_graph(read, code, spelled_includes, every=True), list[FileResult]()
    for result in results:
        named = frozenset(asked(read, result.path, elements) or ()) if result.cuda and result.skip is None else None
        below = graph.below((result.path,)) - {result.path} if named else frozenset[str]()
        given = _given({path: tables[path] for path in sorted(below & tables.keys())}, named or frozenset())
        source = read(result.path) if given else None
        found = list(_findings(source, given, rule, port.marks)) if source is not None else []
        changed.append(engine.with_new(result, found))
    return changed


def elements(source: SourceFile) -> tuple[str, ...]:
    """The arrays that a file with a shift has elements of; none where it has no shift."""
    if _SHIFT.search(source.data) is None:
        return ()
    return tuple(sorted({name.decode("latin-1") for name in _ELEMENT.findall(source.data)}))


def tables_of(source: SourceFile) -> tuple[_Table, ...]:
    """The constant tables of a file whose numbers are all known."""
    if _DECLARED.search(source.data) is None:
        return ()
    tables = ConstantTables(cuda.parse(source, frozenset(), ()))
    found = list[_Table]()
    for name, node in tables.names.items():
        row = tables.row(name) if node.type == "initializer_list" else None
        if row:
            spelled = name.decode("latin-1")
            text = f"__constant__ int {spelled}{'[]' * _depth(row)} = {_written(row)};\n"
            found.append((spelled, text, source.position(node.start_byte).line))
    return tuple(found)


def _depth(row: Row) -> int:
    return 0 if isinstance(row, int) else 1 + max((_depth(one) for one in row), default=0)


def _written(row: Row) -> str:
    return str(row) if isinstance(row, int) else "{" + ", ".join(map(_written, row)) + "}"


def _given(tables: Mapping[str, Sequence[_Table]], named: frozenset[str]) -> list[tuple[str, _Table]]:
    """The tables that a file names, each with its header: those which one header alone has."""
    found: dict[str, list[tuple[str, _Table]]] = {}
    for path, every in tables.items():
        for one in every:
            found.setdefault(one[0], []).append((path, one))
    return [every[0] for name, every in sorted(found.items()) if name in named and len(every) == 1]


def _findings(
    source: SourceFile, given: Sequence[tuple[str, _Table]], rule: Rule, marks: Sequence[str]
) -> Iterator[Finding]:
    """The wide shifts of a file that is read behind some tables, at their places in it."""
    ahead = "".join(text for _, (_, text, _) in given).encode()
    trace = tuple(Step(path, line, f"`{name}` has its numbers here") for path, (name, _, line) in given)
    for hit in behind_declarations.hits(_DETECTOR, source, ahead, marks):
        if hit.rule == RULE:
            use = replace(hit.use, extent=hit.use.span)
            yield engine.finding(source, replace(hit, use=use, trace=trace), rule)
