"""Functions that other files can call by name alone: host functions in no namespace or class, with external linkage."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import STRING, WORD, Lexed, Token

_KEPT_INSIDE = frozenset((b"static", b"inline", b"__inline__", b"__forceinline__", b"template", b"__global__",
    b"__device__", b"typedef", b"operator", b"constexpr", b"namespace", b"=", b"#"))  # fmt: skip
"""Words before a function's name that make it no such function, or the head none of a function."""
_FOR_ITSELF = frozenset((b"static", b"inline", b"__inline", b"__inline__"))
_NO_PROTOTYPE = frozenset((b"template", b"typedef", b"operator", b"namespace", b"using", b"=", b"#"))
"""Words before a name that make a statement no declaration of a function that CUDA's headers have."""
_BEFORE_CALL = frozenset((b"return", b"else", b"do"))
_STARTS = frozenset((b";", b"{", b"}", b"(", b"=", b",", b"!", b")", b"+", b"-", b"<", b">", b"&&", b"||", b"?", b":"))


def exported(lexed: Lexed) -> list[tuple[bytes, int]]:
    """The functions that a file defines, each with where its name is."""
    return list(_defined(lexed))


def declared(lexed: Lexed) -> Iterator[bytes]:
    """The functions that a file declares without a body, outside of every class, namespace and function."""
    for head, ends_in in _heads(lexed):
        texts = [lexed.text(one) for one in head]
        at = len(texts) - 1 - texts[::-1].index(b"(") if b"(" in texts else 0
        plain = at >= 2 and head[at - 1].kind == WORD and _NO_PROTOTYPE.isdisjoint(texts[:at])
        if ends_in == b";" and plain and texts[at - 2] != b"::":
            yield texts[at - 1]


def own(lexed: Lexed) -> Iterator[bytes]:
    """The functions that a file defines for itself, as `static` or `inline`, outside of every class and namespace."""
    for head, ends_in in _heads(lexed):
        texts = [lexed.text(one) for one in head]
        said = [at for at, text in enumerate(texts) if text in _FOR_ITSELF]
        name = (
            _name(lexed, [one for at, one in enumerate(head) if at not in said]) if ends_in == b"{" and said else None
        )
        if name is not None:
            yield lexed.text(name)


def _defined(lexed: Lexed) -> Iterator[tuple[bytes, int]]:
    for head, ends_in in _heads(lexed):
        name = _name(lexed, head) if ends_in == b"{" else None
        if name is not None:
            yield lexed.text(name), name.start


def _heads(lexed: Lexed) -> Iterator[tuple[list[Token], bytes]]:
    """What is before each body and each `;` outside of bodies, and which of the two; arguments are left out."""
    head, at = list[Token](), 0
    while (token := lexed.token(at)) is not None:
        directive = lexed.directive_at(token.start)
        if directive is not None:
            at = directive.end
            continue
        at, text = token.end, lexed.text(token)
        if text == b"{":
            closing = lexed.closing(token.start)
            if closing < 0:
                return
            linkage = len(head) == 2 and lexed.text(head[0]) == b"extern" and head[1].kind == STRING
            at = token.end if linkage else closing + 1
        if text in (b";", b"{", b"}"):
            yield head, text
            head = []
        elif text == b"(":
            head.append(token)
            closing = lexed.closing(token.start)
            at = closing + 1 if closing >= 0 else at
        else:
            head.append(token)


def _name(lexed: Lexed, head: list[Token]) -> Token | None:
    """The name in the head of such a definition; None where it is another one."""
    texts = [lexed.text(one) for one in head]
    at = texts.index(b"(") if b"(" in texts else 0
    if at < 2 or head[at - 1].kind != WORD or not _KEPT_INSIDE.isdisjoint(texts[:at]) or texts[at - 2] == b"::":
        return None
    return head[at - 1] if set(texts[at + 1 :]) <= {b"noexcept"} else None


def calls(lexed: Lexed, names: frozenset[bytes]) -> Iterator[tuple[bytes, int]]:
    """The calls of functions of those names, each with where it is; no declaration, and none of a member."""
    for place in lexed.words(names):
        name, before = lexed.token(place), lexed.before(place)
        if name is None or before is None or lexed.text(lexed.after(name)) != b"(" or lexed.directive_at(place):
            continue
        if lexed.text(before) in _BEFORE_CALL or lexed.text(before) in _STARTS:
            yield lexed.text(name), place
