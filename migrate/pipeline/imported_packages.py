"""Packages for CUDA that Python code imports and no requirement file names: they are needed on AMD as much.

A module is taken for the package of its name, as pip compares names: `torch_scatter` for torch-scatter. One place
stands for all of a repository. What a file can do without, as it catches the error, and a module of the repository's
own, is no requirement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Inventory, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.own_packages import modules_of
from cudamigrate.pipeline.read_again import asked
from cudamigrate.pipeline.rule_base import project_rules
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import python_tree
from cudamigrate.syntax.python_requirements import normalised

_IMPORTS = re.compile(rb"\b(?:import|from)[ \t]+((?:[^\n;#\\]|\\\r?\n)*)")
"""What follows `import` or `from` in a line, and in those that a backslash joins to it."""
_WORD = re.compile(r"\w+")
_MISSING = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
Imported = tuple[str, int, int]
"""A module that is imported, the first part of its name, with the bytes where it is named."""


def with_imported(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> Sequence[FileResult]:
    """The results, with a finding where code first imports a package that has no build for AMD under its name."""
    packages = project_rules(book.goal, book.extra)
    named = {finding.rule for result in results for finding in result.findings if finding.group == "packages"}
    own = {module.partition(".")[0] for module in modules_of(inventory)}
    made: dict[str, list[Finding]] = {}
    seen = set[str]()

    def needed(module: str, span: Span) -> tuple[Use, Rule] | None:
        use = Use("package", normalised(module.encode("latin-1", "replace")), span, span)
        rule = packages.rule("python", use)
        if rule is None or rule.id in named or not _is_needed(rule) or packages.named("python", f"import {module}"):
            return None
        return use, rule

    @cache
    def may_be(word: str) -> bool:
        return word not in own and needed(word, Span(0, 0)) is not None

    code = [one for one in results if one.language == "python" and one.skip is None]
    for result in sorted(code, key=lambda one: (_is_aside(one.path), one.path)):
        words = asked(read, result.path, _words) or ()
        if not any(word not in seen and may_be(word) for word in words):
            continue  # to parse takes many times as long as to look for words
        for module, start, end in asked(read, result.path, imports) or ():
            said = None if module in own or module in seen else needed(module, Span(start, end))
            seen.add(module)
            if said is None:
                continue
            use, rule = said
            source = read(result.path)
            if source is not None:
                made.setdefault(result.path, []).append(engine.finding(source, Hit(rule.id, use), rule))
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _is_aside(path: str) -> bool:
    return any(part in ("test", "tests", "example", "examples", "docs", "benchmarks") for part in path.split("/"))


def _is_needed(rule: Rule) -> bool:
    """Whether the rule says that nothing by the package's name works on AMD as it is."""
    return not rule.silent and rule.outcome == "compile-error" and rule.support in ("none", "partial")


def _words(source: SourceFile) -> frozenset[str]:
    """The words of all that a file may import."""
    return frozenset(
        word for said in _IMPORTS.findall(source.data) for word in _WORD.findall(said.decode("utf-8", "replace"))
    )


def imports(source: SourceFile) -> tuple[Imported, ...]:
    """The modules that a file imports by their whole names, each once, without those that it can do without."""
    tree = python_tree.known(source.data)
    if tree is None:
        return ()
    starts = source.line_starts()
    found: dict[str, Imported] = {}
    for module, node in _imported(tree.body):
        line = starts[node.lineno - 1]
        at = source.data.find(module.encode(), line)
        found.setdefault(module, (module, at, at + len(module.encode())))
    return tuple(one for one in found.values() if one[1] >= 0)


def _imported(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The modules that statements import, but for a `try` that catches their absence."""
    for node in body:
        match node:
            case ast.Import(names=names):
                yield from ((one.name.partition(".")[0], node) for one in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0], node
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=last):
                yield from _imported([*([] if any(map(catches, handlers)) else inner), *other, *last])
            case _:
                for field in ("body", "orelse"):
                    held = getattr(node, field, None)
                    yield from _imported(held) if isinstance(held, list) else ()


def catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches the absence of a module."""
    names = [one.id for one in ast.walk(handler.type) if isinstance(one, ast.Name)] if handler.type else []
    return handler.type is None or not _MISSING.isdisjoint(names)
