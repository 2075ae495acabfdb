"""CUDA C++ front end: source bytes -> uses of CUDA names, includes, launches, asm and token pasting.

Tokens decide what is code and which identifier is where, also in macro bodies and where the tree has errors;
the syntax tree decides scopes, definitions and declarations. Nothing is found in comments and literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from tree_sitter import Node, Tree

from cudamigrate.cuda import behind_macros, opened_namespaces, own_functions, returned_types
from cudamigrate.cuda.argument_branches import argument_branches
from cudamigrate.cuda.code_files import CUDA_INCLUDE, FILES, is_cuda
from cudamigrate.cuda.constant_branches import constant_branches
from cudamigrate.cuda.launch_places import kernel, launch_places
from cudamigrate.cuda.lexer import WORD, Lexed, Token, include_path, lex
from cudamigrate.cuda.parsed_file import Include, ParsedFile
from cudamigrate.cuda.preprocessor import NEVER_INCLUDED, Branch, branches, guards_among, is_for_no_compiler
from cudamigrate.cuda.scopes import Structure, syntax_tree
from cudamigrate.cuda.shadowed_names import Shadows, is_own, is_own_template, takes_the_place_of_cuda
from cudamigrate.cuda.vendor_branches import vendor_branches
from cudamigrate.cuda.words import ASM
from cudamigrate.lazy_re import re
from cudamigrate.model import Certainty, Definition, SourceFile, Span, Use, UseKind
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.sources import unseen

__all__ = ["FILES", "GUARDS", "UNITS", "is_cuda", "is_gpu", "parse", "tokens_alone"]

_LIBRARIES = tuple((b"defined(" + name[1:] + b")",) for name in NEVER_INCLUDED)
"""Conditions on a header that AMD has no like of: what is behind them is not ported."""
GUARDS = (
    "USE_ROCM",
    "USE_HIP",
    "__HIP__",
    "__HIPCC__",
    "?__HIPCC_RTC__",
    "__HIP_PLATFORM_AMD__",
    "__HIP_PLATFORM_HCC__",
    "__HIP_DEVICE_COMPILE__",
    "__AMDGCN__",
    "TORCH_HIP_VERSION",
    "HIP_VERSION",
    "?HIP_DISABLE_WARP_SYNC_BUILTINS",
    "?HIP_ENABLE_WARP_SYNC_BUILTINS",
    "GGML_USE_HIP",
    "MMCV_WITH_HIP",
    "TENSORFLOW_USE_ROCM",
)
"""Macros that are defined only where HIP code is compiled for AMD; those with `?` not always there."""

UNITS = (".cu", ".hip", ".cc", ".cpp", ".cxx", ".c++", ".c")
"""Endings of files that a compiler is given; the others are included by them."""
_GPU = re.compile(rb"\bhip[A-Z]\w+|[<\"](?:hip|roc|rccl|miopen|ATen/hip|c10/hip)\w*[/.]")
"""What says that a file uses HIP: `hipMalloc`, `<hip/hip_runtime.h`, `"ATen/hip/`."""
_KERNELS = re.compile(rb"__global__\b|<<<")
"""A kernel, or its launch: what only a compiler for GPUs takes, whatever the file is called."""
_PROSE = ("include", "include_next", "import", "error", "warning", "pragma", "line")
_KEYWORDS = frozenset(
    b"""return case else new throw goto using const constexpr inline static extern typename typedef volatile mutable
    friend do register thread_local virtual explicit delete sizeof co_return co_yield and or not""".split()
)
"""Words that may be before a `::` without being the owner of what follows."""
_CLOSED, _PASTE = re.compile(rb">\s*>\s*>\Z"), re.compile(rb"##")
_ASM_WORDS = frozenset(b"volatile __volatile__ __volatile goto inline __inline__".split())
_DIRECTIVES = frozenset(("include", "define", "if", "ifdef", "ifndef", "pragma", "undef"))
_WRAPPERS = ("pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator")
_MAPS_TO_HIP = re.compile(rb"#\s*define\s+\w+(?:\([^)]*\))?\s+_*(?:hip|roc|HIP)")
"""A macro that is a name of HIP's: `#define cudaFree hipFree`, `#define CHECK(x) HIP_CHECK(x)`."""
_WAVE_WIDE = ("__shfl", "__ballot", "__any", "__all", "__activemask", "__match", "__reduce", "__syncwarp")
"""What a port maps to HIP works on the full wavefront; whether its callers mean that is for a rule to tell."""
_LASTING = ("definition", "value", "function")
_VARIABLES = dict.fromkeys(("init_declarator", "declaration", "for_range_loop"), "variable")
_VARIABLES |= dict.fromkeys(("parameter_declaration", "optional_parameter_declaration"), "parameter")
_GARBLED, _STRAY = 0.5, 0.1


def is_gpu(source: SourceFile) -> bool:
    """True for GPU code as a compiler for AMD gets it: by the file's name, or by what it holds of HIP or of kernels."""
    named = source.language == "cuda" or source.path.endswith(".hip")
    return named or _GPU.search(source.data) is not None or has_kernels(source)


def has_kernels(source: SourceFile) -> bool:
    """Whether a file that is compiled by itself has kernels in its code: no build for the host takes `a.cu.cc`."""
    if not source.path.lower().endswith(UNITS) or _KERNELS.search(source.data) is None:
        return False
    return any(lex(source.data).starting(_KERNELS, b"__global__", b"<<<"))


def parse(
    source: SourceFile, words: frozenset[bytes], guards: Iterable[str] = (), prefixes: tuple[bytes, ...] = ()
) -> ParsedFile:
    """Read one file. Never raises on any bytes; what could not be made sense of is in `problems`."""
    lexed = lex(source.data)
    parsed = _with_branches(source, lexed, syntax_tree(lexed), guards)
    parsed.problems = _problems(parsed)
    if parsed.problems:
        return parsed
    parsed.ported = _outermost(
        branch
        for branch in parsed.branches
        if branch.hip is not None and branch.conditions[-1:] not in _LIBRARIES and not is_for_no_compiler(branch)
    )
    structure = Structure(lexed, parsed.tree.root_node, parsed.opened)
    parsed.functions = structure.functions
    parsed.includes = list(_includes(parsed))
    names = _Names(parsed, structure, words)
    uses = [*names.uses(prefixes), *_launches(parsed), *_pastes(parsed)]
    uses += [Use("include", one.path, one.span, one.line, (), "unknown", "syntax") for one in parsed.includes]
    parsed.uses = sorted((u for u in uses if parsed.hip(u.span.start) is not False), key=lambda use: use.span)
    parsed.definitions = names.definitions
    return parsed


def tokens_alone(source: SourceFile, lexed: Lexed, guards: Iterable[str] = ()) -> ParsedFile:
    """What the tokens of a file say: what is code, and which compiler reads it. It has no tree, functions or uses."""
    return _with_branches(source, lexed, tree_sitter_nodes.parse("cuda", b""), guards)


def _with_branches(source: SourceFile, lexed: Lexed, tree: Tree, guards: Iterable[str]) -> ParsedFile:
    """A file with the branches that its tokens show."""
    guards = tuple(guards)
    waves = frozenset(name[1:].encode() for name in guards if name.startswith("^"))
    unset = frozenset(name[1:].encode() for name in guards if name.startswith("~"))
    opened = opened_namespaces.of_marks(guards)
    marks = [*NEVER_INCLUDED, *guards_among((*GUARDS, *guards))]
    known = frozenset(marks)
    found = [*branches(lexed, marks), *constant_branches(lexed, known), *argument_branches(lexed, known)]
    found += vendor_branches(lexed)
    found.sort(key=lambda branch: (branch.start, -branch.end))
    return ParsedFile(source, lexed, tree, found, waves=waves, unset=unset, opened=opened)


def _problems(parsed: ParsedFile) -> list[str]:
    """Why a file is not taken for C++ at all: mostly in error nodes, stray tokens, and not one directive.

    Sound C++ full of macros can be one error node; the tokens still tell what is code, so it is read.
    """
    size = len(parsed.data)
    if not size or any(directive.name in _DIRECTIVES for directive in parsed.lexed.directives):
        return []
    share = tree_sitter_nodes.error_bytes(parsed.tree) / size
    if share <= _GARBLED or tree_sitter_nodes.stray_share(parsed.tree) <= _STRAY:
        return []
    return [f"does not read as C++: {share:.0%} of it is in syntax errors; exclude it or rename it"]


def _outermost(found: Iterable[Branch]) -> list[Span]:
    spans: list[Span] = []
    for branch in found:
        if not spans or branch.start >= spans[-1].end:
            spans.append(Span(branch.start, branch.end))
    return spans


@lru_cache(maxsize=4)
def _with_asm(words: frozenset[bytes]) -> frozenset[bytes]:
    """The words that rules know, and those of assembly: put together once, for they are thousands."""
    return words | ASM


class _Names:
    """Uses and definitions among the words that rules know."""

    def __init__(self, parsed: ParsedFile, structure: Structure, words: frozenset[bytes]) -> None:
        self.parsed, self.lexed, self.structure, self.words = parsed, parsed.lexed, structure, words
        self.data = parsed.data
        self.definitions: list[Definition] = []
        self.shadows = Shadows(parsed)
        self._whole = self.shadows.of_driver
        self._takes: own_functions.Counts | None = None  # of a function that takes another number than CUDA's
        self._kind = ""  # what the tree says of the word looked at last
        self._unseen = unseen(parsed.includes)  # what the file defines under these names stands in for nothing
        self.sees_cuda = parsed.source.language == "cuda" or CUDA_INCLUDE.search(self.data) is not None

    def uses(self, prefixes: tuple[bytes, ...]) -> Iterator[Use]:
        """Each use of one of the words, or of a name with one of `prefixes`, free or in a namespace, and each asm."""
        for start in self.lexed.words(_with_asm(self.words), prefixes):
            token = self.lexed.token(start)
            if token is None:
                continue
            text, before = self.lexed.text(token), self.lexed.before(start)
            if text in ASM:
                asm = self._asm(token)
                if asm is not None:
                    yield asm
                continue
            if returned_types.is_member(self.parsed, self.lexed.text(before), start) or self._in_prose(start):
                continue
            first, name = self._qualified(token, before)
            if self._is_namespace(token, before):
                yield self._use("namespace", name, first, token, token.end, ())
            elif not self._declared(token, before, name) and not self.shadows.hide(name, start):
                yield self._named(name, first, token)

    def _named(self, name: str, first: Token, token: Token) -> Use:
        """A use, as a call where it is one: the parameters of a definition are no arguments for a rewrite."""
        if self._kind in ("definition", "value", "overload"):
            return self._use("name", name, first, token, token.end, ())
        return self._call(name, first, token)

    def _is_namespace(self, token: Token, before: Token | None) -> bool:
        """`cub::`, `using namespace cub`, `namespace c = cub`; a port's own alias `namespace cub = ...` is none."""
        following = self.lexed.text(self.lexed.after(token))
        if following == b"::" or self.lexed.text(before) == b"namespace":
            return following != b"="
        if before is None or self.lexed.text(before) != b"=":
            return False
        alias = self.lexed.before(before.start)
        return alias is not None and self.lexed.text(self.lexed.before(alias.start)) == b"namespace"

    def _in_prose(self, start: int) -> bool:
        """In a directive that holds no C++: a path, a message, a pragma."""
        directive = self.lexed.directive_at(start)
        return directive is not None and directive.name in _PROSE

    def _qualified(self, token: Token, before: Token | None) -> tuple[Token, str]:
        """First token of a qualified name that ends at `token`, and the name without a leading `::`."""
        parts, first = [self.lexed.text(token)], token
        while before is not None and self.lexed.text(before) == b"::":
            owner = self.lexed.before(before.start)
            if owner is None or owner.kind != WORD or self.lexed.text(owner) in _KEYWORDS:
                return before, b"::".join(parts).decode("latin-1")
            if behind_macros.is_apart(self.lexed, owner, before):
                return before, b"::".join(parts).decode("latin-1")
            parts.insert(0, self.lexed.text(owner))
            first, before = owner, self.lexed.before(owner.start)
        return first, b"::".join(parts).decode("latin-1")

    def _call(self, name: str, first: Token, token: Token) -> Use:
        opening = self.lexed.after(token)
        if opening is not None and self.lexed.text(opening) == b"<":
            closed = self.lexed.angle_closing(opening.start, min(len(self.data), opening.start + 4000))
            opening = self.lexed.token(closed + 1) if closed > 0 else opening
        if opening is None or self.lexed.text(opening) != b"(":
            return self._use("name", name, first, token, token.end, ())
        closing = self.lexed.closing(opening.start)
        same = self.lexed.directive_at(token.start) is self.lexed.directive_at(closing)
        if closing < 0 or not same:
            return self._use("name", name, first, token, token.end, ())
        args = self.parsed.arguments(opening.start, closing)
        return self._use("call", name, first, token, closing + 1, args)

    def _use(self, kind: UseKind, name: str, first: Token, token: Token, end: int, args: tuple[Span, ...]) -> Use:
        begin = first.start if "::" in name else token.start
        scope = self.parsed.scope(token.start)
        absolute = self.lexed.text(first) == b"::"
        return Use(
            kind,
            name,
            Span(begin, token.end),
            Span(first.start, end),
            args,
            scope,
            "syntax" if scope in ("host", "device") else "token",
            "" if absolute else self.structure.enclosing(token.start),
        )

    def _asm(self, token: Token) -> Use | None:
        """The statement that a word for assembly begins; none where a macro of that name is defined."""
        if self.lexed.text(self.lexed.before(token.start)) == b"define":
            return None
        opening = self.lexed.after(token)
        while opening is not None and self.lexed.text(opening) in _ASM_WORDS:
            opening = self.lexed.after(opening)
        if opening is None or self.lexed.text(opening) != b"(":
            return None
        closing = self.lexed.closing(opening.start)
        if closing < 0:
            return None
        args = self.parsed.arguments(opening.start, closing)
        return self._use("asm", "asm", token, token, closing + 1, args)

    def _declared(self, token: Token, before: Token | None, name: str) -> bool:
        """Whether the word is being declared or defined here; records what the repository defines as its own.

        A definition in a conditional branch is a fall-back for builds without CUDA: it is renamed with its uses.
        """
        start, self._kind, self._takes = token.start, "", None
        if self.lexed.text(before) in (b"define", b"undef"):
            return self._own_macro(start, name)
        attribute = name.startswith("__") and name.endswith("__")  # `void __maxnreg__(64) k()` reads like a function
        kind = self._kind = "" if attribute else self._declaration(start)
        if not kind:
            return False
        if kind in _VARIABLES.values():
            self.shadows.declare(name, start)
        elif kind != "function" and self.shadows.declare_local(name, start):
            return True
        branch = self.parsed.conditional(start)
        own = kind == "function" or self._whole or (is_own(self.parsed, branch, start, name) and kind != "overload")
        own = own or name in self._unseen
        lasting = kind in _LASTING or (kind != "parameter" and self.parsed.function(start) is None)
        ports = branch is not None and name.startswith(_WAVE_WIDE)
        if kind != "overload" and lasting and "::" not in name:
            around = self.structure.enclosing(start)
            if around.rpartition("::")[2] == name:  # a class's own name, which stands where the class does
                around = around.rpartition("::")[0]
            for_hip = branch is not None and branch.hip is True
            alone, takes = takes_the_place_of_cuda(self.parsed), self._takes if not around else None
            is_value = kind in ("value", "variable", "function")
            self.definitions.append(Definition(name, around, not own or ports, for_hip, alone, takes, is_value))
        return kind != "overload" and (own or kind in _VARIABLES.values())

    def _own_macro(self, start: int, name: str) -> bool:
        directive, branch = self.lexed.directive_at(start), self.parsed.conditional(start)
        if directive is None or directive.name == "undef":
            return False
        maps_to_hip = _MAPS_TO_HIP.match(self.data, directive.start) is not None
        own = branch is None or self._whole or branch.hip is True or maps_to_hip or name in self._unseen
        ports = branch is not None and name.startswith(_WAVE_WIDE)
        for_hip, alone = branch is not None and branch.hip is True, takes_the_place_of_cuda(self.parsed)
        self.definitions.append(Definition(name, "", not own or ports, for_hip, alone))
        return own

    def _declaration(self, start: int) -> str:
        """What the tree says of an identifier: `definition`, `value`, `overload`, `variable`, `parameter`, or nothing.

        A function at file level that sees CUDA's own of that name is an overload: it shares the name's fate. With the
        name of a type it is a `function`.
        """
        around = self.parsed.nodes_around(start, start + 1)
        at = len(around) - 1
        while at > 0 and around[at - 1].type in _WRAPPERS:
            at -= 1
        if at == 0:
            return ""
        node, parent, wrapped = around[at], around[at - 1], at < len(around) - 1
        if parent.type in ("type_parameter_declaration", "optional_type_parameter_declaration"):
            return "definition"
        declares = node in parent.children_by_field_name("declarator") or parent.child_by_field_name("name") == node
        if not declares or behind_macros.is_type(self.lexed, node):
            return ""
        if parent.type == "function_declarator":
            variable = _VARIABLES.get(around[at - 2].type, "variable")  # a pointer to a function
            return variable if wrapped else self._function_kind(parent, self.data[start : node.end_byte])
        if parent.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            return "definition" if self._whole or parent.child_by_field_name("body") is not None else ""
        if parent.type in ("type_definition", "alias_declaration"):
            return "definition"
        if parent.type in ("enumerator", "field_declaration"):
            return "value"
        name = self.data[start : node.end_byte]
        known = parent.type == "init_declarator" and name in self.words
        is_called = known and behind_macros.is_called(parent, name, self.sees_cuda)
        return "" if is_called else _VARIABLES.get(parent.type, "")

    def _function_kind(self, declarator: Node, name: bytes) -> str:
        """What a function is, or empty for CUDA's own prototype and for what only looks like a declarator."""
        if own_functions.hides_type(declarator, name):
            return "function"
        self._takes = own_functions.another(declarator, name.decode("latin-1"))
        node = own_functions.holder(declarator)
        apart = node is not None and (self._takes is not None or bool(self.structure.enclosing(node.start_byte)))
        if node is None or node.type != "function_definition":
            prototype = node is not None and node.type == "declaration" and own_functions.is_prototype(declarator, node)
            own = (apart and prototype) or self._whole or (node is not None and node.type == "field_declaration")
            return "definition" if own else ""
        cudas = self.sees_cuda and name in self.words and name.decode("latin-1") not in self._unseen
        cudas = cudas and not (apart or self.parsed.hip(node.start_byte) is True)
        return "overload" if cudas and not is_own_template(self.parsed, node, name) else "definition"


def _includes(parsed: ParsedFile) -> Iterator[Include]:
    for directive in parsed.lexed.directives:
        if directive.name not in ("include", "include_next", "import"):
            continue
        if (found := include_path(parsed.data, directive)) is None:
            continue
        path, start, end = found
        conditional = parsed.conditional(directive.start) is not None
        quoted = parsed.data[start : start + 1] == b'"'
        yield Include(path, Span(start, end), Span(directive.start, directive.end), quoted, conditional)


def _launches(parsed: ParsedFile) -> Iterator[Use]:
    """Kernel launches, however their chevrons are spelled; the tokens are read so that macros are covered."""
    for opening, closed in launch_places(parsed.lexed):
        ending = _CLOSED.search(parsed.data, opening.end, closed)
        spans = parsed.arguments(opening.end - 1, ending.start() if ending is not None else closed)
        scope = parsed.scope(opening.start)
        certainty: Certainty = "syntax" if scope in ("host", "device") else "token"
        whole = Span(opening.start, closed)
        yield Use("launch", kernel(parsed.lexed, opening.start), opening, whole, spans, scope, certainty)


def _pastes(parsed: ParsedFile) -> Iterator[Use]:
    """Token pasting in macro bodies; `name` holds the pieces before and after the `##`."""
    lexed = parsed.lexed
    for match in lexed.matches(_PASTE):
        left, right = lexed.before(match.start()), lexed.token(match.end())
        if left is None or right is None:
            continue
        name = " ## ".join(lexed.text(piece).decode("latin-1") for piece in (left, right))
        whole = Span(left.start, right.end)
        yield Use("paste", name, whole, whole, (), "macro", "token")
