"""Options in strings of Python that link a library of CUDA's: what a compiler is given when the program runs.

`"-shared -lcuda"`, `f"g++ {source} -lcudart"`, `["-lnvrtc"]`. What the builds of packages get, which are converted as
options, is not looked at again, nor is a sentence that speaks of such an option.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import literals, program
from cudamigrate.syntax.project_file import ProjectFile

_LIBRARY = re.compile(
    rb"(?<![^\s\"'])-l(?:cuda|cudart|nvrtc|cublas|cublasLt|cufft|curand|cusparse|cusolver|cudnn|nccl|nvToolsExt|nvidia-ml|cupti"
    rb"|nvJitLink)(?:_static)?(?![^\s\"'])"
)
_COMPILER = re.compile(rb"(?:\S*/)?(?:[\w.]+-)*(?:g\+\+|gcc|c\+\+|cc|clang(?:\+\+)?|icpx?|icpc|ld)(?:-[\d.]+)?")
_OTHER = re.compile(rb"-\S+|\S*\{.*|\S*\}\S*|\S+\.(?:c|cc|cpp|cxx|cu|o|so|a)")
"""What else such a text has: options, places for values, and files."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each such option; those of one text are one place."""
    read = program.of(parsed)
    if read is None or parsed.embedded or b"-l" not in read.py.text:
        return
    known = [use.span for use in parsed.uses if use.kind == "option"]
    for node in read.py.kind("string"):
        start, end = literals.inside(node)
        match = _LIBRARY.search(read.py.text, start, end)
        if match is None or not _is_given(read.py.text[start:end]) or not read.open(node.start_byte):
            continue
        span = read.py.span(*match.span())
        if not any(one.overlaps(span) for one in known):
            yield Hit(
                "python/linked-library", Use("string", match[0].decode("latin-1"), span, span, (), "unknown", "token")
            )


def _is_given(text: bytes) -> bool:
    """Whether a text is what a compiler is given: its name, or none, and options, files and values filled in."""
    words = text.split()
    return _COMPILER.fullmatch(words[0]) is not None or all(map(_OTHER.fullmatch, words))
