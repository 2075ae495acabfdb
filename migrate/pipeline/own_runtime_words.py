"""Findings that a file needs the runtime's header which name a word of the project's own: they name one of CUDA's.

A macro `cudaCheck` of another file looks like a name of CUDA's where it is used. What the file names beside it says why
the header is needed; where that is nothing, it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.scopes import Structure, syntax_tree
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SourceFile, Span
from cudamigrate.pipeline.own_names import UNKNOWN, OwnNames, Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.pipeline.runtime_headers import ADDED, NEEDS
from cudamigrate.rulebase.code_rules import Rulebook

_OF_CUDA = "cuda"


def with_cudas_words(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, where such a finding is on the first word that the repository does not define."""
    asked = {one.path for one in results if any(map(_may_be_own, one.findings))}
    if not asked:
        return list(results)
    own = OwnNames(results, read)
    return [_judged(one, own, book, read) if one.path in asked else one for one in results]


def _may_be_own(finding: Finding) -> bool:
    return finding.rule in ADDED and f"`{_OF_CUDA}" in finding.message


def _judged(result: FileResult, own: OwnNames, book: Rulebook, read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    made = [one for found in result.findings for one in _named(found, own, book, source)]
    return replace(result, findings=tuple(engine.in_order(made)))


def _named(finding: Finding, own: OwnNames, book: Rulebook, source: SourceFile) -> Iterator[Finding]:
    """The finding as it is, on another word, or none."""
    if not _may_be_own(finding):
        yield finding
        return
    tokens = lexed(source)
    first, scopes = source.text(finding.span), Structure(tokens, syntax_tree(tokens).root_node)
    for span in (finding.span, *_words(tokens, finding)):
        name = source.text(span)
        rule = f"api/{name}" if name in book.names else UNKNOWN  # some have a stand-in for CUDA's own
        around = scopes.enclosing(span.start)
        if name.startswith(_OF_CUDA) and own.has(replace(finding, rule=rule, name=name, span=span, enclosing=around)):
            continue
        message = finding.message.replace(f"`{first}`", f"`{name}`")
        place, end = source.position(span.start), source.position(span.end)
        excerpt = source.line(place.line).strip()[: engine.EXCERPT]
        yield replace(finding, span=span, position=place, end=end, excerpt=excerpt, message=message)
        return


def _words(tokens: Lexed, finding: Finding) -> Iterator[Span]:
    """The words behind that of a finding that need the runtime's header, but for those in directives."""
    for match in tokens.matches(NEEDS):
        if match.start() > finding.span.start and tokens.directive_at(match.start()) is None:
            yield Span(*match.span())
