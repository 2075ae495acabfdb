"""Macros with the short names of shuffles that a file has in front of cooperative groups: HIP's header calls those.

`#define __shfl(v, l) __shfl_sync(~0u, v, l)` takes two arguments, and `hip_cooperative_groups.h` gives `__shfl` three.
CUDA's header calls the intrinsics, so that nothing is wrong there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cudamigrate.cuda.include_paths import IncludeGraph, IncludePaths
from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph, include_paths, included, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "warp/macro-before-groups"
_SHUFFLES = frozenset(("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"))
_GROUPS = re.compile(r"(?:cooperative_groups|hip/hip_cooperative_groups)(?:\.h|/\w+\.h)")
_PARAMETERS = re.compile(rb"#[ \t]*define[ \t]+(?P<name>__shfl(?:_up|_down|_xor)?)\((?P<listed>[^()]*)\)")
_TAKEN = 3
"""HIP's header gives its shuffles the width too."""


def with_shuffle_macros(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding where a file includes cooperative groups behind such a macro of any file."""
    rule, macros = book.rules.get(RULE), _defined(results, read)
    if rule is None or rule.silent or not macros:
        return list(results)
    code = [one.path for one in results if one.language in ("cuda", "cxx")]
    graph = include_graph(read, code)
    found: dict[str, list[Finding]] = {}
    for path in sorted(graph.above(macros)):
        source = read(path)
        behind = _behind(source, graph, include_paths(read, code), macros) if source is not None else None
        if source is not None and behind is not None:
            name, where, span = behind
            spelled = source.data[span.start : span.end].decode("latin-1")  # the macro is the project's own
            use = Use("name", spelled, span, span, (), "unknown", "token")
            made = engine.finding(source, Hit(RULE, use, {"name": name, "where": where}), rule)
            found.setdefault(path, []).append(made)
    return [engine.with_more(one, found.get(one.path, ())) for one in results]


def _defined(results: Sequence[FileResult], read: Read) -> Mapping[str, tuple[str, int]]:
    """The files with such a macro that HIP reads, each with its name and where it is."""
    found: dict[str, tuple[str, int]] = {}
    for result in results:
        names = {one.name for one in result.definitions if not one.fallback} & _SHUFFLES
        source = read(result.path) if names else None
        if source is None:
            continue
        for match in _PARAMETERS.finditer(source.data):
            parameters = match["listed"].split(b",")
            few = len(parameters) < _TAKEN and b"..." not in match["listed"]
            if few and match["name"].decode() in names and lexed(source).is_code(match.start()):
                found.setdefault(result.path, (match["name"].decode(), match.start()))
    return found


def _behind(
    source: SourceFile, graph: IncludeGraph, paths: IncludePaths, macros: Mapping[str, tuple[str, int]]
) -> tuple[str, str, Span] | None:
    """The first header of groups that a file includes, where a macro is before it: the macro, its file, the include."""
    own, known = macros.get(source.path), None
    for spelled, _, span in included(source):
        if own is not None and own[1] < span.start:
            known = known or (own[0], source.path)
        if _GROUPS.fullmatch(spelled):
            return None if known is None else (*known, span)
        inner = graph.below(paths.nearest(source.path, spelled))
        if any(_GROUPS.fullmatch(one) for path in inner for one in graph.spelled.get(path, ())):
            return None  # it is there already
        known = known or next(((macros[path][0], path) for path in sorted(inner & macros.keys())), None)
    return None
