"""CMake: where a file asks the languages that are enabled whether CUDA is one, `"CUDA" IN_LIST languages`.

What a variable holds is followed from the commands that fill it to the one that asks: the property
`ENABLED_LANGUAGES`, words of the project's own, or something that the file does not say. The first names HIP where the
project does, the second names what it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

_PROPERTY, _LANGUAGE = "ENABLED_LANGUAGES", "CUDA"
_TEXT = re.compile(r"(?<!\w)CUDA(?!\w)")
_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")
_TESTS = ("IN_LIST", "STREQUAL", "MATCHES")
_CONDITIONS = ("if", "elseif", "while")
_SILENT = (*_CONDITIONS, "else", "endif", "endforeach", "endwhile", "message", "project", "enable_language", "return")
_USING = ("target_", "add_", "set_", "install", "include", "find_")
"""Commands that fill no variable which they name, and how the names of others begin."""
_GROWS = ("APPEND", "PREPEND")
_SHORTENS = (
    "REMOVE_ITEM",
    "REMOVE_DUPLICATES",
    "FILTER",
    "SORT",
    "REVERSE",
    "FIND",
    "LENGTH",
    "GET",
    "JOIN",
    "SUBLIST",
)
"""What `list` does with a variable that then has no word which it had not before."""
_LOOKS = ("FIND", "REMOVE_ITEM")
_CALLED = ("function", "macro")
_AGAIN = ("foreach", "while", *_CALLED)
_DEEP = 16
"""So many variables that one gets its words from are followed: a file may have them in each of its lines."""

_ENABLED, _NAMED, _UNSEEN = "enabled", "named", "unseen"
_Words = frozenset[str]
"""Where the words of a variable are from: which of these three; none of them for words that are not CUDA."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A word `CUDA` that a command compares with what a variable holds; `enabled` are the languages of CMake.

    `unseen` says that the file does not tell where a list is from that the word is looked for in.
    """

    span: Span
    command: Command
    enabled: bool
    unseen: bool


def asked(found: Sequence[Command]) -> list[Asked]:
    """The words of a file that are compared with a list of languages, or may be."""
    places = [(at, *pair) for at, one in enumerate(found) for pair in _compared(one)]
    if not places:
        return []
    known, made = _Known(found), list[Asked]()
    for at, argument, name, listed in places:
        words = known.words(name, at)
        spans = _spans(argument)
        unseen = _UNSEEN in words and found[at].name in _CONDITIONS and (listed or known.turns(name, at))
        made += [Asked(span, found[at], words == {_ENABLED}, unseen) for span in spans]
    return made


def _compared(command: Command) -> Iterator[tuple[Argument, str, bool]]:
    """The arguments with the word, the variable that each is compared with, and whether the command takes a list."""
    args = command.args
    if command.name == "list" and len(args) > 2 and args[0].text in _LOOKS:
        last = 3 if args[0].text == "FIND" else len(args)
        yield from ((one, args[1].text, True) for one in args[2:last] if one.text == _LANGUAGE)
    if command.name not in _CONDITIONS:
        return
    for left, sign, right in zip(args, args[1:], args[2:], strict=False):
        for text, other in ((left, right), (right, left)) if sign.text in _TESTS else ():
            name = _asked_name(other, sign.text, text is left)
            if name and (_TEXT.search(text.text) if sign.text == "MATCHES" else text.text == _LANGUAGE):
                yield text, name, sign.text == "IN_LIST"


def _asked_name(other: Argument, sign: str, behind: bool) -> str:
    """The variable that one side of a comparison is the value of; empty where it cannot be."""
    held = _VARIABLE.fullmatch(other.text)
    if sign == "IN_LIST":
        return other.text if behind and held is None else ""
    if sign == "MATCHES" and behind:
        return ""
    return held[1] if held is not None else "" if other.quoted else other.text


def _spans(argument: Argument) -> Iterator[Span]:
    for match in _TEXT.finditer(argument.text):
        start = argument.span.start + len(argument.text[: match.start()].encode())
        yield Span(start, start + len(_LANGUAGE))


class _Known:
    """What the variables of a file hold at each of its commands, as far as its commands say it."""

    def __init__(self, found: Sequence[Command]) -> None:
        self._found = found
        self._around = cmake.branches(found)
        self._names = {one.span: one.name for one in found}
        self._made: dict[tuple[str, int], _Words] = {}

    def turns(self, name: str, at: int) -> bool:
        """Whether a variable is that of a loop around a command."""
        around = self._around[self._found[at].span]
        return any(one.name == "foreach" and one.span in around and one.words()[:1] == [name] for one in self._found)

    def words(self, name: str, at: int, deep: int = 0) -> _Words:
        """Where the words are from that a variable may hold before a command."""
        if deep > _DEEP:
            return frozenset((_UNSEEN,))
        key = name, at
        if key not in self._made:
            self._made[key] = frozenset((_UNSEEN,))  # what a variable gets from itself in a loop
            self._made[key] = frozenset(self._all(name, at, deep))
        return self._made[key]

    def _all(self, name: str, at: int, deep: int) -> Iterator[str]:
        here = self._around[self._found[at].span]
        kept: int | None = None
        for before in reversed(range(at)):
            if self._reaches(name, before, here):
                yield from self._given(name, before, deep)
                inside = self._inside(self._found[before])
                if not _adds(self._found[before], name) and inside == here[: len(inside)]:
                    kept = len(inside)
                    break
        if kept is None:
            yield _UNSEEN
        for later in self._repeated(at, here[kept or 0 :]):
            if self._reaches(name, later, here):
                yield from self._given(name, later, deep)

    def _repeated(self, at: int, openings: Sequence[Span]) -> Iterator[int]:
        """The commands behind one that may be carried out before it, in the next turn of a loop or before a call."""
        again = {one for one in openings if self._names[one] in _AGAIN}
        called = any(self._names[one] in _CALLED for one in again)
        for later in range(at + 1, len(self._found)) if again else ():
            if called or not again.isdisjoint(self._around[self._found[later].span]):
                yield later

    def _reaches(self, name: str, at: int, here: Sequence[Span]) -> bool:
        """Whether what is in some branches sees what a command gives a variable, if it gives it something."""
        command = self._found[at]
        if not _fills(command, name):
            return False
        if command.name in ("foreach", *_CALLED):
            return command.span in here
        others = [one for one in self._around[command.span] if one not in here]
        return "PARENT_SCOPE" in command.words() or all(self._names[one] != "function" for one in others)

    def _inside(self, command: Command) -> tuple[Span, ...]:
        """The branches in which a variable has what a command gives it."""
        own = (command.span,) if command.name in ("foreach", *_CALLED) else ()
        return (*self._around[command.span], *own)

    def _given(self, name: str, at: int, deep: int) -> Iterator[str]:
        """Where the words are from that a command gives a variable."""
        command = self._found[at]
        if _is_property(command):
            yield _ENABLED
            return
        values = _values(command)
        if values is None:
            yield _UNSEEN
        for word in values or ():
            held = _VARIABLE.fullmatch(word)
            if held is None:
                yield from (_NAMED,) if word == _LANGUAGE else (_UNSEEN,) if "$" in word else ()
            elif held[1] != name or command.name == "foreach":
                yield from self.words(held[1], at, deep + 1)


def _is_property(command: Command) -> bool:
    """Whether a command asks CMake for the languages that are enabled."""
    words = command.words()
    if command.name == "get_property":
        return words[1:] == ["GLOBAL", "PROPERTY", _PROPERTY]
    return command.name == "get_cmake_property" and words[1:] == [_PROPERTY]


def _fills(command: Command, name: str) -> bool:
    """Whether a command gives a variable something, or may do so."""
    words = command.words()
    if name not in words or command.name in _SILENT or command.name.startswith(_USING):
        return False
    if command.name in ("set", "foreach", "option", "get_property", "get_cmake_property"):
        return words[0] == name
    if command.name in _CALLED:
        return name in words[1:]
    if command.name == "list":
        names = words[1:2] if words[0] in _GROWS else words[2:] if words[0] in _SHORTENS else words[1:]
        return name in names
    return True


def _adds(command: Command, name: str) -> bool:
    """Whether a variable keeps what it had."""
    words = command.words()
    return (command.name == "list" and words[0] in _GROWS) or (
        command.name == "set" and any(f"${{{name}}}" in word for word in words[1:])
    )


def _values(command: Command) -> list[str] | None:
    """The words that a command gives a variable, one by one; None where nobody knows them."""
    words = command.words()
    if command.name == "set":
        end = next((at for at, word in enumerate(words) if word in ("CACHE", "PARENT_SCOPE")), len(words))
        given = words[1:end]
    elif command.name == "list" and words[0] in _GROWS:
        given = words[2:]
    elif command.name == "foreach":
        given = _turns(words[1:])
    elif command.name == "unset":
        given = []
    else:
        return None
    return [part for word in given for part in word.split(";")]


def _turns(words: Sequence[str]) -> list[str]:
    """The words of a loop, with the lists that it names as their values."""
    if words[:1] != ["IN"]:
        return list(words)
    made, lists = list[str](), False
    for word in words[1:]:
        if word in ("LISTS", "ITEMS"):
            lists = word == "LISTS"
        else:
            made.append(f"${{{word}}}" if lists else word)
    return made
