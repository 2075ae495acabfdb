"""Changes that would break a directive of the preprocessor: an expression for the name it takes, or text before it.

A name is taken by what defines it, undefines it, or asks whether it is defined.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit
from cudamigrate.syntax.project_file import ProjectFile

_OF_NAMES = frozenset(("define", "undef", "ifdef", "ifndef"))
_OF_CONDITIONS = frozenset(("if", "elif"))
_NAME = re.compile(rb"[A-Za-z_]\w*")


def has(parsed: ParsedFile | ProjectFile, changes: Sequence[Edit]) -> bool:
    """Whether a change would write an expression for a name, `#ifdef 32`, or text before a directive on its line."""
    if not isinstance(parsed, ParsedFile):
        return False
    if any(_NAME.fullmatch(one.replacement) is None and _is_name(parsed, one) for one in changes):
        return True
    texts = (edit for edit in changes if edit.span.start == edit.span.end and not edit.replacement.startswith(b"#"))
    added = {edit.span.start for edit in texts if not edit.replacement.endswith(b"\n")}
    return bool(added) and not added.isdisjoint(parsed.once(_starts))


def _starts(parsed: ParsedFile) -> frozenset[int]:
    return frozenset(directive.start for directive in parsed.lexed.directives)


def _is_name(parsed: ParsedFile, change: Edit) -> bool:
    """Whether a change replaces just the name in such a place, or ends it by a call's brackets."""
    lexed, start = parsed.lexed, change.span.start
    directive = lexed.directive_at(start)
    if directive is None or start == change.span.end:
        return False
    if directive.name in _OF_NAMES:
        first = lexed.token(directive.rest)
        return first is not None and first.start <= start < first.end
    if directive.name not in _OF_CONDITIONS:
        return False
    before = lexed.before(start)
    if lexed.text(before) == b"(" and before is not None:
        before = lexed.before(before.start)
    return lexed.text(before) == b"defined"
