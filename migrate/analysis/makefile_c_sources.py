"""Commands of Makefiles that give nvcc sources in C and a C++ standard: clang refuses the two together.

nvcc has the host's compiler read a `.c` file as C and keeps the standard for what it compiles itself; `-x cu` makes
CUDA of both. clang gives the standard to each source and ends with "not allowed with 'C'". Source: the commands that
nvcc 13 prints with `--dryrun`; clang 15, tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_MAY = re.compile(rb"-std(?:=|[ \t]+)(?:c|gnu)\+\+")
_STANDARD = re.compile(r"--?std=(?:c|gnu)\+\+(\w\w)")
_NEWER = frozenset(("20", "23", "26", "2a", "2b", "2c"))
"""Standards that clang of ROCm 6 and later does not take by itself: C++17 is what it takes."""
_HOST_PASS = re.compile(rb"(?:-Xcompiler|--compiler-options)[= \t]?\"?")
_C = re.compile(r"\S*\.c")
_LANGUAGE = re.compile(rb"(?<!\S)(?:-x|--x|--language)[= \t]?[ \t]*(?:cu|c\+\+|hip)\b")
_AUTOMATIC = {"<": re.compile(rb"\$(?:<|[({]<[)}])"), "^": re.compile(rb"\$(?:[\^+?]|[({][\^+?][)}])")}


@dataclass(frozen=True, slots=True)
class CStandard:
    """A C++ standard that sources in C get in `file`: the option, or, where it is not to be taken out, the compiler.

    `gone` says that the option is for nvcc alone, and no newer than what hipcc takes by itself.
    """

    file: Makefile
    at: Span
    gone: bool


def of(variables: Variables) -> Iterator[CStandard]:
    """Each option, or compiler of a command, once."""
    if not any(_MAY.search(file.data) for file in variables.files):
        return
    seen = set[tuple[str, Span]]()
    for file, part, rule in variables.commands():
        if variables.compiler(file, part) != {"nvcc"} or not _takes_c(variables, file, part, rule):
            continue
        if any(_LANGUAGE.search(text) for text in variables.texts(file, part)):
            continue
        for one in _standards(variables, file, part):
            if (one.file.path, one.at) not in seen:
                seen.add((one.file.path, one.at))
                yield one


def _standards(variables: Variables, file: Makefile, part: Span) -> Iterator[CStandard]:
    """The standards that a command gives, itself or by its variables."""
    places = [(file, part, True)]
    names = list(makefile_variables.references(file, part))
    for name in names:
        own = name not in variables.host
        for other, line in variables.assigned.get(name, ()):
            places.append((other, line.value, own))
            names += [more for more in makefile_variables.references(other, line.value) if more not in names]
    word = variables.compiler_word(file, part)
    for other, place, own in places:
        for segment in makefile.segments(other.data, place.start, place.end):
            for option in segment.words:
                match = _STANDARD.search(option.text)
                if match is None:
                    continue
                plain = match[0] == option.text and not _is_passed(other.data, option.span)
                if own and plain and match[1] not in _NEWER:
                    yield CStandard(other, option.span, gone=True)
                elif word is not None:
                    yield CStandard(file, word, gone=False)


def _is_passed(data: bytes, option: Span) -> bool:
    """Whether an option is the argument of one that passes it on to the host's compiler."""
    before = data[max(0, option.start - 40) : option.start].rstrip()
    return any(match.end() == len(before) for match in _HOST_PASS.finditer(before))


def _takes_c(variables: Variables, file: Makefile, part: Span, rule: Line | None) -> bool:
    """Whether a command compiles a source in C: one that it names, itself or by variables, or its rule."""
    text = file.text(part)
    places = [(file, part)]
    if rule is not None and (target := makefile.TARGETS.match(file.data, rule.value.start, rule.value.end)) is not None:
        last = file.data.rfind(b": ", target.end(), rule.value.end)  # a static pattern has two
        behind = Span(max(target.end(), last + 1), rule.value.end)
        if _AUTOMATIC["^"].search(text):
            places.append((file, behind))
        elif _AUTOMATIC["<"].search(text) and (first := _first(file, behind)) is not None:
            places.append((file, first))
    return any(_names_c(variables, other, place) for other, place in places)


def _first(file: Makefile, span: Span) -> Span | None:
    """The first word of some."""
    segment = next(makefile.segments(file.data, span.start, span.end))
    return segment.words[0].span if segment.words else None


def _names_c(variables: Variables, file: Makefile, span: Span) -> bool:
    """Whether a word is a source in C, or a variable that holds some as they are: none of `$(SOURCES:.c=.o)`."""
    queue, seen = [(file, span)], set[str]()
    for other, place in queue:
        for segment in list(makefile.segments(other.data, place.start, place.end))[:1]:
            for word in segment.words:
                outer = list(makefile.expansions(other.data, word.span.start, word.span.end))
                whole = len(outer) == 1 and outer[0].span == word.span
                if whole and not outer[0].args and outer[0].pattern is None and outer[0].name not in seen:
                    seen.add(outer[0].name)
                    queue += [(one, line.value) for one, line in variables.assigned.get(outer[0].name, ())]
                elif not whole and not word.text.startswith("-") and _C.fullmatch(word.text):
                    return True
    return False
