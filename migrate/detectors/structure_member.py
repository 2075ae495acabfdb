"""Members of CUDA's structures that HIP has by another name, in another order, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.device_properties import is_property, owners
from cudamigrate.analysis.structure_members import ABSENT, ORDER, RENAMED, is_moved
from cudamigrate.cuda.lexer import WORD, Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_KINDS = {*ORDER, *(kind for table in (RENAMED, ABSENT) for kinds in table for kind in kinds)}
WORDS = tuple(sorted(one.encode() for one in _KINDS))
_STATEMENTS = (b";", b"{", b"}")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Accesses to members of variables that the file declares of such a type, and lists of values for all members."""
    yield from _accesses(parsed)
    for start in parsed.lexed.words(frozenset(one.encode() for one in ORDER)):
        token = parsed.lexed.token(start)
        hit = _ordered(parsed, token) if token is not None and parsed.hip(start) is None else None
        yield from (hit,) if hit is not None else ()


def _accesses(parsed: ParsedFile) -> Iterator[Hit]:
    for table, rule in ((RENAMED, "library/renamed-member"), (ABSENT, "library/absent-member")):
        for kinds, members in table.items():
            known = owners(parsed, kinds) if any(one.encode() in parsed.data for one in kinds) else {}
            named = re.compile(rb"(?:\.|->)\s*(?P<name>%b)\b" % "|".join(members).encode())
            for match in parsed.lexed.matches(named) if known else ():
                if parsed.hip(match.start()) is None and is_property(parsed, match.start(), known):
                    span, name = Span(*match.span("name")), match["name"].decode()
                    use = parsed.named_use(members[name], span)
                    yield Hit(rule, use, {"name": name, "type": kinds[0], "what": members[name]})


def _ordered(parsed: ParsedFile, kind: Token) -> Hit | None:
    """The hit at the type of a list of values, `T x = {a, b}` or `T{a, b}`, that HIP would take for other members."""
    lexed, name = parsed.lexed, parsed.lexed.after(kind)
    is_declared = name is not None and name.kind == WORD
    sign = lexed.after(name) if is_declared else name
    opening = lexed.after(sign) if lexed.text(sign) == b"=" else sign
    if opening is None or lexed.text(opening) != b"{":
        return None
    closing, members = lexed.closing(opening.start), ORDER[lexed.text(kind).decode()]
    given = [Span(*one) for one in lexed.arguments(opening.start, closing)] if closing > 0 else []
    if len(given) > len(members) or not is_moved(lexed.text(kind).decode(), len(given)):
        return None
    if any(parsed.data[one.start : one.start + 1] == b"." for one in given):
        return None  # by name
    whole = Span(name.start if is_declared and name is not None else kind.start, closing + 1)
    is_statement = lexed.text(lexed.before(kind.start)) in _STATEMENTS and lexed.text(lexed.token(closing + 1)) == b";"
    plain = is_declared and is_statement and parsed.function(kind.start) is not None
    plain = plain and parsed.lexed.directive_at(kind.start) is None
    text = lexed.text(kind).decode()
    use = Use("name", text, Span(kind.start, kind.end), whole, tuple(given) if plain else (), certainty="token")
    return Hit("library/member-order" if plain else "library/member-order-open", use, {"type": text})
