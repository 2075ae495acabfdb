"""Whether each asm statement that reads the carry has it from one before it, on every way through a function.

PTX has one carry a thread, and asm statements in a row may hand it on. It is not kept across calls, so what a call
leaves is not known. Overloaded operators, and destructors, are not seen: neither is code that sums large numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.ptx.carry_tokens import NOTHING, Code, Item, Macro, any_item

_QUIET = re.compile(
    r"sizeof|alignof|decltype|unsigned|int|float|double|short|long|char|bool|u?int\d+_t|size_t|asm|__asm__|volatile|"
    r"(?:static|reinterpret|const|bit)_cast|min|max|__u?mul(?:64)?hi|__ldg|__popc(?:ll)?|__clz(?:ll)?|__ffs(?:ll)?|"
    r"__brev(?:ll)?|__byte_perm|__funnelshift_\w+"
)
"""Words before a bracket that call nothing which could use the carry: types, casts, and instructions with a name."""
_BRANCHING = frozenset(("if", "else", "for", "while", "do", "switch", "goto", "try"))
_UNREAD = frozenset(("goto", "try", "catch", "else", "struct", "class", "union"))
_GOES_ON = frozenset(("elif", "elifdef", "elifndef", "else", "endif"))
_DEEPEST = 8
"""Loops or macros in one another that are followed."""


class UnfollowedError(Exception):
    """The way through the code is not followed; the message says why."""


@dataclass(slots=True)
class Flow:
    """A walk through code.

    `concerned` are the macros that have to do with the carry. `known` is whether the carry is set where the walk is,
    None where nothing comes. `unset` tells that a statement reads the carry where nothing is sure to have set it.
    `reads` and `sets` count statements; `blocks` are the blocks around each, by where they begin, outermost first.
    """

    macros: Mapping[str, Macro]
    concerned: frozenset[str]
    known: bool | None = False
    unset: bool = False
    reads: int = 0
    sets: int = 0
    blocks: list[tuple[int, ...]] = field(default_factory=list)
    _around: list[int] = field(default_factory=list)
    _breaks: list[list[bool | None]] = field(default_factory=list)
    _continues: list[list[bool | None]] = field(default_factory=list)
    _depth: int = 0
    _expanded: dict[tuple[str, bool | None], tuple[bool | None, bool]] = field(default_factory=dict)

    def walk(self, code: Code) -> None:
        """Walk through a function's body, or a macro's. Raises `UnfollowedError`."""
        if not code.whole:
            raise UnfollowedError("its brackets do not match")
        self._statements(code, 0, len(code.items))

    def _statements(self, code: Code, at: int, end: int) -> None:
        while at < end:
            at = self._statement(code, at, end)

    def _statement(self, code: Code, at: int, end: int) -> int:
        """One statement; where the next one begins."""
        item = code.items[at]
        if item.kind == "directive":
            return self._directive(code, at, end)
        if item.text == "{" and item.kind == "mark":
            return self._block(code, at)
        if item.text in _UNREAD and item.kind == "word":
            raise UnfollowedError(f"`{item.text}` stands in its function")
        branching = self._branching(item.text)
        if branching is not None:
            return branching(code, at, end)
        if item.text in ("case", "default"):
            self.known = False
            return next((n for n in range(at, end) if code.items[n].text == ":"), end - 1) + 1
        if item.kind == "word" and item.text in self.concerned:
            return self._expansion(code, at, end)
        after = self._expression(code, at, end)
        if item.text in ("return", "break", "continue"):
            stack = {"break": self._breaks, "continue": self._continues}.get(item.text, [])
            if stack:
                stack[-1].append(self.known)
            self.known = None
        return after

    def _branching(self, word: str) -> Callable[[Code, int, int], int] | None:
        """What walks through the statement that a word begins."""
        if word in ("for", "while", "switch"):
            return self._loop
        return {"if": self._if, "do": self._do}.get(word)

    def _block(self, code: Code, at: int, named: bool = True) -> int:
        """A block; that of a `switch` has no name, for nothing can be declared at its beginning."""
        closing = code.pairs[at]
        if named:
            self._around.append(code.items[at].start)
        self._statements(code, at + 1, closing)
        if named:
            self._around.pop()
        return closing + 1

    def _if(self, code: Code, at: int, end: int) -> int:
        at = self._condition(code, at, end)
        before = self.known
        at = self._body(code, at, end)
        after, self.known = self.known, before
        if at < end and code.items[at].text == "else":
            at = self._body(code, at + 1, end)
        self.known = _met(after, self.known)
        return at

    def _condition(self, code: Code, at: int, end: int) -> int:
        """The brackets behind a word; where the statement behind them begins."""
        opening = next((n for n in range(at + 1, min(end, at + 3)) if code.items[n].text == "("), -1)
        if opening < 0:
            raise UnfollowedError(f"`{code.items[at].text}` has no brackets")
        self._range(code, opening + 1, code.pairs[opening])
        return code.pairs[opening] + 1

    def _body(self, code: Code, at: int, end: int) -> int:
        while at < end and code.items[at].kind == "directive" and code.items[at].text == "pragma":
            at += 1
        if at >= end:
            raise UnfollowedError("a statement is not there")
        return self._statement(code, at, end)

    def _loop(self, code: Code, at: int, end: int) -> int:
        word = code.items[at].text
        at = self._condition(code, at, end)
        if word != "switch":
            return self._repeated(code, at, end)
        self._breaks.append([])
        before = self.known
        self.known = None
        if at >= end or code.items[at].text != "{":
            raise UnfollowedError("a `switch` has no block")
        at = self._block(code, at, named=False)
        for one in (*self._breaks.pop(), before):
            self.known = _met(self.known, one)
        return at

    def _do(self, code: Code, at: int, end: int) -> int:
        at = self._repeated(code, at + 1, end, once=True)
        if at >= end or code.items[at].text != "while":
            raise UnfollowedError("a `do` has no `while`")
        before = self.known
        at = self._condition(code, at, end)
        if self.known != before:
            raise UnfollowedError("the condition of a `do` calls a function")
        return at + 1 if at < end and code.items[at].text == ";" else at

    def _repeated(self, code: Code, at: int, end: int, once: bool = False) -> int:
        """The body of a loop, until what is known before it holds at its end too."""
        entry, unset, after = self.known, self.unset, at
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnfollowedError("its loops are nested too deeply")
        for _ in range(3):
            self.known, self.unset = entry, unset
            self._breaks.append([])
            self._continues.append([])
            after = self._body(code, at, end)
            for one in self._continues.pop():
                self.known = _met(self.known, one)
            breaks, last = self._breaks.pop(), self.known
            if _met(entry, last) == entry:
                break
            entry = _met(entry, last)
        self._depth -= 1
        self.known = last if once else _met(entry, last)
        for one in breaks:
            self.known = _met(self.known, one)
        return after

    def _directive(self, code: Code, at: int, end: int) -> int:
        """Conditions of the preprocessor are branches like others; where one is in the middle of something, none."""
        name = code.items[at].text
        if name in ("pragma", "line"):
            return at + 1
        if name not in ("if", "ifdef", "ifndef"):
            raise UnfollowedError(f"`#{name}` stands in its function")
        before, found, last = self.known, list[bool | None](), False
        while True:
            at += 1
            self.known = before
            while at < end and not (code.items[at].kind == "directive" and code.items[at].text in _GOES_ON):
                at = self._statement(code, at, end)
            found.append(self.known)
            if at >= end:
                raise UnfollowedError("a condition of the preprocessor does not end in its block")
            last = last or code.items[at].text == "else"
            if code.items[at].text == "endif":
                break
        self.known = found[0] if last else _met(found[0], before)
        for one in found[1:]:
            self.known = _met(self.known, one)
        return at + 1

    def _expansion(self, code: Code, at: int, end: int) -> int:
        """A macro that has to do with the carry, as a statement; where what is behind it begins."""
        at = self._expand(code, at)
        return at + 1 if at < end and code.items[at].text == ";" else at

    def _expand(self, code: Code, at: int) -> int:
        name = code.items[at].text
        macro, at = self.macros[name], at + 1
        if macro.several:
            raise UnfollowedError(f"the macro `{name}` has several definitions")
        if macro.parameters is not None:
            if at >= len(code.items) or code.items[at].text != "(":
                raise UnfollowedError(f"`{name}` stands without its brackets")
            self._range(code, at + 1, code.pairs[at])
            at = code.pairs[at] + 1
        before = (name, self.known)
        if before not in self._expanded:
            self._depth += 1
            if self._depth > _DEEPEST:
                raise UnfollowedError("its macros are nested too deeply")
            outer, self.unset = self.unset, False
            loops, self._breaks, self._continues = (self._breaks, self._continues), [], []
            self.walk(macro.code)
            self._breaks, self._continues = loops
            self._expanded[before] = (self.known, self.unset)
            self.unset = outer
            self._depth -= 1
        self.known, unset = self._expanded[before]
        self.unset = self.unset or unset
        return at

    def _expression(self, code: Code, at: int, end: int) -> int:
        """What is up to a semicolon; where the next statement begins."""
        first = at
        while at < end and code.items[at].text != ";":
            at = code.pairs.get(at, at) + 1
        self._range(code, first, at)
        return at + 1

    def _range(self, code: Code, at: int, end: int) -> None:
        """Items that are worked out in their order; the semicolons of a `for` are among them."""
        while at < end:
            item = code.items[at]
            if item.kind == "asm":
                inside = Code(item.inside)
                self._range(inside, 0, len(inside.items))
                self._apply(item)
            elif item.kind == "directive" and item.text not in ("pragma", "line"):
                raise UnfollowedError("a directive of the preprocessor stands in the middle of a statement")
            elif item.kind == "word":
                at = self._word(code, at, end)
                continue
            elif item.text == "{":
                at = self._brackets(code, at)
            elif item.text == "(" and at and self._is_call(code, at):
                self._call()
            at += 1

    def _brackets(self, code: Code, at: int) -> int:
        """Braces in an expression: of a lambda, or around values; their end."""
        part = code.items[at : code.pairs[at]]
        if any_item(part, lambda one: one.carry != NOTHING or (one.kind == "word" and one.text in self.concerned)):
            raise UnfollowedError("a lambda, or braces in an expression, hold a part of it")
        if any(one.text == "(" for one in part):
            self._call()
        return code.pairs[at]

    def _word(self, code: Code, at: int, end: int) -> int:
        """A word: a macro, or what a call begins with; where to go on."""
        name = code.items[at].text
        if name in self.concerned:
            return self._expand(code, at)
        if name in _BRANCHING:
            raise UnfollowedError(f"`{name}` stands in the middle of a statement")
        if name in self.macros:
            self._plain_macro(name)
        elif at + 1 < end and code.items[at + 1].text == "(" and not _QUIET.fullmatch(name):
            self._call()
        return at + 1

    def _plain_macro(self, name: str) -> None:
        """A macro that has nothing to do with the carry: what it calls may."""
        code = self.macros[name].code
        if any(one.text in _BRANCHING for one in code.items):
            raise UnfollowedError(f"the macro `{name}` holds a part of its flow")
        if not code.whole or self.macros[name].several or any(one.text in self.macros for one in code.items):
            self._call()
        else:
            self._range(code, 0, len(code.items))

    def _call(self) -> None:
        """What the carry is after a call is not known."""
        self.known = self.known and False

    def _is_call(self, code: Code, at: int) -> bool:
        """Whether brackets without a word before them call something: `f<T>(x)`, `table[1](x)`, `(*f)(x)`."""
        before = code.items[at - 1]
        if before.kind != "mark" or before.text not in (">", "]", ")"):
            return False
        if before.text != ")":
            casts = (one.text for one in code.items[max(0, at - 8) : at])
            return before.text == "]" or not any(one.endswith("_cast") for one in casts)
        return code.items[code.opened[at - 1] + 1].text == "*"

    def _apply(self, item: Item) -> None:
        """What an asm statement does."""
        carry = item.carry
        if carry == NOTHING:
            return
        if carry.reads:
            self.reads += 1
            self.unset = self.unset or self.known is False
        self.sets += carry.sets
        self.blocks.append(tuple(self._around))
        if carry.sets:
            self.known = True
        elif carry.spoils:
            self.known = False


def _met(first: bool | None, second: bool | None) -> bool | None:
    """What is known where two ways come together; None is that of a way that does not come."""
    if first is None or second is None:
        return second if first is None else first
    return first and second


def concerned(macros: Mapping[str, Macro]) -> frozenset[str]:
    """The macros that have to do with the carry, by their own asm statements or those of macros in them."""
    users: dict[str, list[str]] = {}
    found = list[str]()
    for name, macro in macros.items():
        for item in macro.code.items:
            if item.kind == "word":
                users.setdefault(item.text, []).append(name)
        if any_item(macro.code.items, lambda one: one.carry != NOTHING):
            found.append(name)
    seen = set(found)
    while found:
        more = [one for one in users.get(found.pop(), ()) if one not in seen]
        seen.update(more)
        found += more
    return frozenset(seen)
