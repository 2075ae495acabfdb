"""PTX that the host's compiler reads too: the HIP code is for AMD's compiler, and the host's keeps the statement.

An asm statement in a device function is text to a host's compiler, which leaves the unused function out. The HIP code
in its place calls functions and names scopes that only AMD's compiler declares. Whether a host's compiler reads the
place is asked of the files: a source that it compiles includes the file, and no conditional around the include or the
statement waits for a compiler of GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.host_branches import for_device, host_reads
from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included, lexed

HOST_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C")
_GROUP = "ptx/"
_ASM = re.compile(rb"(?:asm|__asm|__asm__)\b")
_END = re.compile(rb"[ \t]*;")


def with_host_assembly(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, with the old statement kept for the host's compiler where that reads a file."""
    candidates = {one.path: _places(one, read) for one in results if any(map(_is_translated, one.findings))}
    candidates = {path: places for path, places in candidates.items() if places}
    if not candidates:
        return list(results)
    reached = _reached(frozenset(candidates), results, read)
    return [one if one.path not in reached else _with(one, candidates[one.path], read) for one in results]


def _is_translated(finding: Finding) -> bool:
    return finding.rule.startswith(_GROUP) and finding.fix is not None


def _places(result: FileResult, read: Read) -> frozenset[int]:
    """Where statements begin that get a translation, in code that a host's compiler would read."""
    source = read(result.path)
    if source is None:
        return frozenset()
    tokens = lexed(source)
    parts = branches(tokens, ())
    return frozenset(
        edit.span.start
        for finding in result.findings
        if _is_translated(finding)
        for edit in _asm_edits(finding, tokens)[:1]
        if host_reads(parts, edit.span.start)
    )


def _asm_edits(finding: Finding, lexed: Lexed) -> list[Edit]:
    """The edits of a finding that replace an asm statement which is no part of a directive, in order."""
    made = sorted(finding.fix.edits if finding.fix is not None else (), key=lambda one: one.span.start)
    kept = [one for one in made if one.span.start < one.span.end]
    if not kept or not _ASM.match(lexed.data, kept[0].span.start) or lexed.directive_at(kept[0].span.start) is not None:
        return []
    return kept


def _reached(wanted: frozenset[str], results: Sequence[FileResult], read: Read) -> set[str]:
    """Those of some files that a source of the host's compiler is, or includes."""
    code = [one.path for one in results if one.language in ("cuda", "cxx")]
    paths, including = IncludePaths(code), dict[str, list[tuple[str, int]]]()
    for path in code:
        source = read(path)
        for name, _, place in included(source) if source is not None else ():
            near = paths.nearest(path, name)
            if len(near) == 1:
                including.setdefault(near[0], []).append((path, place.start))
    return {path for path in wanted if any(one.endswith(HOST_SOURCES) for one in _includers(path, including, read))}


def _includers(path: str, including: dict[str, list[tuple[str, int]]], read: Read) -> Iterator[str]:
    """A file, and the files that include it where a host's compiler reads the include."""
    seen, waiting = {path}, [path]
    while waiting:
        at = waiting.pop()
        yield at
        for other, place in including.get(at, ()):
            source = read(other) if other not in seen else None
            if source is not None and host_reads(branches(lexed(source), ()), place):
                seen.add(other)
                waiting.append(other)


def _with(result: FileResult, places: frozenset[int], read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    tokens = lexed(source)
    return replace(result, findings=tuple(_chosen(one, places, tokens) for one in result.findings))


def _chosen(finding: Finding, places: frozenset[int], lexed: Lexed) -> Finding:
    """The finding, whose fix leaves the statement to the host's compiler."""
    own = _asm_edits(finding, lexed) if _is_translated(finding) else []
    if finding.fix is None or not own or own[0].span.start not in places:
        return finding
    data, start = lexed.data, own[0].span.start
    line = data.rfind(b"\n", 0, start) + 1
    alone = not data[line:start].strip()
    first, last = own[0], own[-1]
    found = _END.match(data, last.span.end)
    end = last.span.end if found is None else found.end()
    before, after = for_device(data, data[start:end], data[line:start] if alone else b"  ")
    rest = data[end : end + 2].lstrip(b" \t\r")
    texts = {one: one.replacement for one in own}
    texts[first] = (b"" if alone else newline(data)) + before + texts[first]
    texts[last] += data[last.span.end : end] + after + (b"" if rest.startswith(b"\n") else newline(data))
    made = tuple(
        one
        if one not in texts
        else Edit(
            Span(line if one is first and alone else one.span.start, end if one is last else one.span.end), texts[one]
        )
        for one in finding.fix.edits
    )
    return replace(finding, fix=replace(finding.fix, edits=made))
