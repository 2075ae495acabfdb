"""Classes of a library that macros name: an alias, one that puts the namespace before its argument, or is given a name.

`#define WR cub::WarpReduce` is used as `WR<int>`. `#define IN(...) cub::__VA_ARGS__` makes `cub::WarpReduce<int>` of
`IN(WarpReduce<int>)`; `#define OF(P, T) P<T>` gives the arguments itself. Macros of the same file are read, no others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from cudamigrate.analysis.member_arguments import FUNCTION_MACRO
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_ALIAS = re.compile(rb"(?P<name>\w+)\s+(?:::)?\s*(?P<owner>\w+)\s*::\s*(?P<member>\w+)\s*")
"""A macro that is another name for a class: `WR cub::WarpReduce`."""
_MEMBER = re.compile(rb"(?P<owner>\w+)\s*::\s*(?P<parameter>\w+)")
_WORD = re.compile(rb"\w+")
_REST = b"__VA_ARGS__"
_FARTHEST = 2000


class Named(NamedTuple):
    """A class that code names by a macro: its own name, where that is, all of it, and its template arguments.

    `fits` says whether one more argument may be written there.
    """

    name: bytes
    span: Span
    extent: Span
    args: tuple[Span, ...]
    fits: bool


class _Macro(NamedTuple):
    parameters: tuple[bytes, ...]
    body: bytes

    @property
    def is_variadic(self) -> bool:
        return self.parameters[-1:] == (_REST,)


def aliases(parsed: ParsedFile, owners: Collection[bytes], members: Collection[bytes]) -> Mapping[bytes, bytes]:
    """The macros of a file that are other names for members of a library, and which."""
    found = {}
    for one in parsed.lexed.directives:
        match = _ALIAS.fullmatch(one.argument(parsed.data) + b" ") if one.name == "define" else None
        if match is not None and match["owner"] in owners and match["member"] in members:
            found[match["name"]] = match["member"]
    return found


def named(parsed: ParsedFile, owners: Collection[bytes], widths: Mapping[str, int]) -> Iterator[Named]:
    """The classes that macros name with too few arguments; `widths` says how many each has to have."""
    macros = parsed.once(_macros)
    needed = {name.encode(): number for name, number in widths.items()}
    for name, macro in macros.items():
        whole = {match["parameter"] for match in _MEMBER.finditer(macro.body) if match["owner"] in owners}
        bare = _WORD.findall(macro.body) if b"<" in macro.body else ()
        if not whole.intersection(macro.parameters) and not set(bare).intersection(macro.parameters):
            continue
        for start in parsed.lexed.places(name):
            directive = parsed.lexed.directive_at(start)
            if directive is None or not _defines(parsed, directive, start):
                yield from _used(parsed, (start, name), macro, needed, (owners, whole))


def _defines(parsed: ParsedFile, directive: Directive, start: int) -> bool:
    """Whether a name stands there because it is defined: right behind `#define`."""
    return not parsed.data[directive.rest : start].strip()


def _used(
    parsed: ParsedFile,
    use: tuple[int, bytes],
    macro: _Macro,
    needed: Mapping[bytes, int],
    owned: tuple[Collection[bytes], Collection[bytes]],
) -> Iterator[Named]:
    """The classes that one use of a macro names."""
    start, name = use
    opening = start + len(name)
    if parsed.data[opening : opening + 1] != b"(":
        return
    closing = parsed.lexed.closing(opening)
    given = parsed.arguments(opening, closing)
    for at, one in enumerate(given):
        parameter = macro.parameters[min(at, len(macro.parameters) - 1)] if macro.parameters else b""
        match = _class(parsed, one, owned[0], parameter in owned[1])
        if match is None or match[0] not in needed:
            continue
        cls, place, args = match
        number = len(args) or _written(macro, parameter, len(given))
        if 0 < number < needed[cls]:
            end = args[-1].end + 1 if args else place.end
            yield Named(cls, place, Span(one.start, end), args, macro.is_variadic and parameter == _REST and bool(args))
        return


def _class(
    parsed: ParsedFile, given: Span, owners: Collection[bytes], is_owned: bool
) -> tuple[bytes, Span, tuple[Span, ...]] | None:
    """The class that an argument of a macro is, or begins with: its name, its place, and its template arguments.

    The namespace stands before it, or the macro puts it there.
    """
    words = list(parsed.lexed.tokens(given.start, given.end))
    spelled = [parsed.lexed.text(one) for one in words]
    if spelled[:1] == [b"::"]:
        words, spelled = words[1:], spelled[1:]
    if len(words) > 2 and spelled[1] == b"::" and spelled[0] in owners:
        words, spelled = words[2:], spelled[2:]
    elif not is_owned:
        return None
    if not words:
        return None
    place, opening = Span(words[0].start, words[0].end), words[1].start if len(words) > 1 else -1
    if opening < 0:
        return spelled[0], place, ()
    closing = parsed.lexed.angle_closing(opening, opening + _FARTHEST) if spelled[1] == b"<" else -1
    return (spelled[0], place, parsed.arguments(opening, closing)) if closing > 0 else None


def _written(macro: _Macro, parameter: bytes, given: int) -> int:
    """How many template arguments the body of a macro writes behind a parameter; 0 where it writes none."""
    match = re.search(rb"\b" + re.escape(parameter) + rb"\s*<([^<>;(){}]*)>", macro.body)
    if match is None:
        return 0
    parts = [one.strip() for one in match[1].split(b",")]
    rest = given - len(macro.parameters) + 1
    return sum(rest if one == _REST else 1 for one in parts)


def _macros(parsed: ParsedFile) -> Mapping[bytes, _Macro]:
    """The macros of a file that have parameters, by name."""
    found = {}
    for one in parsed.lexed.directives:
        match = FUNCTION_MACRO.match(one.argument(parsed.data)) if one.name == "define" else None
        if match is not None:
            names = [part.strip() for part in match["parameters"].split(b",")]
            parameters = tuple(_REST if part.endswith(b"...") else part for part in names if part)
            found[match["name"]] = _Macro(parameters, match["body"])
    return found
