"""C++ for one asm statement while it is being written: operands, local registers, lines.

Operands appear in the text as marks, one character each, until `translate` puts their source in their place. That is
how it is known how often and in which order each is used.
"""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.ptx.parser import Arg, Instruction, Listing
from cudamigrate.ptx.statement import Operand, Statement
from cudamigrate.ptx.table import Row, Table
from cudamigrate.ptx.values import (
    CONSTRAINTS,
    CTYPES,
    UnsupportedError,
    Value,
    bare,
    cast,
    closed,
    evaluated,
    integer,
    is_closed,
    literal,
    read,
    storage,
    store,
    width,
)

MARK = 0xE000
"""The mark of the first operand: the private-use characters from it on stand for operands in their order."""
SIGNED = "a sign before an operand"
_WORD = re.compile(r"[A-Za-z_]\w*")
_KEYWORDS = frozenset(
    (
        "if",
        "for",
        "do",
        "int",
        "long",
        "short",
        "char",
        "float",
        "double",
        "new",
        "delete",
        "this",
        "auto",
        "bool",
        "void",
        "true",
        "false",
        "class",
        "case",
        "else",
        "while",
        "switch",
        "return",
        "signed",
    )
)


@dataclass(slots=True)
class Step:
    """One instruction with its row, and when its sources are read at the latest."""

    instruction: Instruction
    row: Row
    types: tuple[str, ...]
    read_at: int = 0


@dataclass(slots=True)
class Writer:
    """What is written so far. `results` are operands that get their value at the end, `known` the registers."""

    statement: Statement
    listing: Listing
    table: Table
    in_macro: bool
    parameters: frozenset[str]
    in_kernel: bool
    constants: dict[str, int]
    lines: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    known: dict[str, Value] = field(default_factory=dict)
    inlined: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()
    results: dict[int, str] = field(default_factory=dict)
    registers: set[str] = field(default_factory=set)
    pointers: frozenset[int] = frozenset()
    flag: str = ""
    guarded: bool = False
    pending: set[str] = field(default_factory=set)
    _names: set[str] = field(default_factory=set)

    def operand(self, text: str) -> tuple[int, Operand]:
        """The operand that `%0` or `%[name]` means."""
        for number, operand in enumerate(self.statement.operands):
            if text == (operand.name or None) or text == str(number):
                return number, operand
        raise UnsupportedError(f"an operand `%{text}` that is not there")

    def value(self, arg: Arg) -> Value:
        """What an argument stands for."""
        if arg.kind == "number":
            return Value(arg.text, "number")
        if arg.part or arg.minus:
            raise UnsupportedError("a part of an operand" if arg.part else SIGNED)
        if arg.kind == "place":
            return self._place(arg.text)
        if arg.kind != "register":
            raise UnsupportedError("an argument of another kind")
        if arg.text in self.known:
            found = self.known[arg.text]
            return Value(f"!{closed(found.text)}", "pred") if arg.negated else found
        if arg.text in self.listing.registers:
            if arg.text in self.defined:
                raise UnsupportedError(f"the register `{arg.text}`, read before it is set")
            return Value("false", "pred") if self.listing.registers[arg.text] == "pred" else Value("0", "number")
        special = self.table.registers.get(arg.text)
        if special is None or "hip" not in special:
            raise UnsupportedError(f"`%{arg.text}`")
        self.registers.add(arg.text)
        return Value(special["hip"], special["type"])

    def _place(self, text: str) -> Value:
        number, operand = self.operand(text)
        kind = CONSTRAINTS.get(operand.constraint)
        if kind is None:
            raise UnsupportedError(f'an operand with the constraint "{operand.constraint}"')
        if number in self.results:
            return Value(self.results[number], storage("b" + kind[1:]) if kind[0] == "x" else kind)
        mark = chr(MARK + number)
        alone = is_closed(operand.text) and not (self.in_macro and operand.text in self.parameters)
        return Value(mark if alone else f"({mark})", kind)

    def source(self, arg: Arg, kind: str) -> str:
        """An argument as an expression of a PTX type."""
        return read(self.value(arg), kind)

    def constant(self, arg: Arg) -> int | None:
        """The integer that an argument is known to be, or None."""
        if arg.kind == "number":
            return integer(arg.text)
        if arg.kind != "place" or arg.minus:
            return None
        text = self.operand(arg.text)[1].text
        found = integer(text)
        if found is None:
            found = evaluated(text)
        return self.constants.get(text) if found is None else found

    def fresh(self, wanted: str) -> str:
        """A name for a local variable that no operand mentions; in a macro it also ends unlike a caller's names."""
        taken = {word for operand in self.statement.operands for word in _WORD.findall(operand.text)}
        name = re.sub(r"\W", "_", wanted).lstrip("_") or "value"
        name = f"{name}_" if self.in_macro or name in _KEYWORDS or name[0].isdigit() else name
        name = f"r{name}" if name[0].isdigit() else name
        base, number = name, 1
        while name in taken or name in self._names:
            number += 1
            name = f"{base}{number}"
        self._names.add(name)
        return name

    def line(self, text: str) -> None:
        """Add a statement, without its semicolon."""
        self.lines.append(text)

    def assign(self, arg: Arg, text: str, given: str) -> None:
        """Store a result of PTX type `given`."""
        if arg.kind == "sink":
            return
        if arg.kind == "place":
            number, operand = self.operand(arg.text)
            if not operand.written or operand.constraint not in CONSTRAINTS or arg.minus:
                raise UnsupportedError(f"a result for `%{arg.text}`, which is no output")
            kind = CONSTRAINTS[operand.constraint]
            stored = store(kind, text, given)
            if number in self.results:
                self._set(self.results[number], storage("b" + kind[1:]) if kind[0] == "x" else kind, stored)
            else:
                self.line(self.stored(number, stored))
            return
        if arg.kind != "register" or arg.text not in self.listing.registers:
            raise UnsupportedError(f"a result for `{arg.text}`, which is not declared")
        kind = storage(self.listing.registers[arg.text])
        if width(kind) < width(given):
            raise UnsupportedError(f"a result of type `{given}` for a register of {width(kind)} bits")
        stored = store(kind, text, given)
        if arg.text in self.inlined:
            plain = kind in ("pred", "f32", "f64") or stored.startswith((f"{CTYPES[kind]}(", f"({CTYPES[kind]})("))
            self.known[arg.text] = Value(closed(stored if plain else cast(stored, kind)), kind)
            return
        if arg.text in self.known:
            self.line(f"{self.known[arg.text].text} = {stored}")
            return
        name = self.fresh(arg.text)
        self.known[arg.text] = Value(name, kind)
        if arg.text in self.single:
            self.line(f"const {CTYPES[kind]} {name} = {stored}")
        else:
            self.pending.add(name)
            self._set(name, kind, stored)

    def stored(self, number: int, text: str) -> str:
        """The statement that gives an output its value; a pointer does not take a number as it is."""
        if number in self.pointers:
            return f"cudamigrate::set_pointer({chr(MARK + number)}, {text})"
        return f"{chr(MARK + number)} = {text}"

    def _set(self, name: str, kind: str, text: str) -> None:
        """Give a local variable a value; the first time it is declared, before all else where a predicate decides."""
        if name not in self.pending:
            self.line(f"{name} = {text}")
        elif self.guarded:
            self.declared.append(f"{CTYPES[kind]} {name} = {'false' if kind == 'pred' else '0'}")
            self.line(f"{name} = {text}")
        else:
            self.line(f"{CTYPES[kind]} {name} = {text}")
        self.pending.discard(name)

    def pointer(self, arg: Arg, pointed: str, shared: bool) -> str:
        """The address `[a+4]` as a pointer to `pointed`, a C++ type that may begin with `const` or `volatile`."""
        if arg.kind != "address" or not arg.items:
            raise UnsupportedError("an address without brackets")
        base = self.value(arg.items[0])
        if base.kind in ("number", "const", "pred", "f32", "f64"):
            raise UnsupportedError("an address that is a number")
        if shared:
            text = read(base, "u32") if width(base.kind) >= 32 else ""
            if not text:
                raise UnsupportedError("an address of 16 bits")
            moved = f"{text} + {literal(str(arg.offset), 'u32')}" if arg.offset else text
            return f"cudamigrate::shared_pointer<{pointed}>({moved})"
        if width(base.kind) != 64:
            raise UnsupportedError("a generic address of 32 bits")
        if arg.offset:
            return f"({pointed} *)((const char *)({base.text}) + {arg.offset})".replace("+ -", "- ")
        return f"({pointed} *)({bare(base.text)})"
