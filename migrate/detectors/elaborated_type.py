"""`struct` before a type that CUDA declares under that tag and HIP by a `typedef` alone; such a type declared ahead."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.shadowed_names import declares_the_driver
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"struct", b"union", b"enum")
_VECTOR = rb"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
"""CUDA's vectors, which are structures: HIP's are other names of one template."""
_TAGGED = re.compile(
    rb"\b(?P<word>struct|union|enum)\s+(?:::\s*)?(?P<name>cudaGraphicsResource|cudaLaunchParams|cudaLaunchAttribute"
    rb"|cudaExternalMemory(?:BufferDesc|HandleDesc|HandleType|MipmappedArrayDesc)"
    rb"|cudaExternalSemaphore(?:HandleDesc|HandleType|SignalParams(?:_v1)?|WaitParams(?:_v1)?)"
    rb"|CU(?:graphicsResource|externalMemory|externalSemaphore)_st|CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st"
    rb"|(?P<vector>%b))(?!\w)(?!\s*[{:])" % _VECTOR
)
"""A type with its kind: `struct cudaGraphicsResource *`, `struct cudaGraphicsResource;`. A definition is of another."""
_TAGS = {
    "cudaGraphicsResource": "_hipGraphicsResource",
    "cudaLaunchParams": "hipLaunchParams_t",
    "cudaLaunchAttribute": "hipLaunchAttribute_st",
    "cudaExternalMemoryBufferDesc": "hipExternalMemoryBufferDesc_st",
    "cudaExternalMemoryHandleDesc": "hipExternalMemoryHandleDesc_st",
    "cudaExternalMemoryMipmappedArrayDesc": "hipExternalMemoryMipmappedArrayDesc_st",
    "cudaExternalSemaphoreHandleDesc": "hipExternalSemaphoreHandleDesc_st",
    "cudaExternalSemaphoreSignalParams": "hipExternalSemaphoreSignalParams_st",
    "cudaExternalSemaphoreWaitParams": "hipExternalSemaphoreWaitParams_st",
    "CUgraphicsResource_st": "_hipGraphicsResource",
}
"""Structures by the tags that HIP's `hip_runtime_api.h` gives them, beside the names of its `typedef`s."""

_AHEAD = re.compile(rb"\s*;")
_OWN = ("namespace_definition", "struct_specifier", "class_specifier", "function_definition", "friend_declaration")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such word in C++, where the type is found without it; C knows CUDA's only by it."""
    if parsed.source.path.endswith(".c") or declares_the_driver(parsed):
        return
    for match in parsed.lexed.starting(_TAGGED, b"struct", b"union", b"enum"):
        if parsed.hip(match.start()) is not None:
            continue
        span, name = Span(*match.span("word")), match["name"].decode()
        if _AHEAD.match(parsed.data, match.end()) is None:
            use = parsed.named_use(match["word"].decode(), span, "token")
            yield Hit("build/elaborated-type", use, {"type": name})
        elif name in _TAGS and _is_cudas(parsed, span.start):
            use = parsed.named_use(_TAGS[name], span, "token")
            yield Hit("build/type-declared-ahead", use, {"type": name, "tag": _TAGS[name]})
        elif match["vector"] and not _defines(parsed, match["name"]) and _is_cudas(parsed, span.start):
            whole = Span(match.start(), parsed.data.index(b";", match.end()) + 1)
            yield Hit("build/vector-declared-ahead", parsed.named_use(name, whole, "token"), {"type": name})


def _is_cudas(parsed: ParsedFile, offset: int) -> bool:
    """Whether a tag that is declared there is CUDA's: a statement of its own, in no namespace and no class."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    around = [one for one in tree_sitter_nodes.ancestors(node) if one.start_byte < offset] if node is not None else []
    return all(one.type not in _OWN for one in around)


def _defines(parsed: ParsedFile, name: bytes) -> bool:
    """Whether the file has a structure of its own by a name."""
    pattern = re.compile(rb"\bstruct\s+(?:\w+\([^()]*\)\s*)?%b\s*\{" % name)
    return next(parsed.lexed.matches(pattern, name), None) is not None
