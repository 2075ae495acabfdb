"""rules/ptx -> rows: which instruction becomes which expression, and which has no equivalent.

Read when the first asm statement with PTX turns up, never before: a scan without inline assembly does not pay for it.
The form is described in `rules/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cudamigrate.errors import RuleError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.ptx.parser import Instruction
from cudamigrate.ptx.values import CTYPES
from cudamigrate.shipped_data import kept, stamp

ROW_KEYS = {
    "name",
    "types",
    "with",
    "may",
    "operands",
    "hip",
    "build",
    "gives",
    "approximate",
    "rule",
    "example",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One table `[[instruction]]`: what it matches and what it becomes.

    `wants` must all be among the modifiers, `may` may; `types` is the list of type suffixes, joined by dots. `least`
    is how many of the operands there must be. Either `hip` is the expression, or `build` names a function of
    `builders`. `rule` is the hazard rule that reports it; empty for the one that fits `approximate`, which says in what
    the result differs.
    """

    name: str
    types: tuple[str, ...]
    wants: frozenset[str]
    may: frozenset[str]
    operands: tuple[str, ...]
    least: int
    hip: str
    build: str
    gives: str
    approximate: str
    rule: str
    examples: tuple[Mapping[str, str], ...]
    origin: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Instructions without an equivalent: the beginnings of their names, and the hazard rule about them."""

    names: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Road:
    """What instructions without an equivalent do, and what replaces them: for names with all of `words`."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    does: str
    road: str


@dataclass(frozen=True, slots=True)
class Product:
    """Which matrix instructions AMD GPUs and libraries have for numbers of some types; of full and sparse matrices."""

    types: tuple[str, ...]
    dense: str
    sparse: str
    whole: str
    whole_sparse: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What two products of a shape and of types of elements take on some GPUs, for `rules/ptx/costs.toml`.

    `counts` has for each GPU exchanges between lanes, vector instructions, clocks of the matrix unit, and the clocks of
    a full product with as many multiplications.
    """

    types: str
    shape: str
    counts: tuple[tuple[int, int, int, int], ...]

    def least(self) -> float:
        """The part of the peak where nothing runs beside anything else."""
        return min(full / (8 * moved + 4 * vector + matrix) for moved, vector, matrix, full in self.counts)

    def most(self) -> float:
        """The part of the peak where only the slowest of the three takes time."""
        return max(full / max(8 * moved, 4 * vector, matrix) for moved, vector, matrix, full in self.counts)


@dataclass(frozen=True, slots=True)
class Table:
    """All rows by opcode, what has no equivalent, special registers, and all words that are in PTX's opcodes."""

    rows: Mapping[str, tuple[Row, ...]]
    missing: tuple[Missing, ...]
    registers: Mapping[str, Mapping[str, str]]
    vocabulary: frozenset[str]
    heads: frozenset[str]
    roads: tuple[Road, ...]
    products: tuple[Product, ...]
    costs: tuple[Cost, ...]

    def row(self, instruction: Instruction) -> tuple[Row, tuple[str, ...]] | None:
        """The first row that takes the instruction, with the types it is for."""
        for row in self.rows.get(instruction.name, ()):
            types = matched(row, instruction)
            if types is not None:
                return row, types
        return None

    def lacking(self, name: str) -> Missing | None:
        """The entry for an instruction without an equivalent, the longest beginning first."""
        found = [
            (len(beginning), entry)
            for entry in self.missing
            for beginning in entry.names
            if name == beginning or name.startswith((f"{beginning}.", f"{beginning}::"))
        ]
        return max(found, key=lambda pair: pair[0])[1] if found else None


def matched(row: Row, instruction: Instruction) -> tuple[str, ...] | None:
    """The types of the instruction where the row takes it, else None."""
    types = tuple(word for word in instruction.modifiers if word in CTYPES)
    others = frozenset(word for word in instruction.modifiers if word not in CTYPES)
    if not row.wants <= others or not others - row.wants <= row.may:
        return None
    if row.types and ".".join(types) not in row.types:
        return None
    if not row.types and types and "*" not in row.may:
        return None
    if not row.least <= len(instruction.args) <= len(row.operands):
        return None
    return types


def folder() -> Path:
    """The shipped tables: inside the package when installed from a wheel, else beside it."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_rules" / "ptx"
    return inside if inside.is_dir() else package.parent / "rules" / "ptx"


def contents() -> dict[str, Any]:
    """The tables as plain values, joined: instructions by name, and the words of all of them. Raises RuleError."""
    import tomli  # what is kept does without

    joined: dict[str, Any] = {key: [] for key in ("road", "product", "cost", "missing")} | {"registers": {}}
    instructions: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    vocabulary = set(CTYPES)
    for path in _files():
        content = tomli.loads(path.read_text(encoding="utf-8"))
        vocabulary.update(content.get("vocabulary", []))
        joined["registers"].update(content.get("registers", {}))
        for key in ("road", "product", "cost", "missing"):
            joined[key].extend(content.get(key, []))
        for entry in content.get("instruction", []):
            row = _row(path.name, entry)
            instructions.setdefault(row.name, []).append((path.name, entry))
            vocabulary.update((row.name, *row.wants, *row.may))
    missing = [name.split(".") for entry in joined["missing"] for name in entry["names"]]
    vocabulary.update(part for parts in missing for part in parts)
    heads = {*instructions, *(parts[0] for parts in missing), "bra", "ret", "call"}
    return joined | {"instruction": instructions, "vocabulary": sorted(vocabulary), "heads": sorted(heads)}


def _files() -> list[Path]:
    return sorted(folder().glob("*.toml"))


@cache
def load() -> Table:
    """Read all tables. Raises RuleError for an entry that is not valid."""
    content = kept("ptx", "joined", lambda: "\n".join(map(stamp, _files())), contents)
    return Table(
        _Rows(content["instruction"]),
        tuple(map(_missing, content["missing"])),
        content["registers"],
        frozenset(content["vocabulary"]),
        frozenset(content["heads"]),
        tuple(map(_road, content["road"])),
        tuple(map(_product, content["product"])),
        tuple(map(_cost, content["cost"])),
    )


class _Rows(Mapping[str, tuple[Row, ...]]):
    """The rows of each instruction, made when they are asked for: a file uses few of many hundred."""

    def __init__(self, entries: Mapping[str, list[tuple[str, dict[str, Any]]]]) -> None:
        self._entries = entries
        self._made: dict[str, tuple[Row, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Row, ...]:
        if name not in self._made:
            self._made[name] = tuple(_row(file, entry) for file, entry in self._entries[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _product(entry: Mapping[str, Any]) -> Product:
    return Product(tuple(entry["types"].split()), *(entry[key] for key in ("dense", "sparse", "whole", "whole_sparse")))


def _road(entry: Mapping[str, Any]) -> Road:
    return Road(
        tuple(entry["names"]), tuple(str(entry.get("words", "")).split()), str(entry["does"]), str(entry["road"])
    )


def _cost(entry: Mapping[str, Any]) -> Cost:
    counts = [(one[0], one[1], one[2], one[3]) for key, one in entry.items() if key.startswith("gfx")]
    return Cost(str(entry["types"]), str(entry["shape"]), tuple(counts))


def _missing(entry: Mapping[str, Any]) -> Missing:
    return Missing(tuple(entry["names"]), str(entry["rule"]))


def _row(file: str, entry: Mapping[str, Any]) -> Row:
    where = f"{file}: instruction {entry.get('name', '?')}"
    if unknown := set(entry) - ROW_KEYS:
        raise RuleError(f"{where}: unknown key {min(unknown)!r}; known: {', '.join(sorted(ROW_KEYS))}")
    if "name" not in entry or ("hip" in entry) == ("build" in entry):
        raise RuleError(f"{where}: it needs `name`, and one of `hip` and `build`")
    operands = str(entry.get("operands", "")).split()
    return Row(
        name=str(entry["name"]),
        types=tuple(str(entry.get("types", "")).split()),
        wants=frozenset(str(entry.get("with", "")).split()),
        may=frozenset(str(entry.get("may", "")).split()),
        operands=tuple(one.rstrip("?") for one in operands),
        least=sum(not one.endswith("?") for one in operands),
        hip=str(entry.get("hip", "")),
        build=str(entry.get("build", "")),
        gives=str(entry.get("gives", "")),
        approximate=str(entry.get("approximate", "")),
        rule=str(entry.get("rule", "")),
        examples=tuple(entry.get("example", [])),
        origin=file,
    )
