"""Shared memory beyond what a block may have: arrays, launches, and the attribute that asks for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import shared_amounts
from cudamigrate.analysis.type_sizes import Amounts, type_size
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.rulebase.architectures import shared_limit

WORDS = (b"__shared__", b"<<", b"MaxDynamicSharedMemorySize", b"MAX_DYNAMIC_SHARED_SIZE_BYTES")
_SHARED = b"__shared__"
_ASKING = re.compile(
    rb"\b(?:MaxDynamicSharedMemorySize|cudaFuncAttributeMaxDynamicSharedMemorySize|CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)\b"
)
"""The attribute for more dynamic shared memory, as the runtime and the driver name it."""
_CALLS = ("cudaFuncSetAttribute", "cuFuncSetAttribute")
_ARRAY = re.compile(
    rb"\b__shared__\b\s*(?P<before>(?:(?:alignas|__align__|__attribute__)\s*\(+[^()]*\)+\s*)*)"
    rb"(?P<type>(?:[A-Za-z_][\w:]*\s+)*?[A-Za-z_][\w:]*\s*(?:\*\s*)?)(?P<name>[A-Za-z_]\w*)\s*"
    rb"(?P<sizes>(?:\[[^\[\];{}]+\]\s*)+)\s*[;,=]"
)
"""`__shared__ alignas(16) float tile[32][33];`; brackets hold something: `extern __shared__ float s[];` is left out."""
_SIZE = re.compile(rb"\[([^\[\]]+)\]")
_PORTED = re.compile(rb"\w*(?:USE_ROCM|ROCM_|HIP_PLATFORM|__HIP)\w*")
"""A macro about AMD in a function, whose request was ported then: `USE_ROCM`, `__HIP_PLATFORM_AMD__`."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_PASSED = re.compile(rb"\s*(?:[A-Za-z_]\w*(?P<member>\.|->))?(?P<name>[A-Za-z_]\w*)\s*")
"""A variable that a launch is given, or a member of one: `bytes`, `box.bytes`."""
_ASSIGNED = re.compile(rb"\s*=(?!=)\s*([^;{}?]+);")
_CHOOSING = ("if_statement", "switch_statement", "for_statement", "while_statement", "lambda_expression")
"""What a statement below may be left out by."""
_LARGEST_BLOCKS = range(1024 - 31, 1024 + 1)
"""Threads of the largest blocks, of all remainders that amounts are padded by: CUDA and HIP allow no more than 1024."""
_DYNAMIC = 2
"""Which argument of a launch is the dynamic shared memory."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Amounts that the file shows; the attribute is reported where its value is not known, too."""
    arrays, queries = _SHARED in parsed.data, _ASKING.search(parsed.data) is not None
    launches = [use for use in parsed.uses if use.kind == "launch" and _has_amount(parsed, use)]
    if not arrays and not queries and not launches:
        return
    arches = parsed.target.arch
    limit = shared_limit(arches)
    amounts = Amounts(parsed)
    small = ", ".join(arch for arch in arches if shared_limit([arch]) == limit)
    words = {"limit": f"{limit // 1024} KiB", "arch": small}
    if arrays:
        yield from _arrays(parsed, amounts, limit, words)
    if queries:
        yield from _requests(parsed, launches, limit, words)
    for use in launches:
        span = use.args[_DYNAMIC]
        bytes_ = amounts.of(parsed.data[span.start : span.end], span.start)
        if bytes_ is not None and bytes_ > limit:
            yield _hit(parsed, "dynamic-shared-memory", span, span, bytes_, words)
    for span, bytes_ in _assigned(parsed, amounts, launches):
        if bytes_ > limit:
            yield _hit(parsed, "dynamic-shared-memory", span, span, bytes_, words)


def _assigned(parsed: ParsedFile, amounts: Amounts, launches: Sequence[Use]) -> Iterator[tuple[Span, int]]:
    """The constants that a function of the file gives in any case to what a launch takes as its amount.

    A variable is the launch's own function's; a member may be given its value in any function. The last value counts.
    """
    passed: dict[bytes, set[int]] = {}
    for use in launches:
        span = use.args[_DYNAMIC]
        match = _PASSED.fullmatch(parsed.data, span.start, span.end)
        function = parsed.function(span.start)
        if match is not None and function is not None:
            passed.setdefault(match["name"], set()).add(-1 if match["member"] else function.span.start)
    for name, functions in passed.items():
        last: dict[int, tuple[Span, int | None]] = {}
        for start in parsed.lexed.places(name):
            function, match = parsed.function(start), _ASSIGNED.match(parsed.data, start + len(name))
            is_member = parsed.data[:start].endswith((b".", b"->"))
            if match is None or function is None or parsed.hip(start) is not None:
                continue
            if (-1 if is_member else function.span.start) in functions and _is_always_done(parsed, start, function):
                last[function.span.start] = Span(match.start(1), match.end(1)), amounts.of(match[1], start)
        yield from ((span, amount) for span, amount in last.values() if amount is not None)


def _is_always_done(parsed: ParsedFile, start: int, function: Function) -> bool:
    """Whether an assignment is a statement of a function that no condition is around; a declaration is none."""
    around = [one for one in parsed.nodes_around(start, start + 1) if one.start_byte > function.span.start]
    kinds = {one.type for one in around}
    return "assignment_expression" in kinds and kinds.isdisjoint(_CHOOSING)


def _has_amount(parsed: ParsedFile, use: Use) -> bool:
    return len(use.args) > _DYNAMIC and parsed.data[use.args[_DYNAMIC].start : use.args[_DYNAMIC].end] != b"0"


def _arrays(parsed: ParsedFile, amounts: Amounts, limit: int, words: dict[str, str]) -> Iterator[Hit]:
    """Arrays that are too large, by themselves or with those before them in their function."""
    totals: dict[int, int] = {}
    for match in parsed.lexed.starting(_ARRAY, b"__shared__"):
        if parsed.lexed.text(parsed.lexed.before(match.start())) == b"extern":
            continue
        size = type_size(match["type"])
        for one in _SIZE.findall(match["sizes"]):
            count = amounts.of(one, match.start())
            size = None if size is None or count is None else size * count
        function = parsed.function(match.start())
        if size is None or function is None or parsed.hip(match.start()) is not None:
            continue
        before = totals.get(function.span.start, 0)
        totals[function.span.start] = before + size
        if before <= limit < before + size:
            span = Span(match.start("name"), match.end("sizes"))
            yield _hit(parsed, "static-shared-memory", span, span, before + size, words)


def _requests(parsed: ParsedFile, launches: Sequence[Use], limit: int, words: dict[str, str]) -> Iterator[Hit]:
    amounts = Amounts(parsed)
    for use in parsed.uses:
        if use.kind != "call" or use.name not in _CALLS or len(use.args) < 3:
            continue
        what, value = (parsed.data[span.start : span.end] for span in use.args[1:3])
        if _ASKING.search(what) is None:
            continue
        bytes_ = amounts.of(value, use.args[2].start)
        if bytes_ is None and not shared_amounts.is_of_device(parsed, value) and not _is_ported(parsed, use.span.start):
            if _follows_block(parsed, launches, use.args[2], limit):
                continue
            yield _hit(parsed, "shared-memory-request", use.args[2], use.args[2], None, words)
        elif bytes_ is not None and bytes_ > limit:
            others = _is_only_limit(parsed, launches, use, bytes_)
            rule = "shared-memory-limit" if others else "dynamic-shared-memory"
            yield _hit(parsed, rule, use.args[2], use.args[2], bytes_, words)


def _is_only_limit(parsed: ParsedFile, launches: Sequence[Use], asking: Use, bytes_: int) -> bool:
    """Whether all launches of the kernel that a request is for, in the same function, ask for other amounts."""
    value, function = parsed.data[asking.args[2].start : asking.args[2].end], parsed.function(asking.span.start)
    names = set(_NAME.findall(parsed.data, asking.args[0].start, asking.args[0].end))
    amounts = Amounts(parsed)
    found = [
        parsed.data[one.args[_DYNAMIC].start : one.args[_DYNAMIC].end]
        for one in launches
        if one.name.rpartition("::")[2].encode() in names and parsed.function(one.span.start) is function
    ]
    return bool(found) and all(
        one.split() != value.split() and amounts.of(one, asking.span.start) != bytes_ for one in found
    )


def _follows_block(parsed: ParsedFile, launches: Sequence[Use], asked: Span, limit: int) -> bool:
    """Whether the largest block there may be leaves a request within the limit.

    A launch in the same function has the same amount, which is worked out from the variable that is its block.
    """
    value, function = parsed.data[asked.start : asked.end], parsed.function(asked.start)
    for use in launches:
        block, amount = (parsed.data[span.start : span.end] for span in use.args[1:3])
        if amount == value and parsed.function(use.span.start) is function and _NAME.fullmatch(block):
            largest = [Amounts(parsed, {block: size}).of(value, asked.start) for size in _LARGEST_BLOCKS]
            if all(one is not None and one <= limit for one in largest):
                return True
    return False


def _is_ported(parsed: ParsedFile, offset: int) -> bool:
    """Whether the function around says a word of AMD: someone has looked at what it asks for."""
    function = parsed.function(offset)
    return function is not None and _PORTED.search(parsed.data, function.span.start, function.span.end) is not None


def _hit(parsed: ParsedFile, rule: str, span: Span, extent: Span, amount: int | None, words: dict[str, str]) -> Hit:
    use = Use("name", "", span, extent, (), parsed.scope(span.start), parsed.certainty(span.start))
    return Hit(f"memory/{rule}", use, {**words, "bytes": "" if amount is None else str(amount), "name": ""})
