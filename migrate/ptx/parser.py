"""PTX text -> labels, declarations and instructions.

Turns the template of an asm statement, its escapes resolved, into a `Listing`. It follows the PTX grammar as far as
inline code uses it; anything else raises `UnreadableError`, whose text says what.
"""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>0[fFdD][0-9a-fA-F]+|0[xX][0-9a-fA-F]+U?|\d+\.\d*(?:[eE][+-]?\d+)?|\d+U?)
    |(?P<place>%(?:\d+|\[\w+\]))
    |(?P<word>\.?(?:%%|%)?[A-Za-z_$][\w$]*(?:(?:::|\.)[\w$]+)*)
    |(?P<mark>[{}\[\]<>;:,|!@+\-=()_]))""",
    re.VERBOSE,
)
"""A token: a number (`0f3F800000`, `0x1FU`), an operand (`%0`, `%[x]`), a name with its parts (`ld.global`), a mark."""
_FIRST = re.compile(r"[\s{}]*(?:\w+:\s+)?(?:@!?[%\w\[\]]+\s+)?([a-z]\w*(?:(?:::|\.)[\w\x01:]+)*)(?![\w:]*\s*:)")
"""A line's opcode behind brackets, a label and a guard: `@p add.s32`, `a: mov.u32`; the lookahead leaves labels out."""
_PART = re.compile(r"\.(?:b[0-3]|h[01])")
_MOST = 4096
_COLOURS = {"r": "x", "g": "y", "b": "z", "a": "w"}
"""Other names of the parts of a vector."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class UnreadableError(Exception):
    """The text is not PTX that is understood; the message says where it stops."""


@dataclass(frozen=True, slots=True)
class Arg:
    """An argument of an instruction.

    `kind` is `place` (an operand of the asm statement, its number or name in `text`), `register`, `special`, `number`,
    `vector` or `address` (of `items`, and `offset`), `pair` (`d|p`) or `sink` (`_`). `part` is the byte or half that a
    video instruction takes of it: `b0` to `b3`, `h0`, `h1`. `minus` is the sign that only such an instruction may have.
    """

    kind: str
    text: str = ""
    items: tuple[Arg, ...] = ()
    offset: int = 0
    negated: bool = False
    part: str = ""
    minus: bool = False


@dataclass(frozen=True, slots=True)
class Instruction:
    """`name` is the opcode without modifiers; `guard` the predicate it runs under."""

    name: str
    modifiers: tuple[str, ...]
    args: tuple[Arg, ...]
    guard: Arg | None = None

    @property
    def spelled(self) -> str:
        """The opcode with its modifiers."""
        return ".".join((self.name, *self.modifiers))


@dataclass(slots=True)
class Listing:
    """What a template holds: instructions in order, registers with their types, labels, other directives."""

    instructions: list[Instruction] = field(default_factory=list)
    registers: dict[str, str] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    directives: list[str] = field(default_factory=list)


def parse(text: str) -> Listing:
    """Read a whole template. Raises `UnreadableError`."""
    return _Parser(text).listing()


def uncommented(text: str) -> str:
    """The text without its comments."""
    return _COMMENT.sub(" ", text)


def opcodes(text: str) -> list[str]:
    """Instructions by name, also of a text that does not parse: the first word of each statement."""
    try:
        return [one.spelled for one in parse(text).instructions]
    except UnreadableError:
        pass
    found = []
    for piece in re.split(r"[;\n]", _COMMENT.sub(" ", text)):
        match = _FIRST.match(piece)
        if match is not None:
            found.append(match[1])
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        text, self.tokens = _COMMENT.sub(" ", text).rstrip(), list[tuple[str, str]]()
        self.at = 0
        self.vectors = dict[str, int]()
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None or match.lastgroup is None:
                raise UnreadableError(f"it stops at `{text[place:].strip()[:20]}`")
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            place = match.end()

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        text = self.peek()
        if not text or (wanted and text != wanted):
            raise UnreadableError(f"`{wanted or 'more'}` is missing before `{text or 'the end'}`")
        self.at += 1
        return text

    def listing(self) -> Listing:
        made, depth = Listing(), 0
        while self.at < len(self.tokens):
            text = self.peek()
            if text in ("{", "}"):
                depth += 1 if text == "{" else -1
                self.take()
            elif text == ";":
                self.take()
            elif text.startswith("."):
                self._directive(made)
            elif self.peek(1) == ":":
                made.labels.append(self.take())
                self.take(":")
            elif self.kind() == "place" and self.peek(1) == ":":
                raise UnreadableError("a label is an operand")
            else:
                made.instructions.append(self._instruction())
        if depth:
            raise UnreadableError("its braces do not balance")
        return made

    def _directive(self, made: Listing) -> None:
        words = self.take().split(".")
        if words[1] != "reg":
            made.directives.append(words[1])
            while self.take() != ";":
                pass
            return
        while self.peek().startswith("."):
            words += self.take().lstrip(".").split(".")
        if len(words) < 3:
            raise UnreadableError("a register has no type")
        kind = words[-1]
        while True:
            name = _plain(self.take())
            if words[2:3] != [kind]:
                self.vectors[name] = int(words[2][1:]) if words[2] in ("v2", "v4") else 0
                made.registers.update(dict.fromkeys(_components(name, self.vectors[name]), kind))
            elif self.peek() == "<":
                self.take()
                count = self._integer()
                if count > _MOST:
                    raise UnreadableError(f"{count} registers are declared at once")
                self.take(">")
                made.registers.update({f"{name}{number}": kind for number in range(count)})
            else:
                made.registers[name] = kind
            if self.take() == ";":
                return

    def _instruction(self) -> Instruction:
        guard = None
        if self.peek() == "@":
            self.take()
            negated = self.peek() == "!"
            if negated:
                self.take()
            one = self._single()
            guard = Arg(one.kind, one.text, negated=negated)
        if self.kind() != "word":
            raise UnreadableError(f"an instruction begins with `{self.peek()}`")
        spelled = self.take()
        while self.peek().startswith("."):
            spelled += self.take()
        name, *modifiers = re.split(r"(?<!:)\.", spelled)
        args = []
        while self.peek() not in (";", "", "}"):
            args.append(self._argument())
            if self.peek() == ",":
                self.take()
            elif self.peek() not in (";", "", "}"):
                raise UnreadableError(f"`;` or `,` is missing before `{self.peek()}`")
        return Instruction(name, tuple(modifiers), tuple(args), guard)

    def _argument(self) -> Arg:
        text = self.peek()
        if text == "{":
            self.take()
            items = []
            while self.peek() != "}":
                items.append(self._argument())
                if self.peek() == ",":
                    self.take()
            self.take("}")
            if not items:
                raise UnreadableError("a vector is empty")
            return Arg("vector", items=tuple(items))
        if text == "[":
            return self._address()
        first = self._single()
        if self.peek() == "|":
            self.take()
            return Arg("pair", items=(first, self._single()))
        return first

    def _address(self) -> Arg:
        self.take("[")
        base, offset, sign, extra = self._argument(), 0, 1, []
        while self.peek() in ("+", "-", ","):
            mark = self.take()
            if mark == ",":
                extra.append(self._argument())
                continue
            sign = -1 if mark == "-" else 1
            if self.peek() == "-":
                self.take()
                sign = -sign
            offset += sign * self._integer()
        self.take("]")
        return Arg("address", items=(base, *extra), offset=offset)

    def _integer(self) -> int:
        text = self.take()
        try:
            return int(text.rstrip("U"), 0)
        except ValueError:
            raise UnreadableError(f"`{text}` is no number here") from None

    def _single(self) -> Arg:
        negated = self.peek() == "!"
        if negated:
            self.take()
        minus = self.peek() == "-"
        if minus:
            self.take()
        kind, text = self.kind(), self.take()
        if kind == "number":
            return Arg("number", ("-" if minus else "") + text)
        if kind == "place":
            part = self.take()[1:] if _PART.fullmatch(self.peek()) else ""
            return Arg("place", text[1:].strip("[]"), negated=negated, part=part, minus=minus)
        if text == "_":
            return Arg("sink")
        if kind != "word" or minus:
            raise UnreadableError(f"`{text}` is no operand")
        return self._register(_plain(text), negated)

    def _register(self, text: str, negated: bool) -> Arg:
        """A register, a part of one, or all the registers of a vector."""
        name, dot, part = text.rpartition(".")
        if name in self.vectors and part in _COLOURS:
            return Arg("register", f"{name}.{_COLOURS[part]}")
        if _PART.fullmatch(f"{dot}{part}") and name not in self.vectors:
            return Arg("register", name, negated=negated, part=part)
        if text in self.vectors:
            return Arg("vector", items=tuple(Arg("register", one) for one in _components(text, self.vectors[text])))
        return Arg("register", text, negated=negated)


def _components(name: str, count: int) -> list[str]:
    """The registers that one of several numbers holds."""
    if not count:
        raise UnreadableError(f"`{name}` holds an unknown number of values")
    return [f"{name}.{letter}" for letter in "xyzw"[:count]]


def _plain(name: str) -> str:
    """A register's name without its percent signs."""
    return name.lstrip("%")
