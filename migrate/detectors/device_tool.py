"""NVIDIA's management tool started as a process of its own, by C and C++ code."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"nvidia-smi",)
_STARTED = re.compile(
    rb"\b(?:system|_?popen|exec[lv]p?e?|posix_spawnp?)\s*\(\s*(?:&\s*\w+\s*,\s*)?"
    rb'"(?:[^"\n]*[\s/|;&(])?(nvidia-smi)(?=["\s|;&)])[^"\n]*"'
)
"""A call that starts a program, with the tool in its command: `execlp("nvidia-smi"`, `popen("a | nvidia-smi -L"`."""
_COMMAND = re.compile(rb'"(?:/[\w./-]*/)?(nvidia-smi)[ \t]+-[^"\n]*"')
"""A string that is a command with options: `"nvidia-smi --query-gpu=name"`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each command that starts the tool; its name in a message is none."""
    started = {match.start(1) for match in parsed.lexed.matches(_STARTED, *WORDS)}
    commands = {match.start(1) for match in _COMMAND.finditer(parsed.data) if _is_literal(parsed, match.start())}
    for start in sorted(started | commands):
        span = Span(start, start + len(WORDS[0]))
        yield Hit("api/nvidia-smi-started", parsed.named_use("nvidia-smi", span))


def _is_literal(parsed: ParsedFile, start: int) -> bool:
    """Whether a literal begins there; a quote inside a comment begins none."""
    at = bisect_left(parsed.lexed.starts, start)
    return at < len(parsed.lexed.starts) and parsed.lexed.starts[at] == start
