"""nvcc and its options in variables of a script: what a variable is set to goes to the commands that read it.

Result: uses of options, in the values of variables that a command of nvcc reads, or that such a variable is made of,
and of the compiler, where a variable holds its name and commands begin with that variable.
Options that mean nvcc by themselves are uses in any variable of flags, and where a command gets one as `NAME=value`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.environment import flag_readers
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options, found_folders, shell_options, started_programs
from cudamigrate.syntax.shell import Assignment, Command, Script, Word

_OTHERS = frozenset(
    (
        "gcc",
        "g++",
        "cc",
        "c++",
        "clang",
        "clang++",
        "icc",
        "icpc",
        "icx",
        "icpx",
        "gfortran",
        "ifort",
        "mpicc",
        "mpicxx",
    )
) | {"mpic++", "nvc", "nvc++", "ld", "make", "cmake", "configure"}
"""Programs that other options are for, or of which it is not known to whom they give them."""

_NVCC = re.compile(
    r"(?P<open>\$\{\w+:?[-=])?(?P<folder>(?:[^\s{}]|\$\{\w+(?::?-[^\s{}]*)?\})*/)?(?P<name>nvcc)(?(open)\})"
)
"""nvcc as the value of a variable, or where that is given nothing: `/usr/local/cuda/bin/nvcc`, `${1:-nvcc}`,
`${CUDA_HOME:-/usr/local/cuda}/bin/nvcc`."""
_BELOW = re.compile(r"[\"']?(?P<path>\$(?:\{(?=\w+\}))?(?P<folder>[A-Za-z_]\w*)\}?/bin/nvcc)[\"']?")
"""nvcc below a variable, as a command: `$CUDAPATH/bin/nvcc`, `"${WHERE}/bin/nvcc"`."""
_LIBRARIES = re.compile(r"/lib64(?:/stubs)?(?![\w-])")
_LONGEST = 400
"""Letters of a word that are looked into."""
_ALL_GPUS = re.compile(r"-arch=(?:all|all-major|native)")
_HELD = re.compile(r"\$(?:\{(?P<braced>\w+)(?:%(?P<end>(?:/\*)+|/[\w./]+))?\}|(?P<bare>[A-Za-z_]\w*))")
"""What a variable holds, whole or without an end of it."""
_ALONE = re.compile(r"\$(?:\w+|\{\w+\})/?")
_SCRIPTS = (".sh", ".bash", ".py", ".pl")
"""Endings of scripts, which may give on to a compiler what they are given."""
_FLAGS = re.compile(r"\w*(?:FLAGS|OPTIONS|OPTS)", re.IGNORECASE)
_GIVEN = re.compile(rb"\w*(?:FLAGS|OPTIONS|OPTS)=", re.IGNORECASE)
_OF_NVCC = re.compile(r"NVCC", re.IGNORECASE)
"""A variable of flags that a command gets: `CUDA_CPPFLAGS="-O3"`, for `configure` or `make`."""
_NAMED = re.compile(r"\w*NVCC\w*", re.IGNORECASE)
_LINKED = re.compile(r"-o|-L.+|(?:.*[^.])?\.(?:c|cc|cpp|cxx|cu|o|a|so)")
"""What a command has that links, whatever the compiler is called: `$1 -o app app.cpp -lcudart`."""
_PARAMETER = re.compile(r"\$(?:\d|\{\d)")
"""What a script is given: `$1`, `${1:-nvcc}`."""


def found_compilers(read: Script) -> list[Assignment]:
    """Where a variable is set to the place that nvcc is found in, and a command begins with that variable."""
    found = [one for one in read.assignments if _is_found(one)]
    return [one for one in found if any(_is_expansion(command, {one.name}) for command in read.commands)]


def folder(span: Span) -> Use:
    """The use that such a folder is."""
    return _name("folder above nvcc", span)


def folders_above(read: Script) -> list[Span]:
    """The values that are the toolkit's folder, worked out from where nvcc is found, also over other variables."""
    return [one.value.span for one in _worked_out(read)]


def libraries_above(data: bytes, read: Script) -> Iterator[Use]:
    """Folders below the toolkit's where a word of a command works that out: `-L$(dirname $(which nvcc))/../lib64`."""
    held = _places(read)

    def is_root(text: str) -> bool:
        return found_folders.folder(_filled_in(text, held), "nvcc") == found_folders.ROOT

    words = [word.span for command in read.commands for word in command.words]
    assigned = [one.value for one in read.assignments]
    if not _is_named(data, [*words, *(one.span for one in assigned)]):
        return
    values = (one.span for one in assigned if not is_root(one.text))
    for span in dict.fromkeys((*words, *values)):
        text = data[span.start : span.end].decode("latin-1")  # one letter for each byte
        place = found_folders.place(text, is_root) if len(text) <= _LONGEST and ("$" in text or "`" in text) else None
        if place is None or _ALONE.fullmatch(text[place[0] : place[1]]) is not None:
            continue
        libraries = _LIBRARIES.match(text, place[1])
        name, end = ("folder", place[1]) if libraries is None else ("libraries", libraries.end())
        yield _name(f"{name} above nvcc", Span(span.start + place[0], span.start + end))


def _is_named(data: bytes, spans: Sequence[Span]) -> bool:
    """Whether the text from the first span to the last, which may be one of many scripts in a file, names nvcc."""
    starts, ends = [one.start for one in spans], [one.end for one in spans]
    return bool(spans) and data.find(b"nvcc", min(starts), max(ends)) >= 0


def _worked_out(read: Script) -> list[Assignment]:
    """What sets a variable to the toolkit's folder so; what only takes the value of another variable is none."""
    held = _places(read)
    values = ((one, _filled_in(one.value.text, held)) for one in read.assignments)
    found = [one for one, text in values if found_folders.folder(text, "nvcc") == found_folders.ROOT]
    return [one for one in found if _ALONE.fullmatch(one.value.text) is None]


def _places(read: Script) -> dict[str, str]:
    """What the variables hold that are set once, by name, where that is nvcc or begins with its place."""
    held: dict[str, str] = {}
    for one in read.assignments:
        text = _filled_in(one.value.text, held)
        if one.name in held or not (text == "nvcc" or found_folders.folder(text, "nvcc")):
            text = ""  # set twice, or to something else
        held[one.name] = text
    return held


def _filled_in(text: str, held: Mapping[str, str]) -> str:
    """A text with what variables in it hold, less the end that the shell takes off: `${NVCC%/bin/nvcc}`."""

    def given(match: re.Match[str]) -> str:
        found, end = held.get(match["braced"] or match["bare"], ""), match["end"]
        if not found or not end:
            return found or match[0]
        if set(end) == {"/", "*"}:
            return "$(dirname " * end.count("/") + found + ")" * end.count("/")
        return f"$(patsubst %{end},%,{found})"

    return _HELD.sub(given, text)


def _is_found(assignment: Assignment) -> bool:
    return found_folders.folder(assignment.value.text, "nvcc") == found_folders.PROGRAM


def options(data: bytes, read: Script) -> Iterator[Use]:
    """Those that a variable of nvcc's has: all, or where others read it too those that mean nvcc by themselves."""
    assigned = read.assignments
    compilers = {one.name for one in assigned if _holds_nvcc(one) or _is_found(one)}
    nvccs = [one for one in read.commands if one.name == "nvcc" or _is_expansion(one, compilers)]
    yield from _given_flags(data, read)
    yield from _of_parameter(read)
    yield from _printed(data, read)
    yield from _called(read)
    called = _closed(_read_in(read, map(_extent, nvccs)), read)
    by_name, hosts = _flags_by_name(read)
    hosts -= called
    named = called | (_closed(by_name, read) - by_name - hosts)
    if not named:
        return
    commanded = _closed(_read_in(read, (_extent(one) for one in read.commands if one.name in _OTHERS)), read)
    others = commanded | (_closed(hosts, read) - called)
    for one in assigned:
        if one.name not in named or one.name in compilers:
            continue
        reading = flag_readers.readers(read, one) if one.name in others - commanded else frozenset[str]()
        if reading and reading.isdisjoint(named | by_name):
            continue
        words = [compiler_options.Word(word.text, word.span) for word in one.words]
        whole, plain = one.value.span, not reading.isdisjoint(others) if reading else one.name in others
        listed = compiler_options.uses(words, plain=plain)
        yield from listed if words else shell_options.uses(data, whole.start, whole.end, plain)


def _flags_by_name(read: Script) -> tuple[set[str], set[str]]:
    """The variables of flags whose names say nvcc, and the others: a makefile that a script writes may read both."""
    flags = {one.name for one in read.assignments if _FLAGS.fullmatch(one.name)} - _of_own_programs(read)
    nvccs = {name for name in flags if _OF_NVCC.search(name)}
    return nvccs, flags - nvccs


def tools(read: Script) -> Iterator[Use]:
    """NVIDIA's profilers and checkers in variables that commands begin with: `PROF="nsys profile"`, `$PROF ./app`."""
    for one in read.assignments:
        words = [] if one.words else one.value.text.split(" ")
        start, spans = one.value.span.start, list[Span]()
        for word in words:
            spans.append(Span(start, start + len(word.encode())))
            start += len(word.encode()) + 1
        found = started_programs.tool(words, spans) if words else None
        if found is not None and any(_is_expansion(command, {one.name}) for command in read.commands):
            yield _name(*found)


def _holds_nvcc(assignment: Assignment) -> bool:
    """Whether a variable is set to nvcc, by a path or not, or to that where the script is given nothing."""
    return _NVCC.fullmatch(assignment.value.text) is not None


def _called(read: Script) -> Iterator[Use]:
    """The compiler that a variable holds by its name alone, and the commands for it.

    One whose output the script reads stays with its options, as without a variable.
    """
    held: dict[str, list[Span]] = {one.name: [] for one in read.assignments if _is_found(one)}
    for one in filter(_holds_nvcc, read.assignments):
        named, places = _NVCC.fullmatch(one.value.text), held.setdefault(one.name, [])
        if named is not None and not named["folder"]:  # a path is a use by itself
            start = one.value.span.start + len(one.value.text[: named.start("name")].encode())
            places.append(Span(start, start + len("nvcc")))
    called = set[str]()
    for command in (one for one in read.commands if held and "$" in one.words[0].text):
        name = command.words[0].text.strip("\"'${}")
        if name not in held:
            continue
        if command.read:
            yield _name("nvcc |", command.words[0].span)
        else:
            called.add(name)
            yield from given("nvcc", command.words[1:])
    yield from (_name("nvcc", span) for name in sorted(called) for span in held[name])
    yield from _clang_called(read)


def _clang_called(read: Script) -> Iterator[Use]:
    """clang in a variable, `CLANG=clang++`, where a command gives it CUDA: no other command, which is for the host."""
    clangs = {one.name for one in read.assignments if compiler_options.CLANG.fullmatch(one.value.text.encode())}
    for command in read.commands if clangs else ():
        first, rest = command.words[0], command.words[1:]
        if _is_expansion(command, clangs) and is_clang_for_cuda("clang", rest):
            yield _name("clang for CUDA", first.span)
            yield from given("clang", rest)


def below_folders(data: bytes, read: Script) -> Iterator[Use]:
    """nvcc and libraries below a variable that holds the toolkit's folder: nvcc is called there, `$WHERE/bin/nvcc`."""
    folders = {one.name for one in _worked_out(read)}
    for command in read.commands:
        named = _BELOW.fullmatch(command.words[0].text)
        if named is not None and not command.read:
            start = command.words[0].span.start + named.start("path")
            folders.add(named["folder"])
            yield _name("/usr/local/cuda/bin/nvcc", Span(start, start + len(named["path"])))
    for one in read.assignments:
        named = _BELOW.fullmatch(one.value.text)
        if named is not None and any(_is_expansion(each, {one.name}) for each in read.commands if not each.read):
            start = one.value.span.start + named.start("path")
            yield _name("/usr/local/cuda/bin/nvcc", Span(start, start + len(named["path"])))
    held = "|".join(map(re.escape, sorted(folders - {"CUDA_HOME", "CUDA_PATH"})))
    if not held:
        return
    libraries = re.compile(rf"\$\{{?(?:{held})\}}?/lib64\b".encode())
    words = (word for command in read.commands for word in command.words)
    for span in dict.fromkeys(one.span for one in (*words, *(each.value for each in read.assignments))):
        for match in libraries.finditer(data, span.start, span.end):
            yield _name("libraries below CUDA_HOME", Span(*match.span()))


def _name(name: str, span: Span) -> Use:
    return Use("name", name, span, span, certainty="syntax")


def _printed(data: bytes, read: Script) -> Iterator[Use]:
    """The options in what a script prints, where one is of nvcc's alone and nothing else is printed."""
    for command in (one for one in read.commands if one.name == "echo" and len(one.words) > 1):
        words = [part for word in command.words[1:] for part in _parts(word)]
        found = list(compiler_options.uses(words))
        arguments = {span.start for use in found for span in use.args}
        nvccs = compiler_options.for_nvcc(found, data) or any(_ALL_GPUS.fullmatch(use.name) for use in found)
        if nvccs and all(word.text.startswith("-") or word.span.start in arguments for word in words):
            yield from found


def _parts(word: Word) -> Iterator[compiler_options.Word]:
    for part in re.finditer(r"\S+", word.text):
        start = word.span.start + len(word.text[: part.start()].encode())
        yield compiler_options.Word(part[0], Span(start, start + len(part[0].encode())))


def given(name: str, rest: Sequence[Word]) -> Iterator[Use]:
    """The options of nvcc that a tool is given: all by nvcc itself or clang for CUDA, those that link by others."""
    uses = compiler_options.uses(compiler_options.Word(word.text, word.span) for word in rest)
    if name == "nvcc" or is_clang_for_cuda(name, rest):
        yield from uses
    elif any(_LINKED.fullmatch(word.text) for word in rest):
        yield from filter(compiler_options.is_library, uses)


def is_clang_for_cuda(name: str, rest: Sequence[Word]) -> bool:
    """Whether a command is clang's and gives it a source of CUDA, or an option for it, and none for HIP.

    One for a stage of clang's own, `-cc1`, is none: it is written for one target, and hipcc has no such call.
    """
    if not compiler_options.CLANG.fullmatch(name.encode()) or is_front_end(name, rest):
        return False
    given = " ".join(word.text for word in rest).encode()
    return compiler_options.FOR_CUDA.search(given) is not None and not compiler_options.FOR_HIP.search(given)


def clang(name: str, rest: Sequence[Word]) -> str:
    """What rules call a command of clang's that compiles CUDA; empty for any other."""
    if is_clang_for_cuda(name, rest):
        return "clang for CUDA"
    return "clang -cc1 for CUDA" if is_front_end(name, rest) else ""


def is_front_end(name: str, rest: Sequence[Word]) -> bool:
    """Whether a command calls a stage of clang by itself, for NVIDIA."""
    if not compiler_options.CLANG.fullmatch(name.encode()) or not rest or rest[0].text != "-cc1":
        return False
    return any("nvptx" in word.text or word.text == "cuda" for word in rest)


def _given_flags(data: bytes, read: Script) -> Iterator[Use]:
    """Options that mean nvcc by themselves, in variables of flags that the script sets or gives to a command.

    What a program of the project's own alone is given are options of that program, whatever they are called after.
    """
    flags = [one for one in read.assignments if _FLAGS.fullmatch(one.name)]
    own = _of_own_programs(read) if flags else set()
    spans = [(one.name, one.value.span) for one in flags if one.name not in own]
    for word in (word for command in read.commands for word in command.words[1:]):
        given = _GIVEN.match(data, word.span.start, word.span.end)
        if given is not None:
            quoted = data[given.end() : given.end() + 1] in (b'"', b"'") and word.span.end - given.end() > 1
            spans.append((given[0].decode(), Span(given.end() + quoted, word.span.end - quoted)))
    for name, span in spans:
        yield from _of_flags(data, name, span)


def of_setting(data: bytes, setting: Assignment) -> Iterator[Use]:
    """The options in a variable of flags that a build is given by its environment: `ENV NVCCFLAGS="-G"`."""
    yield from of_value(data, setting.name, setting.value.span)


def of_value(data: bytes, name: str, span: Span) -> Iterator[Use]:
    """The same for a name and the place of its value."""
    if _FLAGS.fullmatch(name):
        yield from _of_flags(data, name, span)


def _of_flags(data: bytes, name: str, span: Span) -> Iterator[Use]:
    """The options of nvcc's in a variable of flags: all where its name says nvcc, else those that mean it alone."""
    yield from shell_options.uses(data, span.start, span.end, plain=_OF_NVCC.search(name) is None)


def _of_own_programs(read: Script) -> set[str]:
    """The variables that commands read, all of which run a program beside the script: `./tool $OPTIONS`."""
    own = [one for one in read.commands if _is_own_program(one)]
    named = _read_in(read, map(_extent, own))
    others = _read_in(read, (_extent(one) for one in read.commands if not _is_own_program(one)))
    return named - others - _read_in(read, (one.value.span for one in read.assignments))


def _is_own_program(command: Command) -> bool:
    first = command.words[0]
    known = command.name in _OTHERS or command.name == "nvcc" or command.name.endswith(_SCRIPTS)
    return first.plain and first.text.startswith(("./", "../")) and not known


def _of_parameter(read: Script) -> Iterator[Use]:
    """Options of a compiler that the script is given: it is called by a variable of nvcc's name, set to a parameter."""
    given = {one.name for one in read.assignments if _NAMED.fullmatch(one.name) and _PARAMETER.match(one.value.text)}
    for command in read.commands:
        if _is_expansion(command, given):
            words = (compiler_options.Word(word.text, word.span) for word in command.words[1:])
            yield from compiler_options.uses(words)


def _is_expansion(command: Command, names: set[str]) -> bool:
    """Whether a command is what one of some variables holds: `$NVCC -c a.cu`, `"${NVCC}" -c a.cu`."""
    return command.words[0].text.strip("\"'${}") in names and "$" in command.words[0].text


def _extent(command: Command) -> Span:
    return Span(command.words[0].span.start, command.words[-1].span.end)


def _read_in(read: Script, places: Iterable[Span]) -> set[str]:
    """The variables that are read in some places."""
    spans = list(places)
    return {name for name, at in read.expansions if any(span.start <= at.start < span.end for span in spans)}


def _closed(names: set[str], read: Script) -> set[str]:
    """Variables with those that their values are made of."""
    waiting, found = list(names), set(names)
    while waiting:
        name = waiting.pop()
        values = [one.value.span for one in _of(read.assignments, name)]
        for other in _read_in(read, values) - found:
            found.add(other)
            waiting.append(other)
    return found


def _of(assignments: Iterable[Assignment], name: str) -> Iterator[Assignment]:
    return (one for one in assignments if one.name == name)
