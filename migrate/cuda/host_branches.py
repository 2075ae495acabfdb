"""What the host's compiler reads: not what only compilers for GPUs get, as in `#ifdef __CUDACC__`.

A change that is for AMD's compiler alone, in a file that the host's reads too, is a choice: `#ifdef __HIPCC__` with the
change, and what there was after `#else`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.lazy_re import re

_BY_COMPILER = frozenset(
    (b"__CUDACC__", b"__NVCC__", b"__CUDA_ARCH__", b"__HIPCC__", b"__HIP__", b"__HIP_DEVICE_COMPILE__")
)
"""Macros that compilers for GPUs define, and no other."""
_OF_CODE = frozenset((b"__CUDACC__", b"__NVCC__"))
"""Macros that nvcc defines in all passes over a file: what they leave out, no compiler for GPUs gets after a port."""


def host_reads(parts: Sequence[Branch], at: int, unset: frozenset[bytes] = frozenset()) -> bool:
    """False where one of the branches around a place is left out for want of such a macro, or one of `unset`."""
    return not _is_left_out(parts, at, _BY_COMPILER | unset, hip=False)


def device_compiler_reads(parts: Sequence[Branch], at: int) -> bool:
    """False where one of the branches around a place is for other compilers than nvcc: the `#else` of its macro."""
    return not _is_left_out(parts, at, _OF_CODE, hip=True)


def is_hosts(parts: Sequence[Branch], at: int) -> bool:
    """Whether a place is in the host's branch, which the device's pass leaves out: the `#else` of a test for it."""
    return host_reads(parts, at) and _is_left_out(parts, at, _BY_COMPILER, hip=True)


def _is_left_out(parts: Sequence[Branch], at: int, macros: frozenset[bytes], hip: bool) -> bool:
    """Whether a branch around a place does not hold where some macros are as HIP, or the host, has them."""
    return any(
        value_with(part.conditions[-1], macros, hip) is False
        or any(value_with(one, macros, hip) for one in part.conditions[:-1])
        for part in parts
        if part.conditions and part.start <= at < part.end
    )


COMPILER = b"__HIPCC__"
"""The macro that AMD's compiler defines for code of GPUs and their hosts, and no other compiler."""
_OPENS = re.compile(rb"\A(?:\r?\n)?#ifdef %b\r?\n" % COMPILER)
_CLOSES = re.compile(rb"\r?\n#else[^\n]*\n(?:(?!\n#if).)*\n#endif[ \t]*(?:\r?\n[ \t]*)?\Z", re.DOTALL)


def for_device(data: bytes, old: bytes, blank: bytes) -> tuple[bytes, bytes]:
    """What is written before and after a change of `old`, so that only AMD's compiler gets it; `blank` indents both."""
    end = newline(data)
    return b"#ifdef " + COMPILER + end + blank, end + b"#else" + end + blank + old + end + b"#endif"


def device_part(replacement: bytes) -> bytes:
    """What AMD's compiler gets of such a change, of its first and its last part."""
    return _CLOSES.sub(b"", _OPENS.sub(b"", replacement))
