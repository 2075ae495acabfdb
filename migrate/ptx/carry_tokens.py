"""Code -> what matters of it for the carry of PTX: words, brackets, and asm statements as one token each.

A token of an asm statement says whether it reads the carry before it sets it, and what it leaves of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import Use
from cudamigrate.ptx import macros, parser, statement, table
from cudamigrate.ptx.parser import Instruction

_PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Carry:
    """What an asm statement does with the carry.

    `reads` it before it sets it; `sets` it for those behind it; `spoils` it, where what it leaves is not known.
    """

    reads: bool = False
    sets: bool = False
    spoils: bool = False


NOTHING = Carry()


@dataclass(frozen=True, slots=True)
class Item:
    """A token: `word`, `asm`, `directive` or `mark`. `carry` and `inside` are an asm statement's, and its operands'."""

    kind: str
    text: str
    start: int
    carry: Carry = NOTHING
    inside: tuple[Item, ...] = ()


@dataclass(slots=True)
class Code:
    """Items with the partners of brackets, closing and opening; `whole` is false where brackets do not match."""

    items: Sequence[Item]
    pairs: dict[int, int] = field(default_factory=dict)
    opened: dict[int, int] = field(default_factory=dict)
    whole: bool = True

    def __post_init__(self) -> None:
        pending: list[int] = []
        for at, item in enumerate(self.items):
            if item.kind != "mark":
                continue
            if item.text in _PAIRS:
                pending.append(at)
            elif item.text in _PAIRS.values():
                if not pending or _PAIRS[self.items[pending[-1]].text] != item.text:
                    self.whole = False
                    return
                self.opened[at] = pending[-1]
                self.pairs[pending.pop()] = at
        self.whole = not pending


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro with its parameters, None without brackets, and its body; `several` is for a name with more than one."""

    parameters: tuple[str, ...] | None
    code: Code
    several: bool = False


def of_range(parsed: ParsedFile, start: int, end: int) -> Code:
    """What is between two places of a file; in a definition, of its body."""
    lexed, items = parsed.lexed, list[Item]()
    uses = parsed.once(_statements)
    outer = lexed.directive_at(start)
    token = lexed.token(start)
    while token is not None and token.start < end:
        directive = lexed.directive_at(token.start)
        if directive is not None and directive != outer:
            items.append(Item("directive", directive.name, directive.start))
            token = lexed.token(directive.end)
            continue
        if token.start in uses:
            use = uses[token.start]
            operands = of_range(parsed, use.span.end, use.extent.end).items
            items.append(Item("asm", "asm", token.start, carry_of(parsed, use), tuple(operands)))
            token = lexed.token(use.extent.end)
            continue
        text = lexed.text(token).decode("latin-1")
        if text != "\\":
            items.append(Item("word" if token.kind == WORD else "mark", text, token.start))
        token = lexed.after(token)
    return Code(items)


def _statements(parsed: ParsedFile) -> dict[int, Use]:
    """The asm statements of a file, by where each begins."""
    return {use.span.start: use for use in parsed.uses if use.kind == "asm" and use.args}


def definitions(parsed: ParsedFile) -> Iterator[tuple[str, Macro]]:
    """The macros that a file defines, each time with its name."""
    for directive in parsed.lexed.directives:
        if directive.name == "define":
            name, parameters, tokens = macros.parts(parsed, directive)
            code = of_range(parsed, tokens[0].start, directive.end) if tokens else Code([])
            yield name, Macro(None if parameters is None else tuple(parameters), code)


def carry_of(parsed: ParsedFile, use: Use) -> Carry:
    """What a statement does with the carry."""
    read_ = statement.read(parsed, use)
    texts = [read_.template, *read_.others]
    if read_.problem:
        return Carry(spoils=True)
    found = {_of_text(text) for text in texts}
    return found.pop() if len(found) == 1 else Carry(spoils=True)


def _of_text(text: str) -> Carry:
    try:
        listing = parser.parse(text)
    except parser.UnreadableError:
        return Carry(spoils=bool(text.strip()))
    about = [one for one in listing.instructions if is_about(one)]
    if not about:
        return NOTHING
    if listing.labels or any(one.guard is not None for one in about):
        return Carry(spoils=True)
    reads, sets = about[0].name.endswith("c"), "cc" in about[-1].modifiers
    return Carry(reads, sets, not reads and not sets)


def is_about(one: Instruction) -> bool:
    """Whether an instruction reads or sets the carry."""
    found = table.load().row(one)
    return found is not None and found[0].build == "carry"


def any_item(items: Sequence[Item], wanted: Callable[[Item], bool]) -> bool:
    """Whether one of the items, or of what is in them, is wanted."""
    return any(wanted(one) or any_item(one.inside, wanted) for one in items)


def by_name(found: Iterable[tuple[str, Macro]]) -> dict[str, Macro]:
    """Macros by name; one that is defined more than once holds what all of its definitions do."""
    made: dict[str, Macro] = {}
    for name, macro in found:
        before = made.get(name)
        made[name] = (
            macro
            if before is None
            else replace(macro, code=Code([*before.code.items, *macro.code.items]), several=True)
        )
    return made
