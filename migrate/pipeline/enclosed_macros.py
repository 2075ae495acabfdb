"""The macros that are defined where a file includes another one: by itself, or by headers that it includes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.macro_expansion import Macro, definition, expanded
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

_WORD = re.compile(rb"[A-Za-z_]\w*")
_ROUNDS = 4
"""Macros of headers within macros of headers that are followed."""


class Headers:
    """The macros without parameters that some headers define once, together, whoever includes them."""

    def __init__(self, paths: Iterable[str], read: Read) -> None:
        self._paths, self._read = sorted(paths), read
        self._known: dict[bytes, Macro | None] = {}

    def of(self, names: Iterable[bytes]) -> dict[bytes, Macro]:
        """Those of some names, and those that these are made of."""
        found, wanted = dict[bytes, Macro](), set(names)
        for _ in range(_ROUNDS):
            new = wanted - found.keys()
            self._look_for(new)
            more = {name: macro for name in new if (macro := self._known[name]) is not None}
            found |= more
            wanted = {word for macro in more.values() for word in _WORD.findall(macro.body)}
            if not more:
                break
        return found

    def _look_for(self, names: Iterable[bytes]) -> None:
        """Read the headers for names that nobody has asked for yet."""
        new = {name for name in names if name not in self._known}
        self._known |= dict.fromkeys(new)
        several = set[bytes]()
        for path in self._paths if new else ():
            source = self._read(path)
            tokens = lexed(source) if source is not None and b"define" in source.data else None
            several.update(new & _asked(tokens) if tokens is not None else ())
            for name, macro in _defined(tokens) if tokens is not None else ():
                if name in new:
                    several.update([name] if self._known[name] not in (None, macro) else [])
                    self._known[name] = macro
        self._known |= dict.fromkeys(several)


def _defined(tokens: Lexed) -> Iterable[tuple[bytes, Macro]]:
    made = (definition(one, tokens.data) for one in tokens.directives)
    return (one for one in made if one is not None and one[1].parameters is None)


def _asked(tokens: Lexed) -> set[bytes]:
    """The macros that a text takes back, or that a build may define before it does."""
    named = (one.argument(tokens.data).split()[:1] for one in tokens.directives if one.name in ("ifndef", "undef"))
    return {name for each in named for name in each}


def bodies_at(parsed: ParsedFile, offset: int, headers: Headers, words: Iterable[bytes]) -> Mapping[bytes, bytes]:
    """What takes the place of each of some words at an offset of a file: those that are macros without parameters.

    One that the file defines in a branch that is not around the offset may be another one, and stays.
    """
    around = {(one.start, one.end) for one in parsed.branches_around(offset)}
    own = dict[bytes, Macro | None]()
    for directive in parsed.lexed.directives:
        if directive.start >= offset:
            break
        if directive.name == "undef":
            own |= dict.fromkeys(directive.argument(parsed.data).split()[:1])
        made = definition(directive, parsed.data)
        if made is not None:
            inside = all((one.start, one.end) in around for one in parsed.branches_around(directive.start))
            own[made[0]] = made[1] if inside and made[1].parameters is None else None
    plain = {name: macro for name, macro in own.items() if macro is not None}
    asked = set(words)
    inner = {word for name, macro in plain.items() if name in asked for word in _WORD.findall(macro.body)}
    known = headers.of((asked | inner) - own.keys()) | plain
    return {name: expanded(name, known) for name in asked & known.keys()}
