"""Options of a compiler that name NVIDIA's architecture with a number that the program puts in while it runs.

Such a string is not whole: it ends where the number is to follow, `"--gpu-architecture=compute_"`, or has a place for
it, `"-arch=sm_%d%d"`, `"sm_{}"`. What is whole, `"-arch=sm_80"`, another detector finds.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"compute_", b"sm_", b"lto_", b"arch=", b"architecture=")
_COMPILING = re.compile(rb"\b(?:nv|hip)rtc[A-Z]\w*|\b[jJ]itify\b")
"""A call of the library that compiles at run time, or the wrapper of it that programs have."""
_PLACE = rb"(?:%[-+ #0]*\d*(?:hh?|ll?|z)?[diuxs]|\{[^{}\"]*\})"
"""Where a format puts a value: `%d`, `%02u`, `{}`, `{0:d}`."""
_OPTION = re.compile(
    rb'"(?:[^"\n\\]*[\s,;])?-{1,2}(?:gpu-architecture|gpu-code|arch|code|gencode)[= ]?(?:arch=)?'
    rb"(?P<arch>(?:compute|sm|lto)_(?:" + _PLACE + rb')*)(?:[af]?|(?:[\s,]|(?<=\})|(?<=[dius]))[^"\n]*)"'
)
"""An option up to its number: `"--gpu-architecture=compute_"`, `"-O3 -arch=sm_%d%d -rdc"`."""
_PART = re.compile(rb'"(?P<arch>(?:compute|sm|lto)_(?:' + _PLACE + rb')*[af]?)"')
"""The architecture alone, up to its number; the option is another string."""
_OPEN = re.compile(rb'"(?P<arch>-{1,2}(?:gpu-architecture|arch)=)(?:%s|\{[^{}"]*\})?"')
"""The option alone, up to the architecture, which is a value of somewhere else."""
_JOINS = (b"+", b"<<", b"+=")
_COMPARES = re.compile(rb"(?:\w*(?:find|cmp|with|compare|strstr|match|contains))")
"""Functions that look whether a text has such a string: `starts_with`, `strncmp`, `rfind`."""
_PRINTS = re.compile(rb"^\s*(?:std\s*::\s*)?(?:printf\s*\(|fprintf\s*\(\s*(?:stderr|stdout)\b|(?:cout|cerr|clog)\b)")
"""A statement that shows a text to people and keeps nothing of it."""
_OF_AMD = re.compile(rb"gcnArchName|\bgfx")
_BEGINS = (b";", b"{", b"}", b"case", b"else")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Options up to a number, and in files that compile at run time their parts."""
    if not any(word in parsed.data for word in WORDS):
        return
    found = [match for match in _OPTION.finditer(parsed.data) if _is_made(parsed, match)]
    if _COMPILING.search(parsed.data) is not None:
        found += [match for match in _PART.finditer(parsed.data) if _is_made(parsed, match)]
        if not found:
            found = [match for match in _OPEN.finditer(parsed.data) if _is_open(parsed, match)]
    for match in sorted(found, key=lambda one: one.start()):
        span = Span(*match.span())
        name = match["arch"].decode("latin-1")
        yield Hit("build/made-arch-option", parsed.named_use(name, span, "token"), {"name": name})


def _is_made(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether a string is a literal of code that HIP compiles, and the program completes it."""
    lexed = parsed.lexed
    token = lexed.token(match.start())
    if token is None or (token.start, token.end) != match.span() or parsed.hip(match.start()) is not None:
        return False
    directive = lexed.directive_at(match.start())
    if directive is not None and directive.name != "define":
        return False
    statement = _statement(parsed, match.start())
    return not (_is_compared(parsed, match) or _PRINTS.match(statement) or _OF_AMD.search(statement))


def _is_open(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether something is put behind an option that ends before its architecture."""
    joined = parsed.lexed.text(parsed.lexed.token(match.end())) in _JOINS
    return (joined or not match[0].endswith(b'="')) and _is_made(parsed, match)


def _is_compared(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    lexed = parsed.lexed
    before, after = lexed.before(match.start()), lexed.text(lexed.token(match.end()))
    if lexed.text(before) in (b"==", b"!=") or after in (b"==", b"!="):
        return True
    at = match.start()
    while before is not None and lexed.text(before) not in (b"(", *_BEGINS):
        at, before = before.start, lexed.before(before.start)
    called = lexed.before(before.start) if before is not None and lexed.text(before) == b"(" else None
    return called is not None and at <= match.start() and _COMPARES.fullmatch(lexed.text(called)) is not None


def _statement(parsed: ParsedFile, offset: int) -> bytes:
    """The statement around an offset, as far as its `;` and braces tell."""
    data, lexed = parsed.data, parsed.lexed
    start = offset
    while (token := lexed.before(start)) is not None and lexed.text(token) not in _BEGINS:
        start = token.start
    end = offset
    while (token := lexed.token(end)) is not None and lexed.text(token) not in (b";", b"{", b"}"):
        end = token.end
    return data[start:end]
