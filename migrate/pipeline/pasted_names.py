"""Macros that paste a CUDA prefix to a name: `#define CALL(call) check(cuda##call)`, by what all their uses make.

Where each use in the tree makes a name whose HIP name has the same ending, the prefix alone changes. Where one does
not, the finding says which. A beginning of constants that no name of CUDA's has is the project's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.cuda.code_files import pasted_sizes
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Step, Use
from cudamigrate.pipeline.judged_again import judged_again
from cudamigrate.pipeline.own_names import UNKNOWN, Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

SIZE = "warp/pasted-size"
OPEN, ALIKE, UNLIKE = "build/token-pasting", "build/pasted-prefix", "build/pasted-name"
_MACRO = re.compile(rb"\s*(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^()]*)\)")
"""The beginning of a macro with parameters, behind `#define`."""
_NAME = re.compile(rb"\s*(?P<name>[A-Za-z_]\w*)")
_PASTED = re.compile(rb"(?P<prefix>[A-Za-z]\w*)\s*##\s*(?P<parameter>[A-Za-z_]\w*)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CONSTANTS = re.compile(rb"[A-Z]+_[A-Z\d]\w*_(?=\s*##)")
"""What constants of one kind begin with, before what is pasted to it: `CU_DEVICE_ATTRIBUTE_`."""


class _Paste(NamedTuple):
    """A macro that pastes one of its parameters, by its number, to a prefix, which ends where its name does."""

    macro: bytes
    number: int
    prefix: bytes


class _Made(NamedTuple):
    """A name that a use of a macro makes: its ending, and where; the ending is empty where it is not seen."""

    ending: bytes
    path: str
    line: int


def with_pasted_names(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results; findings on pasted prefixes whose uses are all seen have a fix, or the name that has none."""
    known: dict[_Paste, list[_Made]] = {}

    def judged(source: SourceFile, finding: Finding) -> Finding:
        paste = _paste(source, lexed(source), finding.span) if finding.rule == OPEN else None
        if paste is None:
            return finding
        if paste not in known:
            known[paste] = list(_made(paste, results, read))
        return _judged(source, finding, paste, known[paste], book)

    return judged_again(_with_prefixes(_with_made_sizes(results, read), book, read), OPEN, judged, read)


def _with_prefixes(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results without pasted constants of the project's own: `CU_MINE_##name`.

    A prefix is no name, so that none is unknown: `cudaDevAttr##name`.
    """
    made = []
    for result in results:
        pasted = {one.span.start for one in result.findings if one.rule == OPEN}
        source = read(result.path) if pasted else None
        if source is not None:
            kept = [
                one
                for one in result.findings
                if (one.rule != OPEN or _is_known(source.data, one.span, book))
                and (one.rule != UNKNOWN or one.span.start not in pasted)
            ]
            result = replace(result, findings=tuple(kept))
        made.append(result)
    return made


def _is_known(data: bytes, span: Span, book: Rulebook) -> bool:
    """Whether names of CUDA's begin with what a constant is pasted to; a name of anything else is not asked for."""
    match = _CONSTANTS.match(data, span.start, span.end)
    return match is None or any(name.startswith(match[0].decode()) for name in book.names)


def _with_made_sizes(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without halves of `warpSize` that no use of their macro makes whole."""
    made = list(results)
    for at, result in enumerate(results):
        source = read(result.path) if any(one.rule == SIZE for one in result.findings) else None
        if source is not None:
            halves = dict(pasted_sizes(source.data))
            kept = [
                one for one in result.findings if one.rule != SIZE or _is_made(source, one.span, halves, made, read)
            ]
            made[at] = replace(result, findings=tuple(kept))
    return made


def _is_made(
    source: SourceFile, span: Span, halves: Mapping[int, bytes], results: Sequence[FileResult], read: Read
) -> bool:
    """Whether a macro, or one whose body uses it, is given the other half; two halves together are."""
    other = next((half for start, half in halves.items() if span.start <= start < span.end), b"")
    macros = _defined(source, lexed(source), span.start)
    if not other or not macros:
        return True
    files = [one for each in results if each.language in ("cuda", "cxx") and (one := read(each.path)) is not None]
    known = 0
    while len(macros) > known:
        known = len(macros)
        named = re.compile(rb"#[ \t]*define\b(?:\\\r?\n|[^\n])*\b(?:%s)\b" % b"|".join(sorted(macros)))
        for one in files:
            used = any(name in one.data for name in macros)
            if not used or not (other in one.data or named.search(one.data)):
                continue  # it neither gives the macro the other half nor uses it in another one
            tokens = lexed(one)  # one that is not kept would be lexed at each use again
            for start in tokens.words(frozenset(macros)):
                if other in _given(one, tokens, start):
                    return True
                macros |= _defined(one, tokens, start)
    return False


def _defined(source: SourceFile, tokens: Lexed, start: int) -> set[bytes]:
    """The macro in whose definition a place is."""
    directive = tokens.directive_at(start)
    match = _NAME.match(source.data, directive.rest) if directive is not None and directive.name == "define" else None
    return {match["name"]} if match is not None else set()


def _given(source: SourceFile, tokens: Lexed, start: int) -> list[bytes]:
    """The arguments of the macro at a place."""
    name = tokens.token(start)
    opening = tokens.after(name) if name is not None else None
    if opening is None or tokens.text(opening) != b"(":
        return []
    closing = tokens.closing(opening.start)
    return [source.data[a:b].strip() for a, b in tokens.arguments(opening.start, closing)] if closing > 0 else []


def _judged(source: SourceFile, finding: Finding, paste: _Paste, made: Sequence[_Made], book: Rulebook) -> Finding:
    if not made or not all(one.ending for one in made):
        return finding
    prefixes = {one: _prefix(paste.prefix, one.ending, book) for one in made}
    usual = next((prefix for prefix in prefixes.values() if prefix), b"")
    odd = next((one for one in made if prefixes[one] != usual or not usual), None)
    rule = book.rules.get(ALIKE if odd is None else UNLIKE)
    if rule is None or rule.silent:
        return finding
    shown = odd or made[0]
    words = {
        "prefix": paste.prefix.decode(),
        "hip": usual.decode(),
        "macro": paste.macro.decode(),
        "name": (paste.prefix + shown.ending).decode(),
        "line": str(shown.line),
        "path": shown.path,
    }
    use = Use("paste", finding.excerpt, finding.span, finding.span, (), "macro", "token")
    step = Step(shown.path, shown.line, f"`{words['macro']}` makes `{words['name']}` here")
    found = engine.finding(source, Hit(rule.id, use, words, (step,)), rule)
    start = finding.span.start
    edit = Edit(Span(start, start + len(paste.prefix)), usual)
    return replace(found, fix=Fix((edit,), "safe")) if odd is None else found


def _prefix(prefix: bytes, ending: bytes, book: Rulebook) -> bytes:
    """What HIP's name has before the same ending; empty where that differs, or more changes than the name."""
    rule = book.names.get((prefix + ending).decode())
    if rule is None or rule.change.kind != "rename" or rule.safety != "safe":
        return b""
    new = rule.change.text[0].encode()
    return new[: -len(ending)] if new.endswith(ending) else b""


def _paste(source: SourceFile, tokens: Lexed, span: Span) -> _Paste | None:
    """What is pasted at a place: a prefix and a parameter, nothing before or behind them."""
    directive = tokens.directive_at(span.start)
    macro = _MACRO.match(source.data, directive.rest) if directive is not None and directive.name == "define" else None
    match = _PASTED.fullmatch(source.data, span.start, span.end)
    around = (tokens.text(tokens.before(span.start)), tokens.text(tokens.token(span.end)))
    if macro is None or match is None or b"##" in around:
        return None
    names = [one.strip() for one in macro["parameters"].split(b",")]
    if match["parameter"] not in names or match["prefix"] in names:
        return None
    return _Paste(macro["name"], names.index(match["parameter"]), match["prefix"])


def _made(paste: _Paste, results: Sequence[FileResult], read: Read) -> Iterator[_Made]:
    """The names that uses of a macro make, in all files; where a macro is defined or asked for, none is made."""
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is None or paste.macro not in source.data:
            continue
        tokens = lexed(source)
        for start in tokens.words(frozenset((paste.macro,))):
            directive = tokens.directive_at(start)
            if directive is not None and (
                directive.name != "define" or not source.data[directive.rest : start].strip()
            ):
                continue
            ending = b"" if directive is not None else _ending(source.data, tokens, start + len(paste.macro), paste)
            yield _Made(ending, source.path, source.position(start).line)


def _ending(data: bytes, tokens: Lexed, at: int, paste: _Paste) -> bytes:
    """The first word of the argument that is pasted."""
    opening = tokens.token(at)
    closing = tokens.closing(opening.start) if opening is not None and tokens.text(opening) == b"(" else -1
    given = tokens.arguments(opening.start, closing) if opening is not None and closing > 0 else []
    word = _WORD.match(data, given[paste.number][0]) if len(given) > paste.number else None
    return b"" if word is None else word[0]
