"""Headers that get HIP's runtime header and that sources for the host's compiler read too: they get it for HIP alone.

nvcc puts its runtime header before a `.cu` file, whatever the file includes, and no other compiler does. A source in C
or C++ that reads such a header without one of CUDA's was compiled without CUDA, by whatever build: a condition on
`__HIPCC__` keeps that so. One that reads HIP's header all the same, for another header's sake, has what it needs from
its build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.compilation.host_sources import has_gpu_code
from cudamigrate.cuda.include_insertion import NOT_AT_RUN_TIME, newline
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, FileResult, Finding, Fix
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, spelled_includes

RULE = "build/implicit-runtime-header"
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C")
_UNITS = (*_SOURCES, ".cu")
_LANGUAGES = ("cuda", "cxx")
_LINE = b"#include <hip/hip_runtime.h>"


def with_guarded_headers(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, with a condition around that include in such headers."""
    added = {one.path for one in results if not one.path.endswith(_UNITS) and any(map(_adds, one.findings))}
    if not added:
        return list(results)
    by_path = {one.path: one for one in results}
    bare = HipReaders({**by_path, **{path: _without(by_path[path]) for path in added}}, read)
    whole, guarded = HipReaders(by_path, read), set[str]()
    for source, headers in _readers(results, added, read):
        code = read(source)
        if code is None or has_gpu_code(code.data):
            continue  # for a compiler of GPUs, whatever its ending
        if whole.reads_header(source, b"") and not bare.reads_header(source, b""):
            guarded |= headers
    guarded = {path for path in guarded if path not in bare.with_header}
    return [_guarded(one, read) if one.path in guarded else one for one in results]


def _adds(finding: Finding) -> bool:
    """Whether a finding adds the header for whatever compiler reads the file."""
    return finding.rule == RULE and finding.fix is not None and _plain(finding.fix)


def _plain(fix: Fix) -> bool:
    """Whether a fix adds the line alone, or with the condition that hipRTC does not read it."""
    return all(
        one.replacement.strip().splitlines() in ([_LINE], [NOT_AT_RUN_TIME, _LINE, b"#endif"]) for one in fix.edits
    )


def _without(result: FileResult) -> FileResult:
    """The result without what is added."""
    return replace(result, findings=tuple(one for one in result.findings if not _adds(one)))


def _readers(results: Sequence[FileResult], added: set[str], read: Read) -> Iterator[tuple[str, set[str]]]:
    """The sources for the host's compiler that read some headers, each with those that it reads."""
    paths = [one.path for one in results if one.language in _LANGUAGES and one.skip is None]
    graph = IncludeGraph({path: asked(read, path, spelled_includes) or () for path in paths})
    found: dict[str, set[str]] = {}
    for path in sorted(added):
        for user in _above(path, graph.users):
            if user.endswith(_SOURCES):
                found.setdefault(user, set()).add(path)
    yield from sorted(found.items())


def _above(path: str, users: Mapping[str, frozenset[str]]) -> set[str]:
    """The files that read one, by way of others too."""
    seen, queue = {path}, [path]
    for one in queue:
        more = users.get(one, frozenset()) - seen
        seen |= more
        queue += sorted(more)
    return seen


def _guarded(result: FileResult, read: Read) -> FileResult:
    source = read(result.path)
    end = newline(source.data) if source is not None else b"\n"
    return replace(result, findings=tuple(_behind(one, end) if _adds(one) else one for one in result.findings))


def _behind(finding: Finding, end: bytes) -> Finding:
    """The finding with the include for HIP's compiler alone."""
    if finding.fix is None:
        return finding
    edits = tuple(Edit(one.span, _conditional(one.replacement, end)) for one in finding.fix.edits)
    return replace(finding, fix=replace(finding.fix, edits=edits))


def _conditional(added: bytes, end: bytes) -> bytes:
    """The line that is added with the condition, which joins that of a file which is compiled at run time too."""
    if NOT_AT_RUN_TIME in added:
        return added.replace(NOT_AT_RUN_TIME, b"#if defined(__HIPCC__) && !defined(__HIPCC_RTC__)")
    return added.replace(_LINE, end.join((b"#if defined(__HIPCC__)", _LINE, b"#endif")))
