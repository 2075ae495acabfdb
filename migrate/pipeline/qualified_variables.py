"""Macros of headers that follow the pass of the compiler, where another file qualifies variables by them.

`__host__ __device__` in both passes, as functions need it, makes a variable the device's alone: host code that reads it
gets no value. The file of the macro does not show such a use, so the fix made there is taken back: the conditional
follows the pass, and the finding says that functions and variables need two macros, if functions have it too.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.qualified_declarations import kinds
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook

RULE, MIXED = "build/pass-qualifier", "build/mixed-qualifier"
_LANGUAGES = ("cuda", "cxx")
_TEST = "build/cuda-compiler-macro"
_WIDENED = (
    b"defined(__CUDA_ARCH__) || defined(__HIPCC__)",
    b"defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)",
)
"""The condition that holds in both passes, and the one for the device's."""


def without_variables(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with such macros left to follow the pass."""
    if not any(one.rule == RULE for result in results for one in result.findings):
        return list(results)
    paths = [one.path for one in results if one.language in _LANGUAGES and one.skip is None]
    graph = IncludeGraph({path: asked(read, path, spelled_includes) or () for path in paths})
    return [_judged(one, book, graph, read) for one in results]


def _judged(result: FileResult, book: Rulebook, graph: IncludeGraph, read: Read) -> FileResult:
    """The result of one file; a macro that only functions have stays as it is."""
    source = read(result.path) if any(one.rule == RULE for one in result.findings) else None
    if source is None:
        return result
    tokens = lexed(source)
    names = {one.span: _defined(tokens, one.span.start) for one in result.findings if one.rule == RULE}
    found = {name: _elsewhere(name, result.path, graph, read) for name in names.values()}
    if not any("variable" in each for each in found.values()):
        return result
    parsed, kept, chains = cuda.parse(source, frozenset()), list[Finding](), set[int]()
    for one in result.findings:
        name = names.get(one.span, b"") if one.rule == RULE else b""
        if "variable" not in found.get(name, ()):
            kept.append(one)
            continue
        around = parsed.conditional(one.span.start)
        chains |= {around.chain} if around is not None else set()
        if "function" in found[name] | kinds(tokens, name):
            kept += _mixed(source, one.span, name, book)
    tests = [Span(line.start, line.end) for line in parsed.lexed.directives if line.end in chains]
    kept = [_following(one, tests) for one in kept]
    return replace(result, findings=tuple(engine.in_order(kept)))


def _defined(tokens: Lexed, offset: int) -> bytes:
    """The macro that the directive at a place defines."""
    directive = tokens.directive_at(offset)
    words = directive.argument(tokens.data).split() if directive is not None else []
    return words[0] if words else b""


def _mixed(source: SourceFile, span: Span, name: bytes, book: Rulebook) -> list[Finding]:
    """What is said of a macro that qualifies both."""
    rule, text = book.rules.get(MIXED), name.decode("latin-1")
    use = Use("name", text, span, span, (), certainty="token")
    return [] if rule is None else [engine.finding(source, Hit(MIXED, use, {"name": text}), rule)]


def _elsewhere(name: bytes, path: str, graph: IncludeGraph, read: Read) -> frozenset[str]:
    """What the files qualify by a macro that include its file, by way of others too."""
    found, queue, seen = set[str](), [path], {path}
    for one in queue:
        users = sorted(graph.users.get(one, frozenset()) - seen)
        seen.update(users)
        queue += users
        source = read(one) if one != path else None
        if source is not None and name in source.data:
            found |= kinds(lexed(source), name)
    return frozenset(found)


def _following(found: Finding, tests: Sequence[Span]) -> Finding:
    """A finding on one of some conditions with a fix that asks for the pass, where it asked for the compiler."""
    if found.rule != _TEST or found.fix is None:
        return found
    if not any(test.start <= found.span.start < test.end for test in tests):
        return found
    edits = tuple(Edit(one.span, one.replacement.replace(*_WIDENED)) for one in found.fix.edits)
    fix = Fix(edits, found.fix.safety, found.fix.group, found.fix.relies)
    return replace(found, fix=fix, message=found.message.replace("__HIPCC__", "__HIP_DEVICE_COMPILE__"))
