"""Libraries of NVIDIA's by the names of their files, as a program has them that loads them when it runs.

`"libcuda.so.1"` is the driver, `"libcudart.so.12"` and `"cublas64_12.dll"` are of the toolkit.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.code_files import DRIVER_LIBRARY, DRIVER_WORDS
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_OF_TOOLKIT = (b"cudart", b"cublas", b"cufft", b"curand", b"cusparse", b"cusolver", b"cudnn", b"nvrtc", b"nccl")
_FILES = tuple(one + name + end for name in _OF_TOOLKIT for one, end in ((b"lib", b".so"), (b"", b"64_")))
_LIBRARY = re.compile(
    rb'"(?:[^"\n]*[/\\])?(?:lib(?:%(names)s)(?:\.so[.\d]*|\.dylib)|(?:%(names)s)64_\d+(?:_\d+)?\.dll)"'
    % {b"names": b"|".join(_OF_TOOLKIT)}
)
"""The whole of a text, as for the driver: `"libcudart.so"`, `"/opt/lib/libcublas.so.12"`, `"cudart64_110.dll"`."""
WORDS = (*DRIVER_WORDS, *_FILES)


def _literals(parsed: ParsedFile) -> frozenset[int]:
    """Where comments and literals begin."""
    return frozenset(parsed.lexed.starts)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each text in code that is the name of such a library."""
    kinds = (("library/driver-loader", DRIVER_LIBRARY), ("library/toolkit-loader", _LIBRARY))
    for rule, pattern in kinds:
        for match in pattern.finditer(parsed.data):
            directive = parsed.lexed.directive_at(match.start())
            if match.start() not in parsed.once(_literals):
                continue
            if directive is None or directive.name == "define":
                span = Span(*match.span())
                yield Hit(rule, parsed.named_use(match[0].decode("latin-1"), span, "token"))
