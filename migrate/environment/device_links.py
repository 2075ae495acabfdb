"""Links in scripts by a compiler of the host, of objects whose device code nvcc left to be linked: `g++ a.o dlink.o`.

nvcc's step `-dlink` makes one more object, with which any compiler links the program. clang does that step in the last
link alone, and knows the objects by `-fgpu-rdc`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.shell import Command, Script, Word

NAME, STEP = "device code of nvcc linked by another", "object of nvcc -dlink"
_HOSTS = re.compile(
    r"(?:[\w.-]+-)?(?:g\+\+|gcc|c\+\+|cc|clang(?:\+\+)?|icpc|icpx|icc|icx|mpi(?:cxx|c\+\+|cc|CC|icpc|gxx))(?:-[\d.]+)?"
)
_APART = re.compile(r"-dc|--device-c|-dlto")
_LINKS_DEVICE = ("-dlink", "--device-link")
_RELOCATABLE = re.compile(r"--?(?:rdc|relocatable-device-code)=true")
_SOURCE = re.compile(r".+\.(?:cu|cpp|cc|cxx|c)")
_NO_LINK = ("-c", "-S", "-E", "-M", "-MM")


def uses(read: Script) -> Iterator[Use]:
    """The compiler of each such link, with the objects of steps that go."""
    commands = [one for one in read.commands if one.words]
    apart = frozenset(name for one in commands for name in _objects(one))
    linked = {
        name for one in commands if _is_nvcc(one) and _has(one, _LINKS_DEVICE) for name in _given(one.words, "-o")
    }
    for command in commands if apart else ():
        first, *rest = command.words
        if (
            _HOSTS.fullmatch(command.name)
            and not _has(command, _NO_LINK)
            and any(_is_one(one.text, apart) for one in rest)
        ):
            extent = Span(first.span.start, rest[-1].span.end)
            yield Use("name", NAME, first.span, extent, certainty="syntax")
            for one in rest:
                if posixpath.normpath(one.text) in linked:
                    yield Use("name", STEP, one.span, extent, certainty="syntax")


def _is_nvcc(command: Command) -> bool:
    return command.name == "nvcc"


def _has(command: Command, options: Sequence[str]) -> bool:
    return any(word.text in options for word in command.words)


def _objects(command: Command) -> Iterator[str]:
    """The objects that a call of nvcc makes with device code that is not linked."""
    words = command.words
    texts = [word.text for word in words]
    apart = any(map(_APART.fullmatch, texts)) or ("-c" in texts and any(map(_RELOCATABLE.fullmatch, texts)))
    if not _is_nvcc(command) or not apart:
        return
    named = list(_given(words, "-o"))
    if named:
        yield from named
    else:
        yield from (posixpath.splitext(posixpath.basename(one))[0] + ".o" for one in texts if _SOURCE.fullmatch(one))


def _given(words: Sequence[Word], option: str) -> Iterator[str]:
    """What an option names, as a word of its own."""
    for at, word in enumerate(words[:-1]):
        if word.text == option:
            yield posixpath.normpath(words[at + 1].text)


def _is_one(word: str, objects: frozenset[str]) -> bool:
    """Whether a word names one of some objects, or a pattern of such."""
    if word.startswith("-"):
        return False
    if "*" in word:
        pattern = re.compile(re.escape(posixpath.normpath(word)).replace(r"\*", "[^/]*"))
        return any(map(pattern.fullmatch, objects))
    return posixpath.normpath(word) in objects
