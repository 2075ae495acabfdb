"""Shared variables of a type with a constructor: nvcc warns and runs none, clang refuses them.

The type may be of another file, so the repository as a whole shows it. The variable becomes a reference to bytes of the
same size, which nobody initialises either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.words import begun
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "memory/shared-constructor"
_LANGUAGES = ("cuda", "cxx")
_VARIABLE = re.compile(
    rb"(?:static\s+__shared__|__shared__)\s+(?:static\s+)?(?P<type>(?:typename\s+|struct\s+)?(?:::\s*)?(?:\w+\s*::\s*)*(?P<last>[A-Za-z_]\w*)"
    rb"(?:\s*<[^;{}()]*>)?)\s+(?P<name>[A-Za-z_]\w*)(?P<sizes>(?:\s*\[[^\];]+\])*)\s*;"
)
"""One variable in shared memory, perhaps an array: `__shared__ Pair all[32];`."""
_PLAIN = frozenset(b"int float double bool char short long unsigned signed const".split())
"""Words of the language's own types."""
_CLASS = re.compile(
    rb"\b(?:struct|class)\s+(?:\w+\s+|__\w+__\(\([^()]*\)\)\s*)*?(?P<name>\w+)\s*(?:final\s*)?(?P<bases>:[^{;()]*)?\{"
)
_ACCESS = re.compile(rb"\b(?:public|private|protected)\s*:(?!:)")
"""What says who may use the members behind it: no part of a type, `private: static const int size = 4;`."""
_ALIAS = re.compile(
    rb"\btypedef\s+(?:struct\s+|class\s+|typename\s+)?(?P<of>[\w:]+(?:\s*<[\w:<>,\s]*>)?)\s+(?P<typedef>\w+)\s*;"
    rb"|\busing\s+(?P<name>\w+)\s*=\s*(?:struct\s+|class\s+|typename\s+)?(?P<what>[\w:]+(?:\s*<[\w:<>,\s]*>)?)\s*;"
)
"""Another name for a type: `typedef Task Small;`, `using Small = Task;`, no pointer to one."""
_BLOCK = re.compile(rb"\{[^{}]*\}")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_EMPTY, _FULL = b"\x01", b"\x02"
"""What is written for a pair of braces that has nothing between, and for one that has something."""
_MEMBER = re.compile(
    rb"(?:\A|(?<=[;\x01\x02]))\s*(?!(?:static|using|typedef|friend|enum|constexpr|struct|class|union|template|operator)\b)"
    rb"(?P<type>(?:(?:const|volatile|mutable|typename)\s+)*[\w:]+(?:\s*<[\w:<>,\s]*>)?)(?P<more>[\w:<>,\s*&]*?)[\s*&>]"
    rb"(?!operator\b)(?P<name>\w+)(?:\s*\[[^\]]*\])*\s*(?P<value>=[^;=]+|\x01|\x02)?\s*(?=;)"
)
"""A variable that a class has, and what it begins with: `int count = 0`, `Pair<T> all[4]`."""
_NAMED = re.compile(
    rb"(?:(?:const|volatile|mutable|typename|struct)\s+)*(?:\w+\s*::\s*)*(\w+)\s*(?:<(.*)>)?\s*", re.DOTALL
)
"""A type: its last name, and what it is given."""
_PARAMETERS = re.compile(rb"\btemplate\s*<(?P<all>[^{};()]*)>\s*\Z")
_HEAD = 300
"""Bytes before a class in which the parameters of a template are."""
_DEEPEST = 4
"""How far members of members are looked into."""


class _Class(NamedTuple):
    """Whether a class says how its objects begin, the types that its variables and bases have, and its parameters."""

    begins: bool
    parts: frozenset[bytes]
    parameters: tuple[bytes, ...] = ()


def with_shared_constructors(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each shared variable of a type whose constructor does something."""
    rule = book.rules.get(RULE)
    variables = {one.path: found for one in results if (found := list(_variables(one, read)))} if rule else {}
    wanted = {word for found in variables.values() for match in found for word in _WORD.findall(match["type"])}
    if rule is None or rule.silent or not wanted:
        return list(results)
    is_refused = _refused(wanted, results, read)
    more = {
        path: list(_findings(path, [one for one in found if is_refused(one["type"], path)], book, read))
        for path, found in variables.items()
    }
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _variables(result: FileResult, read: Read) -> Iterator[re.Match[bytes]]:
    """The shared variables of a file whose type is a name, arrays of a size that only a launch gives left out."""
    source = read(result.path) if result.cuda and result.language in _LANGUAGES and result.skip is None else None
    if source is None or b"__shared__" not in source.data:
        return
    found = [match for match in _VARIABLE.finditer(source.data) if match["last"] not in _PLAIN]
    if not found:
        return
    tokens = lexed(source)
    for match in found:
        before = tokens.text(tokens.before(match.start()))
        if tokens.is_code(match.start()) and before not in (b"extern", b"static"):
            yield match


def _refused(wanted: set[bytes], results: Sequence[FileResult], read: Read) -> Callable[[bytes, str], bool]:
    """What tells whether clang does not put a type that a file names into shared memory.

    All classes of the name say how they begin: those of the file itself, where it has one, and else those of all files.
    """
    known: dict[bytes, list[tuple[str, _Class]]] = {}
    asked, named = set[bytes](), dict[str, frozenset[bytes]]()
    for _ in range(_DEEPEST):
        new = wanted - asked
        if not new:
            break
        asked |= new
        for path, name, made in _classes(new, results, named, read):
            known.setdefault(name, []).append((path, made))
        parts = (part for name in new for _, made in known.get(name, ()) for part in made.parts)
        wanted = {word for part in parts for word in _WORD.findall(part)}

    def is_refused(kind: bytes, path: str, depth: int = 0) -> bool:
        found = _NAMED.fullmatch(kind)
        every = known.get(found[1], []) if found is not None else []
        made = [one for one in every if one[0] == path] or every
        given = _arguments(found[2] or b"") if found is not None else []
        return bool(made) and all(
            one.begins or (depth < _DEEPEST and any(is_refused(part, at, depth + 1) for part in _made_of(one, given)))
            for at, one in made
        )

    return is_refused


def _arguments(text: bytes) -> list[bytes]:
    """What a template is given, parted at the commas that are in no other list."""
    found, depth, start = list[bytes](), 0, 0
    for at, sign in enumerate(text):
        depth += {60: 1, 62: -1}.get(sign, 0)
        if sign == 44 and not depth:
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()] if text.strip() else []


def _made_of(made: _Class, given: Sequence[bytes]) -> Iterator[bytes]:
    """The types that a class has variables and bases of, where its parameters are given some types."""
    known = dict(zip(made.parameters, given, strict=False))
    for part in made.parts:
        yield _WORD.sub(lambda word: known.get(word[0], word[0]), part)


def _classes(
    names: set[bytes], results: Sequence[FileResult], named: dict[str, frozenset[bytes]], read: Read
) -> Iterator[tuple[str, bytes, _Class]]:
    """The definitions of classes of some names in all files of code, each with its file.

    `named` has the classes of the files that were seen before.
    """
    for result in results:
        source = read(result.path) if result.language in _LANGUAGES and result.skip is None else None
        if source is None or not any(name in source.data for name in names):
            continue
        if result.path not in named:
            classes = (match["name"] for match in begun(source.data, _CLASS, (b"struct", b"class")))
            aliases = (one["name"] or one["typedef"] for one in begun(source.data, _ALIAS, (b"typedef", b"using")))
            named[result.path] = frozenset((*classes, *aliases))
        if names.isdisjoint(named[result.path]):
            continue
        tokens = lexed(source)
        for match in tokens.starting(_ALIAS, b"typedef", b"using"):
            name, meant = match["name"] or match["typedef"], match["what"] or match["of"]
            if name in names and name != meant:
                yield result.path, name, _Class(False, frozenset((meant,)))
        for match in tokens.matches(_CLASS):
            if match["name"] in names:
                yield result.path, match["name"], _class(tokens, match)


def _class(tokens: Lexed, match: re.Match[bytes]) -> _Class:
    """What a definition shows of a class."""
    opened = match.end() - 1
    end = tokens.closing(opened)
    text = _ACCESS.sub(b";", _flat(tokens, opened + 1, end if end > opened else opened + 1))
    members = list(_MEMBER.finditer(text))
    made = re.compile(rb"(?<![~\w:])" + match["name"] + rb"\s*\((?P<given>[^()]*)\)\s*(?:noexcept\s*)?(?P<does>:|\x02)")
    begins = any(_is_default(one["given"]) for one in made.finditer(text))
    types = {one["type"] for one in members if not one["value"] and b"*" not in one[0] and b"&" not in one[0]}
    bases = set(_WORD.findall(match["bases"] or b"")) - {b"public", b"private", b"protected", b"virtual"}
    parts = frozenset(types | bases) - {match["name"]}
    return _Class(begins or any(one["value"] for one in members), parts, _parameters(tokens, match.start()))


def _parameters(tokens: Lexed, start: int) -> tuple[bytes, ...]:
    """The parameters of the template that a class is, in order."""
    head = _PARAMETERS.search(tokens.data, max(0, start - _HEAD), start)
    return (
        tuple((_WORD.findall(one.partition(b"=")[0]) or [b""])[-1] for one in _arguments(head["all"])) if head else ()
    )


def _is_default(parameters: bytes) -> bool:
    """Whether a constructor can be called without arguments."""
    return parameters.strip() in (b"", b"void") or all(b"=" in one for one in parameters.split(b","))


def _flat(tokens: Lexed, start: int, end: int) -> bytes:
    """The text of a class without comments and literals, and with one sign for all that braces enclose."""
    parts, at = [], start
    for begin, stop in zip(tokens.starts, tokens.ends, strict=True):
        if at <= begin < end:
            parts.append(tokens.data[at:begin])
            at = max(at, stop)
    text = b" ".join([*parts, tokens.data[at:end]])
    while (shorter := _BLOCK.sub(lambda block: _FULL if block[0][1:-1].strip() else _EMPTY, text)) != text:
        text = shorter
    return text


def _findings(path: str, chosen: Sequence[re.Match[bytes]], book: Rulebook, read: Read) -> Iterator[Finding]:
    """The findings of a file at variables of refused types."""
    source = read(path)
    parsed = cuda.parse(replace(source, language="cuda"), frozenset()) if source is not None and chosen else None
    for match in chosen if parsed is not None and not parsed.problems else ():
        if parsed is None or parsed.hip(match.start()) is not None or parsed.lexed.directive_at(match.start()):
            continue
        span = Span(*match.span("name"))
        use = Use("name", match["name"].decode(), span, Span(*match.span()), (), parsed.scope(span.start), "token")
        words = {"name": match["name"].decode(), "type": match["last"].decode()}
        made = engine.finding_in(parsed, Hit(RULE, use, words), book.rules[RULE])
        yield replace(made, fix=Fix((Edit(Span(*match.span()), _as_bytes(match)),), "safe"))


def _as_bytes(match: re.Match[bytes]) -> bytes:
    """The variable as a reference to bytes: all that names it stays as it is."""
    kind, name, sizes = match["type"], match["name"], match["sizes"].strip()
    whole = kind.removeprefix(b"struct ") + sizes
    plain = kind.removeprefix(b"struct ")
    reference, pointer = (b"(&" + name + b")", b" (*)" + sizes) if sizes else (b"&" + name, b" *")
    return (
        b"alignas(%s) __shared__ unsigned char %s_bytes[sizeof(%s)]; %s %s%s = *reinterpret_cast<%s%s>(%s_bytes);"
        % (plain, name, whole, plain, reference, sizes, plain, pointer, name)
    )
