"""The carry of PTX over several asm statements: what is followed, what is not, and what comes out against integers."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from ptx.test_differential import RUNTIME

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.ptx import translate
from cudamigrate.ptx.carry_chains import UNSET

HEAD = "__device__ unsigned f(unsigned *r, const unsigned *a, const unsigned *b, int n)"
SET = 'asm("add.cc.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a[0]), "r"(b[0]));'
BOTH = 'asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(a[1]), "r"(b[1]));'
READ = 'asm("addc.u32 %0, 0, 0;" : "=r"(r[2]));'
DECLARED = "bool cudamigrate_carry = false;"


def converted(source: str) -> tuple[str, list[str]]:
    """The file afterwards, and why asm statements stay."""
    parsed = cuda.parse(SourceFile("x.cu", source.encode(), "cuda"), frozenset())
    found = [translate.translation(parsed, use) for use in parsed.uses if use.kind == "asm"]
    data = source.encode()
    edits = {edit for one in found if one is not None for edit in one.edits}
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        data = data[: edit.span.start] + edit.replacement + data[edit.span.end :]
    return data.decode(), [one.words["why"] for one in found if one is not None and not one.edits]


def body(text: str, head: str = HEAD) -> tuple[str, list[str]]:
    made, why = converted(f"{head} {{\n    {text}\n}}\n")
    return made.partition("{\n")[2].rpartition("\n}\n")[0], why


def test_statements_in_a_row_share_a_variable() -> None:
    made, why = body(f"{SET}\n    {BOTH}\n    {READ}")
    assert why == []
    assert made.splitlines() == [
        f"    {DECLARED}",
        "    r[0] = cudamigrate::add_carry(unsigned(a[0]), unsigned(b[0]), false, cudamigrate_carry);",
        "    r[1] = cudamigrate::add_carry(unsigned(a[1]), unsigned(b[1]), cudamigrate_carry, cudamigrate_carry);",
        "    r[2] = 0u + 0u + cudamigrate_carry;",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{SET} for (int i = 1; i < n; i++) {BOTH} {READ}",
        f"{SET} while (n-- > 0) {{ {BOTH} }} {READ}",
        f"{SET} do {{ {BOTH} }} while (--n); {READ}",
        f"if (n) {{ {SET} }} else {{ {SET} }} {READ}",
        f"if (!n) return 0; {SET} {READ}",
        f"{SET} if (n) {BOTH} {READ}",
        f"{SET}\n#pragma unroll\nfor (int i = 0; i < 8; i++) {{ if (i == n) break; {BOTH} }} {READ}",
        f"{SET} r[3] = __umulhi(a[0], b[0]) + (unsigned)(n) + static_cast<unsigned>(n); {READ}",
        f"switch (n) {{ case 0: {SET} {READ} break; default: {SET} {BOTH} {READ} }}",
        f"{SET}\n#if WIDE\n{BOTH}\n#endif\n{READ}",
        f"for (int i = 0; i < n; i++) {{ {SET} {READ} }}",
    ],
)
def test_every_way_on_which_the_carry_is_set_is_followed(text: str) -> None:
    made, why = body(text)
    assert why == []
    assert made.count(DECLARED) == 1
    assert "asm" not in made


def test_variable_is_declared_in_the_innermost_block_that_holds_all() -> None:
    made, _ = body(f"r[3] = 1;\n    for (;;) {{\n        {SET}\n        if (n) {{ {READ} }}\n    }}")
    assert f"for (;;) {{\n        {DECLARED}\n        r[0] =" in made
    made, _ = body(f"switch (n) {{ case 0: {SET} {READ} }}")
    assert made.lstrip().startswith(DECLARED), "a switch jumps over what is declared at the beginning of its block"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{READ} {SET}", UNSET),
        (f"if (n) {SET} {READ}", UNSET),
        (f"for (int i = 0; i < n; i++) {SET} {READ}", UNSET),
        (f"for (int i = 0; i < n; i++) {{ {READ} {SET} }}", UNSET),
        (f"{SET} g(n); {READ}", UNSET),
        (f"{SET} r[3] = h<int>(n); {READ}", UNSET),
        (f"{SET} for (int i = 0; i < n; i = g(i)) {BOTH} {READ}", UNSET),
        (f"{SET} for (int i = 0; i < n; i++) {{ {BOTH} g(i); }} {READ}", UNSET),
        (f"{SET} r[3] = CALLS; {READ}", UNSET),
        (f"#if WIDE\n{SET}\n#endif\n{READ}", UNSET),
        (f"switch (n) {{ case 0: {SET} case 1: {READ} }}", UNSET),
        (f"{SET} goto end; end: {READ}", "`goto` stands in its function"),
        (f"auto sum = [&]() {{ {SET} {READ} }}; sum();", "a lambda"),
        (f"{SET} LOOP {BOTH} {READ}", "the macro `LOOP` holds a part of its flow"),
        (f"{SET} ADDC(r[1], a[1]); {READ}", "a macro has a part of it"),
        (f'{SET} asm("{{ .reg .pred p; setp.ne.u32 p, %1, 0;@p add.cc.u32 %0, 1, 1; }}" : "=r"(r[1]) : "r"(n)); {READ}',
         UNSET),
        (f'{SET} asm("{{ add.cc.u32 %0, %1, 1; addc.u32 %0, 0, 0; }}" : "=r"(r[1]) : "r"(n)); {READ}',
         UNSET),
        (f'{SET} asm("addc.cc.u32 %0, nowhere, 1;" : "=r"(r[1])); {READ}', "another part of it has no translation"),
    ],
)  # fmt: skip
def test_a_carry_that_is_not_followed_stays(text: str, reason: str) -> None:
    macros = "#define CALLS g(1)\n#define LOOP for (;;)\n"
    macros += '#define ADDC(x, y) asm("addc.cc.u32 %0, %1, 0;" : "=r"(x) : "r"(y))\n'
    source = f"{macros}{HEAD} {{\n{text}\n}}\n"
    made, why = converted(source)
    assert DECLARED not in made
    assert made.count("asm") >= source.count("asm") - 1, "a statement with a carry of its own may change, no other"
    assert any(reason in one for one in why), why


def test_statements_without_end_in_one_another_stay() -> None:
    made, why = body(f"{SET} if (n == 0) n = 1; {'else if (n == 1) n = 2; ' * 900} {READ}")
    assert DECLARED not in made
    assert all("nested too deeply" in one for one in why)


def test_functions_of_their_own_stay() -> None:
    made, why = converted(
        f"__device__ void low(unsigned *r, unsigned *a, unsigned *b) {{ {SET} }}\n"
        f"__device__ void high(unsigned *r, unsigned *a, unsigned *b) {{ {READ} }}\n"
    )
    assert made.count("asm(") == 2
    assert [one.partition(";")[0] for one in why] == [
        "a carry that another statement uses",
        "a carry that another statement sets",
    ]


WORDS = {32: ("u32", "unsigned", "r", 2**32 - 1), 64: ("u64", "unsigned long long", "l", 2**64 - 1)}
LENGTH = 5


def chain(bits: int, kind: str) -> str:
    """A function of number `bits` of words that adds, subtracts, or adds to a product by one word, and what is left."""
    name, ctype, letter, _ = WORDS[bits]
    first, again = ("add.cc", "addc.cc") if kind == "add" else ("sub.cc", "subc.cc")
    loop = f"for (int i = 1; i < {LENGTH}; i++)"
    tail = f'asm volatile("{again[:4]}.{name} %0, 0, 0;" : "={letter}"(r[{LENGTH}]));'
    if kind == "mad":
        operands = f'"+{letter}"(r[i]) : "{letter}"(a[i]), "{letter}"(b[0])'
        high = f'"+{letter}"(r[i + 1]) : "{letter}"(a[i]), "{letter}"(b[0])'
        text = f'asm("mad.lo.cc.{name} %0, %1, %2, %0;" : {operands.replace("[i]", "[0]")});\n'
        text += f'{loop} asm("madc.lo.cc.{name} %0, %1, %2, %0;" : {operands});\n'
        text += f'asm("addc.{name} %0, %0, 0;" : "+{letter}"(r[{LENGTH}]));\n'
        text += f'asm("mad.hi.cc.{name} %0, %1, %2, %0;" : {high.replace("[i]", "[0]").replace("[i + 1]", "[1]")});\n'
        loop = loop.replace(str(LENGTH), str(LENGTH - 1))
        text += f'{loop} asm("madc.hi.cc.{name} %0, %1, %2, %0;" : {high});\n'
        last = high.replace("[i]", f"[{LENGTH - 1}]").replace("[i + 1]", f"[{LENGTH}]")
        text += f'asm("madc.hi.{name} %0, %1, %2, %0;" : {last});'
    else:
        operands = f'"={letter}"(r[i]) : "{letter}"(a[i]), "{letter}"(b[i])'
        text = f'asm("{first}.{name} %0, %1, %2;" : {operands.replace("[i]", "[0]")});\n'
        text += f'{loop} asm("{again}.{name} %0, %1, %2;" : {operands});\n{tail}'
    return f"__device__ void {kind}{bits}({ctype} *r, const {ctype} *a, const {ctype} *b) {{\n{text}\n}}\n"


def expected(bits: int, kind: str, a: list[int], b: list[int], r: list[int]) -> list[int]:
    size = 2 ** (bits * (LENGTH + 1))
    left, right, before = (sum(one << bits * at for at, one in enumerate(words)) for words in (a, b, r))
    made = left + right if kind == "add" else left - right if kind == "sub" else before + left * b[0]
    return [made % size >> bits * at & WORDS[bits][3] for at in range(LENGTH + 1)]


def call(bits: int, kind: str, a: list[int], b: list[int], r: list[int]) -> str:
    """A call with words that prints its result."""
    ctype = WORDS[bits][1].replace("unsigned long long", "Wide")
    names = zip("abr", (a, b, r), strict=True)
    given = " ".join(f"{ctype} {name}[] = {{{', '.join(f'{ctype}({one}ull)' for one in row)}}};" for name, row in names)
    return f'{{ {given} {kind}{bits}(r, a, b); for (Wide one : r) std::printf("%llu\\n", one); }}'


@pytest.mark.skipif(shutil.which("c++") is None, reason="no compiler for the host")
def test_chains_give_what_integers_give(tmp_path: Path) -> None:
    """Random words, many of them all ones or zero so that a carry runs through."""
    forms = [(bits, kind) for bits in WORDS for kind in ("add", "sub", "mad")]
    source, why = converted("".join(chain(*form) for form in forms))
    assert why == []
    assert "asm" not in source
    rng, calls, wanted = random.Random(11), list[str](), list[int]()
    for bits, kind in forms:
        most = WORDS[bits][3]
        for _ in range(40):
            a, b = ([rng.choice((0, 1, most, most - 1, rng.getrandbits(bits))) for _ in range(LENGTH)] for _ in "ab")
            r = [*(rng.getrandbits(bits) for _ in range(LENGTH)), 0]
            calls.append(call(bits, kind, a, b, r))
            wanted += expected(bits, kind, a, b, r)
    main = "\n".join(calls)
    head = '#include "cudamigrate_ptx.h"\n#include <cstdio>\nusing Wide = unsigned long long;\n'
    (tmp_path / "carry.cpp").write_text(f"{head}{source}int main() {{\n{main}\n}}\n")
    include = [f"-I{Path(__file__).parent / 'stand_ins'}", f"-I{RUNTIME}", "-D__HIPCC__=1"]
    command = ["c++", "-std=c++17", "-O0", "-w", *include, "-o", "carry", "carry.cpp"]
    subprocess.run(command, cwd=tmp_path, check=True)
    made = subprocess.run([tmp_path / "carry"], capture_output=True, text=True, check=True).stdout
    assert [int(line) for line in made.split()] == wanted
