"""What hides a name of CUDA's: after `cublasStatus_t cublasStatus;` the name is the variable, in its scope."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch, switches
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_BLOCKS = ("compound_statement", "for_statement", "for_range_loop", "if_statement", "while_statement")
_SCOPES = (*_BLOCKS, "template_declaration", "namespace_definition")
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_OF_TEMPLATES = ("type_parameter_declaration", "optional_type_parameter_declaration")
_TYPES = ("type_definition", "alias_declaration")
_OF_CUDA = re.compile(rb"\b(?:cu(?:da|rand|blas|fft|sparse|solver|dnn)|nccl|CU)[A-Za-z]\w*")
"""A name of the form of CUDA's types."""
_TAG = re.compile(
    rb"\bstruct\s+(?P<tag>CU\w+_st|curand\w+_st|cu(?:blas|blasLt|sparse|solverDn|solverSp|dnn)Context|cudaArray|_nvrtcProgram)\b"
)
"""A structure that CUDA's headers declare and never define, as what its handles point to: `struct CUstream_st`."""
_ENCLOSING = ("namespace_definition", "field_declaration_list", "compound_statement")
_OWNERS = ("function_definition", "lambda_expression", "catch_clause")
"""What has parameters, which are seen in its body."""
_IN_C = re.compile(rb"(?:cu(?:rand|blas|fft|sparse|solver|dnn)|nccl|nvrtc|nvml)\w*|cu[A-Z]\w*")
"""Names of the libraries whose functions are C's, or overloaded for devices, and of the driver: none is a template."""
_DRIVER = re.compile(r"cu[A-Z]|CU")
"""How names of the driver begin."""
_RESULT = re.compile(rb"(?:\}|\btypedef\s+(?:enum\s+)?\w+)\s*\bCUresult\s*;")
"""The declaration of the driver's own type of results: `} CUresult;`, `typedef int CUresult;`."""
_LOOKED_UP = re.compile(
    rb"\btypedef\s+CUresult\b\s*(?:\w+\s+)?(?:\(\s*(?:\w+\s*)?\*\s*)?(?P<name>\w*?cu[A-Z]\w*)\s*\)?\s*\("
)
"""The type of a function of the driver: `typedef CUresult CUDAAPI tcuInit(`, `typedef CUresult (*PFN_cuInit)(`."""
_SEVERAL = 8
"""A program that does without the header declares fewer, and means the library that it is linked with."""
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c++")


class Shadows:
    """The local names of a file, each with the bytes in which they hide what has that name outside.

    They are variables, and types, enumerators and members that are declared in a function.
    """

    def __init__(self, parsed: ParsedFile) -> None:
        self._parsed = parsed
        self._spans: dict[str, list[Span]] = {}
        self._whole: dict[str, list[Span]] = {}
        self._of_file: set[str] = set()
        self.of_driver = declares_the_driver(parsed)

    def declare(self, name: str, start: int) -> None:
        """Note the variable that is declared at `start`; a declaration that is read with errors says nothing."""
        around = self._parsed.nodes_around(start, start + 1)
        node, hides = around[-1], _is_surely_a_variable(around)
        for outer in reversed(around):
            if outer.has_error and outer.type in ("declaration", *_PARAMETERS):
                return
            if outer.type in _SCOPES or outer.type in _OWNERS or outer.type == "translation_unit":
                span = Span(node.end_byte, outer.end_byte)
                self._spans.setdefault(name, []).append(span)
                self._of_file |= {name} if outer.type == "translation_unit" else set()
                if hides and outer.type in (*_BLOCKS, *_OWNERS):
                    self._whole.setdefault(name, []).append(span)
                return
            if outer.type in ("field_declaration_list", "parameter_list") and not _has_body(around, outer):
                return

    def declare_local(self, name: str, start: int) -> bool:
        """Note what is declared at `start` where that is no variable but seen in a part of a function alone.

        False where more of the file sees it, or only some builds have it.
        """
        around = self._parsed.nodes_around(start, start + 1)
        scope = _local_scope(around)
        if scope is None or self._parsed.conditional(start) is not self._parsed.conditional(scope.start):
            return False
        self._whole.setdefault(name, []).append(scope)
        return True

    def hide(self, name: str, start: int) -> bool:
        """Whether the name at `start` is a local one: what is no type, as the tree says, is a variable that is seen.

        `::name` is looked up among what is declared outside of everything, where no local name is. In a header that
        declares the driver all of its names are that header's.
        """
        if self.of_driver and _DRIVER.match(name) is not None:
            return True
        is_local = _is_in(self._whole.get(name, ()), start)
        if not is_local and not _is_in(self._spans.get(name, ()), start):
            return False
        around = self._parsed.nodes_around(start, start + 1)
        node = around[-1]
        if (is_local or name not in self._of_file) and _is_global(node):
            return False
        called = len(around) > 1 and around[-2].child_by_field_name("function") == node
        return is_local or (node.type == "identifier" and not called)


def is_own(parsed: ParsedFile, branch: Branch | None, start: int, name: str) -> bool:
    """Whether what is defined at `start` is the project's own in every build that CUDA's headers are in.

    `branch` is the innermost conditional around it. A definition behind a condition, or in a file that refuses to be
    compiled where a macro is set, stands in for CUDA's own where CUDA is absent. A handle that is declared as CUDA's
    headers declare it is CUDA's.
    """
    if is_declared_again(parsed, start):
        return False
    if branch is None:
        return start < parsed.once(_refused)
    return branch.hip is True or is_made_of_cuda(parsed, start, name)


def is_declared_again(parsed: ParsedFile, start: int) -> bool:
    """Whether the type that is declared at `start` is a handle of CUDA's, by the structure that CUDA has for it.

    `typedef struct CUstream_st *cudaStream_t;` in a header that does not include CUDA's. A file that says what is in
    the structure has one of its own, and so has a namespace.
    """
    around = parsed.nodes_around(start, start + 1)
    made = next((node for node in reversed(around) if node.type in _TYPES), None)
    if made is None or any(node.type in _ENCLOSING for node in around):
        return False
    tag = _TAG.search(parsed.data, made.start_byte, made.end_byte)
    if tag is None or b"*" not in parsed.data[tag.end() : made.end_byte]:
        return False
    body = re.compile(rb"\bstruct\s+%s\s*(?:final\s*)?[{:]" % re.escape(tag["tag"]))
    return next(parsed.lexed.matches(body), None) is None


def takes_the_place_of_cuda(parsed: ParsedFile) -> bool:
    """Whether a file gives CUDA's language itself a meaning, wherever it is read: `#define __global__`.

    It is for builds without CUDA's headers, or without any, as of kernels that are compiled while a program runs.
    """
    return parsed.once(_defines_language)


def _defines_language(parsed: ParsedFile) -> bool:
    for one in parsed.lexed.directives:
        named = one.argument(parsed.data).split()[:1] if one.name == "define" else []
        if named in ([b"__global__"], [b"__device__"]) and parsed.conditional(one.start) is None:
            return True
    return False


def declares_the_driver(parsed: ParsedFile) -> bool:
    """Whether a header declares CUDA's driver itself: its types, and those of the functions that a program looks up.

    As NVIDIA's own `cuda_drvapi_dynlink_cuda.h` does, which samples copy. All of it is one, with CUDA's own values.
    """
    return parsed.once(_declares_driver)


def _declares_driver(parsed: ParsedFile) -> bool:
    if b"typedef" not in parsed.data or next(parsed.lexed.matches(_RESULT, b"CUresult"), None) is None:
        return False
    return len({one["name"] for one in parsed.lexed.matches(_LOOKED_UP, b"typedef")}) >= _SEVERAL


def is_own_template(parsed: ParsedFile, definition: Node, name: bytes) -> bool:
    """Whether a template that a source file defines is the project's own, though a library has a function of its name.

    Libraries for C have no templates, so that a call with types in it, `curand<float>(g, n)`, means the project's. One
    without them may mean either; a header may be read where only the library's is.
    """
    outer = definition.parent
    is_template = outer is not None and outer.type == "template_declaration" and _IN_C.fullmatch(name) is not None
    if not is_template or not parsed.source.path.lower().endswith(_SOURCES):
        return False
    for start in parsed.lexed.words(frozenset((name,))):
        token = parsed.lexed.token(start)
        directive = parsed.lexed.directive_at(start)
        if parsed.lexed.text(parsed.lexed.after(token)) == b"<" or (directive and directive.name == "include"):
            continue
        around = parsed.nodes_around(start, start + len(name))
        head = around[-2] if len(around) > 1 and around[-1].type == "identifier" else None
        if head is None or head.type != "function_declarator" or head.child_by_field_name("declarator") != around[-1]:
            return False
        if not any(one.type == "template_declaration" for one in around):
            return False
    return True


def _refused(parsed: ParsedFile) -> int:
    """Where a file refuses builds with a macro of the project's, `#ifdef USE_CUDA`, `#error`; behind its end if not."""
    for one in parsed.lexed.directives:
        if one.name == "error":
            around = parsed.branches_around(one.start)
            asked = switches(around, one.start)
            if len(around) == 1 and len(asked) == 1 and not asked[0].startswith("__"):
                return one.end
    return len(parsed.data) + 1


def is_made_of_cuda(parsed: ParsedFile, start: int, name: str) -> bool:
    """Whether what a namespace defines at `start` as `name` is made of CUDA's own, and so does not stand in for it.

    A function that calls `::name`, or a type that is another of CUDA's: `typedef curandStateXORWOW_t curandState;`.
    """
    around = parsed.nodes_around(start, start + 1)
    if not any(node.type == "namespace_definition" and node.child_by_field_name("name") for node in around):
        return False
    made = next((node for node in reversed(around) if node.type in (*_TYPES, "function_definition")), None)
    if made is None:
        return False
    if made.type == "function_definition":
        body = made.child_by_field_name("body")
        called = re.compile(rb"(?<![\w>:])::\s*%s\s*\(" % re.escape(name.encode()))
        return body is not None and called.search(parsed.data, body.start_byte, body.end_byte) is not None
    target = made.child_by_field_name("type")
    text = parsed.data[target.start_byte : target.end_byte] if target is not None else b""
    return target is not None and target.start_byte != start and _OF_CUDA.fullmatch(text) is not None


def _is_global(name: Node) -> bool:
    """Whether a name has `::` before it, and no namespace or class before that."""
    outer = name.parent
    if outer is None or outer.type != "qualified_identifier" or outer.child_by_field_name("scope") is not None:
        return False
    above = outer.parent
    return above is None or above.type != "qualified_identifier" or above.child_by_field_name("name") != outer


def _has_body(around: Sequence[Node], inner: Node) -> bool:
    """Whether a list of parameters belongs to a function that is defined here."""
    at = next(number for number, node in enumerate(around) if node.id == inner.id)
    return inner.type == "parameter_list" and any(
        node.type in _OWNERS and node.child_by_field_name("body") is not None for node in around[max(0, at - 4) : at]
    )


def _is_in(spans: Sequence[Span], offset: int) -> bool:
    return any(span.start <= offset < span.end for span in spans)


def _is_surely_a_variable(around: Sequence[Node]) -> bool:
    """Whether nothing but a variable can be declared: `CHECK cudaFree(p);` reads like one with a constructor's `p`."""
    made = next((one for one in reversed(around) if one.type == "init_declarator"), None)
    value = made.child_by_field_name("value") if made is not None else None
    return value is None or value.type != "argument_list"


def _local_scope(around: Sequence[Node]) -> Span | None:
    """Where a type, an enumerator or a member is seen that a function's body declares, or a template's parameter.

    None where it is declared outside of functions, or in one that is read with errors.
    """
    name, kinds = around[-1], [node.type for node in around]
    if kinds[-2] in _OF_TEMPLATES:
        at = max((at for at, kind in enumerate(kinds) if kind == "template_declaration"), default=-1)
        return Span(name.end_byte, around[at].end_byte) if at >= 0 else None
    owner = next((at for at, kind in enumerate(kinds) if kind in _OWNERS), None)
    if owner is None or "compound_statement" not in kinds[owner:] or around[owner].has_error:
        return None
    for node in reversed(around[:-1]):
        if node.type == "field_declaration_list":
            return Span(node.start_byte, node.end_byte)  # members see each other, whichever is first
        if node.type == "enum_specifier" and is_scoped(node) and name.parent != node:
            return Span(name.end_byte, node.end_byte)
        if node.type in _BLOCKS:
            return Span(name.end_byte, node.end_byte)
    return None


def is_scoped(enumeration: Node) -> bool:
    """Whether the enumerators of an enumeration are seen behind its name alone: `enum class`."""
    return any(child.type in ("class", "struct") for child in enumeration.children)
