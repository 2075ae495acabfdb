"""The loops that a statement runs in, in one file: around it, or around the calls of the function that holds it.

`holders` names what callers in other files may call in a loop; `cudamigrate.pipeline.hot_loops` follows them there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cudamigrate.cuda.lexer import WORD, Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Span, SpanIndex
from cudamigrate.ptx import macros

_HEADS = frozenset((b"for", b"while", b"do"))
_DEEPEST = 4
"""How many functions are gone up, from one to those that call it."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The innermost loop around a place: its line, its function, and how often the place is in its text.

    `path` is that of the file where it is another than that of the place.
    """

    line: int
    function: str
    times: int
    path: str = ""


def around(parsed: ParsedFile, at: int) -> list[Loop]:
    """The innermost loops that run a statement, the one that holds it most often first; empty where none is seen."""
    found: Counter[tuple[int, str]] = Counter()
    for place, times in _reached(parsed, at, 0).items():
        loop = _innermost(parsed, place)
        if loop is not None:
            function = parsed.function(place)
            found[parsed.source.position(loop.start).line, function.name if function is not None else ""] += times
    return [Loop(line, name, times) for (line, name), times in found.most_common()]


def holders(parsed: ParsedFile, at: int) -> Counter[str]:
    """The functions and macros of the file that run a statement outside loops: how often it is in the text of each."""
    found: Counter[str] = Counter()
    for place, times in _reached(parsed, at, 0).items():
        name = _holder(parsed, place)
        if name and _innermost(parsed, place) is None:
            found[name] += times
    return found


def _reached(parsed: ParsedFile, at: int, depth: int) -> Counter[int]:
    """A place and the calls that lead to it, up to the first in a loop, each with the number of ways."""
    name = _holder(parsed, at)
    found = Counter({at: 1})
    if _innermost(parsed, at) is None and name and depth < _DEEPEST:
        found.update(_leading(parsed, name, depth + 1))
    return found


def _leading(parsed: ParsedFile, name: str, depth: int) -> Counter[int]:
    """The calls that lead to a function or macro: worked out once, for the ways multiply from level to level."""
    known = parsed.once(_leading_by_name)
    if (name, depth) not in known:
        found: Counter[int] = Counter()
        for call in _calls(parsed, name):
            if _holder(parsed, call) != name:
                found.update(_reached(parsed, call, depth))
        known[name, depth] = found
    return known[name, depth]


def _leading_by_name(parsed: ParsedFile) -> dict[tuple[str, int], Counter[int]]:
    """What has been found of calls and those that lead to them so far; it fills as they are asked for."""
    return {}


def _holder(parsed: ParsedFile, at: int) -> str:
    """The name of the function, or of the macro, that a place is in."""
    directive = parsed.lexed.directive_at(at)
    if directive is not None:
        return macros.parts(parsed, directive)[0] if directive.name == "define" else ""
    function = parsed.function(at)
    return "" if function is None else function.name


def _calls(parsed: ParsedFile, name: str) -> list[int]:
    """Where a function or a macro of the file is called, by its name."""
    known = parsed.once(_calls_by_name)
    if name not in known:
        lexed = parsed.lexed
        found = []
        for start in lexed.words(frozenset((name.encode("latin-1"),))):
            after = lexed.after(lexed.token(start))
            if after is not None and lexed.text(after) in (b"(", b"<") and _inside(parsed, start):
                found.append(start)
        known[name] = found
    return known[name]


def _calls_by_name(parsed: ParsedFile) -> dict[str, list[int]]:
    """What has been found of calls so far; it fills as they are asked for."""
    return {}


def _inside(parsed: ParsedFile, at: int) -> bool:
    """Whether a place is in the body of a function or of a macro, and not in its head."""
    directive = parsed.lexed.directive_at(at)
    if directive is not None:
        return directive.name == "define"
    function = parsed.function(at)
    return function is not None and function.body.start < at


def _innermost(parsed: ParsedFile, at: int) -> Span | None:
    holding = parsed.once(_loops_by_place).touching(at, at + 1)
    return max(holding, key=lambda loop: loop.start, default=None)


def _loops_by_place(parsed: ParsedFile) -> SpanIndex[Span]:
    return SpanIndex((loop, loop) for loop in parsed.once(_loops))


def _loops(parsed: ParsedFile) -> list[Span]:
    """All loops outside directives, each with its head."""
    made = []
    for start in parsed.lexed.words(_HEADS):
        token = parsed.lexed.token(start)
        if token is not None and token.kind == WORD and parsed.lexed.directive_at(start) is None:
            made.append(Span(start, _end(parsed, token)))
    return made


def _end(parsed: ParsedFile, head: Token) -> int:
    """Where a loop ends: the bracket that closes its body, or the semicolon behind it."""
    lexed, token = parsed.lexed, parsed.lexed.after(head)
    if token is not None and lexed.text(token) == b"(":
        token = lexed.token(max(token.end, lexed.closing(token.start) + 1))
    if token is None or lexed.text(token) == b";":
        return head.end
    if lexed.text(token) == b"{":
        return max(token.end, lexed.closing(token.start))
    found = parsed.data.find(b";", token.start)
    return found if found >= 0 else head.end


def words(found: Sequence[Loop]) -> str:
    """Loops in words, for the end of a message; empty where there is none."""
    if not found:
        return ""
    first = found[0]
    times = "once" if first.times == 1 else f"{first.times} times"
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    place = f" of `{first.function}`" if first.function else ""
    other = f" in {first.path}" if first.path else ""
    return f". It is hot: {times} in the text of the loop in line {first.line}{place}{other}{more}"
