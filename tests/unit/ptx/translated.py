"""One asm statement through the translation, and asm statements for each form of the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.ptx import translate
from cudamigrate.ptx.table import Row
from cudamigrate.ptx.translate import Translation

LETTERS = {1: "h", 8: "h", 16: "h", 32: "r", 64: "l"}
CTYPES = {"h": ("unsigned short", "short"), "r": ("unsigned int", "int"), "l": ("unsigned long", "long"),
          "f": ("float", "float"), "d": ("double", "double")}  # fmt: skip
BITS = {"h": 16, "r": 32, "l": 64, "f": 32, "d": 64}


def translated(asm: str, head: str = "__device__ void f()", path: str = "x.cu") -> tuple[Translation | None, str]:
    """What is said of the statement, and the body of the function around it afterwards."""
    source = f"{head} {{\n{asm}\n}}\n".encode()
    parsed = cuda.parse(SourceFile(path, source, "cuda"), frozenset())
    use = next(use for use in parsed.uses if use.kind == "asm")
    found = translate.translation(parsed, use)
    for edit in sorted(found.edits if found is not None else (), key=lambda edit: -edit.span.start):
        source = source[: edit.span.start] + edit.replacement + source[edit.span.end :]
    return found, source.decode().partition("{\n")[2].rpartition("\n}\n")[0]


@dataclass(frozen=True)
class Case:
    """A statement to try: its instruction, the letters of its operands, how many of them are results."""

    template: str
    letters: str
    results: int = 1

    @property
    def asm(self) -> str:
        given = [f'"{"=" if at < self.results else ""}{letter}"(v{at})' for at, letter in enumerate(self.letters)]
        return f'asm("{self.template}" : {", ".join(given[: self.results])} : {", ".join(given[self.results :])});'


def letter(kind: str) -> str:
    """The constraint for a register of a type."""
    if kind in ("f32", "f64"):
        return "f" if kind == "f32" else "d"
    digits = [int(part) for part in re.findall(r"\d+", kind)]
    return LETTERS[digits[0] * (digits[1] if len(digits) > 1 and kind.count("x") else 1)]


def example_case(asm: str) -> Case:
    """The example of a row."""
    template = re.search(r'asm(?: volatile)?\("(.*?)" ?:', asm)
    letters = re.findall(r'"(=?)([rlfdh])"\(', asm)
    assert template is not None, asm
    return Case(template[1], "".join(one for _, one in letters), sum(mark == "=" for mark, _ in letters))


def cases(row: Row) -> Iterator[Case]:
    """The row's example, and a statement for each of its types."""
    for example in row.examples:
        yield example_case(example["asm"])
    if row.build in ("carry",) or "pred" in row.types or row.name in ("mov", "testp", "selp") or "pack" in row.wants:
        return
    if row.name == "lop3":
        yield from (Case(f"lop3.b32 %0, %1, %2, %3, {at};", "rrrr") for at in range(256))
        return
    if row.name == "prmt" and not row.wants:
        yield from (Case(f"prmt.b32 %0, %1, %2, {at};", "rrr") for at in ("0x7531", "0x9180", "0xffff", "0x1234"))
        return
    if row.name in ("shl", "shr"):
        yield from (
            Case(f"{row.name}.{kind} %0, %1, {at};", 2 * letter(kind)) for kind in row.types for at in (3, 40, 64)
        )
    if row.name == "setp":
        yield from _comparisons(row)
        return
    for types in row.types:
        for words in _forms(row, types.split(".")):
            kinds = types.split(".")
            letters = _letters(row, kinds)
            if row.build in ("set_value", "set_pair"):
                letters = letters[:3]
                yield from _combinations(words, letters)
            places = ", ".join(f"%{at}" for at in range(len(letters)))
            yield Case(f"{words} {places};", letters)


def _combinations(words: str, letters: str) -> Iterator[Case]:
    """A comparison combined with a predicate, as it is and negated."""
    name, compared, kinds = words.split(".", 2)
    for joined, given in (("and", "p"), ("or", "!p"), ("xor", "p")):
        text = f"setp.gt.s32 p, %3, 0; {name}.{compared}.{joined}.{kinds} %0, %1, %2, {given};"
        yield Case(f"{{ .reg .pred p; {text} }}", f"{letters}r")


def _comparisons(row: Row) -> Iterator[Case]:
    for kind in row.types:
        names = ["eq", "ne"] if kind[0] == "b" and kind != "bf16" else ["eq", "ne", "lt", "le", "gt", "ge"]
        names += ["lo", "ls", "hi", "hs"] if kind[0] == "u" else []
        names += ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"] if "f" in kind else []
        for name in names:
            yield Case(
                f"{{ .reg .pred p, q; setp.{name}.{kind} p|q, %1, %2; @p mov.u32 %0, 1; @q mov.u32 %0, 2; }}",
                "r" + 2 * letter(kind),
            )


def _forms(row: Row, kinds: list[str]) -> Iterator[str]:
    """The opcode with the modifiers that a form needs; those that choose among results one by one."""
    fixed = sorted(row.wants, key=lambda word: (word in ("sat", "satfinite", "add", "relu"), word))
    if row.build.startswith("convert"):
        yield from _conversions(row, kinds, fixed)
    elif row.build == "set_value":
        names = ["eq"] if kinds[1][0] == "b" and kinds[1] != "bf16" else ["eq", "lt", "ge"]
        yield from (".".join([row.name, name, *kinds]) for name in names)
    elif row.build == "set_pair":
        names = ["eq", "ne", "lt", "le", "gt", "ge", "ltu", "gtu", "num", "nan"]
        yield from (".".join([row.name, name, *kinds]) for name in names)
    elif row.build in ("video", "video_mad", "video_compare"):
        yield from _scalar_video(row, kinds, fixed)
    elif row.name[0] == "v":
        yield ".".join([row.name, *kinds, *fixed])
    else:
        yield ".".join([row.name, *fixed, *kinds])


def _conversions(row: Row, kinds: list[str], fixed: list[str]) -> Iterator[str]:
    """Forms of `cvt`; there is no operand for a pair of 4 bits each, which the examples have in a register."""
    short = next((word for word in fixed if word.endswith("x2")), "")
    how = next((word for word in ("rn", "rp", "rz") if word in fixed), "")
    more = ["", ".relu"] if "relu" in row.may else [""]
    if row.build == "convert":
        yield from (".".join(part for part in ["cvt", word, *kinds] if part) for word in _roundings(kinds))
    elif not short:
        yield from (f"cvt.{word}.{'.'.join(kinds)}" for word in ("rn", "rz", "rn.relu", "rz.relu", "rn.satfinite"))
    elif short == "e2m1x2":
        return
    elif row.build == "convert_pair":
        yield from (f"cvt.{how}.satfinite{word}.{short}.f32" for word in more)
    else:
        to = "satfinite" in fixed
        names = [f"cvt.{how}{'.satfinite' if to else ''}{word}" for word in more]
        yield from (".".join([name, short, kinds[0]] if to else [name, kinds[0], short]) for name in names)


def _scalar_video(row: Row, kinds: list[str], fixed: list[str]) -> Iterator[str]:
    """The plain form, the saturated one, and those with a second operation; parts of operands are in the examples."""
    base = ".".join([row.name, *kinds])
    more = (
        ([[], ["sat"]] if "sat" in row.may else [[]])
        if row.build == "video"
        else [[], ["sat"], ["sat", "shr7"], ["shr15"]]
    )
    for words in [[]] if row.build == "video_compare" else more:
        yield ".".join([base, *words, *fixed])


def _roundings(kinds: list[str]) -> list[str]:
    """The modifiers that `cvt` may have between two types, each by itself."""
    target, source = kinds
    if target[0] in "us":
        flushing = ["rmi.ftz", "rpi.ftz"] if source == "f32" else []
        return ["", "sat"] if source[0] in "us" else ["rni", "rzi", "rmi", "rpi", *flushing]
    if target == source and target != "bf16":
        return ["rni", "rzi", "rmi", "rpi", *(["rmi.ftz", "rpi.ftz"] if source == "f32" else [])]
    if target == "bf16" and source != "bf16":
        return ["rn", "rz", "rn.relu", "rn.satfinite", "rz.relu"] if source == "f32" else ["rn"]
    if (target, source) == ("f16", "f32"):
        return ["rn", "rz", "rm", "rp", "rn.relu", "rn.satfinite", "rz.sat"]
    if source[0] in "us" or (target, source) == ("f32", "f64"):
        return ["rn", "rz", "rm", "rp"]
    return ["rn"] if target != source and source != "bf16" else [""]


_FIXED = {"video": "rrr", "video_compare": "rrr", "set_pair": "rrr"}
"""Letters of the operands that some builders take, whatever the types are."""


def _letters(row: Row, kinds: list[str]) -> str:
    source, target = kinds[-1], kinds[0]
    gives = row.gives if row.gives not in ("", "u", "s", "b", "T", "pred") else target
    others = [name for name in row.operands if name not in ("d", "t")]
    if row.build in ("convert",):
        return (letter(target) if target not in ("u8", "s8") else "r") + (
            letter(source) if source not in ("u8", "s8") else "r"
        )
    if row.build == "convert_pair_short":
        return "hr" if "satfinite" in row.wants else "rh"
    if row.build == "convert_pair":
        return ("h" if row.wants - {"rn"} else "r") + "ff"
    if row.build in _FIXED or row.name.startswith(("dp", "v")):
        return _FIXED.get(row.build, "rrrr")
    if len(kinds) == 2 and row.name in ("fma", "add", "sub"):
        return letter(target) + letter(source) * (len(others) - 1) + letter(target)
    if row.name == "slct":
        return letter(target) * 3 + letter(source)
    return _by_name(row, letter(gives), letter(source), len(others))


def _by_name(row: Row, target: str, source: str, count: int) -> str:
    """A result and sources of one kind, but for what some instructions take beside them."""
    made = target + source * count
    if row.name in ("shl", "shr"):
        return made[:2] + "r"
    if row.name == "bfe":
        return made[:2] + "rr"
    if row.name == "bfi":
        return made[:3] + "rr"
    if "wide" in row.wants:
        return target + source * 2 + (target if row.name == "mad" else "")
    return made


def memory_cases() -> Iterator[Case]:
    """Loads, stores and atomic operations in the types, orders, scopes and spaces that the tables take."""
    for space, place in (("global", "l"), ("shared", "r"), ("", "l")):
        for kind in ("u8", "s8", "b16", "s16", "u32", "s32", "f32", "b64", "s64", "f64"):
            one = "r" if kind in ("u8", "s8") else letter(kind)
            for words in ("", "volatile", "relaxed.gpu", "acquire.sys", "cg", "cv"):
                if space == "global" or words in ("", "volatile"):
                    name = ".".join(part for part in ("ld", words, space, kind) if part)
                    yield Case(f"{name} %0, [%1+8];", one + place)
            for words in ("", "volatile", "relaxed.cta", "release.gpu", "wt"):
                if space == "global" or words in ("", "volatile"):
                    name = ".".join(part for part in ("st", words, space, kind) if part)
                    yield Case(f"{name} [%0], %1;", place + one, 0)
        for kind, count in (
            ("u8", 4),
            ("u16", 2),
            ("s16", 4),
            ("u32", 2),
            ("b32", 4),
            ("f32", 4),
            ("u64", 2),
            ("f64", 2),
        ):
            one = "h" if kind == "u8" else letter(kind)
            head = ".".join(part for part in (space, f"v{count}", kind) if part)
            items = ", ".join(f"%{at}" for at in range(count))
            yield Case(f"ld.{head} {{{items}}}, [%{count}];", one * count + place, count)
            yield Case(f"st.{head} [%{count}], {{{items}}};", one * count + place, 0)
        yield from _atomics(space, place)


def _atomics(space: str, place: str) -> Iterator[Case]:
    operations = {
        "add": ("u32", "s32", "u64", "s64", "f32", "f64"),
        **dict.fromkeys(("min", "max"), ("u32", "s32", "u64", "s64")),
        **dict.fromkeys(("and", "or", "xor", "exch"), ("b32", "b64")),
    }
    for operation, kinds in operations.items():
        for kind in kinds:
            for words in ("", "relaxed.cta", "acq_rel.gpu", "release.sys"):
                name = ".".join(part for part in (words, space, operation, kind) if part)
                yield Case(f"atom.{name} %0, [%1], %2;", letter(kind) + place + letter(kind))
                if operation != "exch":
                    yield Case(f"red.{name} [%0], %1;", place + letter(kind), 0)
    for words in ("", "acquire.gpu", "acq_rel.cta", "release.sys"):
        name = ".".join(part for part in (words, space) if part)
        dot = "." if name else ""
        for kind in ("b32", "b64"):
            one = letter(kind)
            yield Case(f"atom.{name}{dot}cas.{kind} %0, [%1], %2, %3;", one + place + one + one)
        if "sys" not in words:
            yield Case(f"atom.{name}{dot}inc.u32 %0, [%1], %2;", "r" + place + "r")
    for kind in ("f16x2", "bf16x2"):
        for operation in ("min", "max"):
            head = f"{space}{'.' if space else ''}{operation}.noftz.{kind}"
            yield Case(f"atom.{head} %0, [%1], %2;", "r" + place + "r")
            yield Case(f"red.release.gpu.{head} [%0], %1;", place + "r", 0)
        yield Case(f"red.{space}{'.' if space else ''}add.noftz.{kind} [%0], %1;", place + "r", 0)
