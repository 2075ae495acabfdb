"""Files that the compiler of another language reads, though they hold words of CUDA: SYCL's.

The header of SYCL is read by SYCL's compilers alone (`icpx -fsycl`, `acpp`). Tools that translate CUDA to SYCL leave
inline assembly and names of CUDA where they could not translate them, in branches that nothing compiles. The same file
may be written for both: what CUDA has outside of any condition shows that its compiler reads the file, too.
"""

from __future__ import annotations

from cudamigrate.cuda.code_files import CUDA_INCLUDE
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

_SYCL = re.compile(r"(?:sycl|CL)/(?:sycl|hipsycl)\.hpp|sycl\.hpp|dpct/[\w./-]+\.hpp")
"""The header of SYCL 2020 and of SYCL 1.2.1, and those of dpct, which include it."""
_OF_CUDA = re.compile(r"cuda[A-Z]|cu[A-Z][a-z]")
"""How names of the runtime and the driver begin."""


def is_sycl(parsed: ParsedFile) -> bool:
    """Whether every build reads a file as SYCL: it includes its header in any case, and has CUDA in no case.

    A file whose name ends as CUDA's do is given to nvcc, whatever it includes.
    """
    if parsed.source.language == "cuda":
        return False
    always = [one for one in parsed.includes if not one.conditional]
    if not any(_SYCL.fullmatch(one.path) for one in always):
        return False
    if any(CUDA_INCLUDE.match(parsed.data, one.line.start) for one in always):
        return False
    places = [one.span.start for one in parsed.functions if one.scope == "device"]
    places += [one.span.start for one in parsed.uses if one.kind == "launch" or _OF_CUDA.match(one.name)]
    return all(parsed.conditional(at) is not None for at in places)
