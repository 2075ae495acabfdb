"""Members of thread block clusters: memory of other blocks, and barriers of the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"cluster", b"shared_rank")

_SHARED = re.compile(rb"(?<![\w.])(\w+)\s*(?:\.|->)\s*(?:map_shared_rank|query_shared_rank)\s*(?=[(<])")
"""What only a cluster's group has, of any variable: `cluster.map_shared_rank(`. The `(` or `<` must follow it."""
_DECLARED = re.compile(
    rb"\b(?:cluster_group\s*&?\s*(\w+)\s*[=;,)({]|(\w+)\s*=\s*(?:\w+\s*::\s*)*this_cluster\s*\(\s*\))"
)
"""A variable for a cluster's group, by its type or its value: `cluster_group& c)`, `auto c = cg::this_cluster()`."""
_MEMBERS = rb"(?:sync|barrier_arrive|barrier_wait|arrive|wait|block_rank|num_blocks|dim_blocks|block_index)"


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call of a member of a cluster's group, and of what only such groups have."""
    groups = {
        name
        for match in parsed.lexed.matches(_DECLARED, b"cluster_group", b"this_cluster")
        for name in match.groups()
        if name
    }
    found = [parsed.lexed.matches(_SHARED, b"shared_rank")]
    for name in sorted(groups):
        member = re.compile(rb"(?<![\w.>])" + name + rb"\s*\.\s*" + _MEMBERS + rb"\s*(?=\()")
        found.append(parsed.lexed.starting(member, name))
    for match in chain.from_iterable(found):
        span = Span(*match.span())
        use = parsed.named_use(match[0].decode(), span, "token")
        yield Hit("cooperative-groups/cluster-member", use, {"name": use.name})
