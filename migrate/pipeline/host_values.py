"""Sums by CUB of objects whose class has constructors for the device alone: hipCUB makes the first value on the host.

nvcc warns of a constructor for the device in a function of the host, and clang refuses it. The class may be of another
file: all classes of the name say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/cub-host-value"
_LANGUAGES = ("cuda", "cxx")
_CALL = re.compile(
    rb"(?<![\w:])(?:::)?(?:hip)?cub\s*::\s*"
    rb"(?P<name>(?:DeviceSegmentedReduce\s*::\s*Sum|DeviceReduce\s*::\s*Sum|DeviceScan\s*::\s*ExclusiveSum))\s*\("
)
"""What begins with `T()` or `T(0)` in hipCUB."""
_INPUT = 2
"""Which argument is what is summed."""
_CLASS = rb"\b(?:struct|class)\s+(?:\w+\s*\([^()]*\)\s*|\w+\s+)*%b\s*(?:final\s*)?(?::[^;{}]*)?\{"
_QUALIFIERS = re.compile(rb"(?:__device__|__host__|__forceinline__|__inline__|inline|constexpr|explicit|\s)*\Z")
_NEAR = 120
_MACRO = re.compile(rb"\b[A-Z][A-Z0-9_]+\Z")
_POINTER = rb"\s*(?:const\s*)?\*\s*(?:const\s+|__restrict__\s+)*"


def with_host_values(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such sum."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    sources = [one.path for one in results if one.cuda and one.language in _LANGUAGES and one.skip is None]
    sums = {path: found for path in sources if (found := list(_sums(read(path))))}
    wanted = {kind for found in sums.values() for _, kind in found}
    device = _of_device(wanted, [one.path for one in results if one.language in _LANGUAGES], read) if wanted else set()
    more: dict[str, list[Finding]] = {}
    for path, found in sums.items():
        source = read(path)
        for span, kind in found:
            if source is not None and kind in device:
                use = Use("name", "sum", span, span, (), "host", "token")
                words = {"type": kind.decode("utf-8", "replace"), "call": source.text(span)}
                more.setdefault(path, []).append(engine.finding(source, Hit(RULE, use, words), rule))
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _sums(source: SourceFile | None) -> Iterator[tuple[Span, bytes]]:
    """The sums of a file by name, each with the one type that pointers of the summed name have in it."""
    if source is None or b"Sum" not in source.data or _CALL.search(source.data) is None:
        return
    tokens = lexed(source)
    for match in tokens.matches(_CALL):
        opening = match.end() - 1
        closing = tokens.closing(opening)
        given = list(tokens.arguments(opening, closing)) if closing > 0 else []
        name = source.data[slice(*given[_INPUT])].strip() if len(given) > _INPUT else b""
        kinds = set(_declared(source.data, name)) if re.fullmatch(rb"[A-Za-z_]\w*", name) else set()
        if len(kinds) == 1:
            yield Span(match.start(), match.end("name")), kinds.pop()


def _declared(data: bytes, name: bytes) -> list[bytes]:
    return re.findall(rb"\b([A-Za-z_]\w*)" + _POINTER + name + rb"\s*[;=,)]", data)


def _of_device(names: set[bytes], paths: Sequence[str], read: Read) -> set[bytes]:
    """Those of some classes whose constructors are all for the device alone, and one at least is written."""
    made: dict[bytes, list[bool]] = {}
    for path in paths:
        source = read(path)
        if source is None or not any(name in source.data for name in names):
            continue
        tokens = lexed(source)
        for name in names:
            for match in tokens.matches(re.compile(_CLASS % re.escape(name)), name):
                made.setdefault(name, []).extend(_constructors(tokens, match.end() - 1, name))
    return {name for name, found in made.items() if found and all(found)}


def _constructors(tokens: Lexed, opening: int, name: bytes) -> Iterator[bool]:
    """For each constructor in a class whether it is for the device alone, as far as its words are known."""
    end = max(tokens.closing(opening), opening)
    made = re.compile(rb"(?<![\w~:.>])" + re.escape(name) + rb"\s*\(")
    for match in made.finditer(tokens.data, opening, end):
        before = tokens.data[max(opening, match.start() - _NEAR) : match.start()]
        words = _QUALIFIERS.search(before)
        head = words[0] if words is not None else b""
        ahead = before[: len(before) - len(head)].rstrip()
        if not tokens.is_code(match.start()):
            continue
        if _MACRO.search(ahead) is not None:
            yield False  # it may say anything
        elif ahead[-1:] in (b"{", b"}", b";", b":", b"/"):
            yield b"__device__" in head and b"__host__" not in head
