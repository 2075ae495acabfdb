"""Decisions by numbers that mean an NVIDIA architecture: compute capabilities, `sm_80` in options, counts of units."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_NAMES = (
    b"smv", b"sm_v", b"smarch", b"sm_arch", b"computecap", b"compute_cap", b"devicearch", b"device_arch", b"gpuarch",
    b"gpu_arch", b"cudaarch", b"cuda_arch", b"getsm", b"get_sm",
)  # fmt: skip
"""One of them is, in any case, in every name that means a capability."""
_ATTRIBUTE = re.compile(
    rb"\b(?:cudaDevAttr|hipDeviceAttribute)ComputeCapabilityMajor\b"
    rb"|\b(?:CU|HIP)_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR\b"
)
"""The attribute of the major version: `cudaDevAttrComputeCapabilityMajor`, its HIP name and the driver's."""
_NAME = (
    rb"(?:\w*(?:sm|SM|Sm)_?[Vv](?:er|ersion)(?:_num)?|\w*(?:sm|SM)_?[Aa]rch\w*|\w*[Cc]ompute_?[Cc]ap(?:ability)?\w*"
    rb"|\w*(?:device|gpu|cuda)_?[Aa]rch(?:_\w+)?|get_?(?:sm|SM)(?:_?[Vv]ersion\w*)?)"
)
_COMPARED = re.compile(
    rb"(?<![\w.>:])(?P<name>(?:\w+(?:\.|->))*" + _NAME + rb"_*)\s*(?:\(\s*\w*\s*\))?\s*(?:[<>]=?|[!=]=)\s*"
    rb"(?P<number>\d{2,3})\b(?!\s*[.])"
    rb"|\b(?P<first>\d{2,3})\s*(?:[<>]=?|[!=]=)\s*(?:\w+(?:\.|->))*" + _NAME + rb"_*\b(?!::)"
)
"""A capability beside a number, either way round: `p.sm_version >= 80`, `80 <= sm_arch`. No `80.5`, no `arch::x`."""
_KNOWN = frozenset(
    (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121, 530, 600, 610, 700, 720, 750,
     800, 860, 870, 890, 900)
)  # fmt: skip
_LONG = 300
"""From here on a capability is in hundreds and tens, as `__CUDA_ARCH__` has it: 530 is 5.3, and 121 is 12.1."""
_OPTION = re.compile(rb'"[^"\n]*?(?P<arch>\b(?:sm|compute)_[1-9]\d{1,2}[af]?\b)[^"\n]*"')
_OPTION_WORDS = re.compile(rb"arch|gencode|--?code|nvrtc|--")
_COUNT = re.compile(
    rb"\b\d+\s*\*\s*(?:\w+(?:\[\w+\])?(?:\.|->|::))*\w*multiProcessorCount\b"
    rb"|\b\w*multiProcessorCount(?:\(\))?\s*\*\s*\d+\b"
)
"""A number of blocks for each multiprocessor: `4 * prop.multiProcessorCount`, `multiProcessorCount() * 2`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Attributes, comparisons, options in strings, and grids of so many blocks for each multiprocessor."""
    for match in parsed.lexed.matches(_ATTRIBUTE, b"ComputeCapability", b"COMPUTE_CAPABILITY"):
        if _is_argument(parsed, match.start()):
            yield _hit(parsed, "build/capability-attribute", match)
    for match in parsed.lexed.on_lines(_COMPARED, *_NAMES):
        number = int(match["number"] or match["first"])
        if number in _KNOWN and parsed.lexed.directive_at(match.start()) is None:
            version = "900 to 1200" if number >= _LONG else "90 to 120"
            yield _hit(parsed, "build/capability-number", match, version=version)
    for match in parsed.lexed.on_lines(_COUNT, b"multiprocessorcount"):
        if parsed.scope(match.start()) != "device":
            yield _hit(parsed, "build/multiprocessor-multiple", match)
    yield from _options(parsed)


def _hit(parsed: ParsedFile, rule: str, match: re.Match[bytes], **words: str) -> Hit:
    span = Span(match.start(), match.end())
    use = parsed.named_use(match[0].decode("latin-1"), span, "token")
    return Hit(rule, use, words)


def _is_argument(parsed: ParsedFile, offset: int) -> bool:
    """Whether an attribute is an argument, and not a case or an entry of a table."""
    return parsed.lexed.text(parsed.lexed.before(offset)) in (b",", b"(", b"::") and (
        parsed.function(offset) is not None or parsed.lexed.directive_at(offset) is not None
    )


def _options(parsed: ParsedFile) -> Iterator[Hit]:
    """String literals that hold an architecture as an option of a compiler."""
    if b"sm_" not in parsed.data and b"compute_" not in parsed.data:
        return
    for match in _OPTION.finditer(parsed.data):
        if _OPTION_WORDS.search(match[0]) is None or parsed.hip(match.start()) is not None:
            continue
        if parsed.lexed.is_code(match.start()) or not _is_literal(parsed, match.start()):
            continue
        span = Span(match.start(), match.end())
        use = parsed.named_use(match["arch"].decode(), span, "token")
        yield Hit("build/arch-option", use, {"name": match["arch"].decode()})


def _is_literal(parsed: ParsedFile, offset: int) -> bool:
    """Whether a literal begins at a quote, and no comment holds it."""
    return offset in parsed.lexed.starts
