"""Headers that name atomics of libcu++ and include nothing that declares them, in a project that uses libcu++ itself.

CUDA's headers of cooperative groups, CUB and Thrust bring the namespace `cuda`; ROCm's do not. In a template a compiler
needs the namespace where it reads the template, whatever its users include behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda.include_insertion import beside
from cudamigrate.cuda.include_paths import IncludeGraph, IncludePaths, closure
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Fix, Hit, SourceFile, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/atomic-include"
_UNASKED = "library/cccl-names"
"""The rule for names of libcu++ in a file without its headers."""
_OF_LIBCUXX = re.compile(r"(?:cuda|nv)/")
_HEADER = "cuda/atomic"
_NAME = re.compile(rb"(?<![\w:])(?:::)?cuda::(?:std::)?(?:memory_order\w*|atomic(?:_ref)?|thread_scope\w*)\b")
"""What `<cuda/atomic>` declares: `cuda::memory_order_relaxed`, `cuda::atomic_ref`."""
_OWN = re.compile(rb"\bnamespace\s+cuda\b")
_BRINGS = re.compile(r"cuda/(?:std/)?(?:atomic|barrier|latch|semaphore)")
"""Headers of libcu++ that declare them."""


def with_atomic_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each file that needs such an include."""
    rule = book.rules.get(RULE)
    code = [one.path for one in results if one.language in ("cuda", "cxx") and one.cuda and one.skip is None]
    named = {} if rule is None or rule.silent else {path: at for path in code if (at := asked(read, path, _named))}
    if not named:
        return list(results)
    paths = IncludePaths(one.path for one in results)
    spelled: dict[str, tuple[str, ...]] = {}

    def names(path: str) -> tuple[str, ...]:
        if path not in spelled:
            spelled[path] = asked(read, path, spelled_includes) or ()
        return spelled[path]

    def targets(path: str) -> Iterable[str]:
        return (found[0] for name in names(path) if len(found := paths.nearest(path, name)) == 1)

    if not any(_BRINGS.fullmatch(name) for path in code for name in names(path)):
        return list(results)
    reached = {path: closure((path,), targets) for path in named}
    lacking = {p for p in named if not any(_BRINGS.fullmatch(name) for one in reached[p] for name in names(one))}
    lacking = {path for path in lacking if not lacking & (reached[path] - {path})}  # what it includes gets the header
    more = {path: made for path in lacking if (made := _finding(path, named[path], book, read)) is not None}
    return [engine.with_more(one, [more[one.path]]) if one.path in more else one for one in results]


def without_brought(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on names of libcu++ whose headers another file of the tree brings."""
    named = [one.path for one in results if any(finding.rule == _UNASKED for finding in one.findings)]
    if not named:
        return list(results)
    code = (one.path for one in results if one.language in ("cuda", "cxx"))
    names = {path: asked(read, path, spelled_includes) or () for path in code}
    graph = IncludeGraph(names)
    brought = {path for path in named if any(map(_OF_LIBCUXX.match, _spelled(graph.below((path,)) | {path}, names)))}
    brought |= {one.path for one in results if any(finding.rule == RULE for finding in one.findings)}
    return [
        replace(one, findings=tuple(finding for finding in one.findings if finding.rule != _UNASKED))
        if one.path in brought
        else one
        for one in results
    ]


def _spelled(paths: Iterable[str], names: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """What the includes of some files spell."""
    return (name for path in paths for name in names.get(path, ()))


def _named(source: SourceFile) -> tuple[int, int] | None:
    """Where a file first names such an atomic in code; None where `cuda` is a namespace of its own."""
    if b"cuda::" not in source.data or _OWN.search(source.data) is not None:
        return None
    tokens = lexed(source)
    found = (match.span() for match in tokens.matches(_NAME) if tokens.directive_at(match.start()) is None)
    return next(found, None)


def _finding(path: str, at: tuple[int, int], book: Rulebook, read: Read) -> Finding | None:
    """The finding at the first such name; None where the file cannot be read again."""
    source = read(path)
    parsed = None if source is None else cuda.parse(source, frozenset())
    if source is None or parsed is None or parsed.problems:
        return None
    span = Span(*at)
    name = source.data[span.start : span.end].decode("utf-8", "replace")
    use = parsed.named_use(_HEADER, span, "token")
    made = engine.finding_in(parsed, Hit(RULE, use, {"name": name, "header": _HEADER}), book.rules[RULE])
    return replace(made, fix=Fix((beside(parsed, _HEADER),), "safe"))
