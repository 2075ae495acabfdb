"""Commands of Makefiles that compile CUDA Fortran or link it, and the variables that nothing else reads.

No compiler builds CUDA Fortran for AMD's GPUs: what its commands alone get stays for CUDA. A command compiles it where
it names a source that ends in `.cuf`, itself or by its rule. One links it where a compiler of Fortran's has `-Mcuda` or
`-cuda` and gets an object that such a command makes. Source: NVIDIA, "CUDA Fortran Programming Guide", compilation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.analysis import makefile_folders, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.makefile import Line
from cudamigrate.syntax.project_file import use_at

USE = "CUDA Fortran"
_ENDS = re.compile(rb"\.cuf\b", re.IGNORECASE)
_SOURCE = re.compile(rb"[\w./%$(){}+-]*\.cuf(?![\w.])", re.IGNORECASE)
_RULES = re.compile(rb"\$[<^+?]|\$[({][<^+?]")
"""The variables by which a command names what its rule does."""
_MODE = re.compile(rb"(?<!\S)-(?:Mcuda|cuda)(?![\w-])")
_FORTRAN = re.compile(rb"(?:\S*/)?(?:pgf\d\d|pgfortran|nvfortran|mpi(?:f\d\d|fort|ifort)|ftn)(?=\s|\Z)")
_OBJECT = re.compile(rb"[\w./-]+\.o(?![\w.])")
_NAMES = re.compile(makefile_folders.NAMES.decode())
_PATTERN = re.compile(rb"%\.cuf|\.cuf\.\w+[ \t]*:", re.IGNORECASE)
"""What makes objects of all sources of CUDA Fortran: `%.o: %.cuf`, `.cuf.o:`."""
_ANY = b"*"
Command = tuple[Makefile, Span, Line | None]


def without_its_own(variables: Variables, file: Makefile, uses: Sequence[Use]) -> list[Use]:
    """The uses of a file without those in what is for CUDA Fortran alone, and one that says so.

    A variable with the toolkit's folder that other commands read too has a new name there as well.
    """
    if not any(_ENDS.search(one.data) for one in variables.files):
        return list(uses)
    commands = list(variables.commands())
    compiling = [one for one in commands if _compiles(*one)]
    made = {name for one in compiling for name in _objects(*one)}
    made |= (
        {_ANY}
        if any(rule is not None and _PATTERN.search(one.text(rule.span)) for one, _, rule in compiling)
        else set()
    )
    kept = [*compiling, *(one for one in commands if one not in compiling and _links(variables, one, made))]
    alone = _read_alone(variables, kept)
    spans = [span for one, span, _ in kept if one is file]
    spans += [line.span for line in file.lines if line.kind == "assignment" and line.name in alone]
    left = [one for one in uses if _stays_found(one, spans, alone)]
    mine = [span for one, span, _ in compiling if one is file] or [span for one, span, _ in kept if one is file]
    return [*left, *(use_at(USE, *_place(file, span)) for span in mine[:1])]


def _place(file: Makefile, command: Span) -> tuple[int, int]:
    """The source that a command names, or what makes it one of CUDA Fortran's."""
    named = _SOURCE.search(file.data, command.start, command.end) or _MODE.search(file.data, command.start, command.end)
    text = file.text(command)
    start = command.start + len(text) - len(text.lstrip())
    return named.span() if named is not None else (start, start + len(text.split(maxsplit=1)[0]))


def _stays_found(use: Use, spans: Iterable[Span], alone: set[str]) -> bool:
    """Whether a use is none of CUDA Fortran's alone, or a variable that has another name in the whole file."""
    renamed = _NAMES.fullmatch(use.name) is not None and use.name not in alone
    return renamed or not any(span.start <= use.span.start < span.end for span in spans)


def _compiles(file: Makefile, span: Span, rule: Line | None) -> bool:
    """Whether a command names a source of CUDA Fortran, itself or by what its rule is made of."""
    text = file.text(span)
    by_rule = rule is not None and _RULES.search(text) is not None and _ENDS.search(file.text(rule.span)) is not None
    return _SOURCE.search(text) is not None or by_rule


def _objects(file: Makefile, span: Span, rule: Line | None) -> Iterator[bytes]:
    """The objects that a command names, and those that its rule makes."""
    texts = [file.text(span), *([file.text(rule.span).partition(b":")[0]] if rule is not None else [])]
    for text in texts:
        yield from _OBJECT.findall(text)


def _links(variables: Variables, command: Command, made: set[bytes]) -> bool:
    """Whether a command is one of Fortran's for CUDA that gets an object of CUDA Fortran."""
    file, span, _ = command
    texts = variables.texts(file, span)
    if not any(map(_MODE.search, texts)) or not any(map(_FORTRAN.match, map(bytes.lstrip, texts))):
        return False
    return _ANY in made or any(name in made for text in texts for name in _OBJECT.findall(text))


def _read_alone(variables: Variables, kept: Sequence[Command]) -> set[str]:
    """The variables that nothing but some commands reads, themselves or through variables that are read so."""
    found = {name for file, span, _ in kept for name in makefile_variables.references(file, span)}
    queue = list(found)
    for name in queue:
        for file, line in variables.assigned.get(name, ()):
            more = set(makefile_variables.references(file, line.value)) - found
            found |= more
            queue += more
    spans: dict[str, list[Span]] = {}
    for file, span, _ in kept:
        spans.setdefault(file.path, []).append(span)
    while others := {name for name in found if _is_read_else(variables, name, found, spans)}:
        found -= others
    return found


def _is_read_else(variables: Variables, name: str, found: set[str], spans: dict[str, list[Span]]) -> bool:
    """Whether a line reads a variable that is none of those, and in no command of those."""
    for file, line in variables.reading(name):
        if line.kind == "assignment" and line.name in found:
            continue
        mine = spans.get(file.path, ()) if line.kind == "recipe" else ()
        for part in makefile_variables.commands(file, line) if line.kind == "recipe" else (line.value,):
            if part not in mine and name in makefile_variables.references(file, part):
                return True
    return False
