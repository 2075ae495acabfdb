"""What code of a tree says before it includes a foreign header: whether that header may as well come before the code.

It may where the code has no name that the header defines as a macro, and none that lookup could find in what the header
declares: one without a qualifier in the global namespace, one with a namespace before it, or within one that is opened,
there; and one that is called among functions of any namespace, since arguments open that of their types. What else a
name may mean is not asked: in doubt, the header may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

_LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'')
_WORD = re.compile(r"[A-Za-z_]\w*")
_FREE = re.compile(r"(?<![\w.:])(?<!->)[A-Za-z_]\w*")
"""A name that is no member's, and has no qualifier."""
_GLOBAL = re.compile(r"(?<![\w>])::\s*([A-Za-z_]\w*)")
_QUALIFIED = re.compile(r"\b([A-Za-z_]\w*)\s*::\s*(?=([A-Za-z_]\w*))")
"""A name behind a qualifier. One behind a template's arguments is a member's."""
_CALLED = re.compile(r"(?:([A-Za-z_]\w*)\s+)?(?<![\w.:])(?<!->)([A-Za-z_]\w*)\s*[(<]")
"""A name without a qualifier before a parenthesis or a template's arguments, with the word before it."""
_BEFORE_CALLS = frozenset(("return", "else", "throw", "case", "co_return", "do", "and", "or", "not"))
"""Words that a call may be behind; behind others a name is declared."""
_JOINED = re.compile(r"\busing\s+namespace\s+((?:::|\w|\s)+);")
_ALIAS = re.compile(r"\bnamespace\s+(\w+)\s*=\s*((?:::|\w|\s)+);")
_OPENED = re.compile(r"\bnamespace\s+((?:::|\w|\s)+)\{")
_NEEDED = (("typeid", ("std", "type_info")), ("co_await", ("std", "coroutine_traits")))
"""Words of the language that need a declaration of the library's."""
_HELD = 1_024
"""Pieces of code whose names are held."""
Pair = tuple[str, str]
"""A namespace and a name in it."""


@dataclass(frozen=True, slots=True)
class Passed:
    """What a piece of code says: all its names, those without a qualifier, those of them that are called, and others.

    `pairs` are names behind a qualifier or within a namespace. Those of `joined` namespaces are known without it, and
    `aliases` are other names of namespaces. `depth` is how many braces more it opens than it closes. What only a
    condition asks for is no `code`.
    """

    words: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    pairs: frozenset[Pair] = frozenset()
    joined: frozenset[str] = frozenset()
    aliases: frozenset[Pair] = frozenset()
    depth: int = 0
    code: bool = True


@dataclass(frozen=True, slots=True)
class Declared:
    """What a header declares: names in the global namespace, and in others, each with all namespaces around it.

    `functions` are names of functions in namespaces, `spaces` those of namespaces.
    """

    outer: frozenset[str]
    inner: frozenset[Pair]
    functions: frozenset[str]
    spaces: frozenset[str]
    macros: frozenset[str]


@lru_cache(_HELD)
def said(code: str) -> Passed:
    """What a piece of code without comments says."""
    plain = _LITERAL.sub(" ", code)
    free = frozenset((*_FREE.findall(plain), *_GLOBAL.findall(plain)))
    opened = {part for names in _OPENED.findall(plain) for part in _WORD.findall(names)}
    within = (*((space, name) for space in opened for name in free), *(pair for word, pair in _NEEDED if word in free))
    return Passed(
        words=frozenset(_WORD.findall(plain)),
        free=free,
        called=frozenset(name for before, name in _CALLED.findall(plain) if not before or before in _BEFORE_CALLS),
        pairs=frozenset((*_QUALIFIED.findall(plain), *within)),
        joined=frozenset(part for names in _JOINED.findall(plain) for part in _WORD.findall(names)),
        aliases=frozenset((one, part) for one, names in _ALIAS.findall(plain) for part in _WORD.findall(names)),
        depth=plain.count("{") - plain.count("}"),
    )


def together(one: Passed, more: Iterable[Passed]) -> Passed:
    """What several pieces say."""
    listed = (one, *more)
    return Passed(
        words=frozenset[str]().union(*(piece.words for piece in listed)),
        free=frozenset[str]().union(*(piece.free for piece in listed)),
        called=frozenset[str]().union(*(piece.called for piece in listed)),
        pairs=frozenset[Pair]().union(*(piece.pairs for piece in listed)),
        joined=frozenset[str]().union(*(piece.joined for piece in listed)),
        aliases=frozenset[Pair]().union(*(piece.aliases for piece in listed)),
        code=any(piece.code for piece in listed),
    )


def meets(passed: Passed, declared: Sequence[Declared], known: Set[str]) -> bool:
    """Whether code may name what is declared.

    A namespace whose name is `known` is opened once more.
    """
    spaces = frozenset[str]().union(*(one.spaces for one in declared)) - known
    renamed = ((meant, name) for space, name in passed.pairs for alias, meant in passed.aliases if alias == space)
    pairs = passed.pairs.union(renamed) if passed.aliases else passed.pairs
    return (
        not spaces.isdisjoint(passed.free.union(name for _, name in pairs) if spaces else ())
        or any(not passed.words.isdisjoint(one.macros) for one in declared)
        or any(not passed.free.isdisjoint(one.outer) for one in declared)
        or any(not passed.called.isdisjoint(one.functions) for one in declared)
        or any(not pairs.isdisjoint(one.inner) for one in declared)
        or any(not passed.free.isdisjoint(_of(passed.joined, one)) for one in declared if passed.joined)
    )


def _of(spaces: frozenset[str], declared: Declared) -> Iterator[str]:
    return (name for space, name in declared.inner if space in spaces)
