"""Commands of scripts that compile a source and link it with objects at once: where the objects begin.

hipcc writes `-x hip` before each source, and clang takes all files behind that for sources, up to `-x none`: an object
there is read as text. Source: as in `analysis/makefile_inputs.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.shell import Script, Word

_COMPILER = "nvcc"
_SOURCE = re.compile(r"[^-].*\.(?:cu|cpp|cxx|cc|C|c)")
_OBJECT = re.compile(r"[^-].*\.(?:o|obj|a|so(?:\.\d+)*)")
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?:\[[@*]\])?\})")
"""A word that is a variable, or all of an array: `$OBJS`, `${OBJS[@]}`."""
_VALUED = ("-o", "-I", "-L", "-l", "-D", "-U", "-include", "-isystem", "-MF", "-MT", "-MQ", "-Xlinker", "-Xcompiler")
"""Options whose argument may be a word of its own."""
_NO_LINK = frozenset(("-x", "-c", "--compile", "-dc", "--device-c", "-dw", "-E", "-M", "-MM", "-ptx", "-cubin"))
"""Options with which a command links nothing, or says itself what its files are."""

Values = Mapping[str, Sequence[str]]
"""The words that the variables of a script hold, of all that it sets them to."""


def uses(data: bytes, read: Script) -> Iterator[Use]:
    """The words, with the quotes around them, that name an object right behind a source."""
    for span in _starts(data, read):
        yield Use("name", "object behind a source of nvcc", span, span, certainty="syntax")


def _starts(data: bytes, read: Script) -> Iterator[Span]:
    values: dict[str, list[str]] = {}
    for one in read.assignments:
        words = [word.text for word in one.words] or one.value.text.split()
        values.setdefault(one.name, []).extend(words)
    for command in read.commands:
        texts = [word.text for word in command.words]
        at = next((at for at, text in enumerate(texts) if _calls(text, values)), len(texts))
        if _NO_LINK.isdisjoint(texts):
            yield from (_quoted(data, word) for word in _behind(command.words[at:], values))


def _calls(text: str, values: Values) -> bool:
    """Whether a word is CUDA's compiler, or a variable that holds it."""
    named = _VARIABLE.fullmatch(text)
    held = values.get(named[1] or named[2], ()) if named is not None else (text,)
    return any(one.rpartition("/")[2] == _COMPILER for one in held)


def _behind(words: Sequence[Word], values: Values) -> Iterator[Word]:
    """The first word with objects behind each source."""
    last = ""
    for before, word in pairwise(words):
        kinds = _kinds(word.text, values) if before.text not in _VALUED else set()
        if kinds == {"object"} and last == "source":
            yield word
        last = "source" if "source" in kinds else "object" if kinds else last


def _kinds(text: str, values: Values) -> set[str]:
    """What the files are that a word names."""
    named = _VARIABLE.fullmatch(text)
    words = values.get(named[1] or named[2], ()) if named is not None else (text,)
    found = {"object" if _OBJECT.fullmatch(word) else "source" if _SOURCE.fullmatch(word) else "" for word in words}
    return found - {""}


def _quoted(data: bytes, word: Word) -> Span:
    start, end = word.span.start, word.span.end
    marks = data[start - 1 : start] in (b'"', b"'")
    return Span(start - marks, end + marks)
