"""Syntax tree -> functions, namespaces and classes as ranges.

Result: which function holds an offset and where it runs, and which namespaces and classes enclose it. Only file level
is walked: what is in a function body runs where the body runs, apart from lambdas that say otherwise. What reads
its place among the threads runs on the device, whatever its head says: no host code can, and many a project has its own
word for `__device__`, by which its other functions are known.
"""

from __future__ import annotations

import string
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tree_sitter import Node, Tree

from cudamigrate.cuda import branch_macros, constructor_heads, kernel_heads, macro_comments, qualifier_macros
from cudamigrate.cuda.device_qualifiers import ONLY_DEVICE, head_to_name, of_other_files
from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.cuda.member_scopes import named_scope
from cudamigrate.cuda.parsed_file import Function
from cudamigrate.cuda.qualifier_macros import DEFINED, QUALIFIERS
from cudamigrate.cuda.shadowed_names import is_scoped
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, SpanIndex
from cudamigrate.syntax import tree_sitter_nodes

_FILE_LEVEL = """translation_unit declaration_list field_declaration_list linkage_specification template_declaration
declaration field_declaration friend_declaration type_definition preproc_if preproc_ifdef preproc_else preproc_elif
preproc_elifdef ERROR"""
_CONTAINERS = frozenset(_FILE_LEVEL.split())
"""Nodes that can hold functions, namespaces and classes at file level; function bodies are not looked into."""
_CLASSES = frozenset(("class_specifier", "struct_specifier", "union_specifier"))
_ON_DEVICE = re.compile(rb"__global__|__device__|\b(?:CUTLASS|CUTE|C10|_CCCL|THRUST)_(?:HOST_)?DEVICE\b")
"""CUDA's qualifiers, and what CUTLASS, PyTorch, Thrust and CUDA's C++ libraries call them."""
_DEVICE_LAMBDA = re.compile(rb"\](?=\s*(?:(?:__host__\s+)?__device__\b|[A-Z][A-Z0-9_]*_DEVICE(?:_[A-Z]+)*\s*[({]))")
"""Lambdas that say where they run, with CUDA's word or a project's own (`[=] LIB_DEVICE_FUNC(int i) {`)."""
_WORDS = (b"threadIdx", b"blockIdx", b"__syncthreads")
_ELSEWHERE = (b".", b"->", b"::")
"""What is before the name of a member or of another scope: `a.threadIdx`, `p->threadIdx`, `cpu::threadIdx`."""
_OWN_BEFORE = re.compile(rb"(?:#[ \t]*define\s+|\b(?!(?:return|else|do|case)\b)\w+(?:\s+|\s*[&*>]\s*))\Z")
_OWN_AFTER = re.compile(rb"\s*[;={(,)\[]")
"""Around a project's own variable or stand-in of such a name, as in an emulation of CUDA on the CPU."""
_DECLARES = frozenset(bytes((byte,)) for byte in b"&*>_" + string.ascii_letters.encode() + string.digits.encode())
_NEAR = 200
"""How many bytes before a name are looked at."""
_BRACKET = re.compile(rb"[(){}]")
_PLAIN_LAMBDA = re.compile(rb"\[[^\[\]{};]*\]\s*(?:\([^(){};]*\)\s*)?(?:mutable\s*)?(?:->[^(){};]*)?\Z")
"""A lambda up to its body, which begins where the text ends: `[&](int i) mutable -> int `."""
_HEAD = re.compile(rb"[\w>&*)]\s*[\s&*]\b([A-Za-z_]\w*)\s*\(")
"""What may be a function's name, for something of a type precedes it: `void f(`, `T* f(`, `vector<T> f(`."""
_NO_NAME = frozenset(b"if for while switch catch return else do sizeof decltype noexcept alignas".split())

_CONDITIONAL = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else"))
_OPENING = ("if", "ifdef", "ifndef")
_LONGEST_HEAD = 2000
_NO_HEAD = frozenset((b"}", b";", b"=", b"if", b"for", b"while", b"switch", b"else", b"do", b"return", b"enum"))
_RESTRICTS = (b"__restrict", b"__restrict__")
_REFERENCE = re.compile(rb"&\s*\Z")
"""A reference that nothing else leads to: `const T& __restrict__ a`. The grammar takes the word for the name."""
_ALIGN = re.compile(rb"\b__align__\s*\((?:[^(){};]|\([^(){};]*\))*\)")
"""CUDA's alignment, which the grammar cannot read: `__align__(16)`, `__align__(sizeof(T))`."""
_UNKNOWN = re.compile(rb"^[ \t]*([A-Z][A-Z0-9_]{3,})(?=\s)", re.MULTILINE)
"""What may be a macro of another file at the head of a function or above: `LIB_KERNEL void f(`, `LIB_PUSH template`."""
_TYPED = re.compile(
    rb"template\b|namespace\b|(?!(?:const|volatile|operator)\b)[A-Za-z_][\w:]*(?:<[^<>;{}()]*>)?[\s*&]+[A-Za-z_][\w:]*\s*\("
)
"""What follows it there: a template, a namespace, or a type, a name and a bracket."""

_LEFT_OUT = re.compile(rb"(?<![\w#])([A-Za-z_]\w*)[ \t]+\Z")
"""A word on the line before a function, which the tree then does not have."""


def syntax_tree(lexed: Lexed) -> Tree:
    """The tree of a file. Macros of other files before heads are left out where the grammar then reads more of it."""
    text = readable(lexed)
    tree = tree_sitter_nodes.parse("cuda", text)
    spans = list(_unknown_words(lexed)) if tree.root_node.has_error else []
    if not spans:
        return tree
    other = tree_sitter_nodes.parse_again("cuda", tree, text, _without(text, spans), spans)
    return min(tree, other, key=tree_sitter_nodes.error_bytes)


def _unknown_words(lexed: Lexed) -> Iterator[tuple[int, int]]:
    """Words in capitals before `template` or `namespace`, or before a type, a name and a bracket, as C++ has none."""
    for match in lexed.matches(_UNKNOWN):
        word = match.span(1)
        after = lexed.token(word[1])
        if after is None or _ON_DEVICE.match(match[1]) is not None or lexed.directive_at(word[0]) is not None:
            continue
        if _TYPED.match(lexed.data, after.start) is not None:
            yield word


def readable(lexed: Lexed) -> bytes:
    """The text as the grammar can read it, each byte in its place.

    It lacks all but the first of several heads of one function, one for each branch of a conditional; CUDA's alignment;
    `__restrict__` of references; a comment that is not closed, which costs the parser the square of its length; words
    before constructors with a list of members, and those with arguments before the `void` of kernels; comments within
    macros; and macros that the file itself gives nothing or qualifiers alone (`float* RESTRICT a`). A macro that is the
    head of a branch is read as one.
    """
    defined = [DEFINED.match(line.argument(lexed.data)) for line in lexed.directives if line.name == "define"]
    known = [(match[1], match[2].split()) for match in defined if match is not None]
    kept = {name for name, body in known if not QUALIFIERS.issuperset(body)}
    spans = [match.span() for match in lexed.matches(_ALIGN, b"__align__")]
    if lexed.starts and lexed.data.startswith(b"/*", lexed.starts[-1]) and not lexed.data.endswith(b"*/"):
        spans += [(lexed.starts[-1], lexed.ends[-1])] if lexed.ends[-1] == len(lexed.data) else []
    spans += [
        (start, start + len(word)) for word in _RESTRICTS for start in lexed.places(word)
        if _REFERENCE.search(lexed.data, max(0, start - _NEAR), start) and lexed.is_code(start)
    ]  # fmt: skip
    for start in lexed.words(frozenset(name for name, _ in known) - kept):
        token = lexed.token(start)
        if token is not None and lexed.text(lexed.after(token)) not in (b"(", b",", b")", b""):
            spans.append((start, token.end))
    spans += [*constructor_heads.words_before(lexed), *kernel_heads.macros_before_type(lexed)]
    spans = [span for span in spans if lexed.directive_at(span[0]) is None]
    spans += [*_other_heads(lexed), *macro_comments.in_bodies(lexed)]
    return branch_macros.put(_without(lexed.data, spans), branch_macros.stand_ins(lexed))


def _without(data: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """The text with blanks in place of some ranges."""
    if not spans:
        return data
    text = bytearray(data)
    for start, end in spans:
        text[start:end] = re.sub(rb"[^\r\n]", b" ", data[start:end])
    return bytes(text)


def _other_heads(lexed: Lexed) -> Iterator[tuple[int, int]]:
    """Heads of a function in the branches of a conditional, but the first, and the directives around them.

    Each opens a block that one brace behind the conditional closes; to the grammar all but one stay open.
    """
    opened: list[list[Directive]] = []
    for line in lexed.directives:
        if line.name in _OPENING:
            opened.append([line])
        elif line.name in _CONDITIONAL and opened:
            opened[-1].append(line)
        elif line.name == "endif" and opened:
            chain = [*opened.pop(), line]
            branches = [Span(before.end, after.start) for before, after in pairwise(chain)]
            if len(branches) > 1 and all(_is_head(lexed, branch) for branch in branches):
                yield from ((one.start, one.end) for one in chain)
                yield from ((one.start, one.end) for one in branches[1:])


def _is_head(lexed: Lexed, branch: Span) -> bool:
    """Whether a branch is the head of a function and the brace behind it, and no more."""
    if branch.end - branch.start > _LONGEST_HEAD or not lexed.data[branch.start : branch.end].rstrip().endswith(b"{"):
        return False
    words = [lexed.text(token) for token in lexed.tokens(branch.start, branch.end)]
    return b")" in words and words.count(b"{") == 1 and _NO_HEAD.isdisjoint(words)


class _Ranges:
    """What spans cover together, to be asked for many offsets."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.starts, self.ends = list[int](), list[int]()
        for span in sorted(spans):
            if self.ends and span.start <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], span.end)
            else:
                self.starts.append(span.start)
                self.ends.append(span.end)

    def __contains__(self, offset: int) -> bool:
        at = bisect_right(self.starts, offset) - 1
        return at >= 0 and offset < self.ends[at]


def _any_between(places: Sequence[int], start: int, end: int) -> bool:
    """Whether one of some places, in order, is inside of a range."""
    return bisect_right(places, start) < bisect_left(places, end)


def _on_device(lexed: Lexed, opened: Sequence[bytes]) -> re.Pattern[bytes]:
    """What says that a function runs on the device: CUDA's words, and macros that stand for them, also of headers."""
    known = [name for name, _ in qualifier_macros.defined(lexed)] + qualifier_macros.among(opened)
    own = [re.escape(name) for name in dict.fromkeys(known)]
    return re.compile(_ON_DEVICE.pattern + rb"|\b(?:%b)\b" % b"|".join(own)) if own else _ON_DEVICE


class Structure:
    """Functions, namespaces and classes of a file as ranges."""

    def __init__(self, lexed: Lexed, root: Node, opened: Sequence[bytes] = ()) -> None:
        self.lexed, self.data = lexed, lexed.data
        self.functions: list[Function] = []
        self._kernels = lexed.words(frozenset({b"__global__"}))
        self._qualifies = _on_device(lexed, opened)
        self._named = SpanIndex(self._collect(root))
        self.functions.extend(self._device_lambdas(lexed))
        held = _Ranges(one.span for one in self.functions)
        self.functions.extend(kernel_heads.lost(lexed, self._kernels, held.__contains__))
        places = self._places(lexed)
        if places:
            self.functions.extend(self._cut_off(lexed, places))
            self._on_device(lexed, places)
        self._by_macros(lexed, sorted((*places, *lexed.words(frozenset(ONLY_DEVICE)))))
        self.functions.sort(key=lambda function: (function.span.start, -function.span.end))

    def _by_macros(self, lexed: Lexed, places: list[int]) -> None:
        """Move functions to the device at whose heads is a macro of another file that stands for `__device__`."""
        words = of_other_files(lexed, self.functions, self._qualifies, places)
        if words:
            qualifies = re.compile(rb"\b(?:%b)\b" % b"|".join(map(re.escape, sorted(words))))
            self.functions = [
                replace(one, scope="device") if qualifies.search(self.data, *head_to_name(self.data, one)) else one
                for one in self.functions
            ]

    def _collect(self, root: Node) -> list[tuple[Span, str]]:
        """Take in the functions; the namespaces and classes by name, the outer ones first."""
        waiting, named = [root], list[tuple[Span, str]]()
        while waiting:
            for node in waiting.pop().named_children:
                kind = node.type
                if kind == "function_definition":
                    self._function(node)
                    named.extend(filter(None, (named_scope(node),)))
                elif kind == "namespace_definition" or kind in _CLASSES:
                    body = node.child_by_field_name("body")
                    if body is not None:
                        named.append((Span(node.start_byte, node.end_byte), self._name(node)))
                        waiting.append(body)
                elif kind == "enum_specifier" and is_scoped(node):
                    named.append((Span(node.start_byte, node.end_byte), self._name(node)))
                elif kind in _CONTAINERS:
                    waiting.append(node)
        return sorted(named, key=lambda entry: (entry[0].start, -entry[0].end))

    @staticmethod
    def _device_lambdas(lexed: Lexed) -> Iterator[Function]:
        """Lambdas that say `__device__`; others run where their function runs, as far as syntax can tell."""
        for match in lexed.matches(_DEVICE_LAMBDA, b"__device__", b"_DEVICE"):
            opening = lexed.data.find(b"{", match.end())
            closing = lexed.closing(opening) if opening >= 0 else -1
            if closing > 0:
                span = Span(match.start(), closing + 1)
                yield Function(span, Span(opening, closing + 1), "", "device")

    def _places(self, lexed: Lexed) -> list[int]:
        """Where code reads its place among the threads; none where the file gives such a name its own meaning."""
        data = lexed.data
        found = [at for word in _WORDS if not self._is_own(lexed, word) for at in lexed.places(word)]
        found = [at for at in found if not data.endswith(_ELSEWHERE, max(0, at - 2), at) and lexed.is_code(at)]
        return [at for at in sorted(found) if (line := lexed.directive_at(at)) is None or line.name == "pragma"]

    @staticmethod
    def _is_own(lexed: Lexed, word: bytes) -> bool:
        """Whether the file declares or defines a name."""
        for at in lexed.places(word):
            near = lexed.data[max(0, at - _NEAR) : at].rstrip()
            if near[-1:] in _DECLARES and _OWN_AFTER.match(lexed.data, at + len(word)):
                before = _OWN_BEFORE.search(lexed.data, max(0, at - _NEAR), at)
                if before is not None and lexed.is_code(before.start()):
                    return True
        return False

    def _on_device(self, lexed: Lexed, places: list[int]) -> None:
        """Move functions that read their place to the device; of a lambda passed on only the lambda."""
        on_device = sorted(function.span for function in self.functions if function.scope == "device")
        starts = [span.start for span in on_device]
        for number, function in enumerate(self.functions):
            if function.scope == "device":
                continue
            inside = places[bisect_left(places, function.span.start) : bisect_left(places, function.span.end)]
            if not inside:
                continue
            nested = on_device[bisect_left(starts, function.span.start) : bisect_left(starts, function.span.end)]
            for at in inside:
                if any(span.start <= at < span.end for span in nested):
                    continue
                body = self._lambda_around(lexed, function.body.start, at)
                if body is None:
                    self.functions[number] = replace(function, scope="device")
                    break
                nested.append(body)
                self.functions.append(Function(body, body, "", "device"))

    def _lambda_around(self, lexed: Lexed, start: int, at: int) -> Span | None:
        """The block around `at` that is in parentheses of a function body, with a macro at its head.

        A lambda without one runs where the function runs.
        """
        opened: list[tuple[bytes, int]] = []
        for match in _BRACKET.finditer(self.data, start, at):
            if not lexed.is_code(match.start()):
                continue
            if match[0] in (b"(", b"{"):
                opened.append((match[0], match.start()))
            elif opened:
                opened.pop()
        for (outer, _), (inner, opening) in pairwise(opened):
            if outer == b"(" and inner == b"{" and _PLAIN_LAMBDA.search(self.data, start, opening) is None:
                closing = lexed.closing(opening)
                return Span(opening, closing + 1) if closing > at else None
        return None

    def _cut_off(self, lexed: Lexed, places: list[int]) -> Iterator[Function]:
        """Functions that the tree does not hold whole, as where a branch of a conditional opens a block of its own.

        So are test cases whose head is a macro. What they read, or lambdas in them do, tells where they run.
        """
        held, bodies = _Ranges(one.span for one in self.functions), _Ranges(one.body for one in self.functions)
        lost = [at for at in places if at not in held]
        until = 0
        for match in lexed.matches(_HEAD) if lost else ():
            begin = match.start(1)
            if begin < until or match[1] in _NO_NAME or lost[-1] < begin or begin in bodies:
                continue
            closed = lexed.closing(match.end() - 1)
            opening = lexed.token(closed + 1) if closed > 0 else None
            end = lexed.closing(opening.start) + 1 if opening is not None and lexed.text(opening) == b"{" else 0
            if opening is None or _any_between(self._kernels, opening.start, end):
                continue  # a conditional that opens more than it closes: no kernel stands in a function
            if _any_between(lost, opening.start, end):
                until = end
                yield Function(Span(begin, end), Span(opening.start, end), match[1].decode("latin-1"), "host")

    def enclosing(self, offset: int) -> str:
        """The `::`-joined names of the namespaces and classes around `offset`, or named by the function around it."""
        return "::".join(filter(None, self._named.touching(offset, offset + 1)))

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return "" if name is None else self.data[name.start_byte : name.end_byte].decode("latin-1")

    def _function(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        line = self.data.rfind(b"\n", 0, node.start_byte) + 1
        macro = _UNKNOWN.match(self.data, line)  # which the tree may have left out
        start = macro.start(1) if macro is not None and not self.data[macro.end() : node.start_byte].strip() else -1
        start = start if 0 <= start < node.start_byte else node.start_byte
        while (word := _LEFT_OUT.search(self.data, max(0, start - _NEAR), start)) is not None:
            start = word.start(1)
        start = kernel_heads.beginning(self.lexed, start, self._qualifies)
        end = self._end(body)
        made = Function(Span(start, end), Span(body.start_byte, end), self._declared(node), "host")
        said = _ON_DEVICE.search(self.data, start, body.start_byte)
        by_macro = said or self._qualifies.search(self.data, *head_to_name(self.data, made))  # no parameter's name
        self.functions.append(made if by_macro is None else replace(made, scope="device"))

    def _end(self, body: Node) -> int:
        """Where a body ends: before the first kernel in it, as none stands in a function; the tree was led astray.

        So it was where the brace that closes the body comes earlier, as after a macro that is given whole statements.
        A head in each branch of a conditional leaves braces open that nothing closes, and the tree need not mind.
        """
        if body.has_error:
            closing = self.lexed.closing(body.start_byte)
            conditionals = (line.start for line in self.lexed.directives if line.name in _CONDITIONAL)
            if 0 < closing < body.end_byte - 1 and not any(body.start_byte < start < closing for start in conditionals):
                return closing + 1
        first = bisect_left(self._kernels, body.start_byte)
        if first == len(self._kernels) or self._kernels[first] >= body.end_byte:
            return body.end_byte
        closing = self.data.rfind(b"}", body.start_byte, self._kernels[first])
        return closing + 1 if closing > 0 else body.end_byte

    def _declared(self, node: Node) -> str:
        inner = node.child_by_field_name("declarator")
        while inner is not None and inner.child_by_field_name("declarator") is not None:
            inner = inner.child_by_field_name("declarator")
        around = inner
        while around is not None and around.type == "qualified_identifier":
            name = around.child_by_field_name("name")
            if any(child.is_missing for child in around.children):
                inner = name  # a macro took the type's place, and the type is read into the name: `DI std::size_t f()`
            around = name
        return "" if inner is None else self.data[inner.start_byte : inner.end_byte].decode("latin-1")
