"""Cooperative groups in one file: by which names they go, and which variables hold which kind.

Result: what the source shows, worked out once for each file. A variable whose type is not spelled out here or in its
initialiser is none. By which names the namespace goes may be said in a header that the file includes.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda import opened_namespaces
from cudamigrate.cuda.parsed_file import Include, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use, release

NAMESPACE = b"cooperative_groups"
USUAL = frozenset((NAMESPACE, b"cg"))
"""The spellings that rules list."""
HEADERS = {
    "groups": {
        "cooperative_groups/reduce.h": "7.13",
        "cooperative_groups/scan.h": "7.14",
        "cooperative_groups/memcpy_async.h": "10.0",
    },
    "pipelines": {"cuda_pipeline.h": "", "cuda_pipeline_primitives.h": ""},
}
"""CUDA's headers with the release from which on HIP has an equivalent, or nothing; of one kind all change alike."""
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::\s*)?cooperative_groups\s*;")
"""A short name for the namespace: `namespace cg = cooperative_groups;`, maybe with `::` before."""
_OPENED = re.compile(rb"\busing\s+namespace\s+(?:::\s*)?cooperative_groups\s*;")
"""The namespace used without a prefix: `using namespace cooperative_groups;`, maybe with `::` before."""
_ENDED = rb"\s*(?:<(?P<size>[^;(){}]*?)>)?\s*"
_KINDS = {
    b"thread_block": "block", b"this_thread_block": "block",
    b"thread_block_tile": "tile", b"tiled_partition": "tile", b"tiled_group": "tile",
    b"coalesced_group": "active", b"coalesced_threads": "active", b"labeled_partition": "active",
    b"binary_partition": "active",
    b"grid_group": "grid", b"this_grid": "grid",
    b"cluster_group": "cluster", b"this_cluster": "cluster",
    b"multi_grid_group": "devices", b"this_multi_grid": "devices",
    b"thread_group": "any",
}  # fmt: skip
"""Types, and functions that return them."""
_MADE = re.compile(rb"(?:\w+\s*::\s*)*tiled_partition\s*<(?P<size>[^;(){}<>]*)>\s*\(")
"""A tile with its size, behind any namespace: `cg::tiled_partition<32>(`. No brackets inside, so the size is plain."""
_DECLARED = rb"(?:const\b\s*)?[&*]{0,2}\s*(?P<name>[A-Za-z_]\w*)\s*(?=[;=,)({\[])"
"""What is declared behind a type: `const &group)`, `group =`."""
_WARP = 32
_FUNCTIONS = frozenset(
    name for name in _KINDS if name.startswith(b"this_") or name.endswith((b"_partition", b"_threads"))
)


@dataclass(frozen=True, slots=True)
class Group:
    """A variable that holds a group of one kind, and where it does; `size` is how a tile's type spells its size."""

    kind: str
    scope: Span
    size: bytes = b""


@dataclass(frozen=True, slots=True)
class Groups:
    """`spaces` are the names of the namespace, `opened` whether its members are used without one.

    `is_spoken_of` says whether the file names cooperative groups at all.
    """

    spaces: frozenset[bytes]
    opened: bool
    variables: dict[bytes, list[Group]]
    is_spoken_of: bool = False

    def kind(self, name: bytes, offset: int) -> str:
        """What kind of group a variable holds at an offset; empty where that is not known, or not one kind only."""
        kinds = {group.kind for group in self._near(name, offset)}
        return kinds.pop() if len(kinds) == 1 else ""

    def size(self, name: bytes, offset: int) -> bytes:
        """How the size of the tile that a variable holds is spelled; empty where it is no tile of one known type."""
        near = self._near(name, offset)
        sizes = {group.size for group in near}
        return sizes.pop() if len(sizes) == 1 and {group.kind for group in near} == {"tile"} else b""

    def _near(self, name: bytes, offset: int) -> list[Group]:
        return [group for group in self.variables.get(name, ()) if group.scope.start <= offset < group.scope.end]


def groups(parsed: ParsedFile) -> Groups:
    """The groups of a file; without the word `cooperative_groups` only the usual alias is read."""
    return parsed.once(_read)


def of_tile(parsed: ParsedFile, use: Use) -> bool:
    """Whether a call's first argument is a tile of at most a warp, by its declaration or as it is made there."""
    if len(use.args) < 2:
        return False
    group = parsed.data[use.args[0].start : use.args[0].end].strip()
    made = _MADE.match(group)
    spelled = made["size"].strip() if made is not None else groups(parsed).size(group, use.span.start)
    size = Values.of(parsed).spelled(spelled) if spelled else None
    # A parameter of a template has no number yet: for more than a warp our header does not compile, and says why.
    return bool(spelled) and (size is None or 0 < size <= _WARP)


def is_made_tile(parsed: ParsedFile, spelled: bytes) -> bool:
    """Whether an expression makes a tile: `cg::tiled_partition<32>(block)`."""
    return groups(parsed).is_spoken_of and _MADE.match(spelled) is not None


def replaced(parsed: ParsedFile, kind: str) -> list[Include]:
    """The includes of a kind of header, outside conditionals, whose place our own header takes for the target."""
    goal, headers = release(parsed.target.rocm), HEADERS[kind]
    ours = {header for header, since in headers.items() if not since or goal < release(since)}
    return [include for include in parsed.includes if include.path in ours and not include.conditional]


def _read(parsed: ParsedFile) -> Groups:
    lexed = parsed.lexed
    spaces = USUAL | {match[1] for match in opened_namespaces.matches(parsed, _ALIAS)}
    opened = any(True for _ in opened_namespaces.matches(parsed, _OPENED))
    prefix = rb"(?:(?:::\s*)?(?:" + b"|".join(map(re.escape, sorted(spaces))) + rb")\s*::\s*)"
    names = rb"(?P<kind>" + b"|".join(sorted(_KINDS, reverse=True)) + rb")\b"
    start = rb"(?<![\w:.>])" + prefix + (b"?" if opened else b"") + names + _ENDED
    declared = re.compile(start + _DECLARED)
    given = re.compile(rb"\bauto\b(?:\s*const\b)?[\s&]*(?P<name>\w+)\s*[={(]\s*" + start.removeprefix(b"(?<![\\w:.>])"))
    variables: dict[bytes, list[Group]] = {}
    first = (b"::", *sorted(spaces), *(sorted(_KINDS) if opened else ()))
    for found, is_type in ((lexed.starting(declared, *first), True), (lexed.starting(given, b"auto"), False)):
        for match in found:
            if (match["kind"] in _FUNCTIONS) == is_type:
                continue
            kind = _KINDS[match["kind"]]
            size = (match["size"] or b"").partition(b",")[0].strip() if kind == "tile" else b""
            variables.setdefault(match["name"], []).append(Group(kind, _scope(parsed, match.start()), size))
    for alias, group in _aliases(parsed, start):
        named = re.compile(rb"(?<![\w:.>])" + alias + _ENDED + _DECLARED)
        for match in parsed.lexed.starting(named, alias):
            found_size = group.size if match["size"] is None else match["size"].partition(b",")[0].strip()
            made = Group(group.kind, _scope(parsed, match.start()), found_size if group.kind == "tile" else b"")
            variables.setdefault(match["name"], []).append(made)
    said = NAMESPACE in parsed.data or any(NAMESPACE in one for one in parsed.opened)
    said = said or any(include.path.startswith("cooperative_groups") for include in parsed.includes)
    return Groups(spaces, opened, variables, said)


def _aliases(parsed: ParsedFile, start: bytes) -> Iterator[tuple[bytes, Group]]:
    """Other names for the types of groups: `using Warp = cg::thread_block_tile<32>;`, or by `typedef`."""
    plain = start.removeprefix(rb"(?<![\w:.>])")
    by_using = re.compile(rb"\busing\s+(?P<name>\w+)\s*=\s*" + plain + rb"\s*;")
    by_typedef = re.compile(rb"\btypedef\s+" + plain + rb"\s*(?P<name>\w+)\s*;")
    for found, word in ((by_using, b"using"), (by_typedef, b"typedef")):
        for match in parsed.lexed.starting(found, word):
            if match["kind"] not in _FUNCTIONS:
                kind, size = _KINDS[match["kind"]], (match["size"] or b"").partition(b",")[0].strip()
                yield match["name"], Group(kind, _scope(parsed, match.start()), size)


def _scope(parsed: ParsedFile, offset: int) -> Span:
    function = parsed.function(offset)
    return Span(0, len(parsed.data)) if function is None else function.span
