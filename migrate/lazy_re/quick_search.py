r"""A regular expression -> one that matches the same and is searched for faster.

Python's engine skips to where a match can begin if a pattern begins with fixed characters. Words are looked for as
`\bcuda`, where `\b` is first, and so each place of the text is tried. `c(?<!\wc)uda` says the same after the first
character. The same is done where a lookbehind is first, and inside of alternatives, those of one character in one:
`\b(?:cuda|nccl|cublas)` becomes `(?:c(?<!\wc)(?:uda|ublas)|n(?<!\wn)ccl)`. Whatever is not of this form stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_PLAIN = _WORD | frozenset(" !\"#%&',-/:;<=>@`~")
"""Characters that mean themselves."""
_QUANTIFIERS = ("*", "+", "?", "{")
_OPENINGS = ("(?:", "(?P<")


def quick(pattern: str) -> str:
    """The pattern, each of its alternatives with a fixed beginning where it has one behind `\\b` or a lookbehind."""
    return "|".join(_quick(one) for one in _alternatives(pattern))


def _quick(text: str) -> str:
    tests, at = list[str](), 0
    while (end := _end_of_test(text, at)) > at:
        tests.append(text[at:end])
        at = end
    return (_led(tests, text[at:]) if tests else None) or text


def _end_of_test(text: str, at: int) -> int:
    """Where a `\\b` or a negative lookbehind ends that begins at a place; the place itself for anything else."""
    if text.startswith("\\b", at):
        return at + 2
    return _closing(text, at) + 1 if text.startswith("(?<!", at) else at


def _led(tests: Sequence[str], text: str) -> str | None:
    """A text with tests of what is before it behind its first character; None where it has no fixed one."""
    head = next((one for one in _OPENINGS if text.startswith(one)), None)
    if head is not None:
        end = _closing(text, 0)
        head = head if head == "(?:" else text[: text.index(">") + 1]
        inner = _led_alternatives(tests, text[len(head) : end])
        return None if inner is None or _repeats(text, end + 1) else f"{head}{inner}{text[end:]}"
    first = _first(text, "\\b" in tests)
    if not first or _repeats(text, len(first)):
        return None
    return first + "".join(_behind(test, first) for test in tests) + text[len(first) :]


def _led_alternatives(tests: Sequence[str], text: str) -> str | None:
    """The same for alternatives; those that begin alike are tried together, for no other can match there."""
    alternatives = list(_alternatives(text))
    if all(one[:1] in _PLAIN and not _repeats(one, 1) for one in alternatives):
        rests: dict[str, list[str]] = {}
        for one in alternatives:
            rests.setdefault(one[0], []).append(one[1:])
        alternatives = [
            first + (rest[0] if len(rest) == 1 else f"(?:{'|'.join(rest)})") for first, rest in rests.items()
        ]
    made = [_led(tests, one) for one in alternatives]
    return None if None in made else "|".join(one for one in made if one is not None)


def _first(text: str, of_word: bool) -> str:
    """The first character of a pattern, or its set of characters; empty where that is not fixed."""
    known = _WORD if of_word else _PLAIN
    if text[:1] in known:
        return text[:1]
    if text.startswith("[") and (end := text.find("]", 2)) > 0:
        listed = text[1:end].replace("-", "", 0 if of_word else -1)
        return text[: end + 1] if known.issuperset(listed) and not listed.startswith("^") else ""
    return ""


def _repeats(text: str, at: int) -> bool:
    return text.startswith(_QUANTIFIERS, at)


def _behind(test: str, first: str) -> str:
    """A test of what is before a character, for a place behind it."""
    return rf"(?<!\w{first})" if test == "\\b" else f"(?<!(?:{test[4:-1]}){first})"


def _alternatives(text: str) -> Iterator[str]:
    """The alternatives of a pattern that are in no group."""
    start = 0
    for at, depth in _outside_of_sets(text):
        if text[at] == "|" and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _closing(text: str, opening: int) -> int:
    """Where the group ends that opens at a place."""
    return next(at for at, depth in _outside_of_sets(text, opening) if text[at] == ")" and not depth)


def _outside_of_sets(text: str, at: int = 0) -> Iterator[tuple[int, int]]:
    """The places of characters that are not escaped and in no set, each with how deep it is in groups."""
    depth = 0
    while at < len(text):
        if text[at] == "[":
            at = _end_of_set(text, at)
            continue
        depth -= text[at] == ")"
        if text[at] != "\\":
            yield at, depth
        depth += text[at] == "("
        at += 2 if text[at] == "\\" else 1


def _end_of_set(text: str, at: int) -> int:
    """Where a set of characters ends: a bracket that is first in it is one of them."""
    at += 2 if text.startswith("[^", at) else 1
    at += text.startswith("]", at)
    while text[at] != "]":
        at += 2 if text[at] == "\\" else 1
    return at + 1
