"""Floats of 8 and 4 bits: formats that not every AMD GPU has, and numbers that only fit one format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"fp4", b"E2M1", b"VEC16", b"__nv_fp8", b"448", b"CUDA_R_8F_", b"_cvt_")

_FLOATS = re.compile(
    rb"__nv_fp8|__NV_E4M3|__hip_fp8_e4m3\b|Float8_e4m3fn\b|float8_e4m3fn?\b|kFloat8_e4m3fn\b|\bfp8_e4m3\b|CUDA_R_8F_E4M3"
)
"""Names of the format E4M3 whose largest number is 448: `__nv_fp8_e4m3`, `Float8_e4m3fn`; not `Float8_e4m3fnuz`."""
_LARGEST = re.compile(rb"(?<![\w.])(?:448(?:\.0*)?[fF]?|\(1\.0?f?\s*/\s*448(?:\.0*)?f?\))(?![\w.])")
"""The largest number of E4M3, or one over it: `448`, `448.0f`, `(1.0f / 448.0f)`; not `4480` or `x.448`."""
_OTHER = re.compile(rb"fnuz|FNUZ|(?<![\w.])2(?:24|40)\.0*[fF]?(?![\w.])")
"""What shows that the file knows of the other format."""
_INTEGER = re.compile(rb"448")
_NAMED = re.compile(rb"(?i)max|scale|limit|range|e4m3|fp8|float8|clamp|amax|quant")
"""What a line says where its 448 is a limit and no size or offset: `fp8_max`, `scale`, `clamp`, in any case."""


def _values(kind: bytes) -> bytes:
    """Where a value of a type is made, or the type gets another name; pointers and template arguments make none."""
    return rb"\b" + kind + rb"(?=\s+(?!const\b)[A-Za-z_]|\s*[(;])|(?<=static_cast<)" + kind + rb"(?=\s*>)"


_TYPES = re.compile(_values(rb"__nv_fp8(?:x[24])?_e(?:4m3|5m2)"))
"""Types of 8 bits, one or several packed in one: `__nv_fp8_e4m3`, `__nv_fp8x4_e5m2`."""
_POINTERS = re.compile(
    rb"\b(__nv_fp8(?:x[24])?_e(?:4m3|5m2))\b(?:\s+const\b)?\s*\*(?:\s|const\b|__restrict(?:__)?\b)*([A-Za-z_]\w*)"
)
"""A pointer to such a type and its name: `const __nv_fp8_e4m3 *__restrict__ from`."""
_NUMBER = rb"(?:float[24]?|double|half2?|__half2?|__nv_bfloat16)"
"""A type that a kernel converts 8-bit floats to."""
_FOUR = re.compile(
    _values(rb"__nv_fp4\w*")
    + rb"|\b(?:__nv_cvt_\w+_fp4\w*|__NV_E2M1|CUDA_R_4F_E2M1|CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3)\b"
)
"""Types and conversions of 4 bits: `__nv_fp4_e2m1`, `__nv_cvt_float_to_fp4`, `CUDA_R_4F_E2M1`."""
_FORMATS = re.compile(rb"\bCUDA_R_8F_E(?:4M3|5M2)\b")
"""The OCP formats of 8 bits, as calls of libraries name them: `CUDA_R_8F_E4M3`."""
_KIND = rb"__nv_fp8(?:x[24])?_e(?:4m3|5m2)"
_BUFFERS = re.compile(
    rb"\b" + _KIND + rb"\b(?=(?:\s+const\b)?\s*\*(?:\s|const\b|\*|__restrict(?:__)?\b)*[A-Za-z_])"
    rb"|\b" + _KIND + rb"(?=[^;{}()<>]*>\s*&?\s*[A-Za-z_]\w*\s*[;,=({)])|" + _values(_KIND)
)
"""Values of such a type, pointers to them, and objects of a template with it: `vector<__nv_fp8_e4m3> weights(n)`."""
_CONVERSIONS = re.compile(rb"__(?:nv|hip)_cvt_(?:\w+_to_fp8(?:x2)?|fp8(?:x2)?_to_\w+)(?=\s*\()")
"""Conversions to and from bytes of 8-bit floats: `__nv_cvt_float_to_fp8`, `__hip_cvt_fp8_to_halfraw`."""
_OCP = re.compile(rb"\b__(?:NV|HIP)_E(?:4M3|5M2)\b")
"""The OCP formats, as the last argument of such a conversion names them."""
_COMPARED = re.compile(rb"(?:[=!]=|\bcase)\s*\Z")
"""What asks for a format: `kind == `, `case `."""
_FOUR_WORDS = (b"__nv_fp4", b"__nv_cvt_", b"__NV_E2M1", b"CUDA_R_4F_E2M1", b"CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3")
"""How they begin."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """One hit for each kind and file, numbers apart; a file that speaks of the other format has been looked after."""
    data = parsed.data
    if b"fp4" in data or b"E2M1" in data or b"VEC16" in data:
        yield from _first(parsed, _FOUR, "math/four-bit-floats", *_FOUR_WORDS)
    if b"__nv_fp8" in data and _OTHER.search(data) is None:
        in_kernels = (_first(parsed, _TYPES, "math/fp8-type", b"__nv_fp8"), _converted(parsed))
        yield from _one_of(*in_kernels, _buffers(parsed))
    if b"CUDA_R_8F_" in data and _OTHER.search(data) is None:
        yield from _formats(parsed)
    if b"_cvt_" in data and b"fp8" in data and _OTHER.search(data) is None:
        yield from _conversions(parsed)
    yield from _largest(parsed)


def _conversions(parsed: ParsedFile) -> Iterator[Hit]:
    """The first conversion to or from an OCP format that is not of the host alone."""
    for match in parsed.lexed.starting(_CONVERSIONS, b"__nv_cvt_", b"__hip_cvt_"):
        if parsed.scope(match.start()) != "device" or parsed.hip(match.start()) is False:
            continue
        opening = parsed.data.index(b"(", match.end())
        end = parsed.lexed.closing(opening)
        if end > 0 and _OCP.search(parsed.data, opening, end) is not None:
            yield Hit("math/fp8-conversion", _use(parsed, match, match[0].decode()))
            return


def _first(parsed: ParsedFile, pattern: re.Pattern[bytes], rule: str, *words: bytes) -> Iterator[Hit]:
    """The first place that is not of the host alone: what is declared between functions may be meant for both.

    Each match begins with one of `words`.
    """
    for match in parsed.lexed.starting(pattern, *words):
        if parsed.scope(match.start()) == "host" or parsed.hip(match.start()) is not None:
            continue
        if re.search(rb"\b(?:struct|class)\s+" + match[0] + rb"\s*[:{]", parsed.data) is None:
            yield Hit(rule, _use(parsed, match, match[0].decode()))
            return


def _one_of(*searches: Iterator[Hit]) -> Iterator[Hit]:
    """The first hit of the first search that has one."""
    yield from islice(chain(*searches), 1)


def _formats(parsed: ParsedFile) -> Iterator[Hit]:
    """Each place where a library may be given numbers in an OCP format; not where it is only asked for."""
    for match in parsed.lexed.starting(_FORMATS, b"CUDA_R_8F_"):
        around = _COMPARED.search(parsed.data, max(0, match.start() - 12), match.start())
        if around is None and parsed.hip(match.start()) is None:
            yield Hit("library/fp8-format", _use(parsed, match, match[0].decode()))


def _buffers(parsed: ParsedFile) -> Iterator[Hit]:
    """The first numbers of 8 bits that the host has or passes to others: a library may read them."""
    for match in parsed.lexed.starting(_BUFFERS, b"__nv_fp8"):
        if parsed.scope(match.start()) == "device" or parsed.hip(match.start()) is not None:
            continue
        if re.search(rb"\b(?:struct|class)\s+" + match[0] + rb"\s*[:{]", parsed.data) is None:
            yield Hit("library/fp8-buffer", _use(parsed, match, match[0].decode()))
            return


def _converted(parsed: ParsedFile) -> Iterator[Hit]:
    """Device code that reads a number through a pointer to 8-bit floats; copying what it points to is allowed."""
    for match in parsed.lexed.starting(_POINTERS, b"__nv_fp8"):
        function = parsed.function(match.start())
        if function is None or function.scope != "device" or parsed.hip(match.start()) is not None:
            continue
        read = rb"(?:\*\s*" + match[2] + rb"\b|" + match[2] + rb"\s*\[)"
        made = rb"\b" + _NUMBER + rb"\s*\(|<\s*" + _NUMBER + rb"\s*>\s*\(|\(\s*" + _NUMBER + rb"\s*\)"
        held = rb"\b" + _NUMBER + rb"\s+\w+\s*=(?!=)"
        uses = parsed.lexed.matches(re.compile(rb"(?:" + made + rb"|" + held + rb")\s*" + read))
        if any(match.end() <= use.start() < function.span.end for use in uses):
            span = Span(match.start(1), match.end(1))
            yield Hit("math/fp8-type", Use("name", match[1].decode(), span, span, (), "device", "token"))


def _largest(parsed: ParsedFile) -> Iterator[Hit]:
    """448, the largest number of OCP's E4M3, as a float, or as an integer beside a word that tells what it is."""
    if b"448" not in parsed.data or _OTHER.search(parsed.data) is not None or _FLOATS.search(parsed.data) is None:
        return
    for match in parsed.lexed.matches(_LARGEST):
        if _INTEGER.fullmatch(match[0]) is not None:
            line = parsed.source.line(parsed.source.position(match.start()).line)
            if _NAMED.search(line.encode()) is None:
                continue
        yield Hit("math/fp8-largest", _use(parsed, match, "448"))


def _use(parsed: ParsedFile, match: re.Match[bytes], name: str) -> Use:
    span = Span(match.start(), match.end())
    return parsed.named_use(name, span, "token")
