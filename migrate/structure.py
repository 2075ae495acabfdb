"""Syntax tree -> functions, namespaces and classes as ranges.

Comes in: a lexed file and the root of its tree. Goes out: which function holds an offset and where it runs, and which
namespaces and classes enclose it. Only file level is walked: what stands in a function body runs where the body runs,
apart from lambdas that say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from migrate.model import Scope, Span
from migrate.parsed import Function
from migrate.tokens import Lexed

_CONTAINERS = frozenset(
    (
        "translation_unit",
        "declaration_list",
        "field_declaration_list",
        "linkage_specification",
        "template_declaration",
        "declaration",
        "field_declaration",
        "friend_declaration",
        "type_definition",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
        "ERROR",
    )
)
"""Nodes that can hold functions, namespaces and classes at file level; function bodies are not looked into."""
_CLASSES = frozenset(("class_specifier", "struct_specifier", "union_specifier"))
_ON_DEVICE = re.compile(rb"__global__|__device__|\b(?:CUTLASS|CUTE|C10)_(?:HOST_)?DEVICE\b")
"""CUDA's qualifiers, and what CUTLASS and PyTorch call them."""
_DEVICE_LAMBDA = re.compile(rb"\](?=[\s]*(?:__host__\s+)?__device__\b)")


class Structure:
    """Functions, namespaces and classes of a file as ranges."""

    def __init__(self, lexed: Lexed, root: Node) -> None:
        self.data = lexed.data
        self.functions: list[Function] = []
        self.named: list[tuple[int, int, str]] = []
        self._collect(root)
        self.functions.extend(self._device_lambdas(lexed))
        self.functions.sort(key=lambda function: (function.span.start, -function.span.end))
        self.named.sort(key=lambda entry: (entry[0], -entry[1]))

    def _collect(self, root: Node) -> None:
        waiting = [root]
        while waiting:
            for node in waiting.pop().named_children:
                kind = node.type
                if kind == "function_definition":
                    self._function(node)
                elif kind == "namespace_definition" or kind in _CLASSES:
                    body = node.child_by_field_name("body")
                    if body is not None:
                        self.named.append((node.start_byte, node.end_byte, self._name(node)))
                        waiting.append(body)
                elif kind in _CONTAINERS:
                    waiting.append(node)

    @staticmethod
    def _device_lambdas(lexed: Lexed) -> Iterator[Function]:
        """Lambdas that say `__device__`; others run where their function runs, as far as syntax can tell."""
        for match in lexed.matches(_DEVICE_LAMBDA, b"__device__"):
            opening = lexed.data.find(b"{", match.end())
            closing = lexed.closing(opening) if opening >= 0 else -1
            if closing > 0:
                span = Span(match.start(), closing + 1)
                yield Function(span, Span(opening, closing + 1), "", "device")

    def enclosing(self, offset: int) -> str:
        """The `::`-joined names of the namespaces and classes around `offset`."""
        return "::".join(name for start, end, name in self.named if start <= offset < end and name)

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return "" if name is None else self.data[name.start_byte : name.end_byte].decode("latin-1")

    def _function(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        head = self.data[node.start_byte : body.start_byte]
        scope: Scope = "device" if _ON_DEVICE.search(head) is not None else "host"
        span, inner = Span(node.start_byte, node.end_byte), Span(body.start_byte, body.end_byte)
        self.functions.append(Function(span, inner, self._declared(node), scope))

    def _declared(self, node: Node) -> str:
        inner = node.child_by_field_name("declarator")
        while inner is not None and inner.child_by_field_name("declarator") is not None:
            inner = inner.child_by_field_name("declarator")
        return "" if inner is None else self.data[inner.start_byte : inner.end_byte].decode("latin-1")
