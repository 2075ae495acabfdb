"""Heads of function templates at namespace scope, by tokens: what makes two of them declare one template.

Parameters go by kind and place, whatever they are called. Sides and attributes are no part of what is declared: nvcc
joins the sides of all declarations. What is not read for sure is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cudamigrate.cuda.lexer import COMMENT, Lexed, Token
from cudamigrate.cuda.namespaces import namespaces_at
from cudamigrate.lazy_re import re

_TEMPLATE = re.compile(rb"\btemplate\s*(?=<)")
_SPECIFIERS = frozenset(
    b"static inline extern __inline__ __inline __forceinline__ __noinline__ __host__ __device__ __global__".split()
)
_ATTRIBUTES = frozenset((b"__launch_bounds__", b"__attribute__", b"__attribute", b"__declspec", b"alignas"))
"""Words whose arguments belong to an attribute: no function is called so."""
_OTHERS = frozenset(
    b"friend operator return requires concept using class struct union enum decltype typedef constexpr auto".split()
)
"""Words of what is no plain function template of its own, or of a type that is not compared by its words."""
_TYPES = frozenset((b"typename", b"class"))
_WHOLE = frozenset(b"int long short unsigned signed char bool float double void const volatile auto".split())
"""Words that end a type and are no parameter's name."""
_ENDS = (b"{", b";", b"=", b"}", b"#")
_OPENING = {b"(": 1, b"<": 1, b"[": 1, b")": -1, b">": -1, b"]": -1}
_NAME = re.compile(rb"[A-Za-z_]\w*")
_LONGEST = 2000
"""Bytes within which the list of a template's parameters ends."""
_STATIC = re.compile(rb"\bstatic\b")


class TemplateHead(NamedTuple):
    """One declaration of a function template: its bytes, what it declares, and its `static`, -1 where it has none.

    Those whose `key` is the same declare the same template: scope, name, parameters and type.
    """

    start: int
    key: tuple[bytes, ...]
    static: int


def template_heads(tokens: Lexed) -> tuple[TemplateHead, ...]:
    """The function templates that a file declares in namespaces, in order; none of classes or functions."""
    found = list(tokens.matches(_TEMPLATE)) if b"template" in tokens.data else []
    scopes = namespaces_at(tokens, [one.start() for one in found])
    heads = ((scope, _head(tokens, one)) for one, scope in zip(found, scopes, strict=True) if scope is not None)
    return tuple(one._replace(key=(scope, *one.key)) for scope, one in heads if one is not None)


def may_be_static(data: bytes) -> bool:
    """Whether a file may have such a head with `static`, found without its tokens; False says that it has none."""
    for match in _STATIC.finditer(data):
        before = COMMENT.sub(b"", data[max(0, match.start() - 2 * _LONGEST) : match.start()])
        begun = before.rfind(b"template")
        if begun >= 0 and b";" not in (head := before[begun:]) and head.count(b"{") == head.count(b"}"):
            return True
    return False


def _head(tokens: Lexed, match: re.Match[bytes]) -> TemplateHead | None:
    """A template's head without its scope; None where it is no function template, or says what is not compared."""
    closing = tokens.angle_closing(match.end(), match.end() + _LONGEST)
    said = _said(tokens, tokens.token(closing + 1)) if closing >= 0 else None
    if said is None or tokens.text(said[-1]) in (b">", b"::") or len(said) < 2:  # a specialisation, or no function
        return None
    *before, name = said
    opening = tokens.after(name)
    words = [tokens.text(one) for one in before]
    end = -1 if opening is None else tokens.closing(opening.start)
    if end < 0 or words[-1:] == [b"::"] or not _ends(tokens, end):
        return None
    kinds = _parted(_texts(tokens, match.end() + 1, closing))
    kept = [_plain(one) for one in kinds]
    called = {one[-1]: b"$%d" % at for at, one in enumerate(kept) if len(one) > 1 and _NAME.fullmatch(one[-1])}
    listed = [b" ".join(b"typename" if word in _TYPES else word for word in _bare(one)) for one in kept]
    given = [_bare(_plain(one)) for one in _parted(_texts(tokens, opening.start + 1 if opening else end, end))]
    result = [called.get(one, one) for one in words if one not in _SPECIFIERS]
    told = b",".join(b" ".join(called.get(one, one) for one in each) for each in given)
    key = (tokens.text(name), b",".join(listed), b" ".join(result), told)
    static = next((one.start for one in before if tokens.text(one) == b"static"), -1)
    return TemplateHead(match.start(), key, static)


def _said(tokens: Lexed, token: Token | None) -> list[Token] | None:
    """The tokens of a head up to a function's name, without attributes; None where it is no plain function's."""
    found: list[Token] = []
    while token is not None:
        word, following = tokens.text(token), tokens.after(token)
        if word in _ATTRIBUTES or (word == b"[" and tokens.text(following) == b"["):
            opening = following if word in _ATTRIBUTES else token
            closing = -1 if opening is None else tokens.closing(opening.start)
            token = tokens.token(closing + 1) if closing >= 0 else None
            continue
        if word == b"(":
            return found or None
        if word in _ENDS or word in _OTHERS:
            return None
        found.append(token)
        token = following
    return None


def _ends(tokens: Lexed, closing: int) -> bool:
    """Whether nothing but a body, the end or `noexcept` is behind a list of parameters."""
    token = tokens.token(closing + 1)
    token = tokens.after(token) if tokens.text(token) == b"noexcept" else token
    return tokens.text(token) in (b"{", b";")


def _texts(tokens: Lexed, start: int, end: int) -> list[bytes]:
    """The texts of the tokens in a range."""
    return [tokens.text(one) for one in tokens.tokens(start, end)]


def _plain(words: list[bytes]) -> list[bytes]:
    """The words of a parameter without its default, and without the name of a pointer to a function."""
    words = words[: words.index(b"=")] if b"=" in words else words
    pointed = next((at for at in range(2, len(words) - 1) if words[at - 2 : at] == [b"(", b"*"]), -1)
    return words if pointed < 0 or words[pointed] == b")" else words[:pointed] + words[pointed + 1 :]


def _bare(words: list[bytes]) -> list[bytes]:
    """The words of a parameter without its name, and with a `const` that is before one word behind it."""
    ends = (b"::", b"const", b"struct")
    named = len(words) > 1 and words[-1] not in _WHOLE and words[-2] not in ends and _NAME.fullmatch(words[-1])
    words = words[:-1] if named else words
    if words[:1] == [b"const"] and len(words) > 1 and words[1] not in _WHOLE and words[2:3] not in ([b"::"], [b"<"]):
        return [words[1], b"const", *words[2:]]
    return words


def _parted(words: Sequence[bytes]) -> list[list[bytes]]:
    """What is between commas that no brackets enclose."""
    parts: list[list[bytes]] = [[]]
    depth = 0
    for one in words:
        depth += _OPENING.get(one, 0)
        if one == b"," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(one)
    return parts
