"""Which rule tells of a statement that has no translation: by its instructions, its registers, or what stopped it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrate.ptx.parser import Arg, Instruction, Listing
from migrate.ptx.table import Table
from migrate.ptx.values import CTYPES

UNREADABLE = "it does not read as PTX"
"""How the reason for a text that the parser refuses begins."""
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_BUILT = ("its template holds", "the constraint `", "an operand holds")
"""Why a statement is not read: the preprocessor puts it together."""
_SPLIT = re.compile(r"braces do not balance|a carry that another statement|, which is not declared|\A`%\w+`\Z")
"""Why a statement cannot stand alone: what it opens, sets or declares belongs to another one too."""
_MEMORY = ("atom", "red", "ld", "st")


def refusal(listing: Listing, names: Sequence[str], rows: Table, why: str) -> tuple[str, dict[str, str]]:
    """The rule's name without its group, and the words that it has beside `why`.

    An instruction without an equal is told first, whatever stopped the translation; a jump where there is no other.
    """
    spelled = [one.spelled for one in listing.instructions] or [name.replace("\x01", "") for name in names]
    found = [(name, entry) for name in spelled if (entry := rows.lacking(name)) is not None]
    for name, entry in sorted(found, key=lambda pair: pair[1].rule == "jump"):
        if entry.rule != "jump" or not listing.labels:
            return entry.rule, {"shape": _shape(name), "instruction": name}
    if listing.labels:
        return "jump", {}
    if "\x01" in "".join(names) or why.startswith(_BUILT):
        return "built-text", {}
    for register in _registers(listing):
        if "rule" in rows.registers.get(register, {}) and register not in listing.registers:
            return rows.registers[register]["rule"], {"instruction": f"%{register}"}
    if _SPLIT.search(why):
        return "split-statement", {}
    if any(one.name in _MEMORY and "b128" in one.modifiers for one in listing.instructions):
        return "wide-access", {}
    if why.startswith(UNREADABLE) or any(_is_unknown(one, rows) for one in listing.instructions):
        return "invalid-text", {}
    return "inline-asm", {}


def _registers(listing: Listing) -> Iterator[str]:
    pending: list[Arg] = [arg for one in listing.instructions for arg in one.args]
    while pending:
        arg = pending.pop(0)
        pending[:0] = arg.items
        if arg.kind == "register":
            yield arg.text


def _is_unknown(one: Instruction, rows: Table) -> bool:
    """Whether PTX has no such instruction, or it names no type where every form that is known has one."""
    known = rows.rows.get(one.name, ())
    return one.name not in rows.heads or (
        bool(known) and all(row.types for row in known) and not any(word in CTYPES for word in one.modifiers)
    )


def _shape(name: str) -> str:
    """Shape and types of a matrix instruction in words."""
    match = _SHAPE.search(name)
    if match is None:
        return "matrix"
    kinds = [
        part for part in name.split(".") if re.fullmatch(r"(?:[su](?:4|8|32)|b1|t?f(?:16|32|64)|bf16|e\dm\d)", part)
    ]
    size = f"{match[1]}x{match[2]}x{match[3]}"
    return f"{size} product of `{kinds[1]}` into `{kinds[0]}`" if len(kinds) > 1 else f"{size} product"
