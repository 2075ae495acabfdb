"""For which of the two passes of a HIP compiler a function is compiled, as its head says.

Result: whether the head names both sides, by CUDA's words or by macros that the file itself makes of them.
"""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re

_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEFINED = re.compile(rb"([A-Za-z_]\w*)(?![\w(])\s*(.*)", re.DOTALL)
"""A macro without parameters, and its body."""
_LOCAL = frozenset((b"inline", b"static", b"constexpr", b"__inline__", b"__forceinline__", b"__inline"))
_MAYBE_SIDE = re.compile(rb"[A-Z][A-Z0-9_]{2,}|__device__|__global__")
"""A word that names the device's side, or may be a macro for it."""
_BOTH_SIDES = re.compile(rb"(?:CUTLASS|CUTE|C10|_CCCL|THRUST)_HOST_DEVICE")
"""What libraries call the qualifiers of a function for both sides."""
_FOR_DEVICE = re.compile(rb"__CUDA_ARCH__|__HIP_DEVICE_COMPILE__")


def is_on_both_sides(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function's head says `__host__` beside `__device__`."""
    return {b"__host__", b"__device__"} <= _head(parsed, function)


def is_hosts_alone(parsed: ParsedFile, offset: int) -> bool:
    """Whether the code at `offset` is in a function that no device code can be, as its head shows.

    A head with a macro of another file may say anything, and `constexpr` may be enough for device code to call it.
    """
    function = parsed.function(offset)
    if function is None or function.scope != "host":
        return False
    words = _head(parsed, function)
    return b"constexpr" not in words and not any(_MAYBE_SIDE.fullmatch(word) for word in words)


def is_emitted(parsed: ParsedFile, function: Function) -> bool:
    """Whether a compiler makes code of a function whether it is called or not: it is no template, inline or a member.

    clang speaks of what a function for both sides may not do on one of them only where it makes code of it there.
    """
    if function.name == "" or not _LOCAL.isdisjoint(_head(parsed, function)) or is_in_template(parsed, function):
        return False
    return not any(
        node.type == "field_declaration_list" for node in parsed.nodes_around(function.span.start, function.span.end)
    )


def is_in_template(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function is a template, or part of one."""
    return any(
        node.type == "template_declaration" for node in parsed.nodes_around(function.span.start, function.span.end)
    )


def is_for_one_pass(parsed: ParsedFile, offset: int) -> bool:
    """Whether a condition around the code at `offset` asks which pass it is."""
    return any(
        _FOR_DEVICE.search(condition) is not None
        for branch in parsed.branches_around(offset)
        for condition in branch.conditions
    )


def _head(parsed: ParsedFile, function: Function) -> frozenset[bytes]:
    """The words before a function's body, and what the file's macros among them say."""
    known = parsed.once(macros)
    words = set(_WORD.findall(parsed.data, function.span.start, function.body.start))
    if any(_BOTH_SIDES.fullmatch(word) for word in words):
        words |= {b"__host__", b"__device__"}
    return frozenset(words.union(*(known[word] for word in words & known.keys())))


def macros(parsed: ParsedFile) -> dict[bytes, frozenset[bytes]]:
    """Macros of the file that are qualifiers, and the words of all their definitions."""
    found: dict[bytes, frozenset[bytes]] = {}
    for line in parsed.lexed.directives:
        match = _DEFINED.match(line.argument(parsed.data)) if line.name == "define" else None
        if match is not None and b"__" in match[2]:
            found[match[1]] = found.get(match[1], frozenset()) | frozenset(_WORD.findall(match[2]))
    return found
