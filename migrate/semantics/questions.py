"""What is asked of libclang: the questions that a file leaves open before its findings, and what it says of them after.

Result: scopes and values that the file itself does not show, put where the analysis of warp-level code reads them;
findings with what they rest on, those shown to be false left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from tree_sitter import Node

from cudamigrate.analysis.constant_values import WARP_NAME, WAVE_NAMES, Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Finding, Span
from cudamigrate.semantics import Answers
from cudamigrate.semantics.reading import Expression
from cudamigrate.warp.lane_code import NAMES, has_lane_words

Verdict = Literal["confirmed", "false", "open"]

_OF_THREADS = re.compile(
    rb"\b(?:threadIdx|blockIdx|blockDim)\s*\.|\b__(?:shfl|ballot|any|all|activemask|syncwarp)\w*\s*\("
)
"""What only device code does: `threadIdx.x`, `__shfl_sync(`, `__syncwarp(`."""
_OF_LANES = re.compile(rb"[Ll]ane|LANE|[Ww]arp|WARP")
_MACRO = re.compile(rb"\b(?:[A-Z][A-Z0-9_]{3,}|__(?!host__|restrict__|forceinline__|inline__|noinline__)\w+)\b")
"""A word that may be a macro for `__device__`: `HOST_DEVICE`, `__gpu__`; CUDA's own others (`__host__`) are none."""
_OPERATION = re.compile(rb"(?:[%/*]|&(?!&)|<<|>>)=?\s*\(?\s*(?P<name>(?!\d)\w+(?:::\w+)*)(?P<call>\s*\(\s*\))?")
"""What a number is divided, multiplied, masked or shifted by: `n % size`, `a / T::size()`; no number in digits."""
_SPLITTING = (b"%", b"/", b"&", b">>")
_WARP_WORD = re.compile(rb"(?:\w+::)*" + WARP_NAME.pattern + rb"\b(?!\s*(?:\(|=(?!=)|::))")
"""A name of a warp's size: `kWarpSize`, `T::WARP_SIZE`; not called, assigned (compared it may be: `==`) or a scope."""
_LANE_COUNTS = frozenset((32, 31, 5, 0xFFFFFFFF, -1, ~31, 0xFFFFFFE0))
_COUNTING = ("%", "/", "&", ">>", "<<", "*", "==", "!=", "<", "<=", ">", ">=")
"""Operations that say by themselves that a number counts; what is added to may be a place like any other."""
_COUNTS = frozenset((*NAMES, "__popc", "__ffs", "__clz", "__brev", "__fns"))
_CALL = re.compile(rb"(__\w+)\s*\(")
_DECLARED = re.compile(rb"\w+\s*[={]")


def prepare(parsed: ParsedFile, answers: Answers) -> None:
    """Put into a parsed file what libclang knows of functions that tokens take for the host's, and of names."""
    if not has_lane_words(parsed):
        return
    device = {function.span for function in _open_functions(parsed) if answers.is_device(function.body.start)}
    if device:
        parsed.functions = [replace(one, scope="device") if one.span in device else one for one in parsed.functions]
        parsed.uses = [
            replace(use, scope="device") if any(s.start <= use.span.start < s.end for s in device) else use
            for use in parsed.uses
        ]
    parsed.resolved = _values(parsed, answers)


def judged(parsed: ParsedFile, findings: Iterable[Finding], answers: Answers) -> Iterator[Finding]:
    """Findings on warps with what libclang makes of them, and all others as they are."""
    for finding in findings:
        if finding.group == "warp" and (answers.asked or answers.owner.thorough):
            verdict = _verdict(parsed, finding.span, answers)
            if verdict == "false" and finding.fix is None:
                continue
            if verdict == "confirmed":
                finding = replace(finding, certainty="resolved")
        yield finding


def _open_functions(parsed: ParsedFile) -> Iterator[Function]:
    """Functions that say nothing of the device, but work on threads, or on lanes under a macro that may say it."""
    for function in parsed.functions:
        if function.scope != "host":
            continue
        inside = (function.body.start, function.body.end)
        if _OF_THREADS.search(parsed.data, *inside) is not None:
            yield function
        elif _OF_LANES.search(parsed.data, *inside) is not None:
            head = parsed.data[function.span.start : function.body.start].partition(b"(")[0]
            if _MACRO.search(head) is not None:
                yield function


def _values(parsed: ParsedFile, answers: Answers) -> dict[bytes, int]:
    """Names and calls that the file does not define and that are one number wherever libclang knows it."""
    values = Values(parsed)
    found: dict[bytes, set[int]] = {}
    for key, node in _open_names(parsed, values):
        known = answers.expression(node.start_byte, node.end_byte)
        if known is not None and known.value is not None:
            found.setdefault(key, set()).add(known.value)
    return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}


def _open_names(parsed: ParsedFile, values: Values) -> Iterator[tuple[bytes, Node]]:
    """What stands for a number of lanes by its name, or divides threads, and is defined elsewhere."""
    defined = values.constants()
    seen: set[int] = set()
    for match in (*parsed.lexed.matches(_WARP_WORD), *parsed.lexed.matches(_OPERATION)):
        operation = "name" in match.re.groupindex
        start = match.start("name") if operation else match.start()
        name = match["name"] if operation else match[0]
        last = name.rpartition(b"::")[2]
        if start in seen or last in defined or last in WAVE_NAMES or parsed.scope(start) == "host":
            continue
        if parsed.hip(start) is not None or parsed.lexed.directive_at(start) is not None:
            continue
        call = operation and match["call"] is not None
        node = node_at(parsed, start, match.end("call") if call else start + len(name))
        if node is None or last in values.locals(start):
            continue
        if operation and WARP_NAME.fullmatch(last) is None and not _splits_threads(values, node):
            continue
        seen.add(start)
        yield (text(node) if call else last), node


def _splits_threads(values: Values, right: Node) -> bool:
    """Whether something divides what is made of a thread's index."""
    node = right.parent
    while node is not None and node.type == "parenthesized_expression":
        node = node.parent
    if node is None or node.type != "binary_expression":
        return False
    left, sign = node.child_by_field_name("left"), text(node.child_by_field_name("operator"))
    return sign in _SPLITTING and left is not None and left.end_byte < right.start_byte and values.from_threads(left)


def _verdict(parsed: ParsedFile, span: Span, answers: Answers) -> Verdict:
    """What libclang makes of a finding on warps by its range."""
    if parsed.lexed.directive_at(span.start) is not None:
        return "open"
    call = _CALL.match(parsed.data, span.start)
    if call is not None and call[1].decode() in _COUNTS:
        sure = answers.called(span.start) == "language" and answers.is_device(span.start)
        return "confirmed" if sure else "open"
    node = node_at(parsed, span.start, span.end)
    if node is not None and node.type == "binary_expression":
        return _operation(node, answers)
    if _DECLARED.match(parsed.data, span.start) is not None:
        declared = answers.constant(span.start)
        sure = declared is not None and declared.kind == "integer" and declared.value in _LANE_COUNTS
        return "confirmed" if sure else "open"
    return "open"


def _operation(node: Node, answers: Answers) -> Verdict:
    """Whether both sides are integers, one of them a count of lanes, in code for the device."""
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    known = [answers.expression(side.start_byte, side.end_byte) if side is not None else None for side in sides]
    left, right = known
    sign = text(node.child_by_field_name("operator")).decode()
    if left is None or right is None or sign not in _COUNTING:
        return "open"
    counted = any(one.value in _LANE_COUNTS for one in (left, right))
    if left.kind == "floating" or (not counted and _is_no_count(right, sides[1], sign)):
        return "false"
    sure = left.kind == right.kind == "integer" and counted and answers.is_device(node.start_byte)
    return "confirmed" if sure else "open"


def _is_no_count(right: Expression, node: Node | None, sign: str) -> bool:
    """Whether what a number of threads is divided by is known, and no count of lanes."""
    named = node is not None and node.type in ("identifier", "qualified_identifier", "call_expression")
    return named and sign in ("%", "/", "&", ">>") and right.value is not None and right.value not in _LANE_COUNTS
