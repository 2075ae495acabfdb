"""Options that nvcc passes on to the host's compiler -> the options of a compiler that reads all of them itself.

A function of make may join them by commas, as nvcc wants them: the words are what it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake, compiler_options
from cudamigrate.syntax.project_file import ProjectFile

_PASSED = re.compile(r"-W[alp],(?:'[^']*'|\S)+|(?:'[^']*'|[^,\s])+")
"""One option for the host's compiler: commas part them, but not what one passes on to the linker: `-Wl,-rpath,/a`.

What is between single quotes parts nothing.
"""
_COMMA = re.compile(r"\\{1,2},")
"""A comma that parts nothing for nvcc, which takes the backslash away; the shell may have taken one before."""
_KEPT = "\x01"
_DOUBLE = re.compile(r"'[^']*'|\"")
"""A double quote; one between single quotes is text."""
LOOSE = {"-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-ffinite-math-only", "-fassociative-math"}
"""What nvcc passes on loosens the arithmetic of the host alone; clang would take it for the device too."""
DEPENDENCIES = ("-M", "-MM")
"""Options that print what a file includes: nvcc makes one pass of the host's compiler, clang one more for each GPU."""
_FORWARDS = b"-forward-unknown-to-host-compiler"
_ON_ONE_SIDE = re.compile(rb"-Xarch_(?:host|device)[\s\"',]+\Z")
"""What is before an option that one side alone gets."""
_EXACT = ["-Xarch_device", "-fno-fast-math"]
"""Takes all of these back for the device, anywhere on the line behind them."""
STRICT = "-Werror"
"""All warnings as errors; nvcc shows no kernel to the host's compiler, clang judges them too."""
_LENIENT = ["-Wno-error"]
"""Takes that back, anywhere on the line behind it."""
OTHERS = ("flag_unknown", "others")
"""The rewrite of the rule that lists options of other vendors' compilers."""
_GCC = {"-export-dynamic": "-rdynamic"}
"""Options that GCC alone has, and what clang calls them."""
_JOINS = re.compile(r"\$\(subst (?P<blank>[^,]*),(?P<comma>\$[({]\w+[)}]),(?P<words>.*)\)", re.DOTALL)
"""`$(subst $(space),$(comma),$(FLAGS))`: a comma itself would end the argument, so that a variable holds it."""
_REFERENCES = re.compile(r"\$[({]\w*[)}]")
_SCRIPTS = ("shell", "docker", "autotools")
_READ = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_ASSIGNED = re.compile(rb"(?<![\w$-])([A-Za-z_]\w*)\+?=(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s;]*)")
_PASSING = re.compile(rb"(?:-Xcompiler|--compiler-options)[= \t]*(?:\"[^\"]*\"|'[^']*'|\S+)")
_STANDARD = re.compile(r"--?std=\S+")
_NAMES_STANDARD = re.compile(rb"(?<![\w-])--?std[= \t]")


def parted(value: str) -> list[str]:
    """The single options that commas join; none where a function of make has commas of its own."""
    text = _DOUBLE.sub(lambda one: one[0] if len(one[0]) > 1 else "", value.replace('\\"', '"'))
    if re.search(r"\$[({][^(){}]*,", text):
        return []
    return [one.replace(_KEPT, ",") for one in _PASSED.findall(_COMMA.sub(_KEPT, text))]


def is_filled_in(value: str) -> bool:
    """Whether a program fills in what may be several options: `{",".join(flags)}`; `-I{path}` is one."""
    return any(one.lstrip().startswith("{") or one.count("{") != one.count("}") for one in value.split(","))


def in_quotes(option: str, written: str, language: str) -> str:
    """One of the options that are `written` in a command line, as the shell gets it from there too.

    Between single quotes `$` and `"` are text; elsewhere the shell would read them. `$$` is what make writes for `$`.
    """
    whole = len(written) > 1 and written[0] == "'" and written.find("'", 1) == len(written) - 1
    active = "$$" if language == "make" else "$"
    return f"'{option}'" if whole and any(sign in option for sign in (active, '"', "\\")) else option


def for_clang(option: str) -> list[str]:
    """What one option is where one compiler reads all: nothing of what makes errors of the warnings for kernels."""
    option = _GCC.get(option, option)
    if option in LOOSE:
        return ["-Xarch_host", option]
    if option in DEPENDENCIES:
        return [option, "--cuda-host-only"]
    return [] if option in (STRICT, compiler_options.SINGLE) else [option]


def is_forwarded(parsed: ProjectFile, at: int) -> bool:
    """Whether nvcc forwards the option at a place, as it does with all that it does not know."""
    if _ON_ONE_SIDE.search(parsed.data, max(0, at - 40), at):
        return False
    files = parsed.once(makefile_variables.of).files if parsed.source.language == "make" else ()
    return any(_FORWARDS in data for data in (parsed.data, *(file.data for file in files)))


def after(parsed: ProjectFile, span: Span) -> list[str]:
    """What follows options where a variable among them holds one that kernels are not to have."""
    if b"$" not in parsed.data[span.start : span.end]:
        return []
    words = _words_held(parsed, span)
    return [*(() if LOOSE.isdisjoint(words) else _EXACT), *(_LENIENT if STRICT in words else ())]


def loosens_kernels(parsed: ProjectFile, span: Span) -> bool:
    """Whether a variable of CMake's holds an option that kernels are not to have, and nothing can follow it there.

    That is so in lists and generator expressions, which give each option by itself.
    """
    if parsed.source.language != "cmake" or b"${" not in parsed.data[span.start : span.end] or _is_text(parsed, span):
        return False
    words = set(_followed(parsed.once(_of_cmake), parsed.data[span.start : span.end].decode("utf-8", "replace")))
    return not words.isdisjoint((*LOOSE, STRICT))


def _is_text(parsed: ProjectFile, span: Span) -> bool:
    """Whether a place in a CMake file is in one quoted text of options."""
    command = cmake.command_at(parsed, span.start)
    given = [one for one in command.args if one.span.start <= span.start < one.span.end] if command else []
    return bool(given) and given[0].quoted and not any(mark in given[0].text for mark in (";", "$<"))


def handed_on(parsed: ProjectFile, span: Span) -> set[str]:
    """The options that a place for the host's compiler has, and those that variables in it may hold."""
    written = parsed.data[span.start : span.end].decode("utf-8", "replace")
    return {one for word in (*written.split(), *_words_held(parsed, span)) for one in parted(word)}


def _words_held(parsed: ProjectFile, span: Span) -> set[str]:
    """The words that the variables at a place hold; of CMake only where they are put into one text."""
    if parsed.source.language == "make":
        variables = parsed.once(makefile_variables.of)
        held = b" ".join(variables.texts(variables.files[0], span)[1:]).decode("utf-8", "replace")
        return set(held.split())
    if parsed.source.language == "cmake":
        values = parsed.once(_of_cmake) if _is_text(parsed, span) else {}
    elif parsed.source.language in _SCRIPTS:
        values = parsed.once(_of_script)
    else:
        return set()
    return set(_followed(values, parsed.data[span.start : span.end].decode("utf-8", "replace")))


def _followed(values: Mapping[str, Sequence[str]], text: str) -> Iterator[str]:
    """The words of all that the variables of a text hold, themselves or by others."""
    waiting, seen = [text], set[str]()
    while waiting:
        for match in _READ.finditer(waiting.pop()):
            name = match[1] or match[2]
            for value in values.get(name, ()) if name not in seen else ():
                yield from re.split(r"[\s;\"']+", value)
                waiting.append(value)
            seen.add(name)


def _of_cmake(parsed: ProjectFile) -> dict[str, list[str]]:
    """What the commands of a file put into variables, those of loops too."""
    held = cmake.held_words(parsed.commands)
    for command in parsed.commands:
        words = command.words() if command.name == "foreach" else []
        lists = words[1:3] == ["IN", "LISTS"]
        if words:
            held.setdefault(words[0], []).extend(f"${{{one}}}" if lists else one for one in words[1:])
    return held


def _of_script(parsed: ProjectFile) -> dict[str, list[str]]:
    """What a script sets variables to."""
    found: dict[str, list[str]] = {}
    for match in _ASSIGNED.finditer(parsed.data):
        found.setdefault(match[1].decode(), []).append(match[2].decode("utf-8", "replace"))
    return found


def keeps_standard(parsed: ProjectFile, span: Span) -> bool:
    """Whether nvcc has a C++ standard of its own beside what it passes on at a place of a Makefile.

    It compiles by that one whatever the host's compiler gets, where clang takes the last of all.
    """
    if parsed.source.language != "make":
        return False
    variables = parsed.once(makefile_variables.of)
    file = variables.files[0]
    line = next((line for line in file.lines if line.value.start <= span.start < line.value.end), None)
    if line is None:
        return False
    texts, seen = [_PASSING.sub(b"", file.text(line.value))], set[str]()
    for text in texts:
        for name in (match[0][2:-1] for match in _REFERENCES.finditer(text.decode("utf-8", "replace"))):
            if name not in seen and name in variables.nvcc - variables.host:
                texts += [_PASSING.sub(b"", other.text(one.value)) for other, one in variables.assigned.get(name, ())]
            seen.add(name)
    return any(_NAMES_STANDARD.search(text) for text in texts)


def without_standard(parsed: ProjectFile, span: Span, parts: Sequence[str]) -> list[str]:
    """Options for the host's compiler without a C++ standard, where nvcc keeps its own."""
    if not parts or not keeps_standard(parsed, span):
        return list(parts)
    variables, made = parsed.once(makefile_variables.of), list[str]()
    for part in parts:
        if _REFERENCES.fullmatch(part) and _may_hold_standard(variables, part[2:-1]):
            made.append(f"$(filter-out -std=%,{part})")
        elif not _STANDARD.fullmatch(part):
            made.append(part)
    return made


def _may_hold_standard(variables: Variables, name: str) -> bool:
    """Whether a variable holds a standard, itself or by others."""
    names = [name]
    for one in names:
        for file, line in variables.assigned.get(one, ()):
            if _NAMES_STANDARD.search(file.text(line.value)):
                return True
            names += [more for more in makefile_variables.references(file, line.value) if more not in names]
    return False


def joined_by_commas(parsed: ProjectFile, value: str) -> str:
    """The words that the whole value joins by commas, empty where it is anything else."""
    match = _JOINS.fullmatch(value.strip())
    if match is None:
        return ""
    variables = parsed.once(makefile_variables.of)
    holds = _held(variables, match["comma"][2:-1]) == {","}
    blank = not _REFERENCES.sub("", match["blank"]).strip()
    return match["words"].strip() if holds and blank and _closes(match["words"]) else ""


def holds_commas(parsed: ProjectFile, value: str) -> bool:
    """Whether a variable that a value of make's names holds options that commas join: `-march=native,-fopenmp`."""
    if parsed.source.language != "make":
        return False  # those of a script are parted where they are set
    names = [one[2:-1] for one in _REFERENCES.findall(value)]
    if not names:
        return False
    variables, seen = parsed.once(makefile_variables.of), set[str]()
    while names:
        name = names.pop()
        for text in _held(variables, name) if name not in seen else ():
            if any(len(parted(word)) > 1 for word in text.split()):
                return True
            names += [one[2:-1] for one in _REFERENCES.findall(text)]
        seen.add(name)
    return False


def _held(variables: Variables, name: str) -> set[str]:
    """What a variable is set to."""
    places = variables.assigned.get(name, ())
    return {file.text(line.value).decode("utf-8", "replace").strip() for file, line in places}


def _closes(text: str) -> bool:
    """Whether each bracket is closed after it was opened, so that the last one of the value is the function's own."""
    depth = 0
    for sign in text:
        depth += (sign in "({") - (sign in ")}")
        if depth < 0:
            return False
    return depth == 0
