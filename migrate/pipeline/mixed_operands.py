"""Operations of vectors and numbers whose types and operators other files declare: `4. * width / wave`.

What a file calculates with its own operators, it shows alone. Here a file is read again as if it defined the operators
of the files that are read together with it and declared the names that these give to types. Where conditionals give a
name several types, as `real_t` is float or double, it is read once for each branch; what is found in any is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cudamigrate.analysis.vector_operators import MIXED, of_numbers
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.cuda.words import vocabulary
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.warp.type_names import declared_at

RULE, _DETECTOR = "memory/mixed-operand", "mixed_operand"
_LANGUAGES = ("cuda", "cxx")
_BRANCHES = 6
"""How many branches that choose types one file is read for."""


class _Named(NamedTuple):
    """A name of a type, what it stands for, and the outermost branch that says so; empty for none."""

    name: bytes
    type: bytes
    branch: str


def with_mixed_operands(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each such operation that only several files show."""
    rule, code = book.rules.get(RULE), [one for one in results if one.language in _LANGUAGES and one.skip is None]
    defining = {one.path for one in code if asked(read, one.path, _operators)}
    if rule is None or rule.silent or not defining:
        return list(results)
    graph = include_graph(read, (one.path for one in code))
    users = graph.together(defining)
    changed, differing = [], dict[bytes, bool]()
    for result in results:
        source = read(result.path) if result.path in users and result.cuda and result.skip is None else None
        together = graph.together([result.path]) if source is not None else ()
        below = sorted(path for path in together if path != result.path)
        operators = b"".join(asked(read, path, _operators) or b"" for path in below)
        more: list[Finding] = []
        if source is not None and _may_differ(source, below, operators, read, differing):
            more = list(_findings(source, below, operators, rule, port.marks, read))
        changed.append(engine.with_new(result, more))
    return changed


def _operators(source: SourceFile) -> bytes:
    """The definitions in a file of operators of two types, which may be such."""
    if b"operator" not in source.data or MIXED.search(source.data) is None:
        return b""
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    heads = ((one, MIXED.search(parsed.data, one.span.start, one.body.start)) for one in parsed.functions)
    free = (one for one, head in heads if head is not None and head["left"] != head["right"])
    return b"".join(parsed.data[one.span.start : one.span.end] + b"\n" for one in free)


def _types(source: SourceFile) -> tuple[tuple[bytes, bytes, str], ...]:
    """The names that a file gives to types, with the outermost branch, as plain values."""
    if b"typedef" not in source.data and b"using" not in source.data:
        return ()
    tokens = lexed(source)
    around = branches(tokens, ())
    found = []
    for at, name, spelled in declared_at(tokens):
        outer = next((one for one in around if one.start <= at < one.end), None)
        found.append((name, spelled, "" if outer is None else f"{source.path} {outer.start}"))
    return tuple(found)


def _may_differ(
    source: SourceFile, below: Iterable[str], operators: bytes, read: Read, known: dict[bytes, bool]
) -> bool:
    """Whether an operator that a file sees may do something else than HIP's: asked of few texts, `known` in the end.

    The `operators` of the files `below` are read alone, behind the names of types that they use; one that the file has
    itself may differ.
    """
    if MIXED.search(source.data):
        return True
    listed = [_Named(*one) for path in (*below, source.path) for one in asked(read, path, _types) or ()]
    words = vocabulary(b" ".join((operators, *(one.type for one in listed))))
    for ahead in _ways([one for one in listed if one.name in words]) if operators else ():
        text = ahead + operators
        if text not in known:
            parsed = cuda.parse(SourceFile(source.path, text, "cuda"), frozenset())
            known[text] = any(one.differs for one in of_numbers(parsed))
        if known[text]:
            return True
    return False


def _findings(
    source: SourceFile, below: Iterable[str], operators: bytes, rule: Rule, marks: Sequence[str], read: Read
) -> Iterator[Finding]:
    """The operations of a file that go to HIP's operators, each once; fixed where every branch has the same types."""
    listed = [_Named(*one) for path in below for one in asked(read, path, _types) or ()]
    words = vocabulary(b" ".join((source.data, operators, *(one.type for one in listed))))
    named = [one for one in listed if one.name in words]
    ways = list(_ways(named))
    found: dict[object, list[Hit]] = {}
    for ahead in ways:
        for hit in behind_declarations.hits(_DETECTOR, source, ahead + operators, marks):
            found.setdefault(hit.use.span, []).append(hit)
    alone = cuda.parse(source, frozenset(), marks) if found else None
    for hits in found.values():
        if alone is not None:
            made = engine.finding_in(alone, hits[0], rule)
            same = len(hits) == len(ways) and len({one.use.name for one in hits}) == 1
            yield made if same else replace(made, fix=None)


def _ways(named: Sequence[_Named]) -> Iterator[bytes]:
    """The declarations of types, for each branch that chooses some: those that all agree on are in each."""
    meanings: dict[bytes, set[bytes]] = {}
    for one in named:
        meanings.setdefault(one.name, set()).add(one.type)
    chosen = sorted({one.branch for one in named if one.branch and len(meanings[one.name]) > 1})
    for branch in chosen[:_BRANCHES] or [""]:
        kept = [one for one in named if len(meanings[one.name]) == 1 or one.branch == branch]
        said = dict.fromkeys((one.name, one.type) for one in kept)
        yield b"".join(b"typedef %b %b;\n" % (kind, name) for name, kind in said)
