"""Rename a call and cast one argument to the untyped pointer that HIP's C function takes, a kernel's or another."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use, release

_CAST = re.compile(rb"\(\s*(?:const\s+)?void\s*(?:const\s*)?\*[\s*]*\)|reinterpret_cast\s*<\s*(?:const\s+)?void")
"""A cast to a pointer without type: `(const void *)`, `(void const*)`, `(void **)`, `reinterpret_cast<void`."""
_NAME = re.compile(rb"[A-Za-z_]\w*")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the new name and the argument's place, from 1; the type where it is no kernel's, and the release of
    ROCm since which HIP takes the argument as it is.

    An argument that is cast already is kept. A mention that is not a call is only renamed; a call with too few
    arguments is left as it is. An argument that a conditional chooses counts as cast where one of the choices is.
    """
    new, place, cast, since = [*words, *("", "", "const void*", "")[len(words) :]]
    rename = Edit(use.span, new.encode())
    if since and release(parsed.target.rocm) >= release(since):
        return [rename]
    if use.kind != "call":
        return [rename]
    if len(use.args) < int(place):
        return []
    argument = use.args[int(place) - 1]
    rename = Edit(_with_template_arguments(parsed, use), new.encode())
    chosen = any(argument.start <= one.start < argument.end for one in parsed.lexed.directives)
    if (_CAST.search if chosen else _CAST.match)(parsed.data, argument.start, argument.end):
        return [rename]
    if cast == "const void*" and _is_untyped(parsed, argument):
        return [rename]
    return [
        rename,
        Edit(Span(argument.start, argument.start), f"reinterpret_cast<{cast}>(".encode()),
        Edit(Span(argument.end, argument.end), b")"),
    ]


def _is_untyped(parsed: ParsedFile, argument: Span) -> bool:
    """Whether an argument is a variable or a parameter of the function around it that is declared `void *`."""
    name, function = parsed.data[argument.start : argument.end].strip(), parsed.function(argument.start)
    if function is None or _NAME.fullmatch(name) is None:
        return False
    before = parsed.data[function.span.start : argument.start]
    kinds = re.findall(rb"\b(\w+)\s*([*&\s]+)(?:const\s+)?" + name + rb"\s*[;=,){]", before)
    declared = [(kind, marks.split()) for kind, marks in kinds if kind not in (b"return", b"else")]
    return bool(declared) and all((kind, b"".join(marks)) == (b"void", b"*") for kind, marks in declared)


def _with_template_arguments(parsed: ParsedFile, use: Use) -> Span:
    """The name of a call and its template arguments, which HIP's C function has none of: `cudaLaunchKernel<F>`."""
    opening = parsed.data.rfind(b"(", use.span.end, use.args[0].start)
    between = parsed.data[use.span.end : opening].strip() if opening >= 0 else b""
    whole = between.startswith(b"<") and between.endswith(b">")
    return Span(use.span.start, opening) if whole else use.span
