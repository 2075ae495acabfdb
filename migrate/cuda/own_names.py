"""Names of CUDA's form that C and C++ text declares itself, or that other people's headers may declare.

Read from the text alone, so that files which are not CUDA's count too. What is found keeps a name from being reported
as unknown; it decides nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudamigrate.cuda.words import places
from cudamigrate.lazy_re import re
from cudamigrate.model import Definition

if TYPE_CHECKING:  # names that a commit adds are read where nothing is parsed
    from cudamigrate.cuda.parsed_file import Include

_MACROS = ("cublas", "cudnn", "cufft", "curand", "cusolver", "cusparse", "nccl")
_LIBRARIES = (*_MACROS, "cuda", "nvrtc")
_MACRO = rb"(?:%s)_" % "|".join(_MACROS).upper().encode()
_OTHER = rb"(?:%s)[A-Z]" % "|".join(_LIBRARIES).encode()
_NAME = re.compile(rb"\b(?:%s[A-Z]|%s)\w*(?=\s*[(;{=,:\[)\s])" % (_MACRO, _OTHER))
"""A name of CUDA's form where a declaration may have it: `cudaFoo(`, `CUBLAS_X,`. A capital follows the prefix."""
_BEFORE = re.compile(
    rb"(?:#[ \t]*define[ \t]+|\btypedef\b[^;{}]*|\}\s*|(?:(?<!-)>|[*&])\s*"
    rb"|\bdecltype\([^()]*\)\s*|(?<![\w.])(?P<word>[A-Za-z_]\w*)[\s*&]+)\Z"
)
"""What may be before a name that is being declared: a type, or the end of one."""
_ENUMERATION = re.compile(rb"\benum\b[^;{}()]*\{([^{}]*)\}")
"""The body of an enumeration, `enum class E : int { A, B = 2 }`; brackets belong to a parameter, `f(enum E e) {`."""
_ENUMERATOR = re.compile(rb"(?:\A|,)(?:\s|//[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*(%s\w+|%s\w*)" % (_MACRO, _OTHER))
"""An enumerator of CUDA's form: first in the body or behind a comma, with comments in between. A comment ends at the
first `*/`: were it free to go on, a row of them could be divided in as many ways as it has subsets."""
_PASTED = re.compile(rb"\b((?:%s|%s)\w*)[ \t]*##[ \t]*\w" % (_MACRO, _OTHER))
"""How names begin that a macro of the project's makes: `ncclParam##name`."""
_HEADED = re.compile(rb"^[ \t]*([A-Za-z_]\w*)[ \t]*\(([\w \t,]*)\)\s*\{", re.MULTILINE)
"""A macro that heads a body, with plain words: `TEST(cudaFooTest, works) {`. They are what it makes names of, on one
line with it."""
_HEADS = frozenset((b"if", b"for", b"while", b"switch", b"catch", b"constexpr"))
PASTED = "##"
"""What ends the name of a definition that stands for all names with that beginning."""
_BEGINNINGS = tuple(word.encode() for word in _LIBRARIES) + tuple(b"%s_" % word.upper().encode() for word in _MACROS)
"""How names of CUDA's form begin, and no other's."""
_FIRST = {start: [one for one in _BEGINNINGS if one.startswith(start)] for start in (b"cu", b"CU", b"n", b"N")}
"""The same by their first letters, most of which a file without any lacks."""
_KEYWORDS = frozenset((b"return", b"else", b"throw", b"new", b"case", b"delete", b"goto", b"do", b"co_return", b"not"))
_NEAR = 80
"""How many bytes before a name are looked at."""
_STANDARD = re.compile(r"[a-z_0-9]+|(?:assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal|std\w+|string"
                       r"|time|unistd|pthread|fcntl|omp|mpi|sys/\w+|bits/stdc\+\+)\.h")  # fmt: skip
_CUDAS = re.compile(
    r"(?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn|pti|tensor|complex)|cub/|thrust/|nccl|nv|cooperative_groups|mma\.h"
    r"|device_|vector_|driver_types|math_|helper_|sm_|builtin_types|texture_|surface_|host_|library_types|channel_|hip/)"
)


def declared(data: bytes) -> Iterator[Definition]:
    """The names of CUDA's form that are in declaring positions."""
    beginnings = [word for start, words in _FIRST.items() if start in data for word in words if word in data]
    if not beginnings:
        return
    starts = sorted(at for word in beginnings for at in places(data, word))
    for start in starts:
        match = _NAME.match(data, start)
        before = _BEFORE.search(data, max(0, start - _NEAR), start) if match is not None else None
        if match is not None and before is not None and before["word"] not in _KEYWORDS:
            yield Definition(match[0].decode("latin-1"), "", fallback=True)
    for beginning in _PASTED.finditer(data) if b"##" in data else ():
        yield Definition(beginning[1].decode("latin-1") + PASTED, "", fallback=True)
    for head in filter(None, (_HEADED.match(data, line) for line in _lines(data, starts))):
        for word in head[2].split(b",") if head[1] not in _HEADS else ():
            if word.strip().startswith(_BEGINNINGS):
                yield Definition(word.strip().decode("latin-1"), "", fallback=True)
    for start in places(data, b"enum"):
        body = _ENUMERATION.match(data, start)
        for enumerator in _ENUMERATOR.finditer(body[1]) if body is not None else ():
            yield Definition(enumerator[1].decode("latin-1"), "", fallback=True)


def _lines(data: bytes, offsets: Iterable[int]) -> Iterator[int]:
    """Where the lines begin that some places are on, given in their order."""
    end = -1
    for at in offsets:
        if at > end:
            yield data.rfind(b"\n", 0, at) + 1
            found = data.find(b"\n", at)
            end = found if found >= 0 else len(data)


def from_elsewhere(includes: Iterable[Include]) -> bool:
    """Whether a file includes headers of others, which may declare names of CUDA's form too."""
    return any(not (i.quoted or _STANDARD.fullmatch(i.path) or _CUDAS.match(i.path)) for i in includes)
