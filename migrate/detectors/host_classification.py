"""Host code that calls what HIP gives devices alone: `isfinite` without `std::`, and what CUDA gives hosts too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.cuda.classification import BEFORE, NAMES, is_declared
from cudamigrate.cuda.function_sides import is_emitted, is_for_one_pass, is_in_template, is_on_both_sides
from cudamigrate.cuda.host_pass import leaves_out
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_CUDAS = (b"rsqrt", b"rcbrt", b"rhypot", b"sinpi", b"cospi", b"sincospi", b"normcdf", b"erfinv", b"erfcinv", b"erfcx")
WORDS = (*NAMES, *_CUDAS)

_CALL = re.compile(rb"(?<![\w.:>])(?:::)?(?:%b)(?=[ \t]*\()" % b"|".join(NAMES))
"""A call of the global function, `isnan(x)`, `::isnan(x)`: not `std::isnan`, `a.isnan`, `p->isnan` or `my_isnan`."""
_USING = re.compile(rb"\busing\s+(?:namespace\s+std\s*;|std\s*::\s*(?:%b)\b)" % b"|".join(NAMES))
"""What makes the unqualified name that of `std`: `using namespace std;`, `using std::isnan;`."""
_USING_NAME = re.compile(rb"\busing\s+std\s*::\s*(?:%b)\b" % b"|".join(NAMES))
"""What makes `::isnan` that of `std`: the directive for the whole namespace does not, where the name is declared."""
_ROOTS = {"rsqrt": "std::sqrt", "rsqrtf": "sqrtf"}
"""What a reciprocal square root is one by, in the type that CUDA's has."""
_SCOPES = frozenset(("namespace_definition", "class_specifier", "struct_specifier"))
_OF_CUDA = re.compile(rb"(?<![\w.:>])(?:normcdfinv|" + b"|".join(_CUDAS) + rb")f?(?=[ \t]*\()")
"""A call of a function that the C library lacks, `rsqrtf(x)`: not `mine::rsqrtf` or `a.rsqrt`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call in a function of the host's, in a file that declares no such function and has none of `std` in view."""
    if not parsed.is_for_nvcc:
        return
    yield from _math(parsed)
    found = list(parsed.lexed.matches(_CALL, *NAMES))
    declared, own = _declared(parsed, found), {definition.name for definition in parsed.definitions}
    plain, qualified = own | declared.keys(), own.union(name for name, is_scoped in declared.items() if not is_scoped)
    for match in found:
        name = match[0].decode()
        is_qualified = name.startswith("::")
        using = _USING_NAME if is_qualified else _USING
        known = name.removeprefix("::") in (qualified if is_qualified else plain)
        rule = "" if known or leaves_out(parsed, match.start()) else _rule(parsed, match.start())
        if rule and _is_global(parsed, match.start()) and using.search(parsed.data) is None:
            span = Span(*match.span())
            scope = parsed.scope(span.start)
            yield Hit(rule, Use("name", name, span, span, (), scope, "syntax"), {"name": name.removeprefix("::")})


def _declared(parsed: ParsedFile, found: Iterable[re.Match[bytes]]) -> dict[str, bool]:
    """The names in places where one is declared, each with whether that is always in a namespace or a class."""
    declared: dict[str, bool] = {}
    for match in found:
        if is_declared(parsed.lexed, *match.span(), parsed.function(match.start()) is None):
            name, around = match[0].decode(), parsed.nodes_around(*match.span())
            declared[name] = declared.get(name, True) and any(node.type in _SCOPES for node in around)
    return declared


def _rule(parsed: ParsedFile, offset: int) -> str:
    """The rule for a call by the function around it: what both sides compile is refused on the host's."""
    if parsed.scope(offset) == "host":
        return "build/host-classification"
    function = parsed.function(offset) if parsed.scope(offset) == "device" else None
    if function is None or not is_on_both_sides(parsed, function):
        return ""
    return "build/shared-classification" if is_in_template(parsed, function) else "build/host-classification"


def _is_global(parsed: ParsedFile, offset: int) -> bool:
    """Whether `::` is the global namespace's, and not a scope's whose name is apart from it: `lib ::isnan(x)`."""
    if parsed.data[offset : offset + 1] != b":":
        return True
    before = parsed.lexed.text(parsed.lexed.before(offset))
    return before in BEFORE or not (before[-1:].isalnum() or before[-1:] in (b"_", b">"))


def _math(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of the functions that CUDA's headers define for hosts too."""
    found = list(parsed.lexed.matches(_OF_CUDA, *_CUDAS))
    own = {function.name for function in parsed.functions}.union(_declared(parsed, found))
    for match in found:
        name = match[0].decode()
        if name not in own and parsed.hip(match.start()) is None and _is_for_host(parsed, match.start()):
            yield _root(parsed, match) or _of_cuda(match)


def _of_cuda(match: re.Match[bytes]) -> Hit:
    name, span = match[0].decode(), Span(*match.span())
    return Hit("build/host-math", Use("name", name, span, span, (), "host", "syntax"), {"name": name})


def _root(parsed: ParsedFile, match: re.Match[bytes]) -> Hit | None:
    """The hit for a reciprocal square root of a function that is the host's alone: there it is written out."""
    name, opening = match[0].decode(), parsed.lexed.token(match.end())
    if name not in _ROOTS or opening is None or parsed.scope(match.start()) != "host":
        return None
    closing = parsed.lexed.closing(opening.start)
    given = parsed.arguments(opening.start, closing)
    if len(given) != 1 or parsed.lexed.directive_at(match.start()) is not None:
        return None
    use = Use("call", name, Span(*match.span()), Span(match.start(), closing + 1), given, "host", "syntax")
    return Hit("build/host-root", use, {"name": name, "root": _ROOTS[name]})


def _is_for_host(parsed: ParsedFile, offset: int) -> bool:
    """Whether code is compiled for the host for certain: of a function for both sides, where it is made in any case."""
    if leaves_out(parsed, offset):
        return False
    if parsed.scope(offset) == "host":
        return True
    function = parsed.function(offset) if parsed.scope(offset) == "device" else None
    if function is None or not is_on_both_sides(parsed, function) or not is_emitted(parsed, function):
        return False
    return not is_for_one_pass(parsed, offset)
