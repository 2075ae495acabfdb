"""Dispatch macros of a project's own that take what PyTorch's took: a tensor's type object, `OWN(x.type(), ...)`.

Such a macro asks `detail::scalar_type` for the type, as PyTorch's did up to 2.5; since then it takes no type object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.cuda.words import among
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "api/dispatch-on-type"
_ASKS = b"detail::scalar_type"
_MACRO = re.compile(rb"(\w+)\(.*\bdetail::scalar_type\s*\(", re.DOTALL)
"""A macro with parameters that asks so: `MY_DISPATCH(TYPE, ...) ... ::detail::scalar_type(the_type)`."""
_LANGUAGES = ("cuda", "cxx")


def with_dispatch_macros(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding on each call of such a macro that is given a type object."""
    rule = book.rules.get(RULE)
    code = [one for one in results if one.language in _LANGUAGES and one.skip is None]
    names = frozenset(name for one in code for name in asked(read, one.path, _defined) or ())
    if rule is None or rule.silent or not names:
        return list(results)
    paths = {one.path for one in code}
    return [engine.with_more(one, list(_found(one, names, book, read)) if one.path in paths else ()) for one in results]


def _defined(source: SourceFile) -> tuple[bytes, ...]:
    """The macros of a file that ask for the scalar type of what they are given."""
    if _ASKS not in source.data:
        return ()
    bodies = (one.argument(source.data) for one in lexed(source).directives if one.name == "define")
    return tuple(found[1] for body in bodies if (found := _MACRO.match(body)) is not None)


def _found(result: FileResult, names: Set[bytes], book: Rulebook, read: Read) -> Iterator[Finding]:
    source = read(result.path)
    if source is None or not among(source.data, names):
        return
    parsed = cuda.parse(replace(source, language="cuda"), frozenset(names))
    known = {one.span for one in result.findings if one.rule == RULE}
    for use in parsed.uses:
        is_call = use.kind == "call" and use.name.encode() in names and use.span not in known
        if is_call and parsed.hip(use.span.start) is None:
            made = engine.finding_in(parsed, Hit(RULE, use), book.rules[RULE])
            yield from (made,) if made.fix is not None else ()  # it is given a scalar type already
