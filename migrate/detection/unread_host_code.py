"""What is left to do in code of the host that neither nvcc nor HIP compiles: behind a test of `__CUDA_ARCH__`.

The macro is defined while device code is compiled. In a function that is for the host alone, what asks for its number
is false for both compilers, so the code behind it is no part of any program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.cuda.conditions import at_version
from cudamigrate.cuda.function_sides import is_hosts_alone
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.model import Finding

_DEVICE = b"__CUDA_ARCH__"
_RELEASE = b"__CUDACC_VER_"
"""The release of nvcc, which its host pass knows."""


def without_unread(parsed: ParsedFile, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings without those that say what to do in such code; what converts it stays."""
    if _DEVICE not in parsed.data:
        yield from found
        return
    for one in found:
        if one.fix is not None or one.group == "build" or not _is_unread(parsed, one.span.start):
            yield one


def _is_unread(parsed: ParsedFile, offset: int) -> bool:
    return any(_is_out(one) and is_hosts_alone(parsed, one.start) for one in parsed.branches_around(offset))


def _is_out(branch: Branch) -> bool:
    """Whether no compiler compiles a branch where there is no number of a GPU."""
    if not any(_DEVICE in one for one in branch.conditions) or any(_RELEASE in one for one in branch.conditions):
        return False
    *earlier, own = branch.conditions
    return at_version(own, 0) is False or any(at_version(one, 0) for one in earlier)
