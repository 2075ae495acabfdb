"""Links of Makefiles whose objects hold device code that is not linked yet: clang's `-fgpu-rdc` has two sides.

nvcc compiles with `-dc` and links such objects without an option. clang needs `-fgpu-rdc` at the link too. Which
objects a command makes and takes is read from its words and its rule, by their names without folders. A linker of the
host takes them only where `-dlink` made an object of their device code: without that step CUDA's program does not link
either, so that what it links has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from cudamigrate.analysis import makefile_object_names, makefile_suffixes, makefile_variables
from cudamigrate.analysis.makefile_branches import exclude
from cudamigrate.analysis.makefile_object_names import meet
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_START, _END = rb"(?<![^\s\"'=,])", rb"(?![^\s\"',)}])"
_WHOLE = re.compile(_START + rb"(?:-dc|--device-c|--?(?:rdc|relocatable-device-code)(?:=|[ \t]+)true|-fgpu-rdc)" + _END)
"""What makes objects whose device code is linked later: `-dc`, `-rdc=true`."""
_NO_LINK = re.compile(
    _START
    + rb"(?:-c|-dc|-dw|--device-[cw]|--compile|-S|-E|-M{1,2}|-dlink|--device-link|--?lib|--?ptx|--?cubin|--?fatbin)"
    + _END
)
"""What ends a command before the last link."""
GPUS = re.compile(_START + rb"--?(?:arch|gencode|code|gpu-architecture|generate-code|gpu-code|offload-arch)(?=[\s=])")
STEP = re.compile(_START + rb"(?:-dlink|--device-link)" + _END)
_ARCHIVES = re.compile(rb"@?-?(?:\S*/)?(?:[\w-]+-)?ar(?:-[\d.]+)?|@?-?\$[({]\w*AR[)}]")
_OUT = re.compile(rb"(?<![^\s\"'=,])(?:-o[ \t]*|--?output-file(?:[ \t]+|=))(\S+)")
_AUTOMATIC = re.compile(rb"\$[\^<+?]|\$[({][\^<+?][)}]")
OBJECT = re.compile(r".*(?:\.(?:o|obj|lo|a|so))")
_SOURCE = re.compile(r".*\.(?:cu|cc|cpp|cxx|c\+\+|c|C)")
Wanted = Sequence[re.Pattern[str]]
WANTED, _TAKEN = (OBJECT,), (OBJECT, _SOURCE)
Names = Callable[[Variables, Makefile, Span, Wanted], set[str]]
"""How the names of objects and archives are read among some words."""
_GIVEN = "({})*.o"
"""What a function of the Makefile is given, `$(1)`: any object, but for one that it is given in another place."""
UNKNOWN = re.compile(r"(?:\$\$\w+|\$[({][^)}]*[)}]|\$\w|%|\$\*)+")
"""What a name has from variables, or from the pattern of a rule."""

_LTO = re.compile(_START + rb"-flto(?:=[\w-]+)?" + _END)
_FAT = re.compile(_START + rb"-ffat-lto-objects" + _END)
"""What puts code of the machine into such objects too."""
_NAMED = re.compile(r"\$[({](\w+)[)}]")
_LIBRARY = re.compile(rb"(?<!\S)-l[ \t]*([\w.+-]+)")


@dataclass(frozen=True, slots=True)
class Link:
    """A command that links device code: the word that names its compiler, and whether that is nvcc for certain.

    Of a link by a rule of make's own without a word for its compiler alone, it is what is linked, and `by_make` is set.
    `lacks_gpus` says that it names no GPU where those that compile do: nvcc's link reads them in the objects, and
    clang's makes code for those that its own options name.
    """

    file: Makefile
    word: Span
    by_nvcc: bool
    lacks_gpus: bool = False
    by_make: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A command that links a program or library: its place, its compiler, and the names of what it takes.

    The names are those of objects, archives and sources without folders, `*` for what is not known of one; `text` is
    the command with what its variables hold.
    """

    file: Makefile
    span: Span
    word: Span
    takes: frozenset[str]
    text: bytes
    by_nvcc: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command that begins with a compiler: its place, that word, its rule, and its text with what variables hold."""

    file: Makefile
    span: Span
    word: Span
    rule: Line | None
    text: bytes


def of(variables: Variables, files: Set[str] = frozenset()) -> list[Link]:
    """The commands that link objects made with device code of several files, and have no option that says so.

    `files` are the names of the tree's files, where they are known.
    """
    if not any(_WHOLE.search(file.data) for file in variables.files):
        return []
    found = list(commands(variables))
    archives, made = _made(variables, found, files)
    stepped = any(STEP.search(file.data) for file in variables.files)
    gpus = any(GPUS.search(one.text) for one in found if compiles(variables, one))
    return [*_implied(variables, made, gpus)] + [
        Link(
            one.file,
            one.word,
            variables.compiler(one.file, one.span) == {"nvcc"},
            gpus and GPUS.search(one.text) is None,
        )
        for one in found
        if one not in archives
        and links(one)
        and (stepped or variables.compiler(one.file, one.span) != {"host"})
        and meet(inputs(variables, one), _beside(variables, one, found, made, files))
    ]


def _beside(variables: Variables, link: Command, found: Sequence[Command], made: set[str], files: Set[str]) -> set[str]:
    """What is `made` by the commands that make reads where it reads a link: not by those of the other branch."""
    asked = variables.asked(link.file, link.span.start)
    read = [one for one in found if not exclude(asked, variables.asked(one.file, one.span.start))]
    return made if len(read) == len(found) else _made(variables, read, files)[1]


def _implied(variables: Variables, made: set[str], gpus: bool) -> Iterator[Link]:
    """The links by make's own rule, which takes an object of the target's name and what else the target is made of.

    It is `$(LINK.o)`, which begins with `CC`. Source: GNU make's manual, "Catalogue of Built-In Rules".
    """
    own = variables.given("LINK.o")
    values = [(file, line.value) for file, line in own or variables.given("CC") + variables.given("LDFLAGS")]
    text = b" ".join(each for file, span in values for each in variables.texts(file, span))
    if variables.compilers("LINK.o" if own else "CC") != {"nvcc"} or _WHOLE.search(text) is not None:
        return
    linked = [
        (file, target)
        for file, target, taken in _without_recipe(variables)
        if f"{file.text(target).decode('utf-8', 'replace').rpartition('/')[2]}.o" in taken and meet(taken, made)
    ]
    lacks = gpus and GPUS.search(text) is None
    words = [(file, variables.compiler_word(file, line.value)) for file, line in own]
    if linked and own:
        yield from (Link(file, word, True, lacks) for file, word in words if word is not None)
    else:
        yield from (Link(file, target, True, lacks, by_make=True) for file, target in linked)


def _without_recipe(variables: Variables) -> Iterator[tuple[Makefile, Span, set[str]]]:
    """The targets of rules for which no rule has a recipe, by their names, and what objects they are made of."""
    rules = [
        (file, line, following is not None and following.kind == "recipe")
        for file in variables.files
        for line, following in zip(file.lines, (*file.lines[1:], None), strict=False)
        if line.kind == "rule"
    ]
    named = [(file, line, target, has) for file, line, has in rules for target in _targets(file, line)]
    made = {file.text(target) for file, _, target, has in named if has}
    for file, line, target, _ in named:
        name = file.text(target)
        if name not in made and not re.search(rb"[%.$]", name):
            after = Span(target.end, line.value.end)
            yield file, target, _objects(variables, file, after)


def _targets(file: Makefile, line: Line) -> list[Span]:
    """The words before the colon of a rule."""
    start = line.value.start
    first = makefile.TARGETS.match(file.data, start, line.value.end)
    text = file.data[start : file.data.index(b":", start)] if first is not None else b""
    return [Span(start + match.start(), start + match.end()) for match in re.finditer(rb"[^\s\\]+", text)]


def _made(
    variables: Variables, found: Sequence[Command], files: Set[str] = frozenset()
) -> tuple[list[Command], set[str]]:
    """The commands that make archives, and the names of what holds device code that is not linked yet."""
    compiling = [one for one in found if compiles(variables, one)]
    taken = (inputs(variables, one, _TAKEN) for one in compiling)
    names = [
        makefile_object_names.made(outputs(variables, one), by, files) for one, by in zip(compiling, taken, strict=True)
    ]
    made = set[str]().union(*names)
    archives = [one for one in found if _ARCHIVES.fullmatch(one.file.text(one.word))]
    for _ in archives:
        made |= {name for one in archives if meet(inputs(variables, one), made) for name in _archive(variables, one)}
    return archives, made


def archives(variables: Variables) -> set[str]:
    """The archives, by whole name, of objects whose device code is not linked yet: `libsearch.a`."""
    if not any(_WHOLE.search(file.data) for file in variables.files):
        return set()
    found = list(commands(variables))
    makers, made = _made(variables, found)
    words = (
        word
        for one in makers
        if meet(inputs(variables, one), made)
        for word in one.file.text(one.span).decode("utf-8", "replace").split()
    )
    names = (spelled(variables, word.rpartition("/")[2]) for word in words if word.endswith(".a"))
    return {name for name in names if "$" not in name and "*" not in name}


def spelled(variables: Variables, name: str) -> str:
    """A name with the values of the variables in it that have one."""

    def value(match: re.Match[str]) -> str:
        found = makefile_variables.values(variables, match[1])
        return found.copy().pop().decode("utf-8", "replace") if len(found) == 1 else match[0]

    return _NAMED.sub(value, name)


def relocates(variables: Variables) -> bool | None:
    """Whether each command of a Makefile that compiles by nvcc leaves device code to be linked, or links it whole.

    None where no command of the first file compiles by nvcc.
    """
    found = [
        _WHOLE.search(one.text) is not None
        for one in commands(variables)
        if one.file is variables.files[0]
        and variables.compiler(one.file, one.span) == {"nvcc"}
        and _compiles_source(variables, one)
    ]
    return all(found) if found else None


def _compiles_source(variables: Variables, one: Command) -> bool:
    """Whether a command takes a source, and not objects alone; one that neither names nor hides any is a link."""
    return STEP.search(one.text) is None and any(map(_SOURCE.fullmatch, inputs(variables, one, _TAKEN)))


def taking(variables: Variables, archives: Set[str]) -> Iterator[tuple[Link, str]]:
    """The commands that link one of some archives by an option `-lNAME`, each with that name.

    Those that link device code of several files anyway are left out.
    """
    for one in commands(variables) if archives else ():
        names = [name.decode("utf-8", "replace") for name in _LIBRARY.findall(one.text)]
        taken = [name for name in names if f"lib{name}.a" in archives]
        if links(one) and taken:
            yield Link(one.file, one.word, variables.compiler(one.file, one.span) == {"nvcc"}), taken[0]


def programs(variables: Variables) -> Iterator[Program]:
    """The commands that link, whatever they link."""
    for one in commands(variables):
        if _NO_LINK.search(one.text) is None and not _ARCHIVES.fullmatch(one.file.text(one.word)):
            by_nvcc = variables.compiler(one.file, one.span) == {"nvcc"}
            takes = frozenset(inputs(variables, one, _TAKEN))
            yield Program(one.file, one.span, one.word, takes, one.text, by_nvcc)


def of_host_lto(variables: Variables) -> list[Link]:
    """The commands by nvcc that link objects which the host's compiler leaves as its own code for the link, `-flto`."""
    if not any(_LTO.search(file.data) for file in variables.files):
        return []
    found = list(commands(variables))
    made = {
        name
        for one in found
        if variables.compiler(one.file, one.span) == {"host"} and _LTO.search(one.text) and not _FAT.search(one.text)
        for name in (outputs(variables, one) if _NO_LINK.search(one.text) else ())
    }
    return [
        Link(one.file, one.word, True)
        for one in found
        if variables.compiler(one.file, one.span) == {"nvcc"}
        and _NO_LINK.search(one.text) is None
        and meet(inputs(variables, one), made)
    ]


def stops(variables: Variables, file: Makefile, part: Span) -> bool:
    """Whether a command ends before the last link, by an option of its own or of a variable's."""
    return _NO_LINK.search(b" ".join(variables.texts(file, part))) is not None


def made_of(file: Makefile, rule: Line | None) -> list[Span]:
    """The words behind the colon of a rule, behind the last where a static pattern has two."""
    first = makefile.TARGETS.match(file.data, rule.value.start, rule.value.end) if rule is not None else None
    if first is None or rule is None:
        return []
    last = file.data.rfind(b": ", first.end(), rule.value.end)
    start = max(first.end(), last + 1)
    normal = file.data[start : rule.value.end].partition(b"|")[0]
    return [Span(start + one.start(), start + one.end()) for one in re.finditer(rb"[^\s\\]+", normal)]


def commands(variables: Variables) -> Iterator[Command]:
    """The commands of all recipes whose compiler is known."""
    for file, part, rule in variables.commands():
        word = variables.compiler_word(file, part)
        if word is not None:
            yield Command(file, part, word, rule, b" ".join(variables.texts(file, part)))


def compiles(variables: Variables, one: Command) -> bool:
    """Whether a command makes an object, and leaves its device code to be linked."""
    stops = _NO_LINK.findall(one.text)
    whole = _WHOLE.search(one.text) is not None and "nvcc" in variables.compiler(one.file, one.span)
    return (
        whole and bool(stops) and {stop for stop in stops if stop.lstrip(b"-") in (b"dlink", b"device-link")} == set()
    )


def links(one: Command) -> bool:
    """Whether a command goes on to the last link, and has no option for device code of several files."""
    return _NO_LINK.search(one.text) is None and _WHOLE.search(one.text) is None


def outputs(variables: Variables, one: Command, names: Names | None = None) -> set[str]:
    """The objects that a command makes: what `-o` names, or its rule where nothing does; any where neither does."""
    match = _OUT.search(one.file.text(one.span))
    if match is None:
        return _of_rule(variables, one, targets=True, names=names) or {"*.o"}
    if match[1] not in (b"$@", b"$(@)", b"${@}"):
        named = Span(one.span.start + match.start(1), one.span.start + match.end(1))
        return (names or _objects)(variables, one.file, named, WANTED)
    return _of_rule(variables, one, targets=True, names=names)


def _archive(variables: Variables, one: Command) -> set[str]:
    """The archive that `ar` makes."""
    named = {name for name in _objects(variables, one.file, one.span) if name.endswith(".a")}
    return named or {name for name in _of_rule(variables, one, targets=True) if name.endswith(".a")}


def inputs(variables: Variables, one: Command, wanted: Wanted = WANTED, names: Names | None = None) -> set[str]:
    """The objects and archives that a command takes, and sources where these are wanted."""
    text = one.file.text(one.span)
    output, read = _OUT.search(text), names or _objects
    found = read(variables, one.file, one.span, wanted)
    if output is not None:
        at = one.span.start + output.start(1)
        found -= read(variables, one.file, Span(at, at + len(output[1])), wanted)
    automatic = _AUTOMATIC.search(one.text) is not None
    return found | (_of_rule(variables, one, targets=False, wanted=wanted, names=names) if automatic else set())


def _of_rule(
    variables: Variables, one: Command, targets: bool, wanted: Wanted = WANTED, names: Names | None = None
) -> set[str]:
    """The objects before the colon of a command's rule, or those after the last."""
    rule = one.rule
    pattern = makefile_suffixes.made(variables, one.file, rule)
    if pattern is not None:
        name = pattern[0 if targets else 1]
        return {name} if any(kind.fullmatch(name) for kind in wanted) else set()
    first = makefile.TARGETS.match(one.file.data, rule.value.start, rule.value.end) if rule is not None else None
    if first is None or rule is None:
        return set()
    last = one.file.data.rfind(b": ", first.end(), rule.value.end)  # a static pattern has two
    span = (
        Span(rule.value.start, first.start("double") - 1)
        if targets
        else Span(max(first.end(), last + 1), rule.value.end)
    )
    return (names or _objects)(variables, one.file, span, wanted)


def _objects(variables: Variables, file: Makefile, span: Span, wanted: Wanted = WANTED) -> set[str]:
    """The names of objects and archives among some words; `*` stands for what is not known of a name."""
    names = {UNKNOWN.sub("*", one).rpartition("/")[2] for one in spelled_objects(variables, file, span)}
    names = {f"*{name}" if name.startswith(".") else name for name in names}
    return {name for name in names if not name.startswith("-") and any(one.fullmatch(name) for one in wanted)}


def spelled_objects(variables: Variables, file: Makefile, span: Span) -> set[str]:
    """Words as they are spelled, those of variables that are words of their own included."""
    found, queue, seen = set[str](), [(file, span)], set[str]()
    asked = variables.asked(file, span.start)
    for other, place in queue:
        for segment in makefile.segments(other.data, place.start, place.end):
            for word in segment.words:
                outer = list(makefile.expansions(other.data, word.span.start, word.span.end))
                if len(outer) == 1 and outer[0].span == word.span and outer[0].args == ():
                    name = outer[0].name if outer[0].pattern is None else ""
                    found |= {_GIVEN.format(name)} if name.isdigit() else set()
                    lines = variables.assigned.get(name, ()) if name not in seen else ()
                    read = (each for each in lines if not exclude(asked, variables.asked(each[0], each[1].span.start)))
                    queue += [(one, line.value) for one, line in read]
                    seen.add(name)
                    continue
                found.add(word.text.replace('"', ""))
    return found
