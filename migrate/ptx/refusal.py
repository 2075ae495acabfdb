"""Which rule reports a statement that has no translation: by its instructions, its registers, or what stopped it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.ptx.lacking import words
from cudamigrate.ptx.parser import Arg, Instruction, Listing
from cudamigrate.ptx.table import Table
from cudamigrate.ptx.values import CTYPES

UNREADABLE = "it does not read as PTX"
"""How the reason for a text that the parser refuses begins."""
_BUILT = ("its template holds", "the constraint `", "an operand holds", 'an operand with the constraint "C"')
"""Why a statement is not read: the preprocessor puts it together."""
_SPLIT = re.compile(r"braces do not balance|a carry that another statement|, which is not declared|\A`%\w+`\Z")
"""Why a statement cannot be alone: what it opens, sets or declares belongs to another one too."""
_WRONG = re.compile(r"that is not there\Z|\Aa sign before an operand\Z")
"""Why a statement cannot mean what it says: an operand too many, or a sign. To write a source is odd, and assembles."""
_MEMORY = ("atom", "red", "ld", "st")
_MODIFIER = re.compile(r"[a-z_]+")
"""A modifier that is no type, shape or qualified word, as releases of PTX bring new ones of: `e4m3x4`."""


def refusal(listing: Listing, names: Sequence[str], rows: Table, why: str) -> tuple[str, dict[str, str]]:
    """The rule's name without its group, and the words that it has beside `why`.

    An instruction without an equivalent is reported first, whatever stopped the translation; a jump where there is no
    other.
    """
    spelled = [one.spelled for one in listing.instructions] or [name.replace("\x01", "...") for name in names]
    found = [(name, entry) for name in spelled if (entry := rows.lacking(name)) is not None]
    for name, entry in sorted(found, key=lambda pair: pair[1].rule == "jump"):
        if entry.rule != "jump" or not listing.labels:
            return entry.rule, {**words(name, rows, listing.instructions), "instruction": name}
    if listing.labels:
        return "jump", {}
    if "\x01" in "".join(names) or why.startswith(_BUILT):
        return "built-text", {}
    for register in _registers(listing):
        if "rule" in rows.registers.get(register, {}) and register not in listing.registers:
            name = f"%{register}"
            return rows.registers[register]["rule"], {**words(name, rows), "instruction": name}
    if _SPLIT.search(why):
        return "split-statement", {}
    if any(one.name in _MEMORY and "b128" in one.modifiers for one in listing.instructions):
        return "wide-access", {}
    if why.startswith(UNREADABLE) or _WRONG.search(why) or any(_is_unknown(one, rows) for one in listing.instructions):
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
    """Whether PTX has no such instruction or modifier, or a type or a word is missing that every form known has."""
    known = rows.rows.get(one.name, ())
    if one.name not in rows.heads:
        return True
    if known and any(_MODIFIER.fullmatch(word) and word not in rows.vocabulary for word in one.modifiers):
        return True
    if not known or not all(row.types for row in known):
        return False
    kinds = [word for word in one.modifiers if word in CTYPES]
    fitting = [row for row in known if ".".join(kinds) in row.types]
    others = {word for word in one.modifiers if word not in CTYPES}
    return not kinds or (
        bool(fitting)
        and not any(row.wants <= others for row in fitting)
        and any(others <= row.wants | row.may for row in fitting)
    )
