"""Names of a namespace `cuda` that is the project's own are not libcu++'s, nor those of a `cub` of its own CUB's.

What a project declares inside of Thrust's namespace for CUDA itself, as a copy of an allocator, stays there.

A file in the namespace `mine` writes `cuda::maximum` for `mine::cuda::maximum`. The header that declares it is among
those that the file reads, itself or through others; libcu++'s headers are not, or there would be no finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from tree_sitter import Node

from cudamigrate.cuda.include_paths import IncludeGraph, IncludePaths
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included
from cudamigrate.syntax.tree_sitter_nodes import Kinds

_RULE = "library/cccl-names"
_OPENED = re.compile(rb"\bnamespace\s+cuda\s*\{|\bnamespace\s+\w+(?:::\w+)*::cuda\s*\{")
"""A namespace of that name is opened: `namespace cuda {`, `namespace mine::cuda {`."""
_DECLARED = re.compile(rb"\b(?:struct|class|enum|using|union)\s+(\w+)|\b(\w+)\s*\(")
_USED = re.compile(rb"(?<![\w:])cuda::(\w+)")

_THRUST = frozenset(("api/thrust::cuda", "api/thrust::system::cuda"))
"""The rules for Thrust's namespaces for CUDA, which rocThrust has under another name."""
_QUALIFIED = re.compile(rb"(?:::)?thrust::(?:system::)?cuda::(\w+)")
_OPENS_THRUST = re.compile(rb"\bnamespace\s+thrust\b")
_NAMESPACES = Kinds("cuda", "namespace_definition")
_HEAD = re.compile(rb"[^{;=]*")

_OPENED_CUB = re.compile(rb"\bnamespace\s+cub\s*\{")
_TEMPLATES = re.compile(rb"\btemplate\s*<\s*>\s*(?:struct|class)\s+\w+")
"""A specialisation, which declares no name: `template <> struct Traits<half>`."""
_USED_CUB = re.compile(rb"(?<![\w:])(?:::\s*)?cub\s*::\s*(\w+)")
_OF_CUB = re.compile(r"api/cub(?![a-z])|api/(?:CUB_|_?Cub)|(?:library|warp)/cub-")
"""Rules on names of CUB: no `api/cublasCreate`, whose name begins alike."""
_HEADERS_OF_CUB = re.compile(r"(?:^|/)(?:hip)?cub/|(?:^|/)(?:hip)?cub\.(?:cuh|hpp)$", re.IGNORECASE)
"""Headers of CUB, a copy's and a framework's too: `cub/cub.cuh`, `ATen/cuda/cub.cuh`."""


def without_own_cub(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on CUB in a repository that declares what it uses of a `cub`.

    It includes no header of CUB, or has all that it includes itself, as a copy of an older CUB that it builds with.
    Who reopens CUB's namespace, or gives its templates a specialisation, declares not all that it uses there.
    """
    if not any(_OF_CUB.match(finding.rule) for result in results for finding in result.findings):
        return list(results)
    sources = {one.path: source for one in results if one.language in ("cuda", "cxx") and (source := read(one.path))}
    own, used = dict[str, frozenset[bytes]](), set[bytes]()
    for path, source in sources.items():
        if b"cub" not in source.data:
            continue
        if _OPENED_CUB.search(source.data) is not None:
            text = _USED_CUB.sub(b"", _TEMPLATES.sub(b"", source.data))
            own[path] = frozenset(name for pair in _DECLARED.findall(text) for name in pair if name)
        used |= set(_USED_CUB.findall(source.data))
    spelled = {path: [name for name, *_ in included(source)] for path, source in sources.items()}
    headers = [(path, name) for path, names in spelled.items() for name in names if _HEADERS_OF_CUB.search(name)]
    if headers and not _has_all(headers, spelled, {path for path, names in own.items() if names}):
        return list(results)
    if not headers and (not used or not used <= frozenset[bytes]().union(*own.values())):
        return list(results)
    return [
        replace(one, findings=tuple(each for each in one.findings if not _OF_CUB.match(each.rule))) for one in results
    ]


def _has_all(headers: Sequence[tuple[str, str]], spelled: Mapping[str, Sequence[str]], own: Set[str]) -> bool:
    """Whether each header, by the file that includes it, is one of the files that declare, or includes one."""
    if not own:
        return False
    paths, graph = IncludePaths(spelled), IncludeGraph(spelled)
    declaring = graph.above(own)
    meant = (paths.nearest(path, name) for path, name in dict.fromkeys(headers))
    return all(found and declaring.issuperset(found) for found in meant)


def without_own_cuda(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on names that a header of the repository declares in a namespace `cuda`."""
    asked = [one.path for one in results if any(finding.rule == _RULE for finding in one.findings)]
    if not asked:
        return list(results)
    sources = {one.path: source for one in results if one.language in ("cuda", "cxx") and (source := read(one.path))}
    own = {
        path: frozenset(name for pair in _DECLARED.findall(source.data) for name in pair)
        for path, source in sources.items()
        if b"cuda" in source.data and _OPENED.search(source.data) is not None
    }
    graph = IncludeGraph({path: [name for name, *_ in included(source)] for path, source in sources.items()})
    mine = set()
    for path in asked if own else ():
        declared = frozenset[bytes]().union(*(own[one] for one in graph.below((path,)) if one in own))
        if path in sources and declared.issuperset(_USED.findall(sources[path].data)):
            mine.add(path)
    return [
        replace(one, findings=tuple(finding for finding in one.findings if finding.rule != _RULE))
        if one.path in mine
        else one
        for one in results
    ]


def without_own_thrust(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without renaming Thrust's namespace for CUDA before names that the repository declares in it.

    The file of the finding reads the one that declares the name, itself or through others.
    """
    asked = {one.path for one in results if any(finding.rule in _THRUST for finding in one.findings)}
    if not asked:
        return list(results)
    sources = {one.path: source for one in results if one.language in ("cuda", "cxx") and (source := read(one.path))}
    own = {path: names for path, source in sources.items() if (names := frozenset(_in_thrust(source)))}
    if not own:
        return list(results)
    graph = IncludeGraph({path: [name for name, *_ in included(source)] for path, source in sources.items()})
    kept = []
    for one in results:
        if one.path not in asked or one.path not in sources:
            kept.append(one)
            continue
        names = frozenset[bytes]().union(*(own[path] for path in {one.path, *graph.below((one.path,))} if path in own))
        left = tuple(each for each in one.findings if not _is_in(each, sources[one.path].data, names))
        kept.append(one if len(left) == len(one.findings) else replace(one, findings=left))
    return kept


def _is_in(finding: Finding, data: bytes, names: Set[bytes]) -> bool:
    """Whether a finding renames Thrust's namespace before one of the names."""
    found = _QUALIFIED.match(data, finding.span.start) if finding.rule in _THRUST else None
    return found is not None and found[1] in names


def _in_thrust(source: SourceFile) -> Iterator[bytes]:
    """The names that a file declares in a namespace `cuda` of Thrust: namespaces, types and functions."""
    data = source.data
    if _OPENS_THRUST.search(data) is None or _OPENED.search(data) is None:
        return
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    for node in _NAMESPACES.below(parsed.tree.root_node):
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        if body is not None and name is not None and (name.text or b"").split(b"::")[-1] == b"cuda":
            yield from filter(None, map(_declared, body.named_children))


def _declared(node: Node) -> bytes:
    """The name that a declaration in a namespace gives."""
    if node.type == "namespace_definition":
        name = node.child_by_field_name("name")
        return b"" if name is None else (name.text or b"").split(b"::")[0]
    head = _HEAD.match(node.text or b"")
    words = re.findall(rb"\w+", head[0]) if head is not None else []
    if node.type == "using_declaration":
        return words[-1] if words else b""
    found = _DECLARED.search(node.text or b"") if node.type != "comment" else None
    return b"" if found is None else found[1] or found[2]
