"""What only the body of a macro needs that nothing in the repository expands: no compiler sees it, and nothing blocks.

A header that checks the results of a library which others may use brings such macros along. The finding stays, as what
is fine: whoever expands the macro needs what it names. So does what only a person can change in a macro with
parameters: its value is in no condition unless one calls it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/unexpanded-macro"
_GROUPS = ("api", "library", "texture")
_NAME = re.compile(rb"\w+")
_PASTED = re.compile(rb"(\w+)\s*##|##\s*(\w+)")
_ASKS = frozenset(("ifdef", "ifndef", "undef", "if", "elif"))
"""Directives that mention a macro without the tokens of its body going anywhere but into a condition."""


def library_rules(book: Rulebook) -> frozenset[str]:
    """The rules on libraries of C++ that are no part of CUDA."""
    return frozenset(one.id for one in book.detectors.get("foreign_library", ()))


def marked(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results; a library that only macros name is needed where one of them is expanded, and counted once a file."""
    rule = book.rules.get(RULE)
    libraries = library_rules(book)
    holders = [one for one in results if any(_is_asked(finding, libraries) for finding in one.findings)]
    if rule is None or rule.silent or not holders:
        return list(results)
    expanded = _Expanded(results, read)
    changed: dict[str, FileResult] = {}
    for result in holders:
        source = read(result.path)
        tokens = lexed(source) if source is not None else None
        kept, needed, said = list[Finding](), set[str](), set[bytes]()
        for finding in result.findings:
            of_library = finding.rule in libraries
            macro = _macro(tokens, finding, of_library) if tokens is not None and _is_asked(finding, libraries) else b""
            if source is None or not macro:
                kept.append(finding)
            elif not expanded.anywhere(macro):
                use = Use("name", macro.decode(), finding.span, finding.span, (), "unknown", "token")
                if of_library or macro not in said:
                    kept.append(engine.finding(source, Hit(RULE, use, {"name": macro.decode()}), rule))
                said.add(macro)
            elif not of_library or finding.rule not in needed:
                needed.add(finding.rule)
                kept.append(finding)
        if kept != list(result.findings):
            changed[result.path] = replace(result, findings=tuple(engine.in_order(kept)))
    return [changed.get(one.path, one) for one in results]


def _is_asked(finding: Finding, libraries: frozenset[str]) -> bool:
    """Whether a finding is on such a library, or on what only a person can change."""
    return finding.rule in libraries or (finding.group in _GROUPS and finding.resolution == "manual")


def _macro(lexed: Lexed, finding: Finding, of_library: bool) -> bytes:
    """The macro whose body holds a finding, if one does; what is no library's counts in one with parameters."""
    directive = lexed.directive_at(finding.span.start)
    if directive is None or directive.name != "define":
        return b""
    name = _defined(lexed, directive)
    takes = directive.argument(lexed.data)[len(name) : len(name) + 1] == b"("
    return name if of_library or takes else b""


def _defined(lexed: Lexed, directive: Directive) -> bytes:
    match = _NAME.match(directive.argument(lexed.data))
    return match[0] if match is not None else b""


class _Expanded:
    """Which macros the code of a repository expands: by its own text, and through macros that it expands."""

    def __init__(self, results: Sequence[FileResult], read: Read) -> None:
        self._paths = [one.path for one in results if one.language in ("cuda", "cxx")]
        self._read = read
        self._known: dict[bytes, bool] = {}

    def anywhere(self, macro: bytes) -> bool:
        """Whether the code of any file does."""
        if macro not in self._known:
            self._known[macro] = False  # while it is looked for: a macro that only itself names is not expanded
            self._known[macro] = any(self._in(source, macro) for source in self._sources())
        return self._known[macro]

    def _sources(self) -> Iterator[SourceFile]:
        yield from (source for path in self._paths if (source := self._read(path)) is not None)

    def _in(self, source: SourceFile, macro: bytes) -> bool:
        if macro not in source.data:
            return b"##" in source.data and self._pasted(source, macro)
        tokens = lexed(source)
        for start in tokens.words(frozenset((macro,))):
            directive = tokens.directive_at(start)
            if directive is None:
                return True
            outer = _defined(tokens, directive) if directive.name == "define" else b""
            if outer and outer != macro and self.anywhere(outer):
                return True
            is_called = tokens.text(tokens.token(start + len(macro))) == b"("
            if not outer and (directive.name not in _ASKS or (is_called and directive.name in ("if", "elif"))):
                return True
        return b"##" in source.data and self._pasted(source, macro)

    @staticmethod
    def _pasted(source: SourceFile, macro: bytes) -> bool:
        """Whether a macro pastes a part of the name to something: what comes out is not followed."""
        parts = (match[1] or match[2] for match in _PASTED.finditer(source.data))
        return any(macro.startswith(part) or macro.endswith(part) for part in parts)
