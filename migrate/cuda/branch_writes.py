"""What a branch of a conditional writes that the code around it reads, and what another branch does not.

A branch for older GPUs takes the place of one for newer ones as far as it writes what that writes: the objects that are
read behind the conditional, what pointers of the function point to, and its result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from cudamigrate.cuda.branch_effects import closing, code, directives, statements
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.cuda.words import ASM
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_NAME = re.compile(rb"[A-Za-z_]\w*")
_HEADS = (b"if", b"for", b"while", b"switch")
_WORDS = frozenset(
    (
        *(b"if", b"else", b"for", b"while", b"do", b"switch", b"case", b"return", b"const", b"volatile", b"sizeof"),
        *(b"unsigned", b"signed", b"int", b"char", b"short", b"long", b"float", b"double", b"bool", b"void", b"auto"),
        *(b"static_cast", b"reinterpret_cast", b"const_cast", b"this", b"true", b"false", b"nullptr", b"new"),
    )
)
"""Words of C++ that are no objects."""
_NO_STORE = re.compile(rb"\w*(?:sync|Sync|prefetch|nanosleep|assume|assert|ASSERT|printf|fence|wait|commit|trap)\w*")
"""The names of functions that keep order, complain or hint, and write nothing that is read."""
_MACRO = re.compile(rb"[A-Z][A-Z0-9_]{2,}")
"""How macros are spelled."""
_RETURN = b"return"
_LEAVES = (_RETURN, b"break", b"continue")
"""Statements of one word that write nothing: the code behind them may still do."""
_DECLARES = (b"using", b"typedef", b"static_assert", b"struct", b"class", b"union", b"enum", b"template", b"goto")
"""How statements begin that write nothing."""
_LARGEST = 40_000
"""Bytes of a branch that are looked through."""


@dataclass(frozen=True, slots=True)
class Write:
    """Objects of which one statement writes one at least; `through` where it writes what they point to."""

    names: frozenset[bytes]
    through: bool


def missing(parsed: ParsedFile, function: Function, body: Span, other: Span, end: int) -> str:
    """What a branch of a function writes for code behind the conditional, which ends at `end`, and another does not.

    The name of the first such object, `return` for the function's result; empty where there is none. A name that the
    other branch passes to a function counts as written there. Where the other branch always returns, nothing behind
    that `return` is run, in the branch or behind the conditional.
    """
    if body.end - body.start > _LARGEST or other.end - other.start > _LARGEST:
        return ""
    words = list(code(parsed.lexed, body))
    instead, returns = _run(parsed.lexed, other)
    if _may_write_more(instead):
        return ""
    own, touched = _declared(words), _touched(instead)
    around = _Around(parsed, function, Span(min(body.start, other.start), function.body.end if returns else end))
    for one in _writes(words):
        wanted = {name for name in one.names - own if around.is_read(name, one.through)}
        if wanted and one.names.isdisjoint(touched):
            return min(wanted).decode("latin-1")
    return ""


def runs_to_return(lexed: Lexed, branch: Span) -> bool:
    """Whether a branch returns by a statement that no condition decides."""
    return branch.end - branch.start <= _LARGEST and _run(lexed, branch)[1]


def written(words: Sequence[bytes]) -> Iterator[Write]:
    """What statements write, apart from their result and variables of their own."""
    own = _declared(words)
    for one in _writes(words):
        if _RETURN not in one.names and not one.names <= own:
            yield one


class _Around:
    """The code of a function around a conditional, and what of it reads what a branch writes."""

    def __init__(self, parsed: ParsedFile, function: Function, conditional: Span) -> None:
        self._head = set(_words(parsed.lexed, Span(function.span.start, function.body.start)))
        self._before = _words(parsed.lexed, Span(function.body.start, conditional.start))
        self._behind = set(_words(parsed.lexed, Span(conditional.end, function.body.end)))

    def is_read(self, name: bytes, through: bool) -> bool:
        """Whether an object is read behind the conditional, or outlives the function."""
        if name == _RETURN or name in self._behind:
            return name not in _WORDS or name == _RETURN
        if name in _WORDS:
            return False
        if name in self._head:
            return through
        return name not in self._before


def _run(lexed: Lexed, branch: Span) -> tuple[list[bytes], bool]:
    """The tokens of a branch up to a `return` that no condition decides, and whether there is one.

    A `return` in braces, behind a label or in a conditional of its own decides nothing for what follows.
    """
    words, depth, begins = list(code(lexed, branch)), 0, True
    if b"goto" in words or any(one.name.startswith("if") for one in directives(lexed, branch)):
        return words, False
    for at, word in enumerate(words):
        if word == _RETURN and begins and depth == 0:
            end = words.index(b";", at) + 1 if b";" in words[at:] else len(words)
            return words[:end], True
        depth += (word in (b"{", b"(")) - (word in (b"}", b")"))
        begins = word in (b";", b"{") or (word == b"}" and words[at + 1 : at + 2] != [b"else"])
    return words, False


def _words(lexed: Lexed, part: Span) -> list[bytes]:
    return [word for word in code(lexed, part) if _NAME.fullmatch(word) is not None]


def _declared(words: Sequence[bytes]) -> frozenset[bytes]:
    """The names that follow another name, perhaps with `*` or `&` between: what tokens declare, and factors."""
    found = set[bytes]()
    for before, name in pairwise(_without_marks(words)):
        is_type = _NAME.fullmatch(before) is not None and before not in (_RETURN, b"else", b"do", b"case")
        if _NAME.fullmatch(name) is not None and (is_type or before == b">"):
            found.add(name)
    return frozenset(found)


def _without_marks(words: Sequence[bytes]) -> Iterator[bytes]:
    return (word for word in words if word not in (b"*", b"&", b"&&"))


def _writes(words: Sequence[bytes]) -> Iterator[Write]:
    """What the statements of a branch write."""
    for statement in statements(iter(words)):
        yield from _of_statement(behind_heads(statement))


def behind_heads(statement: list[bytes]) -> list[bytes]:
    """A statement without the conditions before it."""
    while statement[:1] and (statement[0] in _HEADS or statement[0] in (b"else", b"do")):
        behind = closing(statement, 1) + 1 if statement[0] in _HEADS and len(statement) > 1 else 1
        statement = statement[behind:]
    return statement


def _of_statement(statement: list[bytes]) -> Iterator[Write]:
    if not statement or statement[0] in _DECLARES:
        return
    if statement[0] == _RETURN:
        yield from [Write(frozenset((_RETURN,)), through=False)] if len(statement) > 1 else []
    elif statement[0] in ASM:
        yield from _outputs(statement)
    elif (at := _assignment(statement)) is not None:
        left = statement[:at]
        if names := _bases(left):
            yield Write(names, through=any(word in (b"[", b"*", b"->") for word in left))
    elif statement[-1:] == [b")"] and _NAME.fullmatch(statement[0]) is not None and not _declared(statement[:2]):
        opening = statement.index(b"(")
        name = b"".join(statement[:opening])
        given = frozenset(word for word in statement[opening:] if _NAME.fullmatch(word) is not None) - _WORDS
        if given and _NO_STORE.fullmatch(name.rpartition(b"::")[2].partition(b"<")[0]) is None:
            yield Write(given, through=True)


def _assignment(statement: Sequence[bytes]) -> int | None:
    """The place of the first `=` that is in no brackets."""
    depth = 0
    for at, word in enumerate(statement):
        depth += (word in (b"(", b"[")) - (word in (b")", b"]"))
        if word == b"=" and depth == 0:
            return at
    return None


def _bases(left: Sequence[bytes]) -> frozenset[bytes]:
    """The objects that the left side of an assignment may write: no indices, and no members of objects."""
    found, depth, before = set[bytes](), 0, b""
    for word in left:
        depth += (word == b"[") - (word == b"]")
        if depth == 0 and before not in (b".", b"->") and _NAME.fullmatch(word) is not None:
            found.add(word)
        before = word
    return frozenset(found) - _WORDS


def _outputs(statement: Sequence[bytes]) -> Iterator[Write]:
    """What an `asm` statement writes: each operand of its first list."""
    depth, section, operand = 0, 0, list[bytes]()
    for word in statement:
        depth += (word in (b"(", b"[")) - (word in (b")", b"]"))
        ends = depth == 1 and word in (b":", b"::", b",")
        if section == 1 and (ends or depth == 0):
            names = frozenset(one for one in operand if _NAME.fullmatch(one) is not None) - _WORDS
            yield from [Write(names, through=b"[" in operand or b"*" in operand)] if names else []
        operand = [] if ends else [*operand, word]
        section += {b":": 1, b"::": 2}.get(word, 0) if ends else 0


def _touched(words: Sequence[bytes]) -> frozenset[bytes]:
    """The names that a branch may write: left of `=`, beside `++`, in `asm` and in the brackets of a call; `return`."""
    found = set[bytes]()
    for statement in statements(iter(words)):
        if _RETURN in statement:
            found.add(_RETURN)
        if b"=" in statement or b"(" in statement or b"+" in statement or b"-" in statement:
            found.update(word for word in _to_assignment(statement) if _NAME.fullmatch(word) is not None)
    return frozenset(found)


def _may_write_more(words: Sequence[bytes]) -> bool:
    """Whether a statement may write what it does not name: a macro, or a call without arguments."""
    for statement in statements(iter(words)):
        rest = behind_heads(statement)
        is_word = len(rest) == 1 and _NAME.fullmatch(rest[0]) is not None and rest[0] not in _LEAVES
        if is_word or (rest and _MACRO.fullmatch(rest[0]) is not None):
            return True
        for at, word in enumerate(statement[:-2]):
            if _NAME.fullmatch(word) and statement[at + 1 : at + 3] == [b"(", b")"] and not _NO_STORE.fullmatch(word):
                return True
    return False


def _to_assignment(statement: Sequence[bytes]) -> Iterator[bytes]:
    """The tokens of a statement before its last `=`, and those in brackets of calls."""
    last = max((at for at, word in enumerate(statement) if word == b"="), default=len(statement))
    called = 0
    for at, word in enumerate(statement):
        before = statement[at - 1] if at else b""
        if word == b"(" and (called or (_NAME.fullmatch(before) is not None and before not in _WORDS)):
            called += 1
        elif word == b")" and called:
            called -= 1
        if at < last or called:
            yield word
