"""Asm statements of one function that pass on the carry: which they are, and where the variable for it is declared.

Each statement of a chain is translated with that variable, or none is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.ptx.carry_flow import Flow, UnfollowedError, concerned
from cudamigrate.ptx.carry_tokens import Code, Macro, any_item, by_name, carry_of, definitions, of_range

__all__ = ["NAME", "Chain", "carry_of", "chain", "declared", "followed", "known_macros"]

NAME = "cudamigrate_carry"
"""The variable that stands for PTX's carry."""
UNSET = "on some way to it nothing sets it, or a function is called in between"


@dataclass(frozen=True, slots=True)
class Chain:
    """The statements of a function that share the carry, by where each begins, and the declaration of its variable.

    `why` says why they stay as they are; then there is no declaration.
    """

    members: tuple[int, ...]
    declaration: Edit | None = None
    why: str = ""


def chain(parsed: ParsedFile, at: int) -> Chain | None:
    """The chain that the asm statement at a place is a part of; None where it passes nothing on in its function."""
    function = parsed.function(at)
    if function is None or parsed.lexed.directive_at(at) is not None:
        return None
    known = parsed.once(_chains)
    if function.body not in known:
        known[function.body] = _chain(parsed, function)
    found = known[function.body]
    return found if found is not None and at in found.members else None


def _chains(parsed: ParsedFile) -> dict[Span, Chain | None]:
    """The chains found so far, by the body of their function; it fills as they are asked for."""
    return {}


def known_macros(parsed: ParsedFile) -> Mapping[str, Macro]:
    """The macros of a file."""
    return by_name(definitions(parsed))


def _concerned(parsed: ParsedFile) -> frozenset[str]:
    """The macros of a file that have to do with the carry."""
    return concerned(parsed.once(known_macros))


def _chain(parsed: ParsedFile, function: Function) -> Chain | None:
    code = of_range(parsed, function.body.start, function.body.end)
    members = tuple(one.start for one in code.items if one.kind == "asm" and (one.carry.reads or one.carry.sets))
    if not members or not any(one.carry.reads for one in code.items):
        return None
    names = parsed.once(_concerned)
    if any_item(code.items, lambda one: one.kind == "word" and one.text in names):
        return Chain(members, why="a macro has a part of it")
    flow = Flow(parsed.once(known_macros), names)
    why = followed(flow, code)
    if why or not flow.blocks:
        return Chain(members, why=why or "its function is not followed")
    return Chain(members, declared(parsed, _common(flow.blocks)))


def followed(flow: Flow, code: Code) -> str:
    """Why the carry is not followed through a function's body; empty where each statement that reads it has it."""
    try:
        flow.walk(code)
    except UnfollowedError as error:
        return str(error)
    except RecursionError:  # a chain of some hundred `else if`
        return "its statements are nested too deeply"
    return UNSET if flow.unset else ""


def _common(blocks: Sequence[tuple[int, ...]]) -> int:
    """Where the innermost block begins that holds all of them."""
    common = blocks[0]
    for one in blocks[1:]:
        same = next((at for at, pair in enumerate(zip(common, one, strict=False)) if pair[0] != pair[1]), None)
        common = common[: min(len(common), len(one)) if same is None else same]
    return common[-1]


def declared(parsed: ParsedFile, block: int) -> Edit:
    """The declaration of the variable at the beginning of the block that opens at a place."""
    text = f"bool {NAME} = false;".encode()
    line = re.match(rb"[ \t]*(?://[^\n]*)?\r?\n(?:[ \t]*\r?\n)*([ \t]*)", parsed.data[block + 1 : block + 400])
    text = b" " + text if line is None else newline(parsed.data) + line[1] + text
    return Edit(Span(block + 1, block + 1), text)
