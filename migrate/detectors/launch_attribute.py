"""Members of a launch attribute's value that HIP's union lacks."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"Attribute",)

_MEMBER = re.compile(
    rb"\bval\s*\.\s*(?P<name>programmaticStreamSerializationAllowed|programmaticEvent|launchCompletionEvent"
    rb"|deviceUpdatableKernelNode|clusterDim|clusterSchedulingPolicyPreference|preferredClusterDim"
    rb"|nvlinkUtilCentricScheduling|sharedMemCarveout|portableClusterSizeMode)\b"
)
"""A member of a launch attribute's value, behind CUDA's name of the union: `val.clusterDim`."""
_CLUSTERS = (b"clusterDim", b"clusterSchedulingPolicyPreference", b"preferredClusterDim", b"portableClusterSizeMode")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first access to such a member of each attribute in a function; `val` is what CUDA calls the union."""
    seen: set[tuple[int, bytes, bytes]] = set()
    for match in parsed.lexed.matches(_MEMBER):
        function = parsed.function(match.start())
        owner = parsed.data[parsed.data.rfind(b"\n", 0, match.start()) + 1 : match.start()].strip()
        key = (function.span.start if function is not None else 0, owner, match["name"])
        if key in seen:
            continue
        seen.add(key)
        rule = "cluster-attribute" if match["name"] in _CLUSTERS else "attribute-value"
        span, name = Span(*match.span("name")), match["name"].decode()
        scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
        yield Hit(f"launch/{rule}", Use("name", name, span, span, (), scope, certainty), {"name": name})
