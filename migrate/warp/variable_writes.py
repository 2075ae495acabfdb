"""What may write a variable of a function: its assignments, and code that gets hold of the variable itself.

Code gets hold of it by reference or address: a function whose parameter is no plain value or is not seen, an object
that is made from it, another name for it, an assembly statement's output, a macro whose text names it. Constants are
written by nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import KEEPING_FUNCTIONS, NUMBER_FUNCTIONS
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.declarators import parameters
from cudamigrate.warp.integer_ranges import integer_type
from cudamigrate.warp.special_registers import read
from cudamigrate.warp.tree_queries import bare, declared_name, holds, identifiers, span

_WRITES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "pointer_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", "type_identifier", parts=True)
_DECLARATORS = tree_sitter_nodes.Kinds("cuda", "function_declarator")
_MACROS = tree_sitter_nodes.Kinds("cuda", "preproc_def", "preproc_function_def")
_LAMBDAS = tree_sitter_nodes.Kinds("cuda", "lambda_expression")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop", "lambda_expression")
_PLACES = ("parenthesized_expression", "conditional_expression", "comma_expression")
"""Expressions that are the variable itself where it is one of their parts."""
_HOLDERS = frozenset(("gnu_asm_output_operand", "lambda_capture_initializer", "initializer_list", "ERROR"))
_ASSEMBLY = "gnu_asm_output_operand"


class VariableWrites:
    """The writes of one file, worked out for what is asked."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.calls = parsed, CallGraph.of(parsed)
        self._assigned: dict[int, dict[bytes, list[Node]]] = {}
        self._named: dict[int, dict[bytes, list[Node]]] = {}

    @classmethod
    def of_file(cls, parsed: ParsedFile) -> VariableWrites:
        """The writes of a file, for all who ask."""
        return parsed.once(cls)

    def assignments(self, scope: Node, name: bytes) -> list[Node]:
        """The statements that write a variable by its name in a scope, or take its address."""
        if scope.id not in self._assigned:
            found: dict[bytes, list[Node]] = {}
            for one in _WRITES.within(self.parsed.tree.root_node, scope):
                found.setdefault(text(bare(target(one))), []).append(one)
            self._assigned[scope.id] = found
        return self._assigned[scope.id].get(name, [])

    def is_exposed(self, scope: Node, declared: Node, name: bytes) -> bool:
        """Whether code that is no assignment to a variable may write it in its scope."""
        if is_constant(declared) or scope.type == "template_declaration":
            return False
        if _is_reference(declared):
            return True
        uses = self._uses(scope)
        if any(self._gives_away(one) and not _reads_again(one, declared) for one in uses.get(name, ())):
            return True
        return self._is_in_macro(uses, name)

    def is_kept(self, scope: Node, name: bytes) -> bool:
        """Whether nothing in a scope writes a variable that is declared outside of it, or gets hold of it."""
        uses = self._uses(scope)
        given = any(self._gives_away(one) for one in uses.get(name, ()))
        return not given and not self.assignments(scope, name) and not self._is_in_macro(uses, name)

    def _is_in_macro(self, uses: Mapping[bytes, object], name: bytes) -> bool:
        """Whether a macro that is used names a variable."""
        return any(name in said for macro, said in self._macros.items() if macro in uses)

    def changed_before(self, body: Node, name: bytes, place: Node) -> bool:
        """Whether a variable may have been written since a statement began, where a place in it reads the variable.

        A loop in the statement, or a lambda, may have run before.
        """
        horizon = place.start_byte
        for around in tree_sitter_nodes.ancestors(place):
            if around.start_byte <= body.start_byte and around.end_byte >= body.end_byte:
                break
            if around.type in _LOOPS:
                horizon = around.end_byte
        return any(write.start_byte < horizon for write in self.assignments(body, name))

    def is_written_by_lambda(self, scope: Node, name: bytes, place: Node) -> bool:
        """Whether a lambda that a place is not in writes a variable, whenever it is called."""
        writes = self.assignments(scope, name)
        lambdas = (
            [one for one in _LAMBDAS.within(self.parsed.tree.root_node, scope) if not holds(one, place)]
            if writes
            else []
        )
        return any(holds(one, write) for write in writes for one in lambdas)

    def _uses(self, scope: Node) -> dict[bytes, list[Node]]:
        if scope.id not in self._named:
            found: dict[bytes, list[Node]] = {}
            for one in _NAMES.below(scope):
                found.setdefault(text(one), []).append(one)
            self._named[scope.id] = found
        return self._named[scope.id]

    def _gives_away(self, use: Node) -> bool:
        """Whether a mention of a variable hands out the variable itself."""
        holder = use.parent
        if use.type == "type_identifier":  # `Guard g(d);` reads as a function of a type `d`
            return holder is not None and holder.type == "parameter_declaration"
        while holder is not None and holder.type in _PLACES:
            use, holder = holder, holder.parent
        if holder is None or holder.type in _HOLDERS:
            return holder is not None and (holder.type == _ASSEMBLY or not _is_number(holder.parent))
        if use.type in _PLACES and holder.type in ("update_expression", "pointer_expression"):
            return True
        if holder.type == "assignment_expression":
            return use.type != "identifier" and holder.child_by_field_name("left") == use
        if holder.type == "init_declarator":
            return holder.child_by_field_name("value") == use and _is_reference(holder)
        return holder.type == "argument_list" and not self._takes_value(holder, use)

    def _takes_value(self, listed: Node, given: Node) -> bool:
        """Whether what is called with a variable takes its value alone."""
        call = listed.parent
        if call is None or call.type != "call_expression":
            return _is_number(call)
        function = call.child_by_field_name("function")
        if any(one.type == "kernel_call_syntax" for one in call.children):
            return True
        if function is not None and function.type == "template_function":
            function = function.child_by_field_name("name")
        name = text(function)
        if function is None or function.type == "primitive_type" or _takes_values(name) or self._is_known(function):
            return True
        if function.type == "field_expression" and text(function.child_by_field_name("field")) in _OF_GROUPS:
            return groups(self.parsed).kind(text(function.child_by_field_name("argument")), call.start_byte) != ""
        at = tree_sitter_nodes.elements(listed).index(given)
        heads = self._heads.get(name, ()) if function.type == "identifier" else ()
        return bool(heads) and all(at < len(head) and _is_value(head[at]) for head in heads)

    def _is_known(self, function: Node) -> bool:
        """Whether all functions that a call may mean are other files', and take values."""
        name = text(function).rpartition(b"::")[2].partition(b"<")[0]
        return function.type in ("identifier", "qualified_identifier") and name in self.parsed.values_taken

    @cached_property
    def _heads(self) -> dict[bytes, list[list[Node]]]:
        """The parameters of the functions and lambdas that a file declares, by name."""
        found: dict[bytes, list[list[Node]]] = {}
        for one in _DECLARATORS.below(self.parsed.tree.root_node):
            found.setdefault(text(one.child_by_field_name("declarator")), []).append(parameters(one))
        for one in _LAMBDAS.below(self.parsed.tree.root_node):
            made, head = one.parent, one.child_by_field_name("declarator")
            if made is not None and made.type == "init_declarator":
                found.setdefault(text(made.child_by_field_name("declarator")), []).append(parameters(head))
        return found

    @cached_property
    def _macros(self) -> dict[bytes, frozenset[bytes]]:
        """The macros of a file, each with the words of what it stands for that are no parameters of its own."""
        found: dict[bytes, frozenset[bytes]] = {}
        for one in _MACROS.below(self.parsed.tree.root_node):
            name, value = text(one.child_by_field_name("name")), one.child_by_field_name("value")
            own = one.child_by_field_name("parameters")
            taken = frozenset(identifiers(own)) if own is not None else frozenset()
            words = self.calls.words(span(value)) - taken if value is not None else frozenset()
            found[name] = found.get(name, frozenset()) | words
        return found


_TAKING_VALUES = (
    NUMBER_FUNCTIONS
    | KEEPING_FUNCTIONS
    | frozenset(
        b"static_cast sizeof assert printf __syncwarp atomicAdd atomicSub atomicExch atomicMin atomicMax"
        b" atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor".split()
    )
)
_OF_GROUPS = frozenset(b"shfl shfl_up shfl_down shfl_xor any all ballot match_any match_all".split())
_BEGINNINGS = (
    *(b"WARP_SHFL", b"WARP_BALLOT", b"__shfl", b"__ballot", b"__any", b"__all", b"__match_", b"__reduce_"),
    *(of + kind for of in (b"tex", b"surf") for kind in (b"1D", b"2D", b"3D", b"Cubemap")),
)
"""How functions across lanes, and of textures and surfaces, begin."""


def _takes_values(name: bytes) -> bool:
    """Whether a function of CUDA takes values alone, so that it writes no variable but through an address."""
    plain = name.removesuffix(b"_block").removesuffix(b"_system")
    return plain in _TAKING_VALUES or integer_type(name) is not None or name.startswith(_BEGINNINGS)


def target(write: Node) -> Node | None:
    """What is written: `*p` writes no variable that could be named, `&v` may."""
    if write.type == "pointer_expression" and text(write.child_by_field_name("operator")) != b"&":
        return None
    return write.child_by_field_name("left") or write.child_by_field_name("argument")


def is_constant(declared: Node) -> bool:
    """Whether a declaration says `const` or `constexpr` of the variable itself."""
    owner = declared if declared.type != "init_declarator" else declared.parent
    return owner is not None and any(
        one.type == "type_qualifier" and text(one) in (b"const", b"constexpr") for one in owner.children
    )


def _is_reference(declared: Node) -> bool:
    """Whether a declaration makes another name for a variable, through which it can be written."""
    inner = declared.child_by_field_name("declarator")
    return inner is not None and inner.type == "reference_declarator" and not is_constant(declared)


def _reads_again(use: Node, declared: Node) -> bool:
    """Whether a mention is in assembly that reads the special register which the variable was declared to be."""
    statement = next((one for one in tree_sitter_nodes.ancestors(use) if one.type == "gnu_asm_expression"), None)
    value = declared.child_by_field_name("value")
    return statement is not None and value is not None and read(statement) == (text(use), text(value))


def _is_value(parameter: Node) -> bool:
    """Whether a parameter takes a value: no reference, or one that says `const`; a pack says neither."""
    if parameter.type not in ("parameter_declaration", "optional_parameter_declaration"):
        return False
    return not _is_reference(parameter) and (bool(declared_name(parameter)) or parameter.named_child_count == 1)


def _is_number(made: Node | None) -> bool:
    """Whether a declarator makes a number of its own from what it is given."""
    if made is None or made.type != "init_declarator" or made.parent is None:
        return False
    kind = made.parent.child_by_field_name("type")
    return kind is not None and kind.type in ("primitive_type", "sized_type_specifier") and not _is_reference(made)
