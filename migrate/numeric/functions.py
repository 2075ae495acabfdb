"""Sources -> the functions they define or declare, looked up by name.

Where a function stands is read from tokens, so that macros before it do no harm; which namespace it is in, and that it
is no call inside another body, from the tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.lexer import PUNCT, WORD, Lexed, Token, lex
from cudamigrate.cuda.scopes import Structure
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, SpanIndex
from cudamigrate.numeric.types import Parameter, Signature, cpp_parameter, kind
from cudamigrate.syntax import tree_sitter_nodes

_NO_TYPE = frozenset((b"return", b"new", b"else", b"throw", b"goto", b"case", b"delete", b"co_return", b"define"))
_AFTER = frozenset((b"{", b";", b"const", b"noexcept", b"->"))
_SPECIFIERS = re.compile(r"\b(?:static|inline|extern|virtual|constexpr|friend|__\w+__|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b")
"""Words before a type that are no part of it: `static`, `__device__`, and macros in capitals (`LIB_API`)."""
_ALIAS = re.compile(
    rb"\busing\s+(?P<a>\w+)\s*=\s*(?P<b>[^;{}]+);|\btypedef\s+(?P<d>[^;{}()\s][^;{}()]*?)\s+(?P<c>\w+)\s*;"
    rb"|^[ \t]*#[ \t]*define[ \t]+(?P<e>\w+)[ \t]+(?P<f>[\w:<> ]+)$",
    re.MULTILINE,
)
"""Another name for a type: `using T = float;`, `typedef float T;`, `#define T float`; a define with `(` is code."""
_MAIN = re.compile(rb"\bint\s+main\s*\(")


class Source:
    """A file, lexed and parsed when someone asks."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    @cached_property
    def lexed(self) -> Lexed:
        """Its comments and literals."""
        return lex(self.data)

    @cached_property
    def structure(self) -> Structure:
        """Its functions and namespaces."""
        return Structure(self.lexed, tree_sitter_nodes.parse("cuda", self.data).root_node)

    @cached_property
    def bodies(self) -> SpanIndex[Span]:
        """The bodies of its functions."""
        return SpanIndex((function.body, function.body) for function in self.structure.functions)

    def text(self, start: int, end: int) -> str:
        """The source between two offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    def code(self, start: int, end: int) -> str:
        """The source between two offsets, each comment a blank."""
        found, at, lexed = [], start, self.lexed
        for number in range(bisect_left(lexed.starts, start), bisect_left(lexed.starts, end)):
            if self.data[lexed.starts[number]] == 47:
                found.append(self.text(at, lexed.starts[number]))
                at = lexed.ends[number]
        return " ".join([*found, self.text(at, end)])

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._lines, offset)

    @cached_property
    def _lines(self) -> list[int]:
        return SourceFile(self.path, self.data, "cuda").line_starts()


@dataclass(frozen=True, slots=True)
class Function:
    """A function as written: where, in which namespace, its signature, and its body without comments."""

    path: str
    line: int
    enclosing: str
    signature: Signature
    body: str


class Functions:
    """All functions of the sources, found by name and kept."""

    def __init__(self, sources: Mapping[str, bytes]) -> None:
        self.sources = {path: Source(path, data) for path, data in sources.items()}
        self._found: dict[str, tuple[Function, ...]] = {}

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Names that the sources give to types; of several meanings, none is taken."""
        found: dict[str, set[str]] = {}
        for source in self.sources.values():
            for match in _ALIAS.finditer(source.data):
                name, meaning = match["a"] or match["c"] or match["e"], match["b"] or match["d"] or match["f"]
                found.setdefault(name.decode("latin-1"), set()).add(meaning.decode("latin-1").strip())
        meant = {name: {kind(meaning) for meaning in meanings} for name, meanings in found.items()}
        return {name: min(found[name]) for name, kinds in meant.items() if len(kinds) == 1}

    def named(self, name: str) -> tuple[Function, ...]:
        """Functions of this name, without qualifiers, in the order of their paths."""
        if name not in self._found:
            word = name.encode()
            holders = (source for source in self.sources.values() if word in source.data)
            self._found[name] = tuple(found for source in holders for found in self._in(source, word))
        return self._found[name]

    def best(self, reference: str, path: str, count: int | None = None) -> Function | str:
        """The function that a registration in `path` refers to, or why it cannot be found."""
        *spaces, name = reference.split("::")
        inside = "::".join(space for space in spaces if space)
        found = [f for f in self.named(name) if not inside or f"::{f.enclosing}".endswith(f"::{inside}")]
        found = found or list(self.named(name))
        if count is not None:
            found = [function for function in found if len(function.signature.parameters) == count]
        if not found:
            return f"no definition of {reference} was found"
        if len({_shape(function) for function in found}) > 1:
            near = [function for function in found if function.path == path]
            if len({_shape(function) for function in near}) != 1:
                return f"{reference} has several signatures"
            found = near
        found.sort(key=lambda function: (not function.body, function.path != path))
        return _with_defaults(found)

    def _in(self, source: Source, word: bytes) -> Iterator[Function]:
        for start in source.lexed.words(frozenset((word,))):
            function = self._at(source, start, start + len(word))
            if function is not None:
                yield function

    def _at(self, source: Source, start: int, end: int) -> Function | None:
        lexed = source.lexed
        opening = lexed.token(end)
        before = _unqualified(lexed, start)
        if opening is None or lexed.text(opening) != b"(" or before is None or not _ends_type(lexed, before):
            return None
        closing = lexed.closing(opening.start)
        if closing < 0 or lexed.text(after := lexed.token(closing + 1)) not in _AFTER:
            return None
        if lexed.directive_at(start) is not None or self._in_body(source, start):
            return None
        parameters = self.parameters(source, opening.start, closing)
        if parameters is None:
            return None
        returns = self._returns(source, before, after)
        body = _body(source, after)
        qualifier = source.text(before.end, start).strip().rstrip(":").strip()
        enclosing = "::".join(part for part in (source.structure.enclosing(start), qualifier) if part)
        return Function(source.path, source.line(start), enclosing, Signature(parameters, returns), body)

    @staticmethod
    def _in_body(source: Source, start: int) -> bool:
        return any(body.start < start for body in source.bodies.touching(start, start + 1))

    def parameters(self, source: Source, opening: int, closing: int) -> tuple[Parameter, ...] | None:
        """The parameters between two brackets, or None where what is there are no parameters."""
        found = []
        for number, (start, end) in enumerate(source.lexed.arguments(opening, closing)):
            text = source.code(start, end)
            if text == "void":
                continue
            parameter = cpp_parameter(text, number, self.aliases)
            if parameter is None:
                return None
            found.append(parameter)
        return tuple(found)

    def _returns(self, source: Source, before: Token, after: Token | None) -> str:
        lexed, first = source.lexed, before
        if lexed.text(after) == b"->" and after is not None:
            ends = (source.data.find(sign, after.end) for sign in (b"{", b";"))
            stop = min((at for at in ends if at >= 0), default=len(source.data))
            return kind(source.code(after.end, stop), self.aliases)
        token: Token | None = before
        while token is not None and lexed.text(token) not in (b";", b"}", b"{", b")", b"#"):
            if lexed.directive_at(token.start) is not None:
                break
            first, token = token, lexed.before(token.start)
        text = re.sub(r"^\s*template\s*<[^>]*>", "", source.code(first.start, before.end))
        return kind(_SPECIFIERS.sub(" ", text), self.aliases)


def _shape(function: Function) -> tuple[str, ...]:
    return tuple(parameter.kind or parameter.spelled for parameter in function.signature.parameters)


def _with_defaults(found: Sequence[Function]) -> Function:
    """The first, with the defaults that only another declaration of it writes."""
    best = found[0]
    merged = []
    for number, parameter in enumerate(best.signature.parameters):
        others = [f.signature.parameters[number].default for f in found]
        default = next((value for value in others if value is not None), None)
        merged.append(
            Parameter(parameter.name, parameter.kind, parameter.spelled, parameter.mutable, default, parameter.keyword)
        )
    return Function(best.path, best.line, best.enclosing, Signature(tuple(merged), best.signature.returns), best.body)


def _unqualified(lexed: Lexed, start: int) -> Token | None:
    """The token before a possibly qualified name."""
    token = lexed.before(start)
    while token is not None and lexed.text(token) == b"::":
        scope = lexed.before(token.start)
        if scope is None or scope.kind != WORD:
            return None
        token = lexed.before(scope.start)
    return token


def _ends_type(lexed: Lexed, token: Token) -> bool:
    """Can a type end with this token, so that a name after it is declared?"""
    text = lexed.text(token)
    if token.kind == PUNCT:
        return text in (b">", b"&", b"*")
    return token.kind == WORD and text not in _NO_TYPE


def _body(source: Source, after: Token | None) -> str:
    token = after
    while token is not None and source.lexed.text(token) not in (b"{", b";"):
        token = source.lexed.after(token)
    if token is None or source.lexed.text(token) == b";":
        return ""
    closing = source.lexed.closing(token.start)
    return source.code(token.start + 1, closing) if closing > 0 else ""


def has_main(source: Source) -> int:
    """The line on which the file defines `main`, or 0."""
    for match in source.lexed.matches(_MAIN):
        closing = source.lexed.closing(match.end() - 1)
        if closing > 0 and source.lexed.text(source.lexed.token(closing + 1)) == b"{":
            return source.line(match.start())
    return 0
