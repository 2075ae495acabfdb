"""A converted file -> the fixes that leave a call or a definition half converted.

Result: fixes to withdraw. A unit is a call with its arguments, or a declaration with the function's name and its
parameters, without the bodies and lambdas in it. It is half converted where a name that a fix wrote is beside a
name of CUDA's that is left, that no finding reports, and that the repository does not define itself: such code
compiles for neither vendor, and nothing says so.

The syntax tree of the converted file says what one unit is. Bodies of macros have no tree and are not judged.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from tree_sitter import Node

from cudamigrate import edits, plugins
from cudamigrate.config import Config
from cudamigrate.cuda.lexer import WORD, Lexed, lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.cuda.scopes import syntax_tree
from cudamigrate.frontends.cuda import GUARDS
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Finding, Fix, Report, Rule, SourceFile, Span, SpanIndex
from cudamigrate.pipeline import torch7
from cudamigrate.pipeline.rule_base import code_rules
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax.tree_sitter_nodes import Locator

_UNITS = frozenset(("call_expression", "declaration", "function_definition", "field_declaration"))
_OPAQUE = frozenset(("compound_statement", "field_declaration_list", "declaration_list", "translation_unit"))
"""What no unit reaches across: bodies of functions, lambdas, classes and namespaces."""
_VARIABLES = ("declaration", "parameter_declaration")
_DECLARATORS = ("init_declarator", "pointer_declarator", "array_declarator", "reference_declarator")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CODE = ("cuda", "cxx", "")


@dataclass(frozen=True, slots=True)
class Judge:
    """What is needed to judge a file: the rules, the macros of HIP builds, and the names the repository defines.

    `kept` are the rules whose names a library has that one finding of the repository is about.
    """

    book: Rulebook
    guards: tuple[str, ...]
    own: frozenset[str]
    kept: frozenset[str] = frozenset()


def judge(report: Report, config: Config) -> Judge:
    """What decides, for the files of a report, whether code is half converted."""
    book = code_rules(report.target, config.rules)
    own = frozenset(definition.name for result in report.files for definition in result.definitions)
    kept = torch7.OF_LIBRARY if torch7.RULE in report.rules else frozenset[str]()
    return Judge(book, (*GUARDS, *config.hip_guards), own, kept)


@dataclass(frozen=True, slots=True)
class Written:
    """A name that a fix wrote, at its place in the converted file."""

    span: Span
    fix: Fix


def whole(
    judge: Judge,
    source: SourceFile,
    chosen: Sequence[Finding],
    reported: Sequence[Finding],
    convert: Callable[[SourceFile, Sequence[Finding]], Conversion],
) -> Conversion:
    """The file converted by the fixes of `chosen`, without those that leave something half converted.

    `reported` are all findings of the file. Fixes of a group go together. The conversion lists what was withdrawn.
    """
    made = convert(source, chosen)
    withdrawn: list[tuple[Finding, str]] = []
    while found := offending(judge, source, reported, made):
        groups = {fix.group for fix in found if fix.group}
        name = next(iter(found.values()))
        kept = []
        for finding in chosen:
            if finding.fix in found or (finding.fix is not None and finding.fix.group in groups):
                left = found.get(finding.fix, name) if finding.fix is not None else name
                withdrawn.append(
                    (finding, f"it would leave `{left}` beside HIP names in one call or definition, unreported")
                )
            else:
                kept.append(finding)
        chosen = kept
        made = convert(source, chosen)
    return replace(made, rejected=(*made.rejected, *withdrawn)) if withdrawn else made


def offending(judge: Judge, source: SourceFile, reported: Iterable[Finding], made: Conversion) -> dict[Fix, str]:
    """The fixes that leave something half converted, each with the CUDA name that is left."""
    if source.language not in _CODE or not made.fixes:
        return {}
    lexed, applied = lex(made.after), made.fixes
    written = list(_written(source.data, applied))
    left = _left(judge, lexed, list(reported), applied, written)
    if not left:
        return {}
    starts = [one.span.start for one in written]
    root = syntax_tree(lexed).root_node
    found: dict[Fix, str] = {}
    locator, seen = Locator(root), set[int]()
    own = {name for span, name in left if name not in judge.book.names and _is_declared(locator, span)}
    for span, name in (one for one in left if one[1] not in own):
        for unit in _units(locator, span):
            if unit.id in seen:  # all that is in it was found for the name before
                continue
            seen.add(unit.id)
            first = bisect_right(starts, unit.start_byte - 1)
            for one in written[first : bisect_right(starts, unit.end_byte)]:
                if _same(locator, unit, one.span):
                    found.setdefault(one.fix, name)
    return found


def _written(before: bytes, applied: Sequence[Fix]) -> Iterator[Written]:
    """The names that fixes wrote and that were not there before, in the order of the converted file."""
    placed = sorted(((edit, fix) for fix in applied for edit in fix.edits), key=lambda pair: pair[0].span)
    shift, seen = 0, set()
    for edit, fix in placed:
        if edit in seen:
            continue
        seen.add(edit)
        start, old = edit.span.start + shift, before[edit.span.start : edit.span.end]
        shift += len(edit.replacement) - (edit.span.end - edit.span.start)
        if b"#include" in edit.replacement:
            continue
        known = set(_WORD.findall(old))
        for match in _WORD.finditer(edit.replacement):
            if match[0] not in known:
                yield Written(Span(start + match.start(), start + match.end()), fix)


def _left(
    judge: Judge, lexed: Lexed, reported: Sequence[Finding], applied: Sequence[Fix], written: Sequence[Written]
) -> list[tuple[Span, str]]:
    """CUDA's names that the converted file keeps, that no finding reports and that the repository does not define."""
    ours = {one.span.start for one in written}
    ported = branches(lexed, [name.encode() for name in judge.guards])
    offsets, made = edits.Offsets(applied), set(applied)
    around = SpanIndex((finding.span, finding) for finding in reported)
    hip = SpanIndex((Span(branch.start, branch.end), branch) for branch in ported if branch.hip is not None)
    found = []
    for start in lexed.words(judge.book.marks(), judge.book.prefixes()):
        token = lexed.token(start)
        if token is None or token.kind != WORD or start in ours:
            continue
        name = lexed.text(token).decode("latin-1")
        rule = judge.book.names.get(name) or judge.book.family(name)
        if rule is None or rule.silent or name in judge.own or rule.id in judge.kept or _may_be_right(rule):
            continue
        if hip.touching(start, start + 1):
            continue
        origin = offsets.origin(start)
        if not _is_reported(around.touching(origin, origin + 1), name, made):
            found.append((Span(token.start, token.end), name))
    return found


def _may_be_right(rule: Rule) -> bool:
    """Whether the rule's rewrite tells uses that HIP has as they are from others, which are reported."""
    if rule.change.kind != "rewrite":
        return False
    return hasattr(plugins.one("cudamigrate.rewrites", rule.change.text[0]), "concerns")


def _is_reported(around: Iterable[Finding], name: str, applied: Collection[Fix]) -> bool:
    """Whether one of the findings around a name is on it, or stays open."""
    return any(one.name.rpartition("::")[2] == name or one.fix not in applied for one in around)


def _is_declared(locator: Locator, span: Span) -> bool:
    """Whether a variable of a name is declared at a place: `hipError_t cudaDone, *cudaLast = nullptr;`."""
    around = list(locator.around(span.start, span.end))
    node = around.pop()
    while around and around[-1].type in _DECLARATORS and node in around[-1].children_by_field_name("declarator"):
        node = around.pop()
    return bool(around) and around[-1].type in _VARIABLES and node in around[-1].children_by_field_name("declarator")


def _units(locator: Locator, span: Span) -> Iterator[Node]:
    """The calls and declarations around a name, from the innermost out, up to the body around them."""
    around = locator.around(span.start, span.end)
    within = itertools.takewhile(lambda node: node.type not in _OPAQUE, reversed(around))
    return iter([node for node in within if node.type in _UNITS])


def _same(locator: Locator, unit: Node, span: Span) -> bool:
    """Whether a name is in the unit itself, not in a body within it."""
    if not unit.start_byte <= span.start < unit.end_byte:
        return False
    for node in reversed(locator.around(span.start, span.end)):
        if node.id == unit.id or node.type in _OPAQUE:
            return node.id == unit.id
    return True
