"""Function templates that are `static` after a declaration that is not: GCC keeps the first linkage, clang refuses.

The declaration is in the same file or in one that it includes. Without `static` the template is to both compilers what
it is to GCC: other files may use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.preprocessor import conditionals
from cudamigrate.cuda.template_heads import TemplateHead, may_be_static, template_heads
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, included, lexed, once
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/static-template"
_LANGUAGES = ("cuda", "cxx")
_BLANKS = re.compile(rb"[ \t]*")


def with_static_templates(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each `static` of such a template."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    paths = [one.path for one in results if one.language in _LANGUAGES and one.skip is None]
    static = [path for path in paths if asked(read, path, _static)]
    near = list(_naming(static, paths, read)) if static else []
    heads = {path: [TemplateHead(*one) for one in found] for path in near if (found := asked(read, path, _heads))}
    every = [one for each in heads.values() for one in each]
    doubtful = {one.key for one in every if one.static >= 0} & {one.key for one in every if one.static < 0}
    kept = {path: ours for path, each in heads.items() if (ours := [one for one in each if one.key in doubtful])}
    if not kept:
        return list(results)
    graph = include_graph(read, paths)
    more: dict[str, list[Finding]] = {}
    for path in (one.path for one in results if one.cuda and any(head.static >= 0 for head in kept.get(one.path, ()))):
        source = read(path)
        more[path] = [] if source is None else list(_findings(source, kept, graph, book))
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _static(source: SourceFile) -> tuple[bytes, ...]:
    """The names of the function templates that are `static` in a file."""
    may_have = b"template" in source.data and may_be_static(source.data)
    return tuple(sorted({key[1] for _, key, static in once(source, _heads) if static >= 0})) if may_have else ()


def _naming(static: Sequence[str], paths: Sequence[str], read: Read) -> Iterator[str]:
    """The files that name a function template which some files have as `static`."""
    names = {name for path in static for name in asked(read, path, _static) or ()}
    for path in paths:
        source = read(path)
        if source is not None and any(name in source.data for name in names):
            yield path


def _heads(source: SourceFile) -> tuple[tuple[int, tuple[bytes, ...], int], ...]:
    """The heads of function templates that a file has in namespaces, as plain values."""
    found = template_heads(lexed(source)) if b"template" in source.data else ()
    return tuple((one.start, one.key, one.static) for one in found)


def _findings(
    source: SourceFile, heads: Mapping[str, Sequence[TemplateHead]], graph: IncludeGraph, book: Rulebook
) -> Iterator[Finding]:
    """One for each `static` behind another declaration without it."""
    own = heads[source.path]
    for head in (one for one in own if one.static >= 0):
        earlier = [one for one in own if one.static < 0 and one.key == head.key and one.start < head.start]
        if any(_may_be_apart(source, one.start, head.start) for one in earlier):
            continue
        read_before = graph.below(_included_before(source, head.start, graph)) - {source.path}
        others = (path for path in sorted(read_before & heads.keys()) for one in heads[path] if _is_of(one, head))
        where = source.path if earlier else next(others, "")
        if where:
            yield _finding(source, head, where, book)


def _is_of(one: TemplateHead, head: TemplateHead) -> bool:
    """Whether one declares the template of another without `static`."""
    return one.static < 0 and one.key == head.key


def _included_before(source: SourceFile, offset: int, graph: IncludeGraph) -> list[str]:
    """The files of the tree that a file includes before a place."""
    names = [name for name, _, span in included(source) if span.start < offset]
    return [other for other in graph.of(source.path) if any(name.endswith(other.rpartition("/")[2]) for name in names)]


def _may_be_apart(source: SourceFile, declared: int, defined: int) -> bool:
    """Whether a declaration is in a conditional that ends before a definition in the same file."""
    chains = conditionals(lexed(source).directives)
    return any(one[0].start < declared < one[-1].start < defined or _parts(one, declared, defined) for one in chains)


def _parts(chain: Sequence[Directive], declared: int, defined: int) -> bool:
    """Whether two places are in different branches of a conditional."""
    return chain[0].start < declared and any(declared < one.start < defined < chain[-1].start for one in chain[1:-1])


def _finding(source: SourceFile, head: TemplateHead, where: str, book: Rulebook) -> Finding:
    span = Span(head.static, head.static + len(b"static"))
    use = Use("name", "static", span, span, (), certainty="syntax")
    words = {"name": head.key[1].decode("utf-8", "replace"), "where": where}
    found = engine.finding(source, Hit(RULE, use, words), book.rules[RULE])
    blanks = _BLANKS.match(source.data, span.end)
    end = span.end if blanks is None else blanks.end()
    return replace(found, fix=Fix((Edit(Span(span.start, end), b""),), "safe"))
