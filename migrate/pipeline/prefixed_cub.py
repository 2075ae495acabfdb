"""Names of CUB in a namespace that the project puts around it: hipCUB is in `hipcub` and takes no such macro.

`#define CUB_NS_PREFIX namespace mine {` before CUB's headers makes `mine::cub` of `cub`; `CUB_WRAPPED_NAMESPACE` does
the same. A build may give either to its compilers: `-DCUB_NS_PREFIX="namespace mine {"`. Which file says so and which
use it are seen when all are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span
from cudamigrate.pipeline.own_names import BUILDS, Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/cub-wrapped-namespace"
_LANGUAGES = ("cuda", "cxx")
_PREFIX = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+CUB_NS_PREFIX[ \t]+(?P<all>(?:namespace[ \t]+\w+[ \t]*\{[ \t]*)+)", re.MULTILINE
)
_WRAPPED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(?:THRUST_)?CUB_WRAPPED_NAMESPACE[ \t]+(?P<name>\w+)", re.MULTILINE)
_GIVEN = re.compile(
    rb"(?<!\w)(?:-D[ \t]*)?(?:CUB_NS_PREFIX[\s\\\"',=]*?[=,][\s\\\"']*(?P<all>(?:namespace[\s\\]+\w+[\s\\]*\{[\s\\]*)+)"
    rb"|(?:THRUST_)?CUB_WRAPPED_NAMESPACE[\\\"']*\s*[=,][\s\\\"']*(?P<name>[A-Za-z_]\w*))"
)
"""The same in a build file, with the signs that a shell or a list has around it: `-DCUB_WRAPPED_NAMESPACE=mine`,
`"CUB_NS_PREFIX=namespace mine {"`, `("CUB_WRAPPED_NAMESPACE", "mine")`."""
_NAMESPACE = re.compile(rb"namespace[\s\\]+(\w+)")
_OF_CUB = re.compile(r"\bcub(?:/|::)|CUB_")
"""A name of CUB's, or one of its headers."""
_OWN = re.compile(rb"\bnamespace\s+(?:\w+\s*::\s*)*cub\s*\{")
"""The project opens a namespace of that name itself, so that not all in it is CUB's."""


def with_prefixed_cub(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each use of CUB through a namespace that macros put around it."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not any(_OF_CUB.search(one.name) for each in results for one in each.findings):
        return list(results)  # most trees: no file is read for it
    around, own = set[bytes](), False
    for one in results:
        source = read(one.path) if one.language in (*_LANGUAGES, *BUILDS) and one.skip is None else None
        if source is None or b"cub" not in source.data.lower():
            continue
        if one.language in BUILDS:
            around.update(_given(source.data))
            continue
        around.update(_around(source))
        own = own or _OWN.search(source.data) is not None
    if not around or own:
        return list(results)
    spelled = re.compile(rb"(?<![\w:])(?:::\s*)?(?:" + b"|".join(sorted(map(_spaced, around))) + rb")\s*::\s*cub\b")
    return [engine.with_more(one, list(_findings(one, spelled, book, read))) for one in results]


def _around(source: SourceFile) -> Iterator[bytes]:
    """The namespaces that a file puts around CUB: `a::b`."""
    for match in lexed(source).matches(_PREFIX, b"CUB_NS_PREFIX"):
        yield b"::".join(_NAMESPACE.findall(match["all"]))
    for match in lexed(source).matches(_WRAPPED, b"CUB_WRAPPED_NAMESPACE"):
        yield match["name"]


def _given(data: bytes) -> Iterator[bytes]:
    """The namespaces that a build file has compilers put around CUB, in no comment."""
    for match in _GIVEN.finditer(data):
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if not line.lstrip().startswith((b"#", b"//")):
            yield match["name"] or b"::".join(_NAMESPACE.findall(match["all"]))


def _spaced(name: bytes) -> bytes:
    return name.replace(b"::", rb"\s*::\s*")


def _findings(result: FileResult, spelled: re.Pattern[bytes], book: Rulebook, read: Read) -> Iterator[Finding]:
    source = read(result.path) if result.language in _LANGUAGES and result.skip is None else None
    if source is None or b"cub" not in source.data or not spelled.search(source.data):
        return
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    for match in parsed.lexed.matches(spelled):
        span = Span(*match.span())
        if parsed.problems or parsed.hip(span.start) is not None or _defines(parsed.lexed, span.start):
            continue
        use = parsed.named_use(match[0].decode(), span)
        made = engine.finding_in(parsed, Hit(RULE, use), book.rules[RULE])
        yield replace(made, fix=Fix((Edit(span, b"hipcub"),), "safe"))


def _defines(known: Lexed, offset: int) -> bool:
    """Whether a place is in one of CUB's own macros: `#define CUB_NS_QUALIFIER ::mine::cub`."""
    directive = known.directive_at(offset)
    return directive is not None and b"CUB_" in known.data[directive.start : offset]
