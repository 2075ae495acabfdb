"""Small asm programs at random: several instructions, variables that are operands more than once, effects in operands.

Each is run on a CPU as translated, and by the interpreter of PTX: inputs are read first and once, an output's variable
gets its value last. CUDAMIGRATE_PTX_PROGRAMS sets how many are made.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ptx.isa import Machine
from ptx.test_differential import HERE, MAIN, PROGRAM, RUNTIME
from ptx.translated import BITS, translated

from cudamigrate.ptx.parser import Arg, Instruction

COUNT = int(os.environ.get("CUDAMIGRATE_PTX_PROGRAMS", "250"))
RUNS = 6
WORDS, WIDE = 6, 3
"""How many variables of 32 and of 64 bits a program has, and elements of its array."""
BASE = 0x1000
TWO = ("add.u32", "sub.s32", "mul.lo.u32", "and.b32", "or.b32", "xor.b32", "min.s32", "max.u32", "mul.hi.u32")
HEAD = """
struct State { unsigned v[6]; int s[6]; unsigned long long w[3]; unsigned i; };
static unsigned next_of(State &m) { return m.i = m.i * 3u + 1u; }
"""


@dataclass
class State:
    """The variables of a program: what is in `State` of the C++ text."""

    v: list[int]
    s: list[int]
    w: list[int]
    i: int

    def packed(self) -> bytes:
        words = [*self.v, *self.s]
        return b"".join(
            [one.to_bytes(4, "little") for one in words]
            + [one.to_bytes(8, "little") for one in self.w]
            + [self.i.to_bytes(4, "little") + bytes(4)]
        )


@dataclass
class Operand:
    """An operand of a program: its constraint, its expression, and the variable, or what gives its value."""

    constraint: str
    text: str
    kind: str
    at: int = 0

    @property
    def letter(self) -> str:
        return self.constraint.lstrip("=+&")

    def value(self, state: State) -> int:
        """Its value, with what the expression does beside."""
        if self.kind == "next":
            state.i = (state.i * 3 + 1) & 0xFFFFFFFF
            return state.i
        if self.kind == "step":
            state.i = (state.i + 1) & 0xFFFFFFFF
            return state.i - 1 & 0xFFFFFFFF
        if self.kind == "sum":
            return (state.v[self.at] + state.v[0] * 2) & 0xFFFFFFFF
        if self.kind in ("number", "base"):
            return self.at
        held: list[int] = getattr(state, self.kind)
        return held[self.at]


class Memory(Machine):
    """A machine with the words of an array as memory, from address BASE on."""

    held: list[int]

    def op_ld(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.put(one.args[0], self.held[self.place(one.args[1])], 32)

    def op_st(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.held[self.place(one.args[0])] = self.get(one.args[1], "u32")

    def place(self, address: Arg) -> int:
        return (self.get(address.items[0], "u64") + address.offset - BASE) // 4


@dataclass
class Program:
    """Operands and text of one asm statement."""

    operands: list[Operand]
    lines: list[str] = field(default_factory=list)

    @property
    def template(self) -> str:
        head = ".reg .u32 t0, t1, t2; .reg .u64 w0, w1; .reg .pred p, q; "
        return "{ " + head + " ".join(self.lines) + " }"

    @property
    def asm(self) -> str:
        outs = [one for one in self.operands if one.constraint[0] in "=+"]
        ins = [one for one in self.operands if one.constraint[0] not in "=+"]
        results, sources = (", ".join(f'"{one.constraint}"({one.text})' for one in part) for part in (outs, ins))
        return f'asm volatile("{self.template}" : {results} : {sources} : "memory");'


class Writer:
    """Writes a program that reads only what has a value."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.based = rng, rng.random() < 0.5
        outs = self.outputs()
        self.program = Program([*outs, *self.inputs()])
        self.words = [f"%{at}" for at, one in enumerate(self.program.operands) if one.letter == "r"]
        self.wide = [
            f"%{at}" for at, one in enumerate(self.program.operands) if one.letter == "l" and one.kind != "base"
        ]
        self.bases = [f"%{at}" for at, one in enumerate(self.program.operands) if one.kind == "base"]
        set_ = {f"%{at}" for at, one in enumerate(self.program.operands) if one.constraint[0] != "="}
        self.known = set_
        self.results = [f"%{at}" for at in range(len(outs))]

    def outputs(self) -> list[Operand]:
        places = self.rng.sample([("v", at) for at in range(WORDS)] + [("s", at) for at in range(WORDS)], 3)
        made = []
        for name, at in places[: self.rng.randint(1, 3)]:
            mark = self.rng.choice(("=", "+", "=&"))
            made.append(Operand(f"{mark}r", self.spelled(name, at), name, at))
        if self.rng.random() < 0.4:
            at = self.rng.randrange(WIDE)
            made.append(Operand(self.rng.choice(("=l", "+l")), f"m.w[{at}]", "w", at))
        return made

    def spelled(self, name: str, at: int) -> str:
        plain = [f"p{name}{at}"] if name == "s" or not self.based else []
        return self.rng.choice((f"m.{name}[{at}]", f"*(m.{name} + {at})", *plain))

    def inputs(self) -> list[Operand]:
        made, effects = [Operand("l", "m.v", "base", BASE)] if self.based else [], 0
        for _ in range(self.rng.randint(1, 4)):
            at, pick = self.rng.randrange(WORDS), self.rng.random()
            if pick < 0.5:
                name = self.rng.choice("vs")
                made.append(Operand("r", self.spelled(name, at), name, at))
            elif pick < 0.65:
                made.append(Operand("r", f"m.v[{at}] + m.v[0] * 2u", "sum", at))
            elif pick < 0.75:
                wide = self.rng.randrange(WIDE)
                made.append(Operand("l", f"m.w[{wide}]", "w", wide))
            elif pick < 0.85:
                number = self.rng.choice((3, 17, 0xFF))
                made.append(Operand(self.rng.choice("rn"), str(number), "number", number))
            elif not effects:
                effects += 1
                kind = self.rng.choice(("next", "step"))
                made.append(Operand("r", "next_of(m)" if kind == "next" else "m.i++", kind))
        return made

    def word(self) -> str:
        some = [name for name in (*self.words, "t0", "t1", "t2") if name in self.known]
        return self.rng.choice(some) if some and self.rng.random() < 0.9 else str(self.rng.choice((1, 5, 0x80)))

    def pair(self) -> str:
        some = [name for name in (*self.wide, "w0") if name in self.known]
        return self.rng.choice(some) if some else "77"

    def target(self, wide: bool = False) -> str:
        """A register or an output, and from now on it has a value."""
        outs = [name for name in self.results if name in (self.wide if wide else self.words)]
        return self.rng.choice([*outs, *outs, *(("w0",) if wide else ("t0", "t1", "t2"))])

    def write(self) -> Program:
        if self.bases and self.rng.random() < 0.5:
            self.add(f"mov.u64 w1, {self.bases[0]};")
            self.bases.append("w1")
        for _ in range(self.rng.randint(2, 7)):
            self.line()
        for name in self.results:
            if name not in self.known or not any(
                re.match(rf"\S+ (?:{{[^}}]*)?{name}\b", line) for line in self.program.lines
            ):
                self.add(f"mov.u64 {name}, {self.pair()};" if name in self.wide else f"mov.u32 {name}, {self.word()};")
                self.known.add(name)
        return self.program

    def add(self, text: str) -> None:
        self.program.lines.append(text)

    def line(self) -> None:
        """One instruction, or a few that belong together."""
        if self.bases and self.rng.random() < 0.3:
            self.access()
            return
        kinds = (
            self.arithmetic,
            self.arithmetic,
            self.bits,
            self.bits,
            self.predicate,
            self.joined,
            self.split,
            self.carried,
        )
        self.rng.choice(kinds)()

    def arithmetic(self) -> None:
        target, guard, set_ = self.target(), "", sorted({"p", "q"} & self.known)
        if set_ and target in self.known and self.rng.random() < 0.5:
            guard = f"@{self.rng.choice(('', '!'))}{self.rng.choice(set_)} "
        if self.rng.random() < 0.2:
            self.add(f"{guard}mad.lo.u32 {target}, {self.word()}, {self.word()}, {self.word()};")
        else:
            self.add(f"{guard}{self.rng.choice(TWO)} {target}, {self.word()}, {self.word()};")
        self.known.add(target)

    def bits(self) -> None:
        target, set_ = self.target(), sorted({"p", "q"} & self.known)
        pick = self.rng.random()
        if pick < 0.35:
            table = self.rng.randrange(256)
            self.add(f"lop3.b32 {target}, {self.word()}, {self.word()}, {self.word()}, {table};")
        elif pick < 0.7 or not set_:
            self.add(f"{self.rng.choice(('shl.b32', 'shr.s32', 'shr.u32'))} {target}, {self.word()}, {self.word()};")
        else:
            self.add(f"selp.b32 {target}, {self.word()}, {self.word()}, {self.rng.choice(set_)};")
        self.known.add(target)

    def joined(self) -> None:
        wide = self.target(wide=True)
        self.add(f"mov.b64 {wide}, {{{self.word()}, {self.word()}}};")
        self.known.add(wide)

    def access(self) -> None:
        place = f"[{self.rng.choice(self.bases)}+{4 * self.rng.randrange(WORDS)}]"
        if self.rng.random() < 0.5:
            target = self.target()
            self.add(f"ld.u32 {target}, {place};")
            self.known.add(target)
        else:
            self.add(f"st.u32 {place}, {self.word()};")

    def predicate(self) -> None:
        name = self.rng.choice("pq")
        both = name if self.rng.random() < 0.6 else "p|q"
        self.add(f"setp.{self.rng.choice(('lt', 'ne', 'ge'))}.s32 {both}, {self.word()}, {self.word()};")
        self.known.update(both.split("|"))

    def split(self) -> None:
        target, other, wide = self.target(), self.target(), self.pair()
        if other == target:
            self.add(f"cvt.u32.u64 {target}, {wide};")
        else:
            self.add(f"mov.b64 {{{target}, {other}}}, {wide};")
        self.known.update((target, other))

    def carried(self) -> None:
        target, other = self.target(), self.target()
        self.add(f"add.cc.u32 {target}, {self.word()}, {self.word()};")
        self.known.add(target)
        self.add(f"addc.u32 {other}, {self.word()}, {self.word()};")
        self.known.add(other)


def expected(program: Program, state: State) -> State:
    """What the statement leaves behind."""
    places = [0] * len(program.operands)
    for at, one in enumerate(program.operands):
        if one.constraint[0] != "=":
            places[at] = one.value(state)
    machine = Memory(program.template, [BITS.get(one.letter, 32) for one in program.operands])
    machine.held = state.v
    done = machine.run(places)
    for one, value in zip(program.operands, done, strict=True):
        if one.constraint[0] in "=+":
            getattr(state, one.kind)[one.at] = value
    return state


def states(rng: random.Random) -> list[State]:
    def some(bits: int, count: int) -> list[int]:
        return [rng.choice((rng.getrandbits(bits), rng.randrange(40), (1 << bits) - 1)) for _ in range(count)]

    return [State(some(32, WORDS), some(32, WORDS), some(64, WIDE), rng.randrange(1000)) for _ in range(RUNS)]


def function(number: int, program: Program) -> str:
    found, body = translated(program.asm)
    assert found is not None and found.edits, (program.asm, found)
    names = " ".join(f"unsigned &pv{at} = m.v[{at}]; int &ps{at} = m.s[{at}];" for at in range(WORDS))
    head = f"static void f{number}(const char *&in, char *&out) {{\n    State m; get(in, m); {names}\n"
    return f"{head}    {body}\n    put(out, m);\n}}\n"


def test_programs_give_the_results_of_their_instructions(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the translations with")
    rng = random.Random(int(os.environ.get("CUDAMIGRATE_PTX_SEED", "11")))
    programs = [Writer(rng).write() for _ in range(COUNT)]
    given = [states(rng) for _ in programs]
    text = [PROGRAM, HEAD, *(function(number, one) for number, one in enumerate(programs))]
    work = ", ".join(f"{{f{number}, {RUNS}}}" for number in range(COUNT))
    text.append("struct Work { void (*call)(const char *&, char *&); int count; };\n")
    text.append(f"static const Work work[] = {{{work}}};\n{MAIN}")
    (tmp_path / "main.cpp").write_text("\n".join(text))
    flags = [
        "-std=c++17",
        "-O0",
        "-fno-strict-aliasing",
        "-w",
        f"-I{HERE / 'stand_ins'}",
        f"-I{RUNTIME}",
        "-D__HIPCC__=1",
    ]
    built = subprocess.run([compiler, *flags, "main.cpp", "-o", "main"], cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:3000]
    data = b"".join(one.packed() for part in given for one in part)
    output = subprocess.run([tmp_path / "main"], input=data, capture_output=True, check=True).stdout
    wrong, at, failed = list[str](), 0, None
    for program, part in zip(programs, given, strict=True):
        for state in part:
            before = state.packed()
            want, got = expected(program, state).packed(), output[at : at + len(before)]
            at += len(before)
            if want[:-4] != got[:-4] and failed is not program:
                failed = program
                shown = "\n".join(one.hex(" ", 4) for one in (before, want, got))
                wrong.append(f"{program.asm}\n{translated(program.asm)[1]}\n{shown}")
    assert not wrong, f"{len(wrong)} of {COUNT}:\n" + "\n\n".join(wrong[:5])
