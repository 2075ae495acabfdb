"""Work of the host in functions for both sides that device code reaches: launches, calls of the runtime, objects.

A `__host__ __device__` function that only host code calls may launch kernels, call the runtime and make a
`std::vector`. In one that a kernel calls, or whose address it takes, clang refuses all of it; so it does in a template
that a file makes for some types by name. The qualifiers may come from a macro of another file, or be in a branch of a
conditional before the rest of the head; the caller may be in another file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda import host_library
from cudamigrate.cuda.device_qualifiers import head_to_name
from cudamigrate.cuda.function_sides import is_emitted, is_for_one_pass
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.own_functions import of_runtime
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.rulebase.code_rules import Rulebook

_RULES = {
    "launch": "launch/dynamic-parallelism",
    "call": "launch/runtime-call-on-device",
    "name": "launch/host-library-on-device",
}
"""The rules of launches, of calls, and of names of the host's library."""
_LANGUAGES = ("cuda", "cxx")
_SIDES = frozenset((b"__host__", b"__device__", b"__global__"))
_LOCAL = frozenset(b"inline static constexpr __inline__ __forceinline__ __inline".split())
_KNOWN = _SIDES | _LOCAL
_BOTH = frozenset((b"__host__", b"__device__"))
_DEFINED = re.compile(rb"([A-Za-z_]\w*)(?![\w(])\s*(.*)", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(rb"[A-Z][A-Z0-9_]{2,}")
"""A word of a head that may be a macro, and make a function `static` or `inline`."""
_CALL = re.compile(rb"\bcuda[A-Z]\w*\s*\(")
"""What may be a call of the runtime."""
_WORK = re.compile(rb"<<<|\bstd::|" + _CALL.pattern)
_INSTANTIATED = re.compile(rb"(?<!\w)(?P<extern>extern\s+)?template\s+(?![\s<])[\w:*&\s]*?\b(?P<name>[A-Za-z_]\w*)\s*<")
"""A template that a file has made for some types, called or not: `template __host__ __device__ void f<int>(int *);`."""
_ENDS = frozenset((b";", b"{", b"}", b":"))
_LONGEST = 80
"""Tokens of a head before what the tree holds of it."""
_FARTHEST = 1_000
"""Tokens and brackets between a word that qualifies a function and the end of its body."""
_FILES = 400
"""Files that are parsed at most for who calls such functions."""


def with_both_sided_work(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such launch and call."""
    rules = {kind: book.rules[rule] for kind, rule in _RULES.items() if rule in book.rules}
    code = [one for one in results if one.language in _LANGUAGES and one.skip is None]
    paths = [one.path for one in code if one.cuda and asked(read, one.path, _has_work)]
    if not paths:
        return list(results)
    every = [one.path for one in code]
    tree = _Tree(_macros(every, read), every, read)
    found = [one for path in paths for one in tree.work(path)]
    more: dict[str, list[Finding]] = {}
    for one in found:
        rule = rules.get(one.use.kind)
        said = rule is not None and not rule.silent and tree.is_on_device(one.function, one.emitted)
        parsed = tree.parsed(one.path) if said else None
        if parsed is not None and rule is not None:
            hit = Hit(rule.id, one.use, {"name": one.use.name or "a kernel"})
            more.setdefault(one.path, []).append(engine.finding_in(parsed, hit, rule))
    return [_with_new(one, more.get(one.path, ())) for one in results]


def _with_new(result: FileResult, more: Sequence[Finding]) -> FileResult:
    """A result with what the file alone does not show."""
    known = {(one.rule, one.span) for one in result.findings} if more else set()
    return engine.with_more(result, [one for one in more if (one.rule, one.span) not in known])


def _has_work(source: SourceFile) -> bool:
    return b"<<<" in source.data or _CALL.search(source.data) is not None or host_library.may_use(source.data)


def _macros(paths: Iterable[str], read: Read) -> dict[bytes, frozenset[bytes]]:
    """The macros of all files that qualify functions, with what any definition names of sides and linkage."""
    found: dict[bytes, frozenset[bytes]] = {}
    for path in paths:
        for name, sides in asked(read, path, _qualifying) or ():
            found[name] = found.get(name, frozenset()).union(sides)
    return found


def _qualifying(source: SourceFile) -> tuple[tuple[bytes, tuple[bytes, ...]], ...]:
    """The macros of a file that qualify functions, as plain values."""
    if b"define" not in source.data or not any(side in source.data for side in _SIDES):
        return ()
    lines = (line.argument(source.data) for line in lexed(source).directives if line.name == "define")
    made = ((match[1], set(_WORD.findall(match[2]))) for match in map(_DEFINED.match, lines) if match)
    return tuple((name, tuple(sorted(words & _KNOWN))) for name, words in made if words & _SIDES)


def _templates_made(source: SourceFile) -> tuple[bytes, ...]:
    """The templates that a file makes itself, as plain values; `extern` says that another one does."""
    if b"template" not in source.data:
        return ()
    found = lexed(source).matches(_INSTANTIATED, b"template")
    return tuple(sorted({match["name"] for match in found if match["extern"] is None}))


@dataclass(frozen=True, slots=True)
class _Work:
    """A launch or a call in a function for both sides: its use, and whether device code has the function anyhow."""

    path: str
    use: Use
    function: bytes
    emitted: bool


@dataclass(slots=True)
class _Tree:
    """The files with code, and the macros that qualify functions."""

    macros: Mapping[bytes, frozenset[bytes]]
    paths: Sequence[str]
    read: Read
    _parsed: dict[str, ParsedFile | None] = field(default_factory=dict)
    _reached: dict[bytes, bool] = field(default_factory=dict)
    _made: frozenset[bytes] | None = None

    def parsed(self, path: str) -> ParsedFile | None:
        """A file read again; None for what is gone, and beyond the most that are read."""
        if path not in self._parsed and len(self._parsed) < _FILES:
            source = self.read(path)
            self._parsed[path] = None if source is None else cuda.parse(source, of_runtime())
        return self._parsed.get(path)

    def work(self, path: str) -> Iterator[_Work]:
        """The launches and calls of a file in functions for both sides, in no branch for one of the passes."""
        source = self.read(path)
        if source is None or not self._may_be_both(source.data) or not self._may_hold_work(source):
            return
        parsed = self.parsed(path)
        for use in _uses(parsed) if parsed is not None else ():
            function = parsed.function(use.span.start) if parsed is not None else None
            if parsed is None or function is None or not function.name or is_for_one_pass(parsed, use.span.start):
                continue
            if self._sides(parsed, function) >= _BOTH:
                yield _Work(path, use, _plain(function), self._emitted(parsed, function))

    def is_on_device(self, name: bytes, emitted: bool = False) -> bool:
        """Whether device code has a function for both sides: it calls it, or by way of others, or takes its address."""
        if emitted:
            return True
        if name not in self._reached:
            self._reached[name] = False  # where functions call each other
            self._reached[name] = name in self._instantiated() or any(
                self.is_on_device(_plain(user), self._emitted(parsed, user)) if sides >= _BOTH else True
                for parsed, user, sides in self._users(name)
            )
        return self._reached[name]

    def _instantiated(self) -> frozenset[bytes]:
        """The function templates that files have made, for the device as for the host."""
        if self._made is None:
            self._made = frozenset(
                name for path in self.paths for name in asked(self.read, path, _templates_made) or ()
            )
        return self._made

    def _users(self, name: bytes) -> Iterator[tuple[ParsedFile, Function, frozenset[bytes]]]:
        """The functions with code for the device that name another one."""
        for path in self.paths:
            source = self.read(path)
            parsed = self.parsed(path) if source is not None and name in source.data else None
            for at in parsed.lexed.places(name) if parsed is not None else ():
                user = parsed.function(at) if parsed is not None and parsed.lexed.is_code(at) else None
                if parsed is None or user is None or at < user.body.start or _plain(user) == name:
                    continue
                sides = self._sides(parsed, user)
                if not sides.isdisjoint((b"__device__", b"__global__")) or user.scope == "device":
                    yield parsed, user, sides

    def _may_be_both(self, data: bytes) -> bool:
        """Whether a file has a word that makes a function one for both sides."""
        return all(side in data for side in _BOTH) or any(
            name in data for name, sides in self.macros.items() if sides >= _BOTH
        )

    def _may_hold_work(self, source: SourceFile) -> bool:
        """Whether a place of work is between a word that qualifies functions and the end of a body, without a tree."""
        tokens = lexed(source)
        places = [match.start() for match in _WORK.finditer(source.data)]
        heads = (at for at in tokens.words(_BOTH.union(self.macros)) if tokens.directive_at(at) is None)
        spans = ((at, _end_of_body(tokens, at)) for at in heads)
        return any(start < at < end for start, end in spans for at in places)

    def _sides(self, parsed: ParsedFile, function: Function) -> frozenset[bytes]:
        """The sides that the head of a function names, in any branch, itself or by macros."""
        return self._words(parsed, function) & _SIDES

    def _words(self, parsed: ParsedFile, function: Function) -> frozenset[bytes]:
        words = _head(parsed, function)
        return words.union(*(self.macros[word] for word in words & self.macros.keys()))

    def _emitted(self, parsed: ParsedFile, function: Function) -> bool:
        """Whether the compiler makes code of a function whoever calls it; an unknown macro may make it local."""
        words = self._words(parsed, function)
        unknown = any(_MACRO.fullmatch(word) and word not in self.macros for word in words)
        return not unknown and _LOCAL.isdisjoint(words) and is_emitted(parsed, function)


def _uses(parsed: ParsedFile) -> Iterator[Use]:
    """The launches, the calls of the runtime, and what the bodies of functions have of the host's library."""
    yield from (use for use in parsed.uses if use.kind in ("launch", "call"))
    for match in host_library.objects(parsed.lexed):
        function = parsed.function(match.start())
        if function is not None and match.start() > function.body.start:
            yield parsed.named_use(match[0].decode(), Span(*match.span()))


def _end_of_body(tokens: Lexed, at: int) -> int:
    """Where the body ends of what a word before a name declares, behind initialisers in braces; that of the declaration
    where it has none, and of the file where it is not seen."""
    size, token = len(tokens.data), tokens.token(at)
    for _ in range(_FARTHEST):
        token = tokens.after(token)
        if token is None:
            break
        line, text = tokens.directive_at(token.start), tokens.text(token)
        if line is not None:
            token = tokens.before(line.end)
        elif text in (b";", b"}"):
            return token.start
        elif text in (b"(", b"[", b"{"):
            closing = tokens.closing(token.start)
            if closing < 0:
                break
            token = tokens.token(closing)
            if text == b"{" and tokens.text(tokens.after(token)) not in (b",", b"{"):
                return closing
    return size


def _plain(function: Function) -> bytes:
    """A function's name without what it is a member of."""
    return function.name.rpartition("::")[2].encode("latin-1")


def _head(parsed: ParsedFile, function: Function) -> frozenset[bytes]:
    """The words of a head up to the name, those too that a conditional parts from it."""
    start, end = head_to_name(parsed.data, function)
    words, tokens = set(_WORD.findall(parsed.data, start, end)), parsed.lexed
    before = tokens.before(start)
    for _ in range(_LONGEST):
        text = tokens.text(before)
        line = tokens.directive_at(before.start) if before is not None else None
        if before is None or (line is None and text in _ENDS):
            break
        words |= {text} if line is None else set()
        before = tokens.before(before.start if line is None else line.start)
    return frozenset(words)
