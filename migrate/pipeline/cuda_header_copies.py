"""Copies of CUDA's own headers with the built-in vector types in a project: HIP's header takes their place.

A program that compiles kernels at run time gives the compiler such a copy, or an editor reads it. That a file is one
shows in what it declares: CUDA's vector types, with the mark by which its headers make them known to nvcc. HIP has
these types itself, and a second declaration of them does not compile, however it is changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _MARKS = "build/cuda-header-copy", "api/builtin-marks"
_SEVERAL = 8
"""So many of CUDA's types in one file are no wrapper for a compiler that lacks one of them."""
_TYPE = re.compile(
    rb"\bstruct\s+__device_builtin__\s+(?:(?:__builtin_align__|__align__)\s*\(\s*\d+\s*\)\s*)?"
    rb"(?P<name>u?(?:char|short|int|long|longlong)[1-4]|(?:float|double)[1-4]|dim3)\s*\{"
)
"""A vector type as CUDA's `vector_types.h` has it: `struct __device_builtin__ __align__(4) char4 {`."""
_HEADER = b"#if !defined(__HIPCC_RTC__)", b"#include <hip/hip_runtime.h>", b"#endif"
_FOR_CUDA = b"#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP__)"


def with_header_copies(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with one finding for each such file in the place of all in it."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    return [_judged(one, book, read) if _may_be(one) else one for one in results]


def _may_be(result: FileResult) -> bool:
    return sum(one.rule == _MARKS for one in result.findings) >= _SEVERAL and not result.path.endswith(cuda.UNITS)


def _judged(result: FileResult, book: Rulebook, read: Read) -> FileResult:
    source = read(result.path)
    parsed = cuda.parse(replace(source, language="cuda"), frozenset()) if source is not None else None
    if parsed is None:
        return result
    declared = [one for one in parsed.lexed.matches(_TYPE, b"__device_builtin__") if parsed.hip(one.start()) is None]
    if len({one["name"] for one in declared}) < _SEVERAL or not parsed.lexed.directives:
        return result
    return replace(result, findings=(_finding(parsed, Span(*declared[0].span("name")), book),))


def _finding(parsed: ParsedFile, named: Span, book: Rulebook) -> Finding:
    """The finding at the first type, whose fix gives HIP its header in the place of the file."""
    use = parsed.named_use(parsed.data[named.start : named.end].decode(), named, "syntax")
    end = newline(parsed.data)
    first = parsed.data.rfind(b"\n", 0, min(one.start for one in parsed.lexed.directives)) + 1
    last, ended = len(parsed.data), b"" if parsed.data.endswith(b"\n") else end
    edits = (
        Edit(Span(first, first), end.join((*_HEADER, _FOR_CUDA, b""))),
        Edit(Span(last, last), ended + b"#endif" + end),
    )
    made = engine.finding_in(parsed, Hit(RULE, use), book.rules[RULE])
    return replace(made, fix=Fix(edits, "safe"))
