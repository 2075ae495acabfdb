"""Locks that lanes let go of in the turn that takes them, where clang moves the release behind the loop."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.model.warp_graph import Site
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.entering_lanes import is_alone, one_lane
from cudamigrate.warp.memory_effects import MemoryEffects
from cudamigrate.warp.spin_locks import TAKING
from cudamigrate.warp.transfer import evaluator_of
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.waiting_turns import WaitingTurns

WORDS = (b"atomicCAS", b"atomicExch")

_LOOPS = ("while_statement", "do_statement", "for_statement")
_ROUTINES = ("function_definition", "lambda_expression")
_BRANCHES = tree_sitter_nodes.Kinds("cuda", "if_statement")
_CALL, _PLAIN = "call_expression", "expression_statement"
_SWAP = b"atomicCAS"
_ENDING = ("spin", "jump", "serve")
"""Loops that a thread leaves when it has got what it waits for."""
_LEAVES = re.compile(rb"\b(?:break|return)\b")
_HELD = re.compile(rb"__syncwarp|wave_barrier|__shfl|__ballot|__any\b|__all\b|__syncthreads|\basm\b|sync\s*\(")
"""What keeps a turn together where it is behind the branch: all lanes of the loop come to it before the next."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_SET = re.compile(rb"(?<![\w.>])([A-Za-z_]\w*)\s*=(?!=)")
_IDLE = re.compile(rb"(?:else|__nanosleep\([^;]*\)|__threadfence\w*\(\)|[{};\s])*")
_HANGS, _FAILS = "it hangs", "the others use up the turns of this loop in vain"
_BOUND = re.compile(
    rb"(?<![\w.>])(?P<count>[A-Za-z_]\w*)\s*(?:<=?|>=?|!=)(?![<>=])|(?P<down>[A-Za-z_]\w*)\s*--|--\s*(?P<before>[A-Za-z_]\w*)"
)
"""What counts the turns, as the condition of a loop has it: `tries < most`, `tries-- > 0`."""
_BY_FLAG = "A wave barrier at the end of each turn keeps it inside"
_ASKS = "Keep what it returns in a variable, end the turn with `__builtin_amdgcn_wave_barrier()`, and ask for it then"
_BY_LEAVING = "Set a flag in place of leaving, and end the turn with `__builtin_amdgcn_wave_barrier()`"


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Loops of several lanes that take a lock, let go of it in a branch and end there, with nothing behind the branch.

    What ends a loop is done once, so compilers move it out: by code that clang makes at -O2 and -O3 for gfx90a, the
    lane that has the lock leaves the loop and waits for the others before it lets go.
    """
    wave, seen = 64 if any_wide(parsed.target.arch) else 32, set[int]()
    for call in CALLS.below(parsed.tree.root_node):
        if plain_name(call.child_by_field_name("function")) not in TAKING:
            continue
        loop = _loop(call)
        if loop is None or loop.start_byte in seen or not _is_compiled(parsed, loop):
            continue
        branch = _releasing(call, loop)
        if branch is None or one_lane(parsed, loop, wave) or _HELD.search(_behind(parsed, branch, loop)):
            continue
        leaves = _LEAVES.search(text(branch.child_by_field_name("consequence"))) is not None
        if leaves or _ends_by_flag(branch, loop):
            seen.add(loop.start_byte)
            span, lock = Span(loop.start_byte, loop.end_byte), _shown(call)
            words = {"name": lock, "effect": _effect(loop), "cure": _BY_LEAVING if leaves else _BY_FLAG}
            yield Hit("warp/sunk-release", parsed.named_use(lock, span), words)
    yield from _behind_functions(parsed, seen)


def _behind_functions(parsed: ParsedFile, seen: set[int]) -> Iterator[Hit]:
    """Loops that end by a function which takes the lock and lets go of it: the compiler puts the function in place."""
    evaluator = evaluator_of(parsed)
    turns = WaitingTurns(evaluator, MemoryEffects(evaluator), lambda _, site: is_alone(parsed, site.start))
    for place in evaluator.places:
        for loop in place.routine.sites:
            if loop.kind not in _ENDING or loop.start in seen or parsed.hip(loop.start) is not None:
                continue
            taken = turns.given_back(place, loop)
            node = parsed.tree.root_node.descendant_for_byte_range(loop.start, loop.end - 1)
            if taken is not None and node is not None and not _is_held(node):
                yield _of_function(parsed, node, taken)


def _of_function(parsed: ParsedFile, loop: Node, taken: Site) -> Hit:
    node = parsed.tree.root_node.descendant_for_byte_range(taken.start, taken.start + 1)
    call = None if node is None else next(one for one in tree_sitter_nodes.ancestors(node) if one.type == _CALL)
    lock = taken.callee if call is None else _shown(call)
    body = text(loop.child_by_field_name("body"))
    asks = _ASKS if CALLS.below(loop.child_by_field_name("condition") or loop) else _BY_FLAG
    cure = _BY_LEAVING if _LEAVES.search(body) else asks
    words = {"name": lock, "effect": _effect(loop), "cure": cure}
    return Hit("warp/sunk-release", parsed.named_use(lock, Span(loop.start_byte, loop.end_byte)), words)


def _effect(loop: Node) -> str:
    """What comes of it: a loop that counts each turn, got or not, ends whoever has the lock."""
    condition, body = text(loop.child_by_field_name("condition")), loop.child_by_field_name("body")
    if b"||" in condition or body is None:
        return _HANGS
    each = [loop.child_by_field_name("update"), *(one for one in body.named_children if one.type == _PLAIN)]
    turns = b";".join(map(text, each))
    for match in _BOUND.finditer(condition):
        name = re.escape(match["count"] or b"")
        if not name or re.search(rb"\b%b\s*(?:\+\+|--|[-+]=)|(?:\+\+|--)\s*%b\b" % (name, name), turns):
            return _FAILS
    return _HANGS


def _is_held(loop: Node) -> bool:
    """Whether the lanes come together in each turn, behind what its body does."""
    asks = loop.child_by_field_name("condition")
    return (asks is None or not CALLS.below(asks)) and _HELD.search(text(loop.child_by_field_name("body"))) is not None


def _is_compiled(parsed: ParsedFile, loop: Node) -> bool:
    return parsed.scope(loop.start_byte) != "host" and parsed.hip(loop.start_byte) is None


def _loop(call: Node) -> Node | None:
    around = next((one for one in tree_sitter_nodes.ancestors(call) if one.type in (*_LOOPS, *_ROUTINES)), None)
    return around if around is not None and around.type in _LOOPS else None


def _lock(call: Node) -> bytes:
    """The place that is taken, without blanks and signs: `locks[at]` for `&locks[at]`."""
    args = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    return b"".join(text(args[0]).split()).strip(b"&*()") if args else b""


def _shown(call: Node) -> str:
    """The same for a reader, without the casts around it: `table[h]` for `(unsigned long long *)&table[h]`."""
    args = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    node, found = bare(args[0]) if args else None, None
    while node is not None:
        found = node
        listed = node.child_by_field_name("arguments")
        is_cast = listed is not None and text(node.child_by_field_name("function")).endswith(b">")
        inner = node.child_by_field_name("argument" if node.type == "pointer_expression" else "value")
        node = bare(listed.named_children[0] if is_cast and listed is not None and listed.named_children else inner)
    return "".join(text(found).decode("latin-1").split())


def _releasing(call: Node, loop: Node) -> Node | None:
    """The branch of a loop that is taken where the call got the lock, and that lets go of it; no work instead."""
    lock = _lock(call)
    if not lock:
        return None
    plain = re.escape(lock)
    lets_go = re.compile(rb"atomic(?:Exch|And|Sub|Add)\w*\(&?\(?%b\)?,|(?<![\w.>])\*?%b=(?!=)" % (plain, plain))
    for branch in _BRANCHES.below(loop):
        condition, taken = (branch.child_by_field_name(part) for part in ("condition", "consequence"))
        other = branch.child_by_field_name("alternative")
        if condition is None or taken is None or (other is not None and not _IDLE.fullmatch(text(other))):
            continue
        if taken.start_byte <= call.start_byte < taken.end_byte:
            continue  # who comes here asks for the lock, and does not have it yet
        inside = condition.start_byte <= call.start_byte < condition.end_byte
        if not inside and not _is_asked(call, condition, loop):
            continue
        if lets_go.search(b"".join(text(taken).split())) or _compares_back(call, lock, taken):
            return branch
    return None


def _compares_back(call: Node, lock: bytes, taken: Node) -> bool:
    """Whether a branch compares the place with what the call put there: any other compare-and-swap is a try of its own.

    `atomicCAS(&lock, 1, 0)` lets go of what `atomicCAS(&lock, 0, 1)` took.
    """
    put = _operands(call)[-1:]
    swaps = (one for one in CALLS.below(taken) if plain_name(one.child_by_field_name("function")).startswith(_SWAP))
    return any(_lock(one) == lock and _operands(one)[1:2] == put for one in swaps)


def _operands(call: Node) -> list[bytes]:
    listed = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    return [b"".join(text(one).split()) for one in listed]


def _is_asked(call: Node, condition: Node, loop: Node) -> bool:
    """Whether a condition asks for what the call gave: by a variable, or by one that is made of that one."""
    asked = set(_WORD.findall(text(condition)))
    given = set(_SET.findall(text(_part(call))))
    declared = next((one for one in tree_sitter_nodes.ancestors(call) if one.type == "init_declarator"), None)
    given |= set(_WORD.findall(text(declared.child_by_field_name("declarator")))) if declared is not None else set()
    if not given:
        return False
    body = text(loop)
    made = {
        one[1] for one in re.finditer(rb"([A-Za-z_]\w*)\s*=(?!=)([^;]*);", body) if given & set(_WORD.findall(one[2]))
    }
    return bool(asked & (given | made))


def _part(call: Node) -> Node:
    """The statement that a call is in, or the part of a branch or a loop, without the code that this leads to."""
    part = call
    for around in tree_sitter_nodes.ancestors(call):
        if around.type.endswith("statement") and around.type != "expression_statement":
            break
        part = around
    return part


def _ends_by_flag(branch: Node, loop: Node) -> bool:
    """Whether a branch sets a variable that the loop's condition asks for, or is taken by what that asks for itself."""
    condition = loop.child_by_field_name("condition")
    asked = set(_WORD.findall(text(condition))) if condition is not None else set[bytes]()
    taken = set(_WORD.findall(text(branch.child_by_field_name("condition"))))
    by_same = taken == asked and len(asked) == 1
    return by_same or not asked.isdisjoint(_SET.findall(text(branch.child_by_field_name("consequence"))))


def _behind(parsed: ParsedFile, branch: Node, loop: Node) -> bytes:
    return parsed.data[branch.end_byte : loop.end_byte]
