"""Shared memory through which lanes pass values on without a barrier between their steps."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.warp.warp_synchronous import runs
from cudamigrate.warp.warp_synchronous_edits import edits

WORDS = (b"volatile", b"16")

_MACRO = re.compile(
    rb"#[ \t]*define[ \t]+(?P<name>\w+)\((?P<given>[^)]*)\)(?:[^\n\\]|\\\r?\n)*?(?P<step>\(?\b(?P<array>\w+)\)?\s*"
    rb"\[\s*(?P<index>[\w.]+)\s*\]\s*[-+*|&^]?=(?!=)[^;\n]*?\(?\b(?P=array)\)?\s*\[\s*(?P=index)\s*[-+^]\s*\(?(?P<by>\w+)\)?\s*\])"
)
"""A macro of one step: `#define STEP(n) s[t] += s[t + n];`, on joined lines too; array and index are the same twice."""
_FIXED = re.compile(
    rb"\(?\b(?P<array>\w+)\)?\s*\[\s*(?P<index>[\w.]+)\s*\]\s*[-+*|&^]?=(?!=)[^;{}]{0,400}?\(?\b(?P=array)\)?\s*"
    rb"\[\s*(?P=index)\s*[-+^]\s*(?P<by>\d+)\s*\]"
)
"""A step whose distance the macro itself writes, up to the place it reads: `s[t] = op(s[t], s[t + 16]`."""
_OF_DEVICE = re.compile(rb"\b(?:__sync\w+|threadIdx|__shared__|blockDim)\b")
_DISTANCES = frozenset((b"1", b"2", b"4", b"8", b"16", b"32"))
_FEWEST = 3
"""So many steps by halves or doubles are no coincidence, where nothing is `volatile`."""
_BARRIER = re.compile(rb"sync|SYNC|barrier|BARRIER")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first step of each run of `s[t] += s[t + 16]` and the like that no barrier holds, and macros of such a step.

    Runs that can be held as they are have a rule of their own.
    """
    for run in runs(parsed):
        rule = "warp/volatile-lanes" if edits(parsed, run) else "warp/unheld-lanes"
        yield _hit(parsed, rule, run.first, run.array)
    if b"volatile" in parsed.data:
        for match in _MACRO.finditer(parsed.data):
            if _is_taken(parsed, match):
                yield _hit(parsed, "warp/unheld-lanes", Span(*match.span("step")), match["array"].decode("latin-1"))
    for directive in parsed.lexed.directives:
        if directive.name == "define" and b"[" in parsed.data[directive.rest : directive.end]:
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


def _hit(parsed: ParsedFile, rule: str, span: Span, array: str) -> Hit:
    use = parsed.named_use(array, span)
    return Hit(rule, use, {"name": array})


def _is_taken(parsed: ParsedFile, macro: re.Match[bytes]) -> bool:
    """Whether device code takes two steps or more by a macro that is given the distance and has no barrier."""
    given = [word.strip() for word in macro["given"].split(b",")]
    end = parsed.data.find(b"\n", macro.end())
    if macro["by"] not in given or _BARRIER.search(parsed.data, macro.start("step"), end if end >= 0 else macro.end()):
        return False
    used = re.compile(rb"\b" + macro["name"] + rb"\s*\([^;{}()]*\b(?:1|2|4|8|16|32)\s*[,)](?!\s*;?\s*__sync)")
    uses = [match.start() for match in parsed.lexed.matches(used) if match.start() > macro.end()]
    return sum(parsed.scope(at) == "device" for at in uses) > 1 and parsed.hip(macro.start()) is None
