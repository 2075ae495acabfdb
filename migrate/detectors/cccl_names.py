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
_HEADER = re.compile(r"(?:cuda|nv)/(?!atomic_ops)[\w/]+")
"""Headers of libcu++, which libhipcxx has too: `cuda/std/atomic`; `nv/atomic_ops` is not among them. Those of CUB,
Thrust and cooperative groups bring libcu++ along; ROCm's in their place do not bring the namespace `cuda`."""
_RELEASE = re.compile(rb"\b(?:CUDA|CUDART|CUB|THRUST|CCCL|_CCCL|LIBCUDACXX|_LIBCUDACXX_CUDA_API|__CUDACC)_\w*VER")
"""A release of CUDA or CCCL in a condition: what is behind it may be for CUDA alone."""
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
        if sure and not _may_be_left_out(parsed, match.start()):
            span = Span(match.start(), match.end())
            use = parsed.named_use(text.decode("latin-1"), span, "token")
            yield Hit("library/cccl-names", use)
            return


def _may_be_left_out(parsed: ParsedFile, offset: int) -> bool:
    """Whether a place is in a branch for one vendor or some releases, or in a directive."""
    if parsed.hip(offset) is not None or parsed.lexed.directive_at(offset) is not None:
        return True
    around = parsed.branches_around(offset)
    return any(_RELEASE.search(condition) is not None for branch in around for condition in branch.conditions)
