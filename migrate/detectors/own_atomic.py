"""Atomic operations that a file defines for itself because CUDA lacks them, and that HIP's headers define as well."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.type_names import declared

WORDS = (b"atomic",)
_DEPTH = 4

_OF_HIP = {
    b"atomicMin": (b"float", b"double"),
    b"atomicMax": (b"float", b"double"),
    b"atomicSub": (b"float", b"double"),
    b"atomicCAS": (b"float", b"double"),
    b"atomicExch": (b"double",),
    b"atomicAdd": (b"double",),
}
"""What HIP's headers define for all GPUs, and CUDA's not at all, or for newer GPUs alone."""
_HEAD = re.compile(
    rb"(?P<result>\w+)\s+(?P<name>atomic(?:Min|Max|Sub|Exch|Add|CAS))\s*\(\s*(?P<type>\w+)\s*\*\s*(?:const\s+)?"
    rb"(?:\w+\s*)?(?:,\s*(?:const\s+)?(?P<compared>\w+)(?:\s+\w+)?\s*)?"
    rb",\s*(?:const\s+)?(?P<value>\w+)(?:\s+\w+)?\s*\)"
)
"""The head of such a definition: `float atomicMin(float *const address, const float value)`."""
_PLAIN = frozenset((b"void", b"bool", b"int", b"unsigned", b"float", b"double"))
"""Types of one word that a function may give; other words before a name are qualifiers, or not known."""
_LONG = rb"(?:unsigned\s+long(?:\s+int)?|(?:::)?(?:std::)?(?:uint64_t|size_t))"
_LONG_HEAD = re.compile(
    rb"(?P<result>%b)\s+(?P<name>atomic(?:Min|Max|Sub|Exch|Add|CAS|And|Or|Xor))\s*\(\s*(?:%b)\s*\*\s*(?:const\s+)?"
    rb"(?:\w+\s*)?(?:,\s*(?:const\s+)?%b(?:\s+const)?(?:\s+\w+)?\s*){1,2}\)" % (_LONG, _LONG, _LONG)
)
"""The same for `unsigned long`, which these types are on Linux: CUDA has them for `unsigned long long` alone."""
_INSIDE = ("namespace_definition", "class_specifier", "struct_specifier", "template_declaration", "ERROR")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each definition in the global namespace: of what gives nothing, or what HIP's function gives, and of others."""
    for function in parsed.functions:
        if function.scope != "device" or parsed.hip(function.span.start) is not None:
            continue
        long_ = _LONG_HEAD.search(parsed.data, function.span.start, function.body.start)
        if long_ is not None and not _is_inside(parsed, function):
            yield _hit(long_, function, "unsigned long")
            continue
        head = _HEAD.search(parsed.data, function.span.start, function.body.start)
        if head is None or _is_inside(parsed, function):
            continue
        names = parsed.once(_TypeNames)
        kind, result = (names.meant(head[part]) for part in ("type", "result"))
        values = {names.meant(one) for one in (head["value"], head["compared"]) if one is not None}
        needed = head["name"] == b"atomicCAS"
        if kind not in _OF_HIP[head["name"]] or values != {kind} or needed != (head["compared"] is not None):
            continue
        if result in (b"void", kind):
            yield _hit(head, function, kind.decode())
        elif result in _PLAIN:
            yield _hit(head, function, kind.decode(), "memory/own-atomic-result")


class _TypeNames:
    """What the names that a file gives to types stand for; a name that is given to two stands for itself."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._spelled: dict[bytes, bytes] = {}
        for name, spelled in declared(parsed.lexed):
            self._spelled[name] = spelled if self._spelled.get(name, spelled) == spelled else name

    def meant(self, name: bytes) -> bytes:
        """The type that a name stands for: `float` for `F32`."""
        for _ in range(_DEPTH):
            name = self._spelled.get(name, name)
        return name


def _hit(head: re.Match[bytes], function: Function, kind: str, rule: str = "memory/own-atomic") -> Hit:
    name = head["name"].decode()
    place = Span(head.start("name"), head.end())
    use = Use("name", name, place, function.span, (), "device", "syntax")
    return Hit(rule, use, {"name": f"{name}({kind} *)", "result": head["result"].decode(), "type": kind})


def _is_inside(parsed: ParsedFile, function: Function) -> bool:
    """Whether the definition is a template, or of a class or namespace: then it is another function than HIP's.

    So it may be where the tree does not tell what is around.
    """
    start = function.span.start
    return any(node.type in _INSIDE for node in parsed.nodes_around(start, start + 1))
