"""Loops in which lanes wait for a lane of their own wave."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.entering_lanes import one_lane

WORDS = (b"atomic", b"volatile")

_TAKING = re.compile(rb"\batomic(?:CAS|Exch)(?:_block|_system)?\s*\(")
"""A call that can take a lock, of any scope: `atomicCAS(`, `atomicExch_block(`."""
_RELEASING = re.compile(
    rb"\batomic(?:Exch|CAS|And|Sub|Add|Dec)\w*\s*\(|\b\w*(?:unlock|release|atomic_store)\w*\s*\(|(?:\.|->)\s*store\s*\("
    rb"|\bred\.|\bst\."
)
"""What may let go of a lock: an atomic, a name like `unlock(`, `.store(`, or inline PTX such as `st.release`."""
_WAITING = re.compile(rb"\b(?:while|for)\s*\(")
_FIXED = re.compile(rb"[-+]?(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*|(?:\w+::)*(?:[A-Z][A-Z0-9_]*|k[A-Z]\w*)|true|false")
"""A constant: `0`, `0xFFu`, `LOCKED`, `State::kFree` or `true`. Names only in the two usual spellings of constants."""
_LOOPS = ("while_statement", "do_statement", "for_statement")
_FOREVER = (b"", b"true", b"1")
_IDLE = re.compile(rb"(?:\{|\}|;|__nanosleep\([^;]*\)|__threadfence\w*\(\)|__syncwarp\(\))*")
"""A loop body, without blanks and remarks, that only waits: braces, `;`, `__nanosleep(20)`, fences, `__syncwarp()`."""
_REMARK = re.compile(rb"/\*.*?\*/|//[^\n]*|\s+", re.S)
_READ = re.compile(rb"(?:\*|\batomic(?:Add|Or|CAS|Max)\(&?)?(?P<name>[A-Za-z_]\w*)(?:\[(?P<index>[^]]*)\])?")
"""A name that a condition reads, with its index: `flag`, `*flag`, `flags[tid-1]`, `atomicAdd(&flag`."""
_OTHER_LANE = re.compile(rb"(?:threadIdx\.x|\w*(?:tid|lane|Lane)\w*)(?:[-+^]\w+)")
"""An index of another thread's element: `threadIdx.x-1`, `lane^1`; without the sign it is the thread's own."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Loops that take a lock and go on without letting go of it, and lanes that wait for what the others write.

    Where the conditions at the loop let one lane of a wave in, that stays silent.
    """
    seen: set[int] = set()
    for match in parsed.lexed.matches(_TAKING, b"atomicCAS", b"atomicExch"):
        node = parsed.tree.root_node.descendant_for_byte_range(match.start(), match.start() + 1)
        call = (
            next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "call_expression"), None)
            if node
            else None
        )
        loop = None if call is None else _loop(call)
        if loop is not None and loop.start_byte not in seen and _is_open(parsed, loop):
            seen.add(loop.start_byte)
            yield _hit(parsed, loop, match[0].rstrip(b"( \t").decode("latin-1"))
    for match in parsed.lexed.matches(_WAITING, b"volatile", b"atomic"):
        node = parsed.tree.root_node.descendant_for_byte_range(match.start(), match.start() + 1)
        waits = None if node is None else node.parent
        name = b"" if waits is None or waits.start_byte in seen else _awaited(parsed, waits)
        if waits is not None and name and parsed.scope(match.start()) == "device" and _is_open(parsed, waits):
            yield _hit(parsed, waits, name.decode("latin-1"))


def _hit(parsed: ParsedFile, loop: Node, name: str) -> Hit:
    span = Span(loop.start_byte, loop.end_byte)
    return Hit(
        "warp/lane-spin", Use("name", name, span, span, (), parsed.scope(span.start), parsed.certainty(span.start)),
        {"name": name},
    )  # fmt: skip


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
    """Where the file calls a function by its plain name."""
    called = re.compile(rb"\b" + re.escape(function.name.encode()) + rb"\s*\(")
    for match in parsed.lexed.matches(called) if function.name else ():
        node = parsed.tree.root_node.descendant_for_byte_range(match.start(), match.start() + 1)
        around = node if node is not None and not function.span.start <= match.start() < function.body.start else None
        while around is not None and around.type not in ("call_expression", "compound_statement"):
            around = around.parent
        if around is not None and around.type == "call_expression":
            yield around


def _loop(call: Node) -> Node | None:
    """The loop that goes round until a call takes a lock, and in which nobody lets go of it."""
    args = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    if len(args) < 2 or _FIXED.fullmatch(text(args[1])) is None or (len(args) == 3 and text(args[1]) == text(args[2])):
        return None  # an update of a value that was read, or a read alone
    loop = next(
        (one for one in tree_sitter_nodes.ancestors(call) if one.type in (*_LOOPS, "function_definition")), None
    )
    if loop is None or loop.type not in _LOOPS or not _decides(call, loop) or _leaves(loop):
        return None
    words = set(re.findall(rb"[A-Za-z_]\w*", text(args[0])))
    inside = text(loop).replace(text(call), b"")
    lock = text(args[0]).strip(b"&() ")
    stored = re.search(re.escape(lock) + rb"\s*=(?!=)", inside) is not None
    moved = any(
        re.search(rb"(?<![\w.>])" + word + rb"\s*(?:[-+*/%&|^]?=(?!=)|\+\+|--)|(?:\+\+|--)" + word + rb"\b", inside)
        for word in words
    )
    return None if stored or moved or _RELEASING.search(inside) else loop


def _decides(call: Node, loop: Node) -> bool:
    """Whether a loop ends by what a call in it returns: at once, by a variable, or by a jump out and nothing else."""
    condition = loop.child_by_field_name("condition")
    if condition is not None and condition.start_byte <= call.start_byte < condition.end_byte:
        return True
    asked = b"" if condition is None else text(condition).strip(b"() ")
    for around in tree_sitter_nodes.ancestors(call):
        if around == loop:
            return False
        if around.type in ("assignment_expression", "init_declarator"):
            given = text(around.child_by_field_name("left") or around.child_by_field_name("declarator"))
            return re.search(rb"\b" + re.escape(given) + rb"\b", asked) is not None
        if around.type == "if_statement":
            leaves = text(around.child_by_field_name("consequence")).strip(b"{} \t\r\n")
            return asked in _FOREVER and re.fullmatch(rb"break\s*;", leaves) is not None
    return False


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
    shared = re.compile(rb"\b__shared__\b[^;(){}]*\b" + re.escape(name) + rb"\b")
    return shared.search(parsed.data, function.body.start, place.start_byte) is None


def _awaited(parsed: ParsedFile, loop: Node) -> bytes:
    """What an idle loop waits for, where another lane of the wave is to write it: its other branch, or a neighbour."""
    condition, body = loop.child_by_field_name("condition"), loop.child_by_field_name("body")
    if loop.type not in _LOOPS or condition is None or body is None:
        return b""
    idle = _REMARK.sub(b"", text(body))
    if not idle or _IDLE.fullmatch(idle) is None:  # without a sign of its own the body is a line for the compiler away
        return b""
    for match in _READ.finditer(re.sub(rb"\s+", b"", text(condition))):
        if _is_private(parsed, loop, match["name"]):
            continue
        if match["index"] is not None and _OTHER_LANE.fullmatch(match["index"]):
            return match["name"]
        written = re.compile(
            rb"\b" + match["name"] + rb"\s*(?:\[[^]]*\]\s*)?=(?!=)|\batomic\w+\s*\(\s*&?" + match["name"]
        )
        inner = loop
        for around in tree_sitter_nodes.ancestors(loop):
            taken = around.child_by_field_name("consequence")
            if around.type == "if_statement" and taken != inner and written.search(text(taken)):
                return match["name"]
            if around.type == "function_definition":
                break
            inner = around
    return b""
