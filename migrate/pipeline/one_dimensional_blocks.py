"""Reductions over groups in blocks of one dimension: HIP's own go by `threadIdx.x`, which is right there."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.launched_blocks import lines
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.words import among
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read

_RULE, _OF_TILE = "cooperative-groups/group-reduce", "cooperative-groups/tile-reduce"
_SAID = "HIP's `{}` is right in blocks of one dimension, as all are here. `cudamigrate::reduce` keeps CUDA's order too."
_GROUPS = frozenset(
    f"cooperative-groups/{one}"
    for one in ("coalesced-group", "labeled-partition", "binary-partition", "active-group-mask")
)
"""Findings on groups of active threads: where these become another type, their reductions go with them."""
_WITHOUT_KERNELS = ("make", "cmake")
"""Languages in which a kernel's name is that of a program: `jacobi: jacobi.cu`."""
_HEADERS = (".cuh", ".h", ".hpp", ".hxx", ".inl")


def without_lines(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without such findings where all kernels that come to the reduction are launched in such blocks.

    One on a tile of a known size, whose fix also keeps the order of sums, is fine as it is. A file that makes groups of
    active threads keeps its findings, as what is reduced may be one of these.

    A header's code, and a kernel that another file names, may be launched in any block.
    """
    return [_looked_at(one, results, read) if _asked(one) else one for one in results]


def _asked(result: FileResult) -> list[Finding]:
    is_open = result.path.endswith(_HEADERS) or any(one.rule in _GROUPS for one in result.findings)
    found = () if is_open else result.findings
    return [one for one in found if one.rule in (_RULE, _OF_TILE) and one.outcome == "wrong-result"]


def _looked_at(result: FileResult, results: Sequence[FileResult], read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    parsed = cuda.parse(source, frozenset())
    known = lines(parsed)
    kernels = {one.span: _kernels(parsed, one.span.start) for one in _asked(result)}
    asked = {name.encode() for names in kernels.values() for name in names if name in known}
    elsewhere = _named(asked, source, results, read) if asked else set[str]()
    right = {span for span, names in kernels.items() if names and names <= known - elsewhere}
    kept = (one for one in result.findings if one.rule != _RULE or one.span not in right)
    return replace(result, findings=tuple(_fine(one, parsed) if one.span in right else one for one in kept))


def _fine(finding: Finding, parsed: ParsedFile) -> Finding:
    """A reduction over a tile that HIP's own function does right."""
    if finding.rule != _OF_TILE:
        return finding
    name = parsed.data[finding.span.start : finding.span.end].partition(b"(")[0].strip().decode("utf-8", "replace")
    return replace(finding, outcome="fine", message=_SAID.format(name))


def _kernels(parsed: ParsedFile, offset: int) -> set[str]:
    """The kernels of a file that come to a place in it."""
    function = parsed.function(offset)
    reaching = CallGraph.of(parsed).reaching((function.name,)) if function is not None else set[str]()
    heads = ((one.name, parsed.data[one.span.start : one.body.start]) for one in parsed.functions)
    return {name for name, head in heads if name in reaching and b"__global__" in head}


def _named(names: set[bytes], source: SourceFile, results: Sequence[FileResult], read: Read) -> set[str]:
    """Those of some names that other files have."""
    code = (one for one in results if one.language not in _WITHOUT_KERNELS and one.skip is None)
    others = (read(one.path) for one in code if one.path != source.path)
    found = (among(one.data, names) for one in others if one is not None)
    return {name.decode() for several in found for name in several}
