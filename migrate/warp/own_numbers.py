"""Loops that compute with a thread's own numbers: what they ask no other thread can change.

`do { t += step(t); } while (t < end);` ends by what it computes itself, where `step` looks at no memory either.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import NUMBER_FUNCTIONS, Values
from cudamigrate.cuda.declarations import CALLS, Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import place_around

_NUMBERS = NUMBER_FUNCTIONS | frozenset((b"min", b"max"))
_ARITHMETIC = frozenset(
    b"bool char short int long float double unsigned signed size_t int32_t int64_t uint32_t uint64_t".split()
)
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_MEMORY = tree_sitter_nodes.Kinds(
    "cuda", "subscript_expression", "pointer_expression", "field_expression", "gnu_asm_expression", "lambda_expression"
)
_DEPTH = 4
"""Functions that call one another which are followed."""


def are_all(parsed: ParsedFile, loop: Node) -> bool:
    """Whether a loop names nothing but a thread's own numbers, and functions that compute with what they are given."""
    return parsed.lexed.directive_at(loop.start_byte) is None and _are_own(parsed, loop, _DEPTH)


def _are_own(parsed: ParsedFile, code: Node, depth: int) -> bool:
    """The same of any code within a function."""
    place = place_around(parsed, code.start_byte)
    if place is None or _MEMORY.below(code):
        return False
    functions = [call.child_by_field_name("function") for call in CALLS.below(code)]
    called = {one.start_byte: text(one) for one in functions if one is not None}
    known = Values.of(parsed).locals(code.start_byte)
    names = {text(one) for one in _NAMES.below(code) if one.start_byte not in called}
    if not all(_is_number(place, name, known.get(name, ())) for name in names):
        return False
    return len(called) == len(functions) and all(_computes(parsed, name, depth) for name in set(called.values()))


def _is_number(place: Place, name: bytes, declared: list[Local] | tuple[()]) -> bool:
    """Whether a name is a variable of the thread's own that holds a plain number, and whose address nothing has."""
    spelled = name.decode("latin-1")
    is_held = spelled in place.routine.held and spelled not in place.routine.taken
    return is_held and bool(declared) and all(one.rank == 0 and one.words <= _ARITHMETIC for one in declared)


def _computes(parsed: ParsedFile, name: bytes, depth: int) -> bool:
    """Whether a function looks at no memory: one that computes a number, or of the file, by all of its name."""
    if name in _NUMBERS:
        return True
    root = parsed.tree.root_node
    own = [one for one in parsed.functions if one.name.encode("latin-1") == name] if depth else []
    bodies = [root.descendant_for_byte_range(one.body.start, one.body.end - 1) for one in own]
    return bool(bodies) and all(one is not None and _are_own(parsed, one, depth - 1) for one in bodies)
