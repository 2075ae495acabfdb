"""Macros that qualify functions for the device in one pass of the compiler, and leave them to the host in the other."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.pass_qualifiers import one_sided, qualifies
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = ((b"__device__", b"__CUDA_ARCH__"), (b"__device__", b"__HIP_DEVICE_COMPILE__"))
_PASS = re.compile(rb"\b__(?:CUDA_ARCH|HIP_DEVICE_COMPILE)__")
_DEFINED = re.compile(rb"(?P<name>[A-Za-z_]\w*)(?!\()(?P<body>.*)", re.DOTALL)
"""A macro without parameters, and its body."""
_DEVICE = re.compile(rb"\b__device__\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such definition that is `__device__` alone, where another branch of its conditional has none of it.

    What qualifies variables alone follows the pass with its conditional, and is not found. In a conditional that holds
    more than qualifiers, one that says `__host__ __device__` is found too: clang's pass for the host reads kernels, and
    needs both there.
    """
    reported = {one.device.start for one in one_sided(parsed) if parsed.hip(one.device.start) is None}
    for one in one_sided(parsed):
        if one.device.start in reported:
            yield from _hit(parsed, one.name, one.device)
    chains: dict[tuple[int, bytes], list[tuple[Directive, bytes]]] = {}
    for directive in parsed.lexed.directives:
        found = _DEFINED.match(directive.argument(parsed.data)) if directive.name == "define" else None
        branch = parsed.conditional(directive.start) if found is not None else None
        if found is None or branch is None or parsed.hip(directive.start) is False:
            continue
        if any(_PASS.search(condition) for condition in branch.conditions):
            chains.setdefault((branch.chain, found["name"]), []).append((directive, found["body"]))
    for (_, name), definitions in chains.items():
        if all(_DEVICE.search(body) for _, body in definitions):
            continue
        for directive, body in definitions:
            if b"__host__" not in body and directive.start not in reported:
                yield from _hit(parsed, name, directive)


def _hit(parsed: ParsedFile, name: bytes, directive: Directive) -> Iterator[Hit]:
    place, text = _DEVICE.search(parsed.data, directive.start, directive.end), name.decode("latin-1")
    qualified = qualifies(parsed, name)
    if place is None or qualified == {"variable"}:
        return
    rule = "build/mixed-qualifier" if "variable" in qualified else "build/pass-qualifier"
    yield Hit(rule, parsed.named_use(text, Span(*place.span())), {"name": text})
