"""Warp functions that no call shows: names that macros stand for or paste together, names in strings of code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import STRING, Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.lane_code import LEGACY, NAMES
from cudamigrate.warp.lane_words import LANE_WORDS

WORDS = (b"##", *LANE_WORDS)

_PASTE = re.compile(rb"(?:\w+[ \t]*##[ \t]*)+\w+")
_STRING = re.compile(rb"\b(?:" + b"|".join(sorted(name.encode() for name in NAMES)) + rb")\s*\(")
"""A call of a warp function in a string of code: `__shfl_sync(`; the bracket sets it apart from prose."""
_BEGINNING = re.compile(rb"\b__(?:shfl|match|reduce)_(?!\w)(?!\s*##)")
"""What warp functions begin with, by itself: a macro makes names of it, elsewhere than where it is pasted (`##`)."""
_MACRO = re.compile(rb"(\w+)\([^)]*\)(.*)", re.DOTALL)
"""What a macro with parameters is called, and its body."""
_WORD = re.compile(rb"\w+")
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+\w+\(([^)]*)\)")
"""A macro with parameters and their list: `#define F(a, b)`; the bracket follows the name without a blank."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Pasted names that come to a warp function, names passed to macros, and calls in strings of code.

    What one macro does in several steps, `CAT(__shfl_, CAT(kind, _sync))`, is said once.
    """
    seen = set[int]()
    for hit in _found(parsed):
        around = parsed.lexed.directive_at(hit.use.span.start) if hit.rule == "warp/pasted-call" else None
        if around is None or around.start not in seen:
            yield hit
        seen |= set() if around is None else {around.start}


def _found(parsed: ParsedFile) -> Iterator[Hit]:
    if b"##" in parsed.data:
        yield from _pasted(parsed)
        yield from _joined(parsed)
    for use in parsed.uses:
        if use.name in LEGACY and use.kind == "name" and (_is_argument(parsed, use) or _is_renamed(parsed, use)):
            yield Hit("warp/pasted-call", use, {"name": use.name})
    for match in parsed.lexed.matches(_BEGINNING, b"__"):
        if parsed.hip(match.start()) is None:
            span = Span(*match.span())
            use = parsed.named_use(match[0].decode(), span, "token")
            yield Hit("warp/pasted-call", use, {"name": use.name})
    if b"__" in parsed.data and b'"' in parsed.data:
        yield from _spoken(parsed)


def _pasted(parsed: ParsedFile) -> Iterator[Hit]:
    for match in parsed.lexed.on_lines(_PASTE, b"##"):
        directive = parsed.lexed.directive_at(match.start())
        head = _DEFINE.match(parsed.data, directive.start) if directive is not None else None
        if head is None or parsed.hip(match.start()) is not None:
            continue
        given = {word.strip() for word in head[1].split(b",")}
        pieces = [piece.strip() for piece in match[0].split(b"##")]
        if not any(piece not in given and len(piece) > 1 for piece in pieces):
            continue
        form = re.compile("".join("\\w*" if piece in given else re.escape(piece.decode()) for piece in pieces))
        made = {name for name in NAMES if form.fullmatch(name)}
        if made and (pieces[0].startswith(b"__") or pieces[-1] == b"_sync"):
            span = Span(*match.span())
            whole = pieces[0].startswith(b"__") and pieces[0] not in given and all(n.endswith("_sync") for n in made)
            rule = "warp/pasted-name" if whole else "warp/pasted-call"
            use = Use("name", match[0].decode(), span, span, (), "macro", "token")
            yield Hit(rule, use, {"name": use.name})


def _joined(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of macros that paste their arguments, with the end of a warp function's name or all pieces of one."""
    bodies = {}
    for directive in parsed.lexed.directives:
        found = _MACRO.match(directive.argument(parsed.data)) if directive.name == "define" else None
        if found is not None:
            bodies[found[1]] = found[2]
    pasting = {name for name, body in bodies.items() if b"##" in body}
    while more := {n for n, body in bodies.items() if n not in pasting and not pasting.isdisjoint(_WORD.findall(body))}:
        pasting |= more
    if not pasting:
        return
    called = re.compile(rb"\b(?:" + b"|".join(sorted(map(re.escape, pasting))) + rb")[ \t]*\(")
    for match in parsed.lexed.matches(called):
        closing = parsed.lexed.closing(match.end() - 1)
        arguments = parsed.lexed.arguments(match.end() - 1, closing) if closing > 0 else ()
        pieces = [parsed.data[start:end] for start, end in arguments]
        if parsed.hip(match.start()) is None and (b"_sync" in pieces or _makes_name(pieces)):
            span = Span(match.start(), closing + 1)
            name = parsed.data[span.start : span.end].decode("utf-8", "replace")
            yield Hit("warp/pasted-call", Use("name", name, span, span, (), "macro", "token"), {"name": name})


def _makes_name(pieces: Sequence[bytes]) -> bool:
    """Whether pieces that follow one another are a warp function's name: `__`, `ballot`."""
    ends = range(2, len(pieces) + 1)
    return any(b"".join(pieces[at:end]).decode("latin-1") in NAMES for end in ends for at in range(end - 1))


def _is_argument(parsed: ParsedFile, use: Use) -> bool:
    """Whether a name without its arguments is passed to something, as to a macro that calls it."""
    before, after = parsed.lexed.before(use.span.start), parsed.lexed.token(use.span.end)
    if before is None or after is None or parsed.hip(use.span.start) is not None:
        return False
    directive = parsed.lexed.directive_at(use.span.start)
    asks = directive is not None and directive.name != "define"
    return not asks and parsed.lexed.text(before) in (b"(", b",") and parsed.lexed.text(after) in (b")", b",")


def _is_renamed(parsed: ParsedFile, use: Use) -> bool:
    """Whether a macro is another name for a function: `#define FIRST __shfl`, not one that gives it a meaning."""
    directive, after = parsed.lexed.directive_at(use.span.start), parsed.lexed.token(use.span.end)
    if directive is None or directive.name != "define" or parsed.hip(use.span.start) is not None:
        return False
    last = after is None or after.start >= directive.end
    return last and parsed.data[use.span.start - 1 : use.span.start].isspace() and not _is_head(parsed, directive, use)


def _is_head(parsed: ParsedFile, directive: Directive, use: Use) -> bool:
    """Whether a name is that of the macro itself."""
    head = parsed.lexed.token(directive.rest)
    return head is not None and head.start == use.span.start


def _spoken(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls in strings: pieces of code that the program puts together, which no conversion reaches."""
    for match in _STRING.finditer(parsed.data):
        start = match.start()
        if parsed.lexed.is_code(start) or not _in_string(parsed, start) or parsed.hip(start) is not None:
            continue
        span = Span(start, match.end() - 1)
        name = parsed.data[span.start : span.end].decode().strip()
        yield Hit("warp/string-call", parsed.named_use(name, span, "token"), {"name": name})


def _in_string(parsed: ParsedFile, offset: int) -> bool:
    """Whether the literal around an offset is a string, no remark; raw strings are read as source by themselves."""
    literal = parsed.lexed.before(offset + 1)
    inside = literal is not None and literal.kind == STRING and offset < literal.end
    return inside and literal is not None and parsed.data[literal.start - 1 : literal.start] != b"R"
