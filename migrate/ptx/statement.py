"""One asm statement as C++ spells it: tokens -> template, operands and clobbers.

Comes in: a parsed file and the use of `asm`. Goes out: a `Statement`; `problem` says in words why it cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.cuda.lexer import STRING, WORD, Token
from migrate.cuda.parsed_file import ParsedFile
from migrate.lazy_re import re
from migrate.model import Span, Use

_RAW = re.compile(r'(?:u8|[uUL])?R?"([^\s()\\]{0,16})\((.*)\)\1"\Z', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:\r?\n|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "v": " ", "f": " ", "0": ""}


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand: its constraint without modifiers, whether it is written and read, and its expression."""

    constraint: str
    written: bool
    read: bool
    span: Span
    text: str
    name: str = ""


@dataclass(slots=True)
class Statement:
    """An asm statement. `template` has its pieces joined and escapes read; `problem` is empty where all was read."""

    use: Use
    template: str = ""
    operands: list[Operand] = field(default_factory=list)
    clobbers: list[str] = field(default_factory=list)
    extended: bool = False
    problem: str = ""


def read(parsed: ParsedFile, use: Use) -> Statement:
    """Read the statement that `use` covers."""
    lexed, made = parsed.lexed, Statement(use)
    opening = lexed.after(lexed.token(use.span.start))
    while opening is not None and lexed.text(opening) != b"(":
        opening = lexed.after(opening)
    if opening is None:
        made.problem = "it is not closed"
        return made
    parts = list(_parts(parsed, opening.end, use.extent.end - 1))
    made.template = _template(parsed, parts[0], made)
    made.extended = len(parts) > 1
    for number, part in enumerate(parts[1:3]):
        made.operands.extend(_operands(parsed, part, number == 0, made))
    for part in parts[3:]:
        made.clobbers.extend(_literal(parsed, token) for token in part if token.kind == STRING)
    return made


def _parts(parsed: ParsedFile, start: int, end: int) -> Iterator[list[Token]]:
    """The tokens between the colons at the top level; those in brackets stay where they are."""
    lexed, part = parsed.lexed, list[Token]()
    token = lexed.token(start)
    while token is not None and token.start < end:
        text = lexed.text(token)
        if text in (b":", b"::"):
            for _ in text:
                yield part
                part = []
        else:
            part.append(token)
            if text in (b"(", b"[", b"{"):
                token = lexed.token(lexed.closing(token.start))
                if token is None:
                    break
                part.append(token)
        token = lexed.after(token)
    yield part


def _template(parsed: ParsedFile, part: list[Token], made: Statement) -> str:
    """Adjacent literals joined; what is not a literal leaves a mark and a problem."""
    pieces = []
    for token in part:
        if token.kind == STRING:
            pieces.append(_literal(parsed, token))
        elif parsed.lexed.text(token) not in (b"\\", b"R", b"#"):
            name = parsed.source.text(Span(token.start, token.end))
            inside = parsed.lexed.directive_at(token.start)
            cut = inside is not None and inside.name != "define"
            why = "its template holds a directive" if cut else f"its template holds `{name}`, which a macro fills in"
            made.problem = made.problem or why
            pieces.append("\x01")
    return "".join(pieces)


def _literal(parsed: ParsedFile, token: Token) -> str:
    text = parsed.source.text(Span(token.start, token.end))
    if parsed.data[token.start - 1 : token.start] == b"R":
        raw = _RAW.match(text)
        return raw[2] if raw is not None else text
    body = text.partition('"')[2].removesuffix('"')
    return _ESCAPE.sub(lambda match: "" if match[1] is None else _ESCAPES.get(match[1], match[1]), body)


def _operands(parsed: ParsedFile, part: list[Token], written: bool, made: Statement) -> Iterator[Operand]:
    """`[name] "constraint" (expression)`, comma-separated."""
    lexed, at, name, constraint = parsed.lexed, 0, "", None
    while at < len(part):
        token = part[at]
        text = lexed.text(token)
        if text == b"[":
            name = parsed.source.text(Span(token.end, part[at + 1].start)).strip()
            at += 2
            continue
        if token.kind == STRING:
            constraint = (constraint or "") + _literal(parsed, token)
        elif text == b"(":
            yield _operand(parsed, Span(token.end, part[at + 1].start), written, name, constraint, made)
            name, constraint = "", None
            at += 2
            continue
        elif token.kind == WORD:
            word = text.decode("latin-1")
            made.problem = made.problem or f"the constraint `{word}` is a macro"
        elif text not in (b",", b"\\"):
            made.problem = made.problem or "its operands are not understood"
        at += 1


def _operand(
    parsed: ParsedFile, span: Span, written: bool, name: str, constraint: str | None, made: Statement
) -> Operand:
    kind = (constraint or "").strip()
    bare = kind.lstrip("=+&")
    bare = "n" if bare == "i" else bare
    if bare.isdigit() and int(bare) < len(made.operands):
        made.problem = made.problem or "an operand is tied to another by its number"
    if parsed.lexed.directive_at(span.start) is not None:
        text = re.sub(r"\\\r?\n", " ", parsed.source.text(span))
    else:
        text = parsed.source.text(span)
    if "#" in text:
        made.problem = made.problem or "an operand holds a directive"
    return Operand(bare, written, not written or "+" in kind, span, " ".join(text.split()), name)
