"""Options that a build gives in any case, and those of some builds -> the settings of sources."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cudamigrate.compilation.build_settings import UNNAMED, Settings
from cudamigrate.syntax.build_words import UNKNOWN, Word


def settings(options: Iterable[tuple[Word, str]]) -> Settings:
    """What options say that are given in any case; of the others a standard where these name none.

    With each is the absolute folder that a relative path in it counts from.
    """
    found, rest = Settings(), Settings()
    lists: dict[tuple[str, bool], list[str]] = {}
    for word, folder in options:
        name = word.text.partition("=")[0]
        if UNKNOWN not in word.text:
            lists.setdefault((folder, word.sure), []).append(word.text)
        elif name.startswith("-D"):
            found.open.add(UNNAMED if UNKNOWN in name else name[2:])
    for (folder, sure), words in lists.items():
        (found if sure else rest).options(words, Path(folder))
    found.some = rest.names - found.names
    if not found.standards:
        found.standards, found.strict = rest.standards, rest.strict
    return found


def take_rest(whole: Settings, options: Iterable[tuple[Word, str]]) -> None:
    """Take in what only some sources get: macros of some builds, and a standard where nothing else names one."""
    rest = settings(options)
    whole.some |= (rest.names | rest.some) - whole.names
    whole.open |= rest.open
    whole.standards |= rest.standards
    whole.strict |= rest.strict


def together(listed: list[Settings]) -> Settings:
    """What all targets give a source; macros of some of them are those of some builds."""
    found = Settings()
    for one in listed:
        found.add(one)
    kept = [define for define in found.defines if all(define in one.defines for one in listed)]
    every, found.defines = found.names, dict.fromkeys(kept)
    found.some |= every - found.names
    return found
