"""Options of NVIDIA's compilers, and code in PTX, that a program hands over while it runs."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda import literals
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_COMPILING = (b"nvrtc", b"hiprtc", b"jitify", b"Jitify")
_OPTION = re.compile(
    rb'"-{1,2}(?:use_fast_math|default-device|device-as-default-execution-space|(?:rdc|relocatable-device-code)(?:=\w+)?|dc'
    rb"|maxrregcount(?:=\w*)?|lineinfo|generate-line-info|device-debug|dopt(?:=\w+)?|extra-device-vectorization|restrict"
    rb"|arch|fmad=?\w*|ftz=?\w*|prec-(?:div|sqrt)=?\w*|ptxas-options=?[^\"]*|disable-warnings|std=c\+\+\w+(?=\")|split-compile=?\w*"
    rb'|pre-include=?[^"]*|device-int128|modify-stack-limit=?\w*|dlto|dlink-time-opt)"'
)
"""A string that is exactly one option of nvrtc, with one dash or two: `"--use_fast_math"`, `"-ftz=true"`."""
_HEADERS = re.compile(
    rb'"-I[ ]?/(?:usr/local|opt)/cuda(?:-[\d.]+)?(?:/[\w./-]*)?"|"--include-path=/(?:usr/local|opt)/cuda[\w./-]*"'
)
"""A string that is an option with the toolkit's folder of headers: `"-I/usr/local/cuda/include"`."""
_SAME = re.compile(rb'"--?std=')
_ASSEMBLY = re.compile(rb'"[^"\n]*(?:\.target\s+sm_\d|\.visible\s+\.entry|\.version\s+\d+\.\d)[^"\n]*"')
"""A string that is PTX: one with `.target sm_80`, `.visible .entry` or `.version 8.0` on its line."""

_COMPARING = (
    *(b"strcmp", b"strncmp", b"strcasecmp", b"compare", b"starts_with", b"contains"),
    *(b"find", b"rfind", b"find_if", b"count", b"remove", b"erase", b"search"),
)
"""Functions of C and C++ that compare strings, or look for one among several, also to take it out."""
_FORMAT = re.compile(rb'"[^"\n]*(?:%[-+ #0-9.]*[a-zA-Z]|\{[^{}"]*\})[^"\n]*"')
"""A string with a place for a value in it: `"Took out {}"`, `"no %s"`."""
_PRINTS_INTO = (b"sprintf", b"snprintf", b"format_to", b"asprintf")
_DEFAULT = re.compile(rb'"--?(?:default-device|device-as-default-execution-space)"')
_MEMBER = re.compile(rb"(?:\.|->)\s*(default_execution_space_is_device\s*=\s*true)\b")
"""The same option as a member of the options that cuda-api-wrappers has for NVRTC."""
_WRAPPERS = (b"cuda::rtc", b"cuda/rtc", b"cuda/nvrtc")
"""What a file holds that has these options."""

WORDS = (*_COMPILING, *_WRAPPERS, b".target", b".entry", b".version")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Strings that are such an option, in files that compile at run time; and strings that hold a module in PTX."""
    if any(word in parsed.data for word in _COMPILING):
        yield from _options(parsed)
    if any(word in parsed.data for word in _WRAPPERS):
        for match in parsed.lexed.matches(_MEMBER, b"default_execution_space_is_device"):
            yield _hit(parsed, "build/rtc-default-space", Span(*match.span(1)))
    if b".target" in parsed.data or b".entry" in parsed.data or b".version" in parsed.data:
        reported = -1
        for match in _ASSEMBLY.finditer(parsed.data):
            if _is_string(parsed, match) and parsed.data.find(b";", reported, match.start()) >= reported:
                reported = match.end()
                yield _hit(parsed, "build/ptx-module", Span(*match.span()))


def _options(parsed: ParsedFile) -> Iterator[Hit]:
    for match in _OPTION.finditer(parsed.data):
        if parsed.lexed.is_code(match.start()) or not _is_string(parsed, match) or _SAME.match(match[0]):
            continue
        if not _is_compared(parsed, match):
            is_default = _DEFAULT.fullmatch(match[0]) is not None
            yield _hit(parsed, "build/rtc-default-space" if is_default else "build/rtc-option", Span(*match.span()))
    for match in _HEADERS.finditer(parsed.data):
        if literals.begins(parsed.lexed.starts, match.start()):
            yield _hit(parsed, "build/rtc-headers", Span(*match.span()))


def _is_string(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    token = parsed.lexed.token(match.start())
    return token is not None and token.start == match.start() and token.end == match.end()


def _is_compared(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether a program only compares with a string, looks for it or prints it: NVRTC is not given it there."""
    node = parsed.tree.root_node.descendant_for_byte_range(match.start(), match.end())
    around = None if node is None or node.type != "string_literal" else node.parent
    if around is None or node is None:
        return False
    if around.type == "binary_expression":
        return text(around.child_by_field_name("operator")) in (b"==", b"!=")
    call = around.parent if around.type == "argument_list" else None
    called = None if call is None else call.child_by_field_name("function")
    if call is None or called is None:
        return False
    name = text(called.child_by_field_name("field") or called).rpartition(b"::")[2]
    return name in _COMPARING or _prints(call, around, node, name)


def _prints(call: Node, given: Node, string: Node, name: bytes) -> bool:
    """Whether a statement is a call that puts a string into a text, and keeps none."""
    is_statement = call.parent is not None and call.parent.type == "expression_statement"
    if not is_statement or name in _PRINTS_INTO:
        return False
    before = (one for one in given.named_children if one.type == "string_literal" and one.end_byte <= string.start_byte)
    return any(_FORMAT.search(text(one)) is not None for one in before)


def _hit(parsed: ParsedFile, rule: str, span: Span) -> Hit:
    use = Use("string", "", span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
    return Hit(rule, use, {"name": parsed.source.text(span).strip('"')})
