"""Headers that HIP lacks, in files where nothing that is compiled with them names what they declare: they go.

All that a header of libcu++ declares is in the namespace `cuda`, or spelled as a macro of the library; what `cutil` of
NVIDIA's old SDK does, begins alike, and CUTLASS has namespaces and macros of its own. What is included may be used by a
file that includes it in turn, and by one that is included after it: all that is read together with a file is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Rule, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph, lexed, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import utf8

RULE = "build/unused-header"
_FOLDER = "cuda/"
_USES = re.compile(
    rb"(?<![\w:])cuda\s*::|(?<![\w:])::\s*cuda\s*::|\bnamespace\s+(?:\w+\s*=\s*)?(?:::\s*)?cuda\s*[;{]"
    rb"|\b(?:LIBCUDACXX|CCCL)_\w+|\b_(?:LIBCUDACXX|CCCL)_\w+"
)
"""The library's namespace, under its own or another name, and its macros; no `at::cuda::`. Each alternative begins with
a character of its own, by which it is found faster."""
_WORDS = (b"cuda", b"LIBCUDACXX", b"CCCL")
_SDK = "library/cuda-sdk"
_CUTIL = re.compile(
    rb"(?m)^" + utf8.MARK + rb"[ \t]*#[ \t]*include[ \t]*([<\"](?:[^>\"\n]*/)?cutil(?:_inline)?\.h[>\"])"
)
"""The headers of the SDK whose names are known by their beginning; operators, as in `cutil_math.h`, have no names."""
_OF_HEADERS = (b"cutil_inline", b"nvtx3", b"cutlass", b"cute")
"""Names of headers, which are no use in an include."""
_OF_CUTIL = re.compile(
    rb"\b(?:cut(?:[A-Z]|il[A-Z_])\w*|(?:cuda|cufft)SafeCall\w*|cudaSafeThreadSync|CUT_?[A-Z]\w*|_?CU(?:DA|FFT)?_SAFE_CALL\w*"
    rb"|_ConvertSMVer2Cores|M(?:IN|AX))\b"
)


_WRAPPER = "api/nvtx-cpp-header"
_OF_WRAPPER = re.compile(rb"\bnvtx3\b|\bNVTX3_\w+")
"""The namespace of NVTX's wrapper for C++, and its macros; its header brings those of C along."""


_TEMPLATES = "library/cutlass"
_CUTLASS = re.compile(rb"(?m)^" + utf8.MARK + rb"[ \t]*#[ \t]*include[ \t]*([<\"](?:cutlass|cute)/[^>\"\n]+[>\"])")
_OF_CUTLASS = re.compile(rb"\b(?:cutlass|cute)\b(?!/)|\b(?:CUTLASS|CUTE)_\w+")
"""The namespaces of CUTLASS and CuTe, under their own or another name, and their macros."""


class _Library(NamedTuple):
    """What goes together: which findings are on its headers, and its names with words that one of them has.

    `instead` is a header of CUDA's that is enough where none of the names is used; empty where the include goes.
    `every` finds all its includes, where a file has one finding for them.
    """

    is_lacking: Callable[[Finding], bool]
    uses: re.Pattern[bytes]
    words: tuple[bytes, ...]
    instead: str = ""
    every: re.Pattern[bytes] | None = None


def with_unused_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with the includes that go in place of those that would need an equivalent."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    for library in _LIBRARIES:
        other = book.include(library.instead) if library.instead else rule
        results = results if other is None else _without(library, results, other, read)
    return list(results)


def _without(library: _Library, results: Sequence[FileResult], rule: Rule, read: Read) -> Sequence[FileResult]:
    """The results, with the includes of one library that go."""
    shown = [one.path for one in results if any(map(library.is_lacking, one.findings))]
    if not shown:
        return results
    code = [one.path for one in results if one.language in ("cuda", "cxx")]
    graph = include_graph(read, code, spelled_includes, every=True)
    using = {path for path in code if _uses(path, library, read)}
    goes = {path for path in shown if using.isdisjoint(graph.together((path,)))}
    return [_with(one, library, rule, read) if one.path in goes else one for one in results]


def _is_lacking(finding: Finding) -> bool:
    """Whether a finding is about a header of the library that stays, and does not compile."""
    header = finding.name.startswith(_FOLDER) and finding.excerpt.lstrip().startswith("#")
    return header and finding.fix is None and finding.outcome == "compile-error" and finding.support != "partial"


def _is_of_cutil(finding: Finding) -> bool:
    """Whether a finding is about an include of the old SDK's header of checks and timers."""
    return finding.rule == _SDK and finding.fix is None and _CUTIL.match(finding.excerpt.encode()) is not None


def _is_of_cutlass(finding: Finding) -> bool:
    """Whether a finding is about an include of CUTLASS or CuTe."""
    return finding.rule == _TEMPLATES and finding.fix is None and _CUTLASS.match(finding.excerpt.encode()) is not None


_CUTIL_WORDS = (b"cut", b"CU", b"SafeCall", b"SafeThread", b"_Convert", b"MIN", b"MAX")
_LIBRARIES = (
    _Library(_is_lacking, _USES, _WORDS),
    _Library(_is_of_cutil, _OF_CUTIL, _CUTIL_WORDS, every=_CUTIL),
    _Library(_is_of_cutlass, _OF_CUTLASS, (b"cutlass", b"cute", b"CUTLASS_", b"CUTE_"), every=_CUTLASS),
    _Library(lambda finding: finding.rule == _WRAPPER, _OF_WRAPPER, (b"nvtx3", b"NVTX3_"), "nvtx3/nvToolsExt.h"),
)


def _uses(path: str, library: _Library, read: Read) -> bool:
    """Whether code of a file names the library; a file that cannot be read may."""
    source = read(path)
    if source is None:
        return True
    if not any(word in source.data for word in library.words) or library.uses.search(source.data) is None:
        return False
    tokens = lexed(source)
    return any(
        match[0] not in _OF_HEADERS or not _is_included(tokens, match.start()) for match in tokens.matches(library.uses)
    )


def _is_included(tokens: Lexed, offset: int) -> bool:
    """Whether a place is in an include."""
    directive = tokens.directive_at(offset)
    return directive is not None and directive.name == "include"


def _with(result: FileResult, library: _Library, rule: Rule, read: Read) -> FileResult:
    """The result with its includes of such headers taken out."""
    source = read(result.path)
    is_lacking = library.is_lacking
    if source is None or not any(map(is_lacking, result.findings)):
        return result

    def made(one: Finding) -> Finding:
        return _replaced(one, rule) if library.instead else _gone(one, rule, source.data, library.every)

    return replace(result, findings=tuple(made(one) if is_lacking(one) else one for one in result.findings))


def _replaced(finding: Finding, rule: Rule) -> Finding:
    """The finding on an include as that on the header which is enough, with what that becomes."""
    header = f"<{rule.change.text[0]}>".encode()
    return _changed(finding, rule, Fix((Edit(finding.span, header),), "safe"))


def _gone(finding: Finding, rule: Rule, data: bytes, every: re.Pattern[bytes] | None) -> Finding:
    spans = [finding.span]
    if every is not None:
        spans = [Span(*match.span(1)) for match in every.finditer(data)]
    return _changed(finding, rule, Fix(tuple(_line(span, data) for span in spans), "safe"))


def _changed(finding: Finding, rule: Rule, fix: Fix) -> Finding:
    """The finding as one of another rule, with its fix."""
    name = finding.name or finding.excerpt.partition("include")[2].strip().strip('<>"')
    return replace(
        finding,
        rule=rule.id,
        message=rule.message.format(text=f"<{name}>", name=name),
        support=rule.support,
        outcome=rule.outcome,
        effort=rule.effort,
        fix=fix,
        after="",
    )


def _line(span: Span, data: bytes) -> Edit:
    """The edit that takes the line of an include out, but for what shares it."""
    start = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end)
    end = len(data) if end < 0 else end + 1
    alone = not data[span.end : end].strip()
    return Edit(Span(start, end if alone else span.end), b"")
