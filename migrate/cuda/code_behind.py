"""What is compiled in place of a branch without `#else`: the code behind the conditional, in the same function.

A branch that always returns has it as its other branch. One whose statements are all the statement behind it, but for
hints to caches, is no loss: `switch (how) { case cs: return __ldcs(p); }` before `return *p;`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from cudamigrate.cuda.branch_effects import closing, code, directives, statements
from cudamigrate.cuda.branch_writes import behind_heads, runs_to_return
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_LOAD, _STORE = re.compile(rb"__ld(?:g|ca|cg|cs|lu|cv)"), re.compile(rb"__st(?:wb|cg|cs|wt)")
_ORDERED = re.compile(rb"__(?:ldcg|ldcv|stcg|stwt)")
"""What goes past a cache, so that other blocks or the host see it."""
_HEADS = (b"if", b"switch", b"else", b"constexpr")
_LARGEST = 4000
"""Bytes of a branch that is compared."""


def rest_of(parsed: ParsedFile, function: Function, branch: Span) -> Span:
    """The code of a function behind the conditional that ends with a branch."""
    end = parsed.lexed.directive_at(branch.end)
    return Span(branch.end if end is None else end.end, function.body.end - 1)


def instead(parsed: ParsedFile, function: Function, branch: Span) -> Span | None:
    """The code behind a conditional where the branch always returns in front of it; None where both are run."""
    rest = rest_of(parsed, function, branch)
    return rest if runs_to_return(parsed.lexed, branch) and next(code(parsed.lexed, rest), None) is not None else None


def repeats(parsed: ParsedFile, function: Function, branch: Span) -> bool | None:
    """Whether the statement behind a conditional is what each of the branch's is, whichever of them is run.

    None where that holds but for loads or stores that go past a cache.
    """
    rest, lexed = rest_of(parsed, function, branch), parsed.lexed
    if branch.end - branch.start > _LARGEST or directives(lexed, branch):
        return False
    behind = next(statements(code(lexed, Span(rest.start, min(rest.end, rest.start + _LARGEST)))), [])
    done = list(_statements(list(code(lexed, branch))))
    if not done or not behind or any(one != behind for one in done):
        return False
    return None if any(_ORDERED.fullmatch(word) for word in code(lexed, branch)) else True


def _statements(words: Sequence[bytes]) -> Iterator[list[bytes]]:
    """The statements of a branch without conditions, labels and `break`, plain; nothing equals one that is not so."""
    for one in statements(iter(words)):
        rest = behind_heads(_behind_labels(one))
        head = one[: len(one) - len(rest)]
        calls = (word for word, after in pairwise(head) if after == b"(" and word not in _HEADS)
        if b"=" in head or b" + +" in (said := b" ".join(head)) or b" - -" in said or any(True for _ in calls):
            yield []  # a condition that changes something
        rest = _behind_labels(rest)
        if rest and rest != [b"break"]:
            yield _plain(rest)


def _behind_labels(statement: list[bytes]) -> list[bytes]:
    while statement[:1] in ([b"case"], [b"default"]) and b":" in statement:
        statement = statement[statement.index(b":") + 1 :]
    return statement


def _plain(words: Sequence[bytes]) -> list[bytes]:
    """A statement with `*p` for loads with a hint, and `*p = v` for a store with one."""
    made, at = list[bytes](), 0
    while at < len(words):
        is_hinted = words[at + 1 : at + 2] == [b"("] and (_LOAD.fullmatch(words[at]) or _STORE.fullmatch(words[at]))
        if not is_hinted:
            made.append(words[at])
            at += 1
            continue
        end = closing(words, at + 1)
        inner = list(words[at + 2 : end])
        cut = inner.index(b",") if _STORE.fullmatch(words[at]) and b"," in inner else len(inner)
        made += _pointed(inner[:cut])
        made += [b"=", *inner[cut + 1 :]] if cut < len(inner) else []
        at = end + 1
    return made


def _pointed(pointer: list[bytes]) -> list[bytes]:
    if pointer[:1] == [b"&"]:
        return pointer[1:]
    return [b"*", *pointer] if len(pointer) == 1 else [b"*", b"(", *pointer, b")"]
