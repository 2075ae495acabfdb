"""Operators that a file defines for CUDA's vector types, which HIP's types have already."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.vector_operators import HEAD, mixes, of_any_type
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"operator",)

_KIND = rb"(?:u?(?:char|short|int|long(?:long)?)|float|double)[1-4]"
_HEAD = re.compile(
    rb"\boperator\s*(?P<sign>[-+*/%&|^]=|<<=|>>=|[*/])\s*\(\s*(?:const\s+)?(?P<left>"
    + _KIND
    + rb")\b(?:\s+const)?\s*&?"
    rb"\s*(?P<a>\w+)\s*,\s*(?:const\s+)?(?P<right>" + _KIND + rb")\b(?:\s+const)?\s*&?\s*(?P<b>\w+)\s*\)"
)
"""An operator of two vectors, as `operator+=(float4& a, const float4& b)`: assigning ones, and plain `*` and `/`."""
_OF_HOST = (".cpp", ".cc", ".cxx", ".c++", ".C")
"""How sources end that a compiler for the host reads where nothing in them is for a device."""
_BOTH = (b"__host__", b"__device__")
_MACRO = re.compile(rb"\b[A-Z][A-Z0-9_]{3,}\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """One hit for each run of definitions that are side by side, with one answer for all of them.

    Operators for one side only win over HIP's, which are for both, and are left alone: but in a file that a compiler
    for the host reads, HIP's are plain functions as well, and neither wins.
    """
    run: list[tuple[Function, re.Match[bytes], bool]] = []
    for function in parsed.functions:
        head = _HEAD.search(parsed.data, function.span.start, function.body.start)
        if head is None or head["left"] != head["right"] or not _is_for_both(parsed, function):
            continue
        if parsed.hip(function.span.start) is not None:
            continue
        plain = _by_component(parsed, function, head)
        if run and (run[-1][2] != plain or parsed.lexed.token(run[-1][0].span.end) != _first(parsed, function)):
            yield _hit(parsed, run)
            run = []
        run.append((function, head, plain))
    if run:
        yield _hit(parsed, run)


def _first(parsed: ParsedFile, function: Function) -> object:
    return parsed.lexed.token(function.span.start)


def _is_for_both(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function runs wherever HIP's does: on the host and on the device, as a macro of the file may say, too;
    on the host alone in a source of C++."""
    head = parsed.data[function.span.start : function.body.start]
    if parsed.source.path.endswith(_OF_HOST) and not parsed.is_for_nvcc:
        return True
    if all(word in head for word in _BOTH):
        return True
    for name in _MACRO.findall(head):
        meaning = re.search(rb"#[ \t]*define[ \t]+" + name + rb"[ \t]+([^\n]*)", parsed.data)
        if meaning is not None and all(word in meaning[1] for word in _BOTH):
            return True
    return False


def _by_component(parsed: ParsedFile, function: Function, head: re.Match[bytes]) -> bool:
    """Whether the body applies the operator to each component, which is what HIP's own does."""
    sign, left, right, kind = head["sign"], head["a"], head["b"], head["left"]
    each = [left + b"." + part + sign + right + b"." + part for part in (b"x", b"y", b"z", b"w")[: int(kind[-1:])]]
    bare = _bare(parsed, function)
    if not sign.endswith(b"="):
        value = re.escape(b",".join(each))
        made = rb"\{return(?:(?:make_)?%b\(%b\)|(?:%b)?\{%b\});\}" % (kind, value, kind, value)
        return re.fullmatch(made, bare) is not None
    whole = left + b"=" + left + sign[:-1] + right
    if bare in _assigning([whole], left):
        return all(_does_as_hip(parsed, one, head) for one in parsed.functions)
    return bare in _assigning(each, left)


def _bare(parsed: ParsedFile, function: Function) -> bytes:
    """The body of a function without spaces and comments."""
    body = parsed.data[function.body.start : function.body.end]
    return re.sub(rb";+", b";", re.sub(rb"\s+|//[^\n]*|/\*.*?\*/", b"", body, flags=re.S))


def _assigning(statements: list[bytes], left: bytes) -> list[bytes]:
    """How a body of these statements is written, which may return what it has changed."""
    work = b"".join(one + b";" for one in statements)
    return [b"{" + work + end + b"}" for end in (b"", b"return" + left + b";")]


def _does_as_hip(parsed: ParsedFile, function: Function, assigning: re.Match[bytes]) -> bool:
    """Whether what an assigning operator calls, `a = a * b`, may be HIP's: not where a function is that, and mixes."""
    head = HEAD.search(parsed.data, function.span.start, function.body.start)
    if head is None or head["sign"] != assigning["sign"][:-1] or parsed.hip(function.span.start) is not None:
        return True
    if head["left"] == head["right"] == assigning["left"]:
        return _by_component(parsed, function, head)
    return not (of_any_type(parsed, function, head) and mixes(parsed, function, head))


def _hit(parsed: ParsedFile, run: list[tuple[Function, re.Match[bytes], bool]]) -> Hit:
    first, head, plain = run[0]
    start, end = head.start(), head.end()
    text = f"operator{head['sign'].decode()}({head['left'].decode()}, {head['right'].decode()})"
    name = text if len(run) == 1 else f"{text} and {len(run) - 1} more"
    extent = Span(first.span.start, run[-1][0].span.end)
    scope = parsed.scope(first.body.start)
    use = Use("name", text, Span(start, end), extent, (), scope, "syntax")
    rule = "vector-operator" if plain else "vector-operator-of-another-kind"
    return Hit(f"memory/{rule}", use, {"operators": name})
