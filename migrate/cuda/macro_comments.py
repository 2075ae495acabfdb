"""Comments in the middle of a macro's body: the grammar ends the body there, and takes the rest for code of the file.

`#define EACH(x) \\` with `f(x); /* why */ \\` and `switch (x) {` opened a block that all code behind it was in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed


def in_bodies(lexed: Lexed) -> Iterator[tuple[int, int]]:
    """The comments of one line each, `/* ... */`, behind which the definition of a macro goes on."""
    data = lexed.data
    for line in lexed.directives if b"/*" in data else ():
        if line.name != "define":
            continue
        for at in range(bisect_left(lexed.starts, line.start), bisect_left(lexed.starts, line.end)):
            start, end = lexed.starts[at], lexed.ends[at]
            if data.startswith(b"/*", start) and data.find(b"\n", start, end) < 0 and data[end : line.end].strip():
                yield start, end
