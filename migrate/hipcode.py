"""Whether a file is written for AMD GPUs, whatever it is called.

Comes in: a parsed file. Goes out: yes where its path says so, or where it speaks to AMD GPUs outside of any guard.
"""

from __future__ import annotations

import re

from migrate.parsed import ParsedFile

_NATIVE_PATH = re.compile(
    r"(?:^|[/_.-])(?:rocm|hip|amd|cdna\d?|rdna\d?|gfx[0-9a-f]+|composable_kernel|ck_tile)(?:[/_.-]|$)"
)
_NATIVE = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/|__builtin_amdgcn_|\b__gfx\w+__\b|\b__AMDGCN")


def is_native(parsed: ParsedFile) -> bool:
    """Whether a file stands in a folder for AMD, or speaks to AMD GPUs outside of any guard.

    Who asks in a condition which GPU it is for writes for others too.
    """
    if _NATIVE_PATH.search(parsed.source.path.lower()) is not None:
        return True
    starts = (match.start() for match in parsed.lexed.matches(_NATIVE))
    asked = ("if", "ifdef", "ifndef", "elif", "else", "endif")
    told = (at for at in starts if getattr(parsed.lexed.directive_at(at), "name", "") not in asked)
    return any(parsed.hip(at) is None for at in told) and not any(
        include.path.startswith(("cuda", "cublas", "cub/")) for include in parsed.includes
    )
