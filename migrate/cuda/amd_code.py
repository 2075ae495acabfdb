"""Whether a file is written for AMD GPUs, whatever it is called.

Result: yes where its path says so, or where it speaks to AMD GPUs outside of any guard; and the branches that the
project's own macros for AMD GPUs choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_NATIVE_PATH = re.compile(
    r"(?:^|[/_.-])(?:rocm|hip|amd|cdna\d?|rdna\d?|gfx[0-9a-f]+|composable_kernel|ck_tile)(?:[/_.-]|$)"
)
"""A part of a path as AMD's own code has it: `/rocm/`, `_gfx90a.`, `ck_tile`. No part of a word, as in `ship`."""
_CUDA_PATH = re.compile(r"cuda|nvidia")
"""A part of a path that speaks of NVIDIA too: `common/cuda_hip/` is code for both vendors."""
_NATIVE = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/|__builtin_amdgcn_|\b__gfx\w+__\b|\b__AMDGCN")
"""What only code for AMD has: `#include <hip/...>`, `__builtin_amdgcn_`, `__gfx90a__`, `__AMDGCN`."""
_CUDA_CALL = re.compile(rb"\bcuda[A-Z]\w*|\b__CUDA_ARCH__\b")
"""A name of CUDA's runtime, `cudaMalloc`, or of its compiler."""
_AMD_MACRO = re.compile(rb"\b(?:\w*_)?(?:AMD|HIP|ROCM|[RC]DNA\d*|GFX\w*?)(?:_\w+)?\b")
"""A macro with a part that names AMD: `USE_ROCM`, `__HIP_PLATFORM_AMD__`, `CDNA3`, `GFX9`. `SHIP` has no such part."""
_REFUSES = re.compile(rb"(?:^|_)(?:NO|NOT|NON|WITHOUT|DISABLED?|SKIP)(?:_|$)|^CUDA|NVIDIA")
"""A part that turns such a macro around: `NO_HIP`, `DISABLE_ROCM`; or one of CUDA's side: `CUDA...`, `NVIDIA`."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_VENDOR = re.compile(rb"(?<![A-Za-z])(?:HIP|ROCM)")
"""AMD's platform at the beginning of a word or of its part: `__HIPCC__`, `USE_ROCM`; not in `CHIP_TEST`."""
OF_WAVES = re.compile(rb"__AMDGCN_WAVEFRONT_SIZE|__GFX\d|__gfx\d")
"""What tells the wave of the GPU compiled for: a constant that is chosen by it counts lanes, whatever its name."""
_ASKS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")


def is_native(parsed: ParsedFile) -> bool:
    """Whether a file speaks to AMD GPUs outside of any guard, or is in a folder for AMD and has nothing of CUDA.

    Who asks in a condition which GPU it is for writes for others too. A path alone proves nothing where the text says
    otherwise: code that was renamed and not ported calls CUDA's functions.
    """
    path = parsed.source.path.lower()
    named = _NATIVE_PATH.search(path) is not None and _CUDA_PATH.search(path) is None
    said = any(map(parsed.lexed.holds, (b"hip/", b"__builtin_amdgcn_", b"__gfx", b"__AMDGCN")))
    native = parsed.lexed.starting(_NATIVE, b"#", b"__builtin_amdgcn_", b"__gfx", b"__AMDGCN") if said else ()
    starts = (match.start() for match in native)
    outside = [at for at in starts if getattr(parsed.lexed.directive_at(at), "name", "") not in _ASKS]
    includes_cuda = any(include.path.startswith(("cuda", "cublas", "cub/")) for include in parsed.includes)
    if any(parsed.hip(at) is None for at in outside):
        return named or not includes_cuda
    calls = parsed.lexed.starting(_CUDA_CALL, b"cuda", b"__CUDA")  # in a branch for HIP, PyTorch's build renames them
    return named and not includes_cuda and all(parsed.hip(call.start()) is not None for call in calls)


def names_hip(condition: bytes, unset: frozenset[bytes] = frozenset()) -> bool:
    """Whether a condition names HIP or ROCm: it was written for both vendors.

    `unset` are macros that nothing here sets: their names say nothing of this build.
    """
    if not unset.isdisjoint(_WORD.findall(condition)):
        condition = _WORD.sub(lambda match: b"" if match[0] in unset else match[0], condition)
    return _VENDOR.search(condition) is not None


def for_amd(parsed: ParsedFile) -> list[Span]:
    """The branches that a project's own macro for AMD's GPUs chooses (`LIB_AMD_WMMA`, `RDNA4`)."""
    return parsed.once(_branches_for_amd)


def _branches_for_amd(parsed: ParsedFile) -> list[Span]:
    return list(_for_amd(parsed))


def _for_amd(parsed: ParsedFile) -> Iterator[Span]:
    conditions = (line.argument(parsed.data) for line in parsed.lexed.directives if line.name in _ASKS)
    macros = {name for condition in conditions for name in _AMD_MACRO.findall(condition) if not _REFUSES.search(name)}
    alone = ({macro} for macro in macros)  # together, the second branch of a chain would never be compiled
    for known in (macros, *alone) if macros else ():
        yield from (Span(branch.start, branch.end) for branch in branches(parsed.lexed, known) if branch.hip)
