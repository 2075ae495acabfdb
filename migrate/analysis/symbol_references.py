"""Which names each device function of a file mentions, and which are mentioned elsewhere in it.

Result, small enough to be kept for all files of a repository: names as numbers, by function. Two names may share a
number: what looks for a name then finds one mention too many, never one too few.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from zlib import crc32

from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.kernel_launches import launches
from cudamigrate.analysis.launch_geometry import launched
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model.lane_facts import Mention

_WORD = re.compile(rb"[A-Za-z_]\w*")
_KERNEL = re.compile(rb"\b__global__\b")


def mentions(parsed: ParsedFile, values: Values) -> tuple[Mention, ...]:
    """The device functions of a file and what they mention; what is outside of them comes last, without a name."""
    functions: list[Function] = []
    for function in parsed.functions:
        if function.scope == "device" and (not functions or function.span.start >= functions[-1].span.end):
            functions.append(function)
    said: list[set[bytes]] = [set() for _ in (*functions, None)]
    at = 0
    for match in parsed.lexed.matches(_WORD):
        while at < len(functions) and match.start() >= functions[at].span.end:
            at += 1
        inside = at < len(functions) and match.start() >= functions[at].span.start
        said[at if inside else -1].add(match[0])
    kinds = [_kind(parsed, values, function) for function in functions]
    made = [Mention(one.name, kind, _numbers(words)) for one, kind, words in zip(functions, kinds, said, strict=False)]
    return (*made, Mention("", "", _numbers(said[-1])))


def _kind(parsed: ParsedFile, values: Values, function: Function) -> str:
    if _KERNEL.search(parsed.data, function.span.start, function.body.start) is None:
        return "device"
    return "wide" if is_wide(parsed, values, function.name) else "kernel"


def is_wide(parsed: ParsedFile, values: Values, kernel: str) -> bool:
    """Whether all that a file does with a kernel is to launch it in blocks of full wavefronts of 64."""
    made = launches(parsed, kernel)
    found = launched(parsed, values, made.uses) if made is not None and not made.functions else []
    return bool(found) and all(not width % 64 for one in found for width in one)


def names(mention: Mention) -> frozenset[int]:
    """What a function mentions, as numbers."""
    return frozenset(array("I", mention.names))


def number(name: str) -> int:
    """The number that stands for a name."""
    return crc32(name.encode())


def _numbers(words: Iterable[bytes]) -> bytes:
    return array("I", sorted({crc32(word) for word in words})).tobytes()
