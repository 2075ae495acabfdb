"""Loops that wait for memory to change: for what another block writes, or on the host for what a kernel writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis import loop_texts
from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.fences import has_fence
from cudamigrate.analysis.published_flags import publishes
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.model.warp_graph import Site
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import awaited_places, library_loads, own_numbers, pointer_members
from cudamigrate.warp.earlier_tickets import EarlierTickets
from cudamigrate.warp.entering_lanes import is_alone
from cudamigrate.warp.memory_effects import MemoryEffects
from cudamigrate.warp.transfer import evaluator_of, place_around
from cudamigrate.warp.tree_queries import bare, identifiers, plain_name
from cudamigrate.warp.waiting_turns import WaitingTurns

_LONGEST = 800
"""Bytes of a loop that only waits; what is longer does something else."""
_LOOP = re.compile(rb"\bwhile(?=\s*\()")
WORDS = (b"while", b"goto", b"__device__", b"__global__")
_CALLED = re.compile(
    rb"\batomic(?:Add|Or|Max)\s*\([^;]*,\s*0[uUlL]*\s*\)"
    rb"|\b(?:ld|load)\w*_?(?:acquire|acq|volatile|relaxed|strong|flag)\w*\s*(?:<[^;(]*>)?\s*\("
    rb"|\b__ld(?:cg|cv)\s*\(|\b__hip_atomic_load\s*\(|\.load\s*\(|\(\s*(?:const\s+)?volatile\b[^()]*\*\s*\)"
    rb"|_cast\s*<\s*(?:const\s+)?volatile\b[^<>]*\*"
)
"""A read that sees other blocks' writes: `atomicAdd(p, 0)`, `ld_acquire(`, `__ldcg(`, `.load(`, a volatile cast."""
_PTX_LOAD = re.compile(rb"\"ld\.(?:acquire|relaxed|volatile|mmio)\.")
"""A load in PTX that sees other blocks' writes, at the start of a string: `"ld.acquire.sys.global.u32`."""
_LOAD = re.compile(rb"\.load\s*\(")
_OF_GPUS = (
    b"cuda::atomic",
    b"cuda/atomic",
    b"cuda/std/atomic",
    b"cuda::std::atomic",
    b"atomic_ref",
    b"hip::atomic",
    b"simt::atomic",
)
"""Atomic types whose objects may be in memory that a kernel writes."""
_VOLATILE = re.compile(
    rb"(?<!__shared__ )\bvolatile\s+(?!__shared__)(?:[\w:]+\s+)*?[\w:]+(?:\s+const)?\s*\*+"
    rb"\s*(?:const\s+|__restrict__\s+)*(\w+)|\bvolatile\s*\*+\s*(?:const\s+|__restrict__\s+)*(\w+)"
)
"""The name of a volatile pointer: `volatile int* flag`. Not one in `__shared__`, which other blocks cannot write."""
_IDLE = re.compile(
    rb"\s+|//[^\n]*|/\*.*?\*/|[{};]|__nanosleep\s*\([^;]*;|__threadfence\w*\s*\(\s*\)\s*;|__syncwarp\s*\([^;]*;"
    rb"|__builtin_amdgcn_s_sleep\s*\([^;]*;|continue\s*;"
    rb"|(?:std::)?(?:this_thread::)?(?:yield|sleep_for|usleep|sched_yield|_mm_pause)\s*\([^;]*;",
    re.S,
)
"""What a waiting loop may hold and still do nothing: blanks, remarks, braces, pauses, fences, `continue;`."""
_SET = re.compile(rb"\s*(?:(?:const|auto|int|unsigned|uint32_t|uint64_t)\s+)*\w+\s*=\s*([^;]*);")
"""A statement that only sets a variable, and its value: `unsigned seen = load(flag);`. The value may be the read."""
_LIBRARY = re.compile(rb"\bstd\s*::\s*(?!atomic|min\b|max\b)\w+\s*\(")
"""A call of a function that the C++ library has for the host, `std::fgetc(`; `std::min` is known in device code too."""
_PINNED = re.compile(
    rb"\b(?:cuda|hip)(?:HostAlloc|MallocHost|HostRegister|HostMalloc|MallocManaged)\b|\bcuMem(?:Host)?Alloc"
)
"""An allocation that the host can write while a kernel runs: `cudaHostAlloc`, `hipHostMalloc`, `cuMemHostAlloc`."""


_STEPS = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_COUNTING = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_LEAVES = tree_sitter_nodes.Kinds("cuda", "break_statement", "return_statement", "goto_statement")
_COUNTS = (b"++", b"--", b">>=", b"/=", b"-=", b"+=", b"*=", b"<<=")
_PLACES = tree_sitter_nodes.Kinds(
    "cuda", "subscript_expression", "pointer_expression", "call_expression", "field_expression"
)
_TOGETHER = b"LaunchCooperativeKernel"
"""How launches end that fail unless all blocks run at once."""
_FIT_SAID = "launch no more blocks than run at once"
_FENCES_SAID = "put fences on both sides"
"""What a wait for another block lacks."""
_WAVE_SAID = "See that none of them is in the same wave of 64 lanes"
"""What is to be seen to where a wait lacks nothing else."""
_ORDER_SAID = f"wait for blocks of a lower number only, or {_FIT_SAID}"
_TICKET_SAID = f"wait only for who drew an earlier number, or {_FIT_SAID}"
_OTHERS_SAID, _OWN_SAID = "another block or GPU", "other threads of its block"
_ANY_SAID = f"threads of its own wave, or {_OTHERS_SAID}"


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Loops that do nothing but look at a place in memory again; lanes that wait for a lock are another rule's."""
    volatile, loaders = list(_volatile(parsed)), _loaders(parsed)
    seen = set[int]()
    for match in parsed.lexed.matches(_LOOP, b"while"):
        scope = parsed.scope(match.start())
        if parsed.hip(match.start()) is not None or not (scope == "device" or (scope == "host" and parsed.once(_asks))):
            continue
        loop = _loop(parsed, match.start())
        watched = loaders | _known(volatile, match.start())
        if (
            loop is None
            or not _waits(loop, watched)
            or _is_chase(loop)
            or _is_counted(loop, watched)
            or (scope == "device" and _goes_on(parsed, loop))
            or (scope == "host" and _is_of_threads(parsed, loop, watched))
        ):
            continue
        span = Span(loop.start_byte, loop.end_byte)
        seen.add(span.start)
        use = Use("name", match[0].decode(), span, span, (), scope, parsed.certainty(span.start))
        if scope == "host":
            yield Hit("memory/polled-host-memory", use, {"name": "loop"})
        else:
            yield from _awaits(parsed, loop, use)
    yield from _other_loops(parsed, volatile, seen)


def _other_loops(parsed: ParsedFile, volatile: Sequence[tuple[bytes, range | None]], seen: set[int]) -> Iterator[Hit]:
    """Loops of device code in other forms that wait for memory, without those whose places were `seen`."""
    evaluator, turns = evaluator_of(parsed), parsed.once(_turns)
    effects = turns.effects
    waiting = ((at, one) for at in evaluator.places for one in at.routine.sites if one.kind != "call")
    for place, site in waiting:
        watched_bytes = _known(volatile, site.start)
        watched_here = frozenset(name.decode("latin-1") for name in watched_bytes)
        if site.start in seen or parsed.hip(site.start) is not None or not effects.polls(place, site, watched_here):
            continue
        if turns.is_shared(place, site, is_idle=True):
            continue  # the rule for turns says that lanes of one wave wait for each other
        seen.add(site.start)
        if _is_hosts_macro(parsed, site.start, site.end):
            continue
        node = parsed.tree.root_node.descendant_for_byte_range(site.start, site.end - 1)
        span = Span(site.start, site.end)
        use = Use("name", "loop", span, span, (), "device", parsed.certainty(span.start))
        if node is not None and not _is_counted(node, watched_bytes) and not own_numbers.are_all(parsed, node):
            yield from _awaits(parsed, node, use)


def _is_hosts_macro(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether a loop of a macro calls the C++ library, as code for the host does: `while (std::fgetc(f) != 10)`."""
    return parsed.lexed.directive_at(start) is not None and _LIBRARY.search(parsed.data, start, end) is not None


def _asks(parsed: ParsedFile) -> bool:
    """Whether a file allocates memory that the host can read while a kernel runs, and does not show that it may."""
    return _PINNED.search(parsed.data) is not None and not publishes(parsed)


def _awaits(parsed: ParsedFile, loop: Node, use: Use) -> Iterator[Hit]:
    """What is to be seen to where device code waits in a loop."""
    shown = loop_texts.quoted(parsed.data[use.span.start : use.span.end])
    if _is_within_block(parsed, loop):
        words = {"name": "loop", "text": shown, "whom": _OWN_SAID, "missing": _WAVE_SAID}
        yield Hit("memory/block-spin", use, words)
        return
    cached = library_loads.cached_in(parsed, use.span)
    lacking, alone = [cached] * bool(cached) + _missing(parsed, loop), _is_lone(parsed, loop)
    missing = ", and ".join(lacking)
    if missing or not alone:
        whom = _OTHERS_SAID if alone else _ANY_SAID
        said = f"{missing[:1].upper()}{missing[1:]}" if alone else _WAVE_SAID  # no fence lets a wave's own lanes go on
        said += f". For another block {missing}" if missing and not alone else ""
        words = {"name": "loop", "text": shown, "whom": whom, "missing": said}
        fences = _FENCES_SAID if _FENCES_SAID in lacking else ""
        yield Hit("memory/block-spin", use, words, facts=(("needs", missing), ("fences", fences)))


def _is_lone(parsed: ParsedFile, loop: Node) -> bool:
    """Whether one lane of a wave comes to a loop, by the conditions around it or around all calls of its function.

    Lanes that wait for blocks of a lower number than their block's do not wait for each other either.
    """
    place = place_around(parsed, loop.start_byte)
    if (
        place is not None
        and _is_for_earlier(parsed, loop)
        and EarlierTickets(parsed.once(_turns)).are_of_block(place, loop)
    ):
        return True
    site = Site("spin", "", (), None, (), loop.start_byte, loop.end_byte, 0)
    return is_alone(parsed, loop.start_byte) or (place is not None and not parsed.once(_turns).is_open(place, site))


def _is_within_block(parsed: ParsedFile, loop: Node) -> bool:
    """Whether what a loop looks at is in shared memory: of its function, or of all that call it."""
    place = place_around(parsed, loop.start_byte)
    inside = {at.start_byte for one in awaited_places.indices(loop) for at in _NAMES.below(one)}
    looked = (
        one for one in _NAMES.below(loop) if one.start_byte not in inside and not pointer_members.leads_on(parsed, one)
    )
    names = {text(one).decode("latin-1") for one in looked}
    if place is None or not names.isdisjoint(place.routine.shared):
        return place is not None and not awaited_places.looks_elsewhere(parsed, place, loop)
    references = evaluator_of(parsed).references
    if any(references.is_shared_object(place, name) for name in names if name in place.routine.types):
        return True
    return any(awaited_places.is_given_shared(parsed, place, name) for name in names & set(place.routine.parameters))


def _missing(parsed: ParsedFile, waiting: Node) -> list[str]:
    """What is not seen of what a wait for another block needs, as the report says it; none where all is there."""
    loop = Span(waiting.start_byte, waiting.end_byte)
    function = parsed.function(loop.start)
    if function is None:
        return [_FENCES_SAID, _FIT_SAID]
    sides = (Span(function.body.start, loop.start), Span(loop.end, function.body.end))
    fenced = all(has_fence(parsed, side) for side in sides)
    fits = _runs_at_once(parsed, function) or _is_for_earlier(parsed, waiting)
    fit = _TICKET_SAID if awaited_places.is_by_ticket(parsed, parsed.once(_turns), waiting) else _FIT_SAID
    fit = _ORDER_SAID if b"blockIdx" in text(waiting) else fit
    return [one for one, there in ((_FENCES_SAID, fenced), (fit, fits)) if not there]


def _is_for_earlier(parsed: ParsedFile, loop: Node) -> bool:
    """Whether a loop waits for blocks that drew an earlier number than its own: they run already."""
    place = place_around(parsed, loop.start_byte)
    return place is not None and EarlierTickets(parsed.once(_turns)).are_awaited(place, loop)


def _turns(parsed: ParsedFile) -> WaitingTurns:
    evaluator = evaluator_of(parsed)
    readers = frozenset((library_loads.NAME,) if parsed.once(library_loads.waited_for) else ())
    return WaitingTurns(evaluator, MemoryEffects(evaluator, readers), lambda _, site: is_alone(parsed, site.start))


def _runs_at_once(parsed: ParsedFile, function: Function) -> bool:
    """Whether all kernels that come to a function are seen to be launched with all blocks running at once."""
    reaching = set(CallGraph.of(parsed).reaching([function.name]))
    kernels = {
        one.name
        for one in parsed.functions
        if one.name in reaching and b"__global__" in parsed.data[one.span.start : one.body.start]
    }
    together = set[str]()
    for call in CALLS.below(parsed.tree.root_node):
        if plain_name(call.child_by_field_name("function")).endswith(_TOGETHER):
            given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
            together |= {name.decode("latin-1") for name in identifiers(given[0])} if given else set()
    apart = {use.name for use in parsed.uses if use.kind == "launch"}
    return bool(kernels) and kernels <= together and kernels.isdisjoint(apart)


def _volatile(parsed: ParsedFile) -> Iterator[tuple[bytes, range | None]]:
    """The volatile pointers of a file, each with the function that it is declared in, its parameters among it.

    Another function's pointer of the name may be to what nobody writes.
    """
    for match in parsed.lexed.matches(_VOLATILE, b"volatile"):
        spans = (one.span for one in parsed.functions if one.span.start <= match.start() < one.span.end)
        inner = max(spans, key=lambda one: one.start, default=None)
        yield match[1] or match[2], None if inner is None else range(inner.start, inner.end)


def _known(volatile: Iterable[tuple[bytes, range | None]], offset: int) -> set[bytes]:
    """The volatile pointers that are known at a byte of the file."""
    return {name for name, around in volatile if around is None or offset in around}


def _loaders(parsed: ParsedFile) -> set[bytes]:
    """The functions of a file that load by PTX what other blocks may write, whatever they are called."""
    data = parsed.data
    return {one.name.encode() for one in parsed.functions if _PTX_LOAD.search(data, one.body.start, one.body.end)}


def _loop(parsed: ParsedFile, offset: int) -> Node | None:
    word = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    loop = None if word is None else word.parent
    if loop is None or loop.type not in ("while_statement", "do_statement"):
        return None
    return loop if loop.end_byte - loop.start_byte < _LONGEST else None


def _waits(loop: Node, watched: set[bytes]) -> bool:
    """Whether a loop loads from memory that others write, and does nothing else."""
    condition, body = text(loop.child_by_field_name("condition")), text(loop.child_by_field_name("body"))
    loaded = b"".join(_SET.findall(body))
    if not condition.strip(b"() ") or condition.strip(b"() ") in (b"true", b"1"):
        return False
    left = _IDLE.sub(b"", _SET.sub(b"", body))
    return not left and (_loads(condition, watched) or _loads(loaded, watched))


def _is_of_threads(parsed: ParsedFile, loop: Node, watched: set[bytes]) -> bool:
    """Whether a loop of the host watches an object that only threads of the host share: `done.load()` of a
    `std::atomic`, in a file without an atomic type that GPUs know."""
    if any(word in parsed.data for word in _OF_GPUS):
        return False
    return not _waits_without(
        text(loop.child_by_field_name("condition")), text(loop.child_by_field_name("body")), watched
    )


def _goes_on(parsed: ParsedFile, loop: Node) -> bool:
    """Whether each turn of a loop of device code looks at another place, for more than that something is there.

    A list is walked to a key, a table is probed for it. Slots that are looked at one after the other until one of them
    is filled, `while (slot[at] == 0) at = (at + 1) % 64;`, are waited for.
    """
    place, test = place_around(parsed, loop.start_byte), loop.child_by_field_name("condition")
    test = bare(test.child_by_field_name("value") or test) if test is not None else None
    if place is None or any(one.start == loop.start_byte for one in place.routine.sites if one.kind != "call"):
        return False
    sides = [] if test is None else [test.child_by_field_name(side) for side in ("left", "right")]
    constant = any(one is not None and Values.of(parsed).constant(one) is not None for one in sides)
    return test is not None and test.type == "binary_expression" and not constant


def _is_chase(loop: Node) -> bool:
    """Whether each turn looks at the place that it has read where to find: `while (up[x] != x) x = up[x];`.

    The place moves on, in one array: nobody is waited for. A loop that looks at any other place as well may wait.
    """
    body, test = loop.child_by_field_name("body"), loop.child_by_field_name("condition")
    steps = [one for one in _STEPS.below(body) if _moves(one)] if body is not None else []
    if test is None or len(steps) != 1:
        return False
    moved, value = (steps[0].child_by_field_name(part) for part in ("left", "right"))
    looked = [one for part in (test, value) if part is not None for one in _PLACES.below(part)]
    bases = {text(one.child_by_field_name("argument")) for one in looked}
    return bool(looked) and len(bases) == 1 and all(text(moved) in identifiers(one) for one in looked)


def _is_counted(loop: Node, watched: set[bytes]) -> bool:
    """Whether a condition counts a variable itself, and asks nothing else: `while (o >>= 1);`, `while (--n > 0);`.

    Nothing that others write decides how often such a loop goes on.
    """
    test = loop.child_by_field_name("condition")
    if loop.type not in ("while_statement", "do_statement") or test is None or _LEAVES.below(loop):
        return False
    counted = {
        text(one.child_by_field_name("left") or one.child_by_field_name("argument"))
        for one in _COUNTING.below(test)
        if text(one.child_by_field_name("operator")) in _COUNTS
    }
    held = text(loop.child_by_field_name("body"))
    again = any(re.search(rb"\b%s\s*=(?!=)" % re.escape(name), held) for name in counted)
    alone = bool(counted) and {text(one) for one in _NAMES.below(test)} == counted
    return alone and not again and counted.isdisjoint(watched)


def _moves(step: Node) -> bool:
    """Whether an assignment gives a variable what is in memory where the variable says."""
    left, right = step.child_by_field_name("left"), step.child_by_field_name("right")
    if left is None or right is None or left.type != "identifier" or right.type != "subscript_expression":
        return False
    return text(step.child_by_field_name("operator")) == b"=" and text(left) in identifiers(right)


def _waits_without(condition: bytes, body: bytes, watched: set[bytes]) -> bool:
    """Whether anything else than `.load(` reads what others write."""
    parts = (_LOAD.sub(b"(", condition), _LOAD.sub(b"(", b"".join(_SET.findall(body))))
    return any(_loads(part, watched) for part in parts)


def _loads(expression: bytes, watched: set[bytes]) -> bool:
    if _CALLED.search(expression) is not None:
        return True
    used = [*re.findall(rb"\*\s*(\w+)", expression), *re.findall(rb"\b(\w+)\s*[\[(]", expression)]
    return not watched.isdisjoint(used)
