"""Where code that a compiler for GPUs makes for the host reads a variable of the device, across files.

A function for both sides counts where the host's code calls it, by way of others too. What only names the variable, as
`sizeof` and the calls that copy to it do, reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.function_sides import is_for_one_pass
from cudamigrate.cuda.host_pass import leaves_out
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph
from cudamigrate.pipeline.sided_functions import BOTH, SidedFiles, plain
from cudamigrate.syntax import tree_sitter_nodes

_UNEVALUATED = frozenset(("sizeof_expression", "decltype", "alignof_expression", "noexcept_expression"))
_OUTERMOST = frozenset(("translation_unit", "namespace_definition", "declaration_list", "linkage_specification"))
"""What is around a declaration in the scope of a namespace."""
_OF_DEVICE = frozenset(b"__device__ __constant__ __managed__ __shared__ constexpr extern".split())
_WORD, _MACRO = re.compile(rb"[A-Za-z_]\w*"), re.compile(rb"[A-Z][A-Z0-9_]{2,}")
"""A word of a declaration, and one that may be a macro."""
_OF_CUDA = re.compile(rb"(?:::)?(?:cuda|hip|cu)[A-Z]\w*")
"""A function of the runtime or the driver: what it is given is a symbol, and no value."""
_COUNTS = frozenset((b"size", b"std::size", b"ssize", b"std::ssize", b"extent"))


class HostReads:
    """The reads of some files: `sources` are those that a compiler for GPUs is given."""

    def __init__(self, files: SidedFiles, sources: set[str], read: Read) -> None:
        self._files, self._sources, self._read = files, sources, read
        self._called: dict[bytes, bool] = {}

    @cached_property
    def _graph(self) -> IncludeGraph:
        return include_graph(self._read, self._files.paths)

    @cached_property
    def _compiled(self) -> frozenset[str]:
        """The files that a compiler for GPUs reads."""
        return frozenset(self._sources) | self._graph.below(self._sources)

    def first(self, path: str, name: bytes, rank: int, elements: bool) -> tuple[str, int] | None:
        """The file and line of the first read of a variable that `path` declares.

        `rank` is how often an array is indexed, 0 for an object; of one whose `elements` have values on the host, only
        what takes its address counts. None for no read.
        """
        units = self._sources & ({path} | self._graph.above((path,)))
        together = frozenset(units) | self._graph.below(units)
        for one in sorted(together & self._compiled, key=lambda each: (each != path, each)):
            source = self._read(one)
            parsed = self._files.parsed(one) if source is not None and name in source.data else None
            if parsed is None or (one != path and _has_another(parsed, name)):
                continue
            for at in parsed.lexed.places(name):
                if self._is_read(parsed, at, name, rank, elements):
                    return one, parsed.source.position(at).line
        return None

    def _is_read(self, parsed: ParsedFile, at: int, name: bytes, rank: int, elements: bool) -> bool:
        """Whether the name at a place is a read by the host."""
        if not parsed.lexed.is_code(at) or parsed.lexed.directive_at(at) is not None:
            return False
        function = parsed.function(at)
        if (function is not None and at < function.body.start) or parsed.hip(at) is False or parsed.is_dead(at):
            return False
        node = parsed.tree.root_node.descendant_for_byte_range(at, at + len(name))
        if node is None or node.type != "identifier" or not _takes_value(node, rank, elements):
            return False
        if is_for_one_pass(parsed, at) or leaves_out(parsed, at):
            return False
        if function is None:
            return self._is_in_value(parsed, node)
        return not _is_hidden(parsed, function, name) and self._is_of_host(parsed, function)

    def _is_in_value(self, parsed: ParsedFile, node: Node) -> bool:
        """Whether a place outside of functions is in the value of a variable that the host alone has.

        Its compiler works out that of a `constexpr` one, or refuses it.
        """
        above = list(tree_sitter_nodes.ancestors(node))
        at = next((at for at, one in enumerate(above) if one.type == "declaration"), None)
        if at is None or not at or above[at - 1].type != "init_declarator":
            return False
        if any(one.type not in _OUTERMOST and not one.type.startswith("preproc_") for one in above[at + 1 :]):
            return False
        value = above[at - 1].child_by_field_name("value")
        if value is None or not value.start_byte <= node.start_byte < value.end_byte:
            return False
        words = frozenset(_WORD.findall(parsed.data, above[at].start_byte, above[at - 1].start_byte))
        words = words.union(*(self._files.macros[word] for word in words & self._files.macros.keys()))
        unknown = any(_MACRO.fullmatch(word) and word not in self._files.macros for word in words)
        return not unknown and words.isdisjoint(_OF_DEVICE)

    def _is_of_host(self, parsed: ParsedFile, function: Function) -> bool:
        """Whether a function is compiled for the host for certain, and called there where it is for both sides."""
        sides = self._files.sides(parsed, function)
        if sides >= BOTH or (not sides and b"constexpr" in self._files.words(parsed, function)):
            return bool(function.name) and self._is_called(plain(function))
        is_open = self._files.has_unknown(parsed, function)
        return function.scope == "host" and not is_open and sides.isdisjoint((b"__device__", b"__global__"))

    def _is_called(self, name: bytes) -> bool:
        """Whether a function of the host names one for both sides, itself or by way of others."""
        if name not in self._called:
            self._called[name] = False  # where functions call each other
            self._called[name] = any(
                parsed.source.path in self._compiled and self._is_of_host(parsed, user)
                for parsed, user, _ in self._files.users(name)
            )
        return self._called[name]


def _takes_value(node: Node, rank: int, elements: bool) -> bool:
    """Whether an expression takes the value of a variable that it names, or the address that it has on the host."""
    whole, above = node, tree_sitter_nodes.parent(node)
    while above is not None and above.type == "qualified_identifier":
        whole, above = above, tree_sitter_nodes.parent(above)
    if any(_reads_nothing(one, whole) for one in [above, *_around(whole)] if one is not None):
        return False
    if above is None or (above.type == "pointer_expression" and text(above)[:1] == b"&"):
        return False
    if not rank:
        return above.type != "field_expression"
    times = 0
    while above is not None and above.type == "subscript_expression" and above.child_by_field_name("argument") == whole:
        times, whole, above = times + 1, above, tree_sitter_nodes.parent(above)
    return not (elements and times == rank)


def _around(node: Node) -> Iterator[Node]:
    """The expressions around a node, up to the statement that they are part of."""
    for one in tree_sitter_nodes.ancestors(node):
        if one.type.endswith("statement") or one.type in ("declaration", "function_definition", "lambda_expression"):
            return
        yield one


def _reads_nothing(around: Node, node: Node) -> bool:
    """Whether an expression around a name only asks for its type or its symbol, or launches a kernel with it."""
    if around.type in _UNEVALUATED or around.type.startswith("template_argument"):
        return True
    if around.type != "call_expression":
        return False
    called = around.child_by_field_name("function")
    if called is None or called == node:
        return called is None
    is_launch = any(one.type == "kernel_call_syntax" for one in around.children)
    plain_name = text(called).partition(b"<")[0]
    return is_launch or plain_name in _COUNTS or _OF_CUDA.fullmatch(plain_name) is not None


def _is_hidden(parsed: ParsedFile, function: Function, name: bytes) -> bool:
    """Whether the function around a place declares a variable or parameter of the name."""
    root = parsed.tree.root_node
    node = root.descendant_for_byte_range(function.span.start, function.span.end - 1)
    return node is not None and any(one == name for one, _ in declared(node))


def _has_another(parsed: ParsedFile, name: bytes) -> bool:
    """Whether a file declares something of the name itself, outside of functions."""
    return any(definition.name.encode() == name for definition in parsed.definitions) or any(
        parsed.function(at) is None and _declares(parsed, at, name) for at in parsed.lexed.places(name)
    )


def _declares(parsed: ParsedFile, at: int, name: bytes) -> bool:
    node = parsed.tree.root_node.descendant_for_byte_range(at, at + len(name))
    above = tree_sitter_nodes.parent(node) if node is not None and node.type.endswith("identifier") else None
    return above is not None and (above.type.endswith("declarator") or above.type == "declaration")
