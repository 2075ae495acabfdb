"""Which pointers of a file are to memory of the host that kernels reach.

A pointer is followed back to the allocation: through variables, casts, arguments of calls and launches, results of
functions and members of the same name. Other files are not seen. What `hipMalloc` gives has no answer here, nor has
shared memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import CALLS, parameter_names, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import elements

_OUT = re.compile(
    rb"(?:cuda|hip)(?:MallocManaged|HostAlloc|HostMalloc|MallocHost|HostGetDevicePointer)|cuMemAllocManaged"
)
"""Functions that set a pointer, their first argument, to such memory: `cudaMallocManaged(&p, n)`."""
_IN = re.compile(rb"(?:cuda|hip)HostRegister")
"""Those that make such memory of what a pointer is to: `cudaHostRegister(p, n, 0)`."""
_DEVICE = re.compile(rb"(?:cuda|hip)Malloc(?:Async|Pitch)?|cuMemAlloc(?:_v2)?")
"""Those that set it to memory of the GPU."""
_BRANCHES = ("if_statement", "else_clause", "switch_statement", "case_statement")
_CACHED = (b"NonCoherent", b"Uncached")
"""What flags of an allocation say that leave it to the caches of the GPU, whose own atomics then work."""
_COARSE = b"AdviseSetCoarseGrain"
"""Advice after which managed memory is cached by the GPU."""
_MANAGED = re.compile(rb"\b__managed__\b([^;{}()=]*)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CASTS = re.compile(rb"(?:reinterpret|static|const)_cast\b")
_ASSIGNMENTS = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
_DEPTH = 8
"""Steps that a pointer is followed."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where memory of the host is made: what is called, or the qualifier, and the byte of the file.

    `through_member` says that only the name of a member, whatever its object, joins the allocation to the use.
    """

    name: str
    start: int
    through_member: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """What holds a pointer: a member of that name, or a variable, with the function that it is local to, or -1.

    `is_lent` says that a parameter of a function is it, so that callers who are not seen may hold it, too.
    """

    name: bytes
    local_to: int
    is_member: bool
    is_lent: bool = False


@dataclass(frozen=True, slots=True)
class _Made:
    """An allocation: the variable or member that it sets, and the function that the variable is local to, or -1.

    `origin` is None for memory of the GPU, `at` the place in that function.
    """

    target: bytes
    local_to: int
    is_member: bool
    origin: Origin | None
    at: Node


class HostMemory:
    """The allocations of a file, and what comes of them."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._parsed = parsed
        self._values = Values.of(parsed)
        self._root = parsed.tree.root_node
        self._made = list(self._allocations())
        self._managed = dict(_variables(parsed))

    @classmethod
    def of(cls, parsed: ParsedFile) -> HostMemory:
        """That of a file, read once for all who ask."""
        return parsed.once(cls)

    def origin(self, address: Node) -> Origin | None:
        """Where the memory is made that an address is in; None where it is another's, or where that is not seen.

        Of several allocations that is the one in the fewest steps. No expression is followed twice.
        """
        if not any(one.origin for one in self._made) and not self._managed:
            return None
        waiting = deque[tuple[Node | None, bool, int]](((address, False, _DEPTH),))
        seen = set[tuple[int, bool]]()
        while waiting:
            node, through_member, depth = waiting.popleft()
            if node is None or not depth or (node.id, through_member) in seen:
                continue
            seen.add((node.id, through_member))
            found, others = self._step(node)
            through_member |= node.type == "field_expression"
            if found is not None:
                return replace(found, through_member=True) if through_member else found
            waiting += ((one, through_member, depth - 1) for one in others)
        return None

    def _step(self, node: Node) -> tuple[Origin | None, Sequence[Node | None]]:
        """Where the memory is made that an expression is in or, where that is not seen, what it comes from."""
        if node.type == "identifier":
            return self._of_name(node)
        if node.type == "field_expression":
            return self._of_member(node)
        return None, self._parts(node)

    def _parts(self, node: Node) -> list[Node | None]:
        """The expressions whose memory an expression is in: `p` of `&p[i]`, `(int *)p`, `p + i`, `c ? p : q`."""
        child = node.child_by_field_name
        if node.type == "call_expression":
            if _CASTS.match(text(child("function"))):
                return list(elements(child("arguments")))
            return list(self._results(text(child("function")).partition(b"<")[0]))
        if node.type == "binary_expression":
            return [child("left"), child("right")] if text(child("operator")) in (b"+", b"-") else []
        if node.type == "conditional_expression":
            return [child("consequence"), child("alternative")]
        if node.type == "parenthesized_expression":
            return list(node.named_children)
        if node.type in ("pointer_expression", "subscript_expression"):
            return [child("argument")]
        return [child("value")] if node.type == "cast_expression" else []

    def _results(self, name: bytes) -> Iterator[Node]:
        """What the functions of a name return."""
        for one in self._functions.get(name, ()):
            for result in _RETURNS.within(self._root, one):
                yield from result.named_children[:1]

    @cached_property
    def _functions(self) -> dict[bytes, list[Node]]:
        """The functions of the file, by name."""
        found: dict[bytes, list[Node]] = {}
        for one in _FUNCTIONS.below(self._root):
            head = text(one.child_by_field_name("declarator")).partition(b"(")[0].split()
            if head:
                found.setdefault(head[-1].strip(b"*&"), []).append(one)
        return found

    def _of_name(self, node: Node) -> tuple[Origin | None, Sequence[Node | None]]:
        name, start = text(node), node.start_byte
        own = self._values.locals(start).get(name, [])
        local_to = self.function(start) if own else -1
        made = [one for one in self._made if one.target == name and not one.is_member and one.local_to == local_to]
        made = _reaching(made, node) if local_to >= 0 else made
        if found := next((one.origin for one in made if one.origin is not None), None):
            return found if all(one.origin for one in made) else replace(found, through_member=True), ()
        if not own and name in self._managed:
            return self._managed[name], ()
        given = self._values.given_to(name, start) if own else []
        assigned = (value for to, value in self._assigned.get((False, name), ()) if to == local_to)
        return None, [*(one.value for one in own), *given, *assigned]

    def _of_member(self, node: Node) -> tuple[Origin | None, Sequence[Node | None]]:
        name = text(node.child_by_field_name("field"))
        for one in self._made:
            if one.target == name and (one.is_member or one.local_to < 0) and one.origin is not None:
                return one.origin, ()
        return None, [value for _, value in self._assigned.get((True, name), ())]

    @cached_property
    def _assigned(self) -> dict[tuple[bool, bytes], list[tuple[int, Node | None]]]:
        """What is assigned to members of any object, and to variables, by name; each with its function, or -1."""
        found: dict[tuple[bool, bytes], list[tuple[int, Node | None]]] = {}
        for one in _ASSIGNMENTS.below(self._root):
            left, right = one.child_by_field_name("left"), one.child_by_field_name("right")
            if left is None or text(one.child_by_field_name("operator")) != b"=":
                continue
            if left.type == "field_expression":
                found.setdefault((True, text(left.child_by_field_name("field"))), []).append((-1, right))
            elif left.type == "identifier":
                name = text(left)
                is_own = bool(self._values.locals(one.start_byte).get(name))
                local_to = self.function(one.start_byte) if is_own else -1
                found.setdefault((False, name), []).append((local_to, right))
        return found

    def _allocations(self) -> Iterator[_Made]:
        is_coarse = _COARSE in self._parsed.data
        for call in CALLS.below(self._root):
            name = text(call.child_by_field_name("function")).partition(b"<")[0].strip().removeprefix(b"::")
            given = elements(call.child_by_field_name("arguments"))
            is_of_host = _OUT.fullmatch(name) or _IN.fullmatch(name)
            if not given or not (is_of_host or _DEVICE.fullmatch(name)):
                continue
            is_cached = any(word in text(one) for one in given[1:] for word in _CACHED)
            origin = Origin(name.decode(), call.start_byte) if is_of_host and not is_cached else None
            if is_coarse and b"Managed" in name:
                origin = None
            yield from self._set(given[0], origin, _DEPTH)

    def _set(self, target: Node | None, origin: Origin | None, depth: int) -> Iterator[_Made]:
        """What an allocation by its first argument sets: `&p`, `(void **)&p`, or what callers give for a parameter."""
        target = _bare(target)
        if target is None:
            return
        if target.type == "field_expression":
            yield _Made(text(target.child_by_field_name("field")), -1, True, origin, target)
        elif target.type == "identifier":
            own = bool(self._values.locals(target.start_byte).get(text(target)))
            yield _Made(text(target), self.function(target.start_byte) if own else -1, False, origin, target)
            for given in self._values.given(target) if own and depth else ():
                yield from self._set(given, origin, depth - 1)

    def targets(self, written: Node | None) -> list[Target]:
        """What an allocation by its first argument, or an assignment, sets: a variable or member, or those of callers.

        Empty for a place that is not understood.
        """
        made = self._set(written, None, _DEPTH)
        return [Target(one.target, one.local_to, one.is_member, self._is_lent(one)) for one in made]

    def parameters(self, name: bytes, at: int) -> list[Target]:
        """The parameters of that number, from 0, of the functions of a name."""
        found = list[Target]()
        for one in self._functions.get(name, ()):
            body, named = one.child_by_field_name("body"), parameter_names(one)
            if body is not None and at < len(named) and named[at]:
                found.append(Target(named[at], self.function(body.start_byte), False))
        return found

    def _is_lent(self, made: _Made) -> bool:
        """Whether a variable is a parameter that no call of the file gives anything."""
        around = (one for one in tree_sitter_nodes.ancestors(made.at) if one.type == "function_definition")
        is_parameter = any(made.target in parameter_names(one) for one in around)
        return is_parameter and not made.is_member and not self._values.given(made.at)

    def function(self, offset: int) -> int:
        """The byte where the function around an offset begins, or -1."""
        around = self._parsed.function(offset)
        return -1 if around is None else around.span.start


def _reaching(made: Sequence[_Made], use: Node) -> list[_Made]:
    """The allocations of a variable before a use of it that no later one takes the place of.

    One in a branch leaves the others in force for a use outside of that.
    """
    around = {one.id for one in tree_sitter_nodes.ancestors(use)}
    before = [one for one in made if one.at.start_byte < use.start_byte]
    for number in range(len(before) - 1, -1, -1):
        branches = (one for one in tree_sitter_nodes.ancestors(before[number].at) if one.type in _BRANCHES)
        if all(one.id in around for one in branches):
            return before[number:]
    return before


def _bare(node: Node | None) -> Node | None:
    """An argument without brackets, casts and the `&` before it."""
    while node is not None and node.type not in ("identifier", "field_expression"):
        if node.type.endswith("declarator"):
            node = node.child_by_field_name("declarator") or next(iter(node.named_children), None)
        elif node.type == "parenthesized_expression":
            node = node.named_children[0] if node.named_child_count else None
        elif node.type == "call_expression" and _CASTS.match(text(node.child_by_field_name("function"))):
            node = next(iter(elements(node.child_by_field_name("arguments"))), None)
        else:
            node = node.child_by_field_name("argument") or node.child_by_field_name("value")
    return node


def _variables(parsed: ParsedFile) -> Iterator[tuple[bytes, Origin]]:
    """Variables in managed memory: `__device__ __managed__ int best, counts[4];`."""
    for match in parsed.lexed.matches(_MANAGED, b"__managed__"):
        for part in match[1].split(b","):
            names = _WORD.findall(part.partition(b"[")[0])
            if names:
                yield names[-1], Origin("__managed__", match.start())
