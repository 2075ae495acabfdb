"""Programs that write code for NVIDIA's GPUs through LLVM: its NVPTX target, the intrinsics of NVVM, MLIR's dialect.

What they write is for NVIDIA alone, whatever is renamed around it. A file that has AMD's target too serves both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from cudamigrate.cuda.code_files import NVPTX, NVPTX_WORDS
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = NVPTX_WORDS
_AMD = re.compile(rb"\bLLVMInitializeAMDGPU|amdgcn-amd-amdhsa|\bIntrinsic::amdgcn_|\bROCDL::")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such place of a file, without AMD's beside it."""
    found = next(_places(parsed), None)
    if found is not None and _AMD.search(parsed.data) is None:
        yield Hit("ptx/llvm-nvptx", parsed.named_use(found[0].decode("latin-1"), Span(*found.span()), "token"))


def _places(parsed: ParsedFile) -> Iterator[re.Match[bytes]]:
    for match in NVPTX.finditer(parsed.data):
        if (_is_text if match["text"] else _is_code)(parsed, match.start()):
            yield match


def _is_code(parsed: ParsedFile, offset: int) -> bool:
    directive = parsed.lexed.directive_at(offset)
    return parsed.lexed.is_code(offset) or (directive is not None and directive.name == "include")


def _is_text(parsed: ParsedFile, offset: int) -> bool:
    """Whether an offset is in a literal, and in no comment."""
    starts = parsed.lexed.starts
    at = starts[bisect_right(starts, offset) - 1] if not parsed.lexed.is_code(offset) else offset
    return at < offset and not parsed.data.startswith((b"//", b"/*"), at)
