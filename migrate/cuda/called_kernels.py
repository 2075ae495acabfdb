"""Kernels that are called as plain functions: a compiler for GPUs refuses that, so that only the host's gets the file.

With the host's compiler `__global__` means nothing, and such a function runs on the host. Only files that end as C++
does can be meant, that launch nothing and do nothing that only a GPU can do.
Source: CUDA programming guide, "Function execution space specifiers"; headers of CUDA and HIP (`host_defines.h`).
"""

from __future__ import annotations

from collections import Counter

from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.lazy_re import re

_KERNEL = re.compile(rb"\b__global__\s+(?:static\s+|inline\s+)*void\s+(?P<name>\w+)\s*(?:<[^;{}()]*>\s*)?\(")
_NAMED = re.compile(rb"(?<![\w.>:])(?P<name>[A-Za-z_]\w*)\s*(?:<[\w\s,:*]*>\s*)?\(")
_FOR_GPU = re.compile(
    rb"<<<|\w*Launch\w*|\b(?:__device__|__shared__|__constant__|__sync\w+|threadIdx|blockIdx|blockDim|gridDim)\b"
)
"""What launches a kernel, or what is in code for a GPU alone."""
_ENDINGS = (".cpp", ".cc", ".cxx", ".c++", ".C")


def are_called(path: str, data: bytes, lexed: Lexed | None = None) -> bool:
    """Whether a file of C++ calls kernels of its own as plain functions, and has no code for a GPU beside them."""
    if not path.endswith(_ENDINGS) or b"__global__" not in data:
        return False
    tokens = lexed if lexed is not None else lex(data)
    if any(True for _ in tokens.matches(_FOR_GPU)):
        return False
    defined = Counter(match["name"] for match in tokens.matches(_KERNEL, b"__global__"))
    named = Counter(match["name"] for match in tokens.matches(_NAMED) if match["name"] in defined)
    return any(named[name] > number for name, number in defined.items())
