"""Macros of several files that pass on the carry: the asm statements in them, and every function that expands one.

A use that is not followed stops all of them: whoever expands a macro that was changed needs its variable. Macros that
nobody expands stay too: who does so later would have no variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Span, Use
from cudamigrate.ptx import carry_chains, translate
from cudamigrate.ptx.carry_flow import Flow, concerned
from cudamigrate.ptx.carry_tokens import Macro, by_name, definitions, of_range

__all__ = ["Family", "Site", "family", "names"]

_ASKS = frozenset(("undef", "ifdef", "ifndef", "if", "elif", "elifdef", "elifndef"))


@dataclass(frozen=True, slots=True)
class Site:
    """A function that expands a macro of the family, and the place of its first one."""

    function: Function
    first: Span


@dataclass(slots=True)
class Family:
    """Asm statements of macros, and functions that expand these, by path; `why` says why all stay as they are."""

    statements: dict[str, list[Use]] = field(default_factory=dict)
    sites: dict[str, dict[Span, Site]] = field(default_factory=dict)
    why: str = ""


def names(files: Iterable[ParsedFile]) -> frozenset[str]:
    """The macros that have to do with the carry."""
    return concerned(by_name(pair for parsed in files for pair in parsed.once(_definitions)))


def _definitions(parsed: ParsedFile) -> tuple[tuple[str, Macro], ...]:
    return tuple(definitions(parsed))


def family(files: Mapping[str, ParsedFile]) -> Family:
    """All macros of the files that share the carry, with all uses."""
    macros = by_name(pair for parsed in files.values() for pair in parsed.once(_definitions))
    known, made = concerned(macros), Family()
    doubled = sorted(name for name in known if macros[name].several)
    if doubled:
        made.why = f"the macro `{doubled[0]}` has several definitions"
    words = frozenset(name.encode("latin-1") for name in known)
    for path, parsed in files.items():
        made.statements[path] = list(_statements(parsed))
        made.why = made.why or _find_sites(made, path, parsed, words)
    for path, sites in made.sites.items():
        for site in sites.values():
            made.why = made.why or _refusal(files[path], site, macros, known)
    if not any(made.sites.values()):
        made.why = made.why or "no function here uses it, so that nothing would declare the variable that it needs"
    for path, uses in made.statements.items():
        for use in uses if not made.why else ():
            found = translate.carried(files[path], use)
            if found is None or not found.edits:
                made.why = "a part of it has no translation"
    return made


def _statements(parsed: ParsedFile) -> Iterator[Use]:
    """The asm statements of a file's macros that read the carry of others, or set it for them."""
    for use in parsed.uses:
        if use.kind == "asm" and use.args and use.scope == "macro":
            carry = carry_chains.carry_of(parsed, use)
            if carry.reads or carry.sets:
                yield use


def _find_sites(made: Family, path: str, parsed: ParsedFile, words: frozenset[bytes]) -> str:
    """Find the functions of a file that say a macro's name; why one that does is not understood."""
    sites = made.sites.setdefault(path, {})
    for at in parsed.lexed.words(words):
        directive = parsed.lexed.directive_at(at)
        token = parsed.lexed.token(at)
        name = parsed.source.text(Span(token.start, token.end)) if token is not None else ""
        if directive is not None:
            if directive.name in _ASKS:
                return f"`#{directive.name}` asks for `{name}`"
            continue
        if parsed.hip(at) is False:
            continue
        function = parsed.function(at)
        if function is None or not function.body.start < at < function.body.end:
            return f"`{name}` is used in {path} where no function is seen"
        sites.setdefault(function.body, Site(function, Span(at, at + len(name))))
    return ""


def _refusal(parsed: ParsedFile, site: Site, macros: Mapping[str, Macro], known: frozenset[str]) -> str:
    """Why the carry is not followed through a function."""
    body = site.function.body
    code = of_range(parsed, body.start, body.end)
    if any(one.carry.reads or one.carry.sets for one in code.items):
        why = "it has asm statements of its own with a carry"
    else:
        why = carry_chains.followed(Flow(macros, known), code)
    return f"in `{site.function.name}` of {parsed.source.path}: {why}" if why else ""
