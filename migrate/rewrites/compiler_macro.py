"""Let a test for an nvcc macro hold under HIP too: `defined(__CUDACC__)` also asks for `__HIPCC__`.

`__CUDA_ARCH__` asks for the device pass, which HIP marks with `__HIP_DEVICE_COMPILE__`, and `__CUDACC_RTC__` for
compiling at run time, `__HIPCC_RTC__`.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.cuda.branch_effects import does_nothing
from cudamigrate.cuda.branch_refusals import refuses
from cudamigrate.cuda.conditions import pass_tests, question
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.pass_qualifiers import twin_of
from cudamigrate.cuda.preprocessor import conditionals
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_FAMILIES = {
    "__CUDACC__": re.compile(rb"#[ \t]*(?:el)?if[^\n]*__CUDACC_VER_"),
    "__NVCC__": re.compile(rb"#[ \t]*(?:el)?if[^\n]*__CUDACC_VER_"),
}
_ARCH = re.compile(rb"(?<!\w)__CUDA_ARCH__(?!\w)")
"""The macro by its full name, no part of a longer one."""
_DEFINED = re.compile(rb"\bdefined\s*\(?\s*\Z")


def _end(parsed: ParsedFile, start: int) -> int:
    """Where the conditional ends whose opening directive holds `start`."""
    depth, directives = 1, parsed.lexed.directives
    for directive in itertools.islice(directives, bisect_left(directives, start, key=lambda one: one.start), None):
        depth += directive.name in ("if", "ifdef", "ifndef")
        depth -= directive.name == "endif"
        if depth == 0:
            return directive.start
    return len(parsed.data)


def _asks_for_gpu(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether a condition between two offsets asks for a GPU's number, and AMD's answer is not the newest GPU's."""
    for one in parsed.lexed.directives:
        if start <= one.start < end and one.name in ("if", "elif"):
            asked = parsed.data[one.rest : one.end]
            inside = [range(test.start, test.end) for test in pass_tests(asked)]
            asks = any(not any(match.start() in part for part in inside) for match in _ARCH.finditer(asked))
            if asks and not _is_as_for_newest(parsed, one):
                return True
    return False


def _is_as_for_newest(parsed: ParsedFile, directive: Directive) -> bool:
    """Whether AMD gets what the newest GPUs get, as by `__CUDA_ARCH__ == 200`, and that is code.

    A list of GPUs without such a branch has nothing for others, and neither has one that only stops.
    """
    asked = question(expanded(directive.argument(parsed.data), macros(parsed)))
    if asked.undefined is None or asked.undefined is not asked.newest:
        return False
    if asked.undefined:
        return True
    chain = next((one for one in conditionals(parsed.lexed.directives) if directive in one), ())
    if len(chain) < 2 or chain[-2].name != "else":
        return len(chain) == 2  # more for one GPU than for all
    other = Span(chain[-2].end, chain[-1].start)
    return not does_nothing(parsed.lexed, other) and not refuses(parsed.lexed, other)


def _is_value(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether code between two offsets says `__CUDA_ARCH__`, or a macro defined there does and does not ask for it."""
    found = (match.start() for match in _ARCH.finditer(parsed.data, start, end))
    return any(parsed.lexed.is_code(at) and _is_taken(parsed, at) for at in found)


def _is_taken(parsed: ParsedFile, at: int) -> bool:
    directive = parsed.lexed.directive_at(at)
    if directive is None:
        return True
    return directive.name == "define" and _DEFINED.search(parsed.data, directive.rest, at) is None


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Widen the test in place; `#ifdef` and `#ifndef` become `#if` so that they can ask for two macros.

    Where the code it guards compares the same family of macros, AMD would come upon those comparisons with a zero, and
    where it takes the number of the architecture as a value, upon a name that nobody declares: such a test is left for
    manual review. `__CUDA_ARCH__ == 200` and the like are answered for AMD as for any newer GPU.
    """
    family, start = _FAMILIES.get(use.name), use.extent.end
    if family is not None and family.search(parsed.data, start, _end(parsed, start)):
        return []
    if use.name == "__CUDA_ARCH__":
        end = _end(parsed, start)
        if _asks_for_gpu(parsed, start, end) or _is_value(parsed, start, end):
            return []
    name, twin = use.name.encode(), twin_of(parsed, use.name, use.span.start).encode()
    test = b"defined(" + name + b") || defined(" + twin + b")"
    text = parsed.data[use.extent.start : use.extent.end]
    if not text.startswith(b"#"):
        of_host = any(not one.device for one in pass_tests(text) if one.bare)  # `__CUDA_ARCH__ == 0`
        return [Edit(use.extent, b"!" * of_host + b"(" + test + b")")]
    head = text[: text.index(name)]
    keyword = head.lstrip(b"# \t").split()[0]
    changed = {b"ifdef": b"if ", b"ifndef": b"if !", b"elifdef": b"elif ", b"elifndef": b"elif !"}[keyword]
    negated = changed.endswith(b"!")
    new = head[: head.index(keyword)] + changed + (b"(" + test + b")" if negated else test)
    return [Edit(use.extent, new)]
