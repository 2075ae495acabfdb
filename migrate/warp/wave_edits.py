"""Edits that put the size of the wave where 32 lanes are counted, for what the facts of a function say.

Every edit is of a number that is known to be one of lanes or of warps; what is none stays as it is.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model import Edit, Span
from cudamigrate.warp.function_facts import FunctionFacts
from cudamigrate.warp.mask_effects import has_effect
from cudamigrate.warp.tree_queries import bare, span

_FIRST = {"lane": "lane0", "warp": "wave0", "thread": "thread0"}
_WRITTEN = ("lane", "warp", "warps", "thread", "first thread")
_FULL = (0xFFFFFFFF, -1)


class WaveEdits(FunctionFacts):
    """The facts of one function, and the edits of all that was recognised in it. `calls` are its lane calls."""

    edits: list[Edit]
    votes: list[Edit]
    calls: set[int]
    width: int

    def begin(self, width: int) -> None:
        """Nothing is recognised yet in blocks of a width, 0 where it is one of several or unseen."""
        self.edits, self.votes, self.calls, self.width = [], [], set(), width

    def write(self, node: Node | None) -> None:
        """Put the size of the wave into an expression that numbers lanes or warps, or a thread by both."""
        node = bare(node)
        if node is None or node.type != "binary_expression" or self.exact(node) not in _WRITTEN:
            return
        sign, left, right = (node.child_by_field_name(part) for part in ("operator", "left", "right"))
        if sign is None or left is None or right is None:
            return
        operator = text(sign)
        if operator in (b">>", b"<<"):
            said = b"/ warpSize" if operator == b">>" else b"* warpSize"
            self.edits.append(Edit(Span(sign.start_byte, right.end_byte), said))
        elif operator in (b"/", b"%"):
            self.replace(right, b"warpSize")
        elif operator == b"&":
            self.replace(right, b"(warpSize - 1)")
        elif operator == b"*":
            self.replace(right if self.of(right).value == 32 else left, b"warpSize")
        if self.exact(node) in ("thread", "first thread"):
            self.write(left)
            self.write(right)
        elif self.exact(left) == "threads rounded up":
            self._write_rounded(bare(left))

    def _write_rounded(self, node: Node | None) -> None:
        """`blockDim.x + 31`, `blockDim.x + 32 - 1`."""
        if node is None or node.type != "binary_expression":
            return
        left, right = bare(node.child_by_field_name("left")), node.child_by_field_name("right")
        if text(node.child_by_field_name("operator")) == b"+":
            self.replace(right, b"warpSize - 1")
        elif left is not None:
            self.replace(left.child_by_field_name("right"), b"warpSize")

    def replace(self, node: Node | None, new: bytes) -> None:
        """Write something for a number of lanes, where it does not ask for the wave already."""
        if node is not None and b"warpSize" not in text(node):
            self.edits.append(Edit(Span(node.start_byte, node.end_byte), new))

    def guard(self, term: Node) -> str:
        """Whom a condition on lane, warp or thread chooses; its size of a warp is written as that of the wave."""
        node = bare(term)
        if node is None or node.type not in ("unary_expression", "binary_expression"):
            return ""
        sign = text(node.child_by_field_name("operator"))
        if node.type == "unary_expression":
            return self._first(node.child_by_field_name("argument")) if sign == b"!" else ""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if sign == b"==":
            zero = [side for side in (left, right) if text(side) == b"0"]
            return self._first(right if zero and zero[0] == left else left) if zero else ""
        if sign != b"<" or right is None:
            return ""
        if self.exact(left) == "thread" and self.is_32(right):
            self.replace(right, b"warpSize")
            return "wave0"
        if self.exact(left) in ("lane", "thread") and self.bounds(right):
            self.write(left)
            return "within"
        return ""

    def _first(self, node: Node | None) -> str:
        self.write(node)
        return _FIRST.get(self.exact(node), "")

    def bounds(self, node: Node) -> bool:
        """Whether an expression is a number of warps that make full wavefronts; it is written as that of the waves.

        The first so many warps of 32 are the same threads as half as many waves of 64, whatever the block has.
        """
        inner = bare(node)
        if inner is not None and self.exact(inner) == "warps" and not self._is_constant(inner):
            self.write(inner)
            return True
        warps = self.values.constant(inner)
        if inner is None or warps is None or warps % 2 or not 0 < warps <= 32:
            return False
        self.replace(inner, b"%d / warpSize" % (warps * 32))
        return True

    def _is_constant(self, node: Node) -> bool:
        return node.type != "binary_expression" and self.values.constant(node) is not None

    def is_32(self, node: Node | None) -> bool:
        """Whether an expression is the size of a warp."""
        fact = self.of(node)
        return fact.sure and fact.value == 32

    def is_full(self, mask: Node) -> bool:
        """Whether a mask names all lanes of a warp, or those that are there, which must be all."""
        if text(mask) == b"__activemask()":
            self.calls.add(mask.start_byte)
            return True
        if has_effect(self.values.parsed, span(mask)):
            return False  # HIP's own shuffle would drop what it does
        fact = self.of(mask)
        return (fact.sure and fact.value in _FULL) or self.values.constant(mask) in _FULL
