"""Whether to work out the mask of a lane call does something that code would miss: a write, or a call that may write.

HIP's shuffles take no mask. One that is only a value may go; `mask = __activemask()`, `*p++` and `next(n)` must run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, plain_name

_DEPTH = 6
_WRITES = ("assignment_expression", "update_expression", "lambda_expression", "new_expression", "gnu_asm_expression")
_CALLS = ("call_expression",)
_DOING = tree_sitter_nodes.Kinds("cuda", *_WRITES, *_CALLS)
_IDENTIFIERS = tree_sitter_nodes.Kinds("cuda", "identifier")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_CASTS = frozenset((b"static_cast", b"reinterpret_cast", b"const_cast", b"bit_cast"))
_PURE = frozenset(
    (
        *(b"__popc", b"__popcll", b"__ffs", b"__ffsll", b"__clz", b"__clzll", b"__brev", b"__brevll", b"__fns"),
        *(b"min", b"max", b"abs", b"umin", b"umax", b"__byte_perm", b"__funnelshift_l", b"__funnelshift_r"),
        *(b"size", b"thread_rank", b"num_threads", b"meta_group_rank", b"meta_group_size"),
        *(b"int", b"unsigned", b"unsigned int", b"uint", b"uint32_t", b"uint64_t", b"int32_t", b"long", b"bool"),
    )
)
"""Functions of CUDA and members of groups that only work out a value, and types that are called as casts."""
_LANES = (b"__shfl", b"__ballot", b"__any", b"__all", b"__activemask", b"__match_", b"__reduce_")
"""How CUDA's lane calls begin, which only give a value."""
_WRITTEN = re.compile(rb"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=")
_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def has_effect(parsed: ParsedFile, mask: Span) -> bool:
    """Whether a mask may do more than be worked out; so does a call that is not seen to, or an object of a class."""
    node = node_at(parsed, mask.start, mask.end)
    known = parsed.once(_Functions)
    if node is None:
        return known.is_written(parsed.data[mask.start : mask.end], _DEPTH)
    return known.does_something(node, _DEPTH) or any(known.is_object(one) for one in _names(node))


def _names(node: Node) -> Iterator[Node]:
    """The variables that an expression takes the value of."""
    inner = bare(node)
    if inner is None:
        return
    if inner.type == "identifier":
        yield inner
    elif inner.type in ("binary_expression", "unary_expression", "conditional_expression", "comma_expression"):
        for one in inner.named_children:
            yield from _names(one)


def _is_pure(name: bytes) -> bool:
    return name in _CASTS or name in _PURE or name.startswith(_LANES)


class _Functions:
    """The functions and macros of a file, as to whether they do anything."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.values = parsed, Values.of(parsed)
        self._bodies: Mapping[bytes, Sequence[Node]] | None = None
        self._judged: dict[bytes, bool] = {}

    def does_something(self, node: Node, depth: int) -> bool:
        """Whether code writes anything, or calls what may; where it is too deep to be seen, too."""
        found = [*_DOING.below(node), *((node,) if node.type in (*_WRITES, *_CALLS) else ())]
        if any(one.type in _WRITES or self._may_write(one, depth) for one in found):
            return True
        names = [*_IDENTIFIERS.below(node), *((node,) if node.type == "identifier" else ())]
        return any(self._is_written_macro(text(one), depth) for one in names)

    def _may_write(self, call: Node, depth: int) -> bool:
        function = call.child_by_field_name("function")
        name = plain_name(function) or text(function)
        name = name.partition(b"<")[0].strip()
        return not _is_pure(name) and (depth == 0 or self._is_doing(name, depth - 1))

    def _is_doing(self, name: bytes, depth: int) -> bool:
        """Whether a function of the file does something; one that the file does not have may."""
        if name not in self._judged:
            self._judged[name] = True  # what calls itself is not followed
            bodies = self._named().get(name, ())
            self._judged[name] = not bodies or any(self.does_something(one, depth) for one in bodies)
        return self._judged[name]

    def _named(self) -> Mapping[bytes, Sequence[Node]]:
        if self._bodies is None:
            found: dict[bytes, list[Node]] = {}
            for one in _FUNCTIONS.below(self.parsed.tree.root_node):
                body, declarator = one.child_by_field_name("body"), one.child_by_field_name("declarator")
                while declarator is not None and declarator.type != "function_declarator":
                    inner = next(iter(declarator.named_children), None)
                    declarator = declarator.child_by_field_name("declarator") or inner
                head = declarator.child_by_field_name("declarator") if declarator is not None else None
                if body is not None and head is not None:
                    found.setdefault(text(head).rpartition(b"::")[2], []).append(body)
            self._bodies = found
        return self._bodies

    def _is_written_macro(self, name: bytes, depth: int) -> bool:
        spelled = self.values.constants().get(name)
        return depth > 0 and spelled is not None and self.is_written(spelled, depth - 1)

    def is_written(self, spelled: bytes, depth: int) -> bool:
        """The same of text that is no node of the tree: the body of a macro."""
        if depth == 0 or _WRITTEN.search(spelled):
            return True
        for name in _CALLED.findall(spelled):
            if not _is_pure(name) and self._is_doing(name, depth - 1):
                return True
        called = set(_CALLED.findall(spelled))
        return any(self._is_written_macro(one, depth - 1) for one in set(_WORD.findall(spelled)) - called)

    def is_object(self, name: Node) -> bool:
        """Whether a variable is of a type that is seen to be no plain number: a class may do something as one."""
        known = self.values.locals(name.start_byte).get(text(name), ())
        return bool(known) and not self.values.is_arithmetic(name)
