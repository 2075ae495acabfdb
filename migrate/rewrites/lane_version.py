"""Let HIP take the branch for newer CUDA or newer GPUs, where a test chooses between warp functions."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Words behind the condition: a test for what is old must not hold under HIP, one for what is new must.

    `words` name the macro that HIP defines where the test is made: in device code alone, for an architecture. Without
    one it is that of the compiler for `.cu` files. The host's compiler reads all others too, where CUDA's headers
    define the release, and what HIP's headers ask for is there in their place.
    """
    by_gpu_compiler = parsed.source.path.endswith(".cu")
    macro = (words[0] if words else "__HIPCC__" if by_gpu_compiler else "__HIP_PLATFORM_AMD__").encode()
    end = Span(use.extent.end, use.extent.end)
    return [Edit(end, b" && !defined(" + macro + b")" if "<" in use.name else b" || defined(" + macro + b")")]
