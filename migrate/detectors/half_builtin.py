"""Conversions to and from half precision that nvcc had built in before CUDA 9: of numbers of 16 bits, without a header.

It is these that are called where a file has numbers of 16 bits, includes CUDA's headers itself, and none of what it
includes can bring `cuda_fp16.h`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.foreign_headers import is_foreign
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"float2half_rn", b"half2float")
_PLAIN = re.compile(r"(?:cuda|cuda_runtime|cuda_runtime_api|device_launch_parameters|builtin_types|vector_types)\.h")
"""CUDA's headers that bring none of the types of 16 bits."""
_OF_GPUS = re.compile(r"cu|hip|nccl|nv|thrust/|cooperative_groups|device|math_|vector_|driver|sm_|mma")
"""How the other headers for GPUs begin, which may bring them."""
_TYPE = re.compile(rb"\b__half2?\b|\bhalf2?[ \t]+\w|<half2?>|\bhalf2?[ \t]*\*|\b__half_as_u?short\b")
"""The types of the header, and what has bits from one: a file that has them gets them from somewhere."""
_BITS = re.compile(rb"\bunsigned[ \t]+short\b|\bu(?:int16_t|short)\b")
_CALL = re.compile(rb"(?<![\w.>:])(?P<name>__float2half_rn|__half2float)(?=[ \t]*\()")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first call of each."""
    paths = [one.path for one in parsed.includes]
    if not any(map(_PLAIN.fullmatch, paths)) or not all(map(_brings_none, paths)):
        return
    typed, bits = parsed.lexed.matches(_TYPE, b"half"), parsed.lexed.matches(_BITS, b"short", b"uint16_t")
    if next(typed, None) is not None or next(bits, None) is None:
        return
    own = {definition.name for definition in parsed.definitions}
    found = dict[str, Span]()
    for match in parsed.lexed.matches(_CALL, *WORDS):
        if parsed.hip(match.start()) is None and match["name"].decode() not in own:
            found.setdefault(match["name"].decode(), Span(*match.span()))
    for name, span in found.items():
        yield Hit("math/half-builtin", parsed.named_use(name, span), {"name": name})


def _brings_none(path: str) -> bool:
    """Whether a header is known not to bring the types."""
    return _PLAIN.fullmatch(path) is not None or (is_foreign(path) and _OF_GPUS.match(path) is None)
