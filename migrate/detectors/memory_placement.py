"""Memory that the GPU reads where it is, and vectors that are elsewhere in a struct."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.host_memory_uses import reach_kernels
from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_MAPPED, _MANAGED_RULE = "mapped-host-memory", "managed-memory"
_RULES = {
    "cudaMallocManaged": "managed-memory", "cuMemAllocManaged": "managed-memory",
    "cudaHostAllocMapped": _MAPPED, "cudaHostRegisterMapped": _MAPPED,
    "cudaDeviceEnablePeerAccess": "peer-access", "cuCtxEnablePeerAccess": "peer-access",
    "CU_MEMHOSTALLOC_DEVICEMAP": _MAPPED, "CU_MEMHOSTREGISTER_DEVICEMAP": _MAPPED,
}  # fmt: skip
_REACHES = "so each access of a kernel crosses the bus"
_MAY_REACH = "so each access crosses the bus if a kernel gets it, which is not seen here; for copies alone it is right"
_LEADING = (b"return", b"else", b"do", b"throw", b"case")
_MANAGED = re.compile(rb"\b__managed__\b")
_WIDE = re.compile(rb"\b(?P<type>double4|u?long4|u?longlong4)\s+(?P<name>[A-Za-z_]\w*)\s*(?=[;,\[])")
"""What may be a member of 32 bytes: `double4 x;`, `ulong4 y[`; a function or a pointer is none."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Managed memory, memory of the host or of another GPU that kernels read, and members of 32 bytes."""
    for use in parsed.uses:
        if use.name in _RULES and not _is_declared(parsed, use):
            hit = _hit(parsed, _RULES[use.name], use.name, use.span)
            mapped = _mapped(parsed, hit) if _RULES[use.name] == _MAPPED else hit
            if mapped is not None and not (_RULES[use.name] == _MANAGED_RULE and _is_hosts(parsed, use)):
                yield mapped
    for match in parsed.lexed.matches(_MANAGED, b"__managed__"):
        if parsed.lexed.text(parsed.lexed.before(match.start())) != b"define":
            yield _hit(parsed, "managed-memory", "__managed__", Span(*match.span()))
    for match in parsed.lexed.matches(_WIDE, b"double4", b"long4"):
        if _is_member(parsed, match.start()):
            yield _hit(parsed, "wide-vector-member", match["type"].decode(), Span(*match.span("type")))


def _is_hosts(parsed: ParsedFile, use: Use) -> bool:
    """Whether a call makes managed memory that the host and copies alone use, as all that is done with it shows."""
    around = reversed(parsed.nodes_around(use.span.start, use.span.end))
    call = next((one for one in around if one.type == "call_expression"), None)
    return call is not None and reach_kernels(parsed, call) is False


def _mapped(parsed: ParsedFile, hit: Hit) -> Hit | None:
    """The hit for a flag that maps memory for kernels: None where the file shows that only copies and the host use it.

    The flag alone moves nothing: it lets a kernel reach the memory. Where that is not seen, it is likely only.
    """
    around = reversed(parsed.nodes_around(hit.use.span.start, hit.use.span.end))
    call = next((one for one in around if one.type == "call_expression"), None)
    reaches = None if call is None else reach_kernels(parsed, call)
    if reaches is None:
        return replace(hit, use=replace(hit.use, certainty="token"), words={**hit.words, "reads": _MAY_REACH})
    return replace(hit, words={**hit.words, "reads": _REACHES}) if reaches else None


def _is_declared(parsed: ParsedFile, use: Use) -> bool:
    """Whether a type is before the name: a stand-in for CUDA's function is defined here."""
    before = parsed.lexed.before(use.extent.start)
    return before is not None and before.kind == WORD and parsed.lexed.text(before) not in _LEADING


def _is_member(parsed: ParsedFile, offset: int) -> bool:
    """Whether a declaration is a member beside others: the only one is in its place in any case."""
    around = parsed.nodes_around(offset, offset + 1)
    members = next((node.parent for node in reversed(around) if node.type == "field_declaration"), None)
    if members is None or members.type != "field_declaration_list":
        return False
    return sum(node.type == "field_declaration" for node in members.named_children) > 1


def _hit(parsed: ParsedFile, rule: str, name: str, span: Span) -> Hit:
    use = parsed.named_use(name, span)
    return Hit(f"memory/{rule}", use, {"name": name})
