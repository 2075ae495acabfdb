"""Lane masks of 64 bits that code written for HIP puts into 32: the upper half of each wave is lost.

Where CUDA code is converted, its votes become those of 32 lanes, and fit. What is HIP already is left as it is: there a
vote of the full wavefront has 64 bits on gfx9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import CALLS, Local, declared, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, comparisons, conditions, outer, plain_name, span

WORDS = (b"__ballot", b"__activemask", b"__match_")
IN_HIP = True
"""Code that HIP alone compiles is read too."""
_VOTES = frozenset((b"__ballot", b"__ballot_sync", b"__activemask", b"__match_any", b"__match_any_sync"))
_OPERATIONS = frozenset((b"__popc", b"__ffs", b"__clz", b"__brev"))
"""HIP's operations on 32 bits; those on 64 end in `ll`."""
_NARROW = frozenset(
    (
        *(b"int", b"signed", b"signed int", b"unsigned", b"unsigned int", b"uint", b"uint32_t", b"int32_t"),
        *(b"std::uint32_t", b"std::int32_t", b"u_int32_t"),
    )
)
_CASTS = frozenset((b"static_cast", b"reinterpret_cast"))
_GUARD = re.compile(rb"wave|warp_?size|gfx|AMDGCN|__CUDA_ARCH__", re.IGNORECASE)
"""What a condition on the size of the wave, or on the GPU that has it, speaks of."""
_THIRTY_TWO = re.compile(rb"\b32\b")
"""A condition on a number that is 32 where it holds: `#if LANES == 32`."""
_ALIAS = re.compile(rb"\b(?:using\s+(\w+)\s*=|typedef\b)([\w: ]+);")
"""A name for a type: `using mask = uint32_t;`, `typedef unsigned int mask;`."""
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_BOUND = re.compile(rb"__launch_bounds__\s*\(\s*32\b")
_HALF = 32


class _Function:
    """A function with votes, and what is asked of it for each of them and found out once."""

    def __init__(self, parsed: ParsedFile, node: Node) -> None:
        self.parsed, self.node = parsed, node

    @cached_property
    def variables(self) -> Mapping[bytes, Sequence[Local]]:
        """What it declares, by name."""
        found: dict[bytes, list[Local]] = {}
        for name, local in declared(self.node, self.parsed.tree.root_node):
            found.setdefault(name, []).append(local)
        return found

    @cached_property
    def mentions(self) -> Mapping[bytes, Sequence[Node]]:
        """Where it says each name, in order."""
        found: dict[bytes, list[Node]] = {}
        for one in _NAMES.below(self.node):
            found.setdefault(text(one), []).append(one)
        return found

    @cached_property
    def is_half(self) -> bool:
        """Whether its blocks have at most 32 threads: their waves have no upper half."""
        bound = _BOUND.search(self.parsed.data, self.node.start_byte, self.node.end_byte)
        return bound is not None or _is_launched_narrow(self.parsed, self.node)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each vote whose result is made a number of 32 bits at once, in code that HIP compiles as it is."""
    if not _is_for_hip(parsed):
        return
    functions: dict[int, _Function] = {}
    for call in CALLS.below(parsed.tree.root_node):
        name = plain_name(call.child_by_field_name("function"))
        if name not in _VOTES or parsed.hip(call.start_byte) is False:
            continue
        node = next((one for one in tree_sitter_nodes.ancestors(call) if one.type == "function_definition"), None)
        if node is None:
            continue
        function = functions.setdefault(node.start_byte, _Function(parsed, node))
        into = _narrowed_by(call, function)
        if into and not _is_half(call, function):
            place = span(call)
            use = parsed.named_use(name.decode(), place)
            yield Hit("warp/cut-mask", use, {"into": into, "name": name.decode()})


def _is_for_hip(parsed: ParsedFile) -> bool:
    """Whether a file says that HIP compiles it: by a header of HIP's, or a branch for HIP."""
    headers = any(one.path.startswith("hip/") for one in parsed.includes)
    return headers or any(branch.hip is True for branch in parsed.branches)


def _narrowed_by(call: Node, function: _Function) -> str:
    """What makes 32 bits of a vote's result: a variable, a type, an operation; empty where nothing does.

    A variable that keeps all of it, `auto m`, may be put into one that does not.
    """
    into = _narrowed(call, function)
    made = outer(call)
    if into or made is None or made.type != "init_declarator":
        return into
    name = text(made.child_by_field_name("declarator"))
    handed = (one for one in function.mentions.get(name, ()) if one.start_byte > made.end_byte)
    return next((into for one in handed if (into := _narrowed(one, function))), "")


def _narrowed(call: Node, function: _Function) -> str:
    """What makes 32 bits of an expression."""
    parsed = function.parsed
    around = outer(call)
    if around is None:
        return ""
    if around.type == "cast_expression":
        return _narrow(around.child_by_field_name("type"), parsed)
    if around.type == "argument_list" and around.parent is not None:
        return _by_call(around.parent)
    value = around.child_by_field_name("value") or around.child_by_field_name("right")
    if value is not None and call.start_byte < value.start_byte:
        return ""  # it is what gets the value
    if around.type == "init_declarator" and around.parent is not None:
        kind = _narrow(around.parent.child_by_field_name("type"), parsed)
        return kind and text(around.child_by_field_name("declarator")).decode("latin-1")
    if around.type == "assignment_expression" and text(around.child_by_field_name("operator")) == b"=":
        return _narrow_variable(around.child_by_field_name("left"), function, call)
    if around.type == "return_statement":
        return _narrow(function.node.child_by_field_name("type"), parsed)
    return ""


def _by_call(call: Node) -> str:
    """The operation, or the type of a cast, that is given a vote's result."""
    called = call.child_by_field_name("function")
    spelled = text(called)
    if spelled in _OPERATIONS or spelled in _NARROW:
        return spelled.decode()
    cast, _, kind = spelled.partition(b"<")
    return spelled.decode() if cast.strip() in _CASTS and kind.rstrip(b"> ").strip() in _NARROW else ""


def _narrow(kind: Node | None, parsed: ParsedFile) -> str:
    """A type of 32 bits, as it is spelled; a name that the file gives it counts."""
    spelled = b" ".join(text(kind).split())
    plain = spelled.removeprefix(b"const ")
    return spelled.decode() if plain in _NARROW or plain in parsed.once(_aliases) else ""


def _aliases(parsed: ParsedFile) -> frozenset[bytes]:
    """The names that a file gives types of 32 bits: `using mask = uint32_t;`, `typedef unsigned int u32;`."""
    found = ((match[1], match[2].split()) for match in _ALIAS.finditer(parsed.data))
    pairs = ((name, words) if name else (words[-1], words[:-1]) for name, words in found if words)
    return frozenset(name for name, words in pairs if b" ".join(words) in _NARROW)


def _narrow_variable(target: Node | None, function: _Function, value: Node) -> str:
    """A variable of the function that has 32 bits, or what a pointer or an array to such leads to."""
    target = bare(target)
    indexed = target is not None and target.type == "subscript_expression"
    target = target.child_by_field_name("argument") if target is not None and indexed else target
    if target is None or target.type != "identifier" or target == value:
        return ""
    kinds = [local for local in function.variables.get(text(target), ()) if local.rank == indexed]
    narrow = [local.words <= _WORDS and bool(local.words) for local in kinds]
    return text(target).decode("latin-1") if narrow and all(narrow) else ""


_WORDS = frozenset(word for kind in _NARROW for word in kind.replace(b"::", b" ").split())


def _is_half(call: Node, function: _Function) -> bool:
    """Whether a condition on the wave is around a vote, or no lane beyond 32 is there to vote."""
    parsed = function.parsed
    if any(
        _GUARD.search(one) or _THIRTY_TWO.search(one)
        for branch in parsed.branches_around(call.start_byte)
        for one in branch.conditions
    ):
        return True
    if function.is_half:
        return True
    for condition, _ in conditions(call):
        if _GUARD.search(text(condition)):
            return True
        if any(_picks_half(parsed, one) for one in comparisons(condition)):
            return True
    return False


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
