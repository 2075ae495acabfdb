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
    yield from _assigned(parsed)


def _assigned(parsed: ParsedFile) -> Iterator[Hit]:
    """Lists that such a variable is set to later: `x = {a, b}`, which no statement of its own need be."""
    for kind in (one for one in ORDER if one.encode() in parsed.data):
        for name, ranges in owners(parsed, (kind,)).items():
            set_to = re.compile(rb"(?<![\w.>])%b\s*=\s*(?=\{)" % re.escape(name))
            for match in parsed.lexed.matches(set_to, name):
                before = parsed.lexed.text(parsed.lexed.before(match.start()))
                is_its = any(one.start <= match.start() < one.end for one in ranges)
                if is_its and before in (*_STATEMENTS, b")", b"else", b":") and parsed.hip(match.start()) is None:
                    given = _given(parsed, match.end())
                    yield from (
                        (_hit(kind, Span(match.start(), match.start() + len(name))),) if _moved(kind, given) else ()
                    )


def _given(parsed: ParsedFile, opening: int) -> list[bytes]:
    """The values of a list in braces."""
    closing = parsed.lexed.closing(opening)
    spans = parsed.lexed.arguments(opening, closing) if closing > 0 else []
    return [parsed.data[start:end] for start, end in spans]


def _moved(kind: str, given: list[bytes]) -> bool:
    """Whether some values are given by place, and one of them comes to another member in HIP's structure."""
    return is_moved(kind, len(given)) and len(given) <= len(ORDER[kind]) and not any(one[:1] == b"." for one in given)


def _hit(kind: str, span: Span) -> Hit:
    use = Use("name", kind, span, span, (), certainty="token")
    return Hit("library/member-order-open", use, {"type": kind})


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
    text = lexed.text(kind).decode()
    if is_declared and lexed.text(sign) == b"[":
        return _of_array(parsed, kind, sign)
    opening = lexed.after(sign) if lexed.text(sign) == b"=" else sign
    if opening is None or lexed.text(opening) != b"{" or not _moved(text, _given(parsed, opening.start)):
        return None
    closing = lexed.closing(opening.start)
    given = [Span(*one) for one in lexed.arguments(opening.start, closing)]
    whole = Span(name.start if is_declared and name is not None else kind.start, closing + 1)
    is_statement = lexed.text(lexed.before(kind.start)) in _STATEMENTS and lexed.text(lexed.token(closing + 1)) == b";"
    plain = is_declared and is_statement and parsed.function(kind.start) is not None
    plain = plain and parsed.lexed.directive_at(kind.start) is None
    use = Use("name", text, Span(kind.start, kind.end), whole, tuple(given) if plain else (), certainty="token")
    return Hit("library/member-order" if plain else "library/member-order-open", use, {"type": text})


def _of_array(parsed: ParsedFile, kind: Token, bracket: Token | None) -> Hit | None:
    """The hit at the type of an array, where one element is such a list: `T x[2] = {{a, b}, {c, d}}`."""
    lexed, text = parsed.lexed, parsed.lexed.text(kind).decode()
    sign = lexed.token(lexed.closing(bracket.start) + 1) if bracket is not None else None
    opening = lexed.after(sign) if lexed.text(sign) == b"=" else sign
    closing = lexed.closing(opening.start) if opening is not None and lexed.text(opening) == b"{" else -1
    elements = lexed.arguments(opening.start, closing) if opening is not None and closing > 0 else []
    lists = (start for start, _ in elements if parsed.data[start : start + 1] == b"{")
    is_any = any(_moved(text, _given(parsed, start)) for start in lists)
    return _hit(text, Span(kind.start, kind.end)) if is_any else None
