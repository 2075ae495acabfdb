"""Commands of scripts whose inputs hipcc takes for others than nvcc does: objects, and sources for the host.

hipcc writes `-x hip` before each source, and clang takes all files behind that for sources, up to `-x none`: an object
there is read as text. Where the command names a language before, hipcc writes none; nvcc reads `-x` wherever it is, for
all inputs. Source: as in `analysis/makefile_inputs.py` and `analysis/makefile_languages.py`.
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

_LANGUAGE = re.compile(r"--?x=?(c\+\+|cu|c|)")
"""The option that names the language of the inputs, alone or with that joined to it."""
_OF_HOST = ("c", "c++")

Values = Mapping[str, Sequence[str]]
"""The words that the variables of a script hold, of all that it sets them to."""


def uses(data: bytes, read: Script) -> Iterator[Use]:
    """The words, with the quotes around them, that name an object right behind a source, and languages behind one."""
    values: dict[str, list[str]] = {}
    for one in read.assignments:
        held = [word.text for word in one.words] or one.value.text.split()
        values.setdefault(one.name, []).extend(held)
    for command in read.commands:
        texts = [word.text for word in command.words]
        at = next((at for at, text in enumerate(texts) if _calls(text, values)), len(texts))
        words = command.words[at:]
        if _NO_LINK.isdisjoint(texts):
            yield from (_use("object behind a source of nvcc", _quoted(data, word)) for word in _behind(words, values))
        yield from (_use("language behind inputs", span) for span in _late(words))


def _use(name: str, span: Span) -> Use:
    return Use("name", name, span, span, certainty="syntax")


def _late(words: Sequence[Word]) -> Iterator[Span]:
    """Where a command says, behind a source that it names, that its inputs are for the host: `a.cpp -x c++`.

    Nothing of a command that names several languages, of which nvcc takes the last.
    """
    named = [at for at, word in enumerate(words) if at and _LANGUAGE.fullmatch(word.text)]
    if len(named) != 1:
        return
    at = named[0]
    joined = _LANGUAGE.fullmatch(words[at].text)
    end = words[at if joined is None or joined[1] else min(at + 1, len(words) - 1)]
    language = joined[1] if joined is not None and joined[1] else end.text
    sources = (b for a, b in pairwise(words[:at]) if a.text not in _VALUED and _SOURCE.fullmatch(b.text))
    if language in _OF_HOST and any(True for _ in sources):
        yield Span(words[at].span.start, end.span.end)


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
