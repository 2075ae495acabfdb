"""What an expression of the tree is worth: a constant, a number of plain type, something made of thread indices.

Result: what the source shows without resolving other files. Where it shows nothing the answer is None or False, never a
guess.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis import seen_waves
from cudamigrate.cuda.amd_code import OF_WAVES
from cudamigrate.cuda.declarations import Local, calls, declared, member_type, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import integer_literals

_ARITHMETIC = frozenset(
    b"bool char short int long float double unsigned signed uint ulong ushort uchar size_t ssize_t ptrdiff_t int8_t"
    b" int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t clock_t".split()
)
_QUALIFIERS = frozenset(b"const constexpr volatile static std register inline".split())
NUMBER_FUNCTIONS = frozenset(
    b"fmaxf fminf fmaf sqrtf rsqrtf expf __expf logf __logf fabsf powf fmax fmin exp log sqrt rsqrt fabs abs __popc"
    b" __ffs __clz __popcll __ffsll __clzll __brev __float_as_int __float_as_uint __int_as_float __uint_as_float"
    b" __half2float __bfloat162float".split()
)
"""Functions whose result is a number of plain type, whatever they are given."""
_VOTES = (b"__ballot", b"__any", b"__all", b"__activemask", b"__match_", b"__reduce_")
KEEPING_FUNCTIONS = frozenset(b"min max fmin fmax abs __ldg".split())
"""Functions whose result has the type of what they are given."""
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
}
WARP_NAME = re.compile(
    rb"\w*(?:[Ww]arp_?(?:[Rr]educe_?)?[Ss]ize|WARP_?(?:REDUCE_)?SIZE|[Tt]hreads_?(?:[Pp]er|[Ii]n)_?[Ww]arp"
    rb"|THREADS_(?:PER|IN)_WARP|LANES_PER_WARP|[Ll]anes_?[Pp]er_?[Ww]arp|WARP_WIDTH|kWarp(?:Width|Threads|Lanes)?)"
)
"""Names that projects give the warp size, after any prefix: `kWarpSize`, `WARP_SIZE`, `threads_per_warp`."""
_LANES_SAID = re.compile(rb"[lL]ane|LANE|[wW]ave|WAVE|[wW]arp|WARP")
"""A name that speaks of lanes at all, `kWaveLanes`: with the value 64 its constant is the size of a wavefront."""
_COUNTING = re.compile(rb"threadIdx\s*\.\s*[xyz]\s*(?:[%/]\s*(\w+)|&\s*\(\s*(\w+)\s*-\s*1\b)")
"""A constant that threads are counted by: `threadIdx.x % N`, `threadIdx.x / N`, `threadIdx.x & (N - 1)`."""
WAVE_NAMES = frozenset((b"warpSize",))
"""Names for the wavefront size of the GPU that the code runs on."""
_OBJECT_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)[ \t]+(\S.*)")
_CONSTANT = re.compile(
    rb"\b(?:constexpr|const|enum)\b(?:(?!\b(?:constexpr|const|enum)\b)[^;={}()])*?(?:\{\s*)?"
    rb"\b(\w+)\s*(?:=|\{)\s*([^;,{}=]{1,60}?)\s*[;,}]"
)
"""`constexpr int kN = 32;`, `enum { kN = 32 };`, `const int n{32};`. The lookahead starts at the nearest keyword."""
_ALIAS = re.compile(rb"\busing\s+(\w+)\s*=")
_NUMBERS = ("number_literal", "true", "false", "char_literal")
_COMPARISONS = (b"==", b"!=", b"<", b">", b"<=", b">=", b"&&", b"||")
COORDINATES = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")
"""CUDA's variables of a launch: registers, the same as long as a thread runs."""
_PAIR = re.compile(rb"(\w+)\s*([-+*/]|<<|>>)\s*(\w+)")
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")
_TEMPLATE = re.compile(rb"\btemplate\s*<([^{};]*?)>\s*(?=\w|\[|__)")
"""A template's parameters: `template <typename T, int N> `; a name, an attribute or `__global__` must follow."""
_PARAMETER = re.compile(rb"(\w+)\s*(?:=[^,]*)?(?:,|\Z)")
_THREAD = re.compile(rb"(?:thread_?(?:id|idx|index)|tidx?|tid_?x)_?", re.I)
"""Names of a thread's index in any case, for parameters of functions: `threadId`, `tidx`, `tid_x`, `thread_idx_`."""
_CAST = re.compile(rb"static_cast\s*<")
_SIGNS: dict[bytes, Callable[[int], int]] = {b"-": operator.neg, b"~": operator.invert}
_DEPTH = 6


def node_at(parsed: ParsedFile, start: int, end: int) -> Node | None:
    """The node that covers exactly a range of bytes, or None where tree and tokens disagree."""
    node = parsed.nodes_around(start, end)[-1]
    return node if (node.start_byte, node.end_byte) == (start, end) and not node.has_error else None


def resolved(parsed: ParsedFile) -> dict[bytes, int]:
    """What names and calls of other files are worth, where a compiler's front end was asked."""
    return dict(parsed.resolved)


class Values:
    """Expressions of one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed = parsed
        self._locals: dict[int, dict[bytes, list[Local]]] = {}
        self._constants: dict[bytes, bytes | None] | None = None
        self._calls: dict[bytes, list[list[Node]]] | None = None
        self.ported: set[bytes] = set()
        """Constants named after the warp that the file gives several values in branches of its own, as for HIP."""
        self._branches: dict[bytes, set[int]] = {}
        self._by_wave: set[bytes] = set()
        self.for_hip: set[bytes] = set()
        """Constants and macros that the file gives a value for HIP alone."""
        self.wide: set[bytes] = set()
        """Constants and macros that have more than 32 bits under some condition: masks of a wave of 64 lanes."""
        self.borrowed: set[bytes] = set()
        """Names of constants of other files that are 64 for HIP, where they are spelled as theirs."""

    @classmethod
    def of(cls, parsed: ParsedFile) -> Values:
        """The expressions of a file, worked out once for all who ask."""
        return parsed.once(cls)

    def constant(self, node: Node | None, depth: int = _DEPTH) -> int | None:
        """The number an expression stands for.

        A name that says warp size and is defined elsewhere counts as 32, as in every CUDA source.
        """
        if node is None or depth == 0:
            return None
        if node.type == "identifier" and text(node) in self.locals(node.start_byte):
            found = self.locals(node.start_byte)[text(node)]
            fixed = len(found) == 1 and found[0].qualifiers & {b"const", b"constexpr"}
            return self.constant(found[0].value, depth - 1) if fixed else None
        if node.type in ("number_literal", "identifier", "qualified_identifier"):
            return self.spelled(text(node), depth)
        if node.type == "call_expression":
            return resolved(self.parsed).get(text(node))
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self.constant(node.named_child(0), depth - 1)
        if node.type == "unary_expression":
            value = self.constant(node.child_by_field_name("argument"), depth - 1)
            turned = _SIGNS.get(text(node.child_by_field_name("operator")))
            return None if value is None or turned is None else turned(value)
        if node.type != "binary_expression":
            return None
        left = self.constant(node.child_by_field_name("left"), depth - 1)
        right = self.constant(node.child_by_field_name("right"), depth - 1)
        if left is None or right is None:
            return None
        return _combined(left, text(node.child_by_field_name("operator")).decode(), right)

    def spelled(self, word: bytes, depth: int = _DEPTH) -> int | None:
        """The number that a literal or the name of a constant stands for."""
        self.constants()
        word = word.strip()
        while word.startswith(b"(") and word.endswith(b")"):
            word = word[1:-1].strip()
        if (number := integer_literals.value(word)) is not None:
            return number
        if word[:1] in _SIGNS and (inner := self.spelled(word[1:], depth)) is not None:
            return _SIGNS[word[:1]](inner)
        name = word.rpartition(b"::")[2]
        pair = _PAIR.fullmatch(word)
        if depth and pair is not None:
            left, right = self.spelled(pair[1], depth - 1), self.spelled(pair[3], depth - 1)
            return None if left is None or right is None else _combined(left, pair[2].decode(), right)
        if depth == 0 or _IDENTIFIER.fullmatch(name) is None:
            return None
        known = self._constants if self._constants is not None else {}
        if name in self.borrowed and seen_waves.means(self.parsed, word):
            return None
        if name in known:
            value = known[name]
            return None if value is None else self.spelled(value, depth - 1)
        if name in resolved(self.parsed):
            return resolved(self.parsed)[name]
        return 32 if name not in WAVE_NAMES and WARP_NAME.fullmatch(name) else None

    def constants(self) -> dict[bytes, bytes | None]:
        """Constants that the file defines, by name; None for one with several values or one made for HIP too."""
        if self._constants is None:
            self._constants = {}
            found: dict[bytes, set[bytes | None]] = {}
            lexed, data = self.parsed.lexed, self.parsed.data
            for directive in lexed.directives:
                match = _OBJECT_MACRO.match(data, directive.start, directive.end)
                if directive.name == "define" and match is not None and not self.parsed.is_dead(directive.start):
                    value = directive.argument(data)[len(match[1]) :].strip()
                    found.setdefault(match[1], set()).add(self._resolved(match[1], directive.start, value))
            for match in lexed.starting(_CONSTANT, b"const", b"enum"):
                if self.parsed.is_dead(match.start()):
                    continue
                found.setdefault(match[1], set()).add(self._resolved(match[1], match.start(), match[2]))
            self.for_hip.update(
                match[1] for match in lexed.starting(_ALIAS, b"using") if self.parsed.hip(match.start()) is True
            )
            for match in lexed.starting(_TEMPLATE, b"template"):
                found.update((name, {None}) for name in _PARAMETER.findall(match[1]))
            for name, values in found.items():
                if WARP_NAME.fullmatch(name):  # a class that passes on what another calls alike gives no other value
                    values -= {value for value in values if value is not None and value.endswith(b"::" + name)}
            self._constants = {name: next(iter(v)) if len(v) == 1 else None for name, v in found.items()}
            several = (name for name, v in found.items() if len(v - {None}) > 1 and self._has_waves(name, v))
            self.ported.update(name for name in several if len(self._branches[name]) > 1)  # not those of two classes
            self.borrowed.update(name for one in self.parsed.waves if (name := seen_waves.last(one)) not in found)
        return self._constants

    def _counts_lanes(self, name: bytes) -> bool:
        """Whether a constant is the size of a warp: by its name, by what its values are chosen by, or by its use."""
        return self._is_of_warp(name) or name in self._counting

    def _has_waves(self, name: bytes, values: Iterable[bytes | None]) -> bool:
        """Whether a constant of several values has a warp's; what threads are counted by may be a block, of 128."""
        sizes = {self.spelled(one) for one in values if one is not None}
        return self._is_of_warp(name) or (name in self._counting and sizes <= {32, 64})

    def _is_of_warp(self, name: bytes) -> bool:
        """Whether a constant is a warp's size by its name, or by what its values are chosen by."""
        return WARP_NAME.fullmatch(name) is not None or name in self._by_wave

    @cached_property
    def _counting(self) -> frozenset[bytes]:
        """The names that threads are counted by."""
        return frozenset(one or other for one, other in _COUNTING.findall(self.parsed.data))

    def _resolved(self, name: bytes, offset: int, value: bytes) -> bytes | None:
        around = self.parsed.branches_around(offset)
        self._branches.setdefault(name, set()).add(around[-1].start if around else -1)
        if any(OF_WAVES.search(condition) is not None for one in around for condition in one.conditions[-1:]):
            self._by_wave.add(name)
        hip, known = self.parsed.hip(offset), self.spelled(value) if len(value) > 9 else None
        if known is not None and known > 0xFFFFFFFF:
            self.wide.add(name)
        if hip is True:
            self.for_hip.add(name)
            known = self.spelled(value)
            counts = WARP_NAME.fullmatch(name) or (
                known == 64 and (_LANES_SAID.search(name) or self._counts_lanes(name))
            )
            if known != 32 and counts:
                self.ported.add(name)
        return value if hip is None else None

    def locals(self, offset: int) -> dict[bytes, list[Local]]:
        """Variables and parameters of the outermost function around an offset."""
        function = self._outermost(offset)
        if function is None:
            return {}
        if function.start_byte not in self._locals:
            table: dict[bytes, list[Local]] = {}
            for name, local in declared(function, self.parsed.tree.root_node):
                table.setdefault(name, []).append(local)
            self._locals[function.start_byte] = table
        return self._locals[function.start_byte]

    def _outermost(self, offset: int) -> Node | None:
        cursor = self.parsed.tree.walk()
        while cursor.goto_first_child_for_byte(offset) is not None:
            node = cursor.node
            assert node is not None
            if node.start_byte > offset:
                return None
            if node.type in ("function_definition", "lambda_expression"):
                return node
        return None

    def is_arithmetic(self, node: Node | None) -> bool:
        """Whether an expression is seen to be a number of a plain type, one that HIP's shuffles take."""
        return self._rank(node, _DEPTH) == 0

    def _rank(self, node: Node | None, depth: int) -> int | None:
        """How often an expression of plain type must still be indexed; None where the type is not seen."""
        if node is None or depth == 0:
            return None
        kind, child = node.type, node.child_by_field_name
        if kind in _NUMBERS:
            return 0
        if kind in ("unary_expression", "update_expression", "parenthesized_expression"):
            return self._rank(child("argument") or node.named_child(0), depth - 1)
        if kind == "subscript_expression" or (kind == "pointer_expression" and text(child("operator")) == b"*"):
            rank = self._rank(child("argument"), depth - 1)
            return rank - 1 if rank else None
        if kind == "conditional_expression":
            return self._same(child("consequence"), child("alternative"), depth)
        if kind == "binary_expression":
            if text(child("operator")) in _COMPARISONS:
                return 0
            return self._same(child("left"), child("right"), depth)
        return self._rank_of_leaf(node, depth)

    def _rank_of_leaf(self, node: Node, depth: int) -> int | None:
        if node.type == "identifier":
            return self._rank_of_name(node, depth)
        if node.type == "call_expression":
            return self._rank_of_call(node, depth)
        if node.type == "field_expression":
            return 0 if text(node.child_by_field_name("argument")) in COORDINATES else None
        if node.type == "cast_expression":
            return 0 if is_plain(text(node.child_by_field_name("type"))) else None
        return None

    def _same(self, left: Node | None, right: Node | None, depth: int) -> int | None:
        ranks = {self._rank(left, depth - 1), self._rank(right, depth - 1)}
        return 0 if ranks == {0} else None

    def _rank_of_name(self, node: Node, depth: int) -> int | None:
        ranks: set[int | None] = set()
        for local in self.locals(node.start_byte).get(text(node), ()):
            if local.words - _QUALIFIERS == {b"auto"}:
                ranks.add(self._rank(local.value, depth - 1) if local.rank == 0 else None)
            else:
                ranks.add(local.rank if plain_words(local.words) else None)
        if not ranks:
            return 0 if is_plain(member_type(node)) else None
        return ranks.pop() if len(ranks) == 1 else None

    def _rank_of_call(self, node: Node, depth: int) -> int | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return None
        name = text(function)
        if is_plain(name) or name in NUMBER_FUNCTIONS or name.startswith(_VOTES):
            return 0
        if name.startswith(b"__shfl"):
            return self._rank(arguments.named_child(1 if name.endswith(b"_sync") else 0), depth - 1)
        if function.type == "template_function" and text(function.child_by_field_name("name")) in (
            b"static_cast",
            b"reinterpret_cast",
        ):
            inner = text(function.child_by_field_name("arguments"))
            return 0 if is_plain(inner.strip(b"<> ")) else None
        if name in KEEPING_FUNCTIONS:
            ranks = {self._rank(argument, depth - 1) for argument in arguments.named_children}
            return 0 if ranks == {0} else None
        return None

    def from_threads(self, node: Node | None, depth: int = _DEPTH) -> bool:
        """Whether a thread's index or a block's size goes into an expression, through local variables too."""
        if node is None or depth == 0:
            return False
        if node.type == "field_expression":
            return text(node.child_by_field_name("argument")) in (b"threadIdx", b"blockDim")
        if node.type == "identifier":
            found = self.locals(node.start_byte).get(text(node), ())
            if any(local.value is None and local.rank == 0 for local in found):
                given = self.given(node)
                if _THREAD.fullmatch(text(node)) or (given and all(self.from_threads(one, depth - 1) for one in given)):
                    return True
            return any(self.from_threads(local.value, depth - 1) for local in found)
        if node.type == "call_expression" and _CAST.match(text(node)) is None:
            called, inner = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if inner is None or inner.named_child_count != 1 or not is_plain(text(called)):
                return False
            return self.from_threads(inner.named_child(0), depth - 1)
        if node.type == "subscript_expression":
            return False
        return any(self.from_threads(part, depth - 1) for part in node.named_children)

    def given(self, parameter: Node) -> list[Node]:
        """What the calls in this file hand to a parameter of the function around; empty where none is seen."""
        return self.given_to(text(parameter), parameter.start_byte)

    def given_to(self, parameter: bytes, offset: int) -> list[Node]:
        """The same for a parameter by its name, of the function around an offset."""
        function = self._outermost(offset)
        declarator = None if function is None else function.child_by_field_name("declarator")
        while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
            declarator = declarator.child_by_field_name("declarator") or declarator.named_child(0)
        if declarator is None or declarator.type != "function_declarator":
            return []
        name = text(declarator.child_by_field_name("declarator")).rpartition(b"::")[2]
        listed = declarator.child_by_field_name("parameters")
        parameters = [node for node in (listed.named_children if listed is not None else ()) if node.type != "comment"]
        words = [re.findall(rb"\w+", text(node).partition(b"=")[0]) for node in parameters]
        at = next((at for at, word in enumerate(words) if word and word[-1] == parameter), -1)
        if self._calls is None:
            self._calls = calls(self.parsed.tree.root_node)
        return [call[at] for call in self._calls.get(name, ()) if 0 <= at < len(call)]


def _combined(left: int, sign: str, right: int) -> int | None:
    if sign in _BINARY:
        return _BINARY[sign](left, right)
    if sign in ("<<", ">>") and 0 <= right < 64:
        return left << right if sign == "<<" else left >> right
    return left // right if sign == "/" and left >= 0 and right > 0 else None


def is_plain(spelling: bytes) -> bool:
    """Whether a type is spelled as a plain number: `unsigned int`, `const float`, `std::uint32_t`."""
    return plain_words(frozenset(re.findall(rb"\w+|[^\s\w]", spelling.replace(b"::", b" "))))


def plain_words(words: frozenset[bytes]) -> bool:
    """The same for the words of a type."""
    left = words - _QUALIFIERS
    return bool(left) and left <= _ARITHMETIC
