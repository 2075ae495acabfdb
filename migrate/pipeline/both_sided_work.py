"""Work of the host in functions for both sides that device code reaches: launches, calls of the runtime, objects.

A `__host__ __device__` function that only host code calls may launch kernels, call the runtime and make a
`std::vector`. In one that a kernel calls, or whose address it takes, clang refuses all of it; so it does in a template
that a file makes for some types by name. The qualifiers may come from a macro of another file, or be in a branch of a
conditional before the rest of the head; the caller may be in another file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda import host_library
from cudamigrate.cuda.function_sides import is_emitted, is_for_one_pass
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.pipeline.sided_functions import BOTH, LOCAL, SidedFiles, plain
from cudamigrate.rulebase.code_rules import Rulebook

_RULES = {
    "launch": "launch/dynamic-parallelism",
    "call": "launch/runtime-call-on-device",
    "name": "launch/host-library-on-device",
}
"""The rules of launches, of calls, and of names of the host's library."""
_LANGUAGES = ("cuda", "cxx")
_CALL = re.compile(rb"\bcuda[A-Z]\w*\s*\(")
"""What may be a call of the runtime."""
_WORK = re.compile(rb"<<<|" + _CALL.pattern)
_INSTANTIATED = re.compile(rb"(?<!\w)(?P<extern>extern\s+)?template\s+(?![\s<])[\w:*&\s]*?\b(?P<name>[A-Za-z_]\w*)\s*<")
"""A template that a file has made for some types, called or not: `template __host__ __device__ void f<int>(int *);`."""
_FARTHEST = 1_000
"""Tokens and brackets between a word that qualifies a function and the end of its body."""


def with_both_sided_work(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such launch and call."""
    rules = {kind: book.rules[rule] for kind, rule in _RULES.items() if rule in book.rules}
    code = [one for one in results if one.language in _LANGUAGES and one.skip is None]
    paths = [one.path for one in code if one.cuda and asked(read, one.path, _has_work)]
    if not paths:
        return list(results)
    every = [one.path for one in code]
    tree = _Tree(SidedFiles.of(every, read))
    found = [one for path in paths for one in tree.work(path)]
    more: dict[str, list[Finding]] = {}
    for one in found:
        rule = rules.get(one.use.kind)
        said = rule is not None and not rule.silent and tree.is_on_device(one.function, one.emitted)
        parsed = tree.files.parsed(one.path) if said else None
        if parsed is not None and rule is not None:
            hit = Hit(rule.id, one.use, {"name": one.use.name or "a kernel"})
            more.setdefault(one.path, []).append(engine.finding_in(parsed, hit, rule))
    return [engine.with_new(one, more.get(one.path, ())) for one in results]


def _has_work(source: SourceFile) -> bool:
    return b"<<<" in source.data or _CALL.search(source.data) is not None or host_library.may_use(source.data)


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
    """What device code has of the functions of some files."""

    files: SidedFiles
    _reached: dict[bytes, bool] = field(default_factory=dict)
    _made: frozenset[bytes] | None = None

    def work(self, path: str) -> Iterator[_Work]:
        """The launches and calls of a file in functions for both sides, in no branch for one of the passes."""
        source = self.files.read(path)
        if source is None or not self._may_be_both(source.data) or not self._may_hold_work(source):
            return
        parsed = self.files.parsed(path)
        for use in _uses(parsed) if parsed is not None else ():
            function = parsed.function(use.span.start) if parsed is not None else None
            if parsed is None or function is None or not function.name or is_for_one_pass(parsed, use.span.start):
                continue
            if self.files.sides(parsed, function) >= BOTH:
                yield _Work(path, use, plain(function), self._emitted(parsed, function))

    def is_on_device(self, name: bytes, emitted: bool = False) -> bool:
        """Whether device code has a function for both sides: it calls it, or by way of others, or takes its address."""
        if emitted:
            return True
        if name not in self._reached:
            self._reached[name] = False  # where functions call each other
            self._reached[name] = name in self._instantiated() or any(
                self.is_on_device(plain(user), self._emitted(parsed, user)) if sides >= BOTH else True
                for parsed, user, sides in self.files.users(name)
                if not sides.isdisjoint((b"__device__", b"__global__")) or user.scope == "device"
            )
        return self._reached[name]

    def _instantiated(self) -> frozenset[bytes]:
        """The function templates that files have made, for the device as for the host."""
        if self._made is None:
            self._made = frozenset(
                name for path in self.files.paths for name in asked(self.files.read, path, _templates_made) or ()
            )
        return self._made

    def _may_be_both(self, data: bytes) -> bool:
        """Whether a file has a word that makes a function one for both sides."""
        return all(side in data for side in BOTH) or any(
            name in data for name, sides in self.files.macros.items() if sides >= BOTH
        )

    def _may_hold_work(self, source: SourceFile) -> bool:
        """Whether a place of work is between a word that qualifies functions and the end of a body, without a tree."""
        tokens = lexed(source)
        places = [match.start() for match in (*tokens.matches(_WORK), *host_library.objects(tokens))]
        heads = (at for at in tokens.words(BOTH.union(self.files.macros)) if tokens.directive_at(at) is None)
        spans = ((at, _end_of_body(tokens, at)) for at in heads)
        return any(start < at < end for start, end in spans for at in places)

    def _emitted(self, parsed: ParsedFile, function: Function) -> bool:
        """Whether the compiler makes code of a function whoever calls it; an unknown macro may make it local."""
        words = self.files.words(parsed, function)
        return not self.files.has_unknown(parsed, function) and LOCAL.isdisjoint(words) and is_emitted(parsed, function)


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
