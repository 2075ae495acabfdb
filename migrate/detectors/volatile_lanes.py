"""Shared memory through which lanes pass values on without a barrier between their steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.warp.called_steps import called_steps
from cudamigrate.warp.passed_elements import passed_elements
from cudamigrate.warp.placed_steps import placed_steps
from cudamigrate.warp.recursive_steps import recursive_steps
from cudamigrate.warp.warp_synchronous import is_of_lanes, runs
from cudamigrate.warp.warp_synchronous_edits import edits

WORDS = (b"volatile", b"16", b"template")

_READ = re.compile(
    rb"\(?\b(?P<array>[A-Za-z_]\w*)\)?\s*\[\s*\(?(?P<index>[A-Za-z_][\w.]*)\)?\s*[-+^]\s*\(?\s*(?P<by>[A-Za-z_]\w*)\s*\)?\s*\]"
)
"""What a macro reads of another lane, by a distance that it is given: `s[t + n]`, `(s)[(t) + (n)]`."""
_WRITTEN = rb"\(?\b%b\)?\s*\[\s*\(?%b\)?\s*\]\s*[-+*|&^]?=(?!=)"
"""What it writes of its own: `s[t] +=`."""
_FIXED = re.compile(
    rb"\(?\b(?P<array>\w+)\)?\s*\[\s*(?P<index>[\w.]+)\s*\]\s*[-+*|&^]?=(?!=)[^;{}]{0,400}?\(?\b(?P=array)\)?\s*"
    rb"\[\s*(?P=index)\s*[-+^]\s*(?P<by>\d+)\s*\]"
)
"""A step whose distance the macro itself writes, up to the place it reads: `s[t] = op(s[t], s[t + 16]`."""
_OF_DEVICE = re.compile(rb"\b(?:__sync\w+|threadIdx|__shared__|blockDim)\b")
_DISTANCES = frozenset((b"1", b"2", b"4", b"8", b"16", b"32"))
_EACH_STEP = "Write each step as `v = {name}[i + n]; __syncwarp(); {name}[i] += v; __syncwarp();`"
_BETWEEN = "Put `__syncwarp()` between what writes them and what reads them, and before they are written again"
_FEWEST = 3
"""So many steps by halves or doubles are no coincidence, where nothing is `volatile`."""
_BARRIER = re.compile(rb"sync|SYNC|barrier|BARRIER")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first step of each run of `s[t] += s[t + 16]` and the like that no barrier holds; macros of such a step, and
    functions that take one and are called in a row, or call themselves.

    Runs that can be held as they are have a rule of their own.
    """
    for run in runs(parsed):
        rule = "warp/volatile-lanes" if edits(parsed, run) else "warp/unheld-lanes"
        yield _hit(parsed, rule, run.first, run.array)
    for span, array in (*recursive_steps(parsed), *called_steps(parsed), *placed_steps(parsed)):
        yield _hit(parsed, "warp/unheld-lanes", span, array)
    for span, array in passed_elements(parsed):
        yield _hit(parsed, "warp/unheld-lanes", span, array, _BETWEEN)
    for directive in parsed.lexed.directives:
        if directive.name == "define" and b"[" in parsed.data[directive.rest : directive.end]:
            yield from _by_macro(parsed, directive)
            yield from _in_macro(parsed, directive)


def _in_macro(parsed: ParsedFile, macro: Directive) -> Iterator[Hit]:
    """The first of several steps that a macro for device code takes, where no barrier is between two of them."""
    body = parsed.data[macro.rest : macro.end]
    if _OF_DEVICE.search(body) is None or parsed.hip(macro.start) is not None or not parsed.lexed.is_code(macro.start):
        return
    runs = list[list[re.Match[bytes]]]()
    for step in (match for match in _FIXED.finditer(body) if match["by"] in _DISTANCES):
        last = runs[-1][-1] if runs else None
        same = last is not None and (last["array"], last["index"]) == (step["array"], step["index"])
        if last is None or not same or _BARRIER.search(body, last.end(), step.start()) is not None:
            runs.append([step])
        else:
            runs[-1].append(step)
    fewest = 2 if b"volatile" in body else _FEWEST
    run = next((found for found in runs if len({step["by"] for step in found}) >= fewest), None)
    if run is not None:
        span = Span(macro.rest + run[0].start(), macro.rest + run[0].end())
        yield _hit(parsed, "warp/unheld-lanes", span, run[0]["array"].decode("latin-1"))


def _hit(parsed: ParsedFile, rule: str, span: Span, array: str, cure: str = _EACH_STEP) -> Hit:
    use = parsed.named_use(array, span)
    return Hit(rule, use, {"name": array, "cure": cure.replace("{name}", array)})


def _by_macro(parsed: ParsedFile, macro: Directive) -> Iterator[Hit]:
    """The step of a macro that is given the distance, where device code takes several with no barrier between them."""
    name = parsed.lexed.token(macro.rest)
    if name is None or parsed.hip(macro.start) is not None or parsed.data[name.end : name.end + 1] != b"(":
        return
    closing = parsed.data.find(b")", name.end, macro.end)
    given = [word.strip() for word in parsed.data[name.end + 1 : max(closing, name.end + 1)].split(b",")]
    step = _step(parsed.data, closing, macro.end, given) if closing > 0 else None
    if step is not None and _BARRIER.search(parsed.data, closing, macro.end) is None:
        span, read = step
        if any(_is_run(parsed, read, given, run) for run in _uses(parsed, parsed.lexed.text(name), given, read["by"])):
            yield _hit(parsed, "warp/unheld-lanes", span, read["array"].decode("latin-1"))


def _step(data: bytes, start: int, end: int, given: list[bytes]) -> tuple[Span, re.Match[bytes]] | None:
    """Where a macro's body reads another lane's place by a parameter, with the write of the own place it goes into."""
    first: tuple[Span, re.Match[bytes]] | None = None
    for read in _READ.finditer(data, start, end):
        written = re.compile(_WRITTEN % (re.escape(read["array"]), re.escape(read["index"])))
        writes = list(written.finditer(data, start, end)) if read["by"] in given else []
        begins = [
            one.start() for one in writes if one.start() < read.start() and b";" not in data[one.end() : read.start()]
        ]
        if begins:
            return Span(begins[-1], read.end()), read
        if writes and first is None:
            first = Span(*read.span()), read
    return first


Use = tuple[int, int, list[bytes]]
"""A use of a macro: where it begins and ends, and what it is given."""


def _uses(parsed: ParsedFile, name: bytes, given: list[bytes], by: bytes) -> Iterator[list[Use]]:
    """The uses of a macro in device code with a distance within a warp, function by function, up to a barrier."""
    run: list[Use] = []
    for start in parsed.lexed.words(frozenset((name,))):
        opening = parsed.lexed.token(start + len(name))
        if parsed.lexed.directive_at(start) is not None or parsed.scope(start) != "device" or opening is None:
            continue
        closing = parsed.lexed.closing(opening.start)
        arguments = [parsed.data[one.start : one.end].strip() for one in parsed.arguments(opening.start, closing)]
        if len(arguments) != len(given) or arguments[given.index(by)].strip(b"uU() ") not in _DISTANCES:
            continue
        if run and not (
            parsed.function(run[-1][0]) == parsed.function(start)
            and _BARRIER.search(parsed.data, run[-1][1], start) is None
        ):
            yield run
            run = []
        run.append((start, closing, arguments))
    yield run


def _is_run(parsed: ParsedFile, read: re.Match[bytes], given: list[bytes], run: list[Use]) -> bool:
    """Whether uses in a row are steps of lanes: two with `volatile`, else several by halves or doubles, 16 too."""
    if len(run) < _FEWEST or b"volatile" in parsed.data:
        return len(run) > 1 and b"volatile" in parsed.data
    start, _, first = run[0]
    numbers = [int(arguments[given.index(read["by"])].strip(b"uU() ")) for _, _, arguments in run]
    if 16 not in numbers or {max(pair) / min(pair) for pair in pairwise(numbers)} != {2}:
        return False
    means = dict(zip(given, (one.strip(b"&* ") for one in first), strict=True))
    array, index = means.get(read["array"], read["array"]), means.get(read["index"], read["index"])
    return is_of_lanes(parsed, start, array, index)
