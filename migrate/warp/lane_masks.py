"""Lane masks of 64 bits that code written for HIP puts into 32: the upper half of each wave is lost.

Where CUDA code is converted, its votes become those of 32 lanes, and fit. What is HIP already is left as it is: there a
vote of the full wavefront has 64 bits on gfx9, and a mask by the number of a lane as many. They are followed through
variables, arithmetic on masks, and functions of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import Local, declared, fields, parameters, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.model.warp_graph import MaskEdge
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.integer_ranges import LONG, UINT, ULONG
from cudamigrate.warp.shift_amounts import beyond_warp
from cudamigrate.warp.tree_queries import (
    Guarded,
    asks_for_wave,
    bare,
    comparisons,
    holds,
    outer,
    plain_name,
    span,
)
from cudamigrate.warp.value_ranges import ValueRanges

_VOTES = frozenset((b"__ballot", b"__ballot_sync", b"__activemask", b"__match_any", b"__match_any_sync"))
_OPERATIONS = frozenset((b"__popc", b"__ffs", b"__clz", b"__brev"))
"""HIP's operations on 32 bits; those on 64 end in `ll`."""
_NARROW = frozenset(
    (
        *(b"int", b"signed", b"signed int", b"unsigned", b"unsigned int", b"uint", b"uint32_t", b"int32_t"),
        *(b"std::uint32_t", b"std::int32_t", b"u_int32_t"),
    )
)
_WORDS = frozenset(word for kind in _NARROW for word in kind.replace(b"::", b" ").split())
_CASTS = frozenset((b"static_cast", b"reinterpret_cast"))
_ALIAS = re.compile(rb"\b(?:using\s+(\w+)\s*=|typedef\b)([\w: ]+);")
"""A name for a type: `using mask = uint32_t;`, `typedef unsigned int mask;`."""
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
_SOURCES = tree_sitter_nodes.Kinds("cuda", "call_expression", "binary_expression")
_BOUND = re.compile(rb"__launch_bounds__\s*\(\s*32\b")
_GIVING = (b"=", b"|=", b"&=", b"^=")
_ATOMIC = re.compile(rb"atomic(?:Or|And|Xor|Exch|Add|CAS|Min|Max)(?:_block|_system)?")
"""Atomic operations, which work in the type that their first argument points to."""
_KEEPING = (b"|", b"^", b"&", b"-")
"""Arithmetic that makes a mask of a mask: `votes & below`, `(1ull << lane) - 1`."""
_HALF, _ALL_OF_HALF, _DEPTH = 32, 0xFFFFFFFF, 8


class _Function:
    """A function with masks, and what is asked of it for each of them and found out once."""

    def __init__(self, parsed: ParsedFile, node: Node) -> None:
        self.parsed, self.node = parsed, node
        declarator = node.child_by_field_name("declarator")
        self.name = plain_name(declarator.child_by_field_name("declarator")) if declarator is not None else b""

    @cached_property
    def variables(self) -> Mapping[bytes, Sequence[Local]]:
        """What it declares, by name."""
        return _by_name(declared(self.node, self.parsed.tree.root_node))

    @cached_property
    def mentions(self) -> Mapping[bytes, Sequence[Node]]:
        """Where it says each name, in order."""
        found: dict[bytes, list[Node]] = {}
        for one in _NAMES.within(self.parsed.tree.root_node, self.node):
            found.setdefault(text(one), []).append(one)
        return found

    @cached_property
    def is_half(self) -> bool:
        """Whether its blocks have at most 32 threads: their waves have no upper half."""
        bound = _BOUND.search(self.parsed.data, self.node.start_byte, self.node.end_byte)
        return bound is not None or _is_launched_narrow(self.parsed, self.node)


def cuts(parsed: ParsedFile) -> Iterator[tuple[Span, str, str]]:
    """Each mask that is made a number of 32 bits, in code that HIP compiles as it is: where, its name, and by what."""
    if not _is_for_hip(parsed):
        return
    masks = parsed.once(_Masks)
    for node in _SOURCES.below(parsed.tree.root_node):
        if parsed.hip(node.start_byte) is False or not (name := masks.named(node)):
            continue
        function = masks.around(node)
        into = masks.cut_by(node, function) if function is not None else ""
        if into and function is not None and not _is_half(node, function):
            yield span(node), name, into


def edges(parsed: ParsedFile) -> tuple[tuple[MaskEdge, ...], frozenset[str]]:
    """Where masks may be cut by functions of other files, and the functions of this one that return a mask."""
    if not _is_for_hip(parsed):
        return (), frozenset()
    masks = parsed.once(_Masks)
    giving = frozenset(name.decode("latin-1") for name in masks.giving)
    return tuple(dict.fromkeys(_edges(parsed, masks))), giving


def _edges(parsed: ParsedFile, masks: _Masks) -> Iterator[MaskEdge]:
    own = {one.name for one in masks.functions.values()}
    for node in _SOURCES.below(parsed.tree.root_node):
        if parsed.hip(node.start_byte) is False:
            continue
        name, called = masks.named(node), plain_name(node.child_by_field_name("function"))
        if not name and (not called or called in own):
            continue
        function = masks.around(node)
        into = masks.cut_by(node, function) if function is not None and not name else ""
        if function is None or not (name or into) or _is_half(node, function):
            continue
        if into:
            yield MaskEdge(called.decode("latin-1"), -1, node.start_byte, node.end_byte, "", into)
        else:
            yield from _handed(node, name, masks.uses(node, function), own)


def _handed(mask: Node, name: str, uses: Iterable[Node], own: set[bytes]) -> Iterator[MaskEdge]:
    """The functions of other files that a mask is handed to."""
    for use in uses:
        listed = outer(use)
        call = tree_sitter_nodes.parent(listed) if listed is not None and listed.type == "argument_list" else None
        callee = b"" if call is None else plain_name(call.child_by_field_name("function"))
        if callee and callee not in own:
            at = next(at for at, one in enumerate(tree_sitter_nodes.elements(listed)) if holds(one, use))
            yield MaskEdge(callee.decode("latin-1"), at, mask.start_byte, mask.end_byte, name, "")


def hit(edge: MaskEdge, into: str) -> Hit:
    """What a mask that another file's function cuts is reported as."""
    place, name = Span(edge.start, edge.end), edge.name or edge.function
    return Hit("warp/cut-mask", Use("name", name, place, place, (), "device", "syntax"), {"into": into, "name": name})


def is_narrow(kind: str) -> bool:
    """Whether a type, as it is spelled, has 32 bits; a reference or a pointer is none."""
    return " ".join(kind.split()).removeprefix("const ").encode() in _NARROW


def _is_for_hip(parsed: ParsedFile) -> bool:
    """Whether a file says that HIP compiles it: by a header of HIP's, or a branch for HIP."""
    headers = any(one.path.startswith("hip/") for one in parsed.includes)
    return headers or any(branch.hip is True for branch in parsed.branches)


def _by_name(found: Iterable[tuple[bytes, Local]]) -> Mapping[bytes, Sequence[Local]]:
    table: dict[bytes, list[Local]] = {}
    for name, local in found:
        table.setdefault(name, []).append(local)
    return table


class _Masks:
    """Where the masks of a file go."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed = parsed
        self.values, self.ranges = Values.of(parsed), ValueRanges.of_file(parsed)
        nodes = _FUNCTIONS.below(parsed.tree.root_node)
        self.functions = {one.start_byte: _Function(parsed, one) for one in nodes}
        self.aliases = frozenset(_aliases(parsed))
        self.giving: frozenset[bytes] = frozenset()
        for _ in range(3):  # one may return what another one does
            self.giving = frozenset(self._giving())

    @cached_property
    def others(self) -> Mapping[bytes, Sequence[Local]]:
        """The members and variables of the file by name: what a function does not declare itself."""
        root = self.parsed.tree.root_node
        return _by_name([*fields(root), *declared(root)])

    def around(self, node: Node) -> _Function | None:
        """The function around a place."""
        around = _FUNCTIONS.around(self.parsed.tree.root_node, node)
        return next((self.functions[one.start_byte] for one in around), None)

    def named(self, node: Node) -> str:
        """What a mask of all lanes is called in a report; empty for what is none."""
        if node.type == "call_expression":
            name = plain_name(node.child_by_field_name("function"))
            return name.decode("latin-1") if name in _VOTES or name in self.giving else ""
        sign, amount = text(node.child_by_field_name("operator")), bare(node.child_by_field_name("right"))
        if sign not in (b"<<", b">>") or amount is None:
            return ""
        wide = self.ranges.rank(node.child_by_field_name("left"), _DEPTH) in (LONG, ULONG)
        return " ".join(text(node).decode("latin-1").split()) if wide and beyond_warp(self.parsed, amount) else ""

    def _giving(self) -> Iterator[bytes]:
        """The functions whose result is a mask of all lanes."""
        for one in _RETURNS.below(self.parsed.tree.root_node):
            function = self.around(one)
            kind = None if function is None else function.node.child_by_field_name("type")
            if function is None or function.name in _VOTES or self._is_narrow(kind):
                continue
            masks = (part for part in _SOURCES.within(self.parsed.tree.root_node, one) if self.named(part))
            if any(outer(self._whole(part)) == one for part in masks):
                yield function.name

    def cut_by(self, mask: Node, function: _Function) -> str:
        """What makes 32 bits of a mask: a variable, a type, an operation; empty where nothing does.

        Where the function takes the upper half of the variable by itself, the lower one alone is no loss.
        """
        found = list(self._uses(mask, function))
        if any(self._is_upper_half(whole) for whole, _ in found):
            return ""
        return next((into for _, into in found if into), "")

    def _is_upper_half(self, mask: Node) -> bool:
        """Whether the upper 32 bits are taken of an expression: `votes >> 32`."""
        around = outer(mask)
        if (
            around is None
            or around.type != "binary_expression"
            or text(around.child_by_field_name("operator")) != b">>"
        ):
            return False
        left, amount = around.child_by_field_name("left"), around.child_by_field_name("right")
        return left is not None and holds(left, mask) and self.values.constant(bare(amount)) == _HALF

    def uses(self, mask: Node, function: _Function) -> Iterator[Node]:
        """The outermost expressions that are still a mask, also of variables that keep all of it: `auto m`."""
        return (whole for whole, _ in self._uses(mask, function))

    def _uses(self, mask: Node, function: _Function) -> Iterator[tuple[Node, str]]:
        """The same, each with what makes 32 bits of it."""
        waiting, seen = [mask], set[int]()
        while waiting:
            whole = self._whole(waiting.pop())
            if whole.start_byte in seen:
                continue
            seen.add(whole.start_byte)
            made, name, into = outer(whole), b"", self._narrowed(whole, function)
            yield whole, into
            if made is None or into:
                continue
            if made.type == "init_declarator":
                name = text(made.child_by_field_name("declarator")).lstrip(b"&")
            elif made.type == "assignment_expression" and text(made.child_by_field_name("operator")) in _GIVING:
                name = text(made.child_by_field_name("left"))
            waiting += [one for one in function.mentions.get(name, ()) if one.start_byte > made.end_byte]

    def _whole(self, mask: Node) -> Node:
        """The outermost expression that is still a mask."""
        while (around := outer(mask)) is not None:
            sign = text(around.child_by_field_name("operator"))
            if around.type == "binary_expression" and sign in _KEEPING:
                sides = [around.child_by_field_name(part) for part in ("left", "right")]
                other = next((one for one in sides if one is not None and not holds(one, mask)), None)
                number = self.values.constant(bare(other))
                if (sign == b"&" and number is not None) or (sign == b"-" and number != 1):
                    return mask  # `votes & 0xffffffff` says what it keeps
            elif around.type == "conditional_expression":
                test = around.child_by_field_name("condition")
                if test is None or holds(test, mask):
                    return mask
            elif around.type == "cast_expression":
                if self._is_narrow(around.child_by_field_name("type")):
                    return mask
            elif around.type != "unary_expression" or sign != b"~":
                return mask
            mask = around
        return mask

    def _narrowed(self, mask: Node, function: _Function) -> str:
        """What makes 32 bits of an expression."""
        around = outer(mask)
        if around is None:
            return ""
        sign = text(around.child_by_field_name("operator"))
        if around.type == "cast_expression":
            return self._is_narrow(around.child_by_field_name("type"))
        if around.type == "argument_list" and (call := tree_sitter_nodes.parent(around)) is not None:
            return self._by_call(call, mask, function)
        if around.type == "binary_expression" and sign in (b"==", b"!="):
            sides = [bare(around.child_by_field_name(part)) for part in ("left", "right")]
            return next((text(one).decode("latin-1") for one in sides if self._is_half_full(one)), "")
        value = around.child_by_field_name("value") or around.child_by_field_name("right")
        if value is not None and mask.start_byte < value.start_byte:
            return ""  # it is what gets the value
        if around.type == "init_declarator" and (whole := tree_sitter_nodes.parent(around)) is not None:
            kind = self._is_narrow(whole.child_by_field_name("type"))
            return kind and text(around.child_by_field_name("declarator")).decode("latin-1")
        if around.type == "assignment_expression" and sign in _GIVING:
            return self._narrow_place(around.child_by_field_name("left"), function)
        if around.type == "return_statement":
            return self._is_narrow(function.node.child_by_field_name("type"))
        return ""

    def _is_half_full(self, node: Node | None) -> bool:
        """Whether a constant of 32 bits has all of them: no more can be set in what equals it."""
        full = self.values.constant(node) in (_ALL_OF_HALF, -1)
        return full and self.ranges.rank(node, _DEPTH) == UINT

    def _by_call(self, call: Node, mask: Node, function: _Function) -> str:
        """The operation, the type of a cast, or the parameter, that is given a mask."""
        called = call.child_by_field_name("function")
        spelled, given = text(called), tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if spelled in _OPERATIONS or spelled in _NARROW | self.aliases:
            return spelled.decode("latin-1")
        cast, _, kind = spelled.partition(b"<")
        if cast.strip() in _CASTS:
            return spelled.decode("latin-1") if kind.rstrip(b"> ").strip() in _NARROW | self.aliases else ""
        at = next((at for at, one in enumerate(given) if holds(one, mask)), 0)
        if _ATOMIC.fullmatch(spelled) and at:
            return self._narrow_place(given[0], function, pointed=True)
        name = plain_name(called)
        own = [parameters(one.node) for one in self.functions.values() if one.name == name]
        taken = [listed[at] for listed in own if len(listed) > at]
        return spelled.decode("latin-1") if taken and all(map(self._is_narrow_local, taken)) else ""

    def _is_narrow(self, kind: Node | None) -> str:
        """A type of 32 bits, as it is spelled; a name that the file gives it counts."""
        spelled = b" ".join(text(kind).split())
        plain = spelled.removeprefix(b"const ")
        return spelled.decode("latin-1") if plain in _NARROW or plain in self.aliases else ""

    def _is_narrow_local(self, local: Local | None, indexed: int = 0) -> bool:
        if local is None or local.rank != indexed or not local.words:
            return False
        return local.words <= _WORDS or local.words <= self.aliases

    def _narrow_place(self, target: Node | None, function: _Function, *, pointed: bool = False) -> str:
        """A variable or member of 32 bits, or what a pointer or an array to such leads to, by its name."""
        target, indexed = bare(target), int(pointed)
        while target is not None and target.type in ("subscript_expression", "pointer_expression", "binary_expression"):
            indexed += {b"&": -1, b"*": 1, b"": 1}.get(text(target.child_by_field_name("operator")), 0)
            target = bare(target.child_by_field_name("argument") or target.child_by_field_name("left"))
        if target is not None and target.type == "field_expression":
            kinds: Sequence[Local] = self.others.get(text(target.child_by_field_name("field")), ())
        elif target is not None and target.type == "identifier":
            kinds = function.variables.get(text(target), ()) or self.others.get(text(target), ())
        else:
            return ""
        if len(kinds) == 1 and kinds[0].words == {b"auto"}:
            return self._narrow_place(kinds[0].value, function) if not indexed else ""
        narrow = [self._is_narrow_local(one, indexed) for one in kinds]
        return text(target).decode("latin-1") if narrow and all(narrow) else ""


def _aliases(parsed: ParsedFile) -> Iterator[bytes]:
    """The names that a file gives types of 32 bits: `using mask = uint32_t;`, `typedef unsigned int u32;`."""
    found = ((match[1], match[2].split()) for match in _ALIAS.finditer(parsed.data))
    pairs = ((name, words) if name else (words[-1], words[:-1]) for name, words in found if words)
    return (name for name, words in pairs if b" ".join(words) in _NARROW)


def _is_half(call: Node, function: _Function) -> bool:
    """Whether a condition on the wave is around a vote, or no lane beyond 32 is there to vote."""
    if function.is_half or asks_for_wave(function.parsed, call):
        return True
    return function.parsed.once(_of_halves).holds(call)


def _of_halves(parsed: ParsedFile) -> Guarded:
    return Guarded(parsed, lambda condition: any(_picks_half(parsed, one) for one in comparisons(condition)))


def _picks_half(parsed: ParsedFile, test: Node) -> bool:
    """Whether a comparison may leave at most 32 lanes of a wave: `threadIdx.x < 32`, `threadIdx.x / 32 == 0`."""
    picked, limit = text(test.child_by_field_name("left")), bare(test.child_by_field_name("right"))
    number = Values.of(parsed).constant(limit) if limit is not None else None
    if number is None or number > _HALF:
        return False
    if text(test.child_by_field_name("operator")) in (b"<", b"<="):
        return b"%" not in picked and b"&" not in picked
    return b"/" in picked or b">>" in picked or number == _HALF  # `wave == 32`


def _is_launched_narrow(parsed: ParsedFile, function: Node) -> bool:
    """Whether the file launches a kernel in blocks of at most 32 threads: their waves have no upper half."""
    declarator = function.child_by_field_name("declarator")
    name = text(declarator.child_by_field_name("declarator")) if declarator is not None else b""
    if not name:
        return False
    launch = re.compile(rb"\b" + re.escape(name) + rb"\b[^;{}]*?(?:<<<|,)[^;{}]*?,\s*(?:dim3\s*\(\s*)?(?:32|16|8)\b")
    return any(True for _ in parsed.lexed.matches(launch))
