"""Headers of libcu++ without an equivalent, where nothing that they could give a name to names anything of theirs.

What a header declares is used in the file that includes it, in what includes that file, or in what these include
behind it. Where none of them has a name of the namespace `cuda`, the include can go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included

_HEADER = re.compile(r"cuda/(?!std/)\w+")
"""A header of libcu++ that is no part of the standard library: `cuda/pipeline`, not `cuda/std/...`."""
_USED = re.compile(
    rb"(?<![\w:])(?:::[ \t]*)?cuda[ \t]*::|\bnamespace[ \t]+(?:\w+[ \t]*=[ \t]*)?cuda\b|\b(?:_?CCCL_|_?LIBCUDACXX_)"
)
"""A name of the namespace, the namespace itself, or a macro of the library; not `at::cuda::`, which is PyTorch's."""
_CODE = ("cuda", "cxx")
_MESSAGE = "Nothing that reads `<{}>` here names anything of `cuda::`. HIP has no such header, and the include goes."


def without_unused_headers(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, in which an include that nothing needs is taken out."""
    asked = {one.path: found for one in results if (found := list(map(id, _headers(one))))}
    if not asked:
        return list(results)
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    sources = ((path, read(path)) for path in code)
    graph = IncludeGraph({path: [name for name, *_ in included(one)] for path, one in sources if one}, every=True)
    used: dict[str, bool] = {}

    def is_used(path: str) -> bool:
        if path not in used:
            source = read(path)
            used[path] = source is None or _USED.search(source.data) is not None
        return used[path]

    free = {path for path in asked if not any(map(is_used, graph.below(graph.above({path}))))}
    return [_without(one, set(asked[one.path]), read) if one.path in free else one for one in results]


def _headers(result: FileResult) -> Iterator[Finding]:
    """The findings of a file on such headers that have no fix."""
    if result.language in _CODE and result.skip is None:
        yield from (one for one in result.findings if one.fix is None and _HEADER.fullmatch(one.name))


def _without(result: FileResult, wanted: set[int], read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    findings = []
    for one in result.findings:
        line = _line(source.data, one.span) if id(one) in wanted else None
        if line is not None:
            fix = Fix((Edit(line, b""),), "safe")
            text = _MESSAGE.format(one.name)
            one = replace(one, message=text, fix=fix, support="full", effort="none")
        findings.append(one)
    return replace(result, findings=tuple(findings))


def _line(data: bytes, span: Span) -> Span | None:
    """The line of an include; None where anything but a comment follows it or the line is not its own."""
    start = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end)
    end = len(data) if end < 0 else end + 1
    rest = data[span.end : end].strip()
    plain = not rest or rest.startswith(b"//")
    own = re.fullmatch(rb"\s*#\s*include\s*[<\"]?", data[start : span.start])
    return Span(start, end) if plain and own is not None else None
