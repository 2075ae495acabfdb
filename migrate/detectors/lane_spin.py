"""Loops in which lanes wait for a lane of their own wave, and locks of one lane that a plain store releases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.fences import has_fence
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.entering_lanes import one_lane
from cudamigrate.warp.special_registers import writes_memory
from cudamigrate.warp.spin_locks import TAKING, is_fixed
from cudamigrate.warp.transfer import is_uniform
from cudamigrate.warp.tree_queries import CLASSES, bare, plain_name

WORDS = (b"atomic", b"volatile")

_LOOP_KINDS = ("while_statement", "do_statement", "for_statement")
_LOOPS = tree_sitter_nodes.Kinds("cuda", *_LOOP_KINDS)
_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "init_declarator")
_ASSEMBLY = tree_sitter_nodes.Kinds("cuda", "gnu_asm_expression")
_VARIABLES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_NAMES = ("identifier", "field_identifier", "this")
_FIELDS = tree_sitter_nodes.Kinds("cuda", "field_identifier", parts=True)
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression", "declaration")
_CLASSES = tree_sitter_nodes.Kinds("cuda", *CLASSES)
_FOREVER = (b"", b"true", b"1")
_OUTPUT = (b"printf",)
"""What CUDA has for device code that writes no memory of the program's, whatever it is given."""
_IDLE = (b"__nanosleep", b"__threadfence", b"__threadfence_block", b"__threadfence_system", b"__syncwarp")
"""What a loop may call that only waits."""
_ASK_ALONE = "Let one lane ask for its block"
"""What to do about lanes of a wave that ask for one lock."""
_MEET = "Let a barrier take the place of the wait"
_MEET_OR_WIDEN = f"{_MEET} where its own block writes that, else let full wavefronts of 64 lanes wait for each other"
"""What to do about a loop that looks whether something was written: in memory of the block, or of all."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Loops that take a lock and go on without letting go of it, and lanes that wait for what the others write.

    Where the conditions at the loop let one lane of a wave in, only how the lock is released is looked at.
    """
    seen: set[int] = set()
    root = parsed.tree.root_node
    for call in CALLS.below(root):
        name = plain_name(call.child_by_field_name("function"))
        loop = _loop(parsed, call) if name in TAKING else None
        if loop is None or loop.start_byte in seen:
            continue
        if _is_open(parsed, loop):
            seen.add(loop.start_byte)
            yield replace(_hit(parsed, loop, name.decode("latin-1"), _ASK_ALONE), facts=(("waits for", "a lock"),))
        else:
            yield from _plain_releases(parsed, loop, call)
    for loop in _LOOPS.below(root):
        name = b"" if loop.start_byte in seen else _awaited(parsed, loop)
        if name and parsed.scope(loop.start_byte) == "device" and parsed.hip(loop.start_byte) is None:
            cure = _MEET if _is_shared(parsed, loop, name) else _MEET_OR_WIDEN
            yield _hit(parsed, loop, name.decode("latin-1"), cure)


def _hit(parsed: ParsedFile, loop: Node, name: str, cure: str) -> Hit:
    span = Span(loop.start_byte, loop.end_byte)
    return Hit("warp/lane-spin", parsed.named_use(name, span), {"name": name, "cure": cure})


def _plain_releases(parsed: ParsedFile, loop: Node, call: Node) -> Iterator[Hit]:
    """The first store that lets go of a lock in global memory which one lane has taken, where no fence is before it."""
    lock, function = (
        tree_sitter_nodes.elements(call.child_by_field_name("arguments"))[0],
        parsed.function(loop.start_byte),
    )
    scope = parsed.scope(loop.start_byte)
    if function is None or scope == "host" or parsed.hip(loop.start_byte) is not None:
        return
    if any(_is_shared(parsed, loop, name) for name in _objects(lock)):
        return
    root, end = parsed.tree.root_node, function.body.end
    stores = (
        one for one in _WRITES.below(root) if one.type == "assignment_expression" and loop.end_byte < one.start_byte
    )
    for store in stores:
        if store.end_byte < end and _squeezed(store.child_by_field_name("left")) == _squeezed(lock):
            if not has_fence(parsed, Span(loop.end_byte, store.start_byte)):
                span, name = Span(store.start_byte, store.end_byte), text(lock).decode("latin-1")
                use = Use("name", name, span, span, (), scope, parsed.certainty(span.start))
                yield Hit("memory/plain-release", use, {"name": name})
            return


def _is_open(parsed: ParsedFile, loop: Node) -> bool:
    """Whether several lanes may be in a loop of device code that HIP compiles."""
    if parsed.scope(loop.start_byte) == "host" or parsed.hip(loop.start_byte) is not None:
        return False
    wave = 64 if any_wide(parsed.target.arch) else 32
    if one_lane(parsed, loop, wave):
        return False
    function = parsed.function(loop.start_byte)
    calls = [] if function is None else list(_calls(parsed, function))
    return not calls or not all(one_lane(parsed, call, wave) for call in calls)


def _calls(parsed: ParsedFile, function: Function) -> Iterator[Node]:
    """Where the file calls a function by its plain name; none where a constructor's class is named otherwise too."""
    name = function.name.encode()
    nodes = _CALLS.below(parsed.tree.root_node) if name else []
    made = [(one, one.child_by_field_name("function") or one.child_by_field_name("type")) for one in nodes]
    found = [(one, by) for one, by in made if by is not None and plain_name(by) == name]
    if any(one.type == "declaration" for one, _ in found):
        classes = [
            one for one in _CLASSES.below(parsed.tree.root_node) if text(one.child_by_field_name("name")) == name
        ]
        inside = [(one.start_byte, one.end_byte) for one in (*classes, *(by for _, by in found))]
        if not all(any(start <= at < end for start, end in inside) for at in parsed.lexed.words(frozenset((name,)))):
            return
    yield from (one for one, _ in found)


def _loop(parsed: ParsedFile, call: Node) -> Node | None:
    """The loop that goes round until a call takes a lock, and in which nobody lets go of it."""
    args = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    if len(args) < 2 or (len(args) == 3 and text(args[1]) == text(args[2])):
        return None  # a read alone
    around = (one for one in tree_sitter_nodes.ancestors(call) if one.type in (*_LOOP_KINDS, "function_definition"))
    loop = next(around, None)
    if loop is None or loop.type not in _LOOP_KINDS or not _decides(call, loop) or _leaves(loop):
        return None
    if not is_fixed(parsed, args[1], loop):
        return None  # an update of a value that was read
    if _may_release(parsed, loop, call, args[0]) or _is_put_back(call, loop, args[0]):
        return None
    return None if _moves_on(loop, args[0]) and not _is_given_back(parsed, loop, args) else loop


def _squeezed(node: Node | None) -> bytes:
    """How a place in memory is spelled, without blanks and signs: `locks[at]` for `&locks[at]`, `p` for `*p`."""
    return b"".join(text(node).split()).strip(b"&*()")


def _moves_on(loop: Node, lock: Node) -> bool:
    """Whether a turn of a loop stores to the lock, or makes the next turn look at another one."""
    own, names = _squeezed(lock), {text(one) for one in _VARIABLES.below(lock)}
    parts = ("left", "declarator", "argument")
    for write in _WRITES.below(loop):
        target = next((one for part in parts if (one := write.child_by_field_name(part)) is not None), None)
        if _squeezed(target) == own or _squeezed(target) in names:
            return True
    return False


def _is_given_back(parsed: ParsedFile, loop: Node, args: Sequence[Node]) -> bool:
    """Whether what a loop takes, one of several, is free again by what the same kernels do elsewhere.

    A search that moves on from one taken place to the next ends in a table; of a few slots all may be in use, by lanes
    of the wave that are in the loop.
    """
    function, graph = parsed.function(loop.start_byte), CallGraph.of(parsed)
    if function is None or len(args) < 3:
        return False
    together = graph.reached(graph.reaching((function.name,)))
    for write, place in parsed.once(_stores).get(_squeezed(args[1]), ()):
        around = parsed.function(write.start_byte)
        inside = loop.start_byte <= write.start_byte < loop.end_byte
        if around is None or inside or around.name not in together:
            continue
        if _may_be_same(args[0], place, write.type == "call_expression"):
            return True
    return False


def _stores(parsed: ParsedFile) -> Mapping[bytes, Sequence[tuple[Node, Node]]]:
    """The stores and atomic exchanges of a file, each with its place, by how what they store is spelled."""
    found: dict[bytes, list[tuple[Node, Node]]] = {}
    for write in (*CALLS.below(parsed.tree.root_node), *_WRITES.below(parsed.tree.root_node)):
        place, value = _stored(write)
        if place is not None and value is not None:
            found.setdefault(_squeezed(value), []).append((write, place))
    return found


def _may_be_same(lock: Node, place: Node, is_atomic: bool) -> bool:
    """Whether two places in memory may be one: by their members; by variables, which have other names elsewhere."""
    members, others = ({text(one) for one in _FIELDS.below(each)} for each in (lock, place))
    if members or others:
        return members == others
    return is_atomic or (place.type != "identifier" and not {*_objects(lock)}.isdisjoint(_objects(place)))


def _stored(write: Node) -> tuple[Node | None, Node | None]:
    """Where a store or an atomic exchange puts what."""
    if write.type != "call_expression":
        return write.child_by_field_name("left"), write.child_by_field_name("right")
    given = tree_sitter_nodes.elements(write.child_by_field_name("arguments"))
    is_exchange = plain_name(write.child_by_field_name("function")) in TAKING and len(given) > 1
    return (given[0], given[-1]) if is_exchange else (None, None)


def _objects(node: Node) -> Iterator[bytes]:
    """The variables and members that a piece of code names; what is in an index only picks one of them."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.type in _NAMES:
            yield text(inner)
        indexed = inner.type == "subscript_expression"
        waiting += [one for one in (inner.child_by_field_name("argument"),) if one] if indexed else inner.named_children


def _may_release(parsed: ParsedFile, loop: Node, call: Node, lock: Node) -> bool:
    """Whether something else in a loop may let go of the lock that a call takes: what gets it, or names it itself."""
    held = set(_objects(lock)) - {b"this"} or {b"this"}
    for other in CALLS.below(loop):
        around = other.start_byte <= call.start_byte and call.end_byte <= other.end_byte
        inside = call.start_byte <= other.start_byte < call.end_byte
        if not around and not inside and _lets_go(parsed, other, held):
            return True
    return any(writes_memory(one) and not held.isdisjoint(_objects(one)) for one in _ASSEMBLY.below(loop))


def _is_put_back(call: Node, loop: Node, lock: Node) -> bool:
    """Whether what a call takes out is put back at once: `v = atomicExch(p, atomicExch(p, 0) + v)` adds a number up."""
    for around in tree_sitter_nodes.ancestors(call):
        if around == loop:
            return False
        if around.type == "call_expression" and plain_name(around.child_by_field_name("function")) in TAKING:
            given = tree_sitter_nodes.elements(around.child_by_field_name("arguments"))
            if given and _squeezed(given[0]) == _squeezed(lock):
                return True
    return False


def _lets_go(parsed: ParsedFile, call: Node, held: set[bytes]) -> bool:
    """Whether a call may let go of a lock: an atomic on it, or a function that gets it or names it and may write."""
    name, given = plain_name(call.child_by_field_name("function")), not held.isdisjoint(_objects(call))
    graph = CallGraph.of(parsed)
    functions = graph.named.get(name.decode("latin-1"), ())
    if not functions:  # code that is not seen may do anything with what it gets; what CUDA names `__ldg` reads
        return given and not name.startswith(b"__") and name not in _OUTPUT
    return any((given or held & graph.words(one.body)) and _writes(parsed, one) for one in functions)


def _writes(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function may write memory, by itself or by what it calls."""
    body = parsed.tree.root_node.descendant_for_byte_range(function.body.start, function.body.end - 1)
    if body is None:
        return True
    places = (
        write.child_by_field_name("left") or write.child_by_field_name("argument") for write in _WRITES.below(body)
    )
    calls = (plain_name(one.child_by_field_name("function")) for one in CALLS.below(body))
    stored = any(place is not None and place.type != "identifier" for place in places)
    return stored or any(not name.startswith(b"__") for name in calls) or any(map(writes_memory, _ASSEMBLY.below(body)))


def _decides(call: Node, loop: Node) -> bool:
    """Whether a loop ends by what a call in it returns: at once, by a variable, or by a jump out and nothing else."""
    condition = loop.child_by_field_name("condition")
    if condition is not None and condition.start_byte <= call.start_byte < condition.end_byte:
        return True
    for around in tree_sitter_nodes.ancestors(call):
        if around == loop:
            return False
        if around.type in ("assignment_expression", "init_declarator"):
            given = text(around.child_by_field_name("left") or around.child_by_field_name("declarator"))
            return condition is not None and given in {text(one) for one in _VARIABLES.below(condition)}
        if around.type == "if_statement":
            leaves = _only(around.child_by_field_name("consequence"))
            forever = text(condition).strip(b"() ") in _FOREVER
            return forever and leaves is not None and leaves.type == "break_statement"
    return False


def _only(statement: Node | None) -> Node | None:
    """The only statement of a block; the statement itself where it is no block."""
    while statement is not None and statement.type == "compound_statement":
        inner = [one for one in statement.named_children if one.type != "comment"]
        statement = inner[0] if len(inner) == 1 else None
    return statement


def _leaves(loop: Node) -> bool:
    """Whether a loop is left in its first turn, come what may."""
    body = loop.child_by_field_name("body")
    parts = [] if body is None else body.named_children if body.type == "compound_statement" else [body]
    return any(part.type in ("break_statement", "return_statement") for part in parts)


def _is_private(parsed: ParsedFile, place: Node, name: bytes) -> bool:
    """Whether a name is a variable of the thread itself, which no other lane can write."""
    found = Values.of(parsed).locals(place.start_byte).get(name, [])
    function = parsed.function(place.start_byte)
    if function is None or not found or any(one.rank for one in found):
        return False
    return not _is_shared(parsed, place, name)


def _is_shared(parsed: ParsedFile, place: Node, name: bytes) -> bool:
    """Whether a name is declared to be in shared memory before a place in a function."""
    function = parsed.function(place.start_byte)
    shared = re.compile(rb"\b__shared__\b[^;(){}]*\b" + re.escape(name) + rb"\b")
    return function is not None and shared.search(parsed.data, function.body.start, place.start_byte) is not None


def _awaited(parsed: ParsedFile, loop: Node) -> bytes:
    """What an idle loop waits for, where another lane of the wave is to write it: its other branch, or a neighbour.

    One lane alone may wait for its neighbour, which is then in no loop; for the other branch, nobody may.
    """
    condition, body = loop.child_by_field_name("condition"), loop.child_by_field_name("body")
    if condition is None or body is None or not _is_idle(body):
        return b""
    for node in _VARIABLES.below(condition):
        name, parent = text(node), node.parent
        if parent is None or parent.type == "call_expression" or _is_private(parsed, loop, name):
            continue
        indexed = parent.type == "subscript_expression" and parent.child_by_field_name("argument") == node
        if indexed and any(_is_of_another(parsed, index) for index in parent.named_children[1:]):
            return name if _is_open(parsed, loop) else b""
        if not _moves(loop, name) and any(_is_written(branch, name) for branch in _others(parsed, loop)):
            return name
    return b""


def _moves(loop: Node, name: bytes) -> bool:
    """Whether a turn gives a variable another value: it walks along a list, and looks at one place after the other."""
    targets = (one.child_by_field_name("left") or one.child_by_field_name("argument") for one in _WRITES.below(loop))
    return any(one is not None and one.type == "identifier" and text(one) == name for one in targets)


def _is_idle(body: Node) -> bool:
    """Whether the body of a loop only waits; without a sign of its own it is a line for the compiler away."""
    if body.type == "compound_statement":
        return all(_is_idle(one) for one in body.named_children if one.type != "comment")
    if body.type != "expression_statement":
        return False
    call = next((one for one in body.named_children if one.type != "comment"), None)
    return call is None or (
        call.type == "call_expression" and plain_name(call.child_by_field_name("function")) in _IDLE
    )


def _is_of_another(parsed: ParsedFile, index: Node) -> bool:
    """Whether an index is that of another thread's element: `threadIdx.x - 1`, `lane ^ 1`."""
    node = bare(index.named_children[0] if index.type == "subscript_argument_list" and index.named_children else index)
    if node is None or node.type != "binary_expression":
        return False
    values, sign = Values.of(parsed), text(node.child_by_field_name("operator"))
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    far = sign == b"^" or (sign in (b"+", b"-") and values.constant(right) not in (None, 0))
    return far and values.from_threads(left)


def _others(parsed: ParsedFile, loop: Node) -> Iterator[Node]:
    """The branches that other lanes take while some are in a loop: none where a whole block answers alike."""
    inner = loop
    for around in tree_sitter_nodes.ancestors(loop):
        if around.type == "function_definition":
            return
        parts = ("consequence", "alternative") if around.type == "if_statement" else ()
        branches = [one for part in parts if (one := around.child_by_field_name(part)) is not None]
        if inner in branches and not is_uniform(parsed, around.child_by_field_name("condition")):
            yield from (one for one in branches if one != inner)
        inner = around


def _is_written(branch: Node, name: bytes) -> bool:
    """Whether a branch writes a variable, or an element of it."""
    for write in _WRITES.below(branch):
        if name in _objects(write.child_by_field_name("left") or write):
            return True
    calls = (
        one for one in CALLS.below(branch) if plain_name(one.child_by_field_name("function")).startswith(b"atomic")
    )
    given = (tree_sitter_nodes.elements(one.child_by_field_name("arguments"))[:1] for one in calls)
    return any(name in _objects(first) for one in given for first in one)
