"""What a file does with memory of the host that it maps for kernels: whether a kernel gets it, or only copies do.

The pointer is followed from the call that maps it: to variables, members and parameters that it is given to. Other
files are not seen; what they may do with it leaves the question open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.host_memory import HostMemory, Target
from cudamigrate.cuda.declarations import CALLS, declared_by, fields, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax.tree_sitter_nodes import elements

_LAUNCH = "kernel_call_syntax"
_SEEN = re.compile(rb"(?:(?:cuda|hip)Host|cuMemHost)GetDevicePointer(?:_v2)?")
"""What asks for the address that kernels use: nobody else has a use for it."""
_KEEPING = re.compile(
    rb"(?:cuda|hip)(?:Mem(?:cpy|set|Prefetch)\w*|Host(?:Alloc|Malloc|Free|Register|Unregister|GetFlags)|Free\w*|Malloc\w*)"
    rb"|cuMem(?:cpy|set|Free|Host(?:Alloc|Free|Register|Unregister|GetFlags))\w*"
    rb"|(?:std::)?(?:mem(?:cpy|set|move|cmp|align)|[mc]alloc|realloc|free|printf|fprintf|snprintf|fread|fwrite|fill|fill_n"
    rb"|copy|copy_n|accumulate|iota|sort|generate|equal|posix_memalign|aligned_alloc)"
)
"""Functions of the runtime that copy, make and free memory, and those of C and C++: none hands it to a kernel."""
_CASTS = re.compile(rb"(?:reinterpret|static|const)_cast\b")
_THROUGH = ("parenthesized_expression", "cast_expression", "pointer_expression", "comma_expression")
_READ = frozenset((
    "expression_statement", "delete_expression", "condition_clause", "field_expression", "subscript_argument_list",
    "unary_expression", "update_expression", "sizeof_expression", "if_statement", "while_statement", "do_statement",
))  # fmt: skip
"""What only looks at a pointer, or at what is behind it, on the host."""
_MOVES = (b"+", b"-")
_MOST = 64
"""Variables, members and parameters that one pointer is followed to."""


def reach_kernels(parsed: ParsedFile, call: Node) -> bool | None:
    """Whether a kernel gets the memory that a call maps; False where all that is done with it is seen, and is not that.

    None where the pointer leaves the file, or goes where it is not followed. Members and variables of the whole file
    stay in it only where the file launches kernels: who launches none has them from elsewhere.
    """
    return _Uses.of(parsed).of_call(call)


class _Uses:
    """The mentions of pointers in one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._parsed = parsed
        self._memory, self._values = HostMemory.of(parsed), Values.of(parsed)
        self._root = parsed.tree.root_node

    @classmethod
    def of(cls, parsed: ParsedFile) -> _Uses:
        """Those of a file, for all who ask."""
        return parsed.once(cls)

    def of_call(self, call: Node) -> bool | None:
        """The answer for the memory of one call."""
        given = elements(call.child_by_field_name("arguments"))
        waiting = self._memory.targets(given[0]) if given else []
        seen, is_open = set[Target](), not waiting
        while waiting and len(seen) < _MOST:
            target = waiting.pop()
            if target in seen:
                continue
            seen.add(target)
            is_open |= self._is_elsewhere(target)
            for answer in self._uses(target):
                if answer is True:
                    return True
                waiting += answer or ()
                is_open |= answer is None
        return None if is_open or waiting else False

    def _is_elsewhere(self, target: Target) -> bool:
        """Whether others than this file may do something with what is set: the parameter of a function, a member."""
        if target.is_member or target.local_to < 0:
            return not self._launches
        return target.is_lent

    @cached_property
    def _launches(self) -> list[Node]:
        """The arguments of all launches of the file."""
        launching = (one for one in CALLS.below(self._root) if _is_launch(one))
        return [given for one in launching for given in elements(one.child_by_field_name("arguments"))]

    def _uses(self, target: Target) -> Iterator[bool | list[Target] | None]:
        """What comes of each mention: True for a kernel, None for somewhere unseen, else where the pointer goes on."""
        objects = set[bytes]()
        for at in self._parsed.lexed.words(frozenset((target.name,))):
            node = self._root.descendant_for_byte_range(at, at + len(target.name))
            if node is not None and self._is_of(target, node):
                whole = node.parent if node.type == "field_identifier" and node.parent is not None else node
                yield self._use(whole, self._rank(target.name, at))
                objects.add(text(whole.child_by_field_name("argument")) or b"this")
        if target.is_member and objects & {text(one).strip(b"*&() ") for one in self._launches}:
            yield True

    def _rank(self, name: bytes, offset: int) -> int:
        """How often the variable or member of a name can be indexed; 0 where that is not seen."""
        own = [one.rank for one in self._values.locals(offset).get(name, ())]
        return max(own or self._ranks.get(name, []), default=0)

    @cached_property
    def _ranks(self) -> dict[bytes, list[int]]:
        """The same for the members of all classes, and the variables of the file."""
        found: dict[bytes, list[int]] = {}
        declarations = (one for one in self._root.named_children if one.type == "declaration")
        for name, declared in (*fields(self._root), *declared_by(declarations)):
            found.setdefault(name, []).append(declared.rank)
        return found

    def _is_of(self, target: Target, node: Node) -> bool:
        if node.type == "field_identifier":
            return target.is_member and node.parent is not None and node.parent.type == "field_expression"
        if node.type != "identifier":
            return False
        own = bool(self._values.locals(node.start_byte).get(target.name))
        return own == (target.local_to >= 0) and (not own or self._memory.function(node.start_byte) == target.local_to)

    def _use(self, node: Node, rank: int, taken: int = 0) -> bool | list[Target] | None:
        """What an expression that is the pointer, or what it is to, is used for: a value, `p[0]`, is only read.

        `rank` says how often the variable can be indexed, 0 where that is not seen, `taken` how often it has been.
        """
        while (outer := node.parent) is not None and _is_same(outer, node):
            taken += _taken(outer)
            node = outer
        if outer is None:
            return None
        if rank and taken >= rank:
            return []
        if outer.type == "argument_list" and outer.parent is not None:
            if _CASTS.match(text(outer.parent.child_by_field_name("function"))):
                return self._use(outer.parent, rank, taken)
            found = self._given(outer.parent, node)
            return None if found is True and taken > 0 and not rank and _is_launch(outer.parent) else found
        if outer.type in ("init_declarator", "assignment_expression"):
            if outer.child_by_field_name("value") != node and outer.child_by_field_name("right") != node:
                return []
            left = outer.child_by_field_name("left") or outer.child_by_field_name("declarator")
            return self._memory.targets(left) or None
        is_read = outer.type in _READ or outer.type == "binary_expression" or outer.type.endswith("declarator")
        return [] if is_read or outer.type in ("declaration", "parameter_declaration") else None

    def _given(self, call: Node, node: Node) -> bool | list[Target] | None:
        """What a call does with an argument."""
        if _is_launch(call):
            return True
        named = text(call.child_by_field_name("function")).partition(b"<")[0].strip().removeprefix(b"::")
        if _KEEPING.fullmatch(named):
            return []
        if _SEEN.fullmatch(named):
            return True
        at = elements(call.child_by_field_name("arguments")).index(node)
        return self._memory.parameters(named, at) or None


def _is_same(outer: Node, node: Node) -> bool:
    """Whether an expression around is in the same memory: `(int *)p`, `p + 1`, `&p[i]`, `c ? p : q`."""
    if outer.type == "binary_expression":
        return text(outer.child_by_field_name("operator")) in _MOVES
    if outer.type == "conditional_expression":
        return outer.child_by_field_name("condition") != node
    is_indexed = outer.type == "subscript_expression" and outer.child_by_field_name("argument") == node
    return is_indexed or outer.type in _THROUGH


def _taken(outer: Node) -> int:
    """How often an expression takes what its operand points to: `p[i]` and `*p` once, `&p` the other way."""
    if outer.type == "pointer_expression":
        return -1 if text(outer).startswith(b"&") else 1
    return 1 if outer.type == "subscript_expression" else 0


def _is_launch(call: Node) -> bool:
    return any(one.type == _LAUNCH for one in call.named_children)
