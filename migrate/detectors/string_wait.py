"""Strings of code that a program puts together: loops in them that do nothing but wait, and headers of CUDA's."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import STRING
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (
    (b"while", b"__threadfence"), (b"while", b"__threadfence_block"), (b"while", b"__threadfence_system"),
    (b"while", b"__nanosleep"), (b"while", b"atomicCAS"), (b"while", b"atomicExch"), (b"include", b"cuda"),
    (b"include", b"cuda_runtime"), (b"include", b"cuda_fp16"), (b"include", b"cuda_bf16"),
)  # fmt: skip

_LOOP = re.compile(
    rb'\bwhile\s*\((?P<test>[^;{}"\n]{1,200})\)\s*(?:;|\{(?P<body>(?:[^{}"\n;]{1,40};){0,4}[^{}"\n;]{0,8})\})'
)
"""A loop in one piece of text, whose body is empty or holds a few calls: `while (!%s[row]) { __threadfence(); }`."""
_PAUSE = re.compile(rb"(?:__threadfence\w*\s*\(\s*\)|__nanosleep\s*\([^()]*\))")
"""What only code for GPUs does while it waits."""
_LOCK = re.compile(rb"\b(?:atomicCAS(?:_\w+)?\s*\([^,]+,\s*\d+\w*\s*,\s*\d+|atomicExch(?:_\w+)?\s*\([^,]+,\s*\d+)")
"""A question for a lock: `atomicCAS(lock, 0, 1)`. One that puts in what it calculated tries again until it has."""
_COUNTS = re.compile(rb"\+\+|--|[-+*/]=|>>=|<<=")
_INCLUDE = re.compile(rb"#[ \t]*include[ \t]*<(?P<name>cuda(?:_runtime(?:_api)?|_fp16|_bf16)?\.h)>(?=\\n)")
"""A header of CUDA's in a line of text that ends: `"#include <cuda.h>\\n"`, no text that is looked for."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """What of such strings no conversion reaches; raw strings are read as source by themselves."""
    if b'"' not in parsed.data:
        return
    for match in _LOOP.finditer(parsed.data):
        if _waits(match["test"], match["body"] or b"") and _is_written(parsed, match.start()):
            yield Hit("warp/string-wait", parsed.named_use("loop", Span(*match.span()), "token"), {"name": "loop"})
    for match in _INCLUDE.finditer(parsed.data):
        if _is_written(parsed, match.start()):
            name = match["name"].decode()
            use = parsed.named_use(name, Span(*match.span("name")), "token")
            yield Hit("build/string-include", use, {"name": name})


def _waits(test: bytes, body: bytes) -> bool:
    """Whether a loop looks again and again, and only code for GPUs can do what it does."""
    rest = [one.strip() for one in body.split(b";") if one.strip()]
    if _COUNTS.search(test) is not None or any(_PAUSE.fullmatch(one) is None for one in rest):
        return False
    return bool(rest) or _LOCK.search(test) is not None


def _is_written(parsed: ParsedFile, offset: int) -> bool:
    """Whether a place is in a string of code that HIP compiles too."""
    if parsed.lexed.is_code(offset) or parsed.hip(offset) is not None:
        return False
    literal = parsed.lexed.before(offset + 1)
    inside = literal is not None and literal.kind == STRING and offset < literal.end
    return inside and literal is not None and parsed.data[literal.start - 1 : literal.start] != b"R"
