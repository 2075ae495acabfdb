"""Commands of scripts and recipes that give make another value for a variable that now has AMD's GPUs.

What is on the command line of make counts in place of what a Makefile says: `make SM=80` gives hipcc `80`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.analysis import makefile_given
from cudamigrate.analysis.makefile_systems import Makefile
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
_HANDED = re.compile(rb"\$[({]([\w.-]+)[)}]")
_MAKE = ("make", "gmake")


def with_given_gpus(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such value."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not (named := _variables(results, read)):
        return list(results)
    scripts = [one for one in results if one.language == "shell" and one.skip is None]
    sources = [source for one in scripts if (source := read(one.path)) is not None]
    made = {source.path: list(_findings(source, rule, named)) for source in sources}
    makefiles = [one for one in results if one.language == "make" and one.skip is None]
    made |= {one.path: list(_in_recipes(one, source, rule, named)) for one in makefiles if (source := read(one.path))}
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


def _in_recipes(result: FileResult, source: SourceFile, rule: Rule, named: Set[bytes]) -> Iterator[Finding]:
    """Those of a Makefile's recipes, but for values that are another such variable's or that a fix converts."""
    fixed = [one.span.start for one in result.findings if one.fix is not None]
    file = Makefile(source.path, source.data, tuple(makefile.read(source.data)))
    for one in makefile_given.in_file(file):
        value = source.data[one.value.start : one.value.end]
        handed = _HANDED.fullmatch(value.strip())
        converted = any(one.value.start <= at < one.value.end for at in fixed)
        taken = value.startswith(b"gfx") or converted or (handed is not None and handed[1] in named)
        if one.name.encode() in named and not taken:
            use = Use("name", one.name, one.word, one.word, certainty="syntax")
            yield engine.finding(source, Hit(RULE, use, {}), rule)
