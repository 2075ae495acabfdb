"""Commands of scripts that give make another value for a variable in which the conversion wrote AMD's GPUs.

What is on the command line of make counts in place of what a Makefile says: `make SM=80` gives hipcc `80`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import makefile, shell

RULE = "build/make-gpu-given"
_VALUE = "build/make-gpu"
"""The rule for the value of a variable with GPUs, in a Makefile."""
_GIVEN = re.compile(rb"[\"']?(\w+)=(?![\"']?gfx)")
_MAKE = ("make", "gmake")


def with_given_gpus(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such value."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not (named := _variables(results, read)):
        return list(results)
    scripts = [one for one in results if one.language == "shell" and one.skip is None]
    sources = [source for one in scripts if (source := read(one.path)) is not None]
    made = {source.path: list(_findings(source, rule, named)) for source in sources}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _variables(results: Sequence[FileResult], read: Read) -> frozenset[bytes]:
    """The variables of Makefiles whose values become names of AMD's GPUs."""
    named = set[bytes]()
    for result in results:
        places = [one.span.start for one in result.findings if one.rule == _VALUE and one.fix is not None]
        source = read(result.path) if places else None
        lines = makefile.read(source.data) if source is not None else []
        for line in (one for one in lines if one.kind == "assignment"):
            if any(line.value.start <= place < line.value.end for place in places):
                named.add(line.name.encode())
    return frozenset(named)


def _findings(source: SourceFile, rule: Rule, named: Set[bytes]) -> Iterator[Finding]:
    if not any(name in source.data for name in named):
        return
    for command in shell.read(source.data, Span(0, len(source.data))).commands:
        for word in command.words[1:] if command.name in _MAKE else ():
            given = _GIVEN.match(source.data, word.span.start, word.span.end)
            if given is not None and given[1] in named:
                use = Use("name", given[1].decode(), word.span, word.span, certainty="syntax")
                yield engine.finding(source, Hit(RULE, use, {}), rule)
