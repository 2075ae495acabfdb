"""Heads of function templates at namespace scope, by tokens: what makes two of them declare one template.

Parameters go by kind and place, whatever they are called. What is not read for sure is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re

_HEAD = re.compile(
    rb"\btemplate\s*<(?P<kinds>[^<>{};()#]+)>(?P<words>[^<>(){};#=]*?)\b(?P<name>[A-Za-z_]\w*)\s*"
    rb"\((?P<given>[^(){};#]*)\)\s*[{;]"
)
"""A template of plain parameters, without defaults: `template <bool a> static int f(int n) {`."""
_TOKEN = re.compile(rb"\w+|::|[^\s\w]")
_SPECIFIERS = frozenset((b"static", b"inline", b"extern", b"__inline__", b"__forceinline__", b"__noinline__"))
_TYPES = frozenset((b"typename", b"class"))
_WHOLE = frozenset(b"int long short unsigned signed char bool float double void const volatile auto".split())
"""Words that end a type and are no parameter's name."""
_NAMESPACE = re.compile(rb"(?:inline\s+)?namespace(?P<name>(?:\s+[\w:]+)?)\s*\Z")
_LINKAGE = re.compile(rb"extern\s*\"C(?:\+\+)?\"\s*\Z")
_NEAR = 200


class TemplateHead(NamedTuple):
    """One declaration of a function template: its bytes, what it declares, and its `static`, -1 where it has none.

    Those whose `key` is the same declare the same template: scope, name, parameters and type.
    """

    start: int
    key: tuple[bytes, ...]
    static: int


def template_heads(tokens: Lexed) -> tuple[TemplateHead, ...]:
    """The function templates that a file declares in namespaces, in order; none of classes or functions."""
    found = [match for match in tokens.matches(_HEAD, b"template") if not _is_odd(match)]
    if not found:
        return ()
    scopes = _scopes(tokens, [match.start() for match in found])
    return tuple(_head(match, scope) for match, scope in zip(found, scopes, strict=True) if scope is not None)


def _is_odd(match: re.Match[bytes]) -> bool:
    """Whether a match is no head of a template of its own: a friend, an operator, a member defined outside."""
    words = _TOKEN.findall(match["words"])
    return b"=" in match["kinds"] or not {b"friend", b"operator", b"return"}.isdisjoint(words) or words[-1:] == [b"::"]


def _head(match: re.Match[bytes], scope: bytes) -> TemplateHead:
    kinds = [_TOKEN.findall(one) for one in match["kinds"].split(b",")]
    called = {one[-1]: b"$%d" % at for at, one in enumerate(kinds) if len(one) > 1}
    said = [b" ".join([b"typename" if one[0] in _TYPES else b" ".join(_bare(one)), *one[1:-1]]) for one in kinds]
    words = _TOKEN.findall(match["words"])
    static = re.search(rb"\bstatic\b", match["words"])
    given = [_bare(_TOKEN.findall(one)) for one in _parted(match["given"])]
    key = (
        scope, match["name"], b",".join(said),
        b" ".join(called.get(one, one) for one in words if one not in _SPECIFIERS),
        b",".join(b" ".join(called.get(one, one) for one in each) for each in given),
    )  # fmt: skip
    return TemplateHead(match.start(), key, -1 if static is None else match.start("words") + static.start())


def _bare(words: list[bytes]) -> list[bytes]:
    """The words of a parameter without its name and default."""
    words = words[: words.index(b"=")] if b"=" in words else words
    named = len(words) > 1 and words[-1] not in _WHOLE and words[-2] not in (b"::", b"const", b"typename", b"struct")
    return words[:-1] if named and re.fullmatch(rb"[A-Za-z_]\w*", words[-1]) else words


def _parted(given: bytes) -> list[bytes]:
    """What is between commas that no angle brackets enclose."""
    parts, depth = [b""], 0
    for one in _TOKEN.findall(given):
        depth += (one == b"<") - (one == b">")
        if one == b"," and depth == 0:
            parts.append(b"")
        else:
            parts[-1] += b" " + one
    return parts


def _scopes(tokens: Lexed, places: Sequence[int]) -> Iterator[bytes | None]:
    """The namespaces around places in order, as one name; None where a class, a function or anything else is around."""
    around: list[bytes | None] = []
    data, waiting = tokens.data, list(places)
    for match in tokens.matches(re.compile(rb"[{}]")):
        while waiting and waiting[0] < match.start():
            waiting.pop(0)
            yield None if None in around else b"::".join(one for one in around if one)
        if match[0] == b"}":
            around[-1:] = []
            continue
        before = data[max(0, match.start() - _NEAR) : match.start()]
        named = _NAMESPACE.search(before)
        around.append(named["name"].strip() if named is not None else b"" if _LINKAGE.search(before) else None)
    for _ in waiting:
        yield None if None in around else b"::".join(one for one in around if one)
