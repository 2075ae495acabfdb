"""Atomic operations that PCIe lacks, on memory that stays with the host."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.atomic_calls import atomic_call, pointed_type
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.host_memory import HostMemory
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit
from cudamigrate.rulebase.architectures import architecture

WORDS = ((b"atomic", b"Managed"), (b"atomic", b"__managed__"), (b"atomic", b"Host"))

_LACKING = re.compile(rb"(?<![\w.>:])(?:::)?atomic(?:Min|Max|And|Or|Xor|Inc|Dec)(?:_block)?\s*\(")
"""What PCIe has not: it adds, so it subtracts, exchanges, and compares and swaps. `_system` is another rule's."""
_BY_EXCHANGE = frozenset((b"float", b"double"))
"""Types whose smallest and largest HIP finds by compare and swap."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Those in device code whose memory the file is seen to allocate on the host, for GPUs that lose them."""
    losing = [arch for arch in parsed.target.arch if not architecture(arch).host_atomics]
    if not losing:
        return
    for match in parsed.lexed.matches(_LACKING, b"atomic"):
        call = atomic_call(parsed, match) if parsed.scope(match.start()) == "device" else None
        if call is None or not call.args or parsed.hip(match.start()) is False:
            continue
        address = call.args[0]
        node = node_at(parsed, address.start, address.end)
        if node is None or pointed_type(parsed, Values.of(parsed), address) in _BY_EXCHANGE:
            continue
        origin = HostMemory.of(parsed).origin(node)
        if origin is None:
            continue
        use = replace(call, certainty="token") if origin.through_member else call
        line = parsed.data.count(b"\n", 0, origin.start) + 1
        made = f"`{origin.name}` (line {line})"
        yield Hit("memory/host-atomic", use, {"name": call.name, "made": made, "arch": ", ".join(losing)})
