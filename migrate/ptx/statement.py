"""One asm statement as C++ spells it: tokens -> template, operands and clobbers.

`problem` of a `Statement` says why it cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import STRING, WORD, Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.ptx import literals, macros

_VOLATILE = (b"volatile", b"__volatile__", b"__volatile")


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
    """An asm statement. `template` has its pieces joined and escapes read; `problem` is empty where all was read.

    `others` are the texts that the template has with other definitions of macros, or other uses of the macro around it;
    `immediates` are parameters of that macro whose texts are operands of instructions. `volatile` says that a compiler
    neither leaves it out nor runs it once in the place of several times.
    """

    use: Use
    template: str = ""
    operands: list[Operand] = field(default_factory=list)
    clobbers: list[str] = field(default_factory=list)
    problem: str = ""
    others: list[str] = field(default_factory=list)
    immediates: list[str] = field(default_factory=list)
    volatile: bool = False


def read(parsed: ParsedFile, use: Use) -> Statement:
    """Read the statement that `use` covers."""
    lexed, made = parsed.lexed, Statement(use)
    opening = lexed.after(lexed.token(use.span.start))
    while opening is not None and lexed.text(opening) != b"(":
        made.volatile = made.volatile or lexed.text(opening) in _VOLATILE
        opening = lexed.after(opening)
    if opening is None:
        made.problem = "it is not closed"
        return made
    parts = list(_parts(parsed, opening.end, use.extent.end - 1))
    made.template = _template(parsed, parts[0], made)
    for number, part in enumerate(parts[1:3]):
        made.operands.extend(_operands(parsed, part, number == 0, made))
    nowhere = Span(opening.end, opening.end)
    made.operands.extend(
        Operand("n", written=False, read=True, span=nowhere, text=name, name=name)
        for name in dict.fromkeys(made.immediates)
    )
    for part in parts[3:]:
        made.clobbers.extend(literals.read(parsed, token) for token in part if token.kind == STRING)
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
    """Adjacent literals joined, with what macros put there; what is not known leaves a mark and a problem."""
    pieces: list[Sequence[str]] = []
    known, at = None, 0
    choices: Sequence[str] | None
    while at < len(part):
        if part[at].kind == STRING:
            pieces.append((literals.read(parsed, part[at]),))
            at += 1
            continue
        known = macros.passed(parsed, made.use.span.start) if known is None else known
        name = _immediate(parsed, part, at, pieces)
        if name:
            made.immediates.append(name)
            choices, following = (f"%[{name}]",), at + 2
        elif _is_condition(parsed, part[at]):
            choices, following = macros.branches(parsed, part, at, known)
        else:
            choices, following = macros.piece(parsed, part, at, known, 0)
        if choices is None:
            made.problem = made.problem or _unknown(parsed, part[at])
            following = at + 1
        pieces.append(("\x01",) if choices is None else choices)
        at = following
    texts = macros.joined(pieces)
    if not texts:
        made.problem = made.problem or "its template holds too many texts, which macros fill in"
        return "".join(one[0] if one else "\x01" for one in pieces)
    made.others = texts[1:]
    return texts[0]


def _is_condition(parsed: ParsedFile, token: Token) -> bool:
    """Whether a condition of the preprocessor begins with a token."""
    directive = parsed.lexed.directive_at(token.start)
    return directive is not None and directive.start == token.start and directive.name in ("if", "ifdef", "ifndef")


def _unknown(parsed: ParsedFile, token: Token) -> str:
    name = parsed.source.text(Span(token.start, token.end))
    inside = parsed.lexed.directive_at(token.start)
    if inside is not None and inside.name != "define":
        return "its template holds a directive"
    return f"its template holds `{name}`, which a macro fills in"


def _immediate(parsed: ParsedFile, part: list[Token], at: int, pieces: list[Sequence[str]]) -> str:
    """The parameter that `#` makes a text of where that text is a whole operand: it can be in C++ as it is."""
    lexed = parsed.lexed
    if lexed.text(part[at]) != b"#" or at + 1 >= len(part) or part[at + 1].kind != WORD:
        return ""
    before = pieces[-1][0] if pieces and len(pieces[-1]) == 1 else ""
    after = literals.read(parsed, part[at + 2]) if at + 2 < len(part) and part[at + 2].kind == STRING else ";"
    whole = before[-1:] in (" ", ",", "\t") and after[:1] in (";", ",", " ", "\n")
    return lexed.text(part[at + 1]).decode("latin-1") if whole else ""


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
            constraint = (constraint or "") + literals.read(parsed, token)
        elif text == b"(":
            yield _operand(parsed, Span(token.end, part[at + 1].start), written, name, constraint, made)
            name, constraint = "", None
            at += 2
            continue
        elif token.kind == WORD:
            word = text.decode("latin-1")
            texts = macros.texts(parsed, [token], {})
            if len(texts) == 1:
                constraint = (constraint or "") + texts[0]
            else:
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
