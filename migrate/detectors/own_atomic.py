"""Atomic operations that a file defines for itself because CUDA lacks them, and that HIP's headers define as well."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"atomic",)

_OF_HIP = {
    b"atomicMin": (b"float", b"double"),
    b"atomicMax": (b"float", b"double"),
    b"atomicSub": (b"float", b"double"),
    b"atomicExch": (b"double",),
    b"atomicAdd": (b"double",),
}
"""What HIP's headers define for all GPUs, and CUDA's not at all, or for newer GPUs alone."""
_HEAD = re.compile(
    rb"(?P<result>\w+)\s+(?P<name>atomic(?:Min|Max|Sub|Exch|Add))\s*\(\s*(?P<type>float|double)\s*\*\s*(?:const\s+)?"
    rb"(?:\w+\s*)?,\s*(?:const\s+)?(?P<value>float|double)(?:\s+\w+)?\s*\)"
)
"""The head of such a definition: `float atomicMin(float *const address, const float value)`."""
_LONG = rb"(?:unsigned\s+long(?:\s+int)?|(?:::)?(?:std::)?(?:uint64_t|size_t))"
_LONG_HEAD = re.compile(
    rb"(?P<result>%b)\s+(?P<name>atomic(?:Min|Max|Sub|Exch|Add|CAS|And|Or|Xor))\s*\(\s*(?:%b)\s*\*\s*(?:const\s+)?"
    rb"(?:\w+\s*)?(?:,\s*(?:const\s+)?%b(?:\s+const)?(?:\s+\w+)?\s*){1,2}\)" % (_LONG, _LONG, _LONG)
)
"""The same for `unsigned long`, which these types are on Linux: CUDA has them for `unsigned long long` alone."""
_INSIDE = ("namespace_definition", "class_specifier", "struct_specifier", "template_declaration", "ERROR")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each definition in the global namespace that gives nothing, or what HIP's function gives."""
    for function in parsed.functions:
        if function.scope != "device" or parsed.hip(function.span.start) is not None:
            continue
        long_ = _LONG_HEAD.search(parsed.data, function.span.start, function.body.start)
        if long_ is not None and not _is_inside(parsed, function):
            yield _hit(long_, function, "unsigned long")
            continue
        head = _HEAD.search(parsed.data, function.span.start, function.body.start)
        if head is None or head["type"] not in _OF_HIP[head["name"]] or head["value"] != head["type"]:
            continue
        if head["result"] in (b"void", head["type"]) and not _is_inside(parsed, function):
            yield _hit(head, function, head["type"].decode())


def _hit(head: re.Match[bytes], function: Function, kind: str) -> Hit:
    name = head["name"].decode()
    place = Span(head.start("name"), head.end())
    use = Use("name", name, place, function.span, (), "device", "syntax")
    return Hit("memory/own-atomic", use, {"name": f"{name}({kind} *)"})


def _is_inside(parsed: ParsedFile, function: Function) -> bool:
    """Whether the definition is a template, or of a class or namespace: then it is another function than HIP's.

    So it may be where the tree does not tell what is around.
    """
    start = function.span.start
    return any(node.type in _INSIDE for node in parsed.nodes_around(start, start + 1))
