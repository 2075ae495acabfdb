"""Alignments in CUDA's spelling that the host's compiler reads: HIP's headers define `__align__` for clang alone.

CUDA's headers define it for every compiler, so a header with `struct __align__(16) P` is read by g++ too, where a plain
source of C or C++ includes it. What HIP's definition stands for is the same to g++, clang and nvcc.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "memory/host-alignment"
_NAME = b"__align__"
_ALIGNED = re.compile(rb"\b__align__\s*(?=\()")
_OWN = re.compile(rb"#[ \t]*define[ \t]+__align__\b")
_FOR_DEVICE = re.compile(rb"\b__global__\b|\b__device__\b|<<<")
_HOST = (".c", ".cpp", ".cc", ".cxx", ".c++", ".C")
"""Endings of sources that a build gives to the host's compiler unless it says otherwise."""
_LANGUAGES = ("cuda", "cxx")


def with_host_alignment(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each alignment in a file that a plain source of C or C++ is, or includes."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    code = [one for one in results if one.language in _LANGUAGES and one.skip is None]
    aligned = {one.path for one in code if one.cuda and asked(read, one.path, names_alignment)}
    if not aligned:
        return list(results)
    graph = include_graph(read, (one.path for one in code))
    hosts = [one.path for one in code if one.path.endswith(_HOST) and asked(read, one.path, is_for_host)]
    below = graph.below(hosts)
    if any(asked(read, path, defines_alignment) for path in below):
        return list(results)
    seen = aligned & below
    return [engine.with_more(one, list(_found(one.path, book, read))) if one.path in seen else one for one in results]


def names_alignment(source: SourceFile) -> bool:
    """Whether a file says `__align__(`."""
    return _NAME in source.data and _ALIGNED.search(source.data) is not None


def defines_alignment(source: SourceFile) -> bool:
    """Whether a file gives the word a meaning of its own."""
    return _NAME in source.data and _OWN.search(source.data) is not None


def is_for_host(source: SourceFile) -> bool:
    """Whether a source has nothing that only a compiler for GPUs takes."""
    return _FOR_DEVICE.search(source.data) is None


def _found(path: str, book: Rulebook, read: Read) -> Iterator[Finding]:
    source = read(path)
    if source is None:
        return
    tokens = lexed(source)
    for match in tokens.matches(_ALIGNED, _NAME):
        closing = tokens.closing(match.end())
        if closing < 0:
            continue
        name = Span(match.start(), match.start() + len(_NAME))
        use = Use("name", _NAME.decode(), name, Span(match.start(), closing + 1), (), "host", "token")
        made = engine.finding(source, Hit(RULE, use, {}), book.rules[RULE])
        edits = (Edit(name, b"__attribute__((aligned"), Edit(Span(closing + 1, closing + 1), b"))"))
        yield replace(made, fix=Fix(edits, "safe"))
