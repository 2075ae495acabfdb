"""Which CUDA names a file gives to HIP's: by macros, `using`, references, and macros that paste names together.

And which of HIP's it gives to CUDA's: such a name is spoken for both vendors.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.lazy_re import re

CUDA_NAME = re.compile(
    rb"(?:make_)?cuda[A-Z]\w*|cu(?:blas|fft|rand|sparse|solver|dnn)\w+|CU(?:DA|BLAS|FFT|RAND|SPARSE|SOLVER)?_\w+"
    rb"|cu[A-Z]\w+|CU[a-z]\w+|nccl\w+|nvml\w+|(?:__)?nv_\w+|__(?:shfl|any|all|ballot|match|reduce|activemask|syncwarp)\w*|cub|nvcuda"
)
_TO_HIP = re.compile(rb"\b(?:_*hip|HIP|roc|ROC|miopen|rccl|__hip)\w*|__(?:shfl|any|all|ballot)(?:_up|_down|_xor)?\b")
"""The HIP side of an alias: `hipMalloc`, `rocblas_handle`; votes and shuffles without `_sync`, as HIP has them."""
_ALIAS = re.compile(
    rb"\b(?:using\s+(?P<name>\w+)\s*=\s*(?P<value>[\w:<> ]+);|namespace\s+(?P<space>\w+)\s*=\s*(?P<other>[\w:]+)\s*;"
    rb"|typedef\s+(?P<old>[\w:][\w: ]*?)\s+(?P<new>\w+)\s*;"
    rb"|constexpr\s+(?:static\s+|inline\s+|const\s+)*auto\s*(?:const\s*)?(?:&{1,2}\s*)?(?P<held>\w+)\s*=\s*&?(?P<holds>[\w:]+)\s*;)"
)
"""One name for another: `using stream = hipStream_t;`, `namespace cub = hipcub;`, `typedef hipError_t error;`, and
`constexpr auto const& cudaFree = hipFree;`."""
_PASTING = re.compile(rb"(\w+)\(\s*(\w+)\s*\)\s*(.*##.*)", re.DOTALL)
"""What follows `#define`, of a macro with one parameter that is pasted to other names: `ALIAS(x) cu##x = hip##x`."""
_PASTED = re.compile(rb"\s*##\s*")
_WORD = re.compile(rb"\w+")
_CONTINUED = re.compile(rb"\\\r?\n")


def of(lexed: Lexed) -> Iterator[str]:
    """CUDA names that are defined as HIP's."""
    for directive in lexed.directives:
        name, value = macro(lexed, directive)
        if name and CUDA_NAME.fullmatch(name.encode()) and _TO_HIP.search(value):
            yield name
    for match in lexed.matches(_ALIAS, b"hip", b"roc"):
        yield from _given(match)
    for text in _pasted(lexed):
        for match in _ALIAS.finditer(text):
            yield from _given(match)


def for_cuda(lexed: Lexed) -> Iterator[str]:
    """Names of HIP's that macros give to CUDA's: `#define hipFree cudaFree`, and a launch that is written `<<<`."""
    for directive in lexed.directives:
        name, value = macro(lexed, directive)
        given = b"<<<" in value or any(CUDA_NAME.fullmatch(word) for word in _WORD.findall(value))
        if given and name.startswith("hip") and _TO_HIP.search(value) is None:
            yield name


def _given(match: re.Match[bytes]) -> Iterator[str]:
    given = match["name"] or match["space"] or match["new"] or match["held"]
    value = match["value"] or match["other"] or match["old"] or match["holds"]
    if CUDA_NAME.fullmatch(given) and _TO_HIP.search(value):
        yield given.decode()


def _pasted(lexed: Lexed) -> Iterator[bytes]:
    """What the uses of macros that paste names expand to, each as a declaration of its own.

    `#define ALIAS(x) using cu##x = hip##x` and `ALIAS(fftHandle);` are `using cufftHandle = hipfftHandle;`.
    """
    made: dict[bytes, tuple[bytes, bytes]] = {}
    for directive in lexed.directives:
        match = _PASTING.match(directive.argument(lexed.data)) if directive.name == "define" else None
        if match is not None and _TO_HIP.search(_PASTED.sub(b"", match[3])):
            made[match[1]] = match[2], _CONTINUED.sub(b" ", match[3])
    for start in lexed.words(frozenset(made)) if made else ():
        name = lexed.token(start)
        opening = lexed.after(name)
        given = lexed.after(opening)
        parameter, body = made[lexed.text(name)]
        argument = lexed.text(given)
        called = lexed.text(opening) == b"(" and lexed.text(lexed.after(given)) == b")"
        if called and argument != parameter:  # not the definition itself
            parts = re.split(rb"(\W)", body)
            whole = b"".join(argument if part == parameter else part for part in parts)
            yield _PASTED.sub(b"", whole) + b";"


def macro(lexed: Lexed, directive: Directive) -> tuple[str, bytes]:
    """The name and value of a macro that a directive defines, empty for another directive."""
    if directive.name != "define":
        return "", b""
    match = re.match(rb"(\w+)(?:\([^)]*\))?\s*(.*)", directive.argument(lexed.data), re.DOTALL)
    return (match[1].decode("latin-1"), match[2].strip()) if match is not None else ("", b"")
