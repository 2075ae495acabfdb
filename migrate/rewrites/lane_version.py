"""Let HIP take the branch for newer CUDA or newer GPUs, where a test chooses between warp functions."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.conditions import question
from cudamigrate.cuda.lexer import COMMENT, CONTINUED
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Words behind the condition: a test for what is old must not hold under HIP, one for what is new must.

    `words` name the macro that HIP defines where the test is made: in device code alone, for an architecture. Without
    one it is that of the compiler for `.cu` files. The host's compiler reads all others too, where CUDA's headers
    define the release, and what HIP's headers ask for is there in their place.
    """
    by_gpu_compiler = parsed.source.path.endswith(".cu")
    condition = COMMENT.sub(b" ", CONTINUED.sub(b" ", parsed.data[use.extent.start : use.extent.end]))
    macro = (words[0] if words else "__HIPCC__" if by_gpu_compiler else "__HIP_PLATFORM_AMD__").encode()
    old = question(expanded(condition, macros(parsed))).undefined
    weaker = b"?" in condition or (old and b"||" in condition)
    start, end = Span(use.extent.start, use.extent.start), Span(use.extent.end, use.extent.end)
    more = b" && !defined(" + macro + b")" if old else b" || defined(" + macro + b")"
    return [Edit(start, b"("), Edit(end, b")" + more)] if weaker else [Edit(end, more)]
