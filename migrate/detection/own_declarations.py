"""Places where a project declares or defines a name itself, or asks for a macro, for which a qualified name is none."""

from __future__ import annotations

from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Rule, Use

_NAMING = ("define", "undef", "ifdef", "ifndef")
"""Directives whose first word is the name of a macro."""
_BEFORE_CALLS = frozenset(
    (
        b"return",
        b"else",
        b"do",
        b"case",
        b"throw",
        b"not",
        b"and",
        b"or",
        b"xor",
        b"co_return",
        b"co_yield",
        b"co_await",
    )
)
"""Words before a call; any other before a name with a bracket behind it is of the type that is declared."""


def names(parsed: ParsedFile, use: Use, rule: Rule) -> bool:
    """Whether a name that calls have in a namespace is declared here: `int __f(int x);`, `#define __f(x) x`.

    What a project defines itself needs no other name, and `ours::f` can neither be defined so nor asked for.
    """
    if rule.change.kind != "rename" or "::" not in rule.change.text[0] or use.kind not in ("call", "name"):
        return False
    lexed = parsed.lexed
    directive, before = lexed.directive_at(use.span.start), lexed.before(use.span.start)
    if directive is not None:
        asks = before if before is None or before.kind == WORD else lexed.before(before.start)
        named = directive.name in _NAMING and not parsed.data[directive.rest : use.span.start].strip()
        return named or lexed.text(asks) == b"defined"
    opens = lexed.text(lexed.token(use.span.end)) == b"("
    typed = before is not None and before.kind == WORD and lexed.text(before) not in _BEFORE_CALLS
    apart = before is not None and lexed.directive_at(before.start) is not None  # `#ifdef WITH_MARKS`, a line before
    return opens and (use.kind == "name" or (typed and not apart))
