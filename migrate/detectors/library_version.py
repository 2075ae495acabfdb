"""Conditions on the release of cuBLAS and other libraries: HIP's define no such macro, and directives read it as 0."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_PARTS = (b"VERSION", b"VER_MAJOR", b"VER_MINOR", b"VER_PATCH")
WORDS = (
    *(library + b"_" + part for library in (b"CUBLAS", b"CUFFT", b"CUSOLVER", b"CUSPARSE") for part in _PARTS),
    *(b"CURAND_" + part for part in _PARTS[1:]),
    *(b"CUDNN_" + part for part in (b"VERSION", b"MAJOR", b"MINOR", b"PATCHLEVEL")),
)

INSTEAD = True
"""What is found here is not reported by the rule for the name as well: that says that code does not compile."""
RULE = "build/library-version"
_VERSION = re.compile(rb"(?<!\w)(?:%s)(?!\w)" % b"|".join(WORDS))
_LIBRARIES = {
    b"CUBLAS": "hipBLAS",
    b"CUDNN": "MIOpen",
    b"CUFFT": "hipFFT",
    b"CURAND": "hipRAND",
    b"CUSOLVER": "hipSOLVER",
    b"CUSPARSE": "hipSPARSE",
}
_COMPARING = ("if", "elif")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such name of a library in each condition that compares one; the others are asked there with it.

    A condition that asks whether one is defined may guard a comparison, and is one with it: `defined(X) && X >= 8`.
    """
    own = {definition.name.encode() for definition in parsed.definitions}
    said = set[tuple[int, bytes]]()
    for match in parsed.lexed.matches(_VERSION, b"CU"):
        directive = parsed.lexed.directive_at(match.start())
        if directive is None or directive.name not in _COMPARING or match[0] in own:
            continue
        if any(parsed.hip(at) is not None for at in (match.start(), directive.end)):
            continue  # for HIP or for CUDA alone: so is a branch behind one that HIP takes
        library = match[0].partition(b"_")[0]
        if (directive.start, library) not in said:
            said.add((directive.start, library))
            others = {one.decode() for one in _VERSION.findall(parsed.data, directive.rest, directive.end)}
            also = " ".join(sorted(one for one in others if one.startswith(library.decode())))
            use = parsed.named_use(match[0].decode(), Span(*match.span()), "token")
            use = replace(use, extent=Span(directive.rest, directive.end))
            yield Hit(RULE, use, {"name": use.name, "library": _LIBRARIES[library], "also": also})
