"""CMake: commands that give FindCUDA's list of options nothing but what goes, so that the whole command goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_compilers, cmake_flow, cmake_loops, cmake_option_functions
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.syntax import cmake, compiler_options, generator_expressions
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_AS_LIST = ("add_compile_options", "target_compile_options", "add_link_options", "target_link_options", "foreach")
"""Commands that take each element of a list by itself."""
_TEXTS = frozenset(("COMPILE_FLAGS", "LINK_FLAGS", "STATIC_LIBRARY_FLAGS"))
"""Properties that are a text with blanks; those called options are lists."""
_OF_ANY_LENGTH = (*_AS_LIST[:-1], "list", "execute_process", "add_custom_command", "add_custom_target")
"""Commands of CMake's own that mean nothing by the place of an option among their arguments."""
_RUNS = ("execute_process", "add_custom_command", "add_custom_target", "exec_program")
"""Commands that run a program with the arguments they are given."""
_STEP = "-c"
"""The option that makes objects and links nothing."""
_OPTIMISES = re.compile(rb"(?<![\w-])-O(?:[1-3sz]|fast)(?!\w)")
_OF_NVCC = re.compile(r"(?:CMAKE_CUDA|CUDA_NVCC)_FLAGS(?:_\w+)?")
"""The variables whose options nvcc gets."""
_GIVEN = re.compile(r"(?:-D ?)?CMAKE_CUDA_FLAGS(?:_\w+)?(?::[A-Z]+)?=")
"""The variable of nvcc's options as another run of CMake is given it; `-D` may be an argument before."""
_TEXT = re.compile(r"CMAKE_\w*FLAGS(?:_\w+)?")
"""CMake's own variables of options: each is pasted into command lines, where a semicolon ends the command."""
_FOR_CUDA = re.compile(rb"\$<(?:COMPILE_LANGUAGE|COMPILE_LANG_AND_ID):CUDA\b")
_ELSE = re.compile(rb"\$<(?:NOT|OR):")
"""Expressions that may be true where one in them is not."""
COMPILES = frozenset(("cuda_add_library", "cuda_add_executable", "cuda_compile"))
"""The commands of FindCUDA's that compile."""
LIST = "CUDA_NVCC_FLAGS"
"""FindCUDA's list of options, and how those for one kind of build begin."""


def emptied(parsed: ProjectFile, offset: int) -> Span | None:
    """The lines of the command at `offset`, where its options are all taken out, and it does nothing more."""
    command = cmake.command_at(parsed, offset)
    if command is not None and command.name == "list" and command.span in parsed.once(_repeated):
        names = [use for use in parsed.uses if use.kind == "name" and command.span.start <= use.span.start]
        if not any(use.span.end <= command.span.end for use in names):
            return lines(parsed.data, command.span)
    if command is None or not uses_find_cuda(parsed):
        return None
    return lines(parsed.data, command.span) if _adds_nothing(parsed, command) else None


def uses_find_cuda(parsed: ProjectFile) -> bool:
    """Whether a file, or another of its project, looks for CUDA by FindCUDA, or has its commands.

    The list is not the project's own then.
    """
    return parsed.cmake.builds or any(map(finds_cuda, cmake.commands(parsed)))


def finds_cuda(command: Command) -> bool:
    """Whether a command is FindCUDA's, or looks for CUDA by it."""
    looks = command.name == "find_package" and command.words()[:1] == ["CUDA"]
    return looks or command.name.startswith(("cuda_add_", "cuda_compile"))


def reads_list(command: Command) -> bool:
    """Whether a command may read FindCUDA's list: FindCUDA's own, or what looks for PyTorch, whose package does."""
    return finds_cuda(command) or (command.name == "find_package" and command.words()[:1] in (["Torch"], ["Caffe2"]))


def is_unread(parsed: ProjectFile) -> bool:
    """Whether FindCUDA's list is none of the project's compiler: CMake's language compiles, and no command reads it.

    Source: FindCUDA.cmake; PyTorch, cmake/public/cuda.cmake.
    """
    if parsed.cmake != CMakeFacts():
        return parsed.cmake.by_language
    found = cmake.commands(parsed)
    enabled = any(one.name == "project" and cmake.enables(one, "CUDA") for one in found)
    return enabled and not any(map(reads_list, found))


def sets_no_options(command: Command) -> bool:
    """Whether a command sets options for nvcc to a word that is none, `set(CUDA_NVCC_FLAGS "NA")`: only for show.

    HIP's compiler would get it: its options are read wherever the language is enabled.
    """
    words = command.words()
    if command.name != "set" or len(words) != 2 or words[0] not in (LIST, "CMAKE_CUDA_FLAGS"):
        return False
    return re.fullmatch(r"\w[\w ./()-]*", words[1]) is not None and " -" not in words[1]


def reaches_nvcc_alone(parsed: ProjectFile, use: Use) -> bool:
    """Whether an option is among those of the language CUDA, or of FindCUDA, by the names that CMake has for them."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return False
    words = command.words()
    filled = words[:1] if command.name == "set" else words[1:2] if command.name in ("list", "string") else []
    if any(map(_OF_NVCC.fullmatch, filled)):
        return True
    around = generator_expressions.before(parsed.data, command, use.span.start)
    return _FOR_CUDA.search(around) is not None and _ELSE.search(around) is None


def _adds_nothing(parsed: ProjectFile, command: Command) -> bool:
    words = command.words()
    named = 1 if command.name == "list" and words[:1] == ["APPEND"] else 0
    if command.name not in ("list", "set") or not words[named:] or not words[named].startswith(LIST):
        return False
    own = f"${{{words[named]}}}"
    keeps = command.name == "list" or own in words[1:]
    values = [one for one in command.args[named + 1 :] if one.text != own]
    gone = parsed.once(_dropped)
    return bool(values) and keeps and all(_is_covered(one.span, gone, parsed.data) for one in values)


def _is_covered(span: Span, gone: tuple[Span, ...], data: bytes) -> bool:
    """Whether everything in a value is an option that is taken out, or its argument."""
    at = span.start
    for one in gone:
        if one.start <= at < one.end or (span.start <= one.start < span.end and not data[at : one.start].strip()):
            at = max(at, one.end)
    return not data[at : span.end].strip()


def _dropped(parsed: ProjectFile) -> tuple[Span, ...]:
    """The options that are taken out wherever they are, with their arguments."""
    return tuple(sorted(use.extent for use in parsed.uses if use.kind == "option" and _is_dropped(parsed, use)))


def taken_as(parsed: ProjectFile, name: str) -> str:
    """How a file takes the options that a variable holds: as a `text` with blanks, as a `list`, or empty if neither.

    A text in a list would be one option in quotes; a list in a text has semicolons, which end a command.
    """
    reference, found = f"${{{name}}}", set[str]()
    for command in cmake.commands(parsed):
        for argument in command.args if command.name not in ("message", "if", "elseif") else ():
            if reference not in argument.text:
                continue
            if command.name in _AS_LIST and "SHELL:" not in argument.text:
                found.add("list")
            elif argument.quoted and command.name != "list":
                found.add("text")
    return "text" if "text" in found else "list" if found else ""


def holds_list(parsed: ProjectFile, command: Command) -> bool:
    """Whether the only value of `set`, which is in quotes, is a list or taken for one."""
    value = command.args[1].text
    return ";" in value or (" " not in value.strip() and taken_as(parsed, command.args[0].text) == "list")


def fills_text(command: Command) -> bool:
    """Whether a command gives options to a variable that CMake itself takes as a text: `list(APPEND CMAKE_CUDA_FLAGS`.

    Source: CMake documentation, "CMAKE_<LANG>_FLAGS": the flags are a string of words.
    """
    words = command.words()
    adds = command.name == "string" and words[:1] in (["APPEND"], ["PREPEND"])
    names = words[1:2] if adds else cmake.filled_by(command) if command.name in ("set", "list") else []
    return any(map(_TEXT.fullmatch, names))


def bare_text(parsed: ProjectFile, span: Span) -> Span | None:
    """A value of a variable where it has no quotes and a text is made with it: several options need them."""
    command = cmake.command_at(parsed, span.start) if parsed.source.language == "cmake" else None
    if command is None or not any(one.outer == span for one in command.args[1:]):
        return None
    if fills_text(command):
        return span
    is_text = command.name == "set" and len(command.args) == 2 and taken_as(parsed, command.args[0].text) == "text"
    return span if is_text else None


def placed(parsed: ProjectFile, span: Span, new: Sequence[str]) -> list[Edit] | None:
    """The new options where they are not written in the place of the old one; None where they are.

    A call of nvcc that stays for a person to look at keeps what it is given, in a variable of its own too.
    """
    command = cmake.command_at(parsed, span.start) if parsed.source.language == "cmake" else None
    if command is not None and cmake_compilers.is_kept(parsed, span.start):
        return []
    if command is not None and len(new) != 1 and cmake_option_functions.needs_argument(parsed, command, span):
        return [] if new else [Edit(span, b'""')]  # more than one would be arguments of their own
    made = _in_given(parsed, span, new)
    made = only_value(parsed, span, new) if made is None else made
    return made if made is not None else _behind_others(parsed, span, new)


def _behind_others(parsed: ProjectFile, span: Span, new: Sequence[str]) -> list[Edit] | None:
    """No optimisation of the code of the GPU, at the end of a text in which a later `-O3` would take it back.

    The host's code keeps what that asks for.
    """
    command = cmake.command_at(parsed, span.start) if parsed.source.language == "cmake" and "-O0" in new else None
    text = next((one for one in command.args if one.span.start <= span.start < one.span.end), None) if command else None
    if text is None or not text.quoted or ";" in text.text or "$<" in text.text:
        return None
    if not _OPTIMISES.search(parsed.data, span.end, text.span.end):
        return None
    kept = " ".join(one for one in new if one != "-O0").encode()
    blank = not kept and parsed.data[span.end : span.end + 1] == b" "
    end = Span(text.span.end, text.span.end)
    return [Edit(Span(span.start, span.end + blank), kept), Edit(end, b" -Xarch_device -O0")]


def only_value(parsed: ProjectFile, span: Span, new: Sequence[str]) -> list[Edit] | None:
    """The new options in the quotes that a property's only value needs, where it had none and now is not one option.

    A command that names several properties takes one value for each; a text is no list.
    """
    command = cmake.command_at(parsed, span.start) if parsed.source.language == "cmake" and len(new) != 1 else None
    if command is None or command.name not in cmake.PROPERTIES:
        return None
    number = next((at for at, one in enumerate(command.args) if one.outer == span and not one.quoted), 0)
    before = command.words()[:number]
    pairs = "PROPERTIES" in before
    alone = pairs or before[-2:-1] == ["PROPERTY"]
    text = bool(before) and before[-1] in _TEXTS
    if not alone or not (pairs or (text and new)):
        return None
    return [Edit(span, f'"{(" " if text else ";").join(new)}"'.encode())]


def given_flags(command: Command) -> Iterator[tuple[int, int]]:
    """Where the values are of options for nvcc that a command gives another run of CMake: `"-DCMAKE_CUDA_FLAGS=-G"`."""
    for argument in command.args:
        match = _GIVEN.match(argument.text)
        if match is not None:
            yield argument.span.start + match.end(), argument.span.end


def _in_given(parsed: ProjectFile, span: Span, new: Sequence[str]) -> list[Edit] | None:
    """The new options in such a value, which gets quotes where several are to be one argument; None elsewhere."""
    command = cmake.command_at(parsed, span.start) if parsed.source.language == "cmake" else None
    argument = (
        next((one for one in command.args if one.span.start <= span.start < one.span.end), None) if command else None
    )
    if argument is None or _GIVEN.match(argument.text) is None:
        return None
    text, (start, end) = " ".join(new).encode(), (argument.span.start, argument.span.end)
    if argument.quoted or b" " not in text:
        return [Edit(span, text)]
    if span.end == end:
        return [Edit(Span(start, start), b'"'), Edit(span, text + b'"')]
    return [Edit(Span(start, start), b'"'), Edit(span, text), Edit(Span(end, end), b'"')]


def joined_by_commas(parsed: ProjectFile) -> frozenset[str]:
    """The variables whose text the file puts commas into: nvcc parts there what it passes on, clang does not."""
    found = set[str]()
    for command in cmake.commands(parsed):
        words = command.words()
        if command.name == "set" and any("," in word for word in words[1:]):
            found.add(words[0])
        elif command.name in ("string", "list"):
            at = {"REPLACE": 3, "REGEX": 4, "JOIN": 2 if command.name == "string" else 3}.get(words[0].upper(), 0)
            given = words[1:2] if words[0].upper() == "JOIN" and command.name == "string" else words[at - 1 : at]
            found.update(words[at : at + 1] if at and given == [","] else ())
    return frozenset(found)


def crosses(command: Command, use: Use) -> bool:
    """Whether an option and its argument are two arguments of a command."""
    return any(use.span.start < one.outer.end < use.extent.end for one in command.args)


def whole_argument(parsed: ProjectFile, span: Span) -> Span | None:
    """The arguments in quotes that an option is, where they can go: a program would be given an empty one instead."""
    command = cmake.command_at(parsed, span.start)
    if command is None or command.name not in _OF_ANY_LENGTH or any(one.startswith(LIST) for one in command.words()):
        return None  # FindCUDA's list becomes a text
    quoted = [one for one in command.args if one.quoted]
    first = next((one.outer.start for one in quoted if one.span.start == span.start), None)
    last = next((one.outer.end for one in quoted if one.span.end == span.end), None)
    return None if first is None or last is None else Span(first, last)


def tears(parsed: ProjectFile, span: Span) -> bool:
    """Whether an argument of CMake would lose a quote with what is taken out, or leave a bracket to another word."""
    if parsed.source.language != "cmake":
        return False
    if parsed.data.count(b'"', span.start, span.end) % 2 == 1:
        return True
    command = cmake.command_at(parsed, span.start) if parsed.data.startswith(b">", span.end) else None
    return command is not None and not generator_expressions.before(parsed.data, command, span.end)


def without_step(parsed: ProjectFile, use: Use, new: list[str]) -> list[str]:
    """The new options without `-c`, where CMake itself says which step it asks for.

    It gives the flags of the language HIP to the compiler at the link too, where `-c` has it link nothing and report
    no error. A program that the file runs by its name, with a variable of options, gets no `-c` but from there.
    Source: CMake, Modules/CMakeHIPInformation.cmake, `CMAKE_HIP_CREATE_SHARED_LIBRARY`.
    """
    if parsed.source.language != "cmake" or _STEP not in new:
        return new
    command = cmake.command_at(parsed, use.span.start)
    runs = command is not None and (command.name in _RUNS or _is_run_with(parsed, command))
    return new if runs else [one for one in new if one != _STEP]


def _is_run_with(parsed: ProjectFile, command: Command) -> bool:
    """Whether a command fills a variable of the project's own that a program is run with."""
    words = command.words()
    names = words[:1] if command.name == "set" else words[1:2] if command.name == "list" else []
    left, seen = [one for one in names if not _OF_NVCC.fullmatch(one)], set[str]()
    while left:
        seen.add(reference := f"${{{left.pop()}}}")
        for other in cmake.commands(parsed):
            if not any(reference in word for word in other.words()):
                continue
            if other.name in _RUNS:
                return True
            left += [one for one in cmake.filled_by(other) if f"${{{one}}}" not in seen and not _OF_NVCC.fullmatch(one)]
    return False


def repeats(parsed: ProjectFile, use: Use) -> bool:
    """Whether an option names GPUs in a command that adds nothing for AMD to what one before it has added."""
    command = cmake.command_at(parsed, use.span.start)
    return command is not None and command.span in parsed.once(_repeated)


def follows_alike(parsed: ProjectFile, before: Span, use: Use) -> bool:
    """Whether an option is in the argument after that of another, each alone in the same generator expression."""
    command, span = cmake.command_at(parsed, use.span.start), compiler_options.whole(parsed.data, use)
    if command is None or span is None:
        return False
    held = [
        (number, parsed.data[one.span.start : option.start], parsed.data[option.end : one.span.end])
        for number, one in enumerate(command.args)
        for option in (before, span)
        if one.span.start <= option.start and option.end <= one.span.end
    ]
    if len(held) != 2 or held[0][0] + 1 != held[1][0]:
        return False
    return held[0][1:] == held[1][1:] and held[0][1].startswith(b"$<")


def _repeated(parsed: ProjectFile) -> frozenset[Span]:
    return cmake_flow.repeated(cmake.commands(parsed), cmake_loops.outside(parsed))


def _is_dropped(parsed: ProjectFile, use: Use) -> bool:
    rule = parsed.rule(use) if parsed.rule is not None else None
    drops = rule is not None and rule.safety == "safe" and rule.change.kind == "rewrite"
    change = rule.change.text[:2] if drops and rule is not None else ()
    goes = change == ("flag", "drop") or (change == ("flag", "arch") and repeats(parsed, use))
    return goes and not compiler_options.lacks(use)


def lines(data: bytes, span: Span) -> Span | None:
    """The lines that a command is on, if nothing else is there but a comment on it."""
    start = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end)
    end = len(data) if end < 0 else end + 1
    behind = data[span.end : end].strip()
    return None if data[start : span.start].strip() or behind[:1] not in (b"", b"#") else Span(start, end)
