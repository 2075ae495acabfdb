"""Whether a kernel shows how many lanes a warp has: one result of each warp, put where others read it.

Comes in: the functions of a file with lane code, and what expressions are worth. Goes out: yes where a kernel stores
such a result to memory that it was given, by the number of the warp, by the first lane of each, or by all of its lanes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from migrate.analysis.constant_values import Values
from migrate.cuda.declarations import text
from migrate.syntax import tree_sitter_nodes
from migrate.warp.native_wave.lane_idioms import Shapes, assignments, below, flattened

_KERNEL = re.compile(rb"\b__global__\b")
_BUFFERED = re.compile(rb"\b__shared__\b|\b__syncthreads\b|\[")
_SHUFFLE = re.compile(rb"\b__shfl\w*\s*\(")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def is_visible(values: Values, functions: Sequence[Node]) -> bool:
    """Whether one of the kernels among some functions shows results of single warps."""
    bare = {_name(node) for node in functions if _reduces_a_warp(node)} - {b""}
    return any(_shows(values, node, bare) for node in functions if _KERNEL.search(_head(node)))


def _shows(values: Values, kernel: Node, helpers: set[bytes]) -> bool:
    shapes = Shapes(values)
    shapes.learn(kernel)
    given = set(_pointers(kernel))
    of_warps = set(_reduced(kernel, helpers))
    for left, _, right in assignments(kernel):
        base = next((text(node) for node in below(left) if node.type == "identifier" and text(node) in given), b"")
        if not base or left.type == "identifier":
            continue
        if any(shapes.kind(node) == "warp" for node in below(left)):
            return True
        guards = set(_guards(shapes, left))
        if "thread0" in guards or {"lane0", "wave0"} <= guards:
            continue
        if "lane0" in guards or not of_warps.isdisjoint(_WORD.findall(text(right))):
            return True
    return False


def _pointers(kernel: Node) -> Iterator[bytes]:
    """The parameters of a kernel through which it stores results: pointers, and objects that stand for arrays."""
    declarator = kernel.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    for parameter in listed.named_children if listed is not None else ():
        words = _WORD.findall(text(parameter).partition(b"=")[0])
        if words:
            yield words[-1]


def _guards(shapes: Shapes, node: Node) -> Iterator[str]:
    """What the conditions around a place choose of the threads."""
    child = node
    for around in tree_sitter_nodes.ancestors(node):
        if around.type == "if_statement" and around.child_by_field_name("consequence") == child:
            condition = around.child_by_field_name("condition")
            for term in flattened(condition) if condition is not None else ():
                yield shapes.guard(term)
        if around.type == "function_definition":
            return
        child = around


def _reduced(kernel: Node, helpers: set[bytes]) -> Iterator[bytes]:
    """Variables that the lanes of a warp bring together, by shuffles or by a function that only shuffles."""
    names = b"|".join([rb"__shfl\w*", *map(re.escape, sorted(helpers))])
    call = re.compile(rb"\b(?:" + names + rb")\s*(?:<[^<>;]*>)?\s*\(")
    for left, _, right in assignments(kernel):
        if left.type == "identifier" and call.search(text(right)):
            yield text(left)
    for node in below(kernel):
        if node.type == "init_declarator" and call.search(text(node.child_by_field_name("value"))):
            yield text(node.child_by_field_name("declarator"))


def _reduces_a_warp(node: Node) -> bool:
    """Whether a function shuffles and touches no memory."""
    body = text(node.child_by_field_name("body"))
    return _SHUFFLE.search(body) is not None and _BUFFERED.search(body) is None


def _head(node: Node) -> bytes:
    body = node.child_by_field_name("body")
    return text(node)[: body.start_byte - node.start_byte] if body is not None else b""


def _name(node: Node) -> bytes:
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.child_by_field_name("declarator") is not None:
        inner = inner.child_by_field_name("declarator")
    return text(inner)
