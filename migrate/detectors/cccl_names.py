"""Names of libcu++ in a file that includes none of its headers: once for each file."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"cuda::",)

_NAME = re.compile(
    rb"(?<![\w:])(?:::cuda|cuda)::(?:std::|ptx::|mr::|device::|experimental::)?(?P<name>[A-Za-z_]\w*)|\bnamespace\s+\w+\s*=\s*cuda::std\b"
)
"""A name of libcu++: `cuda::std::atomic`, `::cuda::barrier`; not `my::cuda::x`; or `namespace c = cuda::std`."""
_OWN = re.compile(rb"\bnamespace\s+cuda\b(?!\s*=)")
"""A namespace `cuda` of the project's own; an alias, `namespace cuda = x`, is none (lookahead)."""
_HEADER = re.compile(r"(?:cuda|nv)/(?!atomic_ops)[\w/]+|cub/.*|thrust/.*|cooperative_groups.*")
"""Headers of CCCL and cooperative groups: `cuda/std/atomic`, `cub/cub.cuh`; `nv/atomic_ops` is not among them."""
_KNOWN = frozenset(
    b"atomic atomic_ref barrier pipeline thread_scope thread_scope_block thread_scope_device thread_scope_system"
    b" aligned_size_t memcpy_async annotated_ptr access_property discard_memory proclaim_return_type maximum minimum"
    b" ceil_div std latch counting_semaphore stream_ref".split()
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first name of `cuda::std` and its kin; not where `cuda` is the project's own, or the file is libcu++'s."""
    if b"_CCCL_" in parsed.data or _OWN.search(parsed.data) is not None:
        return
    if any(_HEADER.fullmatch(include.path) for include in parsed.includes):
        return
    for match in parsed.lexed.matches(_NAME):
        text = match[0].removeprefix(b"::")
        sure = (
            text.startswith((b"cuda::std::", b"cuda::ptx::", b"cuda::mr::")) or b"=" in text or match["name"] in _KNOWN
        )
        if sure and parsed.hip(match.start()) is None and parsed.lexed.directive_at(match.start()) is None:
            span = Span(match.start(), match.end())
            use = parsed.named_use(text.decode("latin-1"), span, "token")
            yield Hit("library/cccl-names", use)
            return
