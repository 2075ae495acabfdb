"""Under which names a file speaks of CUB: its namespace, aliases of it, and members that go without it."""

from __future__ import annotations

from collections.abc import Iterable

from cudamigrate.cuda import opened_namespaces
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.warp.sources import libraries

_DIRECTIVE = re.compile(rb"\busing\s+namespace\s+(?:::)?(\w+)|\bnamespace\s+(\w+)\s*=\s*(?:::)?(\w+)\s*;")
"""`using namespace cub` (group 1), or `namespace c = cub;`, the new name and the old (2 and 3)."""
_IMPORTED = re.compile(rb"\busing\s+(?:::)?(\w+)\s*::\s*(\w+)\s*;")
"""One member made known without its namespace: `using cub::WarpReduce;`."""
_DECLARED = re.compile(rb"\b(?:class|struct)\s+(\w+)|\busing\s+(\w+)\s*=")
"""A type that the file declares itself: `struct WarpReduce`, `using WarpReduce =`."""


def names(parsed: ParsedFile, members: Iterable[str]) -> tuple[set[bytes], set[bytes]]:
    """Names of CUB's namespace in this file, and those of its members that go without it and are not declared here."""
    known = {name.encode() for name in members}
    owners, opened = {name.encode() for name in libraries()["CUB"].namespaces}, set[bytes]()
    for match in opened_namespaces.matches(parsed, _DIRECTIVE):
        if match[1] in owners:
            opened |= known
        elif match[3] in owners:
            owners.add(match[2])
    opened |= {match[2] for match in opened_namespaces.matches(parsed, _IMPORTED) if match[1] in owners} & known
    return owners, opened - parsed.once(_types) - {function.name.encode() for function in parsed.functions}


def qualified(parsed: ParsedFile, start: int, owners: set[bytes], bare: set[bytes], name: bytes) -> int:
    """Where a name of CUB's begins with what is before it; -1 for another's."""
    before = parsed.lexed.before(start)
    if before is None or parsed.lexed.text(before) != b"::":
        declared = before is not None and parsed.lexed.text(before) in (b"class", b"struct", b"using")
        own = name in bare or (_is_within(parsed, start, owners) and name not in parsed.once(_types))
        return start if own and not declared else -1
    owner = parsed.lexed.before(before.start)
    if owner is None or parsed.lexed.text(owner) not in owners:
        return -1
    absolute = parsed.lexed.before(owner.start)
    if absolute is None or parsed.lexed.text(absolute) != b"::":
        return owner.start
    outer = parsed.lexed.before(absolute.start)
    return absolute.start if outer is None or outer.end != absolute.start else owner.start


def _types(parsed: ParsedFile) -> frozenset[bytes]:
    """The types that a file declares."""
    return frozenset(match[1] or match[2] for match in parsed.lexed.starting(_DECLARED, b"class", b"struct", b"using"))


def _is_within(parsed: ParsedFile, start: int, owners: set[bytes]) -> bool:
    """Whether a place is in code that a file which includes CUB has in CUB's namespace; CUB's own files are none."""
    headers = tuple(libraries()["CUB"].headers)
    if not any(one.path.startswith((*headers, "hipcub/")) for one in parsed.includes):
        return False
    around = parsed.nodes_around(start, start + 1)
    return any(one.type == "namespace_definition" and text(one.child_by_field_name("name")) in owners for one in around)
