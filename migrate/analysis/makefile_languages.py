"""Commands of Makefiles that name the language of their inputs, by `-x`, and where the first input is.

nvcc reads the option wherever it is, for all inputs. clang takes it for the inputs behind it alone, and hipcc says
`-x hip` before each source by itself, unless the command has named a language before.
Source: NVIDIA, "CUDA Compiler Driver NVCC", file and path specifications; clang's command line reference; hipcc 5.2.
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
from cudamigrate.syntax.makefile import Expansion

_WORD = re.compile(rb"(?:\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^{}]*\}|[^\s\\]|\\(?!\r?\n))+")
"""A word of a command, calls of make's in it whole."""
_VALUED = re.compile(
    rb"-(?:o|I|L|l|D|U|include|isystem|M[FTQ]|odir|X\w+)|--(?:output-file|output-directory|pre-include)"
)
"""Options whose argument, a word of its own, is no input."""
_SOURCE = re.compile(rb"[^-\s].*\.(?:cu|cuh|cc|cpp|cxx|c\+\+|c|C)|\.(?:cu|cc|cpp|cxx|c\+\+|c|C)", re.DOTALL)
_AUTOMATIC = re.compile(rb"\$(?:[<^+?]|[({][<^+?][)}])")
"""What a rule's target is made of: `$<`, `$(^)`."""
_LANGUAGE = re.compile(rb"(?<!\S)--?x(?:[ \t]+|=|(?=c))c(?:\+\+)?(?!\S)")
"""That the inputs are for the host's compiler: `-x c++`."""
_ANY_LANGUAGE = re.compile(rb"(?<!\S)--?x(?:[ \t=]|(?:c|cu|c\+\+|cuda|hip)(?!\S))")
_PLAIN = re.compile(rb"\$[({][\w.-]+[)}]|-(?!l|L|Wl|Xlinker|x)\S+")
"""An option whose place among libraries does not matter, or a variable."""
_ANY_OPTION = re.compile(rb"(?<!\S)--?x(?:[ \t]+|=)?(?:c|cu|c\+\+|cuda|hip)(?!\S)")
_LISTED = {"strip": 0, "sort": 0, "firstword": 0, "wildcard": 0, "filter-out": 1, "addsuffix": 0, "patsubst": 1}
"""Functions of make's, and which argument says that the words they give are files: `$(wildcard *.cu)`."""
_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Late:
    """A command by nvcc for the host's compiler that says so behind its first input: the option, or its variable.

    `moves` is false for a variable that holds more than options, whose place may matter: a library's does.
    """

    file: Makefile
    option: Span
    moves: bool


def behind(variables: Variables) -> Iterator[Late]:
    """Each of them; nothing of commands that name several languages, of which nvcc takes the last."""
    if not any(_LANGUAGE.search(file.data) for file in variables.files):
        return
    for file, part, _ in variables.commands():
        if not is_for_host(variables, file, part):
            continue
        own = _LANGUAGE.search(file.data, part.start, part.end)
        places = [Span(*own.span())] if own is not None else _holding(variables, file, part)
        for place in places:
            first = _first(variables, file, part, place.start)
            if first is not None:
                yield Late(file, place, own is not None or _are_options(variables, file, place))


def is_for_host(variables: Variables, file: Makefile, part: Span) -> bool:
    """Whether a command has nvcc give its inputs to the host's compiler: it says that they are in C++, or C.

    A variable that holds another language in other builds may say so, too.
    """
    own = _ANY_LANGUAGE.findall(file.data, part.start, part.end)
    text = file.text(part) if own else b" ".join(variables.texts(file, part))
    if _LANGUAGE.search(text) is None or len(own) > 1:
        return False
    compiler = variables.compiler_word(file, part)
    return compiler is not None and variables.compiler(file, compiler) == {"nvcc"}


def is_by_ending(variables: Variables, file: Makefile, part: Span) -> bool:
    """Whether a command by nvcc names no language: it, and hipcc too, reads a `.c` file as C, for the host."""
    compiler = variables.compiler_word(file, part)
    if compiler is None or variables.compiler(file, compiler) != {"nvcc"}:
        return False
    return _ANY_LANGUAGE.search(b" ".join([file.text(part), *variables.texts(file, part)])) is None


def _holding(variables: Variables, file: Makefile, part: Span) -> list[Span]:
    """The variables that are words of a command and hold the option."""
    outer = makefile.expansions(file.data, part.start, part.end)
    plain = [one.span for one in outer if not one.args and one.pattern is None]
    alone = [
        one for one in plain if not (file.data[one.start - 1 : one.start] + file.data[one.end : one.end + 1]).strip()
    ]
    return [one for one in alone if _LANGUAGE.search(b" ".join(variables.texts(file, one)))]


def _are_options(variables: Variables, file: Makefile, reference: Span) -> bool:
    """Whether a variable holds options of the compiler alone, itself and through others."""
    texts = (_ANY_OPTION.sub(b"", text) for text in variables.texts(file, reference)[1:])
    return all(_PLAIN.fullmatch(word) for text in texts for word in text.split())


def first_before(variables: Variables, option: int) -> int | None:
    """Where the first input begins that a command of the first Makefile names before an option; None without one."""
    file = variables.files[0]
    line = next((one for one in file.lines if one.span.start <= option < one.span.end), None)
    if line is None or line.kind not in ("recipe", "assignment"):
        return None
    parts = makefile_variables.commands(file, line)
    part = next((one for one in parts if one.start <= option < one.end), None)
    return _first(variables, file, part, option) if part is not None else None


def _first(variables: Variables, file: Makefile, part: Span, end: int) -> int | None:
    """Where the first input of a command by nvcc begins, of what is before an offset."""
    compiler = variables.compiler_word(file, part)
    if compiler is None or variables.compiler(file, compiler) != {"nvcc"}:
        return None  # also clang, which has always gone by the order
    return next((one.start for one in _inputs(variables, file.data[:end], compiler.end, _DEPTH)), None)


def _inputs(variables: Variables, data: bytes, start: int, depth: int) -> Iterator[Span]:
    """The words of options and files that are inputs, or hold some."""
    before = b""
    for match in _WORD.finditer(data, start):
        word = match[0].strip(b"\"'")
        if not _VALUED.fullmatch(before) and _is_input(variables, word, depth):
            yield Span(*match.span())
        before = word


def _is_input(variables: Variables, word: bytes, depth: int) -> bool:
    """Whether a word is a source or what a rule's target is made of, or gives such."""
    if _AUTOMATIC.fullmatch(word) or _SOURCE.fullmatch(word):
        return True
    called = next(makefile.expansions(word, 0, len(word)), None)
    if called is None or called.span != Span(0, len(word)) or not depth:
        return False
    if called.pattern is not None:
        ending = word[called.pattern.start : called.pattern.end].partition(b"=")[2]
        return _SOURCE.fullmatch(ending) is not None
    if called.args:
        return _gives_files(variables, word, called, depth - 1)
    values = (file.text(line.value) for file, line in variables.given(called.name))
    return any(any(_inputs(variables, value, 0, depth - 1)) for value in values)


def _gives_files(variables: Variables, word: bytes, called: Expansion, depth: int) -> bool:
    """Whether a call of a function of make's gives sources."""
    texts = [word[one.start : one.end].strip() for one in called.args]
    if called.name == "addprefix" and len(texts) == 2:
        return not texts[0].startswith(b"-") and any(_inputs(variables, texts[1], 0, depth))
    if called.name == "filter":
        return any(any(_inputs(variables, text, 0, depth)) for text in texts)
    at = _LISTED.get(called.name, len(texts))
    return at < len(texts) and any(_inputs(variables, texts[at], 0, depth))
