"""C++ standards that build files name for sources of the GPU: where, by what number, and how a newer one is written.

A standard counts where the compiler for the GPU gets it: as an option, in a variable or property of CMake's for CUDA,
or in CMake's for C++ where the project names none for CUDA, since CMake takes that one then for CUDA and HIP too. One
that a variable of the project's holds is written where that is set, if nothing else gets it; else where it is used.
Options of a folder or a target of CMake's reach sources of all languages, after all other options, so that they win.
FindCUDA gave nvcc none of them; the language HIP has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from cudamigrate.analysis import cmake_targets, host_options, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.frontends import project_front_end
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, SourceFile, Span, Use
from cudamigrate.syntax import cmake, compiler_options, generator_expressions, makefile
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

LANGUAGES = ("make", "cmake", "python", "shell")
"""Build files whose options are read."""
MAY = re.compile(rb"-std|-ansi|_STANDARD")
"""What a file holds that names a standard."""
_OPTION = re.compile(r"--?std(?:=(?:c|gnu)\+\+(?P<year>\w\w))?|(?P<ansi>-ansi)")
_WORD = re.compile(r"(?:c|gnu)\+\+(\w\w)")
_HELD = re.compile(r"--?std=(?P<word>(?:c|gnu)\+\+)?\$[{(](?P<name>[\w.-]+)[)}]")
"""An option whose standard a variable holds: `-std=${STD}`, `-std=c++$(LEVEL)`."""
_USED = re.compile(r"\$\{([\w.-]+)\}")
_SPEAKS = ("if", "elseif", "message")
_YEARS = {"98": 3, "03": 3, "0x": 11, "1y": 14, "1z": 17, "2a": 20, "2b": 23}
_YEAR = re.compile(r"\d\d|0x|1[yz]|2[ab]")
_FOR_GPU = ("CUDA_STANDARD", "HIP_STANDARD")
_HOST_PASSES = ("-Xcompiler", "--compiler-options")
_SOURCE = re.compile(r"[^\s\"'();,]+\.cu\b")
_PROPERTIES = ("set_target_properties", "set_property")
_FOR_ALL = ("add_compile_options", "target_compile_options", "add_definitions")
"""Commands whose plain options the compilers of all languages get."""
_PLAIN = re.compile(r"-std=((?:c|gnu)\+\+)(\w\w)")

_COMMENT = re.compile(rb"[ \t]*#(?!\[=*\[)[^\r\n]*")
"""A comment up to the end of its line."""


@dataclass(frozen=True, slots=True)
class Named:
    """A standard in the build file at `path`: `at` is what names it, and `year` the number, 3 for all before C++11.

    `sure` says that the compiler for the GPU gets it whatever the tree holds, `host` the host alone. A newer
    number is written at `number`, or, where only sources of the GPU are to get it, as `added` after `number`; neither
    where the host's compiler gets the same words. Of one that is `shared`, the host's compiler gets what is at
    `number` too, and sources of the GPU alone what is `added`, there `behind` all. `sources` are the names of those
    that the command compiles, if it says; `whole` is an option that has its number apart, which is written again as
    one word.
    """

    path: str
    at: Span
    year: int
    sure: bool = True
    number: Span | None = None
    added: str = ""
    sources: tuple[str, ...] = ()
    whole: bool = False
    host: bool = False
    shared: bool = False
    behind: Span | None = None

    def edit(self, year: int) -> Edit | None:
        """What writes a newer standard; None where nothing is to be written."""
        if self.number is None:
            return None
        if self.added:
            end = (self.behind or self.number).end
            return Edit(Span(end, end), self.added.format(year=year).encode())
        return Edit(self.number, (f"-std=c++{year}" if self.whole else str(year)).encode())


def named(source: SourceFile, peers: Mapping[str, bytes], for_cxx: bool) -> list[Named]:
    """The standards in one build file; `peers` are the Makefiles it is read with.

    `for_cxx` says that those count which CMake files name for C++.
    """
    front = project_front_end(source.language)
    if front is None or not MAY.search(source.data):
        return []
    parsed: ProjectFile = front.parse_among(source, peers) if peers else front.parse(source)
    if parsed.problems or parsed.ported or parsed.kept:
        return []
    options = [use for use in parsed.uses if use.kind == "option"]
    if source.language == "make":
        options = [use for use in options if not _passed(source.data, use.span)]
        variables = parsed.once(makefile_variables.of)
        held = _of_make(variables)
        found = [one for use in options for one in (*_option(source, use), *_in_variable(source.path, use, held))]
        found = [_with_sources(variables.files[0], one) for one in found]
        found += _shared(variables, held, {one.at for one in found}, _kept_from_nvcc(parsed))
    else:
        held = _of_commands(parsed.commands, options) if source.language == "cmake" else {}
        found = [one for use in options for one in (*_option(source, use), *_in_variable(source.path, use, held))]
        found += _of_cmake(source, parsed.commands, held, for_cxx) if source.language == "cmake" else ()
        known = {one.at for one in found}
        found += [one for one in _for_all(parsed) if one.at not in known]
    return sorted({one.at: one for one in found}.values(), key=lambda one: one.at)


def cxx_counts(files: Iterable[SourceFile]) -> bool:
    """Whether CMake takes the standard for C++ for the GPU's sources too: CUDA is used, and none is named for it."""
    uses = False
    for source in files:
        found = cmake.read(source.data)
        hosts = _numbers(found)
        if any(year(_value(value, hosts)) for one in found for _, value in _given(one, _FOR_GPU)):
            return False
        uses = uses or any(cmake.enables(one, "CUDA") for one in found)
    return uses


def _numbers(commands: Iterable[Command]) -> set[str]:
    """The standards for C++ that some commands name."""
    given = (value.text for one in commands for _, value in _given(one, ("CXX_STANDARD",)))
    return {text for text in given if year(text)}


def _value(value: Argument, hosts: set[str]) -> str:
    """A standard, or what is written for that of C++ where it is one number."""
    return min(hosts) if value.text == "${CMAKE_CXX_STANDARD}" and len(hosts) == 1 else value.text


def year(text: str) -> int:
    """The number of a standard, `11` of `0x` too; 3 for all before, and 0 for what is none."""
    return _YEARS.get(text, int(text) if text.isdigit() else 0) if _YEAR.fullmatch(text) else 0


def _option(source: SourceFile, use: Use) -> Iterator[Named]:
    """The standard that an option names, joined to it or as its argument."""
    match = _OPTION.fullmatch(use.name)
    if match is None:
        return
    if match["ansi"]:
        yield Named(source.path, use.span, _YEARS["98"], number=use.span, whole=True)
    elif match["year"] and year(match["year"]):
        at = Span(use.span.start + match.start("year"), use.span.start + match.end("year"))
        yield Named(source.path, use.span, year(match["year"]), number=at)
    elif use.args and (word := _WORD.fullmatch(source.text(use.args[0]))) is not None and year(word[1]):
        yield Named(source.path, use.span, year(word[1]), number=use.extent, whole=True)


@dataclass(frozen=True, slots=True)
class _Values:
    """What a variable is set to in a file, with where; `shared` says that it is for more than sources of the GPU."""

    given: tuple[tuple[Span, str], ...]
    shared: bool


def _in_variable(path: str, use: Use, held: Mapping[str, _Values]) -> Iterator[Named]:
    """The standards that an option takes from a variable."""
    match = _HELD.fullmatch(use.name)
    values = held.get(match["name"]) if match is not None else None
    if match is None or values is None:
        return
    for span, text in values.given:
        word = _YEAR.fullmatch(text) if match["word"] else _WORD.fullmatch(text)
        number = year(word[word.re.groups]) if word is not None else 0
        if number and values.shared:
            yield Named(path, use.span, number, number=use.span, whole=True)
        elif number and word is not None:
            yield Named(path, span, number, number=_last(span, word[word.re.groups]))


def _last(span: Span, text: str) -> Span:
    return Span(span.end - len(text), span.end)


def _of_make(variables: Variables) -> dict[str, _Values]:
    """The variables that the Makefile itself sets."""
    made = {}
    for name, places in variables.assigned.items():
        given = []
        for file, line in places:
            text = file.text(line.value)
            start = line.value.start + len(text) - len(text.lstrip())
            if file is variables.files[0] and line.operator != "+=":
                given.append((Span(start, start + len(text.strip())), text.strip().decode("utf-8", "replace")))
        made[name] = _Values(tuple(given), name in variables.host)
    return made


def _of_commands(commands: Sequence[Command], options: Sequence[Use]) -> dict[str, _Values]:
    """The variables of a CMake file, and whether more than options and properties for the GPU use them."""
    for_gpu = {use.span for use in options}
    for_gpu |= {value.span for command in commands for _, value in _given(command, _FOR_GPU)}
    shared, given = set[str](), dict[str, list[tuple[Span, str]]]()
    for command in commands:
        if command.name == "set" and len(command.args) > 1:
            given.setdefault(command.args[0].text, []).append((command.args[1].span, command.args[1].text))
        for argument in command.args if command.name not in _SPEAKS else ():
            for match in _USED.finditer(argument.text):
                at = argument.span.start + len(argument.text[: match.start()].encode())
                if not any(span.start <= at < span.end for span in for_gpu):
                    shared.add(match[1])
    return {name: _Values(tuple(of), name in shared or name.startswith("CMAKE_")) for name, of in given.items()}


def _passed(data: bytes, at: Span) -> bool:
    """Whether an option is one that nvcc passes on to the host's compiler."""
    before = data[max(0, at.start - 40) : at.start].decode("utf-8", "replace").split()
    return bool(before) and before[-1].rstrip("=") in _HOST_PASSES


def _with_sources(file: Makefile, found: Named) -> Named:
    """The same, with the sources that the recipe around it compiles."""
    rule = None
    for line in file.lines:
        rule = line if line.kind == "rule" else rule
        if line.kind == "recipe" and line.span.start <= found.at.start < line.span.end:
            texts = [file.text(line.value), file.text(rule.value).partition(b":")[2] if rule else b""]
            words = [word for text in texts for word in _SOURCE.findall(text.decode("utf-8", "replace"))]
            plain = not any("%" in word or "*" in word or "$" in word for word in words)
            return replace(found, sources=tuple(words) if plain else ())
    return found


def _kept_from_nvcc(parsed: ProjectFile) -> set[str]:
    """The variables that nvcc only passes on to the host's compiler, always beside a standard of its own."""
    variables = parsed.once(makefile_variables.of)
    passing = [use for use in parsed.uses if use.kind == "option" and compiler_options.passes_on(use.name)]
    passed = [use.extent for use in passing if host_options.keeps_standard(parsed, use.span)]
    kept, other = set[str](), set[str]()
    for file in variables.files if passed else ():
        for line in file.lines:
            for part in makefile_variables.commands(file, line) if line.kind == "recipe" else (line.value,):
                nvccs = line.name in variables.nvcc - variables.host or "nvcc" in variables.compiler(file, part)
                for one in makefile.all_expansions(file.data, part.start, part.end) if nvccs else ():
                    inside = file is variables.files[0] and any(span.overlaps(one.span) for span in passed)
                    (kept if inside else other).add(one.name)
    return {name for name in kept - other if name in variables.assigned}


def _shared(variables: Variables, held: Mapping[str, _Values], known: set[Span], kept: set[str]) -> Iterator[Named]:
    """Standards in variables that the host's compiler gets, alone or as nvcc does; in those `kept` nvcc has its own."""
    file = variables.files[0]
    for line in file.lines:
        alone = line.name not in variables.nvcc
        if line.kind != "assignment" or line.name not in variables.host or line.name in kept:
            continue
        for segment in makefile.segments(file.data, line.value.start, line.value.end):
            for word in segment.words:
                match = _OPTION.fullmatch(word.text)
                number = year(match["year"] or ("98" if match["ansi"] else "")) if match is not None else 0
                behind = _in_variable(file.path, Use("option", word.text, word.span, word.span), held)
                number = number or min((one.year for one in behind), default=0)
                if number and word.span not in known:
                    place = _last(word.span, match["year"]) if alone and match is not None and match["year"] else None
                    yield Named(file.path, word.span, number, sure=not alone, number=place, host=alone)


def _of_cmake(
    source: SourceFile, commands: Sequence[Command], held: Mapping[str, _Values], for_cxx: bool
) -> Iterator[Named]:
    """Standards in variables and properties of CMake's."""
    hosts = _numbers(commands)
    for command in commands:
        for name, value in _given(command, _FOR_GPU):
            if number := year(_value(value, hosts)):
                yield Named(source.path, name.span, number, number=value.span)
            variable = _USED.fullmatch(value.text)
            values = held.get(variable[1]) if variable is not None else None
            for span, text in values.given if values is not None else ():
                if (number := year(text)) and values is not None:
                    shared = values.shared
                    yield Named(
                        source.path, name.span if shared else span, number, number=value.span if shared else span
                    )
        for name, value in _given(command, ("CXX_STANDARD",)) if for_cxx else ():
            if number := year(value.text):
                end, added = _beside(source, command, value)
                yield Named(source.path, name.span, number, sure=False, number=end, added=added)


def _for_all(parsed: ProjectFile) -> Iterator[Named]:
    """Standards among the options that a command of CMake's gives to sources of all languages, whatever they are."""
    giving = [one for one in parsed.commands if one.name in _FOR_ALL and b"-std" in parsed.data]
    hosts = cmake_targets.of_host(cmake_targets.known(parsed)) if giving else ()
    for command in giving:
        if command.name == "target_compile_options" and command.words()[:1] and command.words()[0] in hosts:
            continue
        for word in _plain_words(parsed.data, command):
            match = _PLAIN.fullmatch(word.text)
            if match is not None and year(match[2]):
                behind, added = _for_hip(parsed.source, command, match[1])
                place = _last(word.span, match[2])
                yield Named(
                    parsed.source.path, word.span, year(match[2]), False, place, added, shared=True, behind=behind
                )


def _plain_words(data: bytes, command: Command) -> Iterator[compiler_options.Word]:
    """The words of a command that no expression gives."""
    for stretch in generator_expressions.stretches(data, command):
        if not stretch.inside:
            yield from compiler_options.words(data, stretch.span.start, stretch.span.end)


def _for_hip(source: SourceFile, command: Command, kind: str) -> tuple[Span, str]:
    """What gives sources of the language HIP another standard than a command for all does, and what it is behind."""
    option = f"$<$<COMPILE_LANGUAGE:HIP>:-std={kind}{{year}}>"
    if command.name != "add_definitions":
        return command.args[-1].outer, f" {option}"
    span, line = _next_line(source, command)
    return span, f"{line}add_compile_options({option})"


def _given(command: Command, endings: Sequence[str]) -> Iterator[tuple[Argument, Argument]]:
    """The variable or property that a command gives a standard, and the value."""
    if command.name == "set":
        found = list(command.args[:2])
        if len(found) == 2 and found[0].text in {f"CMAKE_{ending}" for ending in endings}:
            yield found[0], found[1]
    elif command.name in _PROPERTIES:
        yield from ((name, value) for name, value in pairwise(command.args) if name.text in endings)


def _beside(source: SourceFile, command: Command, value: Argument) -> tuple[Span | None, str]:
    """Where a standard for HIP is written beside that for C++, and as what."""
    if command.name == "set":
        span, line = _next_line(source, command)
        return span, f"{line}set(CMAKE_HIP_STANDARD {{year}})"
    return (value.outer, " HIP_STANDARD {year}") if command.name == "set_target_properties" else (None, "")


def _next_line(source: SourceFile, command: Command) -> tuple[Span, str]:
    """A command with the comment beside it, which stays there, and how a line behind it begins."""
    comment = _COMMENT.match(source.data, command.span.end)
    end = command.span.end if comment is None else comment.end()
    line = cmake.line_end(source.data) + cmake.indent(source.data, command.span.start)
    return Span(command.span.start, end), line.decode()
