"""Text that macros put into the template of an asm statement: every text that the definitions in sight can make of it.

A name may be defined more than once, in branches of a condition; a parameter stands for what each use of its macro in
the file passes. Nothing is known of a macro that the file does not define, or that holds anything but literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, takewhile
from math import prod

from cudamigrate.cuda.lexer import STRING, WORD, Directive, Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.ptx import literals

_MOST = 16
"""How many texts one statement may have."""
_DEEPEST = 8


def texts(parsed: ParsedFile, tokens: Sequence[Token], known: Mapping[str, Sequence[str]], depth: int = 0) -> list[str]:
    """All texts that the tokens can make: literals, macros, and `#` before a key of `known`; empty where unknown."""
    pieces: list[Sequence[str]] = []
    at = 0
    while at < len(tokens):
        made, at = piece(parsed, tokens, at, known, depth)
        if made is None:
            return []
        pieces.append(made)
    return joined(pieces)


def joined(pieces: Sequence[Sequence[str]]) -> list[str]:
    """Every text that choices put side by side make; empty where they are too many."""
    if not 0 < prod(len(one) for one in pieces) <= _MOST:
        return []
    return list(dict.fromkeys("".join(choice) for choice in product(*pieces)))


def piece(
    parsed: ParsedFile, tokens: Sequence[Token], at: int, known: Mapping[str, Sequence[str]], depth: int
) -> tuple[Sequence[str] | None, int]:
    """What the token at a place can become, None where that is not known, and where to go on."""
    token, lexed = tokens[at], parsed.lexed
    text = lexed.text(token)
    if token.kind == STRING:
        return (literals.read(parsed, token),), at + 1
    if text in (b"\\", b"R"):
        return ("",), at + 1
    following = lexed.text(tokens[at + 1]) if at + 1 < len(tokens) else b""
    if text == b"#":
        return known.get(following.decode("latin-1")), at + 2
    name = text.decode("latin-1")
    if token.kind != WORD or depth > _DEEPEST:
        return None, at
    if name in known:
        values = known[name]
        quoted = [one[1:-1] for one in values if one[:1] == one[-1:] == '"' and "\\" not in one]
        return quoted if len(quoted) == len(values) else None, at + 1
    given = None
    if following == b"(":
        closing = lexed.closing(tokens[at + 1].start)
        given = [parsed.data[a:b].decode("latin-1") for a, b in lexed.arguments(tokens[at + 1].start, closing)]
        at = next((n for n in range(at + 1, len(tokens)) if tokens[n].start >= closing), len(tokens) - 1)
    made = [one for body in _bodies(parsed, name, given) for one in _of_body(parsed, body, known, depth)]
    return made or None, at + 1


def branches(
    parsed: ParsedFile, tokens: Sequence[Token], at: int, known: Mapping[str, Sequence[str]]
) -> tuple[Sequence[str] | None, int]:
    """The texts that the branches of a condition in a template can put there, and where to go on behind its `#endif`.

    None for conditions in conditions, for one that asks for HIP, and where a text is not known.
    """
    parts, last = [list[Token]()], False
    start = tokens[at].start
    while at < len(tokens):
        directive = parsed.lexed.directive_at(tokens[at].start)
        if directive is None:
            parts[-1].append(tokens[at])
            at += 1
            continue
        if directive.name not in ("elif", "else", "endif") and directive.start != start:
            return None, at
        last = last or directive.name == "else"
        at = next((n for n in range(at, len(tokens)) if tokens[n].start >= directive.end), len(tokens))
        if directive.name == "endif":
            break
        if directive.start != start:
            parts.append([])
    if any(parsed.hip(one.start) is not None for part in parts for one in part):
        return None, at
    made = [texts(parsed, part, known) if part else [""] for part in [*parts, *([] if last else [list[Token]()])]]
    return ([one for choices in made for one in choices] if all(made) else None), at


def _of_body(
    parsed: ParsedFile,
    body: tuple[Sequence[Token], Mapping[str, Sequence[str]]],
    known: Mapping[str, Sequence[str]],
    depth: int,
) -> list[str]:
    tokens, named = body
    return texts(parsed, tokens, {**known, **named}, depth + 1) if tokens else [""]


def _bodies(
    parsed: ParsedFile, name: str, given: Sequence[str] | None
) -> Iterator[tuple[Sequence[Token], Mapping[str, Sequence[str]]]]:
    """The body of each definition of a macro, and what its parameters stand for.

    None where the file asks whether the name is defined: another definition may come before.
    """
    if name.encode("latin-1") in parsed.once(_asked):
        return
    for directive in parsed.once(_definitions).get(name.encode("latin-1"), ()):
        _, names, tokens = parts(parsed, directive)
        if (names is None) == (given is None) and len(names or ()) == len(given or ()):
            yield tokens, {one: (text,) for one, text in zip(names or (), given or (), strict=True)}


def _definitions(parsed: ParsedFile) -> dict[bytes, list[Directive]]:
    """The definitions of each macro of a file."""
    found: dict[bytes, list[Directive]] = {}
    for directive in parsed.lexed.directives:
        if directive.name == "define":
            found.setdefault(parsed.lexed.text(parsed.lexed.token(directive.rest)), []).append(directive)
    return found


def _asked(parsed: ParsedFile) -> frozenset[bytes]:
    """The words of the conditions that open a conditional."""
    return _words(parsed, "if", "ifdef", "ifndef")


def _undefined(parsed: ParsedFile) -> frozenset[bytes]:
    """The macros whose definition is taken back."""
    return _words(parsed, "undef")


def _words(parsed: ParsedFile, *kinds: str) -> frozenset[bytes]:
    lines = (one.argument(parsed.data) for one in parsed.lexed.directives if one.name in kinds)
    return frozenset(word for line in lines for word in re.findall(rb"\w+", line))


def parts(parsed: ParsedFile, directive: Directive) -> tuple[str, list[str] | None, list[Token]]:
    """Name, parameters (None for a macro without brackets) and body of a definition."""
    lexed = parsed.lexed
    tokens = list(lexed.tokens(directive.rest, directive.end))
    if not tokens:
        return "", None, []
    name = lexed.text(tokens[0]).decode("latin-1")
    if len(tokens) < 2 or lexed.text(tokens[1]) != b"(" or tokens[1].start != tokens[0].end:
        return name, None, tokens[1:]
    closing = lexed.closing(tokens[1].start)
    inside = [one for one in tokens if tokens[1].start < one.start < closing]
    names = [lexed.text(one).decode("latin-1") for one in inside if one.kind == WORD]
    return name, names, [one for one in tokens if one.start > closing]


def passed(parsed: ParsedFile, offset: int) -> dict[str, Sequence[str]]:
    """What the uses in the file pass for each parameter of the macro whose definition holds a place.

    Empty where there is no such macro, where a use is not understood, or where other files may hold more: the macro of
    a header that does not take it back at its end.
    """
    directive = parsed.lexed.directive_at(offset)
    if directive is None or directive.name != "define":
        return {}
    name, names, _ = parts(parsed, directive)
    header = not parsed.source.path.endswith((".cu", ".cpp", ".cc", ".cxx", ".c", ".hip"))
    if not names or (header and name.encode("latin-1") not in parsed.once(_undefined)):
        return {}
    found: dict[str, list[str]] = {one: [] for one in names}
    for at in parsed.lexed.words(frozenset((name.encode("latin-1"),))):
        inside = parsed.lexed.directive_at(at)
        if inside is not None and inside.name in ("define", "undef", "ifdef", "ifndef", "if"):
            if inside.start == directive.start or inside.name != "define":
                continue
            return {}
        opening = parsed.lexed.after(parsed.lexed.token(at))
        if opening is None or parsed.lexed.text(opening) != b"(":
            return {}
        given = parsed.lexed.arguments(opening.start, parsed.lexed.closing(opening.start))
        if len(given) != len(names):
            return {}
        for one, (start, end) in zip(names, given, strict=True):
            found[one].append(parsed.data[start:end].decode("latin-1"))
    return {one: tuple(dict.fromkeys(values)) for one, values in found.items() if values}


def common(texts: Sequence[str]) -> str:
    """What texts begin and end with in whole words, a mark for the rest: no type is named that only one of them has."""
    first = _beginning(texts)
    first = first[: max(first.rfind(end) for end in ". ,{;\n") + 1]
    last = _beginning([text[len(first) :][::-1] for text in texts])[::-1]
    starts = [last.find(end) for end in ". ,;\n" if end in last]
    return f"{first}\x01{last[min(starts, default=len(last)) :]}"


def _beginning(texts: Sequence[str]) -> str:
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in same)
